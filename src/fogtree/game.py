"""What a game is.

A game is a `NamedTuple` with plain methods. Its state is a row of 64-bit integers that the game alone understands;
methods change it in place. The verbs, in the order in which a game is played:

    shape()                 how large things get: see Shape
    start(state)            writes the first state (into zeros or into any old state)
    player(state)           who moves: 0, 1, ..., or CHANCE, or OVER
    actions(state, out)     writes the legal actions, ascending, and returns how many
    odds(state, out)        at a chance node, the probability of each of these actions
    step(state, action)     plays one action, in place
    payoff(state, player)   the utility of a player when the game is over
    view(state, player)     a 64-bit key of all that the player has seen so far, own actions included

Two states with the same view cannot be told apart by that player: information sets are equal views. `view` is the only
place where hiding happens. Players never forget (perfect recall): `fogtree.check` walks a game and says where it breaks
this or any other rule.

A game may know more than its rules. Each of these verbs is optional, and any game may have it:

    side_of(player)         which players play together: a number that partners share, and payoffs are equal within a side.
                            Without it, each player is a side of their own.
    position(state)         a 64-bit key of the position, equal where different courses of moves meet: for transposition
                            tables. Without it, who is to move and that player's view.
    noisy(state, out)       writes the legal actions, such as captures in chess, after which an evaluation is not yet
                            reliable, so that a search must look further; returns how many. Without it, none.
    urgent(state)           whether the position cannot be judged before the mover has answered a threat, as a check in
                            chess: a search looks one move deeper there, and tries all moves. A function of the position
                            alone. Without it, never.
    promise(state, action)  how good an action looks at first sight; a search tries larger ones earlier. Without it, 0.
    by_course(state)        where the game is over: whether its course ended it (a position repeated, too many quiet moves)
                            and not the position alone. Such an end is not kept in a transposition table. Without it, no.
    skip(state)             lets the mover pass, although the rules may forbid it, and returns whether that is likely to be
                            worse than the best move; where it is not, the state is left as it was. Without it, it never is.
    live(state)             how many words of the state matter: what stands behind them need not be copied. Without it, all.
    any_action(state, out, random)
                            one of the mover's legal actions, each equally likely, by one throw of the dice: the action whose
                            number among them, ascending, is `dice.below(random, count)`. `out` is scratch. For random games,
                            where that is faster than to list all of them. Without it, they are listed.
    imagine(state, player, random)
                            rewrites the state into one drawn from those that the player, who is to move, cannot tell from
                            it, each equally likely or by the odds of chance and of others who play at random: for games
                            too large to enumerate these states. It is a function of the player's view and of the dice
                            alone: two states with the same view and the same dice give the same imagined state. So it
                            cannot leak what is hidden, and `check` proves it. A game that cannot keep all that a player
                            has seen may draw from more states, and says from which, but never from fewer: the true
                            state stays possible
    forget(state, player)   where the game has `position`, and the player is to move: forgets by which course the position
                            came, so that states of a belief in which the position is the same can be kept as one. The
                            position, the player's view and what may follow stay, save that an end which rests on the course
                            of the game may come later or not at all. The others are taken to know the position: their views
                            become functions of it. Without it, states of a belief are never merged
    public(state)           a 64-bit key of what all players have seen in common, as open cards and bets, or of nothing but
                            how far the game is. Whoever is to move knows it: two states that the mover cannot tell apart
                            have the same key. And it tells all keys before it. So what follows a public key is a
                            subgame, which can be solved alone (`transforms/subgame.py`). Without it, nothing is public;
                            `transforms/published.py` finds the keys of a small game.
    symmetries()            how many boards look alike: that many ways, with the first that leaves all as it is, to turn or
                            mirror the board so that the game stays the same. Taken one after the other, two of them make a
                            third. Then also:
    turn(state, which)      turns the board, in place; a board that looks as before to every player is the same state
    turned(view, player, which)
                            the view that the player then has
    moved(action, which)    where it takes an action of a player; those of chance stay. A game that knows this is solved up
                            to its symmetries (`transforms/symmetric.py`), in a fraction of the time. Without it, none
    observe(state, player, out)
                            writes what the player sees as a row of numbers, for programs that learn; `observation()` says
                            what they are (see `observation.py`). A function of the view: `check` proves it. Without it,
                            the bits of the view

Only Python calls the rest: `show(state, player)` (what the player sees, as text; REFEREE sees all), `draw(state, player)` and
`path(state, action)` (the same as a picture, see `shapes.py`), `label(state, action)`, `who(player)` (a name: White),
`ending(state)` (why a game that is over has ended, in a few words, as mate), `heard(state, action, player)` (what a player
hears when somebody else plays an action, or "": a function of what the player sees at their next move), `read(state, text)`,
`notation(state)` and `from_notation(text, state)` (a state as a text and back, as FEN is in chess), `playout_policy()`,
`prior_policy()` and `evaluation()` (what agents use when they search the game, see `policy.py` and `evaluation.py`),
`features()` (what learned evaluations of it are made of, see `evaluation.py`), `endings(which)` (positions that are numbered
for endgame tables, see `endings.py`), `reduced()` (an equal game with fewer actions, see `solvers/forms/reduction.py`),
`open_twin()` (the same game with nothing hidden, see `search/worlds/sampler.py`), `hidden_choices()` (where two players
choose in rounds and see nothing of each other: rounds, actions of player 0, actions of player 1, see `search/selfplay.py`),
`simultaneous()` (True where all players choose at the same time: they are asked in their order, and nobody sees a choice
before all have chosen), `public_cards()` (in poker, see `solvers/public/cards.py`), and `version()`, a number raised when the
rules change. A game without chance needs no `odds`.
"""

