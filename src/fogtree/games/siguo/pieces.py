"""The men of army chess: their kinds, how many there are, and how fights between them end.

Nine kinds have a rank, from the commander (9) down to the engineer (1). Bombs, mines and the flag have none. A fight
is decided in this order:

1. A bomb, on either side, destroys both men. A bombed flag is captured.
2. Whoever attacks the flag captures it.
3. An engineer clears a mine. Anybody else who attacks a mine dies, and the mine stays.
4. Equal ranks destroy each other.
5. The higher rank survives.

These are the rules of most Chinese platforms and of the contest of 2012 (see `two.py` for sources).
"""

import numpy as np

COMMANDER, GENERAL, DIVISION, BRIGADE, REGIMENT, BATTALION, COMPANY, PLATOON, ENGINEER = range(9)
BOMB, MINE, FLAG = 9, 10, 11
KINDS, UNSET = 12, 12  # how many kinds | a man whose kind is not yet decided
RANKED = ("commander", "general", "division", "brigade", "regiment", "battalion", "company", "platoon", "engineer")
NAMES = (*RANKED, "bomb", "mine", "flag")
SIGNS = "987654321BMF"  # one letter for each kind: its rank where it has one
ARMY = (1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3, 1)  # [kind] the 25 men of one player
SMALL_ARMY = (1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)  # [kind] the 5 men of the small game

ANY = (1 << KINDS) - 1  # sets of kinds are bits

# How a fight ends. Everybody is told which of these it was.
REPELLED, TAKEN, BOTH, CAPTURED, BOMBED = range(5)  # the attacker dies | the defender | both | the flag falls, with ...
OUTCOMES, PLAIN, NEVER = 5, 5, 6  # how many they are | no fight at all | no such fight: mines and flags do not attack


def fight(attacker, defender):
    """How a fight ends."""
    if attacker >= MINE:
        return NEVER
    if attacker == BOMB or defender == BOMB:
        return BOMBED if defender == FLAG else BOTH
    if defender == FLAG:
        return CAPTURED
    if defender == MINE:
        return TAKEN if attacker == ENGINEER else REPELLED
    if attacker == defender:
        return BOTH
    return TAKEN if attacker < defender else REPELLED  # smaller numbers are higher ranks


COMBAT = np.array([[fight(a, d) for d in range(KINDS)] for a in range(KINDS)])  # [attacker, defender] the outcome
KILLS_ATTACKER = np.array([outcome in (REPELLED, BOTH, BOMBED) for outcome in range(OUTCOMES)])
KILLS_DEFENDER = np.array([outcome != REPELLED for outcome in range(OUTCOMES)])

# [outcome, attacker] the kinds of defenders with which a fight ends so, and [outcome, defender] those of attackers
DEFENDERS = np.zeros((OUTCOMES, KINDS), np.int64)
ATTACKERS = np.zeros((OUTCOMES, KINDS), np.int64)
for _a in range(MINE):
    for _d in range(KINDS):
        DEFENDERS[COMBAT[_a, _d], _a] |= 1 << _d
        ATTACKERS[COMBAT[_a, _d], _d] |= 1 << _a
