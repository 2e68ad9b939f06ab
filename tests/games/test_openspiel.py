"""OpenSpiel as the referee: both libraries play the same games, move by move, and must agree.

They agree on who moves, on the legal actions, on the odds of chance, on the payoffs, and on which histories a player can
tell apart: over all decisions that were visited, our (player, view) and OpenSpiel's (player, information state) pair off
one to one. OpenSpiel's own conventions, where they differ from ours, are written down in the cases below.
"""

import random
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree import CHANCE, OVER
from fogtree.game import legal, new_state, odds

pyspiel = pytest.importorskip("pyspiel")


def last(told):
    """What OpenSpiel tells a player now. It has perfect recall in most games, so this holds all that was told before."""
    return told[-1]


def everything(told):
    """OpenSpiel's information states of Goofspiel with open bids show the hands but not in which order they were played;
    our players remember. What it has told a player so far, taken together, says the same."""
    return told


def without_length(told):
    """OpenSpiel's Dark Hex prints the number of all tries so far, those of the other player included, even where it is
    to reveal nothing (its Phantom Tic-Tac-Toe once did too). It is the line after the board; we drop it."""
    lines = told[-1].split("\n")
    side = len(lines[0])
    assert lines[side].isdigit()
    return "\n".join(lines[:side] + lines[side + 1 :])


class Case(NamedTuple):
    ours: str
    theirs: str
    knows: object = last
    pays: float = 1  # how many times OpenSpiel's returns our payoffs are
    forced_end: bool = False  # OpenSpiel plays the moves of the last round by itself: nobody has a choice


def goofspiel(ours, cards, order, information, returns="win_loss"):
    # Returns by points are the lead over the mean of both players in OpenSpiel, half of the lead over the other.
    theirs = f"num_cards={cards},points_order={order},imp_info={information},returns_type={returns},players=2"
    return Case(
        f"goofspiel:cards={cards},lowest=1{ours}",
        f"goofspiel({theirs})",
        knows=last if information else everything,
        pays=1 if returns == "win_loss" else 2,
        forced_end=True,
    )


def phantom(rules):
    return Case(f"phantom-ttt:rules={rules}", f"phantom_ttt(obstype=reveal-nothing,gameversion={rules})")


def dark_hex(side, abrupt):
    version = "adh" if abrupt else "cdh"
    theirs = f"dark_hex(board_size={side},gameversion={version},obstype=reveal-nothing)"
    return Case(f"dark-hex:side={side},abrupt={abrupt}", theirs, without_length)


def liars_dice(dice, faces):
    return Case(f"liars-dice:dice={dice},faces={faces}", f"liars_dice(numdice={dice},dice_sides={faces},players=2)")


KUHN = Case("kuhn", "kuhn_poker(players=2)")
LEDUC = Case("leduc", "leduc_poker(players=2)")
MANY_KUHN = {n: Case(f"kuhn:players={n}", f"kuhn_poker(players={n})") for n in (2, 3, 4)}
MANY_LEDUC = {n: Case(f"leduc:players={n}", f"leduc_poker(players={n})") for n in (2, 3, 5)}
TIC_TAC_TOE = Case("tic-tac-toe", "tic_tac_toe")
CONNECT_FOUR = Case("connect-four", "connect_four")
HIDDEN = {n: goofspiel("", n, "descending", True) for n in (3, 4, 5, 6, 13)}
OPEN = goofspiel(",hidden=false", 5, "descending", False)
POINTS = goofspiel(",points=true", 5, "descending", True, "point_difference")
ASCENDING = goofspiel(",prizes=increasing", 5, "ascending", True)
SHUFFLED = goofspiel(",prizes=shuffled", 4, "random", True)
OPEN_SHUFFLED_POINTS = goofspiel(",hidden=false,prizes=shuffled,points=true", 4, "random", False, "point_difference")


class Match:
    """Both libraries in lock-step."""

    def __init__(self, case):
        self.case = case
        self.ours = fogtree.load(case.ours)
        # Goofspiel's bids are simultaneous in OpenSpiel; its own transform makes them sequential, as ours are. It leaves
        # sequential games as they are.
        self.theirs = pyspiel.load_game_as_turn_based(case.theirs)
        self.players = self.theirs.num_players()
        self.infoset = {}  # (player, our view) -> what OpenSpiel tells the player there
        self.view = {}  # (player, what OpenSpiel tells) -> our view
        self.decisions = set()  # the histories in which a player decides
        self.ends = 0

    def play(self, choose, depth=None):
        """Play on from the start with the actions that choose(actions) returns, all of them in turn."""
        # our longest views are hashes, which wrap round when they are computed in plain Python
        with np.errstate(over="ignore"):
            self.below(new_state(self.ours), self.theirs.new_initial_state(), ((),) * self.players, choose, depth)

    def below(self, state, judge, told, choose, depth):
        if judge.is_terminal():
            self.compare_ends(state, judge)
            return
        told = self.compare(state, judge, told)
        if depth is not None and len(judge.full_history()) >= depth:
            return
        for action in choose(judge.legal_actions()):
            child = state.copy()
            self.ours.step(child, action)
            self.below(child, judge.child(action), told, choose, depth)

    def compare(self, state, judge, told):
        """One node of both trees; returns what the players have been told with it."""
        history, player = judge.history(), judge.current_player()
        if judge.is_chance_node():
            assert self.ours.player(state) == CHANCE, history
            theirs = judge.chance_outcomes()
            assert legal(self.ours, state) == [action for action, _ in theirs], history
            assert odds(self.ours, state) == pytest.approx([p for _, p in theirs], abs=1e-12), history
            return told
        assert self.ours.player(state) == player, history
        assert legal(self.ours, state) == judge.legal_actions(), history
        mine = (*told[player], judge.information_state_string(player))
        view, known = int(self.ours.view(state, player)), self.case.knows(mine)
        assert self.infoset.setdefault((player, view), known) == known, f"we tell less apart after {history}"
        assert self.view.setdefault((player, known), view) == view, f"we tell more apart after {history}"
        self.decisions.add(tuple(history))
        return tuple(mine if who == player else told[who] for who in range(self.players))

    def compare_ends(self, state, judge):
        if self.case.forced_end:
            while self.ours.player(state) != OVER:
                (action,) = legal(self.ours, state)
                self.ours.step(state, action)
        assert self.ours.player(state) == OVER, judge.history()
        payoffs = [self.ours.payoff(state, player) for player in range(self.players)]
        assert payoffs == [self.case.pays * paid for paid in judge.returns()], judge.history()
        self.ends += 1

    def infosets(self):
        return tuple(sum(player == owner for owner, _ in self.infoset) for player in range(self.players))


