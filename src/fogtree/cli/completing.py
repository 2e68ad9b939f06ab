"""What the shell proposes when a user presses Tab. `fogtree --install-completion` sets it up.

Every command loads this file, so the functions load what they need themselves.
"""

from collections.abc import Iterable


def games(incomplete: str) -> list[str]:
    from ..games import GAMES

    return _beginning(incomplete, GAMES)


def bandits(incomplete: str) -> list[str]:
    from ..bandits import BANDITS

    return _beginning(incomplete, BANDITS)


def agents(incomplete: str) -> list[str]:
    from ..arena.agents import AGENTS

    return _beginning(incomplete, AGENTS)


def papers(incomplete: str) -> list[str]:
    from ..papers import PAPERS

    return _beginning(incomplete, PAPERS)


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
