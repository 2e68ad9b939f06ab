"""Hand strength and buckets: against plain enumeration on small decks."""

import functools
import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from playing import after

from fogtree import Invalid, dice
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.games.holdem.cards import bit
from fogtree.games.holdem.cards import strength as value_of
from fogtree.games.holdem.strength import UNIT, canonical_boards, hand_number, make_strengths, public_cards, strengths

SMALL = Holdem(ranks=4, suits=3, rounds=3)  # twelve cards, four of them public in the end
ONE = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)


@functools.cache
def made(game):
    return make_strengths(game)


def word(game, cards):
    return np.int64(sum(int(bit(card, game.suits)) for card in cards))


@functools.cache
def plain_strength(game, hand, board):
    """HS by its definition."""
    left = [card for card in range(game.deck()) if card not in hand + board]
    mine, points, count = value_of(word(game, hand + board)), 0.0, 0
    for other in itertools.combinations(left, game.hole):
        theirs = value_of(word(game, other + board))
        points += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        count += 1
    return points / count


def plain_square(game, hand, board):
    """E[HS^2] by its definition."""
    left = [card for card in range(game.deck()) if card not in hand + board]
    missing = public_cards(game, game.rounds - 1) - len(board)
    ways = [tuple(sorted(board + more)) for more in itertools.combinations(left, missing)]
    return float(np.mean([plain_strength(game, hand, way) ** 2 for way in ways]))


def number(game, hand):
    return hand_number(*(*hand, 0)[:2], game.hole)


def test_the_numbers_of_canonical_boards_are_the_known_ones():
    # Burnside's lemma; also K. Waugh, A fast and optimal hand isomorphism algorithm, 2013
    assert [len(boards) for boards in canonical_boards(Holdem(rounds=3))] == [1, 1_755, 16_432]


@pytest.mark.parametrize("game", [SMALL, ONE, Holdem(3, 2, rounds=1, hole=1)])
def test_whole_boards_hold_the_exact_hand_strength(game):
    table, size = made(game), public_cards(game, game.rounds - 1)
    throw = np.random.default_rng(1)
    for _ in range(150):
        cards = throw.permutation(game.deck())[: size + game.hole].tolist()
        hand, board = tuple(sorted(cards[: game.hole])), tuple(sorted(cards[game.hole :]))
        found = table.look(word(game, board), number(game, hand)) / table.top
        assert found == pytest.approx(plain_strength(game, hand, board), abs=1e-12)


@pytest.mark.parametrize("stage", [0, 1])
def test_earlier_boards_hold_the_mean_of_the_squares(stage):
    throw, table = np.random.default_rng(2), made(SMALL)
    for _ in range(12):
        cards = throw.permutation(SMALL.deck())[: public_cards(SMALL, stage) + 2].tolist()
        hand, board = tuple(sorted(cards[:2])), tuple(sorted(cards[2:]))
        found = table.look(word(SMALL, board), number(SMALL, hand)) / UNIT
        assert found == pytest.approx(plain_square(SMALL, hand, board), abs=1 / UNIT)


def test_a_hand_with_a_card_of_the_board_has_no_strength():
    table = made(SMALL)
    assert table.look(word(SMALL, (0, 5, 7)), number(SMALL, (3, 5))) == 0


@pytest.mark.slow  # the tables of the full deck take ten seconds of a core, or a minute where many programs run
def test_aces_and_seven_deuce_have_their_known_chances_and_a_flop_agrees_with_enumeration():
    game = Holdem()
    table = strengths(game)
    pairs = {"aces": (48, 51), "seven deuce": (0, 21)}
    assert table.value[0].argmax() in {number(game, hand) for hand in itertools.combinations(range(48, 52), 2)}
    assert table.value[0, number(game, pairs["aces"])] > 3 * table.value[0, number(game, pairs["seven deuce"])]
    hand, flop = (48, 45), (3, 17, 30)
    total = count = 0.0
    left = [card for card in range(52) if card not in hand + flop]
    for more in itertools.combinations(left, 2):
        share = table.look(word(game, flop + more), number(game, tuple(sorted(hand)))) / table.top
        total, count = total + share**2, count + 1
    found = table.look(word(game, flop), number(game, tuple(sorted(hand)))) / UNIT
    assert found == pytest.approx(total / count, abs=2 / UNIT)


# --- on disk ---


def test_tables_are_kept_and_a_damaged_file_is_made_anew(tmp_path):
    first = strengths(ONE, folder=tmp_path)
    (path,) = tmp_path.glob("holdem-strength-*")
    whole = path.read_bytes()
    changed = path.stat().st_mtime_ns
    again = strengths(ONE, folder=tmp_path)
    assert path.stat().st_mtime_ns == changed and (again.value == first.value).all()
    for damage in (whole[:-1], whole[:-2] + b"xx", b"", b"no tables at all" * 40, whole[:300]):
        path.write_bytes(damage)
        mended = strengths(ONE, folder=tmp_path)
        assert (mended.value == made(ONE).value).all()
        assert path.read_bytes() == whole


