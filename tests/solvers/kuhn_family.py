"""Equilibria of three-player Kuhn poker that were found by hand (Szafron, Gibson and Sturtevant 2013), for the tests.

The paper writes a, b and c for the players, and a_jk for the probability that player a bets or calls with card j in
situation k.
This is the family with c_11 = 0. Its members are chosen by b_11 <= b_21 <= 1/4 and by b_32, c_33 and c_34, which decide what
happens off the path of play.
"""

from fogtree import ManyKuhn, Strategy, new_state

GAME = ManyKuhn(3)
PASS, BET = 0, 1
LINES = {  # the lines of the four situations of each player
    0: [(), (PASS, PASS, BET), (PASS, BET, PASS), (PASS, BET, BET)],
    1: [(PASS,), (BET,), (PASS, PASS, BET, PASS), (PASS, PASS, BET, BET)],
    2: [(PASS, PASS), (PASS, BET), (BET, PASS), (BET, BET)],
}


def equilibrium(b11, b21, b32=0.5, c34=0.0):
    """A member of the family, as a strategy."""
    c33 = max(0.5 - b32 + (3 * b11 + 4 * b21) / 8, 0)  # in the middle of what is allowed
    a = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1 / 2, 0], [0, 1, 1, 1]]
    b = [[b11, 0, 0, 0], [b21, 0, 0, 0], [0, b32, (1 + b11 + 2 * b21) / 2, 0], [2 * b11 + 2 * b21, 1, 1, 1]]
    c = [[0, 0, 0, 0], [1 / 2, 0, 0, 0], [0, 0, c33, c34], [1, 1, 1, 1]]
    player, view, probability = [], [], []
    for who, table in enumerate((a, b, c)):
        for card, row in enumerate(table):
            for line, bet in zip(LINES[who], row, strict=True):
                player.append(who)
                view.append(seen(who, card, line))
                probability += [1 - bet, bet]
    sets = len(view)
    return Strategy(GAME, player, view, range(0, 2 * sets + 1, 2), [PASS, BET] * sets, probability)


def seen(who, card, line):
    """The view of a player with this card after this line."""
    state, others = new_state(GAME), [other for other in range(4) if other != card]
    for player in range(3):
        GAME.step(state, card if player == who else others.pop())
    for action in line:
        GAME.step(state, action)
    assert GAME.player(state) == who
    return int(GAME.view(state, who))
