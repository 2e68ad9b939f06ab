"""Imagining what is hidden: set-ups of the other players that fit all that a player has seen, each equally likely.

A player knows their own set-up and the public course of the game. What that says of the other men is:

* the set of kinds that each can be by himself: by where he stood at the start, by whether he moved or turned on the railway, by
  shown flags and dead commanders (all of this is kept in the state, for everybody), and by fights with the player's own men;
* for each fight between two hidden men, which pairs of kinds end it so: the players are a partner and an opponent.

A world is a way to deal each army's 25 men to its points that breaks none of this. It is found in three steps:

1. **A start.** Army by army, each man, those with the fewest choices first, takes one of the kinds that he can be, by the dice. If
   none of these is left, he takes one from another man, who takes another kind in turn. The partner's army comes first; the
   opponents' men then also look at the kinds of those partners whom they fought.
2. **Repair.** As long as a fight between hidden men does not fit, one of the men is exchanged with another of his army, where that
   makes no more misfits than before, or sometimes where it does.
3. **A chain.** Two men of an army exchange their kinds, or three do so in a ring, or two pairs of different armies whose men
   fought each other; what would break a rule is not done. Every such change is as likely as its inverse, so in the long run
   every world that can be reached is equally likely, wherever the chain began.

Nothing here looks at the true kinds of hidden men: they are overwritten first. So what is imagined is a function of the view and
of the dice.
"""

import numpy as np

from ... import dice
from ...game import seen
from ...kernels.bits import count, lowest
from .board import MEN
from .pieces import ANY, ATTACKERS, COMBAT, DEFENDERS, KINDS
from .rules import (
    FIGHTS,
    OWN,
    PLACED,
    attacker_of,
    defender_of,
    fight_before,
    fights_from,
    kinds_from,
    known_from,
    opponents,
    outcome_of,
    owner,
)
from .setting import NARROW, WHOLE, left_of

KIND_BITS = 4  # while a world is made, the word of a man's kind also holds the set of kinds that he can be
KIND = (1 << KIND_BITS) - 1
NOBODY = KINDS  # the kind of a man who has none yet
PASSES = 3  # over the fights, to find what each says of both men
EJECTIONS = 500  # of men by others, until a man gets a kind that he cannot be
REPAIRS = 300  # exchanges after one start, at most
STARTS = 200
MANY = 1 << 30
CHANGES = 10  # proposed for each hidden man
RARELY = 6  # one exchange of a repair in so many is not the best
SIXTEENTH = 16
RINGS, DOUBLES = 2, 4  # of sixteen changes: rings of three | exchanges of two pairs at once


def imagine(game, state, player, random):
    """Rewrite the state into one of those that the player, who is to move, cannot tell from it."""
    men = MEN[game.board()]
    ready = state[PLACED] // men  # players whose armies are set
    hidden = narrow(game, state, player, ready)
    if hidden == 0:
        return
    begin(game, state, player, ready, random)
    shuffle(game, state, player, ready, CHANGES * hidden, random)
    finish(game, state, player, ready)


def begin(game, state, player, ready, random):
    """Find a world to begin with. Returns how many starts it took."""
    men, kinds = MEN[game.board()], kinds_from(game)
    for start in range(STARTS):
        for man in range(ready * men):
            if owner(game, man) != player:
                state[kinds + man] = (state[kinds + man] & ~KIND) | NOBODY
        for turn in range(2):  # partners first
            for who in range(ready):
                if who != player and (game.side_of(who) == game.side_of(player)) == (turn == 0):
                    deal(game, state, who, random)
        if repair(game, state, player, ready, random) == 0:
            return start + 1
    return STARTS + 1


def narrow(game, state, player, ready):
    """Forget the kinds of hidden men, and write down what each can be by all that the player knows. Returns how many men
    are hidden."""
    men, kinds, known, first = MEN[game.board()], kinds_from(game), known_from(game), fights_from(game)
    for man in range(ready * men):
        if owner(game, man) != player:
            state[kinds + man] = ((state[known + man] & ANY) << KIND_BITS) | NOBODY
    for _ in range(PASSES):
        for number in range(state[FIGHTS]):
            fight = state[first + number]
            one, other, outcome = attacker_of(fight), defender_of(fight), outcome_of(fight)
            if owner(game, one) == player:
                limit(state, kinds + other, DEFENDERS[outcome, state[kinds + one]])
            elif owner(game, other) == player:
                limit(state, kinds + one, ATTACKERS[outcome, state[kinds + other]])
            else:
                limit(state, kinds + other, opponents(DEFENDERS, outcome, state[kinds + one] >> KIND_BITS))
                limit(state, kinds + one, opponents(ATTACKERS, outcome, state[kinds + other] >> KIND_BITS))
        if game.seats() == 2:
            break  # all fights are with own men, and one pass says all
    return ready * men - (men if player < ready else 0)


def limit(state, word, allowed):
    state[word] &= (allowed << KIND_BITS) | KIND


