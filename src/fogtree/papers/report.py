"""What a paper is made of, and the report that comes out: each printed number beside ours, with a verdict.

A paper is a list of parts, its tables and figures. A part is a function of the lab: it measures through the run store and
returns a section: claims, tables, pictures. The report is one Markdown and one HTML file, with the pictures (SVG and PNG) and
the numbers (CSV) beside them, and `report.json` with all that is in neither: titles, prose, and how the numbers were made.

    write_report(paper, facts, sections, folder)      writes all of it
    judge_again(paper, folder)                        reads the numbers back, and writes verdicts and text anew, by the rules
                                                      of now
"""

import csv
import json
import math
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import Invalid
from ..files import appearing, refusing
from ..kernels.cuda import device as gpu
from ..kernels.lanes import CPU
from ..runs import machine
from .claims import KINDS, WIDE, Claim, counted
from .laboratory import SCALES, Lab
from .pages import html, markdown, number

FORMAT = 1  # of report.json
LONG = 40  # rows; longer tables are for programs, and the report only links them
CLAIM_COLUMNS = ["what", "printed", "printed 95 %", "ours", "ours 95 %", "difference", "tolerance", "verdict", "note"]
Table = tuple[Sequence[str], Sequence[Sequence[Any]]]  # header, rows


class Section(NamedTuple):
    """A part of a report."""

    name: str
    title: str
    prose: str = ""
    claims: Sequence[Claim] = ()
    tables: Mapping[str, Table] = {}  # by file name without ending
    pictures: Mapping[str, Any] = {}  # the same; Matplotlib's figure, or None if it has been written

    @property
    def paragraphs(self) -> list[str]:
        """The prose, each paragraph in one line."""
        return [" ".join(paragraph.split()) for paragraph in self.prose.split("\n\n") if paragraph.split()]


class Paper(NamedTuple):
    name: str
    title: str
    source: str
    parts: dict[str, Callable[[Lab], Section]]
    in_lanes: bool = False  # whether its parts run on a GPU, and take more runs than the scale asks for
    on_gpu: Sequence[str] = ()  # the parts of another paper that run on a GPU, with the runs of the scale
    by_matches: Sequence[str] = ()  # the parts that play matches, as many as are asked for


class Facts(NamedTuple):
    """How the numbers of a report were made."""

    command: str
    seed: int
    scale: str
    machine: str

    @classmethod
    def of(cls, lab: Lab, command: str) -> "Facts":
        return cls(command, lab.seed, lab.scale, machine() if lab.device == CPU else f"{machine()}, {gpu().name}")


def choose_parts(paper: Paper, scale: str, parts: Sequence[str]) -> list[str]:
    """The parts that were asked for, or all. `chess` stands for the part `chess` and every part `chess-...`."""
    if scale not in SCALES:
        raise Invalid(f"there is no scale '{scale}': valid are {', '.join(SCALES)}")
    chosen: dict[str, None] = {}
    for asked in parts or paper.parts:
        family = [part for part in paper.parts if part == asked or part.startswith(f"{asked}-")]
        if not family:
            raise Invalid(f"{paper.name} has no part '{asked}': valid are {', '.join(paper.parts)}")
        chosen |= dict.fromkeys(family)
    return list(chosen)


def require_matches(paper: Paper, chosen: Sequence[str]) -> None:
    """Refuse a number of matches if a part has no use for it."""
    if rest := [part for part in chosen if part not in paper.by_matches]:
        valid = f"valid are {', '.join(paper.by_matches)}" if paper.by_matches else "no part of this paper does"
        raise Invalid(f"{', '.join(rest)} of {paper.name} does not take a number of matches: {valid}")


# --- writing -------------------------------------------------------------------------------------------------------


