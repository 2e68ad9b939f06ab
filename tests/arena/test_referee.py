"""The referee: who is asked, what they are told, and that it is no more than their player sees."""

import contextlib
import time

import numpy as np
import pytest
from small_games import HiddenCoin, OpenTicTacToe, Partners

import fogtree
from fogtree import dice
from fogtree.arena import agents
from fogtree.arena.agents import RandomAgent
from fogtree.arena.referee import forfeited, play, replay
from fogtree.arena.sight import sight
from fogtree.game import Shape, new_state
from fogtree.text.notation import course, from_notation


class Spy(RandomAgent):
    """Plays at random and keeps what it was shown."""

    def __init__(self, seed, *path):
        super().__init__(seed, *path)
        self.sights = []

    def act(self, sight):
        self.sights.append(sight)
        return super().act(sight)


class Stubborn:
    def __init__(self, *answers):
        self.answers, self.told = list(answers), []

    def act(self, sight):
        return self.answers.pop(0)

    def refused(self, sentence):
        self.told.append(sentence)


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_what_an_agent_is_told_depends_on_its_view_alone(name):
    game, known = fogtree.load(name), {}
    for seed in range(60 if game.shape().moves < 300 else 2):
        spies = [Spy(seed, 1 + player) for player in range(game.shape().players)]
        play(game, spies, seed=seed)
        for seen in (seen for spy in spies for seen in spy.sights):
            told = (seen.actions, seen.labels, seen.text)
            assert known.setdefault((seen.player, seen.view), told) == told


def test_an_agent_gets_no_state():
    spies = [Spy(1, 1), Spy(1, 2)]
    play(fogtree.Leduc(), spies, seed=1)
    for seen in spies[0].sights:
        fields = {"game", "player", "view", "actions", "_labels", "_text", "moves", "start", "imagined"}
        assert set(vars(seen)) == fields
        assert (seen.moves, seen.start, seen.imagined) == ((), "", None)  # Leduc poker is hidden and imagines nothing
        held = [*vars(seen).values(), *_enclosed(seen._labels), *_enclosed(seen._text)]
        assert not any(isinstance(part, np.ndarray) for part in held)


def _enclosed(function):
    """What a function holds of where it was made."""
    return [cell.cell_contents for cell in function.__closure__]


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_a_match_can_be_replayed_from_its_moves(name):
    game = fogtree.load(name)
    players = range(game.shape().players)
    match, again = (play(game, [RandomAgent(5, 1 + player) for player in players], seed=5) for _ in range(2))
    assert match == again
    state = np.zeros(game.shape().words, np.int64)
    game.start(state)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for move in match.moves:
            assert game.player(state) == move.player
            game.step(state, move.action)
    assert game.player(state) == fogtree.OVER
    assert match.payoffs == tuple(game.payoff(state, player) for player in players)


def test_random_agents_score_what_random_games_do():
    # uniform play of Kuhn poker is worth 1/8 to player 0; one payoff deviates by about 1.4, the mean of 8,000 by 0.016
    won = [play(fogtree.Kuhn(), [RandomAgent(n, 1), RandomAgent(n, 2)], seed=n).payoffs[0] for n in range(8_000)]
    assert np.mean(won) == pytest.approx(1 / 8, abs=0.05)


def test_text_is_read_and_a_refused_agent_is_asked_again():
    stubborn = Stubborn("raise", 7, "BET", "bet")
    play(fogtree.Kuhn(), [stubborn, Stubborn("bet", "bet")], seed=1)
    assert stubborn.told == [
        "'raise' is not a legal action here: choose from pass, bet",
        "7 is not a legal action here: choose from 0, 1",
    ]


class Wild:
    def act(self, sight):
        return 7


class Faulty:
    def act(self, sight):
        raise RuntimeError("out of ideas")


class Slow:
    def act(self, sight):
        stop = time.perf_counter() + 0.01
        while time.perf_counter() < stop:
            pass
        return sight.actions[0]


