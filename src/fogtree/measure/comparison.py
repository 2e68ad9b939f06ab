"""Searches beside the equilibrium of the game that they search: what `fogtree compare` and the page of curves measure.

    work = Comparison(game, [("rm", RegretMatching()), ("uct", UCT())])
    exact = work.prepare(during)        the game's tree in memory, its equilibrium, and compiled searches
    work.curves(iterations=10_000)      the curves

`during(words)` is a context in which a step is made, so that whoever looks on can be told what is going on; what it yields is
called with the progress of the step, or is None.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ..errors import Invalid
from ..search.trees.ismcts import ISMCTS
from ..solvers.forms.reduction import reduced
from ..solvers.profile import is_general, solve_general
from ..solvers.solution import solve
from ..walk.slices import Watcher
from .curve import Curve, curves
from .exploitability import form_of

During = Callable[[str], AbstractContextManager[Watcher | None]]
EXACT_SECONDS, EXACT_TOTAL = 5.0, 1e-3  # the solver stops at either


class Comparison:
    """Searches (IS-MCTS with a bandit) in one game. They run in an equal game with fewer actions if there is one."""

    def __init__(self, game: Any, bandits: Sequence[tuple[str, Any]]):
        names = [name for name, _ in bandits]
        if twice := {name for name in names if names.count(name) > 1}:
            raise Invalid(f"{min(twice)} is given twice")
        self.game, self.bandits = reduced(game), dict(bandits)
        self.form: Any = None

    def prepare(self, during: During, *, memory: float | None = None) -> Any:
        """All that comes before the curves; returns the equilibrium."""
        with during("enumerating the game") as look:
            self.enumerate(memory=memory, progress=look)
        with during("solving the game for comparison") as look:
            exact = self.solve(progress=look)
        for name in self.bandits:
            with during(f"compiling {name}"):
                self.compile(name)
        return exact

    def enumerate(self, *, memory: float | None = None, progress: Watcher | None = None) -> Any:
        """The form in which strategies of the game are measured."""
        self.form = form_of(self.game, memory=memory, progress=progress)
        return self.form

    def solve(self, *, progress: Watcher | None = None) -> Any:
        """The equilibrium, a `Solution`; of a game of more players or of a general sum a `Profile`."""
        find: Any = solve_general if is_general(self.game) else solve
        find(self.form, iterations=1)  # compiles it, before the clock starts
        return find(self.form, seconds=EXACT_SECONDS, target=EXACT_TOTAL, progress=progress)

    def compile(self, name: str) -> None:
        """Compile a search."""
        ISMCTS(self.game, self.bandits[name], 0).run(iterations=1).strategy()

    def curves(self, **limits: Any) -> list[Curve]:
        """The curves of all searches, with the limits of `measure/curve.py`."""
        return curves(self.form, list(self.bandits.items()), **limits)