def write_report(paper: Paper, facts: Facts, sections: Sequence[Section], out: str | os.PathLike) -> pathlib.Path:
    """Write the report, and the pictures and numbers of each section; returns the HTML file's path."""
    folder = pathlib.Path(out)
    with refusing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for section in sections:
        for stem, (header, rows) in section.tables.items():
            _write_csv(folder / f"{stem}.csv", header, rows)
        if section.claims:
            _write_csv(folder / f"{section.name}.csv", STORED_COLUMNS, [_stored(claim) for claim in section.claims])
        for stem, figure in section.pictures.items():
            for ending in ("svg", "png") if figure is not None else ():
                metadata = {"Date": None} if ending == "svg" else None
                figure.savefig(folder / f"{stem}.{ending}", dpi=110, metadata=metadata)
    blocks = list(_blocks(paper, facts, sections))
    pages = {
        "report.md": markdown(blocks),
        "report.html": html(blocks, folder),
        "report.json": json.dumps(_outline(paper, facts, sections), indent=1, ensure_ascii=False) + "\n",
    }
    for name, text in pages.items():
        with refusing(folder / name), appearing(folder / name, "t") as file:
            file.write(text)
    return folder / "report.html"


def _write_csv(path: pathlib.Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if len(set(header)) < len(header):
        raise Invalid(f"{path.name} has two columns of one name: {', '.join(header)}")
    with refusing(path), appearing(path, "t") as file:
        csv.writer(file).writerows([header, *rows])


def _blocks(paper: Paper, facts: Facts, sections: Sequence[Section]) -> Iterator[tuple[str, Any]]:
    """(kind, content) of each block of the report."""
    claims = [claim for section in sections for claim in section.claims]
    yield "title", f"{paper.name}: {paper.title}"
    yield "prose", paper.source
    made = f"`{facts.command}`, seed {facts.seed}, {facts.scale} scale, on {facts.machine}."
    yield "prose", f"{made} {counted(claims)}".strip()
    used = dict.fromkeys(claim.kind for claim in claims if claim.printed is not None)
    if used:
        yield "prose", RULE.format(wide=WIDE, kinds="; ".join(KINDS[kind][1] for kind in KINDS if kind in used))
    for section in sections:
        yield "heading", section.title
        for paragraph in section.paragraphs:
            yield "prose", paragraph
        if told := counted(section.claims):
            yield "prose", told
        for stem in section.pictures:
            yield "picture", stem
        if section.claims:
            lines = [_shown(claim) for claim in section.claims]
            kept = [i for i in range(len(CLAIM_COLUMNS)) if i in (0, 3) or any(line[i] for line in lines)]
            yield "table", ([CLAIM_COLUMNS[i] for i in kept], [[line[i] for i in kept] for line in lines])
        for header, rows in section.tables.values():
            if len(rows) <= LONG:
                yield "table", (header, rows)
        if links := [*([section.name] if section.claims else []), *section.tables]:
            yield "files", [f"{stem}.csv" for stem in links]


RULE = (
    "A number agrees if it differs from the printed one by no more than the tolerance that stands beside it, or if it "
    "lies within the joint 95 % interval of both; else it differs. But a joint interval that is wider than {wide:g} "
    "tolerances holds right and wrong answers alike: of a number inside such an interval we cannot tell. Tolerances: "
    "{kinds}. Intervals and tolerances are given as ± half their width, or as a factor: x 2 is from half to twice."
)


def _shown(claim: Claim) -> list[str]:
    """A claim as people read it."""
    sign = "x" if claim.kind == "duration" else "±"
    printed_half, half = (f"{sign} {number(half)}" if half else "" for half in (claim.printed_half, claim.half))
    apart = tolerance = ""
    if claim.printed is not None:
        apart = f"x {claim.difference:.3g}" if claim.kind == "duration" else f"{round(claim.difference, 9) + 0.0:+.3g}"
        tolerance = f"{sign} {number(claim.tolerance)}"
    middle = [number(claim.printed), printed_half, number(claim.ours), half, apart, tolerance]
    return [claim.what, *middle, claim.verdict(), claim.note]


# --- reading back --------------------------------------------------------------------------------------------------

STORED_COLUMNS = [*Claim._fields[:-1], "tolerance", "verdict", "note"]
NUMBERS = ("printed", "ours", "half", "printed_half", "rounding")


def _stored(claim: Claim) -> list[Any]:
    """A claim as programs read it."""
    fields = claim._asdict() | {"tolerance": claim.tolerance, "verdict": claim.verdict()}
    return [_plain(fields[column]) for column in STORED_COLUMNS]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.9g}"
    return "" if value is None else value


