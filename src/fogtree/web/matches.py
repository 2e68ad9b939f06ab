"""A match in a worker: the referee's own loop, with a person's seat that waits for the browser.

What it tells the server before the match is over is what the person's seat sees, at the person's own moves and right after
them, and nothing between: not even how often the others have moved, for in some games a player must not know that. All
positions can be asked for when the match is over, when the person has asked to reveal it, and in matches without a person.
"""

import queue
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..arena.agents import name
from ..arena.agents.person import completed
from ..arena.referee import Match, MatchState, Move, play
from ..arena.sight import Resigned, Sight
from ..draw.board import Look, is_board, picture
from ..errors import Illegal, Invalid
from ..game import CHANCE, OVER, ending, heard, new_state, read, show
from ..text.notation import Course, from_notation, notation
from . import reveal
from .offer import Choice, Offer
from .telling import called


class TakenBack(EOFError):
    """The person has taken a move back; the match goes on from an earlier position."""

    def __init__(self, course: Course):
        super().__init__()
        self.course = course


class Resigns:
    """What a person answers who gives the match up."""


class Told(NamedTuple):
    """What an agent thought at a move."""

    mix: dict[str, float]  # by label
    iterations: int  # made at this move
    value: dict[str, float]  # by label, the mean payoff of the simulations that began so; empty where it is not kept
    found: dict[str, float]  # by label, what the search found, where something else was made of it; else empty
    fitting: int  # states that the agent believed possible


class Person:
    """The seat of a person."""

    def __init__(self, job: "MatchJob"):
        self.job = job

    def act(self, sight: Sight) -> int:
        return self.job.await_move(sight)


class WatchedAgent:
    """An agent at the table; what it thinks at each move is kept under the number of the move."""

    def __init__(self, agent: Any, job: "MatchJob"):
        self.agent, self.job, self.name = agent, job, name(agent)
        if hasattr(agent, "follow"):
            self.follow = agent.follow

    def fresh(self) -> None:
        if hasattr(self.agent, "fresh"):
            self.agent.fresh()

    def act(self, sight: Sight) -> int | str:
        search = getattr(self.agent, "search", None)
        before = getattr(search, "iterations", 0)
        answer = self.agent.act(sight)
        if thoughts := getattr(self.agent, "thoughts", None):
            self.job.thoughts[len(self.job.moves)] = self._told(sight, thoughts[-1], search, before)
        if hasattr(self.agent, "range"):
            self.job.ranges[len(self.job.moves)] = self.agent.range()
        return answer

    def _told(self, sight: Sight, thought: Any, search: Any, before: int) -> Told:
        """A thought, with the iterations of this move alone where the tree was kept, and with values where it has them."""
        now: Any = getattr(self.agent, "search", None)
        kept = before if now is not None and now is search and thought.iterations else 0
        found = now.means(sight.player, sight.view) if hasattr(now, "means") else None
        shape, names = sight.game.shape(), dict(zip(sight.actions, sight.labels, strict=True))
        value = {
            names[action]: shape.low + (shape.high - shape.low) * mean
            for action, mean in (found or {}).items()
            if action in names
        }
        return Told(thought.mix, thought.iterations - kept, value, thought.found, thought.states)


