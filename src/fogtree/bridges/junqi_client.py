"""Any program that speaks the protocol of the army chess contest, as an agent of ours: `junqi:` and the command that
starts it.

It plays Luzhanqi with chosen set-ups, because by the protocol an engine sets up its own army. What the program is told is
read from a world that its player cannot tell from the true state: who stands where, the list of fights, and which flags
are shown. All of that is public, so every such world says the same. What a program does wrong is told in `program.py`.
"""

from typing import Any

import numpy as np

from ..errors import Invalid
from ..games.siguo import rules
from ..games.siguo.board import GRAPHS, TWO
from ..games.siguo.pieces import ANY, FLAG, KILLS_ATTACKER, KILLS_DEFENDER, PLAIN
from ..games.siguo.setting import SetUp
from ..walk.slices import number
from . import junqi
from .junqi import ARMY, POINTS, RESULTS
from .program import ANSWER_SECONDS, EngineFault, Program, command_words

SECONDS = 1800  # that START gives
MOST_LINES = 1_000  # that are not the answer


def first_places() -> dict[int, int]:
    """Where the men stand at the start."""
    return {army * ARMY + man: point for army in range(2) for man, point in enumerate(GRAPHS[TWO].homes[army])}


def shown_flag(game: Any, world: np.ndarray, me: int) -> str:
    """Where the other's flag is, if everybody knows it because their commander died."""
    first = rules.known_from(game) + (1 - me) * ARMY
    for hq in range(2):
        if int(world[first + hq]) & ANY == 1 << FLAG:
            return junqi.place_name(GRAPHS[TWO].homes[1 - me][hq], me)
    return junqi.NOWHERE


class JunqiAgent:
    """A program at our table. `command` starts it, `patience` is how many seconds it may take for an answer."""

    def __init__(self, command: list[str], *, patience: float = ANSWER_SECONDS, name: str = ""):
        if not command:
            raise Invalid("junqi needs a program: write junqi: and a command")
        self.command, self.patience = command, number(patience, "patience", above=0)
        self.name = name or f"junqi:{' '.join(command)}"
        self._program: Program | None = None
        self._army: list[int] = []  # the kinds that it has chosen
        self._places = first_places()  # man -> point, before its own last move
        self._fights = 0  # that it knows of
        self._last: int | None = None  # its own last move

    @classmethod
    def from_text(cls, name: str, text: str, seed: int = 0, *path: int) -> "JunqiAgent":
        return cls(command_words(text))

    def fits(self, game: Any) -> None:
        """Refuse games that no such program plays, and programs that are not there."""
        if type(game).__name__ != "Luzhanqi" or game.set_up != SetUp.CHOSEN:
            raise Invalid(f"{self.name} plays luzhanqi:set_up=chosen alone")
        self._started()

    def fresh(self) -> None:
        """A new match begins: the program is started anew."""
        self.close()

    def act(self, sight: Any) -> int | str:
        game, me = sight.game, sight.player
        world = sight.worlds(1)[0]
        try:
            if world[rules.PLACED] < 2 * ARMY:
                return self._set_up(game, me, int(world[rules.PLACED]) - me * ARMY)
            return self._move(game, me, world, sight)
        except EngineFault:
            self.close()
            raise
        except Invalid as error:
            self.close()
            raise EngineFault(f"{self.name}: {error}") from None

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close()
            self._program = None
        self._army, self._fights, self._last, self._places = [], 0, None, first_places()

    def _set_up(self, game, me, man):
        if not self._army:
            self._ask(f"INFO {junqi.VERSION}", "NAME")
            self._army = junqi.army_kinds(self._ask(f"START {me} {SECONDS} {game.quiet}", "ARRAY"))
        return self._army[man]

    def _move(self, game, me, world, sight):
        flag = shown_flag(game, world, me)
        told = [int(fight) for fight in world[rules.fights_from(game) :][: world[rules.FIGHTS]]][self._fights :]
        line = f"GO {junqi.BEGIN} {junqi.MOVED} {junqi.NOWHERE}"
        if self._last is not None:
            outcome = self._play(self._last, [fight for fight in told if rules.attacker_of(fight) // ARMY == me])
            self._started().tell(f"RESULT {RESULTS[outcome]} {flag}")
        if world[rules.PLIES]:
            theirs = [fight for fight in told if rules.attacker_of(fight) // ARMY != me]
            action = self._their_move(world, me, theirs)
            outcome = self._play(action, theirs)
            line = f"GO {junqi.move_name(action, me)} {RESULTS[outcome]} {flag}"
        move = self._ask(line, "BESTMOVE")
        self._fights, self._last = int(world[rules.FIGHTS]), junqi.move_named(move, me)
        return self._last if self._last in sight.actions else move  # the referee says what is wrong with it

    def _play(self, action, fights):
        """Move a man, by the fight that followed, if there was one. Returns how it ended."""
        man = next(man for man, point in self._places.items() if point == action // POINTS)
        outcome = int(rules.outcome_of(fights[0])) if fights else PLAIN
        if outcome != PLAIN and KILLS_DEFENDER[outcome]:
            self._places.pop(int(rules.defender_of(fights[0])))
        if outcome != PLAIN and KILLS_ATTACKER[outcome]:
            self._places.pop(man)
        else:
            self._places[man] = action % POINTS
        return outcome

    def _their_move(self, world, me, fights):
        """The other's last move: that of the attacker of a fight, or of the man who stands elsewhere now."""
        if fights:
            one, other = int(rules.attacker_of(fights[0])), int(rules.defender_of(fights[0]))
            return self._places[one] * POINTS + self._places[other]
        for point in range(POINTS):
            man = int(world[rules.HEAD + point]) - 1
            if man >= 0 and man // ARMY != me and self._places[man] != point:
                return self._places[man] * POINTS + point
        raise EngineFault(f"{self.name} has missed a move of the other")

    def _started(self) -> Program:
        if self._program is None:
            self._program = Program(self.command)
        return self._program

    def _ask(self, line: str, answer: str) -> str:
        program = self._started()
        program.tell(line)
        for _ in range(MOST_LINES):
            said = program.line(line, self.patience).split()
            if said and said[0].upper() == answer and len(said) == 2:
                return said[1]
            if said:
                raise EngineFault(f"{program.name} answered '{line}' with '{' '.join(said)[:80]}', not with {answer}")
        raise EngineFault(f"{program.name} answered '{line}' with nothing")
