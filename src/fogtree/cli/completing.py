"""What the shell proposes when a user presses Tab. `fogtree --install-completion` sets it up.

Every command loads this file, so what is proposed is loaded when it is asked for.
"""

import importlib
from collections.abc import Callable, Iterable


def _of(room: str, shelf: str) -> Callable[[str], list[str]]:
    """Proposes the names on a shelf of a room."""

    def propose(incomplete: str) -> list[str]:
        return _beginning(incomplete, getattr(importlib.import_module(f"fogtree.{room}"), shelf))

    return propose


games, bandits = _of("games", "GAMES"), _of("bandits", "BANDITS")
agents, papers = _of("arena.agents", "AGENTS"), _of("papers", "PAPERS")


def run_ids(incomplete: str) -> list[str]:
    """The runs of the usual store; none if there is no store."""
    from .. import runs
    from ..errors import FogtreeError

    try:
        return _beginning(incomplete, [run.id for run in runs.stored_runs(runs.STORE)])
    except FogtreeError:
        return []


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
