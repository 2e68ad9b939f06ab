"""Solvers that end with an exact answer: linear programs, pivoting, double oracle, retrograde analysis."""
