"""Searching: sampling, anytime."""
