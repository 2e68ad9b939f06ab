"""Poker by its public actions: a betting tree, vectors over hands, and matrices over buckets."""
