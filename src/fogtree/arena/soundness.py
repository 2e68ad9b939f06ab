"""How exploitable agents are as they play, exactly, in games that fit into memory.

    found = soundness("leduc", ["rm", "uct", "oos"], iterations=[1000], seeds=8)
    found[0].high, found[0].low, found[0].own       see `measure/soundness.py`
    found[0].meets(found[2])                        what rm gets against oos

There is one way to find what somebody really plays, and this is it: an agent is asked, with many seeds, at every information
set that its own play can come to. How it is asked depends on what it is:

    a plan that is written down           is read (`plan`)
    a search that carries something       thinks at every decision, top down (`online`, see `measure/thinking.py`)
    a search that carries nothing         searches all information sets with all seeds at once, each in a lane, also on a GPU
                                          (`in_lanes`, `everywhere`): IS-MCTS, PIMC, EPIMC and UCT-Risk by iterations
    any other agent                       its own code is run at each set, after it was told of its player's moves (`follow`)

The work is a run in the store, in pieces of a few seeds, so nothing is lost when it is stopped.
"""

import csv
import functools
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..clock import clock
from ..errors import Invalid
from ..files import appearing, refusing
from ..game import identity
from ..kernels.engines import chosen
from ..kernels.lanes import CPU
from ..measure.everywhere import Places, places, written
from ..measure.soundness import Halves, Sound, told
from ..measure.thinking import thought
from ..policy import as_policy
from ..runs import Run, Step
from ..search.online.protocol import Answer
from ..solvers.forms.expected import listed
from ..solvers.forms.infosets import EMPTY, uniform_mix
from ..solvers.forms.response import look_up
from ..solvers.forms.sequence import SequenceForm, require_zero_sum, sequence_form
from ..strategy import Strategy
from ..text.naming import as_game, load, name
from ..trouble import require_fine
from ..walk.slices import Budget, Progress, Watcher, memory_cap, number, whole
from .agents import load_agent, parameters_of, require_fit, several, with_parameters
from .sight import sight

SEEDS, ITERATIONS = 16, 1_000  # where nothing else is said
PER_PIECE, PER_GPU_PIECE = 2, 64  # seeds; an even number, so that both halves are served alike
MEMORY = 2 * 2**30  # bytes of a sequence form
SEARCHED = 2**31  # the part of a seed from which the agents draw here, far from the numbers of matches


def soundness(
    game: Any,
    agents: str | Sequence[str],
    *,
    iterations: int | Sequence[int] | None = None,
    seconds: float | Sequence[float] | None = None,
    seeds: int = SEEDS,
    seed: int = 0,
    store: Any = None,
    device: str = CPU,
    cores: int | None = None,
    memory: float | None = None,
    progress: Watcher | None = None,
) -> list[Sound]:
    """How exploitable each agent is with each budget: numbers of iterations or of seconds a move. An agent whose text gives a
    budget has that one alone. `memory` is a cap in bytes for the enumerated game, 2 GiB by default. `progress` is called
    before the first piece and after each; a piece is some seeds of one agent."""
    made = as_game(game)
    require_zero_sum(made)
    text, seeds = name(made), whole(seeds, "seeds", 1)
    cores = None if cores is None else whole(cores, "cores", 1)
    room = {} if memory is None else {"memory": memory_cap(memory)}
    asked = dict.fromkeys(each for agent in _texts(agents) for each in with_budgets(agent, iterations, seconds))
    pieces = [piece for agent in asked for piece in pieces_of(made, agent, seeds, seed, device)]
    run = Run(store, "soundness", play_piece, {"game": text, "seed": seed}, games=[made])
    same = {"game": text, "seed": seed} | room
    if progress:
        progress(Progress("pieces", 0, len(pieces), Step({}, None, None)))
    results = run.map([piece | same for piece in pieces], cores=cores, progress=progress)
    found: dict[str, list[Any]] = {agent: [] for agent in asked}
    for piece, result in zip(pieces, results, strict=True):
        found[piece["agent"]].append(result)
    return [gathered(_form(text, **room), agent, results) for agent, results in found.items()]


def with_budgets(agent: str, iterations: Any, seconds: Any) -> list[str]:
    """The texts of an agent with each of the budgets; as it is if it gives one itself or takes none."""
    made = load_agent(agent)
    if not hasattr(made, "budget") or {"iterations", "seconds"} & set(parameters_of(agent)):
        return [agent]
    spends = [f"iterations={whole(value, 'iterations', 1)}" for value in _several(iterations)]
    spends += [f"seconds={number(value, 'seconds', above=0):g}" for value in _several(seconds)]
    return [with_parameters(agent, spend) for spend in spends or [f"iterations={ITERATIONS}"]]


