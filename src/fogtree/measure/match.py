"""The referee: plays one game between agents. It alone holds the state; an agent gets the sight of its seat.

Chance and the agents draw from seeds of their own, so a match can be played again; its moves are the record.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..agents import Agent, Sight
from ..errors import Broken, Illegal, Invalid
from ..game import CHANCE, OVER, REFEREE, label, legal, new_state, odds, read


class Move(NamedTuple):
    player: int  # or CHANCE
    action: int
    label: str


class Match(NamedTuple):
    """How a game went."""

    payoffs: tuple[float, ...]  # [player]
    moves: tuple[Move, ...]
    end: str  # the last state as the referee sees it


def play(game: Any, agents: Sequence[Agent], *, seed: int = 0) -> Match:
    """Play one game, an agent a seat; the seed is chance's."""
    players, most = game.shape().players, game.shape().moves
    if len(agents) != players:
        raise Invalid(f"the game has {players} seats, so it needs {players} agents, not {len(agents)}")
    random = dice.seeded(seed)
    moves: list[Move] = []
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        state = new_state(game)
        while (player := int(game.player(state))) != OVER:
            if len(moves) >= most:
                raise Broken(f"{type(game).__name__}.player goes on after {most} moves, the most that shape() allows")
            if player == CHANCE:
                chances = odds(game, state)
                action = legal(game, state)[dice.pick(random, chances, len(chances))]
            else:
                action = _ask(agents[player], game, state, player)
            moves.append(Move(player, action, label(game, state, action)))
            game.step(state, action)
        payoffs = tuple(float(game.payoff(state, seat)) for seat in range(players))
        return Match(payoffs, tuple(moves), show(game, state, REFEREE))


def sight(game: Any, state: np.ndarray, seat: int) -> Sight:
    """What the player to move may know."""
    actions = tuple(legal(game, state))
    labels = tuple(label(game, state, action) for action in actions)
    return Sight(game, seat, int(game.view(state, seat)), actions, labels, show(game, state, seat))


def show(game: Any, state: np.ndarray, player: int) -> str:
    """What a player sees, or the REFEREE: the game's own picture, or the bare key or state where it has none."""
    if hasattr(game, "show"):
        return game.show(state, player)
    return f"state: {state.tolist()}" if player == REFEREE else f"view: {int(game.view(state, player))}"


def _ask(agent: Agent, game: Any, state: np.ndarray, player: int) -> int:
    seen = sight(game, state, player)
    while True:
        try:
            answer = agent.act(seen)
            if isinstance(answer, str):
                return read(game, state, answer)
            if answer in seen.actions:
                return int(answer)
            raise Illegal(f"{answer} is not a legal action here: choose from {', '.join(map(str, seen.actions))}")
        except Illegal as error:
            if not hasattr(agent, "refused"):
                raise Illegal(f"player {player}, {type(agent).__name__}: {error}") from None
            agent.refused(str(error))
