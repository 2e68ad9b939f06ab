"""The referee: plays one game between agents. It alone holds the state; an agent gets the sight of its seat.

Chance and the agents draw from seeds of their own, so a match can be played again; its moves are the record, and `replay`
walks through them. An agent that raises, answers with an illegal action or takes too long forfeits: its seat gets the lowest
payoff of the game, the others the highest, the reason is kept, and whoever asked for the match goes on.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Broken, FogtreeError, Illegal, Invalid
from ..game import CHANCE, OVER, REFEREE, label, legal, new_state, odds, read
from .agents import Agent, Sight


class Move(NamedTuple):
    player: int  # or CHANCE
    action: int
    label: str


class Forfeit(NamedTuple):
    seat: int
    reason: str


class Match(NamedTuple):
    """How a game went."""

    payoffs: tuple[float, ...]  # [player]
    moves: tuple[Move, ...]
    end: str  # the last state as the referee sees it
    forfeit: Forfeit | None = None


def play(game: Any, agents: Sequence[Agent], *, seed: int = 0, seconds: float | None = None) -> Match:
    """Play one game, an agent a seat; the seed is chance's. `seconds` is the most that an agent may take for a move."""
    shape = game.shape()
    if len(agents) != shape.players:
        raise Invalid(f"the game has {shape.players} seats, so it needs {shape.players} agents, not {len(agents)}")
    for agent in agents:
        if hasattr(agent, "fresh"):
            agent.fresh()
    random = dice.seeded(seed)
    moves: list[Move] = []
    forfeit = None
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        state = new_state(game)
        while forfeit is None and (player := int(game.player(state))) != OVER:
            if len(moves) >= shape.moves:
                raise Broken(f"{type(game).__name__}.player goes on after {shape.moves} moves, the most shape() allows")
            if player == CHANCE:
                chances = odds(game, state)
                action = legal(game, state)[dice.pick(random, chances, len(chances))]
            else:
                began = time.perf_counter()
                answer = _ask(agents[player], game, state, player)
                took = time.perf_counter() - began
                if isinstance(answer, Forfeit):
                    forfeit = answer
                    break
                action = answer
                if seconds is not None and took > seconds:
                    forfeit = Forfeit(player, f"took {took:.3g} s for a move, {seconds:.3g} s are allowed")
                    break
            moves.append(Move(player, action, label(game, state, action)))
            game.step(state, action)
        if forfeit:
            payoffs = tuple(shape.low if seat == forfeit.seat else shape.high for seat in range(shape.players))
        else:
            payoffs = tuple(float(game.payoff(state, seat)) for seat in range(shape.players))
        return Match(payoffs, tuple(moves), show(game, state, REFEREE), forfeit)


def replay(game: Any, moves: Sequence[Move]) -> list[np.ndarray]:
    """The states of a recorded match, the first and the last included."""
    with np.errstate(over="ignore"):
        states = [new_state(game)]
        for number, move in enumerate(moves, 1):
            state = states[-1].copy()
            if game.player(state) != move.player or move.action not in legal(game, state):
                raise Illegal(
                    f"move {number} of the record, {move.label} by player {move.player}, is not possible here"
                )
            game.step(state, move.action)
            states.append(state)
    return states


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


def _ask(agent: Agent, game: Any, state: np.ndarray, player: int) -> int | Forfeit:
    """The agent's action. One that can be told (`refused`) is asked again after an illegal answer, others forfeit."""
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
                return Forfeit(player, f"{type(agent).__name__}: {error}")
            agent.refused(str(error))
        except (FogtreeError, EOFError):
            raise  # a bad parameter or a person who leaves: not the agent's fault
        except Exception as error:
            return Forfeit(player, f"{type(agent).__name__} raised {type(error).__name__}: {error}")
