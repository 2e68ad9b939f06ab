"""Agents: a person, a random player, players who search or follow a strategy, and their names."""

import collections
import functools
import gc
import pathlib
import re
import weakref

import numpy as np
import pytest
from small_games import HiddenCoin, OpenTicTacToe

import fogtree
from fogtree import Goofspiel, Kuhn, Leduc, Strategy, TicTacToe
from fogtree.arena import agents
from fogtree.arena.agents import HumanAgent, RandomAgent, SearchAgent, Sight, StrategyAgent, believing, searching
from fogtree.arena.agents.searching import Draw
from fogtree.arena.referee import play, replay
from fogtree.arena.sight import sight
from fogtree.bandits import UCT, Exp3, RegretMatching
from fogtree.game import new_state
from fogtree.games.holdem import Holdem
from fogtree.search.worlds.belief import Belief
from fogtree.text.notation import from_notation

TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)


def test_a_person_is_shown_the_state_once_however_often_they_are_refused():
    typed, told = iter(["x", "y", "bet", "bet"]), []
    play(fogtree.Kuhn(), [HumanAgent(lambda prompt: next(typed), told.append), RandomAgent(1)], seed=1)
    assert [text.startswith("\nyour card") for text in told[:3]] == [True, False, False]


def test_agents_have_names():
    assert isinstance(agents.load_agent("random", 3), RandomAgent)
    with pytest.raises(fogtree.Invalid, match="there is no agent 'nobody': valid are random"):
        agents.load_agent("nobody")


def test_always_has_only_the_actions_of_the_game():
    kuhn = fogtree.load("kuhn")
    agents.require_fit(agents.load_agent("always:1"), kuhn)
    with pytest.raises(fogtree.Invalid, match="no action 2 in this game: valid are always:0 to always:1"):
        agents.require_fit(agents.load_agent("always:2"), kuhn)
    agents.require_fit(agents.load_agent("always:4000"), fogtree.load("chess"))  # whose moves have numbers of their own


@pytest.mark.parametrize(
    "text, timed",
    [("rm", False), ("rm:seconds=0.1", True), ("alphabeta", True), ("alphabeta:depth=2", False), ("random", False)],
)
def test_an_agent_tells_whether_it_thinks_by_the_clock(text, timed):
    assert agents.by_the_clock(agents.load_agent(text)) == timed


@pytest.mark.parametrize("name", ["rm", "pimc", "epimc", "mmds", "kluss", "oos", "resolve", "uct-risk", "perfect"])
def test_an_agent_and_its_trees_are_gone_with_the_match(name):
    # an agent that holds itself waits for Python's collector of such rings, which long tournaments hardly ever start
    gc.collect()
    gc.disable()
    try:
        agent = agents.load_agent(name, 1)
        play(Kuhn(), [agent, RandomAgent(2)], seed=1)
        gone = weakref.ref(agent)
        del agent
        assert gone() is None
    finally:
        gc.enable()


def test_an_agent_that_cannot_play_a_game_is_refused_before_it_begins():
    for agent, sentence in (
        (agents.BeliefAgent(), "Leduc has no open twin"),
        (StrategyAgent(Strategy.uniform(Kuhn())), "Kuhn"),
    ):
        with pytest.raises(fogtree.Invalid, match=sentence):
            agents.require_fit(agent, Leduc())
    agents.require_fit(agents.BeliefAgent(), fogtree.PhantomTicTacToe())


def test_a_random_agent_is_fair_and_follows_its_seed():
    sight = Sight(fogtree.Kuhn(), 0, 1, (0, 1, 5), lambda: ("a", "b", "c"), str)
    first, second, other = RandomAgent(1), RandomAgent(1), RandomAgent(2)
    moves = [first.act(sight) for _ in range(3_000)]
    assert moves == [second.act(sight) for _ in range(3_000)]
    assert moves != [other.act(sight) for _ in range(3_000)]
    assert all(
        moves.count(action) == pytest.approx(1_000, abs=130) for action in sight.actions
    )  # five deviations of 26


# --- a file of one's own ---------------------------------------------------------------------------------------------

OWN = f"{pathlib.Path(__file__).parent}/small_agents.py"


def test_an_agent_of_ones_own_gets_its_parameters_and_a_seed_by_its_path():
    one = agents.load_agent(f"{OWN}:Counting:step=2,note=late", 3, 1)
    same, other = agents.load_agent(f"{OWN}:Counting:step=2", 3, 1), agents.load_agent(f"{OWN}:Counting:step=2", 3, 2)
    assert (one.step, one.note, same.note) == (2, "late", "none")
    assert one.seed == same.seed != other.seed
    assert agents.load_agent(f"{OWN}:Says:what=1").what == 1
    assert agents.name(one) == "Counting"
    assert play(Kuhn(), [one, RandomAgent(1)], seed=1).forfeit is None and one.asked >= 2


