"""Hold'em. Moves are the private cards of both players, the betting, the flop, the betting and so on."""

import itertools
import random

import numpy as np
import pytest
from playing import after, expectation, indistinct, payoffs

import fogtree
from fogtree import CHANCE, OVER, REFEREE, Illegal, Invalid
from fogtree.contract import EVENLY
from fogtree.game import label, legal, new_state, odds, read
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.rules import DEALT
from fogtree.text.notation import from_notation, notation

GAME = Holdem()
TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)  # six cards, as in Leduc hold'em
FOLD, CALL, RAISE = 0, 1, 2
DEAL = ("8c", "9h", "2d", "Kd")
FLOP, TURN, RIVER = ("2s", "9c", "Tc"), ("4d",), ("5d",)
LIMP, CHECKED = ("call", "check"), ("check", "check")


# --- counts ---


def betting_nodes(game):
    """Decisions, folds and ways to go on in each round, by walking one deal."""
    rows = np.zeros((game.rounds, 3), int)

    def walk(state, stage):
        player = game.player(state)
        if player == CHANCE:
            game.step(state, legal(game, state)[0])
            return walk(state, stage)
        now = int(state[11])
        if player == OVER or now > stage:
            rows[stage, 1 if state[17] else 2] += 1
        if player == OVER:
            return None
        rows[now, 0] += 1
        for action in legal(game, state):
            child = state.copy()
            with np.errstate(over="ignore"):
                game.step(child, action)
                walk(child, now)

    walk(new_state(game), 0)
    return rows.tolist()


def test_the_betting_tree_has_the_published_size():
    # Bowling et al. 2015: 8, 70, 630 and 5,670 decisions; 7, 63 and 567 ways to the next round, 5,103 showdowns
    assert betting_nodes(GAME) == [[8, 7, 7], [70, 56, 63], [630, 504, 567], [5_670, 4_536, 5_103]]


def test_a_tiny_version_has_the_size_that_follows_from_its_cards():
    # before the flop with two bets: 4 decisions, 3 folds and 3 calls; later 6 decisions, 4 folds and 5 calls
    assert betting_nodes(TINY) == [[4, 3, 3], [3 * 6, 3 * 4, 3 * 5]]
    count = fogtree.count(TINY)
    deals, boards = 6 * 5, 4
    assert count.ends == deals * (3 + boards * (12 + 15))
    # of the decisions before the flop each player has two, and in each later tree three
    assert count.infosets == (6 * 2 + 6 * 5 * 3 * 3,) * 2


def test_random_play_agrees_with_plain_recursion():
    assert fogtree.exploitability(TINY, fogtree.Strategy.uniform(TINY)).value == pytest.approx(expectation(TINY))


def test_a_tiny_version_is_solved_alike_by_a_linear_program_and_by_regrets():
    exact, regrets = fogtree.solve(TINY, "lp"), fogtree.solve(TINY, "cfr+", target=0.01)
    assert exact.total < 1e-9
    assert regrets.low - 1e-9 <= exact.value <= regrets.high + 1e-9


# --- betting ---


@pytest.mark.parametrize(
    "rounds, stake",
    [
        ((LIMP, CHECKED, CHECKED, CHECKED), 2),
        ((("raise", "call"), CHECKED, CHECKED, CHECKED), 4),
        ((("call", "raise", "call"), CHECKED, CHECKED, CHECKED), 4),
        ((LIMP, ("bet", "call"), CHECKED, CHECKED), 4),
        ((LIMP, CHECKED, ("bet", "call"), CHECKED), 6),
        ((LIMP, CHECKED, CHECKED, ("bet", "raise", "call")), 10),
        (
            (
                ("call", "raise", "raise", "raise", "call"),
                *[("check", "bet", "raise", "raise", "raise", "call")] * 3,
            ),
            48,
        ),
    ],
)
def test_a_bet_is_2_in_the_first_two_rounds_and_4_in_the_others(rounds, stake):
    before, flop, turn, river = rounds
    moves = (*before, *FLOP, *flop, *TURN, *turn, *RIVER, *river)
    # nines with a king against twos: 9h 8c wins on 2s 9c Tc 4d 5d
    assert payoffs(GAME, after(GAME, *DEAL, *moves)) == (stake, -stake)
    assert payoffs(GAME, after(GAME, "2d", "Kd", "8c", "9h", *moves)) == (-stake, stake)


