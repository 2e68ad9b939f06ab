"""The parts of Arenz 2012 about poker: regret minimisation on card abstractions of limit hold'em.

    poker-sizes   how large the game and its abstractions are
    poker-curve   exploitability inside the abstraction, against time
    poker-real    exploitability of the same players in the real game
    poker-flops   the same from sampled flops, where all of them would take days
    poker-hands   hands against simple players
    poker-finer   more buckets: the curves of poker-curve, and hands against fewer buckets; hours of one core at full scale

At quick scale all of it is on small decks, whose boards are all counted. Numbers are thousandths of a small bet a hand;
exploitability is the mean over the two seats.
"""

import math
from typing import Any

import numpy as np

from ...draw.panels import panels
from ...kernels.lanes import CPU
from ...solvers.public.betting import infosets
from ...solvers.public.bucket_solving import bytes_for
from ...solvers.public.matrix_cfr import bytes_of_sizes
from ...text.naming import load
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from . import printed
from .poker_measuring import (
    OPPONENTS,
    estimated_by,
    exactly,
    exactly_in_lanes,
    flop,
    hands,
    in_lanes,
    kinds,
    local,
    mean_of,
    release,
)
from .poker_solving import ALL, curve, tree_of

WHOLE_DECK, TINY = "holdem", "holdem:ranks=3"
DECKS = {ranks: f"holdem:ranks={ranks}" for ranks in range(3, 8)}  # small enough for an exact best response
RULE = "dcfr"
SOLVED = {WHOLE_DECK: (200_000, 350)} | dict.fromkeys(DECKS.values(), (ALL, 200))  # boards and iterations
MORE = {10: (400_000, 500)}  # boards and iterations on the full deck by buckets, where those would be too few
PARTS_OF_EXACT = {DECKS[3]: 1, DECKS[4]: 2, DECKS[5]: 6, DECKS[6]: 12, DECKS[7]: 24}
FRESH = 60_000  # boards on which the full game is measured
HOUR = 3600.0
PAIRS, FEW_PAIRS = 500_000, 20_000  # of hands, at full and at quick scale
HEADER = ["against", "hands", "gets", "95 % half"]


def sizes(lab: Lab) -> Section:
    """The betting tree, the information sets and the bytes."""
    tree = tree_of(WHOLE_DECK)
    found = tree.decisions().tolist()
    claims = [Claim(f"decisions, round {s + 1}", None, count) for s, count in enumerate(found)]
    claims += [Claim(f"information sets, {k} buckets", None, infosets(tree, k)) for k in printed.BUCKETS[:-1]]
    gibson = "as quoted by Gibson and others 2012"
    claims.append(
        Claim("information sets, 10 buckets", printed.INFOSETS[10], infosets(tree, 10), kind="amount", note=gibson)
    )
    rows = []
    for k in printed.BUCKETS:
        said, note = printed.STATES[k], "printed at second hand"
        claims.append(Claim(f"10^9 states, {k} buckets", said, states(k) / 1e9, kind="amount", note=note))
        types = [k ** (s + 1) for s in range(tree.stages)]
        need = bytes_of_sizes(tree, [types, types])
        rows.append([k, infosets(tree, k), states(k), need, operations(k), printed.HOURS[k], printed.EXPLOITABLE[k]])
    header = ["buckets", "information sets", "states", "bytes of matrix CFR", "operations an iteration"]
    header += ["hours in 2007 (second hand)", "exploitable in 2007 (second hand)"]
    prose = """
        Limit hold'em with k buckets a round: the betting tree is read from the game, and a bucket sequence has k^r values in
        round r. States are pairs of sequences at decisions and ends. Printed sizes are those of the 2007 table, which was
        not at hand itself: they are quoted at second hand, and count about 7 % more states than follow from the betting tree.
    """
    return Section("poker-sizes", "Sizes of the game", prose, claims, {"poker-sizes-by-buckets": (header, rows)})


def states(k: int) -> int:
    """Decisions and ends, each for every pair of bucket sequences."""
    tree = tree_of(WHOLE_DECK)
    return sum(int(count) * k ** (2 * (s + 1)) for s, count in enumerate(np.bincount(tree.stage)))


def operations(k: int) -> int:
    """Of the products of matrices in an iteration."""
    tree = tree_of(WHOLE_DECK)
    return 2 * 2 * int(np.diff(tree.folds).sum() + np.diff(tree.showdowns).sum()) * k ** (2 * tree.stages)


# --- inside the abstraction ----------------------------------------------------------------------------------------------


