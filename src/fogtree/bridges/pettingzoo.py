"""Our games as environments of PettingZoo, the library of games for programs that learn by playing each other.

`environment(game)` is an AEC environment (agents act one after the other). Where all choose at the same time, which a game
says by `simultaneous()`, `parallel_environment(game)` is one of its parallel API: each step takes the choices of all. Their
agents are player_0, player_1, ... What an agent observes is a dictionary:

    observation    what the player has seen, as numbers: those of the game's `observe`, or the bits of our `view` where it has
                   none (`observation.py`)
    action_mask    1 for each action that is legal now, all 0 while somebody else is to move

Another observation can be handed in: `observe(game, state, player)`, an array of numbers of always the same shape. It must
depend on what the player sees alone; nothing checks that. Chance plays by the seed of `reset`. Payoffs are the rewards at
the end.

PettingZoo is optional: pip install pettingzoo.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dice
from ..errors import Illegal, Invalid
from ..game import CHANCE, OVER, REFEREE, legal, new_state, odds
from ..observation import BITS, observed
from ..text.naming import as_game
from ..text.naming import name as name_of
from .numbering import numbering

SEED_RANGE = 1 << 31  # a reset without a seed draws one below this

Observe = Callable[[Any, np.ndarray, int], np.ndarray]


def view_bits(game: Any, state: np.ndarray, player: int) -> np.ndarray:
    """The bits of a player's view, the lowest first."""
    view = np.int64(game.view(state, player))
    return np.unpackbits(np.array([view]).astype("<i8").view(np.uint8), bitorder="little").astype(np.int8)


def environment(
    game: Any, *, distinct: int | None = None, observe: Observe = observed, render_mode: str | None = None
) -> Any:
    """A game as a `pettingzoo.AECEnv`. With `distinct`, actions have our own numbers, all below it; without, an action is its
    position among the legal ones (`numbering.py`). With the render mode "ansi", `render()` gives the referee's picture."""
    return _environments()[0](as_game(game), distinct, observe, render_mode)


def parallel_environment(
    game: Any, *, distinct: int | None = None, observe: Observe = observed, render_mode: str | None = None
) -> Any:
    """A game in which all choose at the same time as a `pettingzoo.ParallelEnv`. The rest is as for `environment`."""
    game = as_game(game)
    if not (hasattr(game, "simultaneous") and game.simultaneous()):
        name = name_of(game)
        raise Invalid(f"the players of {name} do not choose at the same time: see environment({name!r})")
    return _environments()[1](game, distinct, observe, render_mode)


