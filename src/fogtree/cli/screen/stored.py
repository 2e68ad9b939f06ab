"""Runs in a store, and papers."""

import json
from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ...text.parameters import pairs
from .figures import facts, spoken

LONG = 200  # characters of parameters or results that are shown


def runs_table(stored: Sequence[Any]) -> Table:
    """The runs in a store."""
    table = Table("id", "run", "parameters", "began", box=SIMPLE_HEAD)
    for header in ("pieces", "work"):
        table.add_column(header, justify="right")
    for known in stored:
        texts = map(Text, (known.id, known.name, pairs(known.parameters, LONG), known.began))
        table.add_row(*texts, f"{known.done:,}/{known.wanted:,}", spoken(known.seconds))
    return table


def run_facts(known: Any) -> Text:
    """All that is known about a run."""
    rows = [("id", known.id), ("run", known.name)]
    rows += [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in known.parameters.items()]
    for file, digest in known.basis.get("files", {}).items():
        rows.append(("file", f"{file}, digest {digest}"))
    rows += [("rules", rules) for rules in known.basis.get("rules", [])]
    rows += [("began", known.began), ("on", f"{known.machine}, Fogtree {known.version}")]
    rows.append(("done", f"{known.done:,} of {known.wanted:,} pieces, {spoken(known.seconds)} of work"))
    return facts(rows)


def pieces_table(pieces: Sequence[tuple[dict[str, Any], Any, float]]) -> Table:
    """Pieces with their results."""
    table = Table("piece", "result", box=SIMPLE_HEAD)
    table.add_column("seconds", justify="right")
    for piece, result, seconds in pieces:
        told = pairs(result, LONG) if isinstance(result, dict) else json.dumps(result)
        table.add_row(Text(pairs(piece, LONG)), Text(told), f"{seconds:.3g}")
    return table


def papers_table(papers: Sequence[Any]) -> Table:
    """The papers and their parts."""
    table = Table("paper", "title", "parts", box=SIMPLE_HEAD)
    for paper in papers:
        table.add_row(paper.name, paper.title, " ".join(paper.parts))
    return table


def sections_table(sections: Sequence[Any]) -> Table:
    """How many printed numbers of each part agree, how many differ and how many cannot be judged, and the one that
    differs most."""
    table = Table("part", "agree", "differ", "cannot tell", "new", "farthest apart", box=SIMPLE_HEAD)
    for section in sections:
        verdicts = [claim.verdict() for claim in section.claims]
        apart = [claim for claim in section.claims if claim.verdict() == "differs"]
        worst = max(apart, key=lambda claim: claim.excess, default=None)
        words = f"{worst.what}: printed {worst.printed:g}, ours {worst.ours:.4g}" if worst else ""
        table.add_row(
            section.name,
            *(str(verdicts.count(word)) for word in ("agrees", "differs", "cannot tell", "new")),
            Text(words),
        )
    return table
