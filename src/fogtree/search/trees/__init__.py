"""Searches that grow trees of information sets by bandits."""