@pytest.mark.parametrize(
    "agent, reason",
    [
        (Wild(), "Wild: 7 is not a legal action here: choose from 0, 1"),
        (Faulty(), "Faulty raised RuntimeError: out of ideas"),
        (Slow(), "0.001 s are allowed"),
    ],
)
def test_an_agent_that_fails_forfeits_and_the_reason_is_kept(agent, reason):
    match = play(fogtree.Kuhn(), [agent, RandomAgent()], seconds=0.001 if isinstance(agent, Slow) else None)
    assert match.payoffs == (-2.0, 2.0)
    assert match.forfeit.player == 0
    assert reason in match.forfeit.reason


def test_a_match_needs_an_agent_a_player():
    with pytest.raises(fogtree.Invalid, match="the game has 2 players, so it needs 2 agents, not 1"):
        play(fogtree.Kuhn(), [RandomAgent()])
    with pytest.raises(fogtree.Invalid, match="it needs 2 agents, not 1"):
        play("kuhn", "random")
    with pytest.raises(fogtree.Invalid, match="longest must be a whole number of 0 or more, not 'long'"):
        play("kuhn", ["random", "random"], longest="long")


def test_an_agent_that_never_learns_forfeits_in_the_end():
    class Deaf(Wild):
        heard = 0

        def refused(self, sentence):
            self.heard += 1

    deaf = Deaf()
    match = play(fogtree.Kuhn(), [deaf, RandomAgent()])
    assert match.forfeit == (0, "Deaf gave 1,000 illegal answers in a row", False) and deaf.heard == 1_000


# --- sides -----------------------------------------------------------------------------------------------------------


def test_the_partner_of_one_who_forfeits_loses_too():
    for culprit in range(4):
        table = [Wild() if player == culprit else RandomAgent(player) for player in range(4)]
        match = play(Partners(), table)
        assert match.forfeit.player == culprit
        assert match.payoffs == ((-1.0, 1.0, -1.0, 1.0) if culprit % 2 == 0 else (1.0, -1.0, 1.0, -1.0))


@pytest.mark.parametrize(
    "low, high, zero_sum, side, payoffs",
    [
        (-2, 2, True, (0, 1, 2), (-2, 1, 1)),  # the loss is shared, so nothing comes from nowhere
        (-2, 2, False, (0, 1, 2), (-2, 2, 2)),
        (-3, 1, True, (0, 1, 1, 1), (-3, 1, 1, 1)),
        (-1, 3, True, (0, 0, 0, 1), (-1, -1, -1, 3)),
        (-10, 1, True, (0, 1), (-1, 1)),  # nobody gets more than the highest payoff
        (0, 5, False, (0, 1), (0, 5)),
        (-1, 1, True, (0, 0), (0, 0)),  # nobody is there to win
    ],
)
def test_what_a_forfeit_costs(low, high, zero_sum, side, payoffs):
    found = forfeited(Shape(len(side), 1, 1, 1, low, high, zero_sum), side, 0)
    assert found == pytest.approx(payoffs)
    assert not zero_sum or sum(found) == pytest.approx(0)


def test_a_match_has_an_agent_a_player_and_one_name_a_side():
    table = agents.agents_for(Partners(), ["random", "random"], 3, 7)
    assert [agent.random.tolist() for agent in table] == [dice.seeded(3, 7, player).tolist() for player in range(4)]
    with pytest.raises(fogtree.Invalid, match="the game has 2 sides, so it needs 2 agents, not 4"):
        agents.agents_for(Partners(), ["random"] * 4, 3)


# --- what else a sight tells -----------------------------------------------------------------------------------------


def test_where_nothing_is_hidden_an_agent_is_told_the_moves():
    spies = [Spy(1, 1), Spy(1, 2)]
    match = play(OpenTicTacToe(), spies, seed=1)
    pairs = [(move.player, move.action) for move in match.moves]
    for number, seen in enumerate(spies[0].sights):
        assert list(seen.moves) == pairs[: 2 * number] and seen.start == ""
        now = course(OpenTicTacToe(), pairs[: 2 * number]).state
        assert seen.worlds(2).tolist() == [now.tolist()] * 2
    middle = course(OpenTicTacToe(), pairs[:3]).state
    play(OpenTicTacToe(), spies, start=fogtree.text.notation.Course(middle), seed=2)
    later = spies[1].sights[-1]
    assert later.start == OpenTicTacToe().notation(middle)