def choices(game, state, man):
    """The kinds that a man can be, also by the fights with men whose kinds are dealt; or, if that is none, without these."""
    kinds, first = kinds_from(game), fights_from(game)
    able = state[kinds + man] >> KIND_BITS
    left, number = able, state[known_from(game) + man] >> KINDS
    while number:
        fight = state[first + number - 1]
        one, other, outcome = attacker_of(fight), defender_of(fight), outcome_of(fight)
        opponent = state[kinds + (other if one == man else one)] & KIND
        if opponent != NOBODY:
            left &= DEFENDERS[outcome, opponent] if other == man else ATTACKERS[outcome, opponent]
        number = fight_before(fight, man)
    return left if left else able


def deal(game, state, who, random):
    """Give every man of an army a kind, those with the fewest choices first."""
    men, kinds = MEN[game.board()], kinds_from(game)
    first, left = who * men, WHOLE[game.board()]
    for few in range(1, KINDS + 1):
        for man in range(first, first + men):
            if state[kinds + man] & KIND == NOBODY and count(np.uint64(state[kinds + man] >> KIND_BITS)) <= few:
                left = give(game, state, man, first, left, random)


def give(game, state, man, first, left, random):
    """Give a man a kind that is left, or one that another man has, who must then find another. Returns what is left."""
    men, kinds = MEN[game.board()], kinds_from(game)
    for _ in range(EJECTIONS):
        able = choices(game, state, man)
        kind = pick_left(able, left, random)
        if kind != NOBODY:
            state[kinds + man] += kind - NOBODY
            return left - (np.int64(1) << (NARROW * kind))
        kind = nth(able, dice.below(random, count(np.uint64(able))))
        holders = 0
        for other in range(first, first + men):
            holders += state[kinds + other] & KIND == kind
        if holders == 0:
            continue
        chosen = dice.below(random, holders)
        for other in range(first, first + men):
            if state[kinds + other] & KIND == kind:
                if chosen == 0:
                    state[kinds + man] += kind - NOBODY
                    state[kinds + other] += NOBODY - kind
                    man = other
                    break
                chosen -= 1
    kind = pick_left(np.int64(ANY), left, random)  # one that he cannot be: to be repaired
    state[kinds + man] += kind - NOBODY
    return left - (np.int64(1) << (NARROW * kind))


def pick_left(able, left, random):
    """One of the men that are left, of the kinds that are allowed; or NOBODY."""
    total, rest = 0, able
    while rest:
        total += left_of(left, lowest(rest))
        rest &= rest - 1
    if total == 0:
        return NOBODY
    drawn = dice.below(random, total)
    while able:
        kind = lowest(able)
        drawn -= left_of(left, kind)
        if drawn < 0:
            return kind
        able &= able - 1
    return NOBODY


def nth(kinds, number):
    """A kind of a set, by its number."""
    for _ in range(number):
        kinds &= kinds - 1
    return lowest(kinds)


def misfits(game, state, man):
    """How many rules a man breaks with his kind."""
    kinds, first = kinds_from(game), fights_from(game)
    kind = state[kinds + man] & KIND
    broken, number = 1 - ((state[kinds + man] >> (KIND_BITS + kind)) & 1), state[known_from(game) + man] >> KINDS
    while number:
        fight = state[first + number - 1]
        one, other = attacker_of(fight), defender_of(fight)
        broken += COMBAT[state[kinds + one] & KIND, state[kinds + other] & KIND] != outcome_of(fight)
        number = fight_before(fight, man)
    return broken


def exchange(state, one, other):
    """Two men exchange their kinds; the words are those of their kinds."""
    change = (state[one] ^ state[other]) & KIND
    state[one] ^= change
    state[other] ^= change


def repair(game, state, player, ready, random):
    """Exchange men until no rule is broken, or not for long. Returns how many rules are broken still."""
    men, kinds = MEN[game.board()], kinds_from(game)
    broken = all_misfits(game, state, player, ready)
    for _ in range(REPAIRS):
        if broken == 0:
            break
        man = a_misfit(game, state, player, ready, random)
        first, start = man - man % men, dice.below(random, men)
        best, least = man, MANY
        if dice.below(random, RARELY) == 0:
            best = first + start
        else:
            for k in range(men):
                other = first + (start + k) % men
                if (state[kinds + man] ^ state[kinds + other]) & KIND:
                    change = gain(game, state, man, other)
                    if change < least:
                        best, least = other, change
        broken += gain(game, state, man, best)
        exchange(state, kinds + man, kinds + best)
    return broken


def gain(game, state, man, other):
    """How many more rules are broken if two men of an army are exchanged."""
    kinds = kinds_from(game)
    before = misfits(game, state, man) + misfits(game, state, other)
    exchange(state, kinds + man, kinds + other)
    after = misfits(game, state, man) + misfits(game, state, other)
    exchange(state, kinds + man, kinds + other)
    return after - before


