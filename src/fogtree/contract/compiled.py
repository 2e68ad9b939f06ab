"""The same random games, interpreted and compiled: what a game says must be the same to the last bit."""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..errors import Broken, Uncompilable
from ..game import CHANCE, OVER
from ..kernels import kernel
from ..observation import NUMBER, observation
from ..trouble import ENDLESS, require_fine

OPTIONAL = ("position", "noisy", "urgent", "promise", "skip", "by_course", "live", "any_action", "public", "observe")
VERBS = ("player or step", "actions", "view", *OPTIONAL)
# numbers of a trace
PLAYER, ACTIONS, VIEW, POSITION, NOISY, URGENT, PROMISE, SKIP, BY_COURSE, LIVE, ANY, PUBLIC, OBSERVE = range(len(VERBS))
FINE = 4096.0  # promises and observations are compared in steps of 1 / FINE
ODD = np.int64(-7046029254386353131)


class Rules(NamedTuple):
    """Listens to nothing but the rules."""

    def hear(self, game, state, player, action, count, trace):
        pass


class Hints(NamedTuple):
    """Listens to the optional verbs as well. They are compiled only for games that have one of them."""

    state: np.ndarray  # [words] scratch
    action: np.ndarray  # [actions] scratch
    random: np.ndarray  # [4] dice of its own
    row: np.ndarray  # [numbers of an observation] scratch
    seats: int

    def hear(self, game, state, player, action, count, trace):
        _mix(trace, LIVE, game.live(state))
        _mix(trace, PUBLIC, game.public(state))
        for seat in range(self.seats):
            for i in range(len(self.row)):
                self.row[i] = 0
            game.observe(state, seat, self.row)
            for i in range(len(self.row)):
                _mix(trace, OBSERVE, np.int64(FINE * self.row[i]))
        if player == OVER:
            _mix(trace, BY_COURSE, game.by_course(state))
        if player < 0:
            return
        _mix(trace, POSITION, game.position(state))
        _mix(trace, ANY, game.any_action(state, self.action, self.random))
        for i in range(game.noisy(state, self.action)):
            _mix(trace, NOISY, self.action[i])
        _mix(trace, URGENT, game.urgent(state))
        for word in range(len(state)):  # code that copies a slice would have to count references, and compile twice
            self.state[word] = state[word]
        _mix(trace, SKIP, game.skip(self.state))
        _mix(trace, SKIP, game.player(self.state))
        for i in range(count):
            _mix(trace, PROMISE, np.int64(FINE * game.promise(state, action[i])))


@kernel
def _trace(game, listener, games, moves, state, action, chance, trace, total, random):
    """Play random games; mixes what each verb says into its number of trace, and adds payoffs to total [player]. Returns 0,
    or ENDLESS."""
    for _ in range(games):
        game.start(state)
        for made in range(moves + 1):
            player = game.player(state)
            _mix(trace, PLAYER, player)
            for seat in range(total.shape[0]):
                _mix(trace, VIEW, game.view(state, seat))
            count = 0 if player == OVER else game.actions(state, action)
            for i in range(count):
                _mix(trace, ACTIONS, action[i])
            listener.hear(game, state, player, action, count, trace)
            if player == OVER:
                break
            if made == moves:
                return ENDLESS
            if player == CHANCE:
                game.odds(state, chance)
                chosen = dice.pick(random, chance, count)
            else:
                chosen = dice.below(random, count)
            game.step(state, action[chosen])  # written once, for each place where it stands is compiled
        for seat in range(total.shape[0]):
            total[seat] += game.payoff(state, seat)
    return 0


def _mix(trace, verb, value):
    trace[verb] = (trace[verb] ^ np.int64(value)) * ODD


def compare_with_compiled(game: Any, seed: int, games: int, end: float = math.inf) -> None:
    """The same random games, interpreted and compiled: the same in every verb, to the last bit. After a time no further game
    is begun."""
    kind = type(game).__name__
    played, slow = _traced(_trace.interpreted, game, seed, games, end)
    _, fast = _traced(_trace, game, seed, played)
    for verb, said in slow.items():
        if not np.array_equal(said, fast[verb]):
            raise Broken(unlike(f"{kind}.{verb}", f"{played} random games"))


def _traced(run: Any, game: Any, seed: int, games: int, end: float = math.inf) -> tuple[int, dict[str, Any]]:
    """How many random games were played, and what each verb has said in them."""
    shape, random, played = game.shape(), dice.seeded(seed), 0
    listener: Any = Rules()
    if any(hasattr(game, verb) for verb in OPTIONAL):
        listener = Hints(
            np.zeros(shape.words, np.int64),
            np.zeros(shape.actions, np.int64),
            dice.seeded(seed),
            np.zeros(observation(game).size, NUMBER),
            shape.players,
        )
    trace, total = np.zeros(len(VERBS), np.int64), np.zeros(shape.players)
    scratch = np.zeros(shape.words, np.int64), np.zeros(shape.actions, np.int64), np.zeros(shape.actions)
    while played < games and (played == 0 or clock() < end):
        try:
            found = run(game, listener, 1, shape.moves, *scratch, trace, total, random)
        except Uncompilable as error:
            raise Broken(f"{error}") from None
        except Exception as error:
            raise Broken(f"{type(game).__name__} raised {type(error).__name__} in a random game: {error}") from error
        require_fine(found, game)
        played += 1
    return played, dict(zip(VERBS, trace, strict=True)) | {"payoff": total}


def unlike(method, where):
    return (
        f"{method} gives other numbers compiled than interpreted, in the same {where}; the usual causes are whole numbers "
        "beyond 64 bits, and division by 0"
    )
