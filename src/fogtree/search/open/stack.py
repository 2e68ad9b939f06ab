"""The stack of a depth-first search: one row a ply, made in advance, so that a search can stop after any node and go on.

The first row is the root. Nothing is allocated while a search runs, and nothing lies on the processor's own stack.
"""

from typing import NamedTuple

import numpy as np

from ...game import NONE, Shape

MOST_DEPTH = 100  # of a search, in plies
ACTIONS_KNOWN = 1 << 15  # rows of the history; actions that share one only share their place in the order

# words of a frame
COUNT = 0  # actions to search
NEXT = 1  # how many of them have been begun
DEPTH = 2  # plies of full width that are left
QUIET = 3  # plies of quiescence that are left
RESTING = 4  # whether the position belongs to the quiescence
EXTENDED = 5  # whether the position is searched one ply deeper because it is urgent
PRINCIPAL = 6  # whether the principal variation may run through it
SIGN = 7  # 1 where the mover plays for player 0's side and where the game is over, else -1
BEST = 8  # the best action so far, or NONE
MARK = 9  # what the value rests on: BY_COURSE | ON_EVALUATION
TRIAL = 10  # how the child is being searched: FULLY, SCOUTED, REDUCED, SKIPPED
KEY = 11
PROVING = 12  # the full depth, while a search of less depth proves what a free move has shown; else 0
HINT = 13  # the best action of the table, or NONE
FRAME = 14

# numbers of a bound
ALPHA = 0  # the mover is sure of so much
BETA = 1  # the other is sure that it will not be more
VALUE = 2  # the best so far
FLOOR = 3  # ALPHA at the beginning
BOUND = 4

BY_COURSE, ON_EVALUATION = 1, 2  # marks
FULLY, SCOUTED, REDUCED, SKIPPED = range(4)  # trials
ENTER, ADVANCE, LEAVE, READY = range(4)  # phases

# words of `used`
PLY = 0  # where the search is
PHASE = 1  # what comes next
NODES = 2
MARKED = 3  # the mark of the value that was returned
DEEPEST = 4  # ply
CHOSEN = 5  # how many actions of the root are searched; 0 for all
HALTED = 6  # whether somebody said stop
USED = 7


class Stack(NamedTuple):
    state: np.ndarray  # [ply, words]
    action: np.ndarray  # [ply, actions]
    rank: np.ndarray  # [ply, actions] the order in which they are tried, the largest first
    frame: np.ndarray  # [ply, FRAME]
    bound: np.ndarray  # [ply, BOUND]
    line: np.ndarray  # [ply, ply] the principal variation from each ply on
    length: np.ndarray  # [ply] of these lines
    killer: np.ndarray  # [ply, 2] quiet actions that refuted a sibling
    history: np.ndarray  # [side, ACTIONS_KNOWN] how often an action was a refutation
    chosen: np.ndarray  # [actions] those of the root that are searched, where not all are
    used: np.ndarray  # [USED]
    returned: np.ndarray  # [1] the value that the last position returned


def new_stack(shape: Shape, depth: int, quiet: int) -> Stack:
    """Room for a search of so many plies, each of which may be extended by one, and so many of quiescence."""
    plies = min(2 * depth + 1 + quiet, shape.moves) + 2
    return Stack(
        np.zeros((plies, shape.words), np.int64),
        np.zeros((plies, shape.actions), np.int64),
        np.zeros((plies, shape.actions)),
        np.zeros((plies, FRAME), np.int64),
        np.zeros((plies, BOUND)),
        np.zeros((plies, plies), np.int64),
        np.zeros(plies, np.int64),
        np.full((plies, 2), NONE, np.int64),
        np.zeros((2, ACTIONS_KNOWN), np.int64),
        np.zeros(shape.actions, np.int64),
        np.zeros(USED, np.int64),
        np.zeros(1),
    )
