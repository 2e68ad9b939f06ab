"""Who can sit at a table.

An agent is an object with `act(sight)`: it gets what its player may see, never the state, and returns an action, or the text
of one, which the referee reads. So cheating is impossible by signature. `load_agent("random", seed)` finds one by its name
on the command line. ABOUT, below, says what names there are; these need a word more:

    rm:draw=weighted                 draws states by how likely its last search makes them, not evenly
    rm:play_best=yes                 plays its likeliest action instead of drawing from its mix (uct does so by default)
    tuned:playouts=no-eyes,prior=none   in open games: other policies of the game than its own, by name, or none
    alphabeta:pruning=sound          leaves out nothing that could change the minimax value; weights=chess plays by learned
                                     weights: a file, or those that come with the package
    my_agent.py:MyAgent:x=1          a class with `act` in a file of your own; its constructor names its parameters
    my_bandit.py:MyBandit:c=1        IS-MCTS with a bandit of your own; iterations, keep_tree and so on as with ours
"""

import contextlib
import copy
import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import lazy_loader
import numpy as np

from ... import bridges, dice
from ...bandits import BANDITS
from ...errors import Invalid
from ...game import sides
from ...strategy import StoredStrategy, strategy_of
from ...text.parameters import merged
from ...text.shelf import Shelf
from ...text.user_files import class_from_file, lacks
from ..sight import Sight
from .words import build_agent, keys

FILES = {  # a file is loaded when one of its classes is first asked for
    "alphabeta": ["AlphaBetaAgent"],
    "fixed": ["AlwaysAgent", "BeliefAgent", "RandomAgent", "StrategyAgent"],
    "improving": ["ImprovingAgent"],
    "knowing": ["KlussAgent"],
    "opening": ["OpenAgent"],
    "outcome": ["OOSAgent"],
    "perfect": ["PerfectAgent"],
    "person": ["HumanAgent"],
    "resolving": ["ResolveAgent"],
    "solved": ["SolvedAgent"],
    "searching": ["ITERATIONS", "SearchAgent", "Thought"],
}
__getattr__, _, _ = lazy_loader.attach(__name__, submod_attrs=FILES)
PROGRAMS = {"gtp": "GtpAgent", "uci": "UciAgent", "junqi": "JunqiAgent"}  # of other people, from the room `bridges`
NAMED = {
    "random": "RandomAgent",
    "belief": "BeliefAgent",
    "strategy": "StrategyAgent",
    "always": "AlwaysAgent",
    "alphabeta": "AlphaBetaAgent",
    "perfect": "PerfectAgent",
    "oos": "OOSAgent",
    "resolve": "ResolveAgent",
    "kluss": "KlussAgent",
    "mmds": "ImprovingAgent",
    **PROGRAMS,
    **dict.fromkeys(("pimc", "epimc", "uct-risk"), "OpenAgent"),
    **dict.fromkeys(BANDITS, "SearchAgent"),
}
AGENTS = Shelf(NAMED, lambda cls: getattr(bridges, cls) if cls in PROGRAMS.values() else __getattr__(cls))
ABOUT = {  # each way to name an agent, in a sentence
    "random": "plays every legal action equally often",
    "perfect": "plays perfectly, where perfect play is known: by certified equilibria, by tables, or by search to the end"
    " (see fogtree perfect)",
    "BANDIT": "IS-MCTS with that bandit (rm, uct, exp3:gamma=0.2, see fogtree bandits), from what its player believes;"
    " also iterations=5000, seconds=0.1, keep_tree=yes, play_best=yes",
    "strategy:FILE": "plays a saved strategy, or a saved plan of hold'em on buckets",
    "always:ACTION": "plays one action wherever it is legal: in poker 1 always calls and 2 always raises",
    "belief": "the Belief Sampler of Auger 2011, in games that have an open twin",
    "pimc": "searches with open cards in worlds that it believes possible, and lets the worlds vote:"
    " worlds=20, iterations=500",
    "epimc": "the same, where the cards are opened after a few decisions: depth=2",
    "uct-risk": "UCT-Risk of Zhang 2014: the same, the first decision by mean less risk: r=0.4",
    "oos": "Online Outcome Sampling: regrets on samples of the whole game, most of them aimed at what its player sees:"
    " iterations=10000, target=pst, rule=rm+",
    "resolve": "solves the subgame that begins with what is public, anew at each move: seconds=0.1, gadget=maxmargin,"
    " blueprint=FILE",
    "kluss": "knowledge-limited subgame solving, which beat the best people at fog-of-war chess: seconds=1,"
    " positions=100000, play=last",
    "mmds": "one regularised step of improvement on a base policy, from simulations in worlds that it believes possible:"
    " iterations=2000, eta=50, tau=0.002, base=bold",
    "alphabeta": "alpha-beta in open games: depth=6, nodes=100000, seconds=0.1, weights=FILE",
    "gtp:PROGRAM": "a Go program that speaks GTP: gtp:gnugo:level=10",
    "uci:PROGRAM": "a chess program that speaks UCI: uci:stockfish:elo=1800",
    "junqi:PROGRAM": "a program of the army chess contest, in Luzhanqi with chosen set-ups",
    "FILE.py:CLASS": "a class of your own with the method act, or a bandit of your own: my_agent.py:MyAgent:x=1",
}
SPELLED = {way.partition(":")[0]: way for way in ABOUT if ":" in way}  # names that need more


