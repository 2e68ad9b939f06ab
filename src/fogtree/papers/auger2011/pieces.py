"""Auger 2011: the pieces of work whose results are stored. Each is a function of plain values."""

import functools
import time
from typing import Any

from ...bandits import load_bandit
from ...bandits.deep_exp3 import DeepExp3
from ...measure.curve import course, follow, points
from ...measure.duel import duel
from ...measure.exploitability import exploitability
from ...search.trees.ismcts import ISMCTS
from ...search.trees.mmcts import MMCTS
from ...search.trees.onesided import OneSided
from ...search.worlds.sampler import BeliefSampler
from ...solvers.forms.sequence import sequence_form
from ...solvers.regret.cfr import CFR
from ...solvers.regret.mccfr import MCCFR, Outcome
from ...solvers.streamed.stream import stream_response
from ...strategy import Strategy
from ...text.naming import load
from ...text.parameters import build
from .printed import GAME, READINGS


def marks(last: int) -> list[int]:
    """Where a growing player is looked at: 1, 2, 5 in each decade."""
    return [m * 10**e for e in range(3, 9) for m in (1, 2, 5) if m * 10**e <= last]


def grow(game: str, aim: str, clock: str, seed: int, simulations: int, sizes: list[int], games: int) -> dict[str, Any]:
    """One MMCTS run: how its players of growing size fare against themselves, and those of some sizes against all others."""
    made = load(game)
    search, kept = _search(made, aim, clock, seed), {}
    alone: list[list[float]] = []
    spent = 0.0
    search.run(iterations=0)
    for mark in sorted({*marks(simulations), *sizes}):
        began = time.process_time()
        search.run(iterations=mark - search.iterations)
        spent += time.process_time() - began
        strategy = search.strategy()
        met = duel(made, strategy, strategy, games, seed=seed)
        alone.append([mark, *met.wins, spent, search.infosets])
        if mark in sizes:
            kept[mark] = strategy
    players = [*(kept[size] for size in sizes), Strategy.uniform(made), BeliefSampler(made)]
    table = [[duel(made, first, second, games, seed=seed).wins for second in players] for first in players]
    return {"alone": alone, "table": table, "memory": search.memory}


def exact(game: str, player: str, seat: int, aim: str, clock: str, seed: int, simulations: int) -> dict[str, float]:
    """What the best response of a seat gets against a fixed player, exactly."""
    made = load(game)
    strategy = _fixed(game, player, aim, clock, seed, simulations)
    if game == GAME:
        found = stream_response(made, strategy, seat, threads=1)
        return {"value": found.value, "histories": found.histories}
    return {"value": exploitability(sequence_form(made), strategy).values[seat], "histories": 0}


def bounds(game: str, iterations: int) -> dict[str, list[float]]:
    """Between what the value of a game lies."""
    cfr = CFR(_form(game), "pcfr+", threads=1)
    cfr.run(iterations=iterations)
    low, _, high = cfr.bounds()
    return {"bounds": [low, high]}


def evolve(
    game: str, player: str, seat: int, aim: str, clock: str, seed: int, trained: int, simulations: int
) -> dict[str, Any]:
    """An evolving opponent in a seat against a fixed player: mean payoffs of the first player in windows of simulations."""
    strategy = _fixed(game, player, aim, clock, seed, trained)
    search = OneSided(load(game), strategy, seat, seed, bandit=_bandit(aim, clock)).run(iterations=simulations)
    sign = 1 if seat == 0 else -1
    return {"curve": [[point.iterations, sign * point.payoff] for point in search.curve]}


def learn(game: str, algorithm: str, iterations: int, seed: int) -> dict[str, list[float]]:
    """An algorithm on its way to equilibrium: MMCTS by `mmcts-AIM`, all others by the names of `curve.follow`."""
    head, _, aim = algorithm.partition("-")
    if head != "mmcts":
        return follow(game, algorithm, iterations, seed)
    form, stops = _form(game), points(iterations)
    MMCTS(form.game, _bandit(aim, READINGS[aim])).run(iterations=1)  # compiles it
    search = _search(form.game, aim, READINGS[aim], seed)
    spent, total = zip(*course(search, form, stops, clock=time.process_time), strict=True)
    return {"iterations": stops, "seconds": list(spent), "total": list(total)}


def streamed(game: str, algorithm: str, iterations: int, seed: int) -> dict[str, Any]:
    """What best responses get against what a search has learned, exactly, in a game that is too large to enumerate."""
    made = load(game)
    if algorithm.startswith("mmcts-"):
        aim = algorithm.removeprefix("mmcts-")
        search: Any = _search(made, aim, READINGS[aim], seed)
    else:
        search = MCCFR(made, Outcome(), seed) if algorithm == "outcome" else ISMCTS(made, load_bandit(algorithm), seed)
    search.run(iterations=1)  # compiles it
    began = time.process_time()
    search.run(iterations=iterations - 1)
    spent = time.process_time() - began
    strategy = search.strategy()
    values = [stream_response(made, strategy, seat, threads=1).value for seat in (0, 1)]
    return {"values": values, "total": sum(values), "seconds": spent, "infosets": search.infosets}


def split(game: str, algorithm: str, threads: int, simulations: int, seed: int) -> dict[str, float]:
    """Total exploitability after so many simulations in all threads together."""
    form = _form(game)
    search = _search(form.game, algorithm, READINGS[algorithm], seed)
    return {"total": exploitability(form, search.run(iterations=simulations, threads=threads).strategy()).total}


def _bandit(aim: str, clock: str) -> DeepExp3:
    return build(DeepExp3, f"aim={aim},clock={clock}", "exp3")


def _search(game: Any, aim: str, clock: str, seed: int) -> MMCTS:
    return MMCTS(game, _bandit(aim, clock), seed)


@functools.lru_cache(maxsize=2)  # the two seats of a player follow each other
def _fixed(game: str, player: str, aim: str, clock: str, seed: int, simulations: int) -> Any:
    made = load(game)
    if player == "random":
        return Strategy.uniform(made)
    if player == "belief":
        return BeliefSampler(made)
    return _search(made, aim, clock, seed).run(iterations=simulations).strategy()


@functools.lru_cache(maxsize=1)
def _form(game: str) -> Any:
    return sequence_form(load(game))