import enum
import hashlib
from typing import Any, NamedTuple, Protocol

import numpy as np

from . import dice
from .errors import Illegal
from .kernels import native, optional
from .kernels.source import code_digest

CHANCE, OVER, REFEREE = -1, -2, -3
NONE = -1  # nothing: no action, no number of a row, no parent
ROOM = 1 << 57  # keys below it take one more symbol of a radix up to 64, and still fit in 63 bits
NARROW, MOST = 64, (1 << 63) - 1  # that radix | the largest key
MOVERS = 256  # more players than a game may have
VERBS = ("shape", "start", "player", "actions", "step", "payoff", "view")  # that every game needs
RULES = (*VERBS[:4], "odds", *VERBS[4:], "side_of")  # that decide a game, in the order in which digests take them
HASHED = -(1 << 63)  # the top bit marks a key that no longer fits and is a hash


class Shape(NamedTuple):
    """How large a game gets. Bounds may be generous, except that payoffs are scaled by low and high."""

    players: int
    words: int  # in a state
    actions: int  # at one node, at most
    moves: int  # in one game, chance's included, at most
    low: float  # payoffs lie in [low, high]
    high: float
    zero_sum: bool = True  # the players' payoffs sum to 0 at every end
    open: bool = False  # nothing is hidden: whoever is to move can always tell where they are


class Game(Protocol):
    """The verbs as types, for people and for mypy; a game need not name this class."""

    def shape(self) -> Shape: ...
    def start(self, state: np.ndarray) -> None: ...
    def player(self, state: np.ndarray) -> int: ...
    def actions(self, state: np.ndarray, out: np.ndarray) -> int: ...
    def step(self, state: np.ndarray, action: int) -> None: ...
    def payoff(self, state: np.ndarray, player: int) -> float: ...
    def view(self, state: np.ndarray, player: int) -> int: ...