def test_where_nothing_can_be_written_tables_stay_in_memory(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("a file, not a folder")
    assert (strengths(ONE, folder=blocked / "inside").value == made(ONE).value).all()


def test_progress_is_told_up_to_the_last_board():
    told = []
    table = make_strengths(ONE, progress=told.append)
    assert told[-1].what == "boards" and told[-1].done == told[-1].goal == len(table.value)


# --- buckets ---


def all_deals(game):
    """Every hand with every course of the board, as sets of cards a round."""
    for hand in itertools.combinations(range(game.deck()), game.hole):
        left = [card for card in range(game.deck()) if card not in hand]
        for flop in itertools.combinations(left, game.flop):
            rest = [card for card in left if card not in flop]
            for more in itertools.permutations(rest, game.rounds - 2):
                yield hand, [flop + more[:n] for n in range(game.rounds - 1)]


def plain_sequences(game, k):
    """[deal] the buckets of each round, by sorting all deals."""
    table, deals = made(game), list(all_deals(game))
    boards = [[(), *courses] for _, courses in deals]
    known = [()] * len(deals)
    for stage in range(game.rounds):
        value = [int(table.look(word(game, boards[d][stage]), number(game, deals[d][0]))) for d in range(len(deals))]
        groups = defaultdict(list)
        for d, before in enumerate(known):
            groups[before].append(d)
        known = list(known)
        for before, members in groups.items():
            count, below = Counter(value[d] for d in members), 0
            part = {}
            for each in sorted(count):
                part[each] = min(int(k * (below + count[each] / 2) / len(members)), k - 1)
                below += count[each]
            for d in members:
                known[d] = (*before, part[value[d]])
    return dict(zip([(hand, tuple(courses[-1])) for hand, courses in deals], known, strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@pytest.mark.parametrize("game, k", [(ONE, 2), (ONE, 3), (Holdem(4, 2, rounds=3), 2), (Holdem(4, 2, rounds=3), 3)])
def test_buckets_are_those_that_sorting_all_deals_gives(game, k, folder):
    found = Buckets(game, k, folder=folder).bucketing
    moves = {1: ("call", "check"), 2: ("call", "check", "check", "check")}
    for (hand, board), buckets in itertools.islice(plain_sequences(game, k).items(), 0, None, 7):
        others = [card for card in range(game.deck()) if card not in hand + board][: game.hole]
        deal = [*hand, *others, *moves[1], *sorted(board[: game.flop])]
        for card in board[game.flop :]:
            deal += ["check", "check", card]
        state = after(game, *deal)
        want = functools.reduce(lambda total, bucket: k * total + bucket, buckets, 0)
        assert found.sequence(game, state, 0) == want, (hand, board)


def test_buckets_hold_equal_shares_of_the_hands_where_hands_are_many(folder):
    game, k = Holdem(5, 4, rounds=2), 3
    first, second, _ = Buckets(game, k, folder=folder).deals(200_000, dice.seeded(3))
    for sequence in (first, second):
        share = np.bincount(sequence, minlength=k * k) / len(sequence)
        assert share.min() > 0.08 and share.max() < 0.14  # each of nine would be 0.111


def test_dealt_results_follow_the_real_cards(folder):
    game, k = ONE, 2
    buckets = Buckets(game, k, folder=folder)
    count = 300_000
    first, second, won = buckets.deals(count, dice.seeded(4))
    seen = Counter(zip(first.tolist(), second.tolist(), won.tolist(), strict=True))
    exact, deals = Counter(), 0
    for a, b, c in itertools.permutations(range(6), 3):
        state = after(game, a, b, "call", "check", c)
        lead = game.hand(state, 0) - game.hand(state, 1)
        pair = [int(buckets.bucketing.sequence(game, state, player)) for player in (0, 1)]
        exact[pair[0], pair[1], int(np.sign(lead))] += 1
        deals += 1
    assert seen.keys() == exact.keys()
    for key, number_of in exact.items():
        share = number_of / deals
        assert abs(seen[key] / count - share) < 5 * (share * (1 - share) / count) ** 0.5


def test_cuts_are_kept_and_a_damaged_file_is_made_anew(tmp_path):
    cut = Buckets(ONE, 3, folder=tmp_path).bucketing.cut
    (path,) = tmp_path.glob("holdem-buckets-*")
    changed = path.stat().st_mtime_ns
    assert (Buckets(ONE, 3, folder=tmp_path).bucketing.cut == cut).all() and path.stat().st_mtime_ns == changed
    path.write_bytes(b"nothing")
    assert (Buckets(ONE, 3, folder=tmp_path).bucketing.cut == cut).all() and path.stat().st_size > 100


@pytest.mark.parametrize("k", [0, 17, 2.5])
def test_a_wrong_number_of_buckets_is_refused(k, folder):
    with pytest.raises(Invalid, match="the number of buckets must be"):
        Buckets(ONE, k, folder=folder)
