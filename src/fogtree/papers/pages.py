"""A report in blocks, rendered as Markdown and as HTML."""

import io
import math
import pathlib
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from .claims import AGREES, CANNOT_TELL, DIFFERS

CODE = r"<code>\1</code>"
COLOURS = {DIFFERS: "differs", CANNOT_TELL: "open", AGREES: "agrees"}


def number(value: float | None) -> str:
    """Four digits, or all of a large number; nothing if there is none."""
    if value is None or math.isnan(value):
        return ""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def markdown(blocks: Sequence[tuple[str, Any]]) -> str:
    """The report as Markdown; its pictures are files beside it."""
    out = []
    for kind, content in blocks:
        match kind:
            case "title":
                out.append(f"# {content}")
            case "heading":
                out.append(f"## {content}")
            case "prose":
                out.append(content)
            case "picture":
                out.append(f"![{content}]({content}.svg)")
            case "files":
                out.append("Raw numbers: " + ", ".join(f"[{name}]({name})" for name in content))
            case "table":
                header, rows = content
                lines = [header, ["---"] * len(header), *rows]
                out.append("\n".join("| " + " | ".join(shown(cell) for cell in line) + " |" for line in lines))
    return "\n\n".join(out) + "\n"


def shown(value: Any) -> str:
    """A cell of a table."""
    return number(value) if isinstance(value, float) else str(value).replace("|", "\\|")


def html(blocks: Sequence[tuple[str, Any]], folder: pathlib.Path) -> str:
    """One file that can be handed on: its pictures are inside."""
    out = io.StringIO()
    title = next(content for kind, content in blocks if kind == "title")
    out.write(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{STYLE}</style>\n"
    )
    for kind, content in blocks:
        match kind:
            case "title":
                out.write(f"<h1>{escape(content)}</h1>\n")
            case "heading":
                out.write(f"<h2>{escape(content)}</h2>\n")
            case "prose":
                out.write(f"<p>{re.sub('`([^`]*)`', CODE, escape(content))}</p>\n")
            case "picture":
                drawing = (folder / f"{content}.svg").read_text(encoding="utf-8")
                out.write(f"<figure>{drawing[drawing.index('<svg') :]}</figure>\n")
            case "files":
                links = ", ".join(f'<a href="{name}">{name}</a>' for name in content)
                out.write(f"<p class=files>Raw numbers: {links}</p>\n")
            case "table":
                header, rows = content
                heads = "".join(f"<th>{escape(str(cell))}" for cell in header)
                out.write(f"<table><thead><tr>{heads}</thead>\n")
                for row in rows:
                    cells = "".join(f"<td>{escape(shown(cell))}" for cell in row)
                    out.write(f"<tr class={_colour(row)}>{cells}\n")
                out.write("</table>\n")
    return out.getvalue() + "</html>\n"


def _colour(row: Sequence[Any]) -> str:
    """The class of a table's row, by its verdict."""
    return next((name for word, name in COLOURS.items() if word in row), "plain")


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .7rem; text-align: left; border-bottom: 1px solid #ddd }
tr.differs td { background: #fdecea } tr.agrees td { background: #edf7ee } tr.open td { background: #fff8e1 }
figure { margin: 1rem 0 } figure svg { max-width: 100%; height: auto } .files { color: #666; font-size: 13px }
"""
