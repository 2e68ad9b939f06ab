"""The agent that searches: IS-MCTS from what its player believes, and in open games tree search of the position on the board.

In an open game a search has what the game knows of itself. A game may say how its playouts are played and what a player
thinks of a move at first sight, by two optional methods that return policies (see policy.py):

    playout_policy()    for the judge of the search; without it, playouts are uniform
    prior_policy()      for the prior of the search; without it, all actions are alike

Both may take the name of another policy of the game, which an agent's text gives: `tuned:playouts=no-eyes,prior=none` in Go.

There it plays the action that it tried most. The tree is kept from move to move, and begun anew when a match begins or when
it is full. Where a tree begins in a position of MANY legal actions, a position enters it when it is met for the second time
(`search/trees/prior.py`). On 19x19 a position takes 12 kB and most are met once: the tree is a third as large, and the search
a tenth faster.
"""

import enum
import itertools
import typing
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits import BANDITS, bandit_name
from ...errors import Invalid
from ...game import identity, legal, new_state
from ...judges import Playout
from ...kernels.lanes import CPU
from ...policy import Trembling
from ...search.trees.ismcts import ISMCTS
from ...search.trees.roots import EvenRoots, WeightedRoots, as_roots
from ...strategy import Strategy
from ...text.parameters import accepts, build
from ...walk.slices import Budget, budget, number, whole
from ..sight import Sight
from .believing import Believed, Believer
from .words import draw_seed, keys, shared_out, with_iterations

if typing.TYPE_CHECKING:
    from ...measure.everywhere import Places

ITERATIONS = 10_000  # a move, where nothing else is said
TREMBLE = 0.1  # how often the others are taken to move at random, where states are drawn by weight
WORLDS = 4096  # states that are imagined where they are too many to be enumerated
NO_POLICY = "none"
SAME = 1e-6  # mixes that differ by less are one
MEMORY = 2**30  # bytes of a tree in an open game, where it is kept
MANY, PLACES = 150, 1 << 16  # legal actions, from which on positions wait until they are met again; and how many wait


def iterations(value: Any) -> int | None:
    """a whole number of 1 or more"""
    return None if value is None else whole(value, "iterations", least=1)


def seconds(value: Any) -> float | None:
    """a finite number above 0"""
    return None if value is None else number(value, "seconds", above=0, finite=True)


def policy(value: Any) -> Any:
    """a policy of the game by its name, with parameters in brackets: no-eyes, [mogo:careful=yes]; or none"""
    if not isinstance(value, str | tuple | None):
        raise ValueError
    return value.strip("[] ") if isinstance(value, str) else value


class Draw(enum.IntEnum):
    """How a search draws the states that its player believes possible."""

    EVEN = 0  # each equally likely
    WEIGHTED = 1  # by their weight under the strategy that the last search gave the others


@accepts(iterations=iterations, seconds=seconds, draw=Draw, threads=range(1, 257), playouts=policy, prior=policy)
class Searching(NamedTuple):
    """How a search agent searches, whatever its bandit. Without a budget it makes ITERATIONS iterations a move."""

    iterations: int | None = None  # a move
    seconds: float | None = None  # a move
    keep_tree: bool = False  # go on with the tree of the move before, instead of searching anew
    play_best: bool = False  # play the likeliest action, instead of drawing from the mix
    draw: Draw = Draw.EVEN
    threads: int = 1
    playouts: Any = None  # in an open game, the name of a policy or a policy; by default the game's own
    prior: Any = None  # the same


class Thought(NamedTuple):
    """What a search agent believed and meant at one of its moves, for people who ask afterwards."""

    view: int
    text: str  # what its player saw
    states: int  # that it believed possible
    coverage: float  # of all such states
    mix: dict[str, float]  # action label -> probability
    played: str
    iterations: int  # of the tree that the mix came from; 0 where there was nothing to choose
    found: dict[str, float] = {}  # what the search found, where something else was made of it to be played


def thought(
    sight: Sight,
    states: int,
    coverage: float,
    mix: dict[int, float],
    action: int,
    done: int,
    found: dict[int, float] | None = None,
) -> Thought:
    """A thought in which actions have the labels that people read. `found` is the mix that the search found, of which `mix`
    was made."""
    labels = dict(zip(sight.actions, sight.labels, strict=True))
    named = {labels[each]: share for each, share in mix.items()}
    before = {labels[each]: share for each, share in (found or {}).items()}
    if all(abs(share - named.get(each, 0.0)) < SAME for each, share in before.items()):
        before = {}
    return Thought(sight.view, sight.text, states, coverage, named, labels[action], done, before)


