"""The parts of Arenz 2012 in which players of abstractions of hold'em meet others.

    poker-hands   hands against simple players
    poker-finer   more buckets: exploitability inside the abstraction against time, and hands against fewer buckets

Numbers are thousandths of a small bet a hand. The finer players take hours of one core at full scale.
"""

from collections.abc import Callable
from typing import Any

from ...solvers.public.bucket_solving import bytes_for
from ..laboratory import Lab
from ..report import Section
from .poker import FULL_K, HOUR, TINY, WHOLE_DECK, curves_of, judged, operations, solved_by
from .poker_measuring import OPPONENTS, hands
from .poker_solving import tree_of

PAIRS, FEW_PAIRS = 500_000, 20_000  # of hands, at full and at quick scale


def played(lab: Lab) -> Section:
    game, k = (TINY, 3) if lab.quick else (WHOLE_DECK, FULL_K)
    prose = f"""
        What the player with {k} buckets a round gets against others, in thousandths of a small bet a hand. Each deal is
        played twice with exchanged seats.
    """
    rows = _rows(lab, game, k, {name: name for name in OPPONENTS})
    return Section("poker-hands", "Hands against simple players", prose, [], {"poker-hands-table": (HEADER, rows)})


HEADER = ["against", "hands", "gets", "95 % half"]


def _rows(lab: Lab, game: str, k: int, rivals: dict[str, Any]) -> list[list[Any]]:
    """What the player with k buckets gets against each rival: a name of OPPONENTS, or how a player was solved."""
    pairs = FEW_PAIRS if lab.quick else PAIRS
    pieces = [{**solved_by(lab, game, k), "other": rival, "pairs": pairs} for rival in rivals.values()]
    found = lab.map("poker-hands", {"game": game}, hands, pieces)
    return [[name, one["hands"], one["value"], one["half"]] for name, one in zip(rivals, found, strict=True)]


def finer(lab: Lab) -> Section:
    game, k, more = (TINY, 2, (3,)) if lab.quick else (WHOLE_DECK, FULL_K, (6, 8))
    found, picture, points = curves_of(lab, game, (k, *more))
    claims = [] if lab.quick else [claim for finer in more for claim in judged(finer, found[finer])]
    rivals = {}
    for other in more:
        facts = solved_by(lab, game, other)
        rivals[f"{other} buckets a round"] = {key: facts[key] for key in ("k", "boards", "rule", "iterations")}
    prose = f"""
        The same game with more buckets a round: the curves inside the abstraction, in processor seconds of one core, and what
        the player with {k} buckets gets against each player with more, over deals that are played twice with exchanged seats.
        All of them had equally many iterations.
    """
    if not lab.quick:
        prose += _unplayed(found[more[-1]]["points"][-1], more[-1], 10)
    tables: dict[str, Any] = {"poker-finer-points": points, "poker-finer-hands": (HEADER, _rows(lab, game, k, rivals))}
    return Section("poker-finer", "More buckets", prose, claims, tables, {"poker-finer": picture})


def _unplayed(last: dict[str, float], k: int, more: int) -> str:
    """What more buckets would take, at the speed that k buckets had."""
    seconds = last["seconds"] / last["iterations"] * operations(more) / operations(k)
    hours = seconds * last["iterations"] / HOUR
    need = bytes_for(tree_of(WHOLE_DECK), more) / 2**30
    return f"""

        {more} buckets were not run: an iteration would take {seconds:.0f} s of one core at the same speed, as many iterations
        {hours:.1f} hours, in {need:.1f} GiB of memory.
    """


PARTS: dict[str, Callable[[Lab], Section]] = {"poker-hands": played, "poker-finer": finer}
