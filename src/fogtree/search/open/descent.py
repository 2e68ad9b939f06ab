"""Alpha-beta as a depth-first descent that can stop after any node: `alphabeta.py` says what it computes.

The stack has one row a ply, made in advance, and the first row is the root. Nothing is allocated while a search runs, and
nothing lies on the processor's own stack. One position after another is on top. What happens to it next is the phase:

    ENTER      it is new: its value is known at once, or it gets a window, a depth and a list of actions
    ADVANCE    its next action is tried, by entering the position that follows; or all were tried
    LEAVE      its value goes to the position before, which takes it, or has the action searched again
    READY      the root has its value
"""

from typing import NamedTuple

import numpy as np

from ...game import CHANCE, NONE, OVER, Shape
from ...kernels import inlined, kernel
from ...trouble import BY_CHANCE, ENDLESS
from .scores import DECIDED, clamp, of_end, seen_from
from .transpositions import LOWER, MISSING, UPPER

MOST_DEPTH = 100  # of a search, in plies
ACTIONS_KNOWN = 1 << 15  # rows of the history; actions that share one only share their place in the order
INFINITE = np.inf
EXTENDED_KEY = np.int64(0x5851F42D4C957F2D)  # an extended position has other values, so it has another key
PROMISE, FIRST_KILLER, SECOND_KILLER = 2.0**20, 2.0**19, 2.0**18  # ranks; the history stays below 2^14
MOST_WEIGHT = 1024  # of one refutation in the history

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

    def set_root(self, root: np.ndarray, only: list[int]) -> None:
        """Begin with this position, of which only some actions are searched; none stands for all. For Python alone."""
        self.state[0], self.killer[:], self.used[:] = root, NONE, 0
        self.history[:] //= 8
        self.used[CHOSEN], self.chosen[: len(only)] = len(only), only

    def deepen(self, depth: int, quiet: int) -> None:
        """Begin an iteration of this depth at the root. For Python alone."""
        frame, bound = self.frame[0], self.bound[0]
        frame[DEPTH], frame[QUIET], frame[PRINCIPAL], frame[BEST] = depth, quiet, 1, NONE
        bound[ALPHA], bound[BETA] = -INFINITE, INFINITE
        self.used[PLY], self.used[PHASE] = 0, ENTER

    def has_best(self) -> bool:
        """Whether the iteration under way has found a best action of the root. For Python alone."""
        return self.used[PHASE] != READY and self.used[PLY] > 0 and self.frame[0, BEST] != NONE


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


@kernel
def proceed(game, evaluation, pruning, stack, table, most, nodes):
    """Search on for at most so many nodes, or until another thread sets used[HALTED]. Returns how many there were, or a
    trouble; used[PHASE] is READY at the end."""
    return go_on(game, evaluation, pruning, stack, table, most, nodes)


def look_on(game, evaluation, pruning, stack, table, most, state, quiet, nodes):
    """What a state is worth to player 0's side by quiescence alone, for at most so many plies and nodes."""
    frame, bound, used = stack.frame[0], stack.bound[0], stack.used
    for word in range(game.live(state)):
        stack.state[0, word] = state[word]
    frame[DEPTH], frame[QUIET], frame[PRINCIPAL], frame[BEST] = 0, quiet, 1, NONE
    bound[ALPHA], bound[BETA] = -INFINITE, INFINITE
    used[PLY], used[PHASE], used[CHOSEN], used[HALTED] = 0, ENTER, 0, 0
    go_on(game, evaluation, pruning, stack, table, most, nodes)
    return frame[SIGN] * (stack.returned[0] if used[PHASE] == READY else bound[VALUE])


def go_on(game, evaluation, pruning, stack, table, most, nodes):
    """The same as `proceed`, for other kernels."""
    used = stack.used
    done = 0
    while used[PHASE] != READY:
        if used[PHASE] == ENTER:
            if done == nodes or used[HALTED]:
                break
            done += 1
            player = game.player(stack.state[used[PLY]])
            if player == CHANCE:
                return BY_CHANCE
            if player != OVER and used[PLY] + 1 == stack.state.shape[0]:
                return ENDLESS
            enter(game, evaluation, pruning, stack, table, most, player)
        elif used[PHASE] == ADVANCE:
            advance(game, pruning, stack, table)
        else:
            leave(pruning, stack)
    used[NODES] += done
    return done


# --- a position is entered --------------------------------------------------------------------------------------------


