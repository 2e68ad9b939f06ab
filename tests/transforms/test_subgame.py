"""Subgames and their gadgets: games like any other, and safe to solve alone."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.games.random_games import Sequential, Talking
from fogtree.solvers.exact.lp import solve_lp
from fogtree.solvers.exact.safe import marked_whole, resolved
from fogtree.solvers.forms.infosets import planned
from fogtree.solvers.forms.marked import marked_form, outlook
from fogtree.solvers.forms.response import answer_value, average
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.transforms.subgame import Maxmargin, Reach, Resolve, Subgame, roots_of

SAFE = (Resolve, Maxmargin, Reach)
EXACT = 1e-9  # how much worse than the blueprint a resolved strategy may be, for rounding


def random_mix(tree, seed, sharp=2.0):
    """A behaviour strategy by sequence, drawn at random."""
    weight = np.random.default_rng(seed).random(int(tree.sequences())) ** sharp
    weight[0] = 1.0
    for low, high in zip(tree.first[:-1], tree.first[1:], strict=True):
        weight[low:high] /= weight[low:high].sum()
    return weight


def near_equilibrium(form, me, noise, seed):
    """A blueprint next to an equilibrium."""
    exact = average(form, me, solve_lp(form).plans[me])
    return (1 - noise) * exact + noise * random_mix(form.trees[me], seed)


def roots_in(game, me, seed=0, public=None):
    """The roots of a public state ahead of a random blueprint: the last one in which `me` decides, or the one named."""
    marked = marked_whole(game, me)
    ahead = outlook(marked, planned(marked.form.trees[me], random_mix(marked.form.trees[me], seed)))
    public = int(ahead.public_of[: int(ahead.places.used[0])].max()) if public is None else public
    return ahead.roots(public, game.shape().words)


@pytest.fixture(scope="module")
def kuhn_roots():
    return roots_in(ft.Kuhn(), 1)


@pytest.mark.parametrize("kind", [Subgame, *SAFE])
def test_a_subgame_is_a_game_like_any_other(kind, kuhn_roots, interpreted):
    report = ft.check(kind(ft.Kuhn(), 0, kuhn_roots))
    assert report.complete


def test_the_roots_of_kuhn_after_a_bet_are_the_deals(kuhn_roots):
    # player 1 to move after a bet (or a pass): six deals, three cards of the foe, two of ours each, all deals alike
    assert kuhn_roots.first.tolist() == [0, 2, 4, 6]
    assert kuhn_roots.share == pytest.approx(0.5)
    assert kuhn_roots.mass == pytest.approx(1 / 3)


def test_what_is_kept_is_what_a_best_response_gets_in_kuhn():
    # we are player 1 and always call. A king that bets wins 2; a jack that bets loses 2; a queen is even
    marked = marked_whole(ft.Kuhn(), 1)
    tree = marked.form.trees[1]
    call = np.where(tree.action == 1, 1.0, 0.0)
    call[0] = 1.0
    ahead = outlook(marked, planned(tree, call))
    kept = sorted(tuple(np.round(sorted(ahead.roots(q, 3).value), 9)) for q in range(1, len(ahead.first) - 1))
    assert (-2.0, 0.0, 2.0) in kept


def test_gifts_are_what_the_foe_could_have_had_instead():
    # against one who always bets and calls, a jack loses 2 by a bet, and 1 by a pass and a fold: a bet gives 1 away. A queen
    # is even by both, and a king wins 2 by both
    marked = marked_whole(ft.Kuhn(), 1)
    tree = marked.form.trees[1]
    call = np.where(tree.action == 1, 1.0, 0.0)
    call[0] = 1.0
    ahead = outlook(marked, planned(tree, call))
    gifts = [tuple(np.round(ahead.roots(q, 3).gift, 9)) for q in range(1, len(ahead.first) - 1)]
    assert sorted(sorted(each) for each in gifts if len(each) == 3)[-1] == [0.0, 0.0, 1.0]
    assert [0.0, 0.0, 0.0] in [sorted(each) for each in gifts]


def violations(games, kinds=SAFE):
    """(how much worse, game, player, gadget) wherever a resolved strategy is more exploitable than its blueprint."""
    found, subgames = [], 0
    for game, seed in games:
        for me in (0, 1):
            marked = marked_whole(game, me)
            blueprint = random_mix(marked.form.trees[me], seed)
            for kind in kinds:
                result = resolved(marked, blueprint, kind)
                subgames += result.subgames
                if result.after > result.before + EXACT:
                    found.append((result.after - result.before, game, me, kind))
    return found, subgames


def talks(count):
    return [(Talking(2 + seed % 3, 2 + seed % 3, 2 + seed % 2, seed=seed).game(), seed) for seed in range(count)]


def rounds(count):
    return [(Sequential(2 + seed % 2, 2, 2 + seed % 2, seed=seed).game(), seed) for seed in range(count)]


def test_resolving_is_safe_in_random_games():
    # the first 80 of the thousand of the slow test
    found, subgames = violations(talks(55) + rounds(25))
    assert not found
    assert subgames > 800


@pytest.mark.slow
def test_resolving_is_safe_in_a_thousand_random_games():
    found, _ = violations(talks(700) + rounds(300))
    assert not found


def test_without_a_gadget_resolving_is_not_safe():
    # the blueprint is nearly perfect, and the subgames alone forget why
    marked = marked_whole(ft.Kuhn(), 0)
    blueprint = near_equilibrium(marked.form, 0, 0.01, seed=1)
    unsafe = resolved(marked, blueprint, Subgame)
    assert unsafe.after > unsafe.before + 0.01
    for kind in SAFE:
        safe = resolved(marked, blueprint, kind)
        assert safe.after <= safe.before + EXACT


def test_a_resolved_equilibrium_stays_one():
    # nothing can be better than the value, and safety says that nothing gets worse
    game = ft.load("leduc:ranks=2")
    marked = marked_whole(game, 1)
    exact = average(marked.form, 1, solve_lp(marked.form).plans[1])
    result = resolved(marked, exact, Resolve)
    assert result.after == pytest.approx(result.before, abs=1e-7)


def test_marks_change_nothing_in_the_form():
    game = ft.load("liars-dice:faces=2")
    plain, marked = sequence_form(game), marked_form(game, 0).form
    assert solve_lp(marked).value == pytest.approx(solve_lp(plain).value, abs=1e-9)
    strategy = random_mix(plain.trees[0], 3)
    assert answer_value(marked, planned(marked.trees[0], strategy), 1) == pytest.approx(
        answer_value(plain, planned(plain.trees[0], strategy), 1), abs=1e-12
    )


def test_roots_without_weight_are_left_out():
    state = np.arange(6).reshape(3, 2)
    roots = roots_of(state, np.array([0.2, 0.0, 0.6]), np.array([1, 0, 0]), np.array([5.0, 7.0]), np.zeros(2))
    assert roots.state.tolist() == [[4, 5], [0, 1]]
    assert roots.mass == pytest.approx([0.75, 0.25])
    assert roots.value.tolist() == [5.0, 7.0]
