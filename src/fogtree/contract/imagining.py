"""Whether `imagine` draws states by the player's view and the dice alone, and how often which."""

import collections
from typing import NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..errors import Broken, Uncompilable
from ..kernels import kernel
from .asking import Asked
from .compiled import unlike
from .history import Place

IN_PYTHON = 100  # states are imagined in the walk, so that an error shows with its traceback; the others compiled
IMAGINED = 20_000  # states at most, from which others are imagined
DRAWS = 40_000  # for the distribution of what is imagined, over all information sets
FEWEST, MOST = 20, 400  # draws for each state of an information set
EXPECTED = 5  # draws of a cell of a chi-square test; rarer states share one
UNLIKELY = 1e-6  # a chi-square test with a lower p-value fails
EVENLY, BY_ODDS = "each state equally likely", "by the odds of chance and of others who play at random"


@kernel
def _imagine(game, state, player, random, which, mover, view):
    """Rewrite each state [n, words] by the generator random[which[n]]; says who moves there and what the player sees."""
    for n in range(state.shape[0]):
        game.imagine(state[n], player[n], random[which[n]])
        mover[n], view[n] = game.player(state[n]), game.view(state[n], player[n])


class _Imagined(NamedTuple):
    """What was imagined from some states, row by row."""

    state: np.ndarray  # [n, words]
    random: np.ndarray  # [generators, 4] afterwards
    mover: np.ndarray  # [n]
    view: np.ndarray  # [n]


def _imagine_from(game, state, player, random, which, run=_imagine) -> _Imagined:
    made, dice_left = np.array(state, np.int64), random.copy()
    mover, view = np.zeros(len(made), np.int64), np.zeros(len(made), np.int64)
    try:
        run(game, made, np.array(player), dice_left, which, mover, view)
    except Uncompilable as error:
        raise Broken(f"{error}") from None
    return _Imagined(made, dice_left, mover, view)


class Imagining:
    """What is imagined in the walk itself, and the decisions that the rest is imagined from."""

    def __init__(self, asked: Asked):
        self.asked = asked
        self.decisions: list[Place] = []

    def look(self, at: Place) -> None:
        if len(self.decisions) < IN_PYTHON:
            made = at.history.state.copy()
            self.asked.call(at.history, "imagine", made, at.player, dice.seeded(len(self.decisions)))
            mover, view = self.asked.game.player(made), self.asked.game.view(made, at.player)
            self.require_kept(at, int(mover), int(view))
        self.decisions.append(at)

    def require_kept(self, at: Place, mover: int, view: int) -> None:
        if (mover, view) != (at.player, at.views[at.player]):
            told = f"gives a state that player {at.player} can tell from the true one"
            self.asked.broken(at.history, "imagine", told)


