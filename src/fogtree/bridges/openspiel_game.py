"""Our games as OpenSpiel's: `to_openspiel(game)` is a game of OpenSpiel written in Python, which asks ours for everything.

So every algorithm of OpenSpiel runs on any game of ours: its best responses, its solvers, its bots, its random
simulations. The information state of a player is our `view`, as a text and as a tensor of its 64 bits. Chance outcomes
are numbered by their position; the actions of players as `numbering.py` says.

OpenSpiel is optional: pip install open_spiel.
"""

from typing import Any

import numpy as np

from ..game import CHANCE, OVER, REFEREE, label, legal, new_state, odds
from ..text.naming import as_game
from ..text.naming import name as name_of
from .numbering import numbering
from .openspiel import require_pyspiel
from .pettingzoo import BITS, view_bits


def to_openspiel(game: Any, *, distinct: int | None = None) -> Any:
    """A game of ours, given as such or by its name, as a `pyspiel.Game`. With `distinct`, actions have our own numbers, all
    below it; without, an action is its position among the legal ones."""
    return _game_class(as_game(game), distinct)({})


def _game_class(ours: Any, distinct: int | None) -> Any:
    """The class of OpenSpiel games for one of ours. Our game lives in the class, for states are copied often."""
    pyspiel = require_pyspiel()
    shape, numbers, called = ours.shape(), numbering(ours, distinct), name_of(ours)
    kinds = pyspiel.GameType
    game_type = kinds(
        short_name="fogtree",
        long_name=called,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if hasattr(ours, "odds") else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if shape.open else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if shape.zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=shape.players,
        min_num_players=shape.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=numbers.size,
        max_chance_outcomes=shape.actions if hasattr(ours, "odds") else 0,
        num_players=shape.players,
        min_utility=float(shape.low),
        max_utility=float(shape.high),
        utility_sum=0.0 if shape.zero_sum else None,
        max_game_length=shape.moves,
    )

    class FogtreeGame(pyspiel.Game):  # type: ignore[name-defined]
        """The rules."""

        def __init__(self, params=None):
            super().__init__(game_type, info, params or {})

        def new_initial_state(self):
            return FogtreeState(self)

        def make_py_observer(self, iig_obs_type=None, params=None):
            return Observer()

    class FogtreeState(pyspiel.State):  # type: ignore[name-defined]
        """A state of the game."""

        def __init__(self, game):
            super().__init__(game)
            self.row = new_state(ours)

        def current_player(self):
            player = int(ours.player(self.row))
            if player == OVER:
                return pyspiel.PlayerId.TERMINAL
            return pyspiel.PlayerId.CHANCE if player == CHANCE else player

        def is_terminal(self):
            return int(ours.player(self.row)) == OVER

        def _legal_actions(self, player):
            actions = legal(ours, self.row)
            if player == pyspiel.PlayerId.CHANCE:
                return list(range(len(actions)))
            return numbers.outside(actions)  # OpenSpiel asks for the player to move alone

        def chance_outcomes(self):
            return list(enumerate(odds(ours, self.row)))

        def _our(self, action):
            actions = legal(ours, self.row)
            return actions[action] if int(ours.player(self.row)) == CHANCE else numbers.inside(actions, action)

        def _apply_action(self, action):
            with np.errstate(over="ignore"):  # views may be hashes, which wrap round
                ours.step(self.row, self._our(action))

        def _action_to_string(self, player, action):
            return label(ours, self.row, self._our(action))

        def returns(self):
            if not self.is_terminal():
                return [0.0] * shape.players
            return [float(ours.payoff(self.row, player)) for player in range(shape.players)]

        def view(self, player):
            with np.errstate(over="ignore"):
                return int(ours.view(self.row, player))

        def __str__(self):
            return ours.show(self.row, REFEREE) if hasattr(ours, "show") else str(self.row.tolist())

    class Observer:
        """What a player sees."""

        def __init__(self):
            self.tensor = np.zeros(BITS, np.float32)
            self.dict = {"view": self.tensor}

        def set_from(self, state, player):
            with np.errstate(over="ignore"):
                self.tensor[:] = view_bits(ours, state.row, player)

        def string_from(self, state, player):
            return f"player {player}, view {state.view(player)}"

    return FogtreeGame
