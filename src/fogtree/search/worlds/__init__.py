"""Searches that look at worlds: states that a player believes possible."""