def curves(lab: Lab) -> Section:
    game, buckets = (TINY, (2, 3)) if lab.quick else (WHOLE_DECK, (FULL_K,))
    boards, fresh = SOLVED[game][0], fresh_of(game)
    found, picture, points = curves_of(lab, game, buckets)
    claims = [] if lab.quick else [claim for k, run in found.items() for claim in judged(k, run)]
    fitted = f"{fresh:,} other boards, to which that response is fitted, so it is too high"
    counting = ", ".join(f"{run['counting']:.0f} s for {k} buckets" for k, run in found.items())
    prose = f"""
        {load(game)} solved on k buckets a round by discounted CFR on matrices. The matrices come from
        {"all boards" if boards == ALL else f"{boards:,} random boards"}; counting them took {counting}, which is not in the
        curves, and neither are the tables of hand strength and the cuts of the buckets (14 and 18 s for the full deck and 5
        buckets). "Own" is a best response on these matrices, "fresh" one on the matrices of
        {"all boards as well" if fresh == ALL else fitted}.
        The value is the dealer's. Seconds are processor seconds of one core, without measuring.

        The best response here sees buckets only. What the same player loses to one who sees cards is in the next section.
    """
    title, pictures = "Exploitability inside the abstraction", {"poker-curve": picture}
    return Section("poker-curve", title, prose, claims, {"poker-curve-points": points}, pictures)


def fresh_of(game: str) -> int:
    """How many other boards a game is measured on."""
    return ALL if SOLVED[game][0] == ALL else FRESH


def curves_of(lab: Lab, game: str, buckets: tuple[int, ...]) -> tuple[dict[int, Any], Any, Any]:
    """The curve of each number of buckets, their picture, and a table of their points."""
    pieces = [{**solved_by(lab, game, k), "fresh": fresh_of(game)} for k in buckets]
    found = dict(zip(buckets, lab.map("poker-curve", {"game": game}, curve, pieces), strict=True))
    rows = [[k, *(point[name] for name in COLUMNS)] for k, run in found.items() for point in run["points"]]
    return found, _drawn(found, lab), (["buckets", *COLUMNS], rows)


ENDS = [f"{boards} {number}" for boards in ("own", "fresh") for number in ("low", "value", "high")]
COLUMNS = ["iterations", "seconds", "own", "fresh", *ENDS]


def judged(k: int, run: dict[str, Any]) -> list[Claim]:
    """The end of a curve beside the numbers of 2007."""
    last = run["points"][-1]
    seconds = run["counting"] + last["seconds"]
    middle, half = float(np.mean(printed.DEALER)), float(np.ptp(printed.DEALER)) / 2
    value, ours = last["fresh value"], (last["fresh high"] - last["fresh low"]) / 2
    spent = f"ours after {seconds:.0f} processor seconds, tables not counted"
    note = f"{printed.EXPLOITABLE[k]} printed after {printed.HOURS[k]} hours, second hand; {spent}"
    real = "printed: of the real game (Bowling and others 2015); ours: of the abstraction, with its certificate"
    return [
        Claim(f"{k} buckets, exploitable inside, fresh boards", None, last["fresh"], note=note),
        Claim(f"{k} buckets, exploitable inside, own boards", None, last["own"]),
        Claim(f"{k} buckets, hours", printed.HOURS[k], seconds / HOUR, kind="duration", note="second hand"),
        Claim(f"{k} buckets, dealer's value", middle, value, ours, half, "amount", note=real),
    ]


def _drawn(found: dict[int, Any], lab: Lab) -> Any:
    figure, axes = panels(1, size=(7.5, 4.6))
    for at, (k, run) in enumerate(found.items()):
        seconds = [point["seconds"] for point in run["points"]]
        for name, style in (("own", "--"), ("fresh", "-")):
            values = [point[name] for point in run["points"]]
            axes.plot(seconds, values, style, color=f"C{at}", label=f"{k} buckets, {name} boards", linewidth=1.4)
    for k in () if lab.quick else printed.BUCKETS:
        spot, below = (printed.HOURS[k] * HOUR, printed.EXPLOITABLE[k]), k == printed.BUCKETS[-1]
        axes.plot(*spot, "x", color="black")
        label = (0, -12 if below else 6)  # below the last cross, which is close to the one before
        axes.annotate(f"2007, {k}", spot, label, textcoords="offset points", ha="center", fontsize=7)
    axes.set(xscale="log", yscale="log", xlabel="processor seconds", ylabel="thousandths of a small bet a hand")
    axes.legend(frameon=False, fontsize=8)
    return figure


# --- in the real game ------------------------------------------------------------------------------------------------------


