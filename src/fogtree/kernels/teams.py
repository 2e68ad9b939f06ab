"""Threads of a GPU that do something together. Teams: threads that do one lane (`lanes.py`), each a share of a long loop.

    for k in range(first + member(team), last, members(team)):
        amount += ...
    amount = together(amount, team)     # the sum of what each of them has; all of them get it

`team` is how many threads do a lane, a power of two up to 32, and the work's method `team()` says the same. Interpreted and
on the CPU one does the lane alone, and these functions are what stands below. So a sum is added up in another order on a
GPU, always in the same one.

    row = next_number(count, place)     # the number that count[place] holds, which is one more from now on

Lanes that come to it at the same moment share one addition on a GPU, and neighbours get neighbouring numbers.
"""

from .atomic import add


def member(team):
    """Which thread of its team this is, from 0 on."""
    return 0


def members(team):
    """How many do the lane."""
    return 1


def together(amount, team):
    """The sum of the amounts of all members."""
    return amount


def next_number(count, place):
    """The next number of a count."""
    return add(count, place, 1)
