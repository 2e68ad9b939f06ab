"""Many runs of one game, and what a single printed run is worth beside them.

The end of a self-play by UCT depends on its first few moves, and a thesis prints one run. So each printed number of such a
run is set beside the range that holds the central 95 % of our runs.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...bandits import load_bandit
from ...draw.panels import titled
from ...kernels.lanes import CPU
from ...measure.track import SHORT, Track, matrix_exploitability, schedule, tracks
from ...text.naming import load
from ..claims import Claim, inside, likely
from ..laboratory import Lab
from .library import tracks_as_library
from .printed import NEAR, QUICK_RUNS, QUICK_STEPS, RUNS

EVERY = 5  # steps between two that are kept
DIGITS = 7
GPU_PIECE = 1 << 12  # runs in a piece, on a GPU
STARTS: dict[str, Any] = {"library": tracks_as_library, "sets": tracks}
_known: dict[tuple, Any] = {}  # a part and its figures need the same runs, and a store may live in memory alone


class Runs(NamedTuple):
    """Runs of one game with the same bandit and different seeds, at the steps that were kept; the last is the end."""

    simulations: np.ndarray  # [kept]
    x: np.ndarray  # [runs, kept, plans 0]
    y: np.ndarray  # [runs, kept, plans 1]
    exploitability: np.ndarray  # [runs, kept]
    values: tuple[np.ndarray, np.ndarray] | None  # [player][runs, kept, actions] of matrix games
    seconds: np.ndarray  # [runs]

    @property
    def length(self) -> str:
        """How many runs there are and how long they are, in words."""
        runs = len(self.exploitability)
        return f"{runs} run{'s' if runs > 1 else ''} to {self.simulations[-1]:,} simulations"

    @property
    def ends(self) -> np.ndarray:
        return self.exploitability[:, -1]

    def apart(self, x: Sequence[float], y: Sequence[float]) -> np.ndarray:
        """How far each run's end is from two printed strategies: the largest difference of a probability [runs]."""
        far = [np.abs(ours[:, -1] - np.array(mix)).max(axis=1) for ours, mix in ((self.x, x), (self.y, y)) if len(mix)]
        return np.max(far, axis=0)

    def at(self, simulations: float) -> int:
        """The kept step nearest to a number of games."""
        return int(np.abs(np.log(self.simulations / simulations)).argmin())


def play_course(game: str, bandit: str, steps: int, seed: int, start: str) -> dict[str, Any]:
    """One run, thinned out."""
    (found,) = STARTS[start]([(load(game), seed)], load_bandit(bandit), steps, cores=1)
    return _thinned(found)


def play_courses(
    game: str, bandit: str, steps: int, seed: int, start: str, count: int, device: str
) -> list[dict[str, Any]]:
    """Runs with the seeds from `seed` on, side by side."""
    made, plays = load(game), range(seed, seed + count)
    return [_thinned(t) for t in STARTS[start]([(made, s) for s in plays], load_bandit(bandit), steps, device=device)]


def _thinned(found: Track) -> dict[str, Any]:
    kept = _kept(len(found.simulations))
    values = None
    if found.values is not None and found.values[0].shape[1] == 1:
        values = [np.round(v[kept, 0], DIGITS).tolist() for v in found.values]
    x, y = (np.round(strategy[kept], DIGITS).tolist() for strategy in found.strategies)
    ends = np.round(found.exploitability[kept], DIGITS).tolist()
    return {"x": x, "y": y, "exploitability": ends, "values": values, "seconds": round(found.seconds, 4)}


def _kept(steps: int) -> np.ndarray:
    return np.unique(np.append(np.arange(EVERY - 1, steps, EVERY), steps - 1))


def runs_of(lab: Lab, game: str, bandit: str, steps: int, runs: int, start: str = "library") -> Runs:
    """Runs with the seeds from the lab's on, through the run store."""
    parameters, runs = {"game": game, "bandit": bandit, "steps": steps, "start": start}, runs * lab.times
    key = (str(lab.store), lab.seed, runs, lab.device, *parameters.values())
    if key not in _known and lab.device == CPU:
        pieces = [parameters | {"seed": lab.seed + number} for number in range(runs)]
        _known[key] = lab.map("courses", parameters, play_course, pieces)
    elif key not in _known:
        begins = range(0, runs, GPU_PIECE)
        more = [{"seed": lab.seed + n, "count": min(GPU_PIECE, runs - n), "device": lab.device} for n in begins]
        found = lab.map("courses-gpu", parameters, play_courses, [parameters | piece for piece in more])
        _known[key] = [run for piece in found for run in piece]
    found = _known[key]
    x, y, ends = (np.array([run[field] for run in found]) for field in ("x", "y", "exploitability"))
    values = None
    if found[0]["values"] is not None:
        values = (np.array([run["values"][0] for run in found]), np.array([run["values"][1] for run in found]))
    seconds = np.array([run["seconds"] for run in found])
    return Runs(schedule(steps)[_kept(steps)], x, y, ends, values, seconds)


def draw_course(runs: Runs, chosen: int, player: int, names: Sequence[str], title: str) -> Any:
    """The strategy of a player over one run, in full lines, and the median of all runs, dashed."""
    figure, one = titled(title, "probability")
    mixes = (runs.x, runs.y)[player]
    for action, name in enumerate(names):
        (line,) = one.plot(runs.simulations, mixes[chosen, :, action], label=name)
        one.plot(runs.simulations, np.median(mixes[:, :, action], axis=0), color=line.get_color(), ls="--", lw=0.8)
    one.set_ylim(-0.02, 1.02)
    one.legend(frameon=False)
    return figure


INSIDE = (
    "Where a single run is printed, ours is the middle of the range that holds 95 % of our runs, and the interval is "
    "that range."
)


def runs_on(lab: Lab, name: str, bandit: str, steps: int = SHORT, runs: int = RUNS) -> Runs:
    """Runs of a printed game that start as the library does: at full scale a hundred to 3,190,936 simulations."""
    game = f"briedon2015/{name}"
    return runs_of(lab, game, bandit, QUICK_STEPS, QUICK_RUNS) if lab.quick else runs_of(lab, game, bandit, steps, runs)


def exploited(payoffs: np.ndarray, x: tuple, y: tuple, said: float, note: str = "", rounding: float = 5e-4) -> Claim:
    """What is printed of the exploitability of two printed strategies, beside what it is."""
    ours = matrix_exploitability(payoffs, x, y)
    return Claim("exploitability of the printed strategies", said, ours, rounding=rounding, note=note)


def strategies(runs: Runs, x: tuple, y: tuple, names: tuple) -> list[Claim]:
    """Two printed strategies beside those of the runs, probability by probability, and how near the runs come to both."""
    claims = []
    for player, (printed, ours) in enumerate(((x, runs.x), (y, runs.y))):
        for action, probability in enumerate(printed):
            what = f"{('first', 'second')[player]} player, {names[player][action]}"
            claims.append(inside(what, probability, ours[:, -1, action], "rate"))
    apart = runs.apart(x, y)
    note = f"the nearest run is {apart.min():.3f} off"
    return [*claims, likely(f"share of runs within {NEAR} of all these probabilities", apart <= NEAR, note)]
