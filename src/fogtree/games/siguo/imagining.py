"""Imagining what is hidden: set-ups of the other players that fit all that a player has seen, each equally likely.

A player knows their own set-up and the public course of the game. What that says of the other men is:

* the set of kinds that each can be by himself: by where he stood at the start, by whether he moved or turned on the
  railway, by shown flags and dead commanders (all of this is kept in the state, for everybody), and by fights with
  the player's own men;
* for each fight between two hidden men, which pairs of kinds end it so: the players are a partner and an opponent.

A world is a way to deal each army's 25 men to its points that breaks none of this. It is found in three steps:

1. **A start.** Each man, those with the fewest choices first, takes one of the kinds that he can be, also by his fights
   with hidden men who have their kinds already, by the dice. If none of these is left, he takes one from another man of
   his army, who takes another kind in turn.
2. **Repair.** As long as a fight between hidden men does not fit, one of them is exchanged with a man of his army, by
   the best exchange there is, or sometimes by any. If that leads nowhere there is another start; and if STARTS of them fail,
   the deals are gone through in order, until one fits.
3. **A chain.** Two men of an army exchange their kinds, or three do so in a ring, or two pairs of different armies
   whose men fought each other; what would break a rule is not done. The men take turns, and with whom each is changed
   is drawn by the dice, whatever the kinds are. So every change is as likely as its inverse, and in the long run every
   world that can be reached is equally likely, wherever the chain began.

Nothing here looks at the true kinds of hidden men: they are overwritten first. So what is imagined is a function of
the view and of the dice.
"""

import numpy as np

from ... import dice
from ...game import seen
from ...kernels.bits import count, lowest
from .board import MEN
from .pieces import ANY, ATTACKERS, BOMB, BOTH, COMBAT, DEFENDERS, KINDS
from .rules import (
    FIGHTS,
    MAN_BITS,
    MOST,
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
    scratch_from,
)
from .setting import COUNT, NARROW, WHOLE, left_of

KIND_BITS = 4  # while a world is made, the word of a man's kind also holds the set of kinds that he can be
KIND = (1 << KIND_BITS) - 1
NOBODY = KINDS  # the kind of a man who has none yet
PASSES = 3  # over the fights, to find what each says of both men
EJECTIONS = 30  # of men by others, until a man gets a kind that he cannot be
REPAIRS = 300  # exchanges after one start, at most
STARTS = 20
MANY = 1 << 30
RARELY = 6  # one exchange of a repair in so many is not the best
# Rounds of the chain; with two players there are no fights between hidden men, and rounds are short.
ROUNDS, ROUNDS_OF_TWO = 3, 9
RINGS = 4  # one man in so many begins a ring, in each round
EXCHANGES, DOUBLES, TOGGLES = 3, 2, 1
# of a man who fought hidden men, in each round: exchanges, and those of `exchange_twice` and `bomb_or_equal`
LISTS = 1  # words of scratch: how many fought hidden men | the lists
MAN = MOST - 1
ENTANGLED = 1 << (KIND_BITS + KINDS)  # in the word of a man's kind, above what he can be: he fought a hidden man
HALF, FRACTION = np.uint64(32), np.uint64((1 << 32) - 1)


def imagine(game, state, player, random):
    """Rewrite the state into one of those that the player, who is to move, cannot tell from it."""
    men = MEN[game.board()]
    ready = state[PLACED] // men  # players whose armies are set
    hidden = narrow(game, state, player, ready)
    if hidden == 0:
        return
    begin(game, state, player, ready, random)
    shuffle(game, state, player, ready, ROUNDS if game.seats() > 2 else ROUNDS_OF_TWO, random)
    finish(game, state, player, ready)


def begin(game, state, player, ready, random):
    """Find a world to begin with, by a few starts or else by going through all deals. Returns how many starts it took."""
    for start in range(STARTS):
        take_back(game, state, player, ready)
        deal(game, state, player, ready, random)
        if repair(game, state, player, ready, random) == 0:
            return start + 1
    search(game, state, player, ready)
    return STARTS + 1


def take_back(game, state, player, ready):
    """Take their kinds from all hidden men."""
    kinds = kinds_from(game)
    for man in range(ready * MEN[game.board()]):
        if owner(game, man) != player:
            state[kinds + man] = (state[kinds + man] & ~KIND) | NOBODY


