"""Texts that people type: parameters of games and bandits, and classes from a file of the user's own."""
