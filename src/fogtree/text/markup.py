"""HTML, for notebooks and pages: texts are escaped, unless they are `Safe`."""

import html
from collections.abc import Iterable, Sequence
from typing import Any


class Safe(str):
    """A piece of HTML, which is not escaped again."""


def esc(value: Any) -> Safe:
    """A text as HTML; a piece of HTML as it is."""
    return value if isinstance(value, Safe) else Safe(html.escape(str(value)))


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table for a notebook. A text of several lines keeps its shape."""
    head = "".join(f"<th>{esc(name)}</th>" for name in header)
    lines = ["".join(f"<td>{cell(value)}</td>" for value in row) for row in rows]
    title = f"<caption>{esc(caption)}</caption>" if caption else ""
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{title}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def cell(value: Any) -> str:
    """One cell of a table."""
    text = esc(value)
    return f"<pre>{text}</pre>" if "\n" in text and not isinstance(value, Safe) else text