@pytest.mark.parametrize(
    "moves, paid",
    [
        (("fold",), (-1, 1)),
        (("raise", "fold"), (2, -2)),
        (("call", "raise", "fold"), (-2, 2)),
        ((*LIMP, *FLOP, "bet", "fold"), (-2, 2)),
        ((*LIMP, *FLOP, *CHECKED, *TURN, "check", "bet", "fold"), (2, -2)),
        (("raise", "call", *FLOP, "bet", "raise", "fold"), (6, -6)),
    ],
)
def test_who_folds_loses_what_they_put_in_whatever_the_cards(moves, paid):
    assert payoffs(GAME, after(GAME, *DEAL, *moves)) == paid
    assert payoffs(GAME, after(GAME, "2d", "Kd", "8c", "9h", *moves)) == paid


def test_the_dealer_speaks_first_before_the_flop_and_second_afterwards():
    assert GAME.player(after(GAME, *DEAL)) == 0
    for line in (LIMP, ("raise", "call")):
        assert GAME.player(after(GAME, *DEAL, *line, *FLOP)) == 1
        assert GAME.player(after(GAME, *DEAL, *line, *FLOP, *CHECKED, *TURN)) == 1


def test_the_big_blind_may_raise_when_called():
    state = after(GAME, *DEAL, "call")
    assert GAME.player(state) == 1 and legal(GAME, state) == [CALL, RAISE]


def test_a_round_has_four_bets_and_the_big_blind_is_the_first():
    assert legal(GAME, after(GAME, *DEAL, RAISE, RAISE, RAISE)) == [FOLD, CALL]
    assert legal(GAME, after(GAME, *DEAL, RAISE, RAISE)) == [FOLD, CALL, RAISE]
    assert legal(GAME, after(GAME, *DEAL, *LIMP, *FLOP, RAISE, RAISE, RAISE)) == [FOLD, CALL, RAISE]
    assert legal(GAME, after(GAME, *DEAL, *LIMP, *FLOP, RAISE, RAISE, RAISE, RAISE)) == [FOLD, CALL]


def test_folding_is_for_those_who_face_a_bet():
    assert legal(GAME, after(GAME, *DEAL)) == [FOLD, CALL, RAISE]
    assert legal(GAME, after(GAME, *DEAL, *LIMP, *FLOP)) == [CALL, RAISE]


def test_equal_hands_split():
    line = (*LIMP, "Ts", "Js", "Qs", *CHECKED, "Ks", *CHECKED, "As", "bet", "call")
    assert payoffs(GAME, after(GAME, "2c", "3c", "4d", "5h", *line)) == (0, 0)


# --- dealing ---


def leaves(game, state, chance=1.0):
    """The sets of cards that chance may deal from here, with their probabilities."""
    if game.player(state) != CHANCE:
        yield tuple(int(card) for card in state[:9]), chance
        return
    assert min(odds(game, state)) > 0  # no card is offered after which too few are left for those that come with it
    for action, share in zip(legal(game, state), odds(game, state), strict=True):
        child = state.copy()
        game.step(child, action)
        yield from leaves(game, child, chance * share)


@pytest.mark.parametrize("game", [Holdem(4, 2, rounds=2), Holdem(5, 2, rounds=3), TINY], ids=fogtree.name)
def test_every_deal_is_equally_likely_and_comes_once(game):
    found = dict(leaves(game, new_state(game)))
    cards, hole = range(game.deck()), game.hole
    hands = [
        (a, b)
        for a in itertools.combinations(cards, hole)
        for b in itertools.combinations(cards, hole)
        if not set(a) & set(b)
    ]
    assert len(found) == len(hands)
    assert list(found.values()) == pytest.approx([1 / len(hands)] * len(hands), abs=1e-12)
    start = after(game, *range(2 * hole), "call", "check")
    boards = dict(leaves(game, start))
    want = len(list(itertools.combinations(range(game.deck() - 2 * hole), game.flop)))
    assert len(boards) == want
    assert list(boards.values()) == pytest.approx([1 / want] * want, abs=1e-12)


# --- seeing ---


def test_a_player_sees_the_own_cards_the_board_and_the_betting():
    line = (*LIMP, *FLOP)
    assert indistinct(GAME, 0, (*DEAL, *line), ("8c", "9h", "3d", "Kd", *line))
    assert indistinct(GAME, 1, (*DEAL, *line), ("8c", "Ah", "2d", "Kd", *line))
    assert not indistinct(GAME, 0, (*DEAL, *line), ("8c", "Ah", "2d", "Kd", *line))
    for player in (0, 1):
        assert not indistinct(GAME, player, (*DEAL, *line), (*DEAL, *LIMP, "2s", "9c", "Jc"))
        assert not indistinct(GAME, player, (*DEAL, "raise", "call"), (*DEAL, "call", "raise", "call"))