def pieces_of(game: Any, agent: str, seeds: int, seed: int, device: str) -> list[dict[str, Any]]:
    """The pieces of a run for one agent. What is written down needs one seed, and only lanes run on a GPU."""
    made = load_agent(agent, seed)
    require_fit(made, game)
    where = chosen(device, seeds * 100) if in_lanes(made) else CPU
    each, count = (PER_PIECE if where == CPU else PER_GPU_PIECE), 1 if hasattr(made, "plan") else seeds
    more = {} if where == CPU else {"device": where}
    return [
        {"agent": agent, "first": first, "last": min(first + each, count)} | more for first in range(0, count, each)
    ]


def play_piece(
    game: str, agent: str, first: int, last: int, seed: int, device: str = CPU, memory: float = MEMORY
) -> dict[str, Any]:
    """Some seeds of one agent, as a piece of a run."""
    form = _form(game, memory=memory)
    halves, began = Halves(form), clock()
    mixes, thoughts = played(form, agent, range(first, last), seed, device)
    spent = clock() - began
    for row, each in enumerate(range(first, last)):
        halves.add(each, mixes[0][row], mixes[1][row])
    return halves.packed() | {"thoughts": thoughts, "seconds": spent, "device": device}


def gathered(form: SequenceForm, agent: str, results: Sequence[dict[str, Any]]) -> Sound:
    """The numbers of an agent from its pieces."""
    halves, made = functools.reduce(Halves.unpack, results, Halves(form)), load_agent(agent)
    thoughts, spent = (sum(result[word] for result in results) for word in ("thoughts", "seconds"))
    cost = made.budget() if hasattr(made, "budget") else Budget()
    amount = cost.iterations if math.isfinite(cost.iterations) else cost.seconds
    return told(agent, amount if math.isfinite(amount) else math.nan, halves, thoughts, spent, results[0]["device"])


def rows(found: Sequence[Sound]) -> tuple[list[str], list[list[Any]]]:
    """A header, and a row for each agent and budget."""
    header = ["agent", "budget", "seeds", "low", "high", "own", "half of 95 %", "searches", "seconds", "device"]
    return header, [
        [
            each.agent,
            *("" if math.isnan(value) else f"{value:.9g}" for value in (each.budget,)),
            each.seeds,
            *(
                "" if not math.isfinite(value) else f"{value:.9g}"
                for value in (each.low, each.high, each.own, each.half)
            ),
            each.thoughts,
            f"{each.seconds:.4g}",
            each.device,
        ]
        for each in found
    ]


def write_csv(found: Sequence[Sound], path: str | os.PathLike) -> None:
    """The numbers as a file."""
    header, lines = rows(found)
    with refusing(path), appearing(path, "t") as file:
        csv.writer(file).writerows([header, *lines])


# --- how an agent is asked ----------------------------------------------------------------------------------------------


def played(
    form: SequenceForm,
    agent: str,
    numbers: Sequence[int],
    seed: int = 0,
    device: str = CPU,
    tell: Callable[[], Any] = lambda: None,
) -> tuple[list[np.ndarray], int]:
    """[player][seed, sequence] what an agent plays with the seeds of these numbers, and how often it has searched for it."""
    made = load_agent(agent, seed)
    if hasattr(made, "plan"):
        return [np.repeat(mix[None], len(numbers), 0) for mix in written_down(form, made)], 0
    if in_lanes(made):
        found = [side_by_side(form, made, player, numbers, seed, device) for player in (0, 1)]
    else:
        found = [_one_by_one(form, agent, player, numbers, seed, tell) for player in (0, 1)]
    return [mix for mix, _ in found], sum(count for _, count in found)


def written_down(form: SequenceForm, agent: Any) -> list[np.ndarray]:
    """[player][sequence] the plan that an agent hands over."""
    plan, game = agent.plan(form.game), form.game
    if not isinstance(plan, Strategy):
        policy = as_policy(game, plan)
        plan = listed(game, (policy, policy))
    found = []
    for player, tree in enumerate(form.trees):
        mix = np.ones(int(tree.sequences()))
        require_fine(look_up(tree, plan.entries, player, mix), game, "the plan")
        found.append(mix)
    return found


def in_lanes(agent: Any) -> bool:
    """Whether all its searches can be run at once."""
    return hasattr(agent, "in_lanes") and agent.in_lanes()


def side_by_side(
    form: SequenceForm, agent: Any, player: int, numbers: Sequence[int], seed: int, device: str
) -> tuple[np.ndarray, int]:
    """[seed, sequence] for an agent that carries nothing. The sets of a level, those after equally many own decisions, are
    searched at once with all seeds, if any seed comes to them."""
    tree, where = form.trees[player], _places(form.game)
    place = {int(view): n for n, view in enumerate(where.view) if where.player[n] == player}
    mix = np.repeat(uniform_mix(tree)[None], len(numbers), 0)
    comes = np.zeros(mix.shape, bool)
    comes[:, EMPTY] = True
    searches = 0
    for level, sets in enumerate(levels(tree)):
        met = [i for i in sets if comes[:, tree.parent[i]].any()]
        if not met:
            break
        here = where.at([place[int(tree.view[i])] for i in met])
        shares = agent.everywhere(here, [(seed, SEARCHED, number, player, level) for number in numbers], device)
        searches += len(met) * len(numbers)
        for n, i in enumerate(met):
            low, high = int(tree.first[i]), int(tree.first[i + 1])
            mix[:, low:high] = shares[:, n, : high - low]
            comes[:, low:high] = comes[:, [tree.parent[i]]] & (mix[:, low:high] > 0.0)
    return mix, searches


