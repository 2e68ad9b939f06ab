"""The parts of Arenz 2012 about Go: what each of MoGo's improvements is worth, one at a time.

Matches are at equal simulations, and at equal time by the processor's clock. How many games were played at full scale stands
in GAMES: each number is published with the interval that so many games give.
"""

import numpy as np

from ...draw.panels import titled
from ...measure.intervals import wilson
from ..claims import Claim, unjudged
from ..laboratory import Lab
from ..report import Section, Table
from .go_match import GNU_GO as GNU_GO_PLAYER
from .go_match import KINDS, NINE, PLAIN, QUICK_BOARD, THIRTEEN, Games, Spend, has_gnu_go, match, player, rated, ratings
from .printed import GNU_GO, GNU_GO_HALVES

SIMULATIONS, MILLISECONDS = 1000, 25  # a move
QUICK, QUICK_MS, QUICK_GAMES = 100, 2, 4
NODES = 500  # of alpha-beta between two looks at the clock, at first
GAMES = {  # at full scale
    "patterns": 200,
    "RAVE": 200,
    "priors": 200,
    "basic": 40,
    "bandit": 100,
    "time": 40,
    "urgency": 14,
    "rave": 6,
    "width": 4,
    "threads": 18,
    "minimax": 6,
}
STEPS = {  # what is switched on: with, without, the key in GAMES
    "tree search (UCT) against basic Monte Carlo": ("UCT", "basic Monte Carlo", "basic"),
    "UCB1-Tuned against UCB1": ("UCT", "UCB1", "bandit"),
    "pattern playouts against uniform ones": ("UCT", "uniform playouts", "patterns"),
    "RAVE against UCT": ("RAVE", "UCT", "RAVE"),
    "priors against none": ("RAVE with priors", "RAVE", "priors"),
}
URGENCIES = (0.8, 1.0, 1.2)
BIASES, EQUIVALENCES = (0.03, 0.1), (1000.0,)  # b and k of RAVE's schedules
BY_SIMULATIONS = {  # games against GNU Go at full scale: player, simulations a move
    ("UCT", 3000): 40,
    ("RAVE", 3000): 40,
    ("careful RAVE with priors", 1000): 4,
    ("careful RAVE with priors", 3000): 60,
    ("careful RAVE with priors", 10_000): 76,
}
PRINTED = NINE, 3000  # the board and the simulations of the printed numbers
ON_THIRTEEN = {("careful RAVE with priors", 10_000): 8}  # the same on 13x13
PERCENT = "games won (%)"


def _scaled(lab: Lab) -> tuple[str, Spend, Spend]:
    """The board, and the budgets of a move."""
    if lab.quick:
        return QUICK_BOARD, Spend(QUICK), Spend(ms=QUICK_MS)
    return NINE, Spend(SIMULATIONS), Spend(ms=MILLISECONDS)


def _games(lab: Lab, key: str) -> int:
    return lab.matches_or(QUICK_GAMES if lab.quick else GAMES[key])


def improvements(lab: Lab) -> Section:
    board, equally, clock = _scaled(lab)
    equal = {
        what: match(lab, board, player(one, equally), player(other, equally), _games(lab, key))
        for what, (one, other, key) in STEPS.items()
    }
    timed = {
        what: match(lab, board, player(one, clock), player(other, clock), _games(lab, "time"), clock.ms)
        for what, (one, other, _) in STEPS.items()
    }
    names = {player(name, budget): name for name in KINDS for budget in (equally, clock)}
    claims: list[Claim] = []
    tables: dict[str, Table] = {}
    for unit, matches in (("simulations", equal), ("time", timed)):
        claims += _claims({f"{what}, at equal {unit}": found for what, found in matches.items()})
        tables[f"go-ratings-{unit}"] = rated(ratings(list(matches.values()), names, "UCT"))
    speeds: dict[str, float] = {}
    for found in equal.values():
        for text, rate in zip((found.one, found.other), found.rates, strict=True):
            speeds.setdefault(names[text], rate)
    tables["go-speeds"] = ["player", "simulations a second"], [[name, round(rate)] for name, rate in speeds.items()]
    prose = f"""
        Each improvement is switched on alone, and the player with it meets the player without it on {_size(board)}: once
        at {equally.simulations} simulations a move, once at {clock.ms:g} milliseconds of the processor's time a move. All
        players but one play pattern playouts. Priors are those of `FirstSight`. The matches form a chain, so they give
        ratings, in points of Elo's scale with UCT at 0; a player that won nearly all its games has a wide interval. The
        speeds are those of the matches at equal simulations, on a machine that had other work too.
    """
    figure = _bars({"equal simulations": equal, "equal time": timed})
    return Section("go", "What each of MoGo's improvements is worth", prose, claims, tables, {"go": figure})


