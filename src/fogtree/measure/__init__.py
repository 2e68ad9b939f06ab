"""Measuring: how large a game is, how good a strategy."""
