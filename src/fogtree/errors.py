"""What can go wrong, in four words. Each message is one sentence: what was wrong, and what is valid."""

DEBUG = "FOGTREE_DEBUG"  # an environment variable; set: errors are shown in full, Numba's own text among them


class FogtreeError(Exception):
    """The parent of the others: the command line prints its sentence and exits with 2."""


class Invalid(FogtreeError, ValueError):
    """A name, a parameter or a file that makes no sense."""


class Illegal(FogtreeError, ValueError):
    """An action that the rules do not allow here."""


class Broken(FogtreeError):
    """A game that does not keep the contract of `game.py`."""


class Uncompilable(FogtreeError):
    """Plain Python that Numba cannot turn into machine code."""