def search(game, state, player, ready):
    """Go through the deals in order until one breaks no rule; there is one, the truth. The next man is always one with the
    fewest choices, and he gets a kind only if all armies can still be dealt. Returns how many men were looked at."""
    men, kinds, order = MEN[game.board()], kinds_from(game), scratch_from(game)
    take_back(game, state, player, ready)
    hidden = ready * men - (men if player < ready else 0)
    at = looks = np.int64(0)
    while 0 <= at < hidden:
        looks += 1
        if state[order + at] == 0:
            state[order + at] = 1 + fewest_choices(game, state, player, ready)
        man = state[order + at] - 1
        kind = state[kinds + man] & KIND
        state[kinds + man] += NOBODY - kind
        kind = np.int64(0) if kind == NOBODY else kind + 1
        while kind < KINDS and not suits(game, state, player, ready, man, kind):
            kind += 1
        if kind < KINDS:
            state[kinds + man] += kind - NOBODY
            at += 1
        else:  # he has none: the man before him takes another
            state[order + at] = 0
            at -= 1
    for word in range(order, order + game.seats() * men + men):
        state[word] = 0
    return looks


def fewest_choices(game, state, player, ready):
    """Of the hidden men without a kind, the first of those who can be of the fewest kinds."""
    kinds, least, found = kinds_from(game), MANY, np.int64(0)
    for man in range(ready * MEN[game.board()]):
        if owner(game, man) != player and state[kinds + man] & KIND == NOBODY:
            choices = count(np.uint64(able(game, state, man)))
            if choices < least:
                least, found = choices, man
    return found


def suits(game, state, player, ready, man, kind):
    """Whether a kind can be given to a man without one, so that each army can still be dealt by itself."""
    men, kinds = MEN[game.board()], kinds_from(game)
    if not (able(game, state, man) >> kind) & 1:
        return False
    state[kinds + man] += kind - NOBODY
    good = True
    for who in range(ready):
        good = good and (who == player or can_be_dealt(game, state, who * men))
    state[kinds + man] += NOBODY - kind
    return good


def can_be_dealt(game, state, first):
    """Whether what is left of an army can be dealt to those of its men who have no kind. By Hall's theorem it can if there
    are as many left of every set of kinds as there are men who can only be of these kinds."""
    men, kinds, sets = MEN[game.board()], kinds_from(game), scratch_from(game) + game.seats() * MEN[game.board()]
    left, waiting = WHOLE[game.board()], np.int64(0)
    for man in range(first, first + men):
        kind = state[kinds + man] & KIND
        if kind == NOBODY:
            state[sets + waiting] = able(game, state, man)
            waiting += 1
        elif left_of(left, kind) == 0:
            return False
        else:
            left -= np.int64(1) << (NARROW * kind)
    for members in range(ANY + 1):
        room = np.int64(0)
        for kind in range(KINDS):
            if (members >> kind) & 1:
                room += left_of(left, kind)
        for k in range(waiting):
            room -= state[sets + k] & ~members == 0
        if room < 0:
            return False
    return True


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


def able(game, state, man):
    """The kinds that a man can be, also by the fights with men whose kinds are dealt."""
    kinds, first = kinds_from(game), fights_from(game)
    left, number = state[kinds + man] >> KIND_BITS, state[known_from(game) + man] >> KINDS
    while number:
        fight = state[first + number - 1]
        one, other, outcome = attacker_of(fight), defender_of(fight), outcome_of(fight)
        opponent = state[kinds + (other if one == man else one)] & KIND
        if opponent != NOBODY:
            left &= DEFENDERS[outcome, opponent] if other == man else ATTACKERS[outcome, opponent]
        number = fight_before(fight, man)
    return left


def deal(game, state, player, ready, random):
    """Give every hidden man a kind, those with the fewest choices first. What is left of an army is kept in the word of its
    key, which is found anew at the end."""
    men, kinds = MEN[game.board()], kinds_from(game)
    for who in range(ready):
        if who != player:
            state[OWN + who] = WHOLE[game.board()]
    for few in range(1, KINDS + 1):
        for man in range(ready * men):
            word = state[kinds + man]
            if word & KIND == NOBODY and count(np.uint64(word >> KIND_BITS)) <= few:
                give(game, state, man, random)


def give(game, state, man, random):
    """Give a man a kind that is left, or that of another man, who must then find another."""
    men, kinds = MEN[game.board()], kinds_from(game)
    first, left = man - man % men, OWN + owner(game, man)
    for _ in range(EJECTIONS):
        choices = able(game, state, man)
        if choices == 0:  # without the fights
            choices = state[kinds + man] >> KIND_BITS
        kind = pick_left(choices, state[left], random)
        if kind != NOBODY:
            state[kinds + man] += kind - NOBODY
            state[left] -= np.int64(1) << (NARROW * kind)
            return
        kind = nth(choices, dice.below(random, count(np.uint64(choices))))
        start = dice.below(random, men)
        for k in range(men):
            other = first + (start + k) % men
            if state[kinds + other] & KIND == kind:
                state[kinds + man] += kind - NOBODY
                state[kinds + other] += NOBODY - kind
                man = other
                break
    kind = pick_left(np.int64(ANY), state[left], random)  # one that he cannot be: to be repaired
    state[kinds + man] += kind - NOBODY
    state[left] -= np.int64(1) << (NARROW * kind)


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
        best, least, before = man, MANY, misfits(game, state, man)
        if dice.below(random, RARELY) == 0:
            best = first + start
        else:
            for k in range(men):
                other = first + (start + k) % men
                if (state[kinds + man] ^ state[kinds + other]) & KIND:
                    change = gain(game, state, man, other, before)
                    if change < least:
                        best, least = other, change
        broken += gain(game, state, man, best, before)
        exchange(state, kinds + man, kinds + best)
    return broken


