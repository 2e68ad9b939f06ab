"""Lists of what has a name or is stored: games, agents, bandits, runs and papers."""

import json
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from ...text.parameters import about, brief, pairs, valid
from .figures import columns, facts, spoken

LONG = 200  # characters of parameters or results that are shown


def games_table(games: Mapping[str, Any], sizes: dict[str, tuple[int | None, int | None]]) -> Table:
    table = columns(["game", "what it is, its size, parameters=defaults (what is valid)"])
    for name, cls in games.items():
        (infosets, ends), players = sizes[name], cls().shape().players
        counted = f"{infosets:,} information sets, {ends:,} ends" if ends is not None else "too large to be counted"
        parameters = [f"  {field}={brief(cls._field_defaults[field])} ({rule})" for field, rule in rules(cls)]
        table.add_row(name, Text("\n".join([about(cls), f"{players} players, {counted}", *parameters])))
    return table


def names_table(what: str, rows: Iterable[tuple[str, str]]) -> Table:
    """Names, each with what it stands for."""
    return columns([what, "what it is"], rows=(map(Text, row) for row in rows))


def parameters_table(game: Any) -> Table:
    table = columns(["parameter", "here", "default", "valid"])
    for field, rule in rules(type(game)):
        default = brief(game._field_defaults[field]) if field in game._field_defaults else "none"
        table.add_row(*map(Text, (field, brief(getattr(game, field)), default, rule)))
    return table


def rules(cls: Any) -> list[tuple[str, str]]:
    """Each parameter with the values that it accepts, in words. A class without `@accepts` lists the fields that can be
    given as text."""
    if rules := getattr(cls, "accepts", None):
        return [(field, valid(rules[field])) for field in cls._fields]
    hints = typing.get_type_hints(cls)
    return [(field, valid(hints[field])) for field in cls._fields if hints[field] in (bool, int, float)]


def runs_table(stored: Sequence[Any]) -> Table:
    """The runs in a store."""
    table = columns(["id", "run", "parameters", "began"], ["pieces", "work"])
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
    table = columns(["piece", "result"], ["seconds"])
    for piece, result, seconds in pieces:
        told = pairs(result, LONG) if isinstance(result, dict) else json.dumps(result)
        table.add_row(Text(pairs(piece, LONG)), Text(told), f"{seconds:.3g}")
    return table


def papers_table(papers: Sequence[Any]) -> Table:
    """The papers and their parts."""
    rows = [(paper.name, paper.title, " ".join(paper.parts)) for paper in papers]
    return columns(["paper", "title", "parts"], rows=rows)


def sections_table(sections: Sequence[Any]) -> Table:
    """How many printed numbers of each part agree, how many differ and how many cannot be judged, and the one that
    differs most."""
    table = columns(["part", "agree", "differ", "cannot tell", "new", "farthest apart"])
    for section in sections:
        verdicts = [claim.verdict() for claim in section.claims]
        apart = [claim for claim in section.claims if claim.verdict() == "differs"]
        worst = max(apart, key=lambda claim: claim.excess, default=None)
        words = f"{worst.what}: printed {worst.printed:g}, ours {worst.ours:.4g}" if worst else ""
        counts = [str(verdicts.count(word)) for word in ("agrees", "differs", "cannot tell", "new")]
        table.add_row(section.name, *counts, Text(words))
    return table