def levels(tree: Any) -> list[list[int]]:
    """The sets after 0, 1, 2 ... own decisions."""
    depth, found = np.zeros(int(tree.sequences()), np.int64), list[list[int]]()
    for i, parent in enumerate(tree.parent.tolist()):
        level = int(depth[parent])
        depth[tree.first[i] : tree.first[i + 1]] = level + 1
        if level == len(found):
            found.append([])
        found[level].append(i)
    return found


def _one_by_one(form, agent, player, numbers, seed, tell) -> tuple[np.ndarray, int]:
    """[seed, sequence] for a search that carries something, or for any agent."""
    mixes, thoughts = [], 0
    for each in numbers:
        made = load_agent(agent, seed, SEARCHED, each, player)
        search = made.online if hasattr(made, "online") else Asked(form, made, player)
        spend = made.budget() if hasattr(made, "budget") else Budget()
        mix, count = thought(form, player, search, spend, seed, SEARCHED, each, player, tell=tell)
        mixes.append(mix)
        thoughts += count
    return np.array(mixes), thoughts


class Asked:
    """An agent as a search that carries nothing: at each decision it is told of its player's moves before, and asked."""

    whole = False

    def __init__(self, form: SequenceForm, agent: Any, player: int):
        if not hasattr(agent, "mix"):
            raise Invalid("an agent must tell how it mixes: it needs a method `mix`")
        self.form, self.agent, self.player = form, agent, player
        self.where, tree = _places(form.game), form.trees[player]
        self._place = {int(v): n for n, v in enumerate(self.where.view) if self.where.player[n] == player}
        self._set = {int(view): i for i, view in enumerate(tree.view)}
        self._owner = np.repeat(np.arange(tree.infosets()), np.diff(tree.first))  # [sequence - 1] the set of each

    @property
    def name(self) -> str:
        return getattr(self.agent, "name", type(self.agent).__name__)

    def begin(self, game: Any, player: int, seed: int, *path: int) -> None:
        return None

    def think(self, carried: None, view: int, spend: Budget) -> Answer:
        with np.errstate(over="ignore"):
            mix = self._mix(view)
        row = [(action, share) for action, share in sorted(mix.items()) if share > 0.0]
        actions, share = [[action for action, _ in row]], np.array([[share for _, share in row]])
        return Answer(written(self.form.game, [self.player], [view], actions, share), None, 0)

    def _mix(self, view: int) -> dict[int, float]:
        tree, course, sequence = (
            self.form.trees[self.player],
            [],
            int(self.form.trees[self.player].parent[self._set[view]]),
        )
        while sequence != EMPTY:  # back to the player's first decision
            i = int(self._owner[sequence - 1])
            course.append((self._sight(int(tree.view[i])), int(tree.action[sequence])))
            sequence = int(tree.parent[i])
        if hasattr(self.agent, "fresh"):
            self.agent.fresh()
        for seen, action in reversed(course):
            if hasattr(self.agent, "follow"):
                self.agent.follow(seen, action)
        seen = self._sight(view)
        mix = self.agent.mix(seen)
        legal = isinstance(mix, Mapping) and set(mix) <= set(seen.actions)
        if not legal or not any(share > 0.0 for share in mix.values()):
            known = ", ".join(map(str, seen.actions))
            raise Invalid(
                f"{self.name}.mix returned {mix!r}, not the probabilities of legal actions, which are {known}"
            )
        return mix

    def _sight(self, view: int) -> Any:
        return sight(self.form.game, self.where.state[self.where.first[self._place[view]]], self.player)


def _texts(agents: Any) -> list[str]:
    """The texts of the agents that are asked for; a single text is one agent."""
    given = several(agents)
    if not given:
        raise Invalid("give at least one agent: a text as `fogtree agents` lists them, such as 'oos'")
    for each in given:
        if not isinstance(each, str):
            raise Invalid(
                f"an agent is named by a text here, such as 'oos:iterations=100', not a {type(each).__name__}"
            )
    return given


def _several(value: Any) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [] if value is None else [value]
    return list(value)


@functools.lru_cache(maxsize=1)
def _form(game: str, *, memory: float = MEMORY) -> SequenceForm:
    return sequence_form(load(game), memory=memory)


class _Same:
    """A game as a key of a cache, by what it is and not by how it compares: parameters may be arrays."""

    def __init__(self, game: Any):
        self.game, self.name = game, identity(game)

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.name == other.name


@functools.lru_cache(maxsize=1)
def _listed(game: _Same) -> Places:
    return places(game.game)


def _places(game: Any) -> Places:
    """All information sets with a choice, and the states of each."""
    return _listed(_Same(game))
