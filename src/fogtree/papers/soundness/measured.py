"""The parts of the report: each game, what others have printed, and what to take from it."""

import math
from typing import Any

import numpy as np

from ...arena.soundness import gathered, pieces_of, play_piece, rows, with_budgets
from ...clock import clock
from ...draw.sound import short, sound_figure
from ...measure.exploitability import exploitability
from ...measure.intervals import wilson_half
from ...measure.soundness import Halves, Sound, told
from ...search.trees.mmcts import MMCTS as MultipleTrees
from ...solvers.forms.response import look_up
from ...solvers.forms.sequence import SequenceForm, sequence_form
from ...solvers.solution import solve
from ...strategy import Strategy
from ...text.naming import load
from ..claims import Claim, unjudged
from ..laboratory import Lab
from ..report import Section
from .games import LEAST, MMCTS, PURE, RESOLVE, SETTINGS, Setting, Size
from .printed import MATCHES, SECONDS, TABULAR, UNIFORM, VALUES

PER_PIECE = 2  # seeds of MMCTS
RULE = (
    "Exploitability is the total of what best responses of both players gain against the average of the seeds: "
    "from `low`, where one half of the seeds is answered and the other met, to `high`, where all are answered. 0 "
    "is perfect play. `own` is the mean of the seeds' own exploitabilities. Head to head is what an agent gets "
    "from the others with the largest budget, the mean over both seats and over all of them; it is computed from "
    "the average plans, not played. `mmcts` is no agent: `fogtree.MMCTS` searches the whole game once, before the "
    "match, and what it has found is played."
)


def size(lab: Lab, setting: Setting) -> Size:
    return setting.quick if lab.quick else setting.full


def measure(lab: Lab, part: str) -> list[Sound]:
    """All agents of a game with all budgets."""
    setting = SETTINGS[part]
    game, form = load(setting.game), sequence_form(load(setting.game))
    budgets, seeds = size(lab, setting)
    found = []
    for agent in setting.agents:
        if agent == MMCTS:
            found += [mmcts(lab, part, form, budget, seeds) for budget in budgets]
            continue
        for text in with_budgets(agent, budgets, None):
            count = 1 if agent == RESOLVE else max(seeds, LEAST) if agent in PURE else seeds  # the first throws no dice
            same = {"game": setting.game, "seed": lab.seed}
            pieces = [piece | same for piece in pieces_of(game, text, count, lab.seed, lab.device)]
            results = lab.map(f"{part}/{text}", {"game": setting.game}, play_piece, pieces)
            found.append(gathered(form, text, results))
    return found


def mmcts(lab: Lab, part: str, form: SequenceForm, budget: int, seeds: int) -> Sound:
    """MMCTS searches the whole game once, and what it has found is played."""
    game, text = SETTINGS[part].game, f"{MMCTS}:iterations={budget}"
    same = {"game": game, "iterations": budget, "seed": lab.seed}
    pieces = [same | {"first": k, "last": min(k + PER_PIECE, seeds)} for k in range(0, seeds, PER_PIECE)]
    results = lab.map(f"{part}/{text}", {"game": game}, mmcts_piece, pieces)
    halves = Halves(form)
    for result in results:
        halves.unpack(result)
    seconds = sum(result["seconds"] for result in results)
    return told(text, budget, halves, seeds, seconds, "cpu")


def mmcts_piece(game: str, iterations: int, seed: int, first: int, last: int) -> dict[str, Any]:
    """Some seeds of MMCTS."""
    form = sequence_form(load(game))
    halves, spent = Halves(form), 0.0
    for number in range(first, last):
        began = clock()
        strategy = MultipleTrees(form.game, seed=(seed << 32) + number).run(iterations=iterations).strategy()
        spent += clock() - began
        halves.add(number, *(probabilities(form, strategy, player) for player in (0, 1)))
    return halves.packed() | {"seconds": spent}


def probabilities(form: SequenceForm, strategy: Strategy, player: int) -> np.ndarray:
    """[sequence] of a strategy."""
    mix = np.ones(int(form.trees[player].sequences()))
    look_up(form.trees[player], strategy.entries, player, mix)
    return mix