@inlined
def enter(game, evaluation, pruning, stack, table, most, player):
    """A new position: it leaves with its value, or its actions are listed, and perhaps a free move is tried first."""
    ply = stack.used[PLY]
    state, frame = stack.state[ply], stack.frame[ply]
    stack.used[DEEPEST] = max(stack.used[DEEPEST], ply)
    stack.length[ply] = 0
    if player == OVER:
        frame[SIGN] = 1
        give(stack, of_end(game.payoff(state, 0), most, ply), BY_COURSE if game.by_course(state) else 0)
        return
    urgent = game.urgent(state)
    set_frame(stack, ply, 1 if game.side_of(player) == game.side_of(0) else -1, urgent)
    noisy = False  # whether only noisy actions are searched
    if frame[RESTING]:
        noisy = not urgent or frame[QUIET] == 0
        if noisy and stands_pat(game, evaluation, stack, ply, most):
            return
    elif is_known(game, pruning, stack, table, ply):
        return
    list_actions(game, stack, ply, noisy)
    if frame[RESTING] == 0 and may_skip(game, pruning, stack, ply, urgent):
        frame[TRIAL] = SKIPPED
        descend(stack, max(frame[DEPTH] - 1 - pruning.rest(frame[DEPTH]), 0), frame[QUIET], 0)
    else:
        stack.used[PHASE] = ADVANCE


@inlined
def give(stack, value, mark):
    """The position on top has this value, which rests on what the mark says."""
    stack.returned[0], stack.used[MARKED], stack.used[PHASE] = value, mark, LEAVE


@inlined
def set_frame(stack, ply, sign, urgent):
    """The window as the mover sees it, the depth, and whether the position belongs to the quiescence."""
    frame, bound, before = stack.frame[ply], stack.bound[ply], stack.frame[ply - 1]  # of the root, `before` is not read
    frame[SIGN] = sign
    if ply > 0 and before[SIGN] != sign:  # the window came as the other side sees it
        bound[ALPHA], bound[BETA] = -bound[BETA], -bound[ALPHA]
    resting = ply > 0 and before[RESTING] == 1
    frame[EXTENDED] = urgent and not resting and (ply == 0 or before[EXTENDED] == 0)
    frame[DEPTH] += frame[EXTENDED]
    frame[RESTING] = resting or frame[DEPTH] == 0
    frame[PROVING], frame[HINT] = 0, NONE
    begin(frame, bound, bound[ALPHA])


@inlined
def begin(frame, bound, alpha):
    """No action has been tried yet, and the mover is sure of alpha."""
    frame[NEXT], frame[MARK], frame[BEST], frame[TRIAL] = 0, 0, NONE, FULLY
    bound[VALUE], bound[ALPHA], bound[FLOOR] = -INFINITE, alpha, alpha


@inlined
def stands_pat(game, evaluation, stack, ply, most):
    """In the quiescence the mover may stop with the evaluation. Whether it does, for that is enough or it must."""
    frame, bound = stack.frame[ply], stack.bound[ply]
    value = frame[SIGN] * clamp(evaluation.value(game, stack.state[ply]), most)
    if frame[QUIET] == 0 or value >= bound[BETA]:
        give(stack, value, ON_EVALUATION)
        return True
    bound[VALUE], bound[ALPHA], frame[MARK] = value, max(bound[ALPHA], value), ON_EVALUATION
    return False


@inlined
def is_known(game, pruning, stack, table, ply):
    """Look the position up: its best action comes first, and its bounds may be enough."""
    frame, bound = stack.frame[ply], stack.bound[ply]
    frame[KEY] = np.int64(game.position(stack.state[ply])) ^ (EXTENDED_KEY * frame[EXTENDED])
    place = table.find(frame[KEY])
    if place == MISSING:
        return False
    frame[HINT] = table.action(place)
    is_open = table.is_open(place)
    if frame[PRINCIPAL] == 1 or not pruning.trusts(table.depth(place), frame[DEPTH], is_open):
        return False
    lower, upper = seen_from(table.real[place, LOWER], -ply), seen_from(table.real[place, UPPER], -ply)
    if lower < bound[BETA] and lower != upper and upper > bound[ALPHA]:
        return False
    give(stack, upper if upper <= bound[ALPHA] else lower, ON_EVALUATION if is_open else 0)
    return True


@inlined
def may_skip(game, pruning, stack, ply, urgent):
    """Whether the mover passes first, to see that even this is good enough; the position after it is made. Never twice in a
    row, nor on the principal variation, nor where the window asks for a decided game."""
    frame, beta = stack.frame[ply], stack.bound[ply, BETA]
    twice = ply > 0 and stack.frame[ply - 1, TRIAL] == SKIPPED
    if pruning.rest(frame[DEPTH]) == 0 or frame[PRINCIPAL] == 1 or urgent or twice or not -DECIDED < beta < DECIDED:
        return False
    copy_state(game, stack, ply)
    return game.skip(stack.state[ply + 1])