def test_a_bandit_of_ones_own_searches(interpreted):
    agent = agents.load_agent(f"{OWN}:FirstAction:c=2,iterations=20,play_best=yes", 1)
    assert isinstance(agent, SearchAgent) and (agent.bandit.c, agent.how.iterations, agent.how.play_best) == (
        2,
        20,
        True,
    )
    match = play(Kuhn(), [agent, agents.load_agent(f"{OWN}:FirstAction")], seed=1)
    assert [move.label for move in match.moves[2:]] == ["pass", "pass"]


@pytest.mark.parametrize(
    "text, sentence",
    [
        (f"{OWN}:Counting", "Counting needs step"),
        (f"{OWN}:Counting:step=1,seed=4", "Counting has no parameter 'seed': valid are step, note"),
        (f"{OWN}:Counting:step=1,step=2", "Counting: step is given twice"),
        (f"{OWN}:Counting:step", "Counting: write step=VALUE, not 'step'"),
        (f"{OWN}:Picky:size=3", "Picky: size 3 will not do"),
        (f"{OWN}:Says:x=1", "Says has no parameter 'x': valid are what"),
        (
            f"{OWN}:FirstAction:x=1",
            "no parameter 'x': valid are c, iterations, seconds, keep_tree, play_best",
        ),
        (
            f"{OWN}:Nobody",
            "has no class 'Nobody': it holds Says, Fails, Counting, Noted, Searching, Picky, FirstAction",
        ),
        (OWN, "holds several agents, so one must be named"),
        ("nowhere.py:X", "there is no file nowhere.py"),
        (__file__, "holds no agent: an agent is a class with the method `act`, or a bandit"),
    ],
)
def test_a_bad_agent_of_ones_own_is_one_sentence(text, sentence):
    with pytest.raises(fogtree.Invalid) as error:
        agents.load_agent(text)
    assert sentence in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("base", "cut", "sentence"),
    [("(NamedTuple)", "choose", "has no method choose"), ("", "", "is no NamedTuple: write class Half(NamedTuple)")],
)
def test_an_agent_that_is_nearly_a_bandit_is_told_what_it_lacks(tmp_path, base, cut, sentence):
    methods = [
        f"    {name} = lambda self: 0" for name in ("slots", "reward", "choose", "learn", "policy") if name != cut
    ]
    lines = ["from typing import NamedTuple", f"class Half{base}:", *methods]
    lines += ["class Whole:", "    def act(self, sight): return 0"]
    (tmp_path / "half.py").write_text("\n".join(lines))
    with pytest.raises(fogtree.Invalid, match=re.escape(sentence)):
        agents.load_agent(f"{tmp_path}/half.py:Half")


def test_a_budget_goes_to_searches_that_have_none():
    assert agents.with_budget("rm", 50) == "rm:iterations=50"
    assert agents.with_budget("uct:c=1", 50) == "uct:c=1,iterations=50"
    assert agents.with_budget(f"{OWN}:FirstAction:c=2", 50) == f"{OWN}:FirstAction:c=2,iterations=50"
    assert agents.with_budget(f"{OWN}:FirstAction", 50) == f"{OWN}:FirstAction:iterations=50"
    for name in ("random", "strategy:a.npz", "rm:iterations=7", "uct:c=1,seconds=0.1", f"{OWN}:Says:what=1"):
        assert agents.with_budget(name, 50) == name


def test_every_agent_of_the_registry_can_be_loaded_by_its_name(tmp_path, interpreted):
    Strategy.uniform(Kuhn()).save(tmp_path / "plan.npz")
    full = {"strategy": f"strategy:{tmp_path}/plan.npz", "gtp": "gtp:gnugo", "uci": "uci:stockfish"}
    full |= {"always": "always:1", "junqi": "junqi:x"}
    for known, cls in agents.AGENTS.items():
        agent = agents.load_agent(full.get(known, known))
        assert type(agent) is cls


def test_options_of_a_search_agent_go_to_its_search(interpreted):
    agent = SearchAgent(RegretMatching(), 1, iterations=50, sets=2)
    decide(agent, Kuhn(), 0, 2)
    assert agent.search.infosets == 2


# --- searching -----------------------------------------------------------------------------------------------------


