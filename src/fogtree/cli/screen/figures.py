"""How numbers, times, lists of facts and tables are written."""

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

BARS = "▁▂▃▄▅▆▇█"


def facts(rows: Sequence[tuple[str, str]]) -> Text:
    """Names and their meanings, one pair per line."""
    wide = max(len(name) for name, _ in rows)
    return Text("\n".join(f"{name:<{wide}}  {text}" for name, text in rows))


def columns(
    texts: Sequence[Any], numbers: Sequence[Any] = (), rows: Iterable[Iterable[Any]] = (), **more: Any
) -> Table:
    """A table with columns of texts, and after them columns of numbers, which stand at the right."""
    table = Table(*texts, **({"box": SIMPLE_HEAD} | more))
    for header in numbers:
        table.add_column(header, justify="right")
    for column in table.columns:
        column.overflow = "fold"  # where a terminal is narrow, a name goes on in the next line and is not cut short
    for row in rows:
        table.add_row(*row)
    return table


def narrowed(prose: str, width: int) -> str:
    """A text with those paragraphs and list items broken anew whose lines are too long for a screen."""
    parts = re.split(r"(\n\s*\n|\n(?=[*-] ))", prose)
    return "".join(part if _fits(part, width) else _refilled(part, width) for part in parts)


def _fits(part: str, width: int) -> bool:
    drawn = any(line.startswith("   ") for line in part.splitlines())  # a formula or a board
    return drawn or all(len(line) <= width for line in part.splitlines())


def _refilled(part: str, width: int) -> str:
    after = "  " if part.startswith(("* ", "- ")) else ""
    words = " ".join(part.split())
    return textwrap.fill(words, width, subsequent_indent=after, break_long_words=False, break_on_hyphens=False)


def decimal(number: float, digits: int) -> str:
    """A number with so many decimal places; never "-0.000"."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


def places(total: float) -> int:
    """How many decimal places of a value are worth printing when it is certain up to `total`."""
    return 12 if total < 1e-10 else min(12, max(4, 2 - math.floor(math.log10(total))))


def spoken(seconds: float) -> str:
    """A time to wait, as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def sparkline(values: Sequence[float], width: int) -> str:
    """Positive numbers on a logarithmic scale, in at most `width` characters."""
    logs = [math.log(max(value, 1e-300)) for value in values if value > 0 and math.isfinite(value)]
    if not logs:
        return ""
    if len(logs) > width:
        logs = [logs[round(i * (len(logs) - 1) / (width - 1))] for i in range(width)]
    low, high = min(logs), max(logs)
    step = (high - low) / (len(BARS) - 1)
    return "".join(BARS[round((log - low) / step)] if step > 0 else BARS[0] for log in logs)
