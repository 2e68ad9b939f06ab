"""Changes of one word that no other lane can come between: for what lanes write together (`lanes.py`).

    add(array, place, amount)               array[place] += amount; returns what it held
    claim(array, place, expected, value)    array[place] = value if it holds what is expected; returns what it held
    lower(array, place, value)              array[place] = value if it holds more

`array` is one row of 64-bit integers; `add` also takes a row of 64-bit floating-point numbers. Whole numbers can be added in
any order. The last digits of other sums depend on the order in which lanes come. In compiled code each is one instruction or
a short loop, on the CPU and on a GPU; interpreted it is the Python text below, where one lane runs at a time.
"""


def add(array, place, amount):
    """Add to a word; returns what it held."""
    held = array[place]
    array[place] = held + amount
    return held


def claim(array, place, expected, value):
    """Write a word if it holds what is expected; returns what it held."""
    held = array[place]
    if held == expected:
        array[place] = value
    return held


def lower(array, place, value):
    """Write a word if it holds more."""
    held = array[place]
    while value < held:
        found = claim(array, place, held, value)
        if found == held:
            return
        held = found