def real(lab: Lab) -> Section:
    decks: dict[int, tuple[int, ...]] = {3: (2, 3)}
    if not lab.quick:
        decks = {3: (2, 3, 4), 4: (2, 3), 5: (3, 5), 6: (3,), 7: (3,)}
    rows = [row for ranks, buckets in decks.items() for row in _exact_rows(lab, DECKS[ranks], buckets)]
    header = ["deck", "buckets", "exploitable inside", "exploitable in the real game"]
    header += ["local best response", "its 95 % half"]
    prose = f"""
        The players of the abstraction against a best response that sees the cards. On small decks it is exact: by the public
        tree, over all boards. Inside the abstraction a player is nearly perfect, and in the real game it is not: what matters
        there is what the buckets cannot see. Local best response is a lower bound, the mean over both seats. All
        {load(TINY).rounds} rounds are played. Fewer ranks mean the highest ones of the deck.
    """
    claims: list[Claim] = []
    if not lab.quick and lab.device == CPU:
        claims = _full_claims(lab)
        prose += f"""

        On the full deck an exact best response takes more than a day of one core, and minutes of a GPU (--device cuda). The
        lower bound by local best response is here, what sampled flops say is in a section of its own. Always folding loses
        750. The player has {FULL_K} buckets a round.
        """
    elif not lab.quick:
        claims, more, seconds = _whole_deck(lab)
        rows += more
        prose += f"""

        On the full deck the best response is exact as well: all {FLOPS:,} kinds of flops, with all turns and rivers, on
        {lab.device}, in numbers of {BITS} bits whose sums over flops have 64. Both seats together took
        {", ".join(f"{spent:.0f} s for {k} buckets" for k, spent in seconds.items())}. Always folding loses 750.
        """
    return Section("poker-real", "Exploitability in the real game", prose, claims, {"poker-real-small": (header, rows)})


FULL_K, PARTS_OF_LOCAL = 5, 8
WHOLE_K, BITS, FLOPS, PARTS_OF_WHOLE = (5, 8, 10), 32, 1755, 117  # on a GPU; a part has 15 kinds of flops
SEATS = ("dealer", "other seat")


def solved_by(lab: Lab, game: str, k: int) -> dict[str, Any]:
    """How a player is solved."""
    boards, iterations = SOLVED[game]
    if game == WHOLE_DECK:
        boards, iterations = MORE.get(k, (boards, iterations))
    return {"game": game, "k": k, "boards": boards, "rule": RULE, "iterations": iterations, "seed": lab.seed}


def on_device(lab: Lab) -> dict[str, Any]:
    """The argument of tasks that run on a GPU, if it is to be used."""
    return {} if lab.device == CPU else {"device": lab.device}


def _exact_rows(lab: Lab, game: str, buckets: tuple[int, ...]) -> list[list[Any]]:
    inside = _inside(lab, game, buckets)
    pieces = [{**solved_by(lab, game, k), "player": player} for k in buckets for player in (0, 1)]
    if lab.device == CPU:
        best = _exactly(lab, game, pieces)
    else:
        best = [value for values, _ in _in_lanes(lab, game, buckets, 64, PARTS_OF_EXACT[game]) for value in values]
    rows = [
        [f"{load(game).deck()} cards", k, inside[at]["points"][-1]["own"], (best[2 * at] + best[2 * at + 1]) / 2]
        for at, k in enumerate(buckets)
    ]
    if game != TINY:
        return [[*row, "", ""] for row in rows]
    shape = {"deals": 100 if lab.quick else 400, "hands": 30, "part": 0}
    lower = lab.map("poker-local", {"game": game}, local, [piece | shape for piece in pieces])
    return [
        [*row, (one["value"] + other["value"]) / 2, math.hypot(one["half"], other["half"]) / 2]
        for row, one, other in zip(rows, lower[::2], lower[1::2], strict=True)
    ]


def _inside(lab: Lab, game: str, buckets: tuple[int, ...]) -> list[Any]:
    """The curves inside the abstraction."""
    pieces = [{**solved_by(lab, game, k), "fresh": fresh_of(game), **on_device(lab)} for k in buckets]
    return lab.map("poker-curve", {"game": game}, curve, pieces)


def _in_lanes(lab: Lab, game: str, buckets: tuple[int, ...], bits: int, parts: int) -> list[tuple[list[float], float]]:
    """[buckets] what the best response of each player gets, by lanes of the device, and the seconds that both took."""
    found = []
    for k in buckets:
        how = {**solved_by(lab, game, k), "bits": bits, "device": lab.device}
        pieces = [{**how, "part": part, "parts": parts} for part in range(parts)]
        results = lab.map("poker-lanes", {"game": game}, in_lanes, pieces)
        found.append((exactly_in_lanes(how, results), sum(result["seconds"] for result in results)))
        release()
    return found


