"""The same random games, interpreted and compiled: what a game says must be the same to the last bit."""

import numpy as np

from .. import dice
from ..errors import Broken, Uncompilable
from ..game import CHANCE, OVER
from ..kernels import kernel
from ..trouble import ENDLESS, require_fine

VERBS = ("player or step", "actions", "view", "position", "noisy", "urgent", "promise", "skip", "by_course", "live")
PLAYER, ACTIONS, VIEW, POSITION, NOISY, URGENT, PROMISE, SKIP, BY_COURSE, LIVE = range(
    len(VERBS)
)  # the numbers of a trace
FINE = 4096.0  # promises are compared in steps of 1 / FINE
ODD = np.int64(-7046029254386353131)


@kernel
def _trace(game, games, moves, state, passed, action, chance, trace, total, random):
    """Play random games; mixes what each verb says into its number of trace, and adds payoffs to total [player]. Returns 0,
    or ENDLESS."""
    for _ in range(games):
        game.start(state)
        for made in range(moves + 1):
            player = game.player(state)
            _mix(trace, PLAYER, player)
            for seat in range(total.shape[0]):
                _mix(trace, VIEW, game.view(state, seat))
            _mix(trace, LIVE, game.live(state))
            if player == OVER:
                _mix(trace, BY_COURSE, game.by_course(state))
                break
            if made == moves:
                return ENDLESS
            if player >= 0:
                _mix(trace, POSITION, game.position(state))
                for i in range(game.noisy(state, action)):
                    _mix(trace, NOISY, action[i])
                _mix(trace, URGENT, game.urgent(state))
                passed[:] = state
                _mix(trace, SKIP, game.skip(passed))
                _mix(trace, SKIP, game.player(passed))
            count = game.actions(state, action)
            for i in range(count):
                _mix(trace, ACTIONS, action[i])
                if player >= 0:
                    _mix(trace, PROMISE, np.int64(FINE * game.promise(state, action[i])))
            if player == CHANCE:
                game.odds(state, chance)
                game.step(state, action[dice.pick(random, chance, count)])
            else:
                game.step(state, action[dice.below(random, count)])
        for seat in range(total.shape[0]):
            total[seat] += game.payoff(state, seat)
    return 0


def _mix(trace, verb, value):
    trace[verb] = (trace[verb] ^ np.int64(value)) * ODD


def compare_with_compiled(game, seed, games):
    """The same random games, interpreted and compiled: the same in every verb, to the last bit."""
    kind, shape, results = type(game).__name__, game.shape(), []
    for run in (_trace.interpreted, _trace):
        trace, total = np.zeros(len(VERBS), np.int64), np.zeros(shape.players)
        words, actions = np.zeros((2, shape.words), np.int64), np.zeros(shape.actions, np.int64)
        try:
            found = run(
                game, games, shape.moves, *words, actions, np.zeros(shape.actions), trace, total, dice.seeded(seed)
            )
        except Uncompilable as error:
            raise Broken(f"{error}") from None
        except Exception as error:
            raise Broken(f"{kind} raised {type(error).__name__} in a random game: {error}") from error
        require_fine(found, game)
        results.append(dict(zip(VERBS, trace, strict=True)) | {"payoff": total})
    for verb, said in results[0].items():
        if not np.array_equal(said, results[1][verb]):
            raise Broken(unlike(f"{kind}.{verb}", f"{games} random games"))


def unlike(method, where):
    return (
        f"{method} gives other numbers compiled than interpreted, in the same {where}; the usual causes are whole numbers "
        "beyond 64 bits, and division by 0"
    )
