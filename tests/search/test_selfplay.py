"""Self-play: the same numbers as IS-MCTS, compiled as interpreted, and the library's way of growing by a plain second way."""

import numba
import numpy as np
import pytest

import fogtree
from fogtree.bandits import DeterministicUCT, NondeterministicUCT, RegretMatching
from fogtree.errors import Invalid
from fogtree.games.rounds import Rounds
from fogtree.search.selfplay import ByHistory, BySet, Record, new_selectors, play_slice, sets

GAMES = (fogtree.MatrixGame([[-4, 0], [3, -3], [0, -2]]), Rounds())


def played(game, bandit, games, seed, growth=BySet(), play=play_slice):  # noqa: B008
    selectors = new_selectors(game, bandit, growth)
    count, widest = int(selectors.sets.sum()), int(selectors.width.max())
    record = Record(np.array([games]), *np.zeros((2, 1, count, widest)))
    random = fogtree.seeded(seed)
    while play(bandit, growth, selectors, record, 700, random) == 0:  # in slices
        pass
    return selectors, record


@pytest.mark.parametrize("game", GAMES)
def test_self_play_remembers_what_ismcts_remembers(game, monkeypatch):
    bandit = RegretMatching()
    selectors, _ = played(game, bandit, 5_000, 3)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)  # the second way is plain Python, and waits for no compiler
    search = fogtree.ISMCTS(game, bandit, 3).run(iterations=5_000)
    view = (
        [0] if isinstance(game, fogtree.MatrixGame) else [1, 2, 3]
    )  # of sets 0, 1, 2: an own choice adds a binary digit
    for player in (0, 1):
        need = bandit.slots(int(selectors.width[player]))
        for i, seen in enumerate(view):
            at = int(selectors.base[player]) + i * need
            _, memory = search.remembered(player, seen)
            assert selectors.memory[at : at + need].tolist() == memory.tolist()


def test_compiled_self_play_is_interpreted_self_play():
    bandit = NondeterministicUCT(epsilon=0.1)
    for game in GAMES:
        compiled, policy = played(game, bandit, 1_500, 5)
        plain, same = played(game, bandit, 1_500, 5, play=play_slice.interpreted)
        assert compiled.memory.tolist() == plain.memory.tolist()
        assert policy.policy.tolist() == same.policy.tolist()


def library(game, bandit, games, seed):
    """The library's search on a tree of nodes, as told in the docstring of selfplay.py, with dictionaries and recursion."""
    widths = (game.rows, game.columns) if isinstance(game, Rounds) else game.payoffs.shape
    turns = 2 * game.rounds if isinstance(game, Rounds) else 2
    random = fogtree.seeded(seed)
    nodes, memory = {()}, {(0, ()): np.zeros(bandit.slots(widths[0]))}

    def descend(history):
        player = len(history) % 2
        if len(history) == turns:
            plans = [0, 0]
            for turn, action in enumerate(history):
                plans[turn % 2] = plans[turn % 2] * widths[turn % 2] + action
            return game.payoffs[plans[0], plans[1]]
        own = (player, history[player::2])
        if history not in nodes:
            nodes.add(history)
            memory[own] = np.zeros(bandit.slots(widths[player]))
            while len(history) < turns:
                history = (*history, int(fogtree.dice.below(random, widths[len(history) % 2])))
            return descend(history)
        chosen, probability = bandit.choose(memory[own], widths[player], random)
        value = descend((*history, int(chosen)))
        bandit.learn(memory[own], widths[player], chosen, probability, value if player == 0 else -value)
        return value

    with np.errstate(over="ignore"):
        for _ in range(games):
            descend(())
    return memory


def test_growing_by_history_is_the_library_s_search():
    bandit = DeterministicUCT()
    for game in GAMES:
        selectors, _ = played(game, bandit, 300, 11, ByHistory(), play_slice.interpreted)
        plain = library(game, bandit, 300, 11)
        widths = [int(k) for k in selectors.width]
        for (player, choices), memory in plain.items():
            i = 0
            for action in choices:
                i = i * widths[player] + 1 + action
            at = int(selectors.base[player]) + i * len(memory)
            assert selectors.memory[at : at + len(memory)].tolist() == memory.tolist()
        assert len(plain) >= 2


def test_player_1_starts_again_whenever_player_0_tries_something_new():
    # three rows: the first three games go to new histories, in which player 1 never chooses; from the fourth on they do
    selectors, _ = played(GAMES[0], DeterministicUCT(), 5, 1, ByHistory(), play_slice.interpreted)
    visits = selectors.memory[0], selectors.memory[selectors.base[1]]
    assert visits == (5.0, 2.0)


def test_sets_are_counted_as_a_tree_of_own_choices():
    assert [sets(2, 1), sets(2, 2), sets(3, 3)] == [1, 3, 13]


def test_other_games_are_refused():
    with pytest.raises(Invalid, match="needs a matrix game or a game of rounds, not kuhn"):
        new_selectors(fogtree.Kuhn(), RegretMatching())
    with pytest.raises(Invalid, match="two actions or more"):
        new_selectors(fogtree.MatrixGame([[1, 2]]), RegretMatching())
