"""What was tried before the settings in `chess_runs.py` were chosen: one run of 10 s of the processor each, in chess, seed 1.

The last column is the correlation between tanh(4 H) and tanh(centipawns / 400) of Stockfish at 1,500 nodes, over 1,500
positions out of check from games of moves that were partly random. `learns from` says which positions teach: `all` those
with one full ply below them, or only the `quiet` ones, whose best action is no capture (`learn/bootstrap.py`). `root
alone` is TreeStrap that walks no further than the root, which is RootStrap by another way.

Then runs of 20 s with seeds 11 and 12, all of them learning from quiet positions: what share of 120 games each run got
against the evaluation that was set by hand (`PieceSquares`), both searching two plies deep.
"""

COLUMNS = ["method", "depth", "error", "steps", "step", "learns from", "games", "moves", "correlation"]
TRIED: list[tuple] = [
    ("treestrap", 3, "tanh(4 H)", "adaptive", 0.003, "all", 44, 6342, 0.463),
    ("treestrap", 2, "tanh(4 H)", "adaptive", 0.003, "all", 156, 21341, 0.556),
    ("treestrap", 3, "tanh(4 H)", "adaptive", 0.003, "quiet", 52, 6677, 0.729),
    ("treestrap", 2, "tanh(4 H)", "adaptive", 0.003, "quiet", 141, 21911, 0.784),
    ("treestrap", 2, "tanh(4 H)", "adaptive", 0.01, "quiet", 132, 21706, 0.738),
    ("treestrap-minimax", 2, "tanh(4 H)", "adaptive", 0.003, "quiet", 14, 1828, 0.521),
    ("rootstrap", 3, "tanh(4 H)", "adaptive", 0.001, "all", 44, 6228, 0.647),
    ("rootstrap", 3, "tanh(4 H)", "adaptive", 0.003, "all", 45, 7218, 0.651),
    ("rootstrap", 3, "tanh(4 H)", "adaptive", 0.01, "all", 50, 6194, 0.593),
    ("rootstrap", 3, "tanh(4 H)", "adaptive", 0.03, "all", 37, 6174, 0.381),
    ("root alone", 3, "tanh(4 H)", "adaptive", 0.001, "all", 53, 7690, 0.602),
    ("root alone", 3, "tanh(4 H)", "adaptive", 0.003, "all", 50, 7698, 0.685),
    ("root alone", 3, "tanh(4 H)", "adaptive", 0.003, "all", 49, 7501, 0.732),
    ("root alone", 3, "tanh(4 H)", "adaptive", 0.01, "all", 47, 6604, 0.641),
    ("root alone", 3, "tanh(4 H)", "adaptive", 0.03, "all", 52, 7646, 0.467),
    ("root alone", 2, "tanh(4 H)", "adaptive", 0.003, "all", 96, 15172, 0.741),
    ("root alone", 3, "tanh(2 H)", "adaptive", 0.003, "all", 41, 6678, 0.685),
    ("root alone", 3, "tanh(4 H)", "plain", 0.1, "all", 48, 9437, 0.448),
    ("root alone", 3, "H", "plain", 0.03, "all", 45, 7025, 0.710),
    ("root alone", 3, "H", "adaptive", 0.01, "all", 45, 5524, 0.695),
]

PLAYED_COLUMNS = ["method", "depth", "step", "seed 11", "seed 12"]
PLAYED: list[tuple] = [
    ("treestrap", 2, 0.001, 0.1, 0.05),
    ("treestrap", 2, 0.003, 0.192, 0.233),
    ("treestrap", 2, 0.01, 0.129, 0.246),
    ("rootstrap", 2, 0.001, 0.092, 0.054),
    ("rootstrap", 2, 0.003, 0.129, 0.237),
    ("rootstrap", 2, 0.01, 0.183, 0.25),
    ("treestrap-minimax", 2, 0.001, 0.037, 0.046),
    ("treestrap-minimax", 2, 0.003, 0.087, 0.121),
    ("treestrap-minimax", 2, 0.01, 0.092, 0.071),
    ("td-leaf", 2, 0.001, 0.05, 0.046),
    ("td-leaf", 2, 0.003, 0.067, 0.129),
    ("td-leaf", 2, 0.01, 0.075, 0.054),
    ("treestrap", 3, 0.001, 0.025, 0.083),
    ("treestrap", 3, 0.003, 0.133, 0.113),
    ("rootstrap", 3, 0.001, 0.029, 0.092),
    ("rootstrap", 3, 0.003, 0.087, 0.079),
]