def _outline(paper: Paper, facts: Facts, sections: Sequence[Section]) -> dict[str, Any]:
    """All of a report that is neither in a CSV file nor in a picture."""
    return {
        "format": FORMAT,
        "paper": paper.name,
        **facts._asdict(),
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "prose": section.paragraphs,
                "claims": len(section.claims),
                "tables": {stem: _float_columns(rows) for stem, (_, rows) in section.tables.items()},
                "pictures": list(section.pictures),
            }
            for section in sections
        ],
    }


def _float_columns(rows: Sequence[Sequence[Any]]) -> list[int]:
    """The columns that hold fractions, which the report shows with four digits."""
    return sorted({column for row in rows for column, cell in enumerate(row) if isinstance(cell, float)})


def read_report(paper: Paper, folder: str | os.PathLike) -> tuple[Facts, list[Section]]:
    """What a report was made of; its pictures stay where they are."""
    place = pathlib.Path(folder)
    try:
        outline = json.loads((place / "report.json").read_text(encoding="utf-8"))
        if (outline["format"], outline["paper"]) != (FORMAT, paper.name):
            raise Invalid(
                f"{place} has a report of {outline['paper']}, format {outline['format']}, not of {paper.name}"
            )
        return Facts(*(outline[field] for field in Facts._fields)), [
            _section(place, one) for one in outline["sections"]
        ]
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise Invalid(f"{place} has no report of {paper.name} that can be read: {error}") from None


def _section(place: pathlib.Path, told: dict[str, Any]) -> Section:
    claims: list[Claim] = []
    if told["claims"]:
        header, rows = _read_csv(place / f"{told['name']}.csv")
        claims = [_claim(dict(zip(header, row, strict=True))) for row in rows]
    tables: dict[str, Table] = {}
    for stem, floats in told["tables"].items():
        header, rows = _read_csv(place / f"{stem}.csv")
        tables[stem] = header, [[_cell(cell, at in floats) for at, cell in enumerate(row)] for row in rows]
    pictures = dict.fromkeys(told["pictures"])
    return Section(told["name"], told["title"], "\n\n".join(told["prose"]), claims, tables, pictures)


def _cell(cell: str, fraction: bool) -> Any:
    return float(cell) if fraction and cell else cell


def _claim(row: dict[str, str]) -> Claim:
    if row["kind"] not in KINDS:
        raise Invalid(f"there is no kind of claim '{row['kind']}': valid are {', '.join(KINDS)}")
    numbers: dict[str, Any] = {field: float(row[field]) if row[field] else None for field in NUMBERS}
    if numbers["ours"] is None:
        numbers["ours"] = math.nan
    return Claim(what=row["what"], kind=row["kind"], note=row["note"], **numbers)


def _read_csv(path: pathlib.Path) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def blocks_of(paper: Paper, folder: str | os.PathLike) -> list[tuple[str, Any]]:
    """(kind, content) of each block of the report in a folder, for a page of one's own."""
    return list(_blocks(paper, *read_report(paper, folder)))


def judge_again(paper: Paper, folder: str | os.PathLike) -> list[Section]:
    """Judge the numbers of a report by the present rules, and write it again where it is. Nothing is measured."""
    facts, sections = read_report(paper, folder)
    write_report(paper, facts, sections, folder)
    return sections