def test_two_hands_that_once_had_the_same_key_have_different_ones():
    # with radices 64 and 3 player 1, who is to move in both, had the view 7114731445889 in both
    one = ("3c", "4c", "2c", "Qc", "call", "raise", "raise", "call", "9h", "9s", "Td", "bet", "raise", "raise", "raise")
    other = ("3d", "4d", "6d", "As", "call", "check", "2c", "6h", "8s", "bet", "call", "2d")
    assert legal(GAME, after(GAME, *one)) != legal(GAME, after(GAME, *other))
    assert not indistinct(GAME, 1, one, other)


def read_back(view):
    """What was seen, read from the bits of a view: six for a card, two for an action. The rules say which comes next."""
    bits, told = f"{view:b}"[1:], []

    def take(count):
        nonlocal bits
        told.append(int(bits[:count], 2))
        bits = bits[count:]
        return told[-1]

    for stage in range(4):
        for _ in range((2, 3, 1, 1)[stage]):
            if bits:
                take(6)
        spoken = 0
        while bits and spoken < 2:
            action = take(2)
            spoken = {FOLD: 2, CALL: spoken + 1, RAISE: 1}[action]
    assert not bits
    return told


def test_a_view_can_be_read_back():
    chooser = random.Random(5)
    for _ in range(60):
        state, told = new_state(GAME), ([], [])
        while GAME.player(state) != OVER:
            dealt = state[DEALT] if GAME.player(state) == CHANCE else None
            action = chooser.choice(legal(GAME, state))
            with np.errstate(over="ignore"):
                GAME.step(state, action)
            for player in range(2):
                if dealt is None or dealt >= 4 or dealt // 2 == player:
                    told[player].append(action)
                if GAME.view(state, player) > 0:  # no hash yet
                    assert read_back(GAME.view(state, player)) == told[player]


def test_the_hand_is_told_without_the_other_cards():
    state = after(GAME, *DEAL, "call", "raise", "call", *FLOP, "bet", "raise")
    told = (
        "board: 2s 9c Tc\n"
        "in the pot: 8 from player 0, 6 from player 1\n"
        "before the flop: player 0 calls, player 1 raises, player 0 calls\n"
        "flop: player 1 bets, player 0 raises"
    )
    assert GAME.show(state, 0) == f"your cards: 8c 9h\n{told}"
    assert GAME.show(state, 1) == f"your cards: 2d Kd\n{told}"
    assert GAME.show(state, REFEREE) == f"player 0's cards: 8c 9h\nplayer 1's cards: 2d Kd\n{told}"
    assert GAME.show(after(GAME), 0).startswith("your cards: none yet\nboard: none yet\n")


def test_the_referee_names_the_hands_at_the_showdown():
    end = after(GAME, *DEAL, *LIMP, *FLOP, *CHECKED, *TURN, *CHECKED, *RIVER, *CHECKED)
    assert GAME.show(end, REFEREE).endswith("player 0 shows a pair\nplayer 1 shows a pair")
    assert "shows" not in GAME.show(end, 0)


# --- imagining ---


def test_in_a_whole_tiny_tree_each_hand_of_the_other_is_imagined_equally_often():
    assert fogtree.check(TINY).imagined == EVENLY


def test_an_imagined_state_is_the_state_of_a_game():
    # its derived words, the other's view among them, are those that the rules make
    from fogtree import dice

    throw, made = np.random.default_rng(1), dice.seeded(1)
    for _ in range(20):
        state = new_state(GAME)
        with np.errstate(over="ignore"):
            while (player := int(GAME.player(state))) != OVER:
                if player != CHANCE:
                    other, again = state.copy(), new_state(GAME)
                    GAME.imagine(other, player, made)
                    assert GAME.view(other, player) == GAME.view(state, player)
                    GAME.from_notation(GAME.notation(other), again)
                    assert again.tolist() == other.tolist()
                GAME.step(state, int(throw.choice([a for a in legal(GAME, state) if player == CHANCE or a])))


# --- typing and naming ---


def test_actions_are_called_by_what_they_are_here():
    def labels(*moves):
        state = after(GAME, *moves)
        return [label(GAME, state, action) for action in legal(GAME, state)]

    assert labels(*DEAL) == ["fold", "call", "raise"]
    assert labels(*DEAL, "call") == ["check", "raise"]
    assert labels(*DEAL, *LIMP, *FLOP) == ["check", "bet"]
    assert labels(*DEAL, *LIMP, *FLOP, "bet") == ["fold", "call", "raise"]


@pytest.mark.parametrize("text, action", [("f", FOLD), ("C", CALL), ("call", CALL), ("r", RAISE), ("Raise", RAISE)])
def test_letters_are_read_too(text, action):
    assert read(GAME, after(GAME, *DEAL), text) == action