def gain(game, state, man, other, before):
    """How many more rules are broken if two men of an army are exchanged, of whom the first breaks so many before."""
    kinds = kinds_from(game)
    before += misfits(game, state, other)
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
    """Whether a man breaks no rule with his kind. The first fight that speaks against it decides."""
    kinds, first = kinds_from(game), fights_from(game)
    kind = state[kinds + man] & KIND
    if not (state[kinds + man] >> (KIND_BITS + kind)) & 1:
        return False
    number = state[known_from(game) + man] >> KINDS
    while number:
        fight = state[first + number - 1]
        one, other = state[kinds + attacker_of(fight)] & KIND, state[kinds + defender_of(fight)] & KIND
        if COMBAT[one, other] != outcome_of(fight):
            return False
        number = fight_before(fight, man)
    return True


def can_be(word, other):
    """Whether one man can be by himself what the other is."""
    return (word >> (KIND_BITS + (other & KIND))) & 1


def shuffle(game, state, player, ready, rounds, random):
    """Make so many rounds of the chain. In each round, every man who can be of more than one kind exchanges kinds with a man
    of his army, drawn by the dice. Men who fought hidden men do so several times and in other ways too. Which men exchange,
    and in which order, does not depend on their kinds. So each change is as likely as the change back."""
    free, first = list_free(game, state, player, ready), scratch_from(game) + LISTS
    entangled = state[first - 1]
    for _ in range(rounds):
        for k in range(free):
            exchange_any(game, state, state[first + k], random)
        for k in range(0, free, RINGS):
            entry, bits = state[first + k], dice.draw(random)
            one, other = drawn_man(state, first, entry, bits), drawn_man(state, first, entry, bits >> HALF)
            turn_ring(game, state, entry & MAN, one, other)
        for k in range(free, free + entangled):
            entry = state[first + k]
            for _ in range(EXCHANGES):
                exchange_any(game, state, entry, random)
            for _ in range(DOUBLES):
                other = drawn_man(state, first, entry, dice.draw(random))
                exchange_twice(game, state, player, entry & MAN, other, random)
            for _ in range(TOGGLES):
                bomb_or_equal(game, state, player, entry & MAN, random)
    for word in range(first - 1, first + free + entangled):
        state[word] = 0


def drawn_man(state, lists, entry, bits):
    """Any man of the list of an army, by the lowest bits of a throw of the dice."""
    begin, length = (entry >> MAN_BITS) & MAN, np.uint64(entry >> (2 * MAN_BITS))
    return state[lists + begin + np.int64(((bits & FRACTION) * length) >> HALF)] & MAN


def exchange_any(game, state, entry, random):
    """Exchange a man with any man of his army, if nothing speaks against it."""
    kinds = kinds_from(game)
    one, other = entry & MAN, drawn_man(state, scratch_from(game) + LISTS, entry, dice.draw(random))
    a, b = state[kinds + one], state[kinds + other]
    if ((a ^ b) & KIND != 0) & (can_be(a, b) & can_be(b, a)):
        exchange(state, kinds + one, kinds + other)
        if (a | b) & ENTANGLED and not (fits(game, state, one) and fits(game, state, other)):
            exchange(state, kinds + one, kinds + other)


def list_free(game, state, player, ready):
    """Write down the men who can be more than one kind, army by army, each with where the list of his army begins and how
    long it is; and once more those of them who fought hidden men, who are marked. Fights with the player's own men are
    in the sets of kinds already. Returns how many can be more than one kind."""
    men, kinds, first = MEN[game.board()], kinds_from(game), scratch_from(game) + LISTS
    for number in range(state[FIGHTS]):
        fight = state[fights_from(game) + number]
        one, other = attacker_of(fight), defender_of(fight)
        if owner(game, one) != player and owner(game, other) != player:
            state[kinds + one] |= ENTANGLED
            state[kinds + other] |= ENTANGLED
    free = np.int64(0)
    for who in range(ready):
        if who != player:
            begin = free
            for man in range(who * men, who * men + men):
                choices = (state[kinds + man] >> KIND_BITS) & ANY
                if choices & (choices - 1):
                    state[first + free] = man
                    free += 1
            for k in range(begin, free):
                state[first + k] |= (((free - begin) << MAN_BITS) | begin) << MAN_BITS
    entangled = np.int64(0)
    for k in range(free):
        entry = state[first + k]
        if state[kinds + (entry & MAN)] & ENTANGLED:
            state[first + free + entangled] = entry
            entangled += 1
    state[first - 1] = entangled
    return free