class Agent(Protocol):
    """An agent must have `act`. It may have more, and whoever needs one of these asks whether it is there:

    fresh()                  a match begins
    follow(sight, action)    its player has made this move already: the match begins in the middle of a game
    refused(sentence)        its answer was illegal; then it is asked again instead of forfeiting
    fits(game)               raises `Invalid` if it cannot play this game
    fits_from(game, state)   the same for a match that begins at this state; it is asked in open games alone
    plan(game)               the strategy or the policy that it plays, if it plays one that can be written down
    mix(sight)               the probabilities with which it would act here, {action: probability}, as if it were asked
    online                   the search behind it that carries something from move to move (`search/online/protocol.py`)
    in_lanes()               whether its searches carry nothing and can all be run at once, by `everywhere`
    everywhere(where, seeds, device)   how it would act at many information sets with many seeds, [seeds, sets, actions]
    deterministic(game)      whether it always answers the same position of this game with the same move
    budget()                 what a move costs, as a `Budget`
    name                     what it is called in tables
    thoughts                 what it believed and meant at each of its moves, a list of `Thought`
    range()                  the states [n, words] that its last search thought about, and how likely it took each to be
    compiles                 true if it compiles the game

    A class of agents may have two more:

    from_text(name, text, seed, *path)   an agent from the text of its parameters
    with_budget(text, iterations)        the text of the parameters with a budget, unless it gives one
    """

    def act(self, sight: Sight) -> int | str: ...


_handed: dict[str, Any] = {}  # agents that were handed over as objects, by the names that stand for them meanwhile
_copies: dict[tuple[str, int], Any] = {}  # of these, by name and player


@contextlib.contextmanager
def standing_for(objects: Mapping[str, Any]) -> Iterator[None]:
    """Meanwhile these names stand for agents that are objects of this process. Each player gets a copy, which it keeps."""
    _handed.update(objects)
    try:
        yield
    finally:
        _handed.clear()
        _copies.clear()


def _copied(name: str, seed: int, *path: int) -> Agent:
    given, key = _handed[name], (name, path[-1] if path else 0)
    if (agent := as_agent(given, seed, *path)) is not given:
        return agent  # what plays a strategy was made just now
    if key not in _copies:
        try:
            _copies[key] = copy.deepcopy(given)
        except Exception as error:
            raise Invalid(f"{name} cannot be copied for each player ({error}): name the agent by a text") from None
        if isinstance(getattr(given, "random", None), np.ndarray):  # or two players would draw the same numbers
            _copies[key].random[:] = dice.seeded(seed, key[1])
    return _copies[key]


def load_agent(text: str, seed: int = 0, *path: int) -> Agent:
    """The agent that a text names. The path splits the seed."""
    if text in _handed:
        return _copied(text, seed, *path)
    known, cls, parameters = _found(text)
    if AGENTS.get(known) is cls or "from_text" in vars(cls):
        return cls.from_text(known, parameters, seed, *path)
    if hasattr(cls, "choose"):
        return __getattr__("SearchAgent").from_text(known, parameters, seed, *path, kind=cls)
    return build_agent(cls, parameters, seed, *path)


