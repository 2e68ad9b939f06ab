"""Our games as environments of PettingZoo, the library of games for programs that learn by playing each other.

`environment(game)` is an AEC environment (agents act one after the other). Its agents are player_0, player_1, ... What an
agent observes is a dictionary:

    observation    what the player has seen, as 64 numbers 0 or 1: the bits of our `view`, the same where the player cannot
                   tell two states apart and different elsewhere
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
from ..text.naming import as_game
from ..text.naming import name as name_of
from .numbering import numbering

BITS = 64  # of a view
SEED_RANGE = 1 << 31  # a reset without a seed draws one below this

Observe = Callable[[Any, np.ndarray, int], np.ndarray]


def view_bits(game: Any, state: np.ndarray, player: int) -> np.ndarray:
    """The bits of a player's view, the lowest first."""
    view = np.int64(game.view(state, player))
    return np.unpackbits(np.array([view]).astype("<i8").view(np.uint8), bitorder="little").astype(np.int8)


def environment(
    game: Any, *, distinct: int | None = None, observe: Observe = view_bits, render_mode: str | None = None
) -> Any:
    """A game as a `pettingzoo.AECEnv`. With `distinct`, actions have our own numbers, all below it; without, an action is its
    position among the legal ones (`numbering.py`). With the render mode "ansi", `render()` gives the referee's picture."""
    if render_mode not in (None, "ansi"):
        raise Invalid(f"there is no render mode {render_mode!r}: valid are None and 'ansi'")
    return _environments()(as_game(game), distinct, observe, render_mode)


@functools.cache
def _environments() -> Any:
    """The class of environments, which needs PettingZoo to be made."""
    try:
        from gymnasium import spaces
        from pettingzoo import AECEnv
    except ImportError:
        raise Invalid("PettingZoo is not installed: pip install pettingzoo") from None

    class Environment(AECEnv):
        """One of our games, one action at a time."""

        def __init__(self, game: Any, distinct: int | None, observe: Observe, render_mode: str | None):
            super().__init__()
            self.game, self.features, self.render_mode = game, observe, render_mode
            self.numbers = numbering(game, distinct)
            self.metadata = {"name": name_of(game), "render_modes": ["ansi"], "is_parallelizable": False}
            self.possible_agents = [f"player_{player}" for player in range(game.shape().players)]
            self._state = new_state(game)
            sample = np.asarray(self._seen(0))
            box: Any = spaces.MultiBinary(BITS)
            if observe is not view_bits:
                box = spaces.Box(-np.inf, np.inf, sample.shape, np.dtype(sample.dtype).type)
            self._box = {
                agent: spaces.Dict({"observation": box, "action_mask": spaces.MultiBinary(self.numbers.size)})
                for agent in self.possible_agents
            }
            self._discrete = {agent: spaces.Discrete(self.numbers.size) for agent in self.possible_agents}

        def observation_space(self, agent):
            return self._box[agent]

        def action_space(self, agent):
            return self._discrete[agent]

        def reset(self, seed=None, options=None):
            if seed is None:
                seed = int(np.random.default_rng().integers(SEED_RANGE))
            self._dice = dice.seeded(seed)
            self.agents = list(self.possible_agents)
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos = {agent: {} for agent in self.agents}
            with np.errstate(over="ignore"):  # views may be hashes, which wrap round
                self._state = new_state(self.game)
                self._go_on()

        def step(self, action):
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            with np.errstate(over="ignore"):
                actions = legal(self.game, self._state)
                if action not in self.numbers.outside(actions):
                    raise Illegal(f"{action} is not a legal action of {self.agent_selection} here: see its action_mask")
                self._cumulative_rewards[self.agent_selection] = 0.0
                self.game.step(self._state, self.numbers.inside(actions, int(action)))
                self._go_on()
            self._accumulate_rewards()

        def _go_on(self):
            """Let chance move until a player is asked or the game is over."""
            while (player := int(self.game.player(self._state))) == CHANCE:  # as long as the rules say: shape().moves
                chances = odds(self.game, self._state)
                self.game.step(self._state, legal(self.game, self._state)[dice.pick(self._dice, chances, len(chances))])
            if player == OVER:
                self.terminations = dict.fromkeys(self.agents, True)
                self.rewards = {
                    agent: float(self.game.payoff(self._state, who)) for who, agent in enumerate(self.possible_agents)
                }
                self.agent_selection = self.agents[0]
            else:
                self.agent_selection = self.possible_agents[player]

        def _seen(self, player):
            with np.errstate(over="ignore"):
                return self.features(self.game, self._state, player)

        def observe(self, agent):
            player = self.possible_agents.index(agent)
            mask = np.zeros(self.numbers.size, np.int8)
            if int(self.game.player(self._state)) == player:
                mask[self.numbers.outside(legal(self.game, self._state))] = 1
            return {"observation": self._seen(player), "action_mask": mask}

        def render(self):
            return self.game.show(self._state, REFEREE) if hasattr(self.game, "show") else str(self._state)

        def close(self):
            pass

    return Environment
