"""Briedoň 2015, the games that are only shown: their equilibria by our solver beside the printed ones."""

from collections.abc import Callable

from ...games.printed import CATALOGUE, PLANS
from ...solvers.exact.simplex import solve_matrix
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section
from .printed import ACTIONS


def equilibrium(name: str) -> Callable[[Lab], Section]:
    """The part of a game that is only shown: its equilibrium by our solver beside the printed one."""

    def part(lab: Lab) -> Section:
        printed = CATALOGUE[name]
        found = solve_matrix(printed.game.payoffs)
        rounds = printed.game.payoffs.shape == (4, 4) and name != "table4.1"
        names = PLANS if rounds else ((*ACTIONS, "4th action"),) * 2
        rounding = 5e-3 if rounds else 5e-4
        claims = [Claim("value of the game", printed.value, found.value, rounding=5e-3)]
        for player, (said, ours) in enumerate(((printed.first, found.x), (printed.second, found.y))):
            for action, probability in enumerate(said):
                what = f"equilibrium of the {('first', 'second')[player]} player, {names[player][action]}"
                claims.append(Claim(what, probability, float(ours[action]), rounding=rounding))
        payoffs = [[f"{u:g}" for u in row] for row in printed.game.payoffs]
        note = f"Note: {printed.note}." if printed.note else ""
        prose = f"`fogtree solve briedon2015/{name}`. {note}"
        header = [f"column {j + 1}" for j in range(printed.game.payoffs.shape[1])]
        return Section(name, f"The game {name}", prose, claims, {f"{name}-payoffs": (header, payoffs)})

    return part