class SearchAgent:
    """IS-MCTS from the states that the player believes possible, each equally likely (Lisý 2014).

    With the draw `weighted` a state is drawn by its weight: the odds of chance, times the probabilities with which the others
    have made the moves that lead to it, by the strategy that the agent's own search at its move before has found for them.
    TREMBLE of the time they are taken to move at random, so that nothing is impossible. At the first move there is no search
    before, so the agent first makes one more search, from the start of the game.

    Further options go to the search. One agent plays any number of matches: `fresh` begins the next, and where nobody calls
    it, a view that can only be the first of a match does.

    Where the states that fit are too many to be enumerated and the game has `imagine`, it searches from WORLDS imagined ones.

    In an open game, with a bandit that keeps means, it searches the position on the board, as told above.
    """

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(
        self,
        bandit: Any,
        seed: int = 0,
        *path: int,
        iterations: int | None = None,
        seconds: float | None = None,
        keep_tree: bool = False,
        play_best: bool = False,
        draw: Draw = Draw.EVEN,
        threads: int = 1,
        playouts: Any = None,
        prior: Any = None,
        **options: Any,
    ):
        self.bandit, self.options = bandit, options
        self.how = Searching(iterations, seconds, keep_tree, play_best, draw, threads, playouts, prior)
        if iterations is None and seconds is None:
            self.how = self.how._replace(iterations=ITERATIONS)
        self.random = dice.seeded(seed, *path)
        self._believer = Believer(self.random)
        self._begin()

    def _begin(self) -> None:
        """A new match: nothing is known yet."""
        self.thoughts: list[Thought] = []
        self.search: ISMCTS | None = None
        self._open_dice: np.ndarray | None = None  # for the seeds of this match's searches, in an open game
        self._table = ""  # the open game that is searched

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int, kind: Any = None) -> "SearchAgent":
        """With the bandit of this name, or of this class. Parameters are the bandit's and those of `Searching`."""
        kind = kind or BANDITS[name]
        own = [field for field in Searching._fields if field not in kind._fields]
        ours, rest = shared_out(name, text, kind._fields, own)[::-1]
        how, bandit = build(Searching, ours, name), build(kind, rest, name)
        if "play_best" not in keys(text):
            how = how._replace(play_best=hasattr(bandit, "plays_best") and bandit.plays_best())
        return cls(bandit, seed, *path, **how._asdict())

    with_budget = staticmethod(with_iterations)

    @property
    def name(self) -> str:
        return bandit_name(self.bandit)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(self.how.iterations, self.how.seconds)

    def fresh(self) -> None:
        """A new match begins."""
        self._begin()
        self._believer.fresh()

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked: it goes on from there."""
        with np.errstate(over="ignore"):
            believed = self._believe(sight)
            if (self.how.keep_tree or self.how.draw == Draw.WEIGHTED) and not self._openly(sight.game):
                self._think(sight, believed)
        believed.acted(sight, action)

    def act(self, sight: Sight) -> int:
        return self._choose(sight)[0]

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which one search would act here; `follow` tells it of the moves before."""
        return self._choose(sight)[1]

    def in_lanes(self) -> bool:
        """Whether its searches carry nothing from move to move and can be run in lanes."""
        how = self.how
        alone = not (
            how.keep_tree or how.seconds or how.threads > 1 or self.options or hasattr(self.bandit, "overhear")
        )
        return alone and how.draw == Draw.EVEN

    def everywhere(self, where: "Places", seeds: Sequence[tuple[int, ...]], device: str = CPU) -> np.ndarray:
        """[seeds, sets, actions] how it would act at many information sets, all at once."""
        from ...search.trees.many import search_many  # not on top: only measurements search so

        roots = [where.state[a:b] for a, b in itertools.pairwise(where.first)] * len(seeds)
        seed = draw_seed(dice.seeded(*seeds[0]))
        found = search_many(
            where.game, self.bandit, roots, self.how.iterations or ITERATIONS, seed=seed, device=device, cores=1
        )
        if self.how.play_best:
            legal = np.arange(found.shape[1]) < np.tile([len(each) for each in where.actions], len(seeds))[:, None]
            top = legal & (found == np.max(found, axis=1, where=legal, initial=-1.0)[:, None])
            found = top / top.sum(axis=1, keepdims=True)
        return found.reshape(len(seeds), len(where.player), -1)

    def _choose(self, sight: Sight) -> tuple[int, dict[int, float]]:
        """The action, and the probabilities by which it was drawn."""
        if self._openly(sight.game):
            action, mix, done = self._choose_openly(sight)
            states, coverage, odds = 1, 1.0, {action: 1.0}
        else:
            with np.errstate(over="ignore"):  # random bits wrap round
                believed = self._believe(sight)
                mix, done = self._think(sight, believed)
                action, odds = self._pick(mix)
            believed.acted(sight, action)
            states, coverage = len(believed.state), believed.coverage
        self.thoughts.append(thought(sight, states, coverage, mix, action, done))
        return action, odds

    def _openly(self, game: Any) -> bool:
        """Whether it searches the position on the board."""
        return game.shape().open and hasattr(self.bandit, "means")

    def _choose_openly(self, sight: Sight) -> tuple[int, dict[int, float], int]:
        """In an open game: the action, the shares in which the search tried all of them, and the iterations of its tree."""
        action = sight.actions[0] if len(sight.actions) == 1 else self.best(sight.game, sight.worlds(1)[0])
        mix = self.search and self.search.policy(sight.player, sight.view)
        even = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
        return action, mix or even, self.search.iterations if self.search else 0

    def best(self, game: Any, state: np.ndarray, seconds: float | None = None) -> int:
        """In an open game: the action that a search from this state tried most, one of several by lot; `seconds` in place of
        the budget, where a clock runs."""
        how = self.how if seconds is None else self.how._replace(iterations=None, seconds=seconds)
        with np.errstate(over="ignore"):  # random bits and hashes wrap round
            if self.search is None or self._table != identity(game) or self.search.note:
                self.search, self._table = self._open_search(game, state), identity(game)
            run(self.search, how, EvenRoots(state[None]))
            player = int(game.player(state))
            mix = self.search.policy(player, int(game.view(state, player)))
            top = legal(game, state)[:1] if mix is None else likeliest(mix)
            return top[dice.below(self._open_dice, len(top))] if len(top) > 1 else top[0]

    def _open_search(self, game: Any, state: np.ndarray) -> ISMCTS:
        """A search with what the game knows of itself; what the options say goes first."""
        if self._open_dice is None:
            self._open_dice = dice.seeded(draw_seed(self.random))
        own: dict[str, Any] = {"memory": MEMORY, "waiting": PLACES if len(legal(game, state)) >= MANY else 0}
        if (playouts := policy_of(game, "playout_policy", self.how.playouts)) is not None:
            own["judge"] = Playout(playouts)
        if (prior := policy_of(game, "prior_policy", self.how.prior)) is not None:
            own["prior"] = prior
        return ISMCTS(game, self.bandit, draw_seed(self._open_dice), **own | self.options)

    def _think(self, sight: Sight, believed: Believed) -> tuple[dict[int, float], int]:
        """The mix of a search from the states that are believed possible, and the iterations of its tree."""
        mix = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
        if not len(believed.state) or len(sight.actions) == 1:
            return mix, 0
        if self.search is None or not self.how.keep_tree:
            self.search = ISMCTS(sight.game, self.bandit, draw_seed(self.random), **self.options)
        weights = believed.weight if self.how.draw == Draw.WEIGHTED else None
        run(self.search, self.how, as_roots(believed.state, weights, sight.game.shape().words))
        return self.search.policy(sight.player, sight.view) or mix, self.search.iterations

    def _believe(self, sight: Sight) -> Believed:
        """What the player believes; a new match begins with empty hands."""
        if self.how.draw == Draw.WEIGHTED:
            self._believer.expect(self._others(sight))
        found = self._believer.believe(sight, WORLDS)
        if found.anew:
            self._begin()
        return found

    def _others(self, sight: Sight) -> Trembling:
        """How the others play, as far as the agent can tell: by its last search, or by one from the start of the game."""
        game = sight.game
        if self.search is not None:
            found = self.search.strategy()
        elif game.player(new_state(game)) == sight.player:  # nobody has moved before
            found = Strategy.uniform(game)
        else:
            first = ISMCTS(game, self.bandit, draw_seed(self.random), **self.options)
            found = run(first, self.how).strategy()
        return Trembling(found.policy_of(game), TREMBLE)

    def _pick(self, mix: dict[int, float]) -> tuple[int, dict[int, float]]:
        """An action, and the probabilities by which it was drawn."""
        if not self.how.play_best:
            return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))], mix
        top = likeliest(mix)
        return top[dice.below(self.random, len(top))], dict.fromkeys(top, 1 / len(top))


def likeliest(mix: dict[int, float]) -> list[int]:
    """The actions of the largest share."""
    best = max(mix.values())
    return [action for action, share in mix.items() if share == best]


def run(search: ISMCTS, how: Searching, roots: EvenRoots | WeightedRoots | None = None) -> ISMCTS:
    """Spend the budget of a move."""
    return search.run(iterations=how.iterations, seconds=how.seconds, threads=how.threads, roots=roots)


def policy_of(game: Any, verb: str, given: Any) -> Any:
    """The policy that is given, or that the game has by this name; without a name the game's own, if it has one."""
    if given == NO_POLICY or (given is None and not hasattr(game, verb)):
        return None
    if not isinstance(given, str | None):
        return given
    if not hasattr(game, verb):
        raise Invalid(f"{type(game).__name__} has no policy {given!r}: it has no method `{verb}` (see fogtree.game)")
    return getattr(game, verb)() if given is None else getattr(game, verb)(given)
