"""Searches of open games: minimax, alpha-beta and what they need."""