@inlined
def copy_state(game, stack, ply):
    """The state of the next row becomes that of this one."""
    state, child = stack.state[ply], stack.state[ply + 1]
    for word in range(game.live(state)):
        child[word] = state[word]


@inlined
def list_actions(game, stack, ply, noisy):
    """The actions to be searched, all or the noisy ones, each with its rank: the best of the table first, then by promise,
    killers and history."""
    state, frame, actions = stack.state[ply], stack.frame[ply], stack.action[ply]
    count = game.noisy(state, actions) if noisy else game.actions(state, actions)
    if ply == 0 and stack.used[CHOSEN] > 0:
        count = keep_chosen(stack, count)
    frame[COUNT] = count
    resting, side, hint = frame[RESTING], 0 if frame[SIGN] == 1 else 1, frame[HINT]
    for a in range(count):
        action = actions[a]
        rank = game.promise(state, action) * PROMISE
        if not resting:
            rank += stack.history[side, action & (ACTIONS_KNOWN - 1)]
            if action == hint:
                rank = INFINITE
            elif action == stack.killer[ply, 0]:
                rank += FIRST_KILLER
            elif action == stack.killer[ply, 1]:
                rank += SECOND_KILLER
        stack.rank[ply, a] = rank


@inlined
def keep_chosen(stack, count):
    """Of the root's actions, those that were asked for."""
    kept = 0
    for a in range(count):
        for k in range(stack.used[CHOSEN]):
            if stack.action[0, a] == stack.chosen[k]:
                stack.action[0, kept] = stack.action[0, a]
                kept += 1
                break
    return kept


# --- an action is tried -----------------------------------------------------------------------------------------------


@inlined
def advance(game, pruning, stack, table):
    """Try the next action, or finish the position where there is none or the window is closed."""
    ply = stack.used[PLY]
    frame, bound = stack.frame[ply], stack.bound[ply]
    number = frame[NEXT]
    if number == frame[COUNT] or bound[ALPHA] >= bound[BETA]:
        if frame[PROVING] > 0:
            end_proof(stack, ply)
        else:
            keep(pruning, stack, table, ply)
            give(stack, bound[VALUE], frame[MARK])
        return
    bring_best(stack.action[ply], stack.rank[ply], number, frame[COUNT])
    frame[NEXT] = number + 1
    copy_state(game, stack, ply)
    game.step(stack.state[ply + 1], stack.action[ply, number])
    frame[TRIAL] = FULLY
    if frame[RESTING]:
        descend(stack, 0, frame[QUIET] - 1, frame[PRINCIPAL])
    elif number == 0 or pruning.opens():
        descend(stack, frame[DEPTH] - 1, frame[QUIET], frame[PRINCIPAL] if number == 0 else 0)
        if pruning.opens():
            stack.bound[ply + 1, ALPHA], stack.bound[ply + 1, BETA] = -INFINITE, INFINITE
    else:
        less = 0
        if frame[EXTENDED] == 0:
            promise = stack.rank[ply, number] / PROMISE
            less = min(pruning.reduction(frame[DEPTH], number, promise), frame[DEPTH] - 1)
        scout(stack, frame[DEPTH] - 1 - less, REDUCED if less > 0 else SCOUTED)


@inlined
def bring_best(actions, ranks, number, count):
    """Exchange an action for the one of the highest rank among it and those behind it."""
    best = number
    for a in range(number + 1, count):
        if ranks[a] > ranks[best]:
            best = a
    actions[number], actions[best] = actions[best], actions[number]
    ranks[number], ranks[best] = ranks[best], ranks[number]


@inlined
def descend(stack, depth, quiet, principal):
    """Enter the position in the next row with the window of this one."""
    ply = stack.used[PLY]
    below, window = stack.frame[ply + 1], stack.bound[ply + 1]
    below[DEPTH], below[QUIET], below[PRINCIPAL] = depth, quiet, principal
    window[ALPHA], window[BETA] = stack.bound[ply, ALPHA], stack.bound[ply, BETA]
    stack.used[PLY], stack.used[PHASE] = ply + 1, ENTER


@inlined
def scout(stack, depth, trial):
    """Enter it with a window that has nothing in it: is the action better than what the mover is sure of?"""
    ply = stack.used[PLY]
    stack.frame[ply, TRIAL] = trial
    descend(stack, depth, stack.frame[ply, QUIET], 0)
    stack.bound[ply + 1, BETA] = np.nextafter(stack.bound[ply, ALPHA], INFINITE)