def decide(agent, game, *moves):
    """What an agent answers after these moves, at the first decision of its player."""
    state = new_state(game)
    for move in moves:
        game.step(state, move)
    return agent.act(sight(game, state, game.player(state)))


def test_a_name_gives_an_agent_its_bandit_and_its_budget():
    agent = agents.load_agent("uct:c=1,iterations=5000")
    assert isinstance(agent, SearchAgent)
    assert (agent.bandit, *agent.how) == (UCT(1), 5_000, None, False, True, Draw.EVEN, 1, None, None)
    agent = agents.load_agent("exp3:gamma=0.2,seconds=0.1,keep_tree=yes,play-best=on")
    assert (agent.bandit, *agent.how) == (Exp3(0.2), None, 0.1, True, True, Draw.EVEN, 1, None, None)
    agent = agents.load_agent(" rm ")
    assert (agent.bandit, *agent.how) == (
        RegretMatching(),
        agents.ITERATIONS,
        None,
        False,
        False,
        Draw.EVEN,
        1,
        None,
        None,
    )
    assert agents.name(agents.load_agent("exp3:gamma=0.2,iterations=7")) == "exp3:gamma=0.2"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("rm:iterations=0", "Searching: iterations must be a whole number of 1 or more, not 0"),
        ("rm:seconds=0", "Searching: seconds must be a finite number above 0, not 0"),
        ("rm:seconds=inf", "Searching: seconds must be a finite number above 0, not inf"),
        ("rm:iterations=1.5", "Searching: iterations must be a whole number of 1 or more, not 1.5"),
        ("rm:iterations=many", "Searching: iterations must be a whole number of 1 or more, not 'many'"),
        ("rm:iterations", "rm: write iterations=VALUE, not 'iterations'"),
        ("rm:keep_tree=2", "Searching: keep_tree must be true or false, not 2"),
        ("rm:iterations=5,iterations=6", "rm: iterations is given twice"),
        ("strategy", "the agent strategy needs a file: write strategy:FILE.npz"),
        ("rm:gamma=0", "RegretMatching: gamma must be a number in "),
        ("rm:c=1", "rm has no parameter 'c': valid are gamma, decay, iterations, seconds, keep_tree, play_best"),
        ("mmds:eta=my_policy.py", "Improving: eta must be a number in"),  # which names no file of the user's
        ("random:iterations=5", "the agent random has no parameters: write random"),
        ("strategy:nowhere.npz", "there is no file nowhere.npz"),
        (
            "nobody:c=1",
            "there is no agent 'nobody': valid are random, belief, strategy:FILE, always:ACTION, ",
        ),
    ],
)
def test_a_bad_name_is_one_sentence(text, sentence):
    with pytest.raises(fogtree.Invalid, match=sentence) as error:
        agents.load_agent(text)
    assert "\n" not in str(error.value)


def test_an_agent_that_ends_the_program_when_it_is_made_is_a_sentence(tmp_path):
    file = tmp_path / "leaving.py"
    file.write_text("class Leaves:\n    def __init__(self): raise SystemExit(0)\n    def act(self, sight): return 0\n")
    with pytest.raises(fogtree.Invalid, match=r"^Leaves raised SystemExit: 0$"):
        agents.load_agent(f"{file}")


def test_a_search_agent_follows_its_seed(interpreted):
    def course(seed):
        agent = agents.load_agent("rm:iterations=50", seed)
        match = play(Leduc(), [agent, RandomAgent(1)], seed=1)
        return match.moves, agent.thoughts

    assert course(1) == course(1)
    assert any(course(1)[1][0].mix != course(seed)[1][0].mix for seed in range(2, 5))
    assert play(
        Leduc(), [agents.load_agent("rm:iterations=50", 1, 7), RandomAgent(1)], seed=1
    ).moves  # a path splits the seed


def test_it_draws_from_its_mix_or_plays_the_likeliest_action(interpreted):
    # the king against a bet: calling is right, and passing is explored
    drawn, likeliest = collections.Counter(), collections.Counter()
    for seed in range(60):
        for best, count in ((False, drawn), (True, likeliest)):
            agent = SearchAgent(UCT(c=8), seed, iterations=100, play_best=best)
            count[decide(agent, Kuhn(), 0, 2, 1)] += 1
    assert likeliest == {1: 60}
    assert 5 < drawn[0] < 30


def test_a_kept_tree_is_searched_on_and_a_fresh_one_is_not(interpreted):
    for keep, expected in ((False, [40, 40, 40]), (True, [40, 80, 120])):
        agent = SearchAgent(RegretMatching(), 1, iterations=40, keep_tree=keep)
        play(Goofspiel(4), [agent, RandomAgent(1)], seed=1)
        assert [thought.iterations for thought in agent.thoughts[:3]] == expected


