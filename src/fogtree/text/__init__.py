"""Texts that people type: parameters of games and bandits, classes from a file of the user's own, a state as a text."""
