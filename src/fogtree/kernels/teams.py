"""Teams: threads of a GPU that do one lane together (`lanes.py`), each a share of a long loop.

    for k in range(first + member(team), last, members(team)):
        amount += ...
    amount = together(amount, team)     # the sum of what each of them has; all of them get it

`team` is how many threads do a lane, a power of two up to 32, and the work's method `team()` says the same. Interpreted and
on the CPU one does the lane alone, and these functions are what stands below. So a sum is added up in another order on a
GPU, always in the same one.
"""


def member(team):
    """Which thread of its team this is, from 0 on."""
    return 0


def members(team):
    """How many do the lane."""
    return 1


def together(amount, team):
    """The sum of the amounts of all members."""
    return amount
