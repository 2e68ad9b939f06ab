"""How exploitable a solved abstraction of hold'em is in the real game: tasks of the run store.

    kinds    some kinds of flops of the best response by the public tree: all of them together are exact (`exactly`)
    in_lanes the same for both players in lanes, on any device
    flop     one sampled flop of it, for decks on which all flops would take days
    local    local best response, a lower bound
    hands    hands against another player, in pairs with the same cards and exchanged seats

Values are what the responder gets, in thousandths of a small bet a hand.
"""

import functools
import gc
import itertools
import math
import time
from typing import Any, NamedTuple

import numpy as np

from ...kernels.lanes import CPU
from ...measure.duel import duplicate
from ...measure.intervals import student_half
from ...measure.local_response import local_response
from ...policy import Always, Uniform
from ...solvers.public.betting import BettingTree
from ...solvers.public.board_lanes import BoardLanes, DealtBoards
from ...solvers.public.bucket_plan import BucketPlan
from ...solvers.public.cards import moved_hands
from ...solvers.public.public_response import PublicResponse
from ...text.naming import load
from .poker_solving import MILLI, buckets_of, plan_of, solved

AT_ONCE = 4  # kinds of flops that a GPU does side by side


def kinds(
    game: str, k: int, boards: int, rule: str, iterations: int, seed: int, player: int, part: int, parts: int
) -> dict[str, Any]:
    """What a best response gets after the flops of every `parts`-th kind: [line][class of hands], a part of the sum over all
    flops. Flops that differ by their suits are one kind, and their sum does not tell suits apart."""
    response = _response(game, k, boards, rule, iterations, seed, player, np.float64)
    total = np.zeros((response.counts[1], response.count))
    for board, images in itertools.islice(response.first_boards(), part, None, parts):
        response.add_images(total, response.board_values(board), images)
    return {"values": _by_class(hand_classes(response), total).tolist()}


def exactly(solved_by: dict[str, Any], pieces: list[dict[str, Any]]) -> float:
    """What a best response gets, from all parts of `kinds`."""
    return _from_parts(_response(**solved_by, dtype=np.float64), [piece["values"] for piece in pieces])


def _from_parts(response: PublicResponse, parts: list[Any]) -> float:
    return MILLI * response.root(np.sum(parts, axis=0)[:, hand_classes(response)])


class Player(NamedTuple):
    """Who is answered in lanes, and how."""

    game: str
    k: int
    boards: int
    rule: str
    iterations: int
    seed: int
    bits: int
    device: str


def in_lanes(
    game: str,
    k: int,
    boards: int,
    rule: str,
    iterations: int,
    seed: int,
    bits: int,
    device: str,
    part: int,
    parts: int,
) -> dict[str, Any]:
    """What the best responses of both players get after the flops of every `parts`-th kind: [player][line][class of hands],
    as `kinds` has them, in numbers of so many bits; and the seconds that it took."""
    responses, flops, dealt, lanes = _lanes(Player(game, k, boards, rule, iterations, seed, bits, device))
    classes, began = hand_classes(responses[0]), time.perf_counter()
    total = np.zeros((2, responses[0].counts[1], classes.max() + 1))
    mine = flops[part::parts]
    for first in range(0, len(mine), dealt.at_once):
        few = mine[first : first + dealt.at_once]
        dealt.deal([board for board, _ in few])
        for player, walk in enumerate(lanes):
            for (_, images), values in zip(few, walk.values().astype(np.float64), strict=True):
                total[player] += len(images) * _by_class(classes, values)
    return {"values": total.tolist(), "seconds": time.perf_counter() - began}


def exactly_in_lanes(solved_by: dict[str, Any], pieces: list[dict[str, Any]]) -> list[float]:
    """What the best response of each player gets, from all parts of `in_lanes`."""
    responses = _lanes(Player(**solved_by))[0]
    return [_from_parts(responses[player], [piece["values"][player] for piece in pieces]) for player in (0, 1)]


def release() -> None:
    """Give back what `in_lanes` keeps for its next part: most of a GPU's memory."""
    _lanes.cache_clear()
    gc.collect()


@functools.lru_cache(maxsize=1)  # on a GPU nobody else fits beside it
def _lanes(them: Player) -> Any:
    cfr = solved(them.game, them.k, them.boards, them.seed + 1, them.rule, them.iterations, them.device)
    cards = buckets_of(them.game, them.k, them.device).cards
    dtype = {32: np.float32, 64: np.float64}[them.bits]
    responses = [PublicResponse(cards, plan_of(cfr, 1 - player), player, dtype=dtype) for player in (0, 1)]
    dealt = DealtBoards(cards, at_once=1 if them.device == CPU else AT_ONCE, device=them.device)
    lanes = [BoardLanes(response, dealt) for response in responses]
    return responses, list(responses[0].first_boards()), dealt, lanes