def turn_ring(game, state, a, b, c):
    """Three men of an army pass their kinds on, if nothing speaks against it."""
    kinds = kinds_from(game)
    if a == b or b == c or a == c:
        return
    first, second, third = state[kinds + a], state[kinds + b], state[kinds + c]
    if not can_be(first, second) & can_be(second, third) & can_be(third, first):
        return
    exchange(state, kinds + a, kinds + b)
    exchange(state, kinds + b, kinds + c)
    entangled = (first | second | third) & ENTANGLED
    if entangled and not (fits(game, state, a) and fits(game, state, b) and fits(game, state, c)):
        exchange(state, kinds + b, kinds + c)
        exchange(state, kinds + a, kinds + b)


def exchange_twice(game, state, player, one, with_one, random):
    """Two men of an army are exchanged, and at once a hidden man who fought the first of them is exchanged with another
    of his own army, if nothing speaks against it.

    Two men of equal rank who destroyed each other can only change together. So the second army's man is drawn from those who
    have the new rank too. He is one of COUNT[new] then, and on the way back one of COUNT[old]: to make both ways equally
    likely, a change is done with probability COUNT[new] / COUNT[old] at most. All other changes must not lead to such a
    pair, because the way back would be another."""
    men, kinds = MEN[game.board()], kinds_from(game)
    fight = any_fight(game, state, one, random)
    other = defender_of(fight) if attacker_of(fight) == one else attacker_of(fight)
    a, b, c = state[kinds + one], state[kinds + with_one], state[kinds + other]
    if fight == 0 or owner(game, other) == player or not (a ^ b) & KIND or not can_be(a, b) & can_be(b, a):
        return
    first = other - other % men
    with_other = first + dice.below(random, men)
    equal, new, old = not (a ^ c) & KIND, b & KIND, a & KIND
    if equal:
        many, fewer = COUNT[game.board(), old], COUNT[game.board(), new]
        if fewer < many and dice.below(random, many) >= fewer:
            return
        with_other = holder(state, kinds + first, men, new, dice.below(random, fewer)) - kinds
    d = state[kinds + with_other]
    if not can_be(c, d) & can_be(d, c) or (not equal and not (b ^ d) & KIND):
        return
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


def bomb_or_equal(game, state, player, man, random):
    """If a man and a hidden man destroyed each other, he was a bomb or his equal, or the other was a bomb. Change him from
    a bomb to an equal or back, by an exchange with one of his army who is that. As above, a change is done with
    probability COUNT[new] / COUNT[old] at most."""
    men, kinds = MEN[game.board()], kinds_from(game)
    fight = any_fight(game, state, man, random)
    other = defender_of(fight) if attacker_of(fight) == man else attacker_of(fight)
    if fight == 0 or outcome_of(fight) != BOTH or owner(game, other) == player:
        return
    old, equal = state[kinds + man] & KIND, state[kinds + other] & KIND
    if equal == BOMB or (old != BOMB and old != equal):
        return
    new = equal if old == BOMB else np.int64(BOMB)
    many, fewer = COUNT[game.board(), old], COUNT[game.board(), new]
    if not can_be(state[kinds + man], new) or (fewer < many and dice.below(random, many) >= fewer):
        return
    partner = holder(state, kinds + man - man % men, men, new, dice.below(random, fewer))
    if can_be(state[partner], old):
        exchange(state, kinds + man, partner)
        if not (fits(game, state, man) and fits(game, state, partner - kinds)):
            exchange(state, kinds + man, partner)


def any_fight(game, state, man, random):
    """One of the fights of a man, each equally likely, or 0 if he had none."""
    first, last = fights_from(game), state[known_from(game) + man] >> KINDS
    number, fights = last, 0
    while number:
        fights += 1
        number = fight_before(state[first + number - 1], man)
    if fights == 0:
        return np.int64(0)
    number = last
    for _ in range(dice.below(random, fights)):
        number = fight_before(state[first + number - 1], man)
    return state[first + number - 1]


def holder(state, first, men, kind, number):
    """The word of a man of an army with this kind, by his number among them."""
    at = first
    for word in range(first, first + men):
        if state[word] & KIND == kind:
            at = word
            if number == 0:
                break
            number -= 1
    return at


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
