"""What was tried before the settings in `chess_runs.py` were chosen."""

COLUMNS = ["method", "depth", "error", "steps", "step", "least", "seed", "seconds", "games", "moves", "correlation"]
TRIED: list[tuple] = []
