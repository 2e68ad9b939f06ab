"""Whether `imagine` draws states by the player's view and the dice alone, and how often which."""

import collections
from typing import NamedTuple

import numpy as np

from ..errors import Broken, Uncompilable
from ..kernels import kernel
from .compiled import unlike
from .walk import IN_PYTHON

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


def check_imagined(walk, seed, complete) -> str:
    """Whether states are imagined by the view and the dice alone; in a whole tree, also which, and how often."""
    game, kept = walk.game, walk.imagined[:: 1 + len(walk.imagined) // IMAGINED]
    state, player = np.array([at.history.state for at in kept]), [at.player for at in kept]
    first = {
        (at.player, at.view): n for n, at in reversed(list(enumerate(kept)))
    }  # the first row of each information set
    of_set = np.array([first[at.player, at.view] for at in kept])
    each = np.arange(len(kept))
    random, others = _generators(seed, 1, len(kept)), _generators(seed, 2, len(kept))

    few = each[:IN_PYTHON]
    ways = (_imagine.interpreted, _imagine)
    twice = [_imagine_from(game, state[few], player[: len(few)], random, few, way) for way in ways]
    if not all(np.array_equal(one, two) for one, two in zip(*twice, strict=True)):
        raise Broken(unlike(f"{walk.kind}.imagine", f"{len(few)} states"))

    made = _imagine_from(game, state, player, random[of_set], each)  # with the same dice in all states of a set
    for n, at in enumerate(kept):
        walk.keeps(at.history, at.player, at.view, made.mover[n], made.view[n])
    other = _imagine_from(game, state, player, others, each).state
    again = _imagine_from(game, other, player, random[of_set], each)
    for n, at in enumerate(kept):
        m = of_set[n]
        if made.state[n].tobytes() != made.state[m].tobytes() or made.random[n].tobytes() != made.random[m].tobytes():
            there = f"the history {walk.moves(kept[m].history.moves)}"
        elif (
            made.state[n].tobytes() != again.state[n].tobytes() or made.random[n].tobytes() != again.random[n].tobytes()
        ):
            there = f"the state {other[n].tolist()}"
        else:
            continue
        told = f"leaks what is hidden: the same dice make another state here than from {there}, with the same view for player"
        walk.broken(at.history, "imagine", f"{told} {at.player}")
    return _check_distribution(walk, seed) if complete else ""


def _generators(seed, part, count):
    return np.random.SeedSequence(seed, spawn_key=(part,)).generate_state(4 * count, np.uint64).reshape(count, 4)


def _check_distribution(walk, seed) -> str:
    """How a game imagines states, found by drawing many of them in the information sets of a whole tree."""
    sets: dict = collections.defaultdict(lambda: (collections.Counter(), []))
    for at in walk.imagined:
        states, found = sets[at.player, at.view]
        states[at.history.state.tobytes()] += at.history.reach
        found.append(at)
    need = sum(FEWEST * len(states) for states, _ in sets.values())
    chosen = list(sets.values())[:: 1 + need // DRAWS]
    each = min(MOST, max(FEWEST, DRAWS // sum(len(states) for states, _ in chosen)))
    which = np.repeat(np.arange(len(chosen)), [each * len(states) for states, _ in chosen])
    source = [found[0] for _, found in chosen]
    state, player = np.array([at.history.state for at in source])[which], [source[i].player for i in which]
    drawn = _imagine_from(walk.game, state, player, _generators(seed, 3, len(chosen)), which)
    counts = [collections.Counter[bytes]() for _ in chosen]
    for i, made in zip(which, drawn.state, strict=True):
        if made.tobytes() not in chosen[i][0]:
            walk.broken(source[i].history, "imagine", f"gives {made.tolist()}, which is no state with this view")
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
    return walk.broken(at.history, "imagine", rule)


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