@inlined
def keep(pruning, stack, table, ply):
    """Store what was found about a position; not in the quiescence, nor where only some actions were searched."""
    frame, bound, value = stack.frame[ply], stack.bound[ply], stack.bound[ply, VALUE]
    partial = ply == 0 and stack.used[CHOSEN] > 0
    if frame[RESTING] or partial or (frame[MARK] & BY_COURSE != 0 and not pruning.keeps_course()):
        return
    lower = value if value > bound[FLOOR] else -INFINITE
    upper = value if value < bound[BETA] else INFINITE
    is_open = frame[MARK] & ON_EVALUATION != 0
    table.store(frame[KEY], frame[DEPTH], is_open, seen_from(lower, ply), seen_from(upper, ply), frame[BEST])


# --- a value comes back -----------------------------------------------------------------------------------------------


@inlined
def leave(pruning, stack):
    """Hand the value to the position before."""
    used = stack.used
    if used[PLY] == 0:
        used[PHASE] = READY
        return
    came = stack.frame[used[PLY], SIGN]
    used[PLY] -= 1
    ply = used[PLY]
    frame, bound = stack.frame[ply], stack.bound[ply]
    value = stack.returned[0] if came == frame[SIGN] else -stack.returned[0]
    better = value > bound[ALPHA]
    if frame[TRIAL] == SKIPPED:
        after_skip(pruning, stack, ply, value)
    elif better and frame[TRIAL] == REDUCED:
        scout(stack, frame[DEPTH] - 1, SCOUTED)  # the state of the action still stands in its row
    elif better and frame[TRIAL] == SCOUTED and value < bound[BETA]:
        frame[TRIAL] = FULLY
        descend(stack, frame[DEPTH] - 1, frame[QUIET], frame[PRINCIPAL])
    else:
        take(stack, ply, value)


@inlined
def after_skip(pruning, stack, ply, value):
    """A free move was tried. If it is not good enough, the actions come. If it is, then mostly some action is too, but not in
    zugzwang, where the mover would rather not move: so a search of less depth must prove it."""
    frame, bound = stack.frame[ply], stack.bound[ply]
    frame[TRIAL], stack.used[PHASE] = FULLY, ADVANCE
    if value < bound[BETA]:
        return
    depth = pruning.proof(frame[DEPTH])
    if depth == 0:
        give(stack, bound[BETA], stack.used[MARKED])
    else:
        frame[PROVING], frame[DEPTH] = frame[DEPTH], depth
        bound[ALPHA] = np.nextafter(bound[BETA], -INFINITE)


@inlined
def end_proof(stack, ply):
    """Some action is good enough too, or the position is searched in full after all."""
    frame, bound = stack.frame[ply], stack.bound[ply]
    frame[DEPTH], frame[PROVING] = frame[PROVING], 0
    if bound[VALUE] >= bound[BETA]:
        give(stack, bound[BETA], frame[MARK])
    else:
        begin(frame, bound, bound[FLOOR])


@inlined
def take(stack, ply, value):
    """An action has its value: keep it if it is the best so far, and remember what was refuted by it."""
    frame, bound = stack.frame[ply], stack.bound[ply]
    stack.used[PHASE] = ADVANCE
    frame[MARK] |= stack.used[MARKED]
    if value <= bound[VALUE]:
        return
    bound[VALUE] = value
    if value <= bound[ALPHA]:
        return
    action = stack.action[ply, frame[NEXT] - 1]
    bound[ALPHA], frame[BEST] = value, action
    stack.line[ply, 0] = action
    for step in range(stack.length[ply + 1]):
        stack.line[ply, step + 1] = stack.line[ply + 1, step]
    stack.length[ply] = stack.length[ply + 1] + 1
    if value >= bound[BETA] and frame[RESTING] == 0:
        remember(stack, ply, action)


@inlined
def remember(stack, ply, action):
    """An action has refuted a position: it is tried early in others, as a killer of this ply and by its history."""
    frame = stack.frame[ply]
    if stack.killer[ply, 0] != action:
        stack.killer[ply, 1] = stack.killer[ply, 0]
        stack.killer[ply, 0] = action
    side, row = 0 if frame[SIGN] == 1 else 1, action & (ACTIONS_KNOWN - 1)
    weight = min(frame[DEPTH] * frame[DEPTH], MOST_WEIGHT)
    old = stack.history[side, row]
    stack.history[side, row] = old + 16 * weight - old * weight // MOST_WEIGHT
