"""The walk through a match: the position as it was, what its mover believed and meant, and what others saw."""

from typing import Any

from starlette.requests import Request

from ..draw.heat import percent
from ..game import CHANCE
from .desk import Desk
from .html import Safe, button, table, tag
from .telling import does
from .workers import Job

BEST = 5  # moves of a search that are listed; the others are folded away
POINTED = 'class="best"'  # in a picture, a move that is pointed out


async def step(desk: Desk, request: Request) -> str:
    """One position, for the script of the page."""
    return await step_html(desk.workers.find(request.path_params["id"], "match"), request.path_params["step"])


async def step_html(job: Job, number: int) -> Safe:
    facts = await job.ask("step", step=number)
    known, mover, thought = job.facts, facts["mover"], facts.get("thought") or {}
    if facts["over"]:
        words = "The game is over."
    elif "move" in facts:
        words = f"{does(known, mover, 'play', 'plays')} {facts['move']}."
    else:
        words = f"{does(known, mover, 'are', 'is')} to move."
    head = tag("h3", f"After {number} of {facts['steps']} moves: {words}")
    caption = "The position" if facts["open"] else "The truth"
    if thought.get("mix") and not thought.get("even") and POINTED in facts["referee"]:
        caption += f"; arrows and rings are what {_mid(known, mover)} thought best"
    shown = [tag("figure", Safe(facts["referee"]), tag("figcaption", caption))]
    if thought.get("heat"):
        shown.append(_heat(known, mover, thought))
    made: list[Any] = [head, tag("div", *shown, class_="views")]
    if thought.get("mix"):
        made.append(_best(known, mover, thought, facts.get("move")))
    if thought.get("likely"):
        made.append(_likely(known, mover, thought))
    if not facts["open"]:
        views = {does(known, who, "see", "sees"): drawn for who, drawn in enumerate(facts["pictures"])}
        saw = [tag("figure", Safe(drawn), tag("figcaption", words)) for words, drawn in views.items()]
        made.append(tag("details", tag("summary", "What each player sees here"), tag("div", *saw, class_="views")))
    if facts.get("solvable"):
        ask = button("What was each action worth?", type="button", data_load=f"{job.address}/worth/{number}")
        made.append(tag("section", ask, class_="worth"))
    return tag("article", *made)


def _mid(known: dict[str, Any], player: int) -> str:
    """A player inside a sentence."""
    return "you" if player == known.get("me") else known["names"][player] if player != CHANCE else "chance"


def _heat(known: dict[str, Any], mover: int, thought: dict[str, Any]) -> Safe:
    """The map of a belief, and what it says."""
    heat, me, players = thought["heat"], known.get("me"), len(known["names"])
    whose = "the others'"
    if players == 2:
        other = 1 - mover
        whose = "your" if other == me else f"{_mid(known, other)}'s"
    asks = "What" if heat["pieces"] in ("cards", "dice") else "Where"
    thinks = "could think" if mover == me else "thought"
    title = f"{asks} {_mid(known, mover)} {thinks} {whose} {heat['pieces']} were"
    how = "each counted by its weight" if thought.get("weighted") else "each counted the same"
    if thought.get("resolved"):
        how = "as likely as the search took them to be"
    told = tag("ul", *(tag("li", row) for row in heat["rows"]), class_="unseen")
    caption = tag("figcaption", tag("strong", title), tag("small", f"{_states(thought)}, {how}"))
    return tag("figure", Safe(heat["picture"]), caption, told, class_="heatmap")


def _states(thought: dict[str, Any]) -> str:
    if thought["states"] is None:
        return f"{thought['sampled']:,} imagined states that look the same"
    words = "1 possible state" if thought["states"] == 1 else f"{thought['states']:,} possible states"
    if thought.get("resolved") and thought.get("fitting", 0) > thought["states"]:
        words += f" that it thought about, of {thought['fitting']:,} that fit"
    if thought["sampled"] < thought["states"]:
        words += f", of which a sample of {thought['sampled']:,} is shown"
    return words


