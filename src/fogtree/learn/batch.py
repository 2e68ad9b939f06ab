"""Many games at once, stepped from outside: for people who learn to play with libraries of their own.

    games = fogtree.batch("connect-four", 65_536, device="cuda")
    while ...:
        actions = policy(games.observe(), games.mask)     # arrays of your library, by DLPack, without a copy
        games.step(actions)

Chance moves by itself, with dice of each game's own, so that somebody is always to move or the game is over. The arrays below
are rewritten by every step. On the CPU they are NumPy's; on a GPU they stay there, and CuPy, PyTorch and JAX read them as
their own (`torch.from_dlpack(games.view)`); `numpy.array(games.view)` copies them.

    player   [n]            who is to move, or OVER
    legal    [n, actions]   the legal actions, ascending, NONE behind the last
    width    [n]            how many they are
    view     [n]            the key of all that the mover has seen; 0 where the game is over
    payoff   [n, players]   what each player gets where the game is over, 0 elsewhere

    mask     [n, actions]   1 for each legal action, in int8. A column is an action where the game says how many there are
                            (`games.parts.actions`); elsewhere it is a column of `legal`, in which the action stands

`observe()` returns one more, [n, numbers] of float32: what the mover has seen, in the parts that `games.parts` names (see
`observation.py`), 0 where the game is over. Each call writes it anew, so that those who do not ask do not pay for it.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Illegal, Invalid
from ..game import CHANCE, NONE, OVER
from ..kernels.atomic import add
from ..kernels.engines import chosen, on
from ..kernels.lanes import CPU
from ..observation import NUMBER, observation
from ..text.naming import as_game
from ..trouble import ENDLESS, require_fine
from ..walk.slices import whole

BEGIN, STEP, RESTART, OBSERVE = 0, 1, 2, 3  # what lanes do
ILLEGAL, STUCK = 0, 1  # words of `wrong`


class Own(NamedTuple):
    """The scratch of a lane: its game's state and dice, which it keeps in the batch, and what chance may do."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    random: np.ndarray  # [4]
    row: np.ndarray  # [numbers]


class Games(NamedTuple):
    """Work: a lane begins its game, plays the action taken, begins again where the game is over, or says what is seen."""

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
    observation: np.ndarray  # [n, numbers]
    mask: np.ndarray  # [n, actions]
    numbered: bool  # a column of the mask is an action; otherwise it is a column of `legal`
    wrong: np.ndarray  # [2] games whose action was illegal | in which chance moves without end

    def writes(self):
        return ("wrong",)

    def lane(self, number, own):
        game, state = self.game, own.state
        for word in range(state.shape[0]):
            state[word] = self.state[number, word]
        if self.what == OBSERVE:
            self.look(number, own)
            return
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
        for a in range(self.mask.shape[1]):
            self.mask[number, a] = 0
        for a in range(count):
            column = own.choice[a] if self.numbered else a
            if column < self.mask.shape[1]:  # a user's game may say what is not so
                self.mask[number, column] = 1

    def look(self, number, own):
        """Write what the mover sees."""
        for i in range(own.row.shape[0]):
            own.row[i] = 0
        if self.player[number] != OVER:
            self.game.observe(own.state, self.player[number], own.row)
        for i in range(own.row.shape[0]):
            self.observation[number, i] = own.row[i]


def new_games(game: Any, n: int, seed: int) -> tuple[Games, Own]:
    """So many games before they begin, and the scratch of a lane."""
    shape, parts = game.shape(), observation(game)
    work = Games(
        game,
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
        np.zeros((n, parts.size), NUMBER),
        np.zeros((n, parts.actions or shape.actions), np.int8),
        parts.actions is not None,
        np.zeros(2, np.int64),
    )
    own = Own(
        np.zeros(shape.words, np.int64),
        np.zeros(shape.actions, np.int64),
        np.zeros(shape.actions),
        np.zeros(4, np.uint64),
        np.zeros(parts.size, NUMBER),
    )
    return work, own


class Batch:
    """Games of one kind side by side; see the head of this file for its arrays."""

    def __init__(self, game: Any, n: int, *, seed: int = 0, device: str = CPU, cores: int | None = None):
        self.game, self.n = as_game(game), whole(n, "the number of games", 1)
        self.parts = observation(self.game)
        try:
            made = new_games(self.game, self.n, seed)
        except (MemoryError, ValueError):  # the second of NumPy, where a number of bytes is no longer a number
            each = sum(part.nbytes for part in new_games(self.game, 1, seed)[0] if isinstance(part, np.ndarray))
            raise Invalid(
                f"{self.n:,} games do not fit in memory: one takes {each:,} bytes, so all take {self.n * each:.3g}"
            ) from None
        self._lanes = on(chosen(device, n), *made, cores=cores)
        self.device = self._lanes.device
        held = self._lanes.there
        self.player, self.legal, self.width = held.player, held.legal, held.width
        self.view, self.payoff = held.view, held.payoff
        self.mask = held.mask
        self._run(BEGIN)

    def step(self, actions: Any) -> None:
        """Play one action in each game: an array [n] of legal actions, of any library. Games that are over stay as they are.
        Where an action is illegal its game stays as it was, and the others go on; then the error says how many."""
        self._lanes.put("taken", actions)
        self._run(STEP)

    def restart(self) -> None:
        """Begin again where a game is over. Its dice go on, so that it is another game."""
        self._run(RESTART)

    def observe(self) -> Any:
        """What each mover has seen, an array [n, numbers] on the device, which the next call writes anew."""
        self._run(OBSERVE)
        return self._lanes.there.observation

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
