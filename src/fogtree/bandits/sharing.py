"""How bandits share methods: plain functions, which a decorator makes methods of a class.

    @shares(*counting.METHODS, reward=as_it_is)
    class UCT(NamedTuple):
        ...

A `NamedTuple` takes no second base. So a bandit's file shows what is its own, and names what it shares. A method that the
class has itself is kept.
"""

from collections.abc import Callable
from typing import Any


def shares(*methods: Callable, **named: Callable) -> Callable[[Any], Any]:
    """Give a class these functions as methods, under their own names or under those given, except for what it has itself."""

    def give(cls: Any) -> Any:
        for name, method in ({each.__name__: each for each in methods} | named).items():
            if name not in vars(cls):
                setattr(cls, name, method)
        return cls

    return give


def as_it_is(bandit, payoff, low, high):
    """A reward: the payoff."""
    return payoff


def scaled(bandit, payoff, low, high):
    """A reward: the payoff scaled to [0, 1]."""
    return (payoff - low) / (high - low) if high > low else 0.0