def _best(known: dict[str, Any], mover: int, thought: dict[str, Any], played: str | None) -> Safe:
    """The moves that the mover meant, the best ones first."""
    made, who = thought.get("iterations"), _mid(known, mover)
    if thought.get("even"):
        return tag(
            "p", f"{does(known, mover, 'play', 'plays')} each of {len(thought['mix'])} moves equally often here."
        )
    searched = f" after {made:,} iterations" if made else ""
    rows, valued = thought["mix"], any(row[2] is not None for row in thought["mix"])
    before = thought.get("before") or {}
    shown = [_rows(rows[:BEST], played, valued, made or 0, 1, before)]
    if len(rows) > BEST:
        rest = _rows(rows[BEST:], played, valued, made or 0, BEST + 1, before)
        shown.append(tag("details", tag("summary", f"{len(rows) - BEST} more"), rest))
    return tag("section", tag("h4", f"How {who} mixed{searched}"), *shown, class_="meant")


def _rows(rows: list[Any], played: str | None, valued: bool, made: int, first: int, before: dict[str, float]) -> Safe:
    """Moves as a table: the share as a bar, what the search found before where that was changed, and visits and value where
    a search has kept them."""
    lines = []
    for rank, (name, share, value) in enumerate(rows, first):
        words = tag("strong", name, " (played)") if name == played else name
        cells = [tag("td", rank), tag("th", words, scope="row")]
        if before:
            cells += [tag("td", _bar(before.get(name, 0.0))), _number(f"{before.get(name, 0.0):.1%}")]
        cells += [tag("td", _bar(share)), _number(f"{share:.1%}")]
        if valued:
            cells += [_number("" if value is None else f"{value:+.2f}"), _number(f"{share * made:,.0f}")]
        lines.append(tag("tr", *cells))
    shares = ["", "found", "", "to be played"] if before else ["", "share"]
    heads = ["", "move", *shares, *(["value", "visits"] if valued else [])]
    head = tag("tr", *(tag("th", words, scope="col") for words in heads))
    return tag("table", tag("thead", head), tag("tbody", *lines), class_="bars best")


def _bar(share: float) -> Safe:
    return Safe(
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="100" height="10" class="bar-ground"/>'
        f'<rect width="{100 * share:.1f}" height="10" class="bar-share"/></svg>'
    )


def _number(words: str) -> Safe:
    return tag("td", words, class_="number")


def _likely(known: dict[str, Any], mover: int, thought: dict[str, Any]) -> Safe:
    """The likeliest positions, drawn small."""
    small = [tag("figure", Safe(one["picture"]), tag("figcaption", percent(one["share"]))) for one in thought["likely"]]
    head = tag("summary", f"The likeliest positions for {_mid(known, mover)}: {_states(thought)}")
    return tag("details", head, tag("div", *small, class_="likely", role="group", aria_label="The likeliest positions"))


async def worth(desk: Desk, request: Request) -> str:
    """What each action of a step was worth."""
    job = desk.workers.find(request.path_params["id"], "match")
    found = await job.ask("worth", step=request.path_params["step"])
    if "why" in found:
        return tag("p", found["why"])
    if "phase" in found:  # the script of the page asks again
        again = {"data_load": f"{job.address}/worth/{request.path_params['step']}", "data_again": True}
        bar = tag("progress", aria_label="Solving the game")
        return tag("p", bar, f" Now: {found['phase']}. ", button("Ask again", type="button", class_="small", **again))
    rows = [[name, f"{value:+.4f}"] for name, value in sorted(found["worth"].items(), key=lambda pair: -pair[1])]
    return table(["action", "worth"], rows, "Worth against an equilibrium, with the best play after it")


# --- addresses ---

PARTS = {"step/{step:int}": step, "worth/{step:int}": worth}  # of a match
