"""Solving: exact, or convergent with a certificate."""
