"""What players see: a view is a key of all that a player has seen, so the same view means the same past.

Three things are compared wherever a view comes again: the view before it, the legal actions and the own past of whoever is
to move, and the list of observations that `seen` has put into it. To find two lists with one key in a large game is a matter
of luck. So the radices are looked at as well: where neither the number of observations decides the radix of the next one,
nor the observations themselves with radices that are powers of two, the promise of `seen` does not hold.
"""

from ..game import CHANCE
from .asking import Asked
from .history import History, Told

START = 1  # the key of a view before anything was seen


class Views:
    def __init__(self, asked: Asked):
        self.asked = asked
        self.decision: dict = {}  # (player, view) -> actions, own past, moves of the first history found
        self.hides = False  # whether some player was found not to know where they are
        self.earlier: dict = {}  # (player, view) -> the view before it, moves
        self.lists: dict = {}  # (player, view) -> what `seen` was told, moves
        self.radix: dict = {}  # (player, number of observations before) -> radix, moves
        self.after: dict = {}  # (player, exact key) -> radix of the next observation
        self.radices: dict = {}  # player -> all radices of exact keys
        self.mixed: dict = {}  # player -> (history, number, radix, other radix, moves): where the number does not decide
        self.forked: set = set()  # players with a key that is followed by two radices

    def look(self, history: History) -> tuple[tuple[int, ...], tuple]:
        """The views of all players, and what `seen` was told for each of them so far."""
        views, told = [], []
        for player in range(self.asked.shape.players):
            given = self.asked.call(history, "view", history.state, player)
            view = self.asked.word(history, "view", given, f"of player {player} ")
            calls = tuple(self.asked.listener.calls)
            self._remember_the_last(history, player, view)
            told.append(self._told(history, player, view, calls))
            views.append(view)
        return tuple(views), tuple(told)

    def _remember_the_last(self, history: History, player: int, view: int) -> None:
        if view == history.before[player]:
            return
        known, first = self.earlier.setdefault((player, view), (history.before[player], history.moves))
        if known != history.before[player]:
            told = f"of player {player} is the same as after {self.asked.moves(first)}, but earlier views differ: "
            self.asked.broken(history, "view", told + "a player must not forget what was seen")

    # --- what `seen` was told ---

    def _told(self, history: History, player: int, view: int, calls: tuple) -> Told | None:
        """The list of observations in a view, where it is known: the list before the last move and what this has added, or
        the list that `view` itself has made."""
        before, told = history.before[player], history.told[player]
        if view == before:
            return told
        added = _path(history.calls, before, view) if before is not None else None
        if added is None:
            before, told, added = START, Told(), _path(calls, START, view)
        if added is None or told is None:
            return None
        key = before
        for symbol, radix, made in added:
            if made > 0:
                self._note(history, player, key, radix, told.number)
            told, key = told.and_then(symbol, radix), made
        known, first = self.lists.setdefault((player, view), (told, history.moves))
        if known != told:
            rule = (
                f"of player {player} is the same as after {self.asked.moves(first)}, but `seen` was told other things"
            )
            self.asked.broken(history, "view", rule)
        return told

    def _note(self, history: History, player: int, key: int, radix: int, count: int) -> None:
        self.radices.setdefault(player, set()).add(radix)
        other, first = self.radix.setdefault((player, count), (radix, history.moves))
        if other != radix:
            self.mixed.setdefault(player, (history, count, radix, other, first))
        if self.after.setdefault((player, key), radix) != radix:
            self.forked.add(player)

    def require_exact_keys(self) -> None:
        """Refuse radices with which two lists of observations can have one key. In a whole tree one sees whether they do."""
        for player, (history, count, radix, other, first) in self.mixed.items():
            if player in self.forked or any(radix & (radix - 1) for radix in self.radices[player]):
                told = (
                    f"of player {player} is made by seen with the radix {radix} after {count} observations here, and with "
                    f"{other} after {self.asked.moves(first)}: so two different lists of observations can have the same key. "
                    "Give all of them one radix, that of the largest"
                )
                self.asked.broken(history, "view", told)

    # --- information sets ---

    def decide(self, history: History, player: int, view: int, actions: list[int]) -> None:
        """A player is to move: whoever cannot tell two histories apart has the same actions and the same own past."""
        if player == CHANCE:
            return
        asked, own = self.asked, history.own[player]
        actions_there, own_there, first = self.decision.setdefault((player, view), (actions, own, history.moves))
        twice = f"player {player} cannot tell this from the history"
        if actions_there != actions:
            told = f"{twice} {asked.moves(first)}, but the legal actions are {actions} here and {actions_there} there"
            asked.broken(history, "view", told)
        if own_there != own:
            told = f"{twice} {asked.moves(first)}, but got here by other own actions, which a player must not forget"
            asked.broken(history, "view", told)
        if first != history.moves:
            self.hides = True
            if asked.shape.open:
                told = f"says that the game is open, but player {player} cannot tell this from the history "
                asked.broken(history, "shape", told + asked.moves(first))


def _path(calls: tuple, start: int, end: int) -> list[tuple[int, int, int]] | None:
    """The calls of `seen` that lead from one key to another: symbol, radix and new key of each. None if there are none, or if
    there are two ways."""
    if start == end:
        return []
    ways = []
    for place, (key, symbol, radix, made) in enumerate(calls):
        before = _path(calls[:place], start, key) if made == end else None
        if before is not None and [*before, (symbol, radix, made)] not in ways:
            ways.append([*before, (symbol, radix, made)])
    return ways[0] if len(ways) == 1 else None