def check_imagined(game, imagining: Imagining, seed: int, complete: bool, end: float) -> str:
    """Whether states are imagined by the view and the dice alone; in a whole tree, also which, and how often. `game` is the
    game itself, which is compiled. No more is interpreted after a time."""
    kept = imagining.decisions[:: 1 + len(imagining.decisions) // IMAGINED]
    state, player = np.array([at.history.state for at in kept]), [at.player for at in kept]
    random = _generators(seed, 1, len(kept))
    _compare_ways(game, state, player, random, end)
    _look_for_leaks(game, imagining, kept, state, player, random, _generators(seed, 2, len(kept)))
    return _check_distribution(game, imagining, seed) if complete else ""


def _compare_ways(game, state, player, random, end) -> None:
    """The first states, imagined in plain Python and by compiled code, must be the same."""
    slow = []
    for n in range(min(IN_PYTHON, len(state))):
        if n and clock() >= end:
            break
        slow.append(
            _imagine_from(game, state[n : n + 1], player[n : n + 1], random, np.array([n]), _imagine.interpreted)
        )
    each = np.arange(len(slow))
    fast = _imagine_from(game, state[each], player[: len(each)], random, each)
    for n, one in enumerate(slow):
        same = (fast.state[n] == one.state[0]).all() and (fast.random[n] == one.random[n]).all()
        if not same or (fast.mover[n], fast.view[n]) != (one.mover[0], one.view[0]):
            raise Broken(unlike(f"{type(game).__name__}.imagine", f"{len(slow)} states"))


def _look_for_leaks(game, imagining, kept, state, player, random, others) -> None:
    """The same dice make the same state from all states of an information set, and from a state that was imagined there."""
    sets = [(at.player, at.views[at.player]) for at in kept]
    first = {key: n for n, key in reversed(list(enumerate(sets)))}  # the first row of each information set
    of_set, each = np.array([first[key] for key in sets]), np.arange(len(kept))
    made = _imagine_from(game, state, player, random[of_set], each)
    for n, at in enumerate(kept):
        imagining.require_kept(at, made.mover[n], made.view[n])
    other = _imagine_from(game, state, player, others, each).state
    again = _imagine_from(game, other, player, random[of_set], each)
    for n, at in enumerate(kept):
        m = of_set[n]
        if not _same_row(made, n, made, m):
            there, differs = (
                f"the history {imagining.asked.moves(kept[m].history.moves)}",
                _difference(made, n, made, m),
            )
        elif not _same_row(made, n, again, n):
            there, differs = f"the state {other[n].tolist()}", _difference(made, n, again, n)
        else:
            continue
        told = f"leaks what is hidden: the same dice make another state here than from {there}, with the same view for player"
        imagining.asked.broken(at.history, "imagine", f"{told} {at.player}: {differs}")


def _same_row(one: _Imagined, n, other: _Imagined, m) -> bool:
    return one.state[n].tobytes() == other.state[m].tobytes() and one.random[n].tobytes() == other.random[m].tobytes()


def _difference(one: _Imagined, n, other: _Imagined, m) -> str:
    """Where two imagined states differ, in words."""
    words = np.flatnonzero(one.state[n] != other.state[m])
    if not len(words):
        return "other dice are left"
    word = int(words[0])
    more = f", and {len(words) - 1} more words differ" if len(words) > 1 else ""
    return f"word {word} of the state is {one.state[n][word]} here and {other.state[m][word]} there{more}"


def _generators(seed, part, count):
    return np.random.SeedSequence(seed, spawn_key=(part,)).generate_state(4 * count, np.uint64).reshape(count, 4)


def _check_distribution(game, imagining: Imagining, seed: int) -> str:
    """How a game imagines states, found by drawing many of them in the information sets of a whole tree."""
    sets: dict = collections.defaultdict(lambda: (collections.Counter(), []))
    for at in imagining.decisions:
        states, found = sets[at.player, at.views[at.player]]
        states[at.history.state.tobytes()] += at.history.reach
        found.append(at)
    need = sum(FEWEST * len(states) for states, _ in sets.values())
    chosen = list(sets.values())[:: 1 + need // DRAWS]
    each = min(MOST, max(FEWEST, DRAWS // sum(len(states) for states, _ in chosen)))
    which = np.repeat(np.arange(len(chosen)), [each * len(states) for states, _ in chosen])
    source = [found[0] for _, found in chosen]
    state, player = np.array([at.history.state for at in source])[which], [source[i].player for i in which]
    drawn = _imagine_from(game, state, player, _generators(seed, 3, len(chosen)), which)
    counts = [collections.Counter[bytes]() for _ in chosen]
    for i, made in zip(which, drawn.state, strict=True):
        if made.tobytes() not in chosen[i][0]:
            imagining.asked.broken(
                source[i].history, "imagine", f"gives {made.tolist()}, which is no state with this view"
            )
        counts[i][made.tobytes()] += 1

    worst = {}
    for how in (EVENLY, BY_ODDS):
        total, freedom, lowest = 0.0, 0, (1.0, source[0])
        for at, (states, _), count in zip(source, chosen, counts, strict=True):
            odds = np.array([1.0 if how == EVENLY else states[made] for made in states])
            misfit, free = _chi_square(np.array([count[made] for made in states]), odds / odds.sum())
            lowest = min(lowest, (_p_value(misfit, free), at), key=lambda pair: pair[0])
            total, freedom = total + misfit, freedom + free
        worst[how] = min(lowest, (_p_value(total, freedom), lowest[1]), key=lambda pair: pair[0])
        if worst[how][0] >= UNLIKELY:
            return how
    (even, at), (by_odds, _) = worst[EVENLY], worst[BY_ODDS]
    rule = f"draws states neither so: {EVENLY} (p = {even:.1g}); nor so: {BY_ODDS} (p = {by_odds:.1g})"
    imagining.asked.broken(at.history, "imagine", rule)


def _chi_square(count, odds) -> tuple[float, int]:
    """How far counts are from what the odds promise, and the degrees of freedom. Rare cells are taken together."""
    order = np.argsort(odds)
    count, expected = count[order], odds[order] * count.sum()
    rare = int(np.count_nonzero(expected < EXPECTED))
    if rare and expected[:rare].sum() < EXPECTED:
        rare += rare < len(expected)
    if rare:
        count = np.append(count[rare:], count[:rare].sum())
        expected = np.append(expected[rare:], expected[:rare].sum())
    return float(((count - expected) ** 2 / expected).sum()), len(expected) - 1


def _p_value(misfit, freedom) -> float:
    from scipy.special import chdtrc  # not needed by games that imagine nothing

    return float(chdtrc(freedom, misfit)) if freedom else 1.0
