"""Play a saved spot against its solution, hand after hand, and hear what each decision cost."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arena import agents
from ..arena.agents import HumanAgent
from ..arena.noticing import News
from ..arena.referee import play
from ..errors import Invalid
from ..game import new_state
from ..games.spot.history import history
from ..games.spot.ranges import spelled_hand
from ..games.spot.rules import SHORT, won_or_lost
from ..solvers.public.hand_costs import decision_costs
from ..solvers.public.hand_solution import HandSolution, load_hands
from .screen.spotted import cost_table

SOLUTION = ("solution", "perfect")  # names of the opponent that plays the saved spot itself
END = ("q", "quit", "n", "no")


def play_spot(
    path: str, against: str, player: int, seed: int, ask: Callable[[str], str], tell: Callable[[Any], Any]
) -> None:
    """Deal hands from the ranges until the person has enough. `ask` reads a line and raises EOFError where there is none."""
    found = load_hands(path)
    game: Any = found.game
    if player not in (0, 1):
        raise Invalid(f"there is no player {player}: 0 is out of position, 1 in position")
    other = 1 - player
    by_solution = against in SOLUTION
    tell(
        f"You are {SHORT[player]}, against {'the solution' if by_solution else against}. The solution is exploitable by "
        f"{found.percent:.3g} % of the pot, so smaller costs than {found.exploitable:.2g} chips are none. "
        f"The first pot of {game.pot:g} is nobody's yet: you win what you get out of the pot, less what you put in. "
        "Type ? for help."
    )
    lost, won, hands = 0.0, 0.0, 0
    try:
        while True:
            news = News(game, player)
            person = HumanAgent(ask, lambda text: tell(text), news.read)
            guest = agents.load_agent(against, seed, hands, other) if not by_solution else None
            opponent = guest or agents.SolvedAgent(found, seed, hands, other)
            agents.require_fit(opponent, game)
            seats = [person, opponent] if player == 0 else [opponent, person]
            dealt = int(np.random.SeedSequence((seed, hands)).generate_state(1)[0])
            played = play(game, seats, seed=dealt, look=news.look)
            hands += 1
            now = played.payoffs[player] + game.pot / 2  # a payoff takes half of the first pot as put in
            won += now
            lost += _tell_end(found, played, player, tell)
            count = "1 hand" if hands == 1 else f"You {won_or_lost(now)}. {hands} hands"
            tell(f"{count}: you {won_or_lost(won)}; your decisions cost {lost:.2f} in all.")
            if ask("another hand? (Enter, or q to end): ").strip().lower() in END:
                break
    except EOFError:
        tell("\nstopped")
    if hands:
        tell(f"--seed {seed} deals the same hands again")


def _tell_end(found: HandSolution, played: Any, player: int, tell: Callable[[Any], Any]) -> float:
    """The hand history and what each decision of the person cost; returns the sum."""
    game: Any = found.game
    state = new_state(game)
    for move in played.moves:
        game.step(state, move.action)
    tell("\n" + history(game, state))
    if played.forfeit:
        tell(f"{SHORT[played.forfeit.player]} forfeits: {played.forfeit.reason}")
    costs = decision_costs(found, state, player)
    if costs:
        tell("")
        tell(cost_table(game, f"what your decisions with {spelled_hand(costs[0].hand)} cost, in chips", costs))
    return sum(cost.loss for cost in costs if np.isfinite(cost.loss))