class Table:
    """A game on the table, and what its players see: what both kinds of environments share."""

    agents: list[str]
    render_mode: str | None

    def __init__(self, game: Any, distinct: int | None, observe: Observe, render_mode: str | None):
        if render_mode not in (None, "ansi"):
            raise Invalid(f"there is no render mode {render_mode!r}: valid are None and 'ansi'")
        from gymnasium import spaces

        super().__init__()
        self.game, self.features, self.render_mode = game, observe, render_mode
        self.numbers = numbering(game, distinct)
        self.metadata = {"name": name_of(game), "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{player}" for player in range(game.shape().players)]
        self._state = new_state(game)
        sample = np.asarray(self._seen(0))
        box: Any = spaces.Box(-np.inf, np.inf, sample.shape, np.dtype(sample.dtype).type)
        if observe is view_bits:
            box = spaces.MultiBinary(BITS)
        self._box = {
            agent: spaces.Dict({"observation": box, "action_mask": spaces.MultiBinary(self.numbers.size)})
            for agent in self.possible_agents
        }
        self._discrete = {agent: spaces.Discrete(self.numbers.size) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self._box[agent]

    def action_space(self, agent):
        return self._discrete[agent]

    def _deal(self, seed):
        """Begin a game with the dice of this seed, or of any."""
        if seed is None:
            seed = int(np.random.default_rng().integers(SEED_RANGE))
        self._dice = dice.seeded(seed)
        self.agents = list(self.possible_agents)
        self._state = new_state(self.game)

    def _go_on(self):
        """Let chance move until a player is asked or the game is over; who it is."""
        while (player := int(self.game.player(self._state))) == CHANCE:  # as long as the rules say: shape().moves
            chances = odds(self.game, self._state)
            self.game.step(self._state, legal(self.game, self._state)[dice.pick(self._dice, chances, len(chances))])
        return player

    def _play(self, agent, action):
        """The action of the agent who is to move."""
        actions = legal(self.game, self._state)
        if np.ndim(action) or action not in self.numbers.outside(actions):
            raise Illegal(f"{action} is not a legal action of {agent} here: see its action_mask")
        self.game.step(self._state, self.numbers.inside(actions, int(action)))

    def _payoffs(self):
        return {agent: float(self.game.payoff(self._state, who)) for who, agent in enumerate(self.possible_agents)}

    def _seen(self, player):
        with np.errstate(over="ignore"):  # views may be hashes, which wrap round
            return self.features(self.game, self._state, player)

    def _mask(self, actions):
        mask = np.zeros(self.numbers.size, np.int8)
        mask[self.numbers.outside(actions)] = 1
        return mask

    def render(self):
        return self.game.show(self._state, REFEREE) if hasattr(self.game, "show") else str(self._state)

    def close(self):
        pass


@functools.cache
def _environments() -> tuple[Any, Any]:
    """The classes of environments, one agent after the other and all at once, which need PettingZoo to be made."""
    try:
        from pettingzoo import AECEnv, ParallelEnv
    except ImportError:
        raise Invalid("PettingZoo is not installed: pip install pettingzoo") from None

    class Environment(Table, AECEnv):
        """One of our games, one action at a time."""

        def reset(self, seed=None, options=None):
            with np.errstate(over="ignore"):
                self._deal(seed)
                self.rewards = dict.fromkeys(self.agents, 0.0)
                self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
                self.terminations = dict.fromkeys(self.agents, False)
                self.truncations = dict.fromkeys(self.agents, False)
                self.infos = {agent: {} for agent in self.agents}
                self._ask()

        def step(self, action):
            if not getattr(self, "agents", None):
                raise Invalid("nobody is at the table: reset begins a game")
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            with np.errstate(over="ignore"):
                self._play(self.agent_selection, action)
                self._cumulative_rewards[self.agent_selection] = 0.0
                self._ask()
            self._accumulate_rewards()

        def _ask(self):
            player = self._go_on()
            if player == OVER:
                self.terminations = dict.fromkeys(self.agents, True)
                self.rewards = self._payoffs()
                self.agent_selection = self.agents[0]
            else:
                self.agent_selection = self.possible_agents[player]

        def observe(self, agent):
            player = self.possible_agents.index(agent)
            mine = int(self.game.player(self._state)) == player
            actions = legal(self.game, self._state) if mine else []
            return {"observation": self._seen(player), "action_mask": self._mask(actions)}

    class Parallel(Table, ParallelEnv):
        """One of our games in which all choose at the same time, a round at a time."""

        def reset(self, seed=None, options=None):
            with np.errstate(over="ignore"):
                self._deal(seed)
                self._go_on()
                return self._round(), {agent: {} for agent in self.agents}

        def step(self, actions):
            if missing := [agent for agent in self.agents if agent not in actions]:
                raise Invalid(f"all choose at the same time, and the action of {missing[0]} is missing")
            agents, before = self.agents, self._state.copy()
            with np.errstate(over="ignore"):
                try:
                    for agent in agents:
                        self._play(agent, actions[agent])
                except Illegal:
                    self._state = before  # nobody has chosen
                    raise
                over = bool(agents) and self._go_on() == OVER
                seen = self._round() if agents else {}
            rewards = self._payoffs() if over else dict.fromkeys(agents, 0.0)
            if over:
                self.agents = []
            ended, cut = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
            return seen, rewards, ended, cut, {agent: {} for agent in agents}

        def _round(self):
            """What each agent observes before all choose. What one chooses changes nothing for the next: so the choices of
            the next are seen after any of the first."""
            seen, state = {}, self._state.copy()
            for player, agent in enumerate(self.agents):
                actions = legal(self.game, state)
                seen[agent] = {"observation": self._seen(player), "action_mask": self._mask(actions)}
                if actions:
                    self.game.step(state, actions[0])
            return seen

    return Environment, Parallel
