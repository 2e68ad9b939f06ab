"""OpenSpiel's games as ours, and our strategies as OpenSpiel's policies.

`from_openspiel` walks a whole game of OpenSpiel and makes a `TreeGame` of it. Two histories belong to one information set
where OpenSpiel's `information_state_string` is the same. Simultaneous moves are made one after the other in secret, by
OpenSpiel's own transform.

`to_openspiel_policy` walks a game of ours and its counterpart in lock-step and writes our probabilities into a tabular
policy, so that OpenSpiel's best response can judge it. The two must agree on who moves, on the number of actions, which
are matched in ascending order, and on the odds of chance. A move that leaves no choice may be played in one game and left
out in the other: OpenSpiel plays the last cards of Goofspiel by itself.

`openspiel_game.py` is the way from our games to OpenSpiel's. OpenSpiel is optional: pip install open_spiel.
"""

from typing import Any

import numpy as np

from ..errors import Invalid
from ..game import CHANCE, OVER, legal, new_state, odds
from ..games.tree import MOST_HISTORIES, Sketch, TreeGame
from ..strategy import Strategy
from ..text.naming import name as name_of
from ..walk.slices import Progress, Watcher

CLOSE = 1e-9  # how near the odds of both games must be


def from_openspiel(game: Any, *, limit: int = MOST_HISTORIES, progress: Watcher | None = None) -> TreeGame:
    """A game of OpenSpiel, given as such or by its name, as a tree of at most `limit` histories."""
    game = _sequential(game)
    players = game.num_players()
    sketch = Sketch([f"player {p}" for p in range(players)], _called(game))
    stack, done = [game.new_initial_state()], 0
    while stack:
        state = stack.pop()
        done += 1
        if done > limit:
            raise Invalid(f"{_called(game)} has more than {limit:,} histories, the limit: take a smaller game")
        if state.is_terminal():
            sketch.end(state.returns())
            continue
        player = int(state.current_player())
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            actions = [action for action, _ in outcomes]
            sketch.chance([state.action_to_string(player, a) for a in actions], [p for _, p in outcomes])
        else:
            actions, key = state.legal_actions(), _key(game, state, player)
            known = sketch.known(player, key)
            if known and len(known.actions) == len(actions):
                sketch.decision(player, key, known.actions)
            else:
                sketch.decision(player, key, [state.action_to_string(player, a) for a in actions], key)
        stack.extend(state.child(action) for action in reversed(actions))
        if progress and done % 1000 == 0:
            progress(Progress("histories", done))
    return sketch.game()


def to_openspiel_policy(game: Any, strategy: Strategy, theirs: Any, *, limit: int = MOST_HISTORIES) -> Any:
    """A strategy of a game as a `pyspiel.TabularPolicy` of the same game in OpenSpiel, given as such or by its name.

    The policy belongs to the game with sequential moves: where OpenSpiel's are simultaneous, judge it in
    `pyspiel.convert_to_turn_based(theirs)`.
    """
    strategy.belongs_to(game)
    theirs = _sequential(theirs)
    if not theirs.get_type().provides_information_state_string:
        raise Invalid(f"{_called(theirs)} has no information states, so it has no tabular policies")
    pair = _Pair(game, strategy, theirs)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        pair.walk(limit)
    return require_pyspiel().TabularPolicy(pair.policy)