def test_an_only_move_of_an_open_game_is_played_without_a_search(interpreted):
    agent = SearchAgent(UCT(), 1, iterations=40)
    assert decide(agent, TicTacToe(), 0, 1, 2, 4, 3, 5, 7, 6) == 8
    assert [thought.iterations for thought in agent.thoughts] == [0]


def test_seconds_bound_a_move(interpreted):
    agent = agents.load_agent("rm:seconds=0.1")
    match = play(Kuhn(), [agent, agents.load_agent("rm:seconds=0.1")], seed=1, seconds=30)
    assert match.forfeit is None and agent.thoughts[0].iterations >= 64


def test_its_thoughts_are_kept_for_people_to_read(interpreted):
    agent = agents.load_agent("rm:iterations=300", 1)
    match = play(Goofspiel(4), [agent, RandomAgent(1)], seed=1)
    own = [move for move in match.moves if move.player == 0]
    assert [thought.played for thought in agent.thoughts] == [move.label for move in own]
    assert agent.thoughts[0].states == 1
    assert all(thought.coverage == 1 and thought.text.startswith("prize: ") for thought in agent.thoughts)
    for thought, width in zip(agent.thoughts, (4, 3, 2, 1), strict=True):
        assert len(thought.mix) == width and sum(thought.mix.values()) == pytest.approx(1)
        assert thought.mix[thought.played] > 0
    assert [thought.iterations for thought in agent.thoughts] == [300, 300, 300, 0]  # the last card is no choice


def test_one_agent_plays_match_after_match(interpreted):
    # a second match begins without a word, or with one
    for say in (False, True):
        agent = agents.load_agent("rm:iterations=100", 1)
        for seed in range(4):
            if say:
                agent.fresh()
            play(Leduc(), [RandomAgent(seed), agent], seed=seed)
            assert agent.thoughts and all(thought.states > 0 for thought in agent.thoughts)
        play(Goofspiel(3), [agent, RandomAgent(1)])  # another game, another player
        assert agent.thoughts[0].states == 1


# --- not peeking ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "text, agent",
    [
        ("kuhn", "rm:iterations=60"),
        pytest.param("leduc", "uct:iterations=60", marks=pytest.mark.slow),
        ("goofspiel:cards=4", "rm:iterations=60,keep_tree=yes"),
        ("phantom-ttt:rules=forced-centre", "rm:iterations=60"),
    ],
)
def test_no_choice_depends_on_what_the_player_cannot_see(text, agent, player):
    # matches against anything, with one seed of the agent: what it does and means at a view is always the same, whatever the
    # true state is
    game = fogtree.load(text)
    known, states = {}, collections.defaultdict(set)
    for number in range(60):
        ours, theirs = agents.load_agent(agent, 9), RandomAgent(number)
        match = play(game, [ours, theirs] if player == 0 else [theirs, ours], seed=number)
        assert match.forfeit is None
        decisions = [s for s in replay(game, match.moves) if game.player(s) == player]
        for thought, state in zip(ours.thoughts, decisions, strict=True):
            assert known.setdefault(thought.view, thought) == thought
            states[thought.view].add(tuple(state.tolist()))
    assert max(len(true) for true in states.values()) >= 2  # there was something that it could not see


def test_what_it_believes_are_all_the_states_of_its_view():
    agent = agents.load_agent("rm:iterations=10", 1)
    decide(agent, Kuhn(), 1, 2)
    assert agent.thoughts[-1].states == 2  # the queen, against the jack or the king


def test_in_the_middle_of_a_game_it_believes_what_it_would_have_believed(interpreted):
    # player 0 has passed and meets a bet; told of its own pass, it holds both other cards possible
    agent = agents.load_agent("rm:iterations=20", 1)
    play(Kuhn(), [agent, RandomAgent(1)], start=from_notation(Kuhn(), "J Q pass bet"))
    assert [thought.states for thought in agent.thoughts] == [2]


def test_a_kept_tree_is_searched_in_the_moves_before_too(interpreted):
    agent = agents.load_agent("rm:iterations=20,keep_tree=yes", 1)
    play(Kuhn(), [agent, RandomAgent(1)], start=from_notation(Kuhn(), "J Q pass bet"))
    assert agent.thoughts[0].iterations == 40