def a_misfit(game, state, player, ready, random):
    """A man who breaks a rule, where there is one: of the next fight that does not fit one of its men, or any man."""
    men, kinds, first, fights = MEN[game.board()], kinds_from(game), fights_from(game), state[FIGHTS]
    if fights:
        start = dice.below(random, fights)
        for k in range(fights):
            fight = state[first + (start + k) % fights]
            one, other = attacker_of(fight), defender_of(fight)
            if COMBAT[state[kinds + one] & KIND, state[kinds + other] & KIND] != outcome_of(fight):
                if owner(game, one) == player or (owner(game, other) != player and dice.below(random, 2)):
                    return other
                return one
    start = dice.below(random, ready * men)
    for k in range(ready * men):
        man = (start + k) % (ready * men)
        if owner(game, man) != player and misfits(game, state, man):
            return man
    return start


def all_misfits(game, state, player, ready):
    """How many rules are broken: men who cannot be what they are, and fights that did not end so."""
    men, kinds, first = MEN[game.board()], kinds_from(game), fights_from(game)
    broken = 0
    for man in range(ready * men):
        if owner(game, man) != player:
            broken += 1 - ((state[kinds + man] >> (KIND_BITS + (state[kinds + man] & KIND))) & 1)
    for number in range(state[FIGHTS]):
        fight = state[first + number]
        one, other = state[kinds + attacker_of(fight)] & KIND, state[kinds + defender_of(fight)] & KIND
        broken += COMBAT[one, other] != outcome_of(fight)
    return broken


def fits(game, state, man):
    return misfits(game, state, man) == 0


def able_to_swap(state, one, other):
    """Whether two men differ, and each can be what the other is."""
    a, b = state[one], state[other]
    return (a ^ b) & KIND and (a >> (KIND_BITS + (b & KIND))) & (b >> (KIND_BITS + (a & KIND))) & 1


def shuffle(game, state, player, ready, changes, random):
    """The chain."""
    men, kinds, known = MEN[game.board()], kinds_from(game), known_from(game)
    armies = ready - 1 if player < ready else ready
    for _ in range(changes):
        drawn = dice.below(random, armies * SIXTEENTH)
        who = drawn // SIXTEENTH
        who += who >= player
        way, first = drawn % SIXTEENTH, who * men
        if way < RINGS:
            turn_ring(game, state, first, random)
        elif way < RINGS + DOUBLES and game.seats() > 2:
            exchange_twice(game, state, player, random)
        else:
            drawn = dice.below(random, men * (men - 1))
            a, b = drawn // (men - 1), drawn % (men - 1)
            one, other = first + a, first + b + (b >= a)
            if able_to_swap(state, kinds + one, kinds + other):
                exchange(state, kinds + one, kinds + other)
                fought = (state[known + one] | state[known + other]) >> KINDS
                if fought and game.seats() > 2 and not (fits(game, state, one) and fits(game, state, other)):
                    exchange(state, kinds + one, kinds + other)


def turn_ring(game, state, first, random):
    """Three men of an army pass their kinds on, if nothing speaks against it."""
    men, kinds = MEN[game.board()], kinds_from(game)
    a, b, c = (first + dice.below(random, men), first + dice.below(random, men), first + dice.below(random, men))
    if a == b or b == c or a == c:
        return
    exchange(state, kinds + a, kinds + b)
    exchange(state, kinds + b, kinds + c)
    if not (fits(game, state, a) and fits(game, state, b) and fits(game, state, c)):
        exchange(state, kinds + b, kinds + c)
        exchange(state, kinds + a, kinds + b)


def exchange_twice(game, state, player, random):
    """Two men who fought each other are exchanged with others of their armies at once, if nothing speaks against it."""
    if state[FIGHTS] == 0:
        return
    men, kinds = MEN[game.board()], kinds_from(game)
    fight = state[fights_from(game) + dice.below(random, state[FIGHTS])]
    one, other = attacker_of(fight), defender_of(fight)
    if owner(game, one) == player or owner(game, other) == player:
        return
    with_one = one - one % men + dice.below(random, men)
    with_other = other - other % men + dice.below(random, men)
    exchange(state, kinds + one, kinds + with_one)
    exchange(state, kinds + other, kinds + with_other)
    if not (
        fits(game, state, one)
        and fits(game, state, other)
        and fits(game, state, with_one)
        and fits(game, state, with_other)
    ):
        exchange(state, kinds + other, kinds + with_other)
        exchange(state, kinds + one, kinds + with_one)


def finish(game, state, player, ready):
    """Keep the kinds alone, and find the keys of the set-ups that were imagined."""
    men, kinds = MEN[game.board()], kinds_from(game)
    for who in range(ready):
        if who != player:
            key = np.int64(1)
            for man in range(who * men, who * men + men):
                state[kinds + man] &= KIND
                key = seen(key, state[kinds + man], KINDS)
            state[OWN + who] = key