def _size(board: str) -> str:
    side = board.partition("side=")[2].partition(",")[0]
    return f"{side}x{side}"


def _bars(groups: dict[str, dict[str, Games]]):
    figure, one = titled("Games won by the player with the improvement", "", xlabel="%", xscale="linear")
    for shift, (label, matches) in enumerate(groups.items()):
        at = np.arange(len(matches)) + 0.2 * shift - 0.1
        percent, arms = _arms(matches)
        one.errorbar(percent, at, xerr=arms, fmt="o", capsize=3, label=label)
    one.set_yticks(range(len(next(iter(groups.values())))), list(next(iter(groups.values()))), fontsize=8)
    one.axvline(50, color="grey", ls=":")
    one.set_xlim(0, 101)
    one.legend(frameon=False)
    return figure


def _arms(matches: dict[str, Games]) -> tuple[np.ndarray, np.ndarray]:
    """The percentages won, and how far their intervals reach below and above them, which is never beyond 0 and 100."""
    percent = np.array([each.percent for each in matches.values()])
    low, high = np.array([each.bounds for each in matches.values()]).T
    return percent, np.maximum([percent - low, high - percent], 0.0)


def _sweep(lab: Lab, name: str, values: dict[str, str], base: str, key: str, title: str, prose: str) -> Section:
    """Variants of a player against one of them, all at the same simulations."""
    board, budget, _ = _scaled(lab)
    chosen = dict(list(values.items())[:: len(values) - 1]) if lab.quick else values
    found = {
        label: match(lab, board, budget.of(text), budget.of(base), _games(lab, key)) for label, text in chosen.items()
    }
    claims = _claims(found)
    figure, one = titled(title, "%", xlabel="", xscale="linear")
    percent, arms = _arms(found)
    one.errorbar(range(len(found)), percent, yerr=arms, fmt="o", capsize=3)
    one.set_xticks(range(len(found)), list(found), fontsize=8)
    one.axhline(50, color="grey", ls=":")
    one.set_ylim(0, 101)
    where = f"Measured on {_size(board)} at {budget.simulations} simulations a move."
    return Section(name, title, f"{prose} {where} {_verdict(found)}", claims, {}, {name: figure})


def _claims(found: dict[str, Games]) -> list[Claim]:
    return [each.claim(f"{what}: {PERCENT}") for what, each in found.items()]


def _verdict(found: dict[str, Games]) -> str:
    """What the intervals say, in words."""
    ends = {label: wilson(each.percent / 100, each.games) for label, each in found.items()}
    better = [label for label, (low, _) in ends.items() if low > 0.5]
    worse = [label for label, (_, high) in ends.items() if high < 0.5]
    told = [f"better beyond the interval: {', '.join(better) or 'none'}", f"worse: {', '.join(worse) or 'none'}"]
    return f"By these games, {'; '.join(told)}."


def urgency(lab: Lab) -> Section:
    values = {f"urgency {value:g}": f"tuned:urgency={value:g},{PLAIN}" for value in URGENCIES}
    prose = """
        First-play urgency is the score of a move that was never tried. With a finite one, a tried move that scores higher is
        taken again before all others were tried. Each value plays UCB1-Tuned with patterns against the same player whose
        urgency is infinite, which tries everything once.
    """
    title = "First-play urgency against trying everything once"
    return _sweep(lab, "go-urgency", values, KINDS["UCT"], "urgency", title, prose)


def schedules(lab: Lab) -> Section:
    values = {f"b = {bias:g}": f"rave:bias={bias:g},confidence=0,{PLAIN}" for bias in BIASES}
    values |= {f"k = {k:g}": f"rave-hand:k={k:g},confidence=0,{PLAIN}" for k in EQUIVALENCES}
    prose = """
        RAVE believes overheard means at first and its own later. Two schedules say how fast: the one of least squared error,
        whose constant is the bias b of overheard means, and the one selected by hand, in which both count alike after k
        visits. Each plays against the schedule of least squared error with b = 0.01, without priors.
    """
    title = "RAVE's constants against b = 0.01"
    return _sweep(lab, "go-rave", values, KINDS["RAVE"], "rave", title, prose)


