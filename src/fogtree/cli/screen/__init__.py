"""What the command line shows on the screen. It computes nothing.

live.py has what moves while the work goes on; listed.py, matched.py and results.py have tables and facts.
"""

import os

from rich.console import Console

WIDE = 150  # columns if the output is not a terminal, so that tables are not squeezed


def console(stderr: bool = False) -> Console:
    """The terminal, or what stands in its place."""
    made = Console(stderr=stderr, highlight=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDE
    return made
