"""What a paper file is made of, and the report that comes out: each printed number beside ours, with a verdict.

A paper is a list of parts, its tables and figures. A part is a function of the lab: it measures through the run store, so
that it can be stopped and gone on with, and returns a section: claims, tables, pictures. The report is one Markdown and one
HTML file with the pictures (SVG and PNG) and the raw numbers (CSV) beside them.
"""

import csv
import html
import io
import math
import os
import pathlib
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..errors import Invalid
from ..files import appearing, refusing
from ..runs import machine
from .laboratory import SCALES, Lab

CODE = r"<code>\1</code>"
AGREES, DIFFERS, NEW = "agrees", "differs", "new"


class Claim(NamedTuple):
    """A printed number beside ours. The halves are those of the 95 % intervals; a printed None is a number of ours alone."""

    what: str
    printed: float | None
    ours: float
    half: float = 0.0
    printed_half: float = 0.0
    tolerance: float = 0.0  # a difference that counts as none, whatever the intervals
    note: str = ""

    @property
    def difference(self) -> float:
        return math.nan if self.printed is None else self.ours - self.printed

    def verdict(self) -> str:
        if self.printed is None:
            return NEW
        near = abs(self.difference) <= max(self.tolerance, math.hypot(self.half, self.printed_half))
        return AGREES if near else DIFFERS


def unjudged(claims: Sequence[Claim]) -> list[Claim]:
    """Claims of a run that is too short to be held against the paper."""
    return [claim._replace(printed=None, note="too short to judge") for claim in claims]


class Section(NamedTuple):
    """A part of a report."""

    name: str
    title: str
    prose: str = ""
    claims: Sequence[Claim] = ()
    tables: dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]] = {}  # file name without ending: header, rows
    pictures: dict[str, Any] = {}  # file name without ending: Matplotlib's figure


class Paper(NamedTuple):
    name: str
    title: str
    source: str
    parts: dict[str, Callable[[Lab], Section]]
    summary: str = ""


def check_parts(paper: Paper, scale: str, parts: Sequence[str]) -> None:
    """Refuse a scale or a part that is not there."""
    if scale not in SCALES:
        raise Invalid(f"there is no scale '{scale}': valid are {', '.join(SCALES)}")
    for part in parts:
        if part not in paper.parts:
            raise Invalid(f"{paper.name} has no part '{part}': valid are {', '.join(paper.parts)}")


def write_report(
    paper: Paper, lab: Lab, sections: Sequence[Section], out: str | os.PathLike, command: str
) -> pathlib.Path:
    """Write report.md, report.html, and the pictures and numbers of each section; returns the HTML file's path."""
    folder = pathlib.Path(out)
    with refusing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for section in sections:
        tables = dict(section.tables)
        if section.claims:
            tables[section.name] = (CLAIM_COLUMNS, [_claim_row(claim) for claim in section.claims])
        for stem, (header, rows) in tables.items():
            with refusing(folder / f"{stem}.csv"), appearing(folder / f"{stem}.csv", "t") as file:
                csv.writer(file).writerows([header, *rows])
        for stem, figure in section.pictures.items():
            for ending in ("svg", "png"):
                figure.savefig(
                    folder / f"{stem}.{ending}", dpi=110, metadata={"Date": None} if ending == "svg" else None
                )
    blocks = list(_blocks(paper, lab, sections, command))
    for name, render in (("report.md", _markdown), ("report.html", _html)):
        with refusing(folder / name), appearing(folder / name, "t") as file:
            file.write(render(blocks, folder))
    return folder / "report.html"


# --- the report in blocks, rendered twice --------------------------------------------------------------------------

CLAIM_COLUMNS = ["what", "printed", "printed 95 %", "ours", "ours 95 %", "difference", "verdict", "note"]


def number(value: float | None) -> str:
    """Four digits, or nothing."""
    return "" if value is None or math.isnan(value) else f"{value:.4g}"