class _Pair:
    """The same game twice, in lock-step."""

    def __init__(self, game, strategy, theirs):
        self.game, self.strategy, self.theirs = game, strategy, theirs
        self.policy: dict[str, list[tuple[int, float]]] = {}
        self.row: dict[tuple[int, int, int], list[float]] = {}  # (player, view, actions) -> probabilities

    def walk(self, limit) -> None:
        stack, done = [(new_state(self.game), self.theirs.new_initial_state())], 0
        while stack:
            state, other = self.in_step(*stack.pop())
            done += 1
            if done > limit:
                raise Invalid(f"{name_of(self.game)} has more than {limit:,} histories, the limit: take a smaller game")
            if other.is_terminal():
                continue
            actions, others = self.compare(state, other)
            for action, their_action in zip(actions, others, strict=True):
                child = state.copy()
                self.game.step(child, action)
                stack.append((child, other.child(their_action)))

    def in_step(self, state, other):
        """Play the forced moves that only one of the games has, until the same player is to move in both."""
        while (player := int(self.game.player(state))) != (mover := _mover(other)):
            forced = legal(self.game, state)
            others = [] if mover == OVER else other.legal_actions()
            if len(forced) == 1:
                self.game.step(state, forced[0])
            elif len(others) == 1:
                other = other.child(others[0])
            else:
                self.differ(other, f"{_who(player)} is to move in the one and {_who(mover)} in the other")
        return state, other

    def compare(self, state, other):
        """One node of both; returns its actions in the one and in the other."""
        player, actions = int(self.game.player(state)), legal(self.game, state)
        if player == CHANCE:
            outcomes = other.chance_outcomes()
            chances = [p for _, p in outcomes]
            if len(actions) != len(outcomes) or not np.allclose(odds(self.game, state), chances, rtol=0, atol=CLOSE):
                self.differ(other, "the odds of chance are not the same")
            return actions, [action for action, _ in outcomes]
        others = other.legal_actions()
        if len(actions) != len(others):
            self.differ(other, f"{_who(player)} has {len(actions)} actions in the one and {len(others)} in the other")
        view = int(self.game.view(state, player))
        key = (player, view, len(actions))
        if key not in self.row:
            self.row[key] = self.probabilities(player, view, actions)
        said = list(zip(others, self.row[key], strict=True))
        told = _key(self.theirs, other, player)
        if self.policy.setdefault(told, said) != said:
            self.differ(other, "an information state stands for several of ours, where the strategy differs")
        return actions, others

    def probabilities(self, player, view, actions) -> list[float]:
        try:
            row = self.strategy[player, view]
        except KeyError:
            return [1 / len(actions)] * len(actions)  # a set that a strategy does not list is played uniformly
        return [row.get(action, 0.0) for action in actions]

    def differ(self, other, how) -> None:
        where = other.history_str() or "at the start"
        raise Invalid(f"{name_of(self.game)} and OpenSpiel's {_called(self.theirs)} differ ({where}): {how}")


def require_pyspiel() -> Any:
    """The library, or a sentence that says how to install it."""
    try:
        import pyspiel
    except ImportError:
        raise Invalid("OpenSpiel is not installed: pip install open_spiel") from None
    return pyspiel


def _sequential(game: Any) -> Any:
    """OpenSpiel's game, with moves one after the other; refused where it cannot be enumerated."""
    pyspiel = require_pyspiel()
    if isinstance(game, str):
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as error:
            reason = " ".join(str(error).split()).partition(". ")[0]
            raise Invalid(f"OpenSpiel cannot load '{game}': {reason}") from None
    if not isinstance(game, pyspiel.Game):
        raise Invalid(f"a game of OpenSpiel or its name is needed, not a {type(game).__name__}")
    kind, called = game.get_type(), _called(game)
    dynamics, information = pyspiel.GameType.Dynamics, pyspiel.GameType.Information
    if kind.dynamics not in (dynamics.SEQUENTIAL, dynamics.SIMULTANEOUS):
        raise Invalid(f"{called} is neither sequential nor simultaneous, so it has no tree")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise Invalid(f"{called} draws its chance moves without telling their odds, so it has no tree")
    all_seen = kind.information == information.PERFECT_INFORMATION and kind.dynamics == dynamics.SEQUENTIAL
    if not (kind.provides_information_state_string or all_seen):
        raise Invalid(f"{called} does not say which histories a player can tell apart")
    return pyspiel.convert_to_turn_based(game) if kind.dynamics == dynamics.SIMULTANEOUS else game


def _key(game, state, player) -> str:
    """What OpenSpiel calls a player's information set; where all is seen, the history."""
    if game.get_type().provides_information_state_string:
        return state.information_state_string(player)
    return state.history_str()


def _called(game) -> str:
    return " ".join(str(game).split())


def _mover(state) -> int:
    if state.is_terminal():
        return OVER
    return CHANCE if state.is_chance_node() else int(state.current_player())


def _who(player: int) -> str:
    return {CHANCE: "chance", OVER: "nobody"}.get(player, f"player {player}")