def test_where_a_belief_overflows_it_searches_from_imagined_worlds(interpreted, monkeypatch):
    monkeypatch.setattr(searching, "WORLDS", 100)
    monkeypatch.setattr(believing, "Belief", functools.partial(Belief, cap=1))
    agent = agents.load_agent("rm:iterations=30", 1)
    play(HiddenCoin(), [agent, RandomAgent(1)], seed=1)
    assert agent.thoughts[0].states == 100
    plain = agents.load_agent("rm:iterations=30", 1)
    play(Kuhn(), [plain, RandomAgent(1)], seed=1)  # which has no `imagine`
    assert plain.thoughts[0].states == 1 and plain.thoughts[0].coverage == 0.5


def test_in_an_open_game_it_searches_from_the_one_state_and_needs_no_belief(interpreted, monkeypatch):
    monkeypatch.setattr(believing, "Belief", None)
    agent = agents.load_agent("rm:iterations=30", 1)
    match = play(OpenTicTacToe(), [agent, RandomAgent(1)], seed=1)
    assert match.forfeit is None and {thought.states for thought in agent.thoughts} == {1}


# --- strategies ----------------------------------------------------------------------------------------------------


def test_a_strategy_agent_plays_by_its_probabilities():
    game, view = Kuhn(), int(Kuhn().view(np.array([2, 0, 1]), 0))
    strategy = Strategy(game, [0], [view], [0, 2], [0, 1], [0.25, 0.75])
    seen = sight(game, np.array([2, 0, 1]), 0)
    played = [StrategyAgent(strategy, seed).act(seen) for seed in range(2_000)]
    assert played.count(1) == pytest.approx(1_500, abs=97)  # five deviations of 19.4
    agent, again = StrategyAgent(strategy, 3), StrategyAgent(strategy, 3)
    assert [agent.act(seen) for _ in range(50)] == [again.act(seen) for _ in range(50)]


def test_where_a_strategy_says_nothing_every_action_is_equally_likely():
    seen = sight(Kuhn(), np.array([2, 0, 1]), 0)
    agent = StrategyAgent(Strategy.uniform(Kuhn()), 1)
    assert [agent.act(seen) for _ in range(1_000)].count(1) == pytest.approx(500, abs=79)  # five deviations of 15.8


def test_an_action_that_a_strategy_leaves_out_is_never_played():
    game, view = Kuhn(), int(Kuhn().view(np.array([2, 0, 1]), 0))
    agent = StrategyAgent(Strategy(game, [0], [view], [0, 1], [1], [1.0]), 1)
    assert {agent.act(sight(game, np.array([2, 0, 1]), 0)) for _ in range(50)} == {1}


def test_a_saved_strategy_is_loaded_by_its_file_and_refused_at_another_table(tmp_path):
    file = tmp_path / "kuhn.npz"
    Strategy.uniform(Kuhn()).save(file)
    agent = agents.load_agent(f"strategy:{file}", 1)
    assert isinstance(agent, StrategyAgent) and play(Kuhn(), [agent, agent], seed=1).forfeit is None
    with pytest.raises(
        fogtree.Invalid, match=r"this is a strategy of Kuhn\(cards=3\), rules version 1, not of Kuhn\(cards=4"
    ):
        play(Kuhn(4), [agent, agent], seed=1)


# --- strength ------------------------------------------------------------------------------------------------------


def test_searching_beats_playing_at_random():
    # Goofspiel with 5 cards, players in turn: a win counts 1, a draw 0, a loss -1
    won = 0.0
    for number in range(60):
        searcher, other = agents.load_agent("rm:iterations=500", number), RandomAgent(number)
        if number % 2 == 0:
            won += play(Goofspiel(5), [searcher, other], seed=number).payoffs[0]
        else:
            won += play(Goofspiel(5), [other, searcher], seed=number).payoffs[1]
    assert won > 25


def test_an_equilibrium_does_not_lose_to_a_search(interpreted):
    # Kuhn poker, players in turn: over both players the value is 0, and one payoff deviates by about 1.3
    kuhn = fogtree.solve(Kuhn()).strategy
    won = []
    for number in range(400):
        solved, searcher = StrategyAgent(kuhn, number, 1), agents.load_agent("uct:iterations=50", number, 2)
        pair = [solved, searcher] if number % 2 == 0 else [searcher, solved]
        won.append(play(Kuhn(), pair, seed=number // 2).payoffs[number % 2])
    assert np.mean(won) > -0.25  # four deviations of 0.065


def test_in_an_open_game_equal_moves_are_played_by_lot():
    game = fogtree.load("breakthrough")  # ten iterations try ten of 22 moves once each
    state = fogtree.new_state(game)
    played = [agents.load_agent("uct:iterations=10", seed=seed).best(game, state) for seed in range(30)]
    assert len(set(played)) >= 10