class MatchJob:
    """One match. `seats` has a choice for each player, None for the person."""

    def __init__(self, tell: Callable[..., None], offer: Offer, *, game: list[str], seats: list, seed: int, start: str):
        self.tell, self.seed = tell, seed
        self.game: Any = offer.checked_game(*game)
        self.players = self.game.shape().players
        if len(seats) != self.players:
            raise Invalid(f"the game has {self.players} players, so it needs {self.players} seats, not {len(seats)}")
        self.me = seats.index(None) if None in seats else None
        self.start = from_notation(self.game, start) if start else None
        self.seats = [
            Person(self) if seat is None else WatchedAgent(offer.agent(Choice(*seat), self.game, seed, 1, who), self)
            for who, seat in enumerate(seats)
        ]
        self.revealed = self.me is None
        self.states: list[np.ndarray] = []  # after so many moves
        self.moves: list[Move] = []
        self._heard: list[str] = []  # of each move, as far as it was asked
        self.thoughts: dict[int, Any] = {}  # by the number of moves before
        self.ranges: dict[int, Any] = {}  # the same: states and weights that an agent searched with
        self.match: Match | None = None
        self._shown: Any = None  # what the person was shown last: state, actions, look
        self.flipped = False  # whether the person looks from the other side
        self.turn = 0  # how many decisions the person has had
        self.sight: Sight | None = None  # the one at hand
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._reader = reveal.Reader(self)

    # --- the main thread: the match ---

    def run(self) -> None:
        names = [called(self.game, player) for player in range(self.players)]
        self.tell(busy=True, status="waiting", open=self.revealed, me=self.me, names=names)
        start = self.start
        self.states = self._before()
        while self.match is None:  # each turn is a match that ends, or a move that a person takes back
            try:
                self.match = play(self.game, self.seats, seed=self.seed, start=start, look=self.look)
            except TakenBack as back:
                start = back.course
        with np.errstate(over="ignore"):
            self._tell_end(self.match)

    def _before(self) -> list[np.ndarray]:
        """The states before each of the moves that led to where the match begins, where they are known."""
        state, found = new_state(self.game), []
        with np.errstate(over="ignore"):
            for _, action in self.start.moves if self.start else ():
                found.append(state.copy())
                self.game.step(state, action)
        return found

    def look(self, table: MatchState) -> None:
        """The referee has made a move, or is about to make the first one."""
        count = len(table.moves)
        self.states[count:] = [table.state.copy()]
        self.moves[:] = table.moves
        del self._heard[max(0, count - 1) :]  # a move may have been taken back
        if self.me is None:
            self.tell(steps=count, busy=True)
        elif self.revealed:
            self.tell(steps=count)
        if self.me is not None and (not count or self.moves[-1].player == self.me):
            self.tell(**self._seen(table.state, []), status="waiting", busy=True)

    def await_move(self, sight: Sight) -> int:
        """The person is to move: tell what they see, and wait for an answer."""
        state = self.states[-1]
        self.turn += 1
        self.sight = sight
        actions = [[action, said] for action, said in zip(sight.actions, sight.labels, strict=True)]
        facts = {"actions": actions, "turn": self.turn, "undo": self._can_undo(), "status": "yours", "busy": False}
        self.tell(**(self._seen(state, list(sight.actions)) | facts))
        answer = self._answers.get()
        if isinstance(answer, Course):
            raise TakenBack(answer)
        if isinstance(answer, Resigns):
            raise Resigned
        return answer

    def _seen(self, state: np.ndarray, actions: list[int]) -> dict[str, Any]:
        """What the person's seat sees."""
        assert self.me is not None
        with np.errstate(over="ignore"):
            self._shown = state.copy(), actions, Look(toward=self.me, last=self._last())
            facts: dict[str, Any] = {
                "board": self._board(),
                "text": show(self.game, state, self.me),
                "actions": [],
                "log": self._log(),
            }
            facts["boarded"] = is_board(self.game, state, self.me)
            if self.game.shape().open or self.match is not None:
                facts |= {"where": self._where(), "openly": self.game.shape().open}
        return facts

    def _board(self) -> str:
        """The board that the person was shown last; after the end with all that was hidden."""
        state, actions, look = self._shown
        return picture(self.game, state, None if self.match else self.me, actions, look._replace(flipped=self.flipped))

    def _where(self) -> str:
        """The position in the game's notation."""
        return notation(self.game, Course(self.states[-1], tuple((move.player, move.action) for move in self.moves)))

    def _known(self, number: int) -> str:
        """What the person knows of a move: their own, and what they hear of others. It is asked once for each move, so that
        a move costs the same late in a match as at its beginning."""
        for now in range(len(self._heard), number + 1):
            move, mine = self.moves[now], self.moves[now].player == self.me
            said = move.label if mine else heard(self.game, self.states[now], move.action, self.me or 0)
            self._heard.append(said)
        return self._heard[number]

    def _log(self) -> list[list[Any]]:
        """The moves that the person may know, as [player, words]. After the end, all."""
        if self.match is not None:
            return [[move.player, move.label] for move in self.moves]
        known = ((move.player, self._known(number)) for number, move in enumerate(self.moves))
        return [[player, said] for player, said in known if said]

    def _last(self) -> tuple[str, ...]:
        """The places of the last move that the person knows of."""
        for number in reversed(range(len(self.moves)) if hasattr(self.game, "path") else ()):
            if self.match is not None or self._known(number):
                return self._places(number)
        return ()

    def _places(self, number: int) -> tuple[str, ...]:
        ends = self.game.path(self.states[number], self.moves[number].action) if hasattr(self.game, "path") else None
        return tuple(ends[:2]) if ends else ()

    def _can_undo(self) -> bool:
        """Whether a move can be taken back: only in an open game without chance, so that the person learns nothing by it,
        and only in a match from the start of the game, because moves before it are not known."""
        movers = {move.player for move in self.moves}
        return self.start is None and self.game.shape().open and self.me in movers and CHANCE not in movers

    def _tell_end(self, match: Match) -> None:
        self.revealed = True
        decided = [number for number, move in enumerate(self.moves) if move.player != CHANCE]
        facts: dict[str, Any] = {"payoffs": match.payoffs, "seed": self.seed, "steps": len(self.moves)}
        facts |= {"begin": decided[-1] if decided else 0, "ending": "", "range": list(self.game.shape()[4:6])}
        if match.forfeit:
            facts["forfeit"] = [match.forfeit.player, match.forfeit.reason, match.forfeit.resigned]
        else:
            facts["ending"] = ending(self.game, self.states[-1])
        if self.me is not None:
            facts |= self._seen(self.states[-1], [])
        moves = [[move.player, move.label] for move in self.moves]
        self.tell(**facts, moves=moves, open=True, status="over", undo=False, finished=True)

    # --- the other thread: questions ---

    def ask_move(self, turn: int, action: int | None = None, text: str = "") -> bool:
        """The person's move, by its number or as a text."""
        sight = self.sight
        if self.match is not None:
            raise Invalid("the game is over")
        if sight is None or turn != self.turn:
            raise Invalid("this position has moved on: look at the board again")
        if action is None:
            with np.errstate(over="ignore"):
                action = read(self.game, self.states[-1], completed(text.strip(), sight.labels))
        if action not in sight.actions:
            raise Illegal(f"{action} is not a legal action here: choose from {', '.join(sight.labels)}")
        self._answer(action)
        return True

    def ask_undo(self, turn: int) -> bool:
        if self.sight is None or turn != self.turn or not self._can_undo():
            raise Invalid("no move can be taken back here")
        mine = [n for n, move in enumerate(self.moves) if move.player == self.me]
        begun = [(move.player, move.action) for move in self.moves[: mine[-1]]]
        self._answer(Course(self.states[mine[-1]].copy(), tuple(begun)))
        return True

    def _answer(self, answer: Any) -> None:
        self.sight = None  # in the thread that asks: a second answer is refused, and cannot be one to the next turn
        self._answers.put(answer)

    def ask_resign(self, turn: int) -> bool:
        """The person gives the match up, at their own move."""
        if self.sight is None or turn != self.turn or self.match is not None:
            raise Invalid("you can resign when it is your move")
        self._answer(Resigns())
        return True

    def ask_flip(self) -> bool:
        """The person wants to look from the other side."""
        if self._shown is None:
            raise Invalid("there is no board to turn yet")
        self.flipped = not self.flipped
        self._reader.forget()
        with np.errstate(over="ignore"):
            self.tell(board=self._board())
        return True

    def ask_reveal(self) -> bool:
        """The person wants to see everything now."""
        self.revealed = True
        self.tell(open=True, steps=len(self.moves))
        return True

    def ask_step(self, step: int) -> dict[str, Any]:
        """The position after so many moves as everybody sees it, with what its mover believed and did."""
        self._require(step)
        with np.errstate(over="ignore"):
            state = self.states[step]
            mover = int(self.game.player(state))
            facts: dict[str, Any] = {
                "step": step,
                "steps": len(self.states) - 1,
                "mover": mover,
                "over": mover == OVER,
                "pictures": [picture(self.game, state, player) for player in range(self.players)],
                "open": self.game.shape().open,
            }
            look = self._reader.look()
            if step:
                look = look._replace(last=self._places(step - 1))
            if step < len(self.moves):
                facts["move"] = self.moves[step].label
                facts["solvable"] = mover >= 0 and self._reader.worths().offered
            if mover >= 0 and (self.match is not None or self.me is None or mover != self.me):
                facts["thought"] = thought = self._reader.thought(step)
                look = look._replace(best=thought.pop("pointed", ()))
            facts["referee"] = picture(self.game, state, None, None, look)
        return facts

    def ask_worth(self, step: int) -> dict[str, Any]:
        """What each action of a step is worth where the game can be solved."""
        self._require(step)
        with np.errstate(over="ignore"):
            return self._reader.worth(step)

    def _require(self, step: int) -> None:
        if not self.revealed:
            raise Invalid("the match is hidden until it is over, or until you choose to reveal it")
        if not 0 <= step < len(self.states):
            raise Invalid(f"there is no step {step}: valid are 0 to {len(self.states) - 1}")