def as_agent(given: Any, seed: int = 0, *path: int) -> Agent:
    """The agent itself, the one that a text names, or one that plays a strategy, a solution or a search."""
    if isinstance(given, str):
        return load_agent(given, seed, *path)
    if hasattr(given, "act") and not isinstance(given, type):
        return given
    plays = strategy_of(given)
    if isinstance(plays, StoredStrategy):
        return __getattr__("StrategyAgent")(plays, seed, *path)
    what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
    raise Invalid(f"an agent is needed, the text that names one, or a strategy, not {what}")


def several(given: Any) -> list[Any]:
    """The agents that are given; a single one, such as a text, is one agent."""
    one = isinstance(given, str) or not isinstance(given, Iterable) or isinstance(strategy_of(given), StoredStrategy)
    return [given] if one else list(given)


def with_budget(text: str, iterations: int) -> str:
    """The text with so many iterations a move, where it names a search that has no budget."""
    _, cls, parameters = _found(text)
    kind = __getattr__("SearchAgent") if hasattr(cls, "choose") else cls
    if "with_budget" not in vars(kind):
        return text
    head = text.strip().removesuffix(parameters).removesuffix(":")
    return f"{head}:{kind.with_budget(parameters, iterations)}"


def parameters_of(text: str) -> list[str]:
    """The names of the parameters that the text of an agent gives."""
    return keys(_found(text)[2])


def with_parameters(text: str, more: str) -> str:
    """The text of an agent with these parameters too; where it gives one of them already, the new value counts."""
    parameters = _found(text)[2]
    both = merged(parameters, more)
    head = text.strip().removesuffix(parameters).removesuffix(":")
    return f"{head}:{both}" if both else head


def agents_for(game: Any, names: Sequence[str], seed: int, *path: int) -> list[Agent]:
    """[player] the agents of a match, from one name a side, in the order of `side_order`. Each player of a side gets an agent
    of their own, seeded by a path of their own. An agent that cannot play the game is refused."""
    order = side_order(game)
    if len(names) != len(order):
        raise Invalid(f"the game has {len(order)} sides, so it needs {len(order)} agents, not {len(names)}")
    table = [load_agent(names[order.index(side)], seed, *path, player) for player, side in enumerate(sides(game))]
    for agent in table:
        require_fit(agent, game)
    return table


def side_order(game: Any) -> list[int]:
    """The sides of a game, in the order of their first players."""
    return list(dict.fromkeys(sides(game)))


def require_fit(agent: Agent, game: Any, start: np.ndarray | None = None) -> None:
    """Refuse an agent that cannot play this game, from its start or from another state, before a match begins."""
    if start is not None and game.shape().open and hasattr(agent, "fits_from"):
        agent.fits_from(game, start)
    elif hasattr(agent, "fits"):
        agent.fits(game)


def by_the_clock(agent: Agent) -> bool:
    """Whether an agent has seconds for a move, so that a second match from the same seed may go otherwise."""
    return bool(getattr(getattr(agent, "how", None), "seconds", None))


def name(agent: Agent) -> str:
    """What an agent is called in tables."""
    return getattr(agent, "name", type(agent).__name__)


def _found(text: str) -> tuple[str, Any, str]:
    """The name, the class and the parameters of an agent; the class may be a bandit's."""
    means = "a class with the method `act`, or a bandit"
    known, _, parameters = text.strip().partition(":")
    if known not in AGENTS:
        if found := class_from_file(text, "agent", means, _plays, _lacks):
            cls, parameters = found
            return cls.__name__, cls, parameters
        near = difflib.get_close_matches(known, AGENTS, 1)
        valid = ", ".join(SPELLED.get(each, each) for each in AGENTS)
        hint = f"did you mean {near[0]}? Valid" if near else "valid"
        raise Invalid(f"there is no agent {known!r}: {hint} are {valid}, or a file: my_agent.py:MyAgent")
    return known, AGENTS[known], parameters


def _plays(cls: Any) -> bool:
    return hasattr(cls, "act") or (hasattr(cls, "choose") and hasattr(cls, "_fields"))


def _lacks(cls: Any) -> str:
    """What a class lacks that is nearly a bandit."""
    from ...contract.guests import BANDIT  # not on top: it is needed for classes of a user's own

    return lacks(cls, BANDIT.verbs)