def largest(found: list[Sound]) -> list[Sound]:
    """Each agent with its largest budget."""
    best: dict[str, Sound] = {}
    for each in found:
        best[short(each.agent)] = each
    return list(best.values())


def head_to_head(found: list[Sound]) -> dict[str, float]:
    """What each agent gets from the others in the mean, with its largest budget."""
    top = largest(found)
    return {one.agent: sum(one.meets(other) for other in top if other is not one) / max(1, len(top) - 1) for one in top}


def of_game(lab: Lab, part: str) -> Section:
    setting, found = SETTINGS[part], measure(lab, part)
    against, top = head_to_head(found), largest(found)
    header, lines = rows(found)
    header = [*header, "against the others"]
    lines = [
        [*line, f"{against[each.agent]:.4g}" if each.agent in against else ""]
        for line, each in zip(lines, found, strict=True)
    ]
    names = [short(each.agent) for each in top]
    matrix = [[name, *(float(one.meets(other)) for other in top)] for name, one in zip(names, top, strict=True)]
    shown = [
        [each.agent, each.seeds, bracket(each), each.own, against.get(each.agent, math.nan), 1000 * each.seconds]
        for each in found
    ]
    columns = ["agent", "seeds", "exploitability", "of one seed", "against the others", "ms a search"]
    return Section(
        part,
        f"{setting.title}: `{setting.game}`",
        f"{words(found)} {setting.note}\n\n{RULE if part == 'kuhn' else ''}",
        tables={part: (columns, shown), f"{part}-meets": (["gets from", *names], matrix)},
        pictures={part: sound_figure(found, setting.title)},
    )


def bracket(each: Sound) -> str:
    low, high = min(each.low, each.high), each.high  # by rounding `low` may be above it
    return f"{high:.4g}" if math.isnan(each.low) else f"{low:.4g} to {high:.4g}"


def alike(top: list[Sound]) -> list[Sound]:
    """Of agents in the order of `high`, the first, and all whose brackets overlap with its own."""
    return [each for each in top if np.fmin(each.low, each.high) <= top[0].high]


def untold(group: list[Sound]) -> str:
    """An agent with its bracket, or that these agents cannot be told from each other."""
    first, *others = (f"{each.agent} ({bracket(each)})" for each in group)
    return f"these seeds cannot tell {first} from {', '.join(others)}" if others else first


def words(found: list[Sound]) -> str:
    """Who is hardest to exploit and who wins most, in sentences. Where brackets overlap nobody is put before another."""
    against = head_to_head(found)
    top = sorted((each for each in largest(found) if each.thoughts), key=lambda each: each.high)
    winner = max(against, key=lambda agent: against[agent])
    worst = [each.agent for each in top if each.low > next(e.high for e in found if e.agent == "random")]
    best = alike(top)
    after = alike(top[1:]) if len(best) == 1 and len(top) > 1 else []
    told = (
        f"Hardest to exploit: {untold(best)}{', then ' + untold(after) if after else ''}. "
        f"Most is won from the others by {winner} ({against[winner]:+.3g} a game)."
    )
    return told + (f" Easier to exploit than random play: {', '.join(worst)}." if worst else "")


def checks(lab: Lab) -> Section:
    """Numbers that others printed, and that follow from the rules."""
    claims = []
    for game, printed in UNIFORM.items():
        found = exploitability(game, Strategy.uniform(load(game)))
        what = f"{game}: best response of the first player against uniform play"
        claims.append(Claim(what, printed, found.values[0], rounding=5e-6))
    value = solve("liars-dice", seconds=60, target=2e-6)
    for source, printed in VALUES.items():
        middle, half = (value.low + value.high) / 2, (value.high - value.low) / 2
        claims.append(Claim(f"value of Liar's Dice, as in {source}", printed, middle, half, rounding=5e-7))
    prose = (
        "Our measurement beside that of the group which introduced it. The two printed values of Liar's Dice differ."
    )
    return Section("checks", "Numbers that must agree", prose, claims)


