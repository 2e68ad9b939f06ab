"""The verbs that a game may have besides, for searches: what they say must at least make sense."""

import itertools
import math

import numpy as np

from .. import dice
from ..game import CHANCE, OVER
from .asking import Asked
from .guests import REAL
from .history import History, Place

JUNK = -77  # stands where a game must not look
THROWS = 3  # of the dice, in each visit
FIRST, EACH = 100, 20  # in which visits `live` is tried: in the first, and then in each twentieth


class Hints:
    def __init__(self, asked: Asked):
        self.asked = asked
        self.visits = 0
        self.ended_by_course = False
        self.placed: dict = {}  # position -> player to move, outcome, moves
        self.following: list = []  # (place, position) in the order of visits, if the game is open
        self.forgotten: dict = {}  # player, position -> the views of the others there, moves
        self.pressed: dict = {}  # position -> whether it is urgent, moves

    def look(self, at: Place) -> None:
        self.visits += 1
        has = self.asked.has
        if has("position"):
            self._position(at)
        of_decisions = {
            "any_action": self._any_action,
            "noisy": self._noisy,
            "urgent": self._urgent,
            "promise": self._promise,
            "skip": self._skip,
            "forget": self._forget,
        }
        for verb, look in of_decisions.items():
            if at.player >= 0 and has(verb):
                look(at)
        if at.player == OVER and has("by_course"):
            self._yes_or_no(at.history, "by_course")
        if has("live") and (self.visits <= FIRST or self.visits % EACH == 0):
            self._live(at)

    def _yes_or_no(self, history: History, verb: str) -> bool:
        return self.asked.yes_or_no(history, verb, self.asked.call(history, verb, history.state))

    # --- position ---

    def _position(self, at: Place) -> None:
        asked, (history, player, outcome) = self.asked, (at.history, at.player, at.outcome)
        key = asked.word(history, "position", asked.call(history, "position", history.state))
        if player == OVER and asked.has("by_course") and asked.call(history, "by_course", history.state):
            self.ended_by_course = True
            return  # another course may go on from here
        player_there, outcome_there, first = self.placed.setdefault(key, (player, outcome, history.moves))
        unlike = ""
        if player_there != player:
            unlike = f"the player to move is {player} here and {player_there} there"
        elif outcome_there != outcome and (player != OVER or asked.shape.open):
            what = {OVER: "payoffs", CHANCE: "legal actions and odds"}.get(player, "legal actions")
            unlike = f"the {what} are {list(outcome)} here and {list(outcome_there)} there"
        if unlike:
            asked.broken(history, "position", f"is the same as after {asked.moves(first)}, but {unlike}")
        if asked.shape.open:
            self.following.append((at, key))

    def look_below(self) -> None:
        """In an open game whose whole tree was walked, equal positions lead to the same: to as many ends, after the same
        moves, with the same payoffs. Where courses end a game, this cannot be said."""
        if self.ended_by_course:
            return
        number: dict = {}  # what follows -> its number
        what: dict = {}  # moves -> the number of what follows
        known: dict = {}  # position -> the number of what follows, moves
        for at, key in sorted(self.following, key=lambda pair: -len(pair[0].history.moves)):
            moves = at.history.moves
            children = tuple(what[*moves, action] for action in at.actions)
            follows = what[moves] = number.setdefault((at.player, at.outcome, children), len(number))
            other, first = known.setdefault(key, (follows, moves))
            if other != follows:
                told = f"is the same as after {self.asked.moves(first)}, but other moves or payoffs follow"
                self.asked.broken(at.history, "position", told)

    # --- the others ---

    def _any_action(self, at: Place) -> None:
        asked, history, actions = self.asked, at.history, at.actions
        ours, theirs = dice.seeded(self.visits), dice.seeded(self.visits)
        out = np.zeros(asked.shape.actions, np.int64)
        for _ in range(THROWS):
            drawn = asked.whole(history, "any_action", asked.call(history, "any_action", history.state, out, theirs))
            expected = actions[dice.below(ours, len(actions))]
            if drawn != expected or not np.array_equal(ours, theirs):
                told = f"draws {drawn} where the same throw of the dice is {expected} in the list of actions, {actions}"
                asked.broken(history, "any_action", told)

    def _noisy(self, at: Place) -> None:
        history, actions = at.history, at.actions
        asked, out = self.asked, np.full(self.asked.shape.actions, -1, np.int64)
        count = asked.whole(history, "noisy", asked.call(history, "noisy", history.state, out))
        if not 0 <= count <= len(actions):
            told = f"returns {count}: valid is 0 to {len(actions)}, the number of legal actions"
            asked.broken(history, "noisy", told)
        noisy = out[:count].tolist()
        if not set(noisy) <= set(actions) or any(b <= a for a, b in itertools.pairwise(noisy)):
            asked.broken(history, "noisy", f"must write legal actions, ascending, not {noisy} of {actions}")

    def _forget(self, at: Place) -> None:
        asked, history, player = self.asked, at.history, at.player
        if not asked.has("position"):
            asked.broken(history, "forget", "is of use only where the game has `position` too")
        made, before = history.state.copy(), int(asked.game.position(history.state))
        asked.call(history, "forget", made, player)
        out = np.zeros(asked.shape.actions, np.int64)
        told = ""
        if int(asked.game.position(made)) != before:
            told = "changes the position"
        elif asked.game.player(made) != player or int(asked.game.view(made, player)) != at.views[player]:
            told = "changes the player to move, or what that player has seen"
        elif out[: asked.game.actions(made, out)].tolist() != list(at.actions):
            told = "changes the legal actions"
        seen = tuple(int(asked.game.view(made, p)) for p in range(asked.shape.players) if p != player)
        known, first = self.forgotten.setdefault((player, before), (seen, history.moves))
        if not told and known != seen:
            told = f"leaves others another view than after {asked.moves(first)}, where the position is the same"
        if told:
            asked.broken(history, "forget", told)

    def _urgent(self, at: Place) -> None:
        asked, history = self.asked, at.history
        urgent = self._yes_or_no(history, "urgent")
        key = asked.game.position(history.state) if asked.has("position") else (at.player, at.views[at.player])
        known, first = self.pressed.setdefault(key, (urgent, history.moves))
        if known != urgent:
            told = f"is {urgent} here, and {known} after {asked.moves(first)}, in the same position"
            asked.broken(history, "urgent", told)

    def _promise(self, at: Place) -> None:
        for action in at.actions:
            promise = self.asked.call(at.history, "promise", at.history.state, action)
            if not isinstance(promise, REAL) or not math.isfinite(promise):
                told = f"of action {action} must be a finite number, not {promise!r}"
                self.asked.broken(at.history, "promise", told)

    def _skip(self, at: Place) -> None:
        asked, history, state = self.asked, at.history, at.history.state.copy()
        if not asked.yes_or_no(history, "skip", asked.call(history, "skip", state)):
            if not np.array_equal(state, history.state):
                asked.broken(history, "skip", "says that passing is not worse than a move, but changed the state")
        elif int(asked.game.player(state)) == at.player:
            asked.broken(history, "skip", f"says that player {at.player} has passed, but it is still their move")

    def _live(self, at: Place) -> None:
        """What stands behind the live words is overwritten, and every verb must say the same."""
        asked, history, words = self.asked, at.history, self.asked.shape.words
        live = asked.whole(history, "live", asked.call(history, "live", history.state))
        if not 1 <= live <= words:
            asked.broken(history, "live", f"is {live}: valid is 1 to {words}, the words of the state")
        state = history.state.copy()
        state[live:] = JUNK
        if at.player != OVER:
            asked.step(history, at.actions[0])  # which says what is wrong with step, if anything is
        told = self._said(at, history.state)
        try:
            same = told == self._said(at, state)
        except (Exception, SystemExit):  # what it met there is no part of a state
            same = False
        if not same:
            rule = f"is {live}, but what stands behind these words changes what the game says"
            asked.broken(history, "live", rule)

    def _said(self, at: Place, state: np.ndarray) -> list:
        """What the verbs say of a state, and of the state after its first action."""
        game, seats = self.asked.game, range(self.asked.shape.players)
        told: list = [int(game.view(state, seat)) for seat in seats]
        told.append(int(game.player(state)))
        if at.player == OVER:
            return [*told, *(float(game.payoff(state, seat)) for seat in seats)]
        out = np.zeros(self.asked.shape.actions, np.int64)
        told += out[: game.actions(state, out)].tolist()
        after = state.copy()
        self.asked.dog.doing = at.history, "step"
        game.step(after, at.actions[0])
        return told + after[: game.live(after)].tolist()