# --- whole trees ---


def all_of_them(actions):
    return actions


@pytest.mark.parametrize(
    "case, ends, infosets",
    [
        (KUHN, 30, (6, 6)),
        (LEDUC, 5_520, (468, 468)),
        (MANY_KUHN[2], 30, (6, 6)),
        (MANY_KUHN[3], 312, (16, 16, 16)),  # 24 deals of 13 lines; each player has 4 cards in 4 situations
        (MANY_LEDUC[2], 5_520, (468, 468)),
        # (n!)^2 ends; the sets are those of the published counts without the forced last card
        (HIDDEN[3], 36, (8, 8)),
        (HIDDEN[4], 576, (81, 81)),
        (goofspiel(",hidden=false", 3, "descending", False), 36, (1 + 9, 1 + 9)),
        # without the last round there are 3 x 2 orders of prizes to be seen
        (goofspiel(",prizes=shuffled", 3, "random", True), 6 * 36, (3 + 6 * 7, 3 + 6 * 7)),
        (goofspiel(",hidden=false,prizes=shuffled", 3, "random", False), 6 * 36, (3 + 6 * 9, 3 + 6 * 9)),
        (dark_hex(2, False), 216, (17, 53)),
        (dark_hex(2, True), 234, (59, 35)),
        (liars_dice(1, 3), 567, (96, 96)),
        (liars_dice(2, 2), 4_080, (384, 384)),
    ],
    ids=lambda value: value.theirs if isinstance(value, Case) else "",
)
def test_a_small_game_agrees_in_every_history(case, ends, infosets):
    match = Match(case)
    match.play(all_of_them)
    assert (match.ends, match.infosets()) == (ends, infosets)


@pytest.mark.parametrize(
    "case, depth",
    [
        (phantom("classical"), 5),
        pytest.param(phantom("abrupt"), 5, marks=pytest.mark.slow),
        pytest.param(dark_hex(3, False), 5, marks=pytest.mark.slow),
        (dark_hex(3, True), 5),
        (HIDDEN[6], 5),
        (TIC_TAC_TOE, 5),
        (CONNECT_FOUR, 4),
    ],
    ids=lambda value: value.theirs if isinstance(value, Case) else "",
)
def test_a_large_game_agrees_in_every_history_of_its_first_moves(case, depth):
    Match(case).play(all_of_them, depth)


# --- random games, where the trees above are not whole ---


@pytest.mark.parametrize(
    "case, games",
    [
        (HIDDEN[5], 250),
        (HIDDEN[6], 750),
        (HIDDEN[13], 300),
        (OPEN, 500),
        (POINTS, 500),
        (ASCENDING, 500),
        (SHUFFLED, 500),
        (OPEN_SHUFFLED_POINTS, 500),
        (phantom("classical"), 1_250),
        (phantom("abrupt"), 1_250),
        (dark_hex(3, False), 750),
        (dark_hex(3, True), 750),
        (dark_hex(4, False), 250),
        (dark_hex(4, True), 250),
        (dark_hex(7, False), 50),
        (MANY_KUHN[4], 750),
        (MANY_LEDUC[3], 750),
        (MANY_LEDUC[5], 300),
        (liars_dice(1, 6), 750),
        (liars_dice(2, 6), 750),
        (TIC_TAC_TOE, 750),
        (CONNECT_FOUR, 300),
    ],
    ids=lambda value: value.theirs if isinstance(value, Case) else "",
)
def test_random_games_agree_move_by_move(case, games):
    match, dice = Match(case), random.Random(7)
    for game in range(games):
        # Evenly random games part ways soon. Some of these lean towards low actions, so that they meet again late, where
        # it can be seen that a player does not tell them apart.
        lean = 1 + game % 4
        match.play(lambda actions, lean=lean: [actions[min(dice.randrange(len(actions)) for _ in range(lean))]])
    assert match.ends == games
    if case not in (TIC_TAC_TOE, CONNECT_FOUR):  # where everything is seen
        assert len(match.decisions) > len(match.infoset)
