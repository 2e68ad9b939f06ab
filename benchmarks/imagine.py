"""Hidden states that are imagined, a second, against enumerating them: what matches of a large game spend on beliefs.

One player goes through MATCHES matches of random moves and needs WORLDS states at each decision. They are imagined from the
true state, one after the other. Or a belief follows the match: it enumerates all states that fit and keeps at most its cap
of them, but walks through all, as it does in games without `imagine`. Both are credited with the states that were needed.

Where few states fit, as in Phantom Tic-Tac-Toe, enumerating is quicker, and agents enumerate: that line has no bar.
"""

from typing import Any, NamedTuple

import numpy as np

import fogtree
from fogtree import OVER, Belief, dice
from fogtree.game import legal, new_state
from fogtree.search.worlds.belief import imagine_each
from row import Row, rates

WORLDS, MATCHES = 1_000, 8
BARS = {"Goofspiel-13": 5}
GAMES = {
    "Goofspiel-13": fogtree.Goofspiel(13),
    "Phantom Tic-Tac-Toe": fogtree.PhantomTicTacToe(),
}


def measure() -> list[Row]:
    rows = []
    for name, game in GAMES.items():
        matches = [decisions(game, seed) for seed in range(MATCHES)]
        found = rates({"ours": imagining(game, matches), "belief": enumerating(game, matches)}, rounds=3)
        ratio = found["ours"] / found["belief"]
        rows.append(
            Row(name, found["ours"], found["belief"], ratio, BARS.get(name), "states/s", "a belief, enumerated")
        )
    return rows


def decisions(game: Any, seed: int) -> list[tuple[np.ndarray, int, int]]:
    """What player 0 has to decide in a match of random moves: the true state, the view and the action."""
    random, state, found = np.random.default_rng(seed), new_state(game), list[tuple[np.ndarray, int, int]]()
    with np.errstate(over="ignore"):
        while (player := int(game.player(state))) != OVER:
            action = int(random.choice(legal(game, state)))
            if player == 0:
                found.append((state.copy(), int(game.view(state, 0)), action))
            game.step(state, action)
    return found


def imagining(game, matches):
    random = dice.seeded(1)

    def work():
        for match in matches:
            for state, _, _ in match:
                imagine_each(game, np.repeat(state[None], WORLDS, axis=0), 0, random)
        return WORLDS * sum(map(len, matches))

    return work


def enumerating(game, matches):
    plain = without_imagine(game)

    def work():
        for match in matches:
            belief = Belief(plain, 0)
            for _, view, action in match:
                belief.observe(view)
                belief.acted(view, action)
        return WORLDS * sum(map(len, matches))

    return work


def without_imagine(game: Any) -> Any:
    """The same game, made anew without the method."""
    methods = {name: method for name, method in vars(type(game)).items() if callable(method) and name[0] != "_"}
    del methods["imagine"]
    made = type("Plain", (NamedTuple("Plain", [(field, Any) for field in game._fields]),), methods)
    return made(*game)