def _whole_deck(lab: Lab) -> tuple[list[Claim], list[list[Any]], dict[int, float]]:
    """The full deck exactly: claims, rows of the table, and the seconds that the responses took."""
    inside = _inside(lab, WHOLE_DECK, WHOLE_K)
    exact = _in_lanes(lab, WHOLE_DECK, WHOLE_K, BITS, PARTS_OF_WHOLE)
    claims, rows = [], []
    for k, run, (best, _) in zip(WHOLE_K, inside, exact, strict=True):
        who = f"52 cards, {k} buckets"
        claims += [
            Claim(f"{who}: best response as {seat}, exactly", None, got) for seat, got in zip(SEATS, best, strict=True)
        ]
        note = "half of the sum of both seats; best programs of 2006 about 330"
        claims.append(Claim(f"{who}: exploitable, exactly", None, sum(best) / 2, note=note))
        rows.append(["52 cards", k, run["points"][-1]["fresh"], sum(best) / 2, "", ""])
    return claims, rows, {k: spent for k, (_, spent) in zip(WHOLE_K, exact, strict=True)}


def _exactly(lab: Lab, game: str, players: list[dict[str, Any]]) -> list[float]:
    """What best responses get, each from its parts."""
    parts = PARTS_OF_EXACT[game]
    pieces = [{**player, "part": part, "parts": parts} for player in players for part in range(parts)]
    found = lab.map("poker-exact", {"game": game}, kinds, pieces)
    return [exactly(player, found[at * parts : (at + 1) * parts]) for at, player in enumerate(players)]


def _full_claims(lab: Lab) -> list[Claim]:
    pieces = [
        {**solved_by(lab, WHOLE_DECK, FULL_K), "player": player, "deals": 150, "hands": 30, "part": part}
        for part in range(PARTS_OF_LOCAL)
        for player in (0, 1)
    ]
    found = lab.map("poker-local", {"game": WHOLE_DECK}, local, pieces)
    claims, who = [], f"52 cards, {FULL_K} buckets"
    for player, seat in enumerate(SEATS):
        mine = found[player::2]
        value = float(np.mean([one["value"] for one in mine]))
        half = float(np.sqrt(sum(one["half"] ** 2 for one in mine))) / len(mine)
        what, games = f"{who}: local best response as {seat}", sum(one["games"] for one in mine)
        claims.append(Claim(what, None, value, half, note=f"{games:,} hands"))
    total, half = sum(c.ours for c in claims) / 2, float(np.hypot(claims[0].half, claims[1].half)) / 2
    note = "half of the sum of both seats; best programs of 2006 about 330"
    return [*claims, Claim(f"{who}: exploitable by at least", None, total, half, note=note)]


# --- from sampled flops ----------------------------------------------------------------------------------------------------


def flops(lab: Lab) -> Section:
    game, buckets, number = (TINY, (2, 3), 8) if lab.quick else (WHOLE_DECK, (FULL_K, 8), 32)
    claims, both = [], {}
    for k in buckets:
        how, what, found = solved_by(lab, game, k), f"{load(game).deck()} cards, {k} buckets", []
        for player, seat in enumerate(SEATS):
            pieces = [{**how, "player": player, "number": at} for at in range(number)]
            mine = estimated_by(how | {"player": player}, lab.map("poker-flops", {"game": game}, flop, pieces))
            claims.append(Claim(f"{what}: best response as {seat}, from {number} flops", None, mine.value, mine.half))
            found.append(mine)
            if lab.quick:
                (best,) = _exactly(lab, game, [{**how, "player": player}])
                claims.append(Claim(f"{what}: exactly, as {seat}", None, best))
        both[k] = mean_of((found[0].each + found[1].each) / 2)
        claims.append(Claim(f"{what}: exploitable, from {number} flops", None, both[k].value, both[k].half))
    fewer, more = both.values()
    gain, what = mean_of(fewer.each - more.each), f"less exploitable with {buckets[1]} buckets"
    claims.append(Claim(what, None, gain.value, gain.half, note="on the same flops"))
    prose = """
        After a sampled flop the response is exact. Before the flop it decides by one half of the sampled flops and is tested
        on the other, so that it is not fitted to the flops on which it is measured: an unbiased number for that response, and
        so a lower bound on average. The intervals come from the flops, which are the same for all numbers of buckets.
    """
    return Section("poker-flops", "Best responses from sampled flops", prose, claims)


# --- hands against others --------------------------------------------------------------------------------------------


def played(lab: Lab) -> Section:
    game, k = (TINY, 3) if lab.quick else (WHOLE_DECK, FULL_K)
    prose = f"""
        What the player with {k} buckets a round gets against others, in thousandths of a small bet a hand. Each deal is
        played twice with exchanged seats.
    """
    rows = _rows(lab, game, k, {name: name for name in OPPONENTS})
    return Section("poker-hands", "Hands against simple players", prose, [], {"poker-hands-table": (HEADER, rows)})


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