def local(
    game: str,
    k: int,
    boards: int,
    rule: str,
    iterations: int,
    seed: int,
    player: int,
    deals: int,
    hands: int,
    part: int,
) -> dict[str, float]:
    """What local best response gets."""
    cfr = solved(game, k, boards, seed + 1, rule, iterations)
    plan, cards = plan_of(cfr, 1 - player), buckets_of(game, k).cards
    found = local_response(cards, plan, player, boards=deals, hands=hands, seed=seed + 100 + part)
    return {"value": MILLI * found.value, "half": MILLI * found.half, "games": found.games}


def flop(
    game: str, k: int, boards: int, rule: str, iterations: int, seed: int, player: int, number: int
) -> dict[str, Any]:
    """What a best response gets after a sampled flop: [line][class of hands], as if every flop were like this one."""
    response = _response(game, k, boards, rule, iterations, seed, player, np.float32)
    drawn = np.random.default_rng([seed, number]).choice(response.cards.cards, response.cards.dealt[1], replace=False)
    values = response.board_values(tuple(sorted(map(int, drawn))))
    means = _by_class(hand_classes(response), values.astype(np.float64))
    return {"flop": sorted(map(int, drawn)), "values": [[float(f"{x:.7g}") for x in line] for line in means.tolist()]}


def hands(
    game: str, k: int, boards: int, rule: str, iterations: int, seed: int, other: Any, pairs: int
) -> dict[str, float]:
    """What a player gets against another: a name of OPPONENTS, or the arguments of another player."""
    mine = _plan(game, seed, k, boards, rule, iterations)
    found = duplicate(load(game), mine, _opponent(game, seed, other), pairs, seed=seed + 1)
    return {"value": MILLI * found.payoff, "half": MILLI * found.half, "hands": 2 * found.pairs}


OPPONENTS = {"random play": Uniform(), "always call": Always(1), "always raise": Always(2)}


def _opponent(game: str, seed: int, other: Any) -> Any:
    return OPPONENTS[other] if isinstance(other, str) else _plan(game, seed, **other)


def _plan(game: str, seed: int, k: int, boards: int, rule: str, iterations: int) -> BucketPlan:
    return BucketPlan.from_tables(load(game), k, solved(game, k, boards, seed + 1, rule, iterations).table)


@functools.lru_cache(maxsize=1)  # the pieces of a run come one after the other
def _response(game, k, boards, rule, iterations, seed, player, dtype) -> PublicResponse:
    cfr = solved(game, k, boards, seed + 1, rule, iterations)
    return PublicResponse(buckets_of(game, k).cards, plan_of(cfr, 1 - player), player, dtype=dtype)


def _by_class(classes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """[line, class of hands] the means of [line, hand]."""
    size = np.bincount(classes)
    return np.array([np.bincount(classes, weights=line) / size for line in values])


def hand_classes(response: PublicResponse) -> np.ndarray:
    """[hands] hands that suits alone tell apart have one number."""
    images = np.array([moved_hands(response.hands, symmetry) for symmetry in response.symmetries])
    return np.unique(images.min(axis=0), return_inverse=True)[1].ravel()


# --- an estimate from sampled flops ------------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """What a response gets that decides before the flop by one half of the sampled flops, tested on the other half."""

    value: float
    half: float  # of the 95 % interval
    each: np.ndarray  # [flops] what it gets on each, in the order of the flops


def estimated(response: PublicResponse, pieces: list[dict[str, Any]], flops: int) -> Estimate:
    """From the results of `flop`. It is unbiased for what that response gets, so below a best response on average."""
    classes = hand_classes(response)
    every = flops * np.array([piece["values"] for piece in pieces])[:, :, classes]  # [piece, line, hand]
    halves = np.array_split(every, 2)
    tested = [
        MILLI * decided(response, chosen.mean(axis=0), one) for test, chosen in (halves, halves[::-1]) for one in test
    ]
    return mean_of(np.array(tested))


def mean_of(each: np.ndarray) -> Estimate:
    """The mean of what is got on each flop."""
    return Estimate(float(each.mean()), student_half(each), each)


def estimated_by(solved_by: dict[str, Any], pieces: list[dict[str, Any]]) -> Estimate:
    """The same for the player that some arguments of `flop` name."""
    response = _response(**solved_by, dtype=np.float32)
    return estimated(response, pieces, math.comb(response.cards.cards, response.cards.dealt[1]))


def decided(response: PublicResponse, by: np.ndarray, on: np.ndarray) -> float:
    """What the responder gets from the values `on` [line, hand] behind the first round, deciding by the values `by`."""
    tree: BettingTree = response.tree
    folds = response.fold_values()
    gates = [n for n in range(1, len(tree.player)) if tree.stage[n] == 1 and tree.stage[tree.parent[n]] == 0]

    def values(n: int) -> tuple[np.ndarray, np.ndarray]:
        if n in folds:
            return folds[n], folds[n]
        if tree.stage[n] == 1:
            line = gates.index(n)
            return by[line], on[line]
        below = [values(c) for c in tree.below(n)]
        guess, real = (np.array(part) for part in zip(*below, strict=True))
        if tree.player[n] != response.player:
            return guess.sum(axis=0), real.sum(axis=0)
        best = guess.argmax(axis=0)[None]
        return np.take_along_axis(guess, best, 0)[0], np.take_along_axis(real, best, 0)[0]

    return float(values(0)[1].sum())