def width(lab: Lab) -> Section:
    board, budget, _ = _scaled(lab)
    board = board if lab.quick else THIRTEEN
    careful = "playouts=[mogo:careful=yes],prior"
    pruned, whole = f"{careful}=[first-sight:distance=3]", f"{careful}=first-sight"
    pairs = {
        "RAVE, pruned beyond distance 3, against all moves": (f"rave:{pruned}", f"rave:{whole}"),
        "UCT, pruned beyond distance 3, against all moves": (f"tuned:{pruned}", f"tuned:{whole}"),
        "UCT, progressive widening, against all moves": (f"uct-wide:{whole}", f"tuned:{whole}"),
    }
    found = {
        what: match(lab, board, budget.of(one), budget.of(other), _games(lab, "width"))
        for what, (one, other) in pairs.items()
    }
    prose = f"""
        On a large board most moves are far from everything. Pruning leaves out moves that are more than three points away
        from every stone, once there are a few stones. Progressive widening opens the moves one after the other, in the order
        of the prior. Both leave out own eyes, and so does the player that tries all other moves. Measured on {_size(board)}
        at {budget.simulations} simulations a move. {_verdict(found)}
    """
    return Section("go-width", "Pruning and widening on a larger board", prose, _claims(found))


def gnu_go(lab: Lab) -> Section:
    title = "Against GNU Go, by simulations"
    if not has_gnu_go():
        return Section("go-gnugo", title, "There is no GNU Go on this machine, so this part was left out.")
    plans = {NINE: BY_SIMULATIONS, THIRTEEN: ON_THIRTEEN}
    if lab.quick:
        plans = {QUICK_BOARD: {("careful RAVE with priors", QUICK): 2}}
    found = {
        (board, name, count): match(lab, board, player(name, Spend(count)), GNU_GO_PLAYER, games)
        for board, plan in plans.items()
        for (name, count), games in plan.items()
    }
    claims = [
        each.claim(
            f"{_size(board)}, {name}, {count:,} simulations: {PERCENT}",
            GNU_GO.get(name) if (board, count) == PRINTED else None,
            GNU_GO_HALVES[name] if (board, count) == PRINTED else 0.0,
        )
        for (board, name, count), each in found.items()
    ]
    faults = [fault for each in found.values() for fault in each.faults]
    prose = f"""
        GNU Go 3.8 at level 10 on {" and ".join(map(_size, plans))}, colours exchanged, komi 6.5, by area rules. The printed
        numbers are those of Gelly and Silver 2011 at 3,000 simulations on 9x9 against GNU Go 3.7.10; they are for
        orientation, since neither the program nor the playouts are the same. Our playouts refuse patterns that put own stones
        in atari where the player is called careful. GNU Go never resigns; our players do when they expect less than 4 %.
        Games that a fault of GNU Go ended:
        {len(faults)}.
    """
    return Section("go-gnugo", title, prose, unjudged(claims) if lab.quick else claims)


def threads(lab: Lab) -> Section:
    board, _, clock = _scaled(lab)
    text = KINDS["careful RAVE with priors"]
    found = match(lab, board, clock.of(f"{text},threads=2"), clock.of(text), _games(lab, "threads"), clock.ms)
    prose = f"""
        Two threads grow a tree each, and their visits are added up. Each thread has {clock.ms:g} milliseconds
        of a processor's time for a move, and so has the single thread of the other player: the same time on a machine with
        two free cores. Both are RAVE with priors on {_size(board)}. {_verdict({"two threads": found})}
    """
    claims = _claims({"two threads against one, at equal time": found})
    return Section("go-threads", "Two threads at equal time", prose, claims)


def minimax(lab: Lab) -> Section:
    board, _, clock = _scaled(lab)
    found = {
        f"alpha-beta against {name}": match(
            lab, board, f"alphabeta:nodes={NODES}", player(name, clock), _games(lab, "minimax"), clock.ms
        )
        for name in ("basic Monte Carlo", "UCT", "RAVE with priors")
    }
    rate = next(iter(found.values())).rates[0]
    prose = f"""
        The paper's closing remark: minimax suits chess, and simulation suits Go. Here alpha-beta plays Go on {_size(board)},
        against the searches by simulation, all with {clock.ms:g} milliseconds of the processor's time a move.
        It is the program that plays chess, with a simple evaluation of Go: every empty point belongs to who is stronger
        around it, and stones count as alive. It visits {rate:,.0f} positions a second. {_verdict(found)}
    """
    return Section("go-minimax", "Minimax in Go", prose, _claims(found))