def test_in_a_hidden_game_nobody_is_told_moves_whoever_offers_them():
    seen = sight(fogtree.Kuhn(), course(fogtree.Kuhn(), [(-1, 0), (-1, 1)]).state, 0, moves=((-1, 0),), start="J Q")
    assert (seen.moves, seen.start) == ((), "")


def test_imagined_worlds_have_the_view_of_the_true_state_and_their_own_odds(interpreted):
    game, state = HiddenCoin(), new_state(HiddenCoin())
    for action in (1, 0):
        game.step(state, action)
    worlds = sight(game, state, 1, random=dice.seeded(4)).worlds(900)
    assert {int(game.view(world, 1)) for world in worlds} == {int(game.view(state, 1))}
    assert (worlds[:, 0] == 0).mean() == pytest.approx(2 / 3, abs=0.08)  # five deviations of 0.0157
    assert state.tolist() == [1, 0, -1], "the state itself is left alone"
    other = state.copy()
    other[:2] = 0, 1  # what player 1 cannot see
    again = sight(game, other, 1, random=dice.seeded(4)).worlds(900)
    assert again.tolist() == worlds.tolist(), "they tell nothing of the true state"


class Dreamer(Spy):
    """Draws worlds before it plays at random."""

    def act(self, sight):
        self.worlds = sight.worlds(50)
        return super().act(sight)


def test_worlds_have_dice_of_their_own(interpreted):
    # neither the deals nor what the other player imagines depend on who asks for worlds
    for seed in range(20):
        quiet = play(HiddenCoin(), [Spy(seed, 0), Spy(seed, 1)], seed=seed)
        dreamers = [Dreamer(seed, 0), Dreamer(seed, 1)]
        assert play(HiddenCoin(), dreamers, seed=seed) == quiet
        alone = [Spy(seed, 0), Dreamer(seed, 1)]
        assert play(HiddenCoin(), alone, seed=seed) == quiet
        assert alone[1].worlds.tolist() == dreamers[1].worlds.tolist() != dreamers[0].worlds.tolist()


def test_a_game_that_cannot_imagine_says_so():
    seen = sight(fogtree.Kuhn(), course(fogtree.Kuhn(), [(-1, 0), (-1, 1)]).state, 0)
    with pytest.raises(fogtree.Invalid, match="Kuhn cannot draw states: it has no method `imagine`"):
        seen.worlds(5)


# --- from the middle, and watched ------------------------------------------------------------------------------------


def test_a_match_can_begin_in_the_middle_and_its_moves_tell_all():
    game = fogtree.Kuhn()
    start = from_notation(game, "J Q pass")
    match = play(game, [RandomAgent(1), Stubborn("bet")], start=start, seed=1)
    assert [move.label for move in match.moves[:4]] == ["J", "Q", "pass", "bet"]
    assert replay(game, match.moves)[3].tolist() == start.state.tolist()
    bare = play(game, [RandomAgent(1), Stubborn("bet")], start=start._replace(moves=()), seed=1)
    assert [move.label for move in bare.moves] == [move.label for move in match.moves[3:]]
    assert replay(game, bare.moves, start)[-1].tolist() == replay(game, match.moves)[-1].tolist()


def test_whoever_watches_is_told_who_is_to_move_and_when_they_have():
    heard = []

    @contextlib.contextmanager
    def watch(player):
        heard.append(f"{player} thinks")
        yield
        heard.append(f"{player} moved")

    match = play(fogtree.Kuhn(), [RandomAgent(1), RandomAgent(2)], seed=1, watch=watch)
    asked = [move.player for move in match.moves if move.player >= 0]
    assert heard == [f"{player} {word}" for player in asked for word in ("thinks", "moved")]