def seen(key, symbol, radix):
    """The key of a view after one more observation, a symbol in 0..radix-1, radix from 2 to 2^31. Start a view at 1.

    Different lists of observations have different keys if all symbols have one radix, or if the number of symbols before it
    decides the radix of a symbol. The symbols themselves may decide what comes next, a card or a bet, only if all radices are
    powers of two: then a key is a row of bits, which can be read from its first symbol on. With other radices that are mixed
    by what happens, two different lists can have the same key; `fogtree check` finds such a game.

    This holds as long as one more symbol surely fits: up to 57 bits where the radix is at most 64, up to fewer where it is
    larger. From there on keys are hashes, which collide with a chance of about n^2 / 2^64 among n views.
    """
    if 0 < key < (ROOM if radix <= NARROW else MOST // radix):
        return np.int64(key * radix + symbol)
    mixed = np.int64(key) ^ (np.int64(symbol + 1) * np.int64(-7046029254386353131))
    mixed = (mixed ^ (mixed >> np.int64(32))) * np.int64(-4658895280553007687)
    mixed = (mixed ^ (mixed >> np.int64(29))) * np.int64(-7723592293110705685)
    return (mixed ^ (mixed >> np.int64(32))) | np.int64(HASHED)


def symbols(key: int, radix: int) -> list[int]:
    """The observations that an exact key of this radix is made of, from the first to the last."""
    found: list[int] = []
    while key > 1:
        key, symbol = divmod(key, radix)
        found.append(symbol)
    return found[::-1]


def mover_sees(game, state):
    """A key of what the player to move has seen, and of who that is: views of different players may have the same key."""
    player = game.player(state)
    return seen(game.view(state, player), player, MOVERS)


# What stands in for the verbs that a game does not have.
optional("odds", lambda game, state, out: None)  # never called: there are no chance nodes
optional("side_of", lambda game, player: player)
optional("position", mover_sees)
optional("noisy", lambda game, state, out: 0)
optional("urgent", lambda game, state: False)
optional("promise", lambda game, state, action: 0.0)
optional("by_course", lambda game, state: False)
optional("skip", lambda game, state: False)
optional("any_action", lambda game, state, out, random: out[dice.below(random, game.actions(state, out))])
optional("public", lambda game, state: 0)
optional("live", lambda game, state: state.shape[0])


# --- for people and for tests: one state at a time, in plain Python --------------------------------------------


def new_state(game: Game) -> np.ndarray:
    """A first state."""
    state = np.zeros(game.shape().words, np.int64)
    game.start(state)
    return state


def legal(game: Game, state: np.ndarray) -> list[int]:
    """The legal actions of a state; none when the game is over."""
    if game.player(state) == OVER:
        return []
    out = np.zeros(game.shape().actions, np.int64)
    return [int(action) for action in out[: game.actions(state, out)]]


def odds(game: Any, state: np.ndarray) -> list[float]:
    """The probabilities of the legal actions of a chance node."""
    out = np.zeros(game.shape().actions)
    count = len(legal(game, state))
    game.odds(state, out)
    return [float(p) for p in out[:count]]


def sides(game: Any) -> tuple[int, ...]:
    """[player] the side that each player is on."""
    players = range(game.shape().players)
    return tuple(int(game.side_of(player)) for player in players) if hasattr(game, "side_of") else tuple(players)


def identity(game: Any) -> str:
    """Which game this is, whatever it is called: its class, its parameters and the version of its rules. The rules of a
    user's own game are known by a digest of their code as well, for who edits them may forget to raise the version."""
    fields = (f"{field}={_brief(value)}" for field, value in zip(game._fields, game, strict=True))
    version = game.version() if hasattr(game, "version") else 0
    kind: Any = type(game)
    code = "" if native(kind) or not hasattr(game, "step") else f", code {code_digest(kind, RULES)}"
    return f"{type(game).__name__}({', '.join(fields)}), rules version {version}{code}"


def _brief(value: Any) -> str:
    if isinstance(value, Shape):  # whether it is open follows from the rest, and identities are older than the question
        return f"Shape({', '.join(f'{field}={part!r}' for field, part in value._asdict().items() if field != 'open')})"
    if isinstance(value, np.ndarray):
        return hashlib.sha256(repr(value.shape).encode() + value.tobytes()).hexdigest()[:16]
    if isinstance(value, tuple) and hasattr(value, "_fields") and not native(type(value)):  # a game inside a game
        return f"{value!r} with code {code_digest(type(value), RULES if hasattr(value, 'step') else None)}"
    return value.name.lower() if isinstance(value, enum.Enum) else repr(value)


def label(game: Any, state: np.ndarray, action: int) -> str:
    """An action's name: the game's own, or its number."""
    return game.label(state, action) if hasattr(game, "label") else str(action)


def who(game: Any, player: int) -> str:
    """What a player is called: by the game, or by the number."""
    return str(game.who(player)) if hasattr(game, "who") else f"player {player}"


def ending(game: Any, state: np.ndarray) -> str:
    """Why the game has ended, where it says so."""
    return str(game.ending(state)) if hasattr(game, "ending") else ""


def heard(game: Any, state: np.ndarray, action: int, player: int) -> str:
    """What a player hears of an action of somebody else: in an open game its name, else what the game says, or nothing."""
    if game.shape().open:
        return label(game, state, action)
    return str(game.heard(state, action, player)) if hasattr(game, "heard") else ""


def images(game: Any, player: int, view: int, action: int) -> list[tuple[int, int]]:
    """The views and actions that a decision has on the turned and mirrored boards, where the game knows its symmetries."""
    boards = range(1, game.symmetries() if hasattr(game, "symmetries") else 1)
    return [(int(game.turned(view, player, which)), int(game.moved(action, which))) for which in boards]


def show(game: Any, state: np.ndarray, player: int) -> str:
    """What a player sees, or the REFEREE: the game's own text, or the bare key or state where it has none."""
    if hasattr(game, "show"):
        return game.show(state, player)
    return f"state: {state.tolist()}" if player == REFEREE else f"view: {int(game.view(state, player))}"


def read(game: Any, state: np.ndarray, text: str) -> int:
    """The legal action that a person typed: by the game's own reader, by its label, or by its number."""
    text = text.strip()
    actions = legal(game, state)
    if hasattr(game, "read"):
        action = game.read(state, text)
        if action in actions:
            return action
    else:
        named = {label(game, state, action).lower(): action for action in actions}
        if text.lower() in named:
            return named[text.lower()]
        if text.isdecimal() and int(text) in actions:
            return int(text)
    choices = ", ".join(label(game, state, action) for action in actions)
    told = f"'{text}' is not a legal action here" if text else "an action is needed"
    raise Illegal(f"{told}: choose from {choices}")
