"""Runs and Papers: what is stored, by id from a list and never by path."""

import csv
import io
import json
import pathlib
import re

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from .. import runs
from ..errors import FogtreeError
from ..papers import PAPERS, load_paper
from ..papers.pages import CODE, shown
from ..papers.report import blocks_of
from ..text.parameters import pairs
from .desk import Desk
from .html import Safe, esc, join, sentence, table, tag, void

LONG = 120  # characters of parameters that are shown
SHOWN = 200  # pieces of a run
KINDS = {".svg": "image/svg+xml", ".csv": "text/csv", ".png": "image/png"}


# --- runs ---


async def runs_list(desk: Desk, request: Request) -> str:
    """All runs of the store."""
    lead = tag("p", "Long work in seeded pieces, each stored as soon as it is done.", class_="lead")
    try:
        stored = runs.stored_runs(desk.store)
    except FogtreeError as error:
        made = tag("code", "fogtree stubborn --bandit uct --family 3x3")
        hint = tag(
            "p", sentence(str(error)), " Commands that work for long store what they have done, such as ", made, "."
        )
        return desk.page("/runs", "Runs", lead, hint)
    rows = []
    for run in reversed(stored):
        bar = tag("progress", value=run.done, max=max(run.wanted, 1), aria_label=f"{run.done} of {run.wanted} pieces")
        link, done = tag("a", run.id, href=f"/runs/{run.id}"), f"{run.done:,} of {run.wanted:,}"
        rows.append([link, run.name, pairs(run.parameters, LONG), bar, done, f"{run.seconds:,.1f}", run.began])
    head = ["run", "name", "parameters", "", "pieces", "seconds", "began"]
    return desk.page("/runs", "Runs", lead, table(head, rows, "Stored runs"))


def _find(desk: Desk, request: Request) -> runs.StoredRun:
    """The run that an address names by its whole id."""
    for run in runs.stored_runs(desk.store):
        if run.id == request.path_params["id"]:
            return run
    raise LookupError("There is no run of this name.")


async def run(desk: Desk, request: Request) -> str:
    """One run: its facts and its pieces."""
    known = _find(desk, request)
    header, rows = _table(desk, known.id)
    made = f"{known.began}, on {known.machine}, by version {known.version}, {known.seconds:,.1f} s over all cores"
    facts = {"Parameters": pairs(known.parameters, LONG), "Rests on": pairs(known.basis, LONG), "Made": made}
    body = [
        tag("progress", value=known.done, max=max(known.wanted, 1), aria_label="Pieces done"),
        tag("p", f"{known.done:,} of {known.wanted:,} pieces are done."),
        tag("dl", *(join([tag("dt", name), tag("dd", value)]) for name, value in facts.items())),
        tag("p", tag("a", "All pieces (CSV)", href=f"/runs/{known.id}/numbers.csv", download=True)),
        table(header, rows[:SHOWN], "Pieces"),
        tag("p", f"And {len(rows) - SHOWN:,} more: the CSV file has all.") if len(rows) > SHOWN else None,
    ]
    return desk.page("/runs", f"{known.name}, run {known.id}", *body)


def _table(desk: Desk, id: str) -> tuple[list[str], list[list[str]]]:
    """A column for each argument and each entry of a result, as `fogtree runs export` has them."""
    stored = runs.pieces_of(desk.store, id)
    rows = [piece | (result if isinstance(result, dict) else {"result": result}) for piece, result, _ in stored]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = []
    for row, (*_, seconds) in zip(rows, stored, strict=True):
        cells = [row.get(column, "") for column in columns]
        lines.append([json.dumps(c) if isinstance(c, (list, dict)) else str(c) for c in cells] + [f"{seconds:.4g}"])
    return [*columns, "seconds"], lines


async def run_csv(desk: Desk, request: Request) -> Response:
    known, out = _find(desk, request), io.StringIO()
    header, rows = _table(desk, known.id)
    csv.writer(out).writerows([header, *rows])
    headers = {"content-disposition": f'attachment; filename="{known.id}.csv"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)


# --- papers ---


def _reports(desk: Desk) -> dict[str, pathlib.Path]:
    """The folders that hold a report, by a name."""
    found: dict[str, pathlib.Path] = {}
    for root in map(pathlib.Path, desk.reports):
        for file in sorted(root.rglob("report.json")):
            place = file.parent.relative_to(root)
            name = "-".join(place.parts) or root.name
            found.setdefault(name, file.parent)
    return found


async def papers_list(desk: Desk, request: Request) -> str:
    """The papers, and the reports that there are."""
    reports, rows = _reports(desk), []
    for name in PAPERS:
        paper = load_paper(name)
        links = [tag("a", each, href=f"/papers/{each}") for each in reports if each.split("-")[0] == name]
        rows.append([name, paper.title, join(links, ", ") if links else tag("code", f"fogtree paper {name}")])
    lead = tag("p", "Papers measured again: each printed number beside ours, with a verdict.", class_="lead")
    return desk.page("/papers", "Papers", lead, table(["paper", "title", "report"], rows, "Papers"))


async def paper(desk: Desk, request: Request) -> str:
    """A report with its pictures."""
    id = request.path_params["id"]
    folder = _folder(desk, id)
    named = json.loads((folder / "report.json").read_text(encoding="utf-8")).get("paper", "")
    title, made = id, []
    for kind, content in blocks_of(load_paper(named), folder):
        match kind:
            case "title":
                title = content
            case "heading":
                made.append(tag("h2", content))
            case "prose":
                made.append(tag("p", Safe(re.sub("`([^`]*)`", CODE, esc(content)))))
            case "picture":
                made.append(tag("figure", void("img", src=f"/papers/{id}/{content}.svg", alt=content, loading="lazy")))
            case "files":
                links = join((tag("a", name, href=f"/papers/{id}/{name}") for name in content), ", ")
                made.append(tag("p", "Raw numbers: ", links))
            case "table":
                header, rows = content
                made.append(table(header, [[shown(cell) for cell in row] for row in rows], "Numbers"))
    return desk.page("/papers", title, *made)


def _folder(desk: Desk, id: str) -> pathlib.Path:
    reports = _reports(desk)
    if id not in reports:
        raise LookupError("There is no report of this name.")
    return reports[id]


async def paper_file(desk: Desk, request: Request) -> Response:
    """A picture or a table of a report, if it is in the list of its files."""
    folder, name = _folder(desk, request.path_params["id"]), request.path_params["file"]
    files = {path.name: path for path in folder.iterdir() if path.suffix in KINDS and path.is_file()}
    if name not in files:
        raise LookupError("There is no such file in this report.")
    return FileResponse(files[name], media_type=KINDS[files[name].suffix])


# --- addresses ---

PAGES = {
    "/runs": runs_list,
    "/runs/{id}": run,
    "/runs/{id}/numbers.csv": run_csv,
    "/papers": papers_list,
    "/papers/{id}": paper,
    "/papers/{id}/{file}": paper_file,
}