def _claim_row(claim: Claim) -> list[str]:
    halves = [f"± {number(half)}" if half else "" for half in (claim.printed_half, claim.half)]
    apart = "" if claim.printed is None else f"{claim.difference:+.3g}"
    return [
        claim.what,
        number(claim.printed),
        halves[0],
        number(claim.ours),
        halves[1],
        apart,
        claim.verdict(),
        claim.note,
    ]


def _blocks(paper: Paper, lab: Lab, sections: Sequence[Section], command: str):
    """(kind, content) of each block: the one order that both renderings follow."""
    yield "title", f"{paper.name}: {paper.title}"
    yield "prose", paper.source
    facts = f"`{command}`, seed {lab.seed}, {lab.scale} scale, on {machine()}."
    judged = [claim.verdict() for section in sections for claim in section.claims if claim.printed is not None]
    yield (
        "prose",
        f"{facts} Of {len(judged)} printed numbers {judged.count(AGREES)} agree and {judged.count(DIFFERS)} differ.",
    )
    yield (
        "prose",
        "A number agrees if it lies within the joint 95 % interval of the printed one and ours, or within the tolerance that "
        "its table states. Intervals are ± half their width.",
    )
    if paper.summary:
        yield "prose", paper.summary
    for section in sections:
        yield "heading", section.title
        for paragraph in filter(None, section.prose.split("\n\n")):
            yield "prose", " ".join(paragraph.split())
        for stem in section.pictures:
            yield "picture", stem
        if section.claims:
            lines = [_claim_row(claim) for claim in section.claims]
            kept = [i for i in range(len(CLAIM_COLUMNS)) if i in (0, 3) or any(line[i] for line in lines)]
            yield "table", ([CLAIM_COLUMNS[i] for i in kept], [[line[i] for i in kept] for line in lines])
        links = [section.name] if section.claims else []
        for stem, (header, rows) in section.tables.items():
            if len(rows) <= 40:  # longer ones are for programs, not for people
                yield "table", (header, rows)
            links.append(stem)
        if links:
            yield "files", [f"{stem}.csv" for stem in links]


def _markdown(blocks: Sequence[tuple[str, Any]], folder: pathlib.Path) -> str:
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
                out.append("\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines))
    return "\n\n".join(out) + "\n"


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value).replace("|", "\\|")


def _html(blocks: Sequence[tuple[str, Any]], folder: pathlib.Path) -> str:
    """One file that can be handed on: its pictures are inside."""
    out = io.StringIO()
    title = next(content for kind, content in blocks if kind == "title")
    out.write(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{STYLE}</style>\n"
    )
    for kind, content in blocks:
        match kind:
            case "title":
                out.write(f"<h1>{html.escape(content)}</h1>\n")
            case "heading":
                out.write(f"<h2>{html.escape(content)}</h2>\n")
            case "prose":
                out.write(f"<p>{re.sub('`([^`]*)`', CODE, html.escape(content))}</p>\n")
            case "picture":
                drawing = (folder / f"{content}.svg").read_text(encoding="utf-8")
                out.write(f"<figure>{drawing[drawing.index('<svg') :]}</figure>\n")
            case "files":
                links = ", ".join(f'<a href="{name}">{name}</a>' for name in content)
                out.write(f"<p class=files>Raw numbers: {links}</p>\n")
            case "table":
                header, rows = content
                heads = "".join(f"<th>{html.escape(str(cell))}" for cell in header)
                out.write(f"<table><thead><tr>{heads}</thead>\n")
                for row in rows:
                    cells = "".join(f"<td>{html.escape(_cell(cell))}" for cell in row)
                    out.write(f"<tr class={DIFFERS if DIFFERS in row else AGREES if AGREES in row else NEW}>{cells}\n")
                out.write("</table>\n")
    return out.getvalue() + "</html>\n"


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .7rem; text-align: left; border-bottom: 1px solid #ddd }
tr.differs td { background: #fdecea } tr.agrees td { background: #edf7ee }
figure { margin: 1rem 0 } figure svg { max-width: 100%; height: auto } .files { color: #666; font-size: 13px }
"""
