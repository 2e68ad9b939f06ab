"""Many games at once, stepped from outside: for people who learn to play with libraries of their own.

    games = fogtree.batch("connect-four", 65_536, device="cuda")
    while ...:
        actions = policy(games.view, games.legal)     # arrays of your library, by DLPack, without a copy
        games.step(actions)

Chance moves by itself, with dice of each game's own, so that somebody is always to move or the game is over. The arrays below
are rewritten by every step. On the CPU they are NumPy's; on a GPU they stay there, and CuPy, PyTorch and JAX read them as
their own (`torch.from_dlpack(games.view)`); `numpy.array(games.view)` copies them.

    player   [n]            who is to move, or OVER
    legal    [n, actions]   the legal actions, ascending, NONE behind the last
    width    [n]            how many they are
    view     [n]            the key of all that the mover has seen; 0 where the game is over
    payoff   [n, players]   what each player gets where the game is over, 0 elsewhere
"""

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Illegal
from ..game import CHANCE, NONE, OVER
from ..kernels.atomic import add
from ..kernels.engines import chosen, on
from ..kernels.lanes import CPU
from ..text.naming import as_game
from ..trouble import ENDLESS, require_fine
from ..walk.slices import whole

BEGIN, STEP, RESTART = 0, 1, 2  # what lanes do
ILLEGAL, STUCK = 0, 1  # words of `wrong`


class Own(NamedTuple):
    """The scratch of a lane: its game's state and dice, which it keeps in the batch, and what chance may do."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    random: np.ndarray  # [4]


class Games(NamedTuple):
    """Work: a lane begins its game, plays the action taken, or begins again where the game is over."""

    game: Any
    what: int
    moves: int  # of chance, one after the other, at most
    seed: np.ndarray  # [4]
    taken: np.ndarray  # [n]
    state: np.ndarray  # [n, words]
    random: np.ndarray  # [n, 4]
    player: np.ndarray  # [n]
    legal: np.ndarray  # [n, actions]
    width: np.ndarray  # [n]
    view: np.ndarray  # [n]
    payoff: np.ndarray  # [n, players]
    wrong: np.ndarray  # [2] games whose action was illegal | in which chance moves without end

    def writes(self):
        return ("wrong",)

    def lane(self, number, own):
        game, state = self.game, own.state
        for word in range(state.shape[0]):
            state[word] = self.state[number, word]
        for word in range(4):
            own.random[word] = self.random[number, word]
        if self.what == BEGIN:
            dice.of_lane(self.seed, number, own.random)
            game.start(state)
        elif self.what == RESTART:
            if self.player[number] != OVER:
                return
            game.start(state)
        else:
            if self.player[number] == OVER:
                return
            if not self.may(number, self.taken[number]):
                add(self.wrong, ILLEGAL, 1)
                return
            game.step(state, self.taken[number])
        left = self.moves
        while game.player(state) == CHANCE and left > 0:
            count = game.actions(state, own.choice)
            game.odds(state, own.odds)
            game.step(state, own.choice[dice.pick(own.random, own.odds, count)])
            left -= 1
        if game.player(state) == CHANCE:
            add(self.wrong, STUCK, 1)
        self.keep(number, own)

    def may(self, number, action):
        """Whether an action is among the legal ones."""
        found = False
        for a in range(self.width[number]):
            found = found or self.legal[number, a] == action
        return found

    def keep(self, number, own):
        """Write what is to be seen of a game, and what it goes on from."""
        game, state = self.game, own.state
        for word in range(state.shape[0]):
            self.state[number, word] = state[word]
        for word in range(4):
            self.random[number, word] = own.random[word]
        player = game.player(state)
        count = 0 if player == OVER else game.actions(state, own.choice)
        self.player[number] = player
        self.width[number] = count
        self.view[number] = 0 if player == OVER else game.view(state, player)
        for a in range(self.legal.shape[1]):
            self.legal[number, a] = own.choice[a] if a < count else NONE
        for each in range(self.payoff.shape[1]):
            self.payoff[number, each] = game.payoff(state, each) if player == OVER else 0.0


class Batch:
    """Games of one kind side by side; see the head of this file for its arrays."""

    def __init__(self, game: Any, n: int, *, seed: int = 0, device: str = CPU, cores: int | None = None):
        self.game, self.n = as_game(game), whole(n, "the number of games", 1)
        shape = self.game.shape()
        work = Games(
            self.game,
            BEGIN,
            shape.moves,
            dice.seeded(seed),
            np.zeros(n, np.int64),
            np.zeros((n, shape.words), np.int64),
            np.zeros((n, 4), np.uint64),
            np.zeros(n, np.int64),
            np.zeros((n, shape.actions), np.int64),
            np.zeros(n, np.int64),
            np.zeros(n, np.int64),
            np.zeros((n, shape.players)),
            np.zeros(2, np.int64),
        )
        own = Own(
            np.zeros(shape.words, np.int64),
            np.zeros(shape.actions, np.int64),
            np.zeros(shape.actions),
            np.zeros(4, np.uint64),
        )
        self._lanes = on(chosen(device, n), work, own, cores=cores)
        self.device = self._lanes.device
        held = self._lanes.there
        self.player, self.legal, self.width = held.player, held.legal, held.width
        self.view, self.payoff = held.view, held.payoff
        self._run(BEGIN)

    def step(self, actions: Any) -> None:
        """Play one action in each game: an array [n] of legal actions, of any library. Games that are over stay as they are.
        Where an action is illegal its game stays as it was, and the others go on; then the error says how many."""
        self._lanes.put("taken", actions)
        self._run(STEP)

    def restart(self) -> None:
        """Begin again where a game is over. Its dice go on, so that it is another game."""
        self._run(RESTART)

    def _run(self, what: int) -> None:
        self._lanes.change(what=what)
        self._lanes.run(0, self.n)
        self._lanes.fetch()
        wrong = self._lanes.work.wrong
        illegal, stuck = (int(number) for number in wrong)
        if stuck:
            require_fine(ENDLESS, self.game)
        if illegal:
            self._lanes.change(wrong=np.zeros(2, np.int64))
            raise Illegal(f"in {illegal} of {self.n} games the action is not legal: see `legal` and `width`")


def batch(game: Any, n: int, *, seed: int = 0, device: str = CPU, cores: int | None = None) -> Batch:
    """`n` games at once on a device, "cpu" (on as many cores, None for all), "cuda" or "auto": see `Batch`."""
    return Batch(game, n, seed=seed, device=device, cores=cores)