def matches(lab: Lab) -> Section:
    """OOS against IS-MCTS, as in its paper: Liar's Dice, 0.1 s a move."""
    claims, count = [], lab.matches_or(20 if lab.quick else 1000)
    for rival, (printed, half) in MATCHES.items():
        names = [f"oos:seconds={SECONDS:g}", f"{rival}:seconds={SECONDS:g}"]
        cells = lab.tournament(f"matches/{rival}", "liars-dice", names, count).cells
        first, second = cells[0, 1], cells[1, 0]
        total = first.matches + second.matches
        share = (first.rate * first.matches + (1 - second.rate) * second.matches) / total
        ours = 100 * wilson_half(share, total)
        what = f"OOS against IS-MCTS({rival.upper()}), {SECONDS:g} s a move, percent won"
        claims.append(Claim(what, printed, 100 * share, ours, half, "percent", 0.05, f"{total} matches"))
    prose = (
        "A second of 2015 is not a second of today: the same settings buy more samples, so a difference is no fault of "
        "print. At quick scale there are too few matches to judge."
    )
    return Section(
        "matches",
        "OOS against IS-MCTS in Liar's Dice, as printed in 2015",
        prose,
        unjudged(claims) if lab.quick else claims,
    )


def tabular(lab: Lab) -> Section:
    """The tabularised exploitabilities of the OOS paper, beside ours by samples."""
    found = {short(each.agent): each for each in measure(lab, "liars-dice")}
    lines = []
    for agent, printed in TABULAR.items():
        each = found[agent]
        lines.append([agent, *printed.values(), bracket(each), each.own, each.agent])
    prose = (
        "The paper of 2015 put strategies together from searches at all information sets, with one seed: our column `of one "
        "seed`. Its numbers stand in the source, commented out. It counts seconds and we count samples, so numbers are not "
        "to be compared, only their order: PST before IST before IS-MCTS in print."
    )
    columns = ["agent", "printed, 1 s", "printed, 5 s", "exploitability", "of one seed", "budget"]
    return Section("tabular", "Tabularised exploitability in Liar's Dice", prose, tables={"tabular": (columns, lines)})


def advice(lab: Lab) -> Section:
    """Which search to take for which game."""
    lines = []
    for part, setting in SETTINGS.items():
        found = measure(lab, part)
        searches = [each for each in largest(found) if each.thoughts]
        against = head_to_head(found)
        sound = min(searches, key=lambda each: each.high)
        plain = [each for each in searches if "oos" not in each.agent and RESOLVE not in each.agent]
        best = min(plain, key=lambda each: each.high)
        wins = max(against, key=lambda agent: against[agent])
        lines.append(
            [setting.title, sound.agent, bracket(sound), best.agent, bracket(best), wins, float(against[wins])]
        )
    columns = [
        "game",
        "hardest to exploit",
        "exploitability",
        "of the others",
        "exploitability ",
        "wins most",
        "a game",
    ]
    return Section("advice", "Which search to take", ADVICE, tables={"advice": (columns, lines)})


ADVICE = """
Where something is public and what follows it can be listed, take `resolve`. In both pokers, in Liar's Dice and in
both Goofspiels nothing else comes near it, after some milliseconds a move, and no other search wins anything from it.

Where hardly anything is public, as in Phantom Tic-Tac-Toe, resolving has to begin with the whole game: its first
thought takes far longer, and where it fits it is as sound as elsewhere. Where it does not fit, take `oos`: with a
thousand samples it is no better than the others, but of the searches that sample it is the only one whose
exploitability is proved to vanish with time. Give it tens of thousands of samples a move.

What wins most is not what is hardest to exploit. `uct`, `pimc`, `epimc` and `uct-risk` play one action at each
information set, and they win most from the others. In Goofspiel a best response to one of their seeds wins nearly
every game. So take them against opponents who do not learn, and never twice with the same seed.

With a hundred samples a move, searches that mix are not far from random play, except in Kuhn poker.

Abrupt Dark Hex is left out: it has more than 530,160 information sets and does not fit into the memory that is
allowed here.
"""