@pytest.mark.parametrize("text", ["k", "check", "Check"])
def test_nobody_checks_while_there_is_a_bet_to_call(text):
    with pytest.raises(Illegal):
        read(GAME, after(GAME, *DEAL), text)
    assert read(GAME, after(GAME, *DEAL, "call"), text) == CALL


def test_what_cannot_be_read_is_refused_with_the_choices():
    with pytest.raises(Illegal, match="'fold' is not a legal action here: choose from check, bet"):
        read(GAME, after(GAME, *DEAL, *LIMP, *FLOP), "fold")
    with pytest.raises(Illegal, match="'1c' is no card of this deck"):
        read(GAME, after(GAME), "1c")


def test_a_hand_is_written_as_in_the_computer_poker_competition():
    moves = (*DEAL, "call", "raise", "call", *FLOP, "bet", "call", *TURN, *CHECKED, *RIVER, "bet", "fold")
    assert GAME.notation(after(GAME, *moves)) == "crc/rc/cc/rf:8c9h|2dKd/2s9cTc/4d/5d"
    assert GAME.notation(after(GAME)) == ":|"


def test_every_state_is_read_back_from_its_notation():
    throw = random.Random(4)
    for game in (GAME, TINY, Holdem(5, 2, rounds=2)):
        for _ in range(10):
            state = new_state(game)
            with np.errstate(over="ignore"):
                while game.player(state) != OVER:
                    assert from_notation(game, notation(game, state)).state.tolist() == state.tolist()
                    game.step(state, throw.choice(legal(game, state)))
                assert from_notation(game, notation(game, state)).state.tolist() == state.tolist()


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("8c9h", "write the betting and the cards as in"),
        ("ck:8c9h|2dKd", "write the betting and the cards as in"),
        ("cc/f:8c9h|2dKd/2s9cTc", "fold is not possible there"),
        ("cc:8c9h|2d8c", "8c is not possible there"),
        ("c:8c9h|2dKd/2s", "it goes on where"),
    ],
)
def test_what_is_no_hand_is_refused(text, sentence):
    with pytest.raises((Illegal, Invalid), match=sentence):
        from_notation(GAME, text)


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"ranks": 14}, "ranks must be a whole number from 2 to 13, not 14"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 4, not 0"),
        ({"ranks": 2, "suits": 4}, "a deck of 8 cards is too small, the deal needs 9"),
        ({"ranks": 3, "suits": 1, "rounds": 1}, "a deck of 3 cards is too small, the deal needs 4"),
    ],
)
def test_a_wrong_deck_is_refused_in_one_sentence(wrong, sentence):
    with pytest.raises(Invalid) as refusal:
        Holdem(**wrong)
    assert str(refusal.value) == f"Holdem: {sentence}"


# --- OpenSpiel ---


def theirs(game):
    boards = " ".join(map(str, [0, game.flop, 1, 1][: game.rounds]))
    sizes, most = [2, 2, 4, 4][: game.rounds], [game.raises - 1] + [game.raises] * (game.rounds - 1)
    return (
        f"universal_poker(betting=limit,numPlayers=2,numRounds={game.rounds},blind=1 2,"
        f"firstPlayer={' '.join(['1', '2', '2', '2'][: game.rounds])},numSuits={game.suits},numRanks={game.ranks},"
        f"numHoleCards={game.hole},numBoardCards={boards},raiseSize={' '.join(map(str, sizes))},"
        f"maxRaises={' '.join(map(str, most))})"
    )


@pytest.mark.parametrize(
    "game", [GAME, Holdem(6, 4), Holdem(5, 3, rounds=3, raises=3), Holdem(4, 2, rounds=2), TINY], ids=fogtree.name
)
def test_random_hands_agree_with_openspiel_move_by_move(game):
    pyspiel = pytest.importorskip("pyspiel")
    match, throw = pyspiel.load_game(theirs(game)), random.Random(2)
    for hand in range(300):
        state, judge = new_state(game), match.new_initial_state()
        with np.errstate(over="ignore"):
            while not judge.is_terminal():
                actions = legal(game, state)
                if judge.is_chance_node():
                    # theirs come in any order, ours ascending: ours are among theirs
                    assert game.player(state) == CHANCE and set(actions) <= set(judge.legal_actions())
                else:
                    assert (game.player(state), actions) == (judge.current_player(), judge.legal_actions())
                    if hand % 4:
                        actions = [action for action in actions if action != FOLD]
                action = throw.choice(actions)
                game.step(state, action)
                judge.apply_action(action)
        assert payoffs(game, state) == tuple(judge.returns())
