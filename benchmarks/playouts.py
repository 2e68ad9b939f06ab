"""Random games a second, against OpenSpiel's compiled playouts and against OpenSpiel driven from Python.

Compiled playouts of OpenSpiel, of which the faster counts:

* its RandomRolloutEvaluator, a loop of clone, legal actions, apply in C++. Python can only reach it through a search:
  `MCTSBot` with one simulation evaluates the root, that is, plays all the rollouts from there. Its search wants turns and
  a root where a player moves, so Goofspiel is played turn by turn (its transform; the evaluator could play the joint bids,
  but the bot refuses them), and Leduc starts from the thirty deals of the private cards, in equal parts;
* `evaluate_bots` with two uniform random bots: one game a call.

Leduc therefore has two lines: whole games against the bots, and games from dealt cards, on both sides, against the
evaluator. OpenSpiel plays Goofspiel's forced last card by itself, in fewer moves than ours.
"""

import itertools
import random

import numpy as np
import pyspiel

import fogtree
from fogtree import dice
from fogtree.judges import new_room, play_on
from fogtree.kernels import kernel
from fogtree.kernels.lanes import lanes_slice
from fogtree.policy import Uniform
from fogtree.search.playout import new_games, new_own
from row import Row, rates

BATCH = 10_000  # games a call, for compiled loops
LANES = 20  # a call, of ours
FEW = 100  # games a call, where each game is a call of its own
COMPILED_BARS = {"Goofspiel-6": 5, "Phantom Tic-Tac-Toe": 5, "Dark Hex 3x3": 5, "Leduc": 4}
PYTHON_BAR = 40
UNIT = "games/s"
GOOFSPIEL = "goofspiel(imp_info=True,num_cards=6,points_order=descending,returns_type=win_loss)"
GAMES = {
    "Goofspiel-6": (fogtree.Goofspiel(cards=6, lowest=1), GOOFSPIEL),
    "Phantom Tic-Tac-Toe": (fogtree.PhantomTicTacToe(), "phantom_ttt"),
    "Dark Hex 3x3": (fogtree.DarkHex(side=3), "dark_hex(board_size=3)"),
}


def measure() -> list[Row]:
    rows = []
    for name, (game, text) in GAMES.items():
        peer = pyspiel.load_game(text)
        sequential = peer
        if peer.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            sequential = pyspiel.convert_to_turn_based(peer)
        found = rates(
            {
                "ours": whole_games(game),
                "evaluator": evaluator(sequential, [sequential.new_initial_state()]),
                "bots": bots(peer),
                "Python": from_python(peer),
            }
        )
        rows += [against(name, found, ("evaluator", "bots")), against(name, found, ("Python",))]

    leduc, peer = fogtree.Leduc(), pyspiel.load_game("leduc_poker")
    deals = list(itertools.permutations(range(6), 2))
    hands = [peer.new_initial_state().child(first).child(second) for first, second in deals]
    found = rates({"ours": dealt_games(leduc, deals), "evaluator": evaluator(peer, hands)})
    rows.append(against("Leduc", found, ("evaluator",))._replace(name="Leduc, from dealt cards"))
    found = rates({"ours": whole_games(leduc), "bots": bots(peer), "Python": from_python(peer)})
    rows += [against("Leduc", found, ("bots",)), against("Leduc", found, ("Python",))]
    return rows


def against(name: str, found: dict[str, float], peers: tuple[str, ...]) -> Row:
    """The row of our rate beside the best of the peers'."""
    best = max(peers, key=found.__getitem__)
    bar = PYTHON_BAR if best == "Python" else COMPILED_BARS[name]
    what = "OpenSpiel from Python" if best == "Python" else f"OpenSpiel, C++ {best}"
    return Row(name, found["ours"], found[best], found["ours"] / found[best], bar, UNIT, what)


# --- ours --------------------------------------------------------------------------------------------------------


def whole_games(game):
    """The kernel behind `fogtree.playouts`, which is called in slices in the same way."""
    work, own, first = new_games(game, Uniform(), 1), new_own(game.shape()), itertools.count(step=LANES)

    def play():
        lanes_slice(work, next(first), LANES, own)
        return LANES * work.each

    return play


def dealt_games(game, deals):
    shape = game.shape()
    start = np.zeros((len(deals), shape.words), np.int64)
    for state, deal in zip(start, deals, strict=True):
        game.start(state)
        for card in deal:
            game.step(state, card)
    state, room = np.zeros(shape.words, np.int64), new_room(shape)
    total, seed = np.zeros(shape.players), dice.seeded(1)
    each = BATCH // len(deals)

    def play():
        _from_states(game, start, each, state, room, total, seed)
        return each * len(deals)

    return play


@kernel
def _from_states(game, start, games, state, room, total, random):
    for deal in range(start.shape[0]):
        for _ in range(games):
            for word in range(state.shape[0]):
                state[word] = start[deal, word]
            play_on(Uniform(), game, state, room, room.moves, random)
            for player in range(total.shape[0]):
                total[player] += game.payoff(state, player)


# --- theirs ------------------------------------------------------------------------------------------------------


def evaluator(game, roots, batch=BATCH):
    each = batch // len(roots)
    rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=each, seed=1)
    bot = pyspiel.MCTSBot(
        game, rollouts, uct_c=1.0, max_simulations=1, max_memory_mb=100, solve=False, seed=1, verbose=False
    )

    def play():
        for root in roots:
            bot.step(root)
        return each * len(roots)

    return play


def bots(game):
    pair = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(2)]
    seed = itertools.count()

    def play():
        for _ in range(FEW):
            pyspiel.evaluate_bots(game.new_initial_state(), pair, next(seed))
        return FEW

    return play


def from_python(game):
    chooser = random.Random(1)

    def play():
        for _ in range(FEW):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chooser.choices(actions, odds)[0])
                elif state.is_simultaneous_node():
                    state.apply_actions([chooser.choice(state.legal_actions(player)) for player in range(2)])
                else:
                    state.apply_action(chooser.choice(state.legal_actions()))
            state.returns()
        return FEW

    return play
