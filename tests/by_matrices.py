"""The certificate of the tables of an abstract game, by its exact matrices: for whatever made the tables."""

import numpy as np

from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.sweeps import spread


def bounds(form, table):
    """What `MatrixCFR.bounds` says of any tables; `table(node)` is [action, type]."""
    cfr = MatrixCFR(form, dtype=np.float64)
    for side in cfr.sides:
        for node in np.flatnonzero(form.tree.player == side.me).tolist():
            rows = table(node).ravel()
            side.mix[side.block[node] : side.block[node] + len(rows)] = rows
        side.total[:] = 0.0
        spread(cfr.nodes, side, 1.0, 1.0, cfr.sweeps.reach)
    cfr.iterations = 1
    return cfr.bounds()
