"""Tables of HTML, for notebooks and pages."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


class Markup(str):
    """A text that is HTML already."""


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table; cells are escaped unless they are `Markup`. A text of several lines keeps its shape."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    lines = ["".join(f"<td>{cell(value)}</td>" for value in row) for row in rows]
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{title}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def cell(value: Any) -> str:
    """One cell of a table."""
    if isinstance(value, Markup):
        return value
    text = escape(str(value))
    return f"<pre>{text}</pre>" if "\n" in text else text
