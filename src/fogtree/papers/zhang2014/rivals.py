"""Beyond Zhang and Wang 2014: is there any fear of risk that beats searches that came later? Exact answers.

UCT-Risk with each R, EPIMC, PIMC and MMDS (`search/worlds/mmds.py`) are measured as agents are anywhere
(`arena/soundness.py`): how exploitable the mean of their play over some seeds is, as a bracket, and what two of them get
against each other when both play that mean. In the army game all simulations are played by the policy `bold` of the game.
"""

import itertools
from typing import Any, NamedTuple

from ...arena.soundness import soundness
from ...measure.soundness import Sound
from ...text.parameters import merged
from ..laboratory import Lab
from ..report import Section
from .printed import RISKS

ITERATIONS, QUICK_ITERATIONS = 300, 30
SEEDS, QUICK_SEEDS = 8, 2
CLEAR, DIGITS = 1e-9, 9  # what is less is rounding


class Rivals(NamedTuple):
    """The rivals in a game: how far one step of MMDS goes, and by which policy simulations are played."""

    eta: float
    policy: str = ""
    iterations: int = ITERATIONS

    def risky(self) -> dict[float, str]:
        """[R] the text of the agent."""
        return {r: self._text("uct-risk", f"r={r:g}", "playouts") for r in RISKS}

    def others(self) -> list[str]:
        mixed, pure = (self._text("mmds", how, "base") for how in (f"eta={self.eta:g}", "play_best=yes"))
        return [mixed, pure, self._text("epimc", "", "playouts"), self._text("pimc", "", "playouts")]

    def _text(self, agent: str, how: str, field: str) -> str:
        policy = f"{field}={self.policy}" if self.policy else ""
        words = f"iterations={self.iterations}"
        for more in (how, policy):
            words = merged(words, more) if more else words
        return f"{agent}:{words}"


GAMES = {"kuhn": Rivals(4), "leduc": Rivals(5), "small-army:longest=4": Rivals(20, "bold")}
QUICK_GAMES = {"kuhn": Rivals(4, iterations=QUICK_ITERATIONS)}


def against_rivals(lab: Lab) -> Section:
    """Each R against the searches that came later, exactly."""
    costs, duels, words = [], [], []
    how: dict[str, Any] = {
        "seeds": QUICK_SEEDS if lab.quick else SEEDS,
        "seed": lab.seed,
        "store": lab.store,
        "cores": lab.cores,
    }
    for game, table in (QUICK_GAMES if lab.quick else GAMES).items():
        risky, others = table.risky(), table.others()
        found = dict(zip([*risky.values(), *others], soundness(game, [*risky.values(), *others], **how), strict=True))
        costs += [[game, name, one.low, one.high, one.own, one.half] for name, one in found.items()]
        for (r, name), other in itertools.product(risky.items(), others):
            duels.append([game, f"{r:g}", other, round(found[name].meets(found[other]), DIGITS)])
        words.append(f"{game}: {_verdict([found[each] for each in risky.values()], [found[each] for each in others])}")
    budget = QUICK_ITERATIONS if lab.quick else ITERATIONS
    prose = f"""
        All searches at {budget} simulations a move. First how exploitable each is (both players together), as a bracket
        from the answer to half of the seeds to the answer to all of them, and the mean of the seeds' own. Then what each R
        gets from each rival, as the mean over both seats: exact for the means of these {how["seeds"]} seeds.

        {" ".join(words)}
    """
    tables = {
        "beyond-rivals-exploitability": (["game", "search", "at least", "at most", "of one seed", "± 95 %"], costs),
        "beyond-rivals-duels": (["game", "R", "against", "payoff"], duels),
    }
    return Section(
        "beyond-rivals", "Beyond the paper: is there any fear of risk that beats these?", prose, tables=tables
    )


def _verdict(risky: list[Sound], others: list[Sound]) -> str:
    """Which R is surely less exploitable than all rivals, and which beats all of them, in a sentence."""
    safer = [r for r, one in zip(RISKS, risky, strict=True) if all(one.high < other.low - CLEAR for other in others)]
    wins = [r for r, one in zip(RISKS, risky, strict=True) if all(one.meets(other) > CLEAR for other in others)]
    return (
        f"{_named(safer)} surely less exploitable than all rivals, and {_named(wins)} ahead of each of them in the mean of"
        " the seeds."
    )


def _named(values: list[float]) -> str:
    """Values of R, and the verb."""
    if not values:
        return "no R is"
    return f"R = {', '.join(f'{r:g}' for r in values)} {'is' if len(values) == 1 else 'are'}"
