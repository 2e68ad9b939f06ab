"""Play and Watch: choosing a match, playing it, and walking through it."""

import random
import secrets
import urllib.parse
from typing import Any

import numpy as np
from starlette.requests import Request

from ..draw.board import picture
from ..errors import Invalid
from ..game import CHANCE, OVER, legal, new_state, sides
from .desk import Desk, Form, one, whole
from .html import Safe, bars, button, esc, field, form, join, page, select, table, tag, text_input, void
from .offer import about, rule_book
from .workers import Job

SEEDS = 10**6
SPEEDS = ((2000, "slow"), (800, "medium"), (250, "fast"))  # milliseconds a move
GLANCE = 7  # moves before the picture of a card


# --- choosing ---


async def home(desk: Desk, request: Request) -> str:
    """The first page: all games, and what else there is."""
    lead = tag(
        "p",
        "Games with hidden information: play them against a search and then see what it believed. Choose a game.",
        class_="lead",
    )
    return page("Play", join([lead, cards(desk, "/play"), _open_matches(desk)]), at="/play", token=desk.token)


def cards(desk: Desk, address: str) -> Safe:
    """All games, each with a small picture, as links to a form."""
    made = []
    for name in desk.offer.game_names():
        drawn, words = _shown(desk, name)
        link = f"{address}?game={urllib.parse.quote(name)}"
        made.append(
            tag(
                "li",
                tag(
                    "a",
                    tag("span", Safe(drawn), aria_hidden="true"),
                    tag("strong", name),
                    tag("span", words),
                    href=link,
                ),
            )
        )
    return tag("ul", *made, class_="cards")


_known: dict[str, tuple[str, str]] = {}  # a picture of each game and a sentence, drawn once


def _shown(desk: Desk, name: str) -> tuple[str, str]:
    text = desk.offer.games.get(name, name)
    if text not in _known:
        game = desk.offer.game(name)
        with np.errstate(over="ignore"):
            _known[text] = picture(game, _glance(game)), about(game)
    return _known[text]


def _glance(game: Any) -> np.ndarray:
    """A position after a few moves that a seed draws."""
    state, draw = new_state(game), random.Random(len(game.shape()))
    for _ in range(min(GLANCE, game.shape().moves)):
        actions = legal(game, state)
        after = state.copy()
        if actions:
            game.step(after, draw.choice(actions))
        if not actions or game.player(after) == OVER:
            break
        state = after
    return state


def _open_matches(desk: Desk) -> Safe:
    """Matches that can be gone on with or ended."""
    rows = []
    for job in desk.workers.living("match"):
        link = tag("a", job.spec["title"], href=f"/match/{job.id}")
        end = form(
            f"/match/{job.id}/end", desk.token, button("End", class_="small", aria_label=f"End {job.spec['title']}")
        )
        rows.append([link, STATUS.get(job.facts.get("status", ""), ""), end])
    if not rows:
        return Safe("")
    most = desk.workers.caps.matches
    return tag(
        "section", tag("h2", "Open matches"), table(["match", "state", ""], rows), tag("p", f"At most {most} at once.")
    )


async def choose(desk: Desk, request: Request) -> str:
    """The form of a new match against agents."""
    given = dict(request.query_params)
    if not given.get("game"):
        return await home(desk, request)
    game = desk.offer.game(given["game"])
    players = game.shape().players
    seats = select("seat", [(who, f"player {who}") for who in range(players)], given.get("seat", 0))
    fields = [
        void("input", type="hidden", name="game", value=given["game"]),
        desk.parameter_fields(game, given),
        tag("fieldset", tag("legend", "You"), field("Your seat", seats, "Player 0 moves first in most games.")),
        desk.agent_fields("against", "Your opponent" if players == 2 else "Your opponents", given, _default(game)),
    ]
    if len(set(sides(game))) < players:
        fields.append(desk.agent_fields("partner", "Your partner", given, _default(game)))
    if game.shape().open:
        words = "the game's notation, as a link to a position gives it; empty is the start"
        fields.append(field("Begin at", text_input("from", given.get("from", ""), size=40), words))
    body = form("/play", desk.token, *fields, button("Start the match"), class_="choose")
    return page(
        f"Play {given['game']}",
        tag("div", body, _about_game(game), class_="beside-form"),
        at="/play",
        token=desk.token,
        narrow=True,
    )


def _default(game: Any) -> str:
    return "uct" if game.shape().open else "rm"


def _about_game(game: Any) -> Safe:
    """The rules, and the first position."""
    shown = tag("figure", Safe(picture(game, new_state(game))), tag("figcaption", "The first position"), class_="board")
    return tag("aside", shown, tag("details", tag("summary", "The rules"), tag("pre", rule_book(type(game)))))


async def start(desk: Desk, request: Request, given: Form) -> str:
    """A new match of a person."""
    chosen = desk.game_choice(given)
    game = desk.offer.game(*chosen)
    side = sides(game)
    seat = whole(given, "seat", 0, most=len(side) - 1)
    agents = {True: desk.agent_choice(given, "against")}
    agents[False] = desk.agent_choice(given, "partner") if "agent-partner" in given else agents[True]
    seats = [None if who == seat else list(agents[side[who] != side[seat]]) for who in range(len(side))]
    title = f"{_text(chosen)} against {agents[True].name}"
    link = _link("/play", given, ("seat",))
    return await _begin(desk, chosen, seats, secrets.randbelow(SEEDS), one(given, "from"), title, link)


async def choose_watch(desk: Desk, request: Request) -> str:
    """The form of a match between agents."""
    given = dict(request.query_params)
    if not given.get("game"):
        lead = tag("p", "Let agents play, and see what each of them sees and believes. Choose a game.", class_="lead")
        body = join([lead, cards(desk, "/watch"), _open_matches(desk)])
        return page("Watch", body, at="/watch", token=desk.token)
    game = desk.offer.game(given["game"])
    agents = [
        desk.agent_fields(who, f"Player {who}", given, _default(game) if who == 0 else "random")
        for who in range(game.shape().players)
    ]
    seed = field(
        "Seed",
        text_input("seed", given.get("seed", ""), inputmode="numeric"),
        "the same seed plays the same match; empty draws one",
    )
    hidden = void("input", type="hidden", name="game", value=given["game"])
    body = form(
        "/watch",
        desk.token,
        hidden,
        desk.parameter_fields(game, given),
        *agents,
        seed,
        button("Start the match"),
        class_="choose",
    )
    return page(
        f"Watch {given['game']}",
        tag("div", body, _about_game(game), class_="beside-form"),
        at="/watch",
        token=desk.token,
        narrow=True,
    )


async def start_watch(desk: Desk, request: Request, given: Form) -> str:
    """A new match between agents."""
    chosen = desk.game_choice(given)
    players = desk.offer.game(*chosen).shape().players
    agents = [desk.agent_choice(given, who) for who in range(players)]
    seed = whole(given, "seed", secrets.randbelow(SEEDS), most=2**62)
    title = f"{_text(chosen)}: {' against '.join(agent.name for agent in agents)}"
    link = _link("/watch", given | {"seed": [str(seed)]}, ("seed",))
    return await _begin(desk, chosen, [list(agent) for agent in agents], seed, "", title, link)


async def _begin(desk: Desk, game: list[str], seats: list[Any], seed: int, where: str, title: str, link: str) -> str:
    spec = desk.spec(game=game, seats=seats, seed=seed, start=where)
    job = await desk.workers.start("match", spec)
    job.spec |= {"title": title, "link": link, "game": game, "seats": seats}
    return f"/match/{job.id}"


def _text(chosen: list[str]) -> str:
    return f"{chosen[0]}:{chosen[1]}" if chosen[1] else chosen[0]


def _link(address: str, given: Form, more: tuple[str, ...]) -> str:
    """The address of the same form, filled in."""
    kept = ("game", "p-", "agent-", "parameters-", "iterations-", *more)
    pairs = {key: values[0] for key, values in given.items() if key.startswith(kept) and values[0]}
    return f"{address}?{urllib.parse.urlencode(pairs)}"


# --- a match ---

STATUS = {"yours": "Your move.", "waiting": "The others are thinking.", "over": "The game is over."}


async def show(desk: Desk, request: Request) -> str:
    """The page of a match."""
    job = desk.workers.find(request.path_params["id"], "match")
    if not job.facts:
        await job.changed(0, 5.0)
    now = parts(desk, job)["parts"]
    at = request.query_params.get("step", "")
    step = int(at) if at.isascii() and at.isdecimal() else None
    shown = await _step_html(desk, job, step) if step is not None and job.facts.get("open") else Safe("")
    watching = None not in job.spec["seats"]
    mine = [
        tag("section", now["board"], id="board", class_="board", aria_label="Board"),
        tag(
            "div",
            tag("section", now["moves"], id="moves", aria_label="Your moves"),
            tag("section", now["log"], id="log", aria_label="Log"),
            class_="beside",
        ),
    ]
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite"),
        tag("div", now["busy"], id="busy"),
        None if watching else tag("div", *mine, class_="table"),
        tag("section", now["result"], id="result", aria_label="Result"),
        tag(
            "section",
            tag("div", now["reveal"], id="reveal"),
            _reel(job, shown),
            id="review",
            aria_label="Walk through the match",
        ),
        tag("section", now["links"], id="links", aria_label="Links"),
    ]
    address = "/watch" if watching else "/play"
    return page(job.spec["title"], join(body), at=address, token=desk.token, live=f"/match/{job.id}/events")


def _reel(job: Job, shown: Safe) -> Safe:
    """The controls to walk through a match. They show when there is something to see."""
    words = [("first", "First"), ("back", "Back"), ("run", "Play"), ("next", "Next"), ("last", "Last")]
    buttons = [button(text, type="button", data_reel=name) for name, text in words]
    slider = void("input", type="range", min=0, max=0, value=0, id="reel-at", aria_label="Move")
    speed = tag("label", "Speed ", select("speed", SPEEDS, 800, id="reel-speed"))
    controls = tag("div", *buttons, slider, speed, class_="controls", role="group", aria_label="Walk through the match")
    open_ = bool(job.facts.get("open"))
    facts = {"data_match": job.id, "data_watch": "no" if None in job.spec["seats"] else "yes"}
    return tag("div", controls, tag("div", shown, id="step", aria_live="polite"), id="reel", hidden=not open_, **facts)


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    """The parts of a match's page that change, and what its script must know."""
    facts = job.facts
    status = job.ended or STATUS.get(facts.get("status", ""), "The match is being set up.")
    thinking = facts.get("status", "waiting") == "waiting" and not job.ended
    shown = {
        "status": esc(status),
        "busy": tag("progress", aria_label="Thinking") if thinking else Safe(""),
        "board": Safe(facts.get("board", "")),
        "moves": _moves(desk, job),
        "log": _log(facts),
        "result": _result(job),
        "reveal": _reveal(desk, job),
        "links": _links(desk, job),
    }
    known = {"steps": facts.get("steps", 0), "open": bool(facts.get("open")), "over": facts.get("status") == "over"}
    return {"parts": shown, "facts": known}


def _moves(desk: Desk, job: Job) -> Safe:
    """The legal moves as buttons, and a line to type one."""
    facts = job.facts
    head = tag("h2", "Your moves")
    if facts.get("status") != "yours" or job.ended:
        return join([head, tag("p", "None at the moment.", class_="faint")])
    turn = void("input", type="hidden", name="turn", value=facts["turn"])
    buttons = [button(name, name="action", value=action) for action, name in facts["actions"]]
    chosen = form(
        f"/match/{job.id}/move",
        desk.token,
        turn,
        *buttons,
        class_="actions",
        data_fetch=True,
        role="group",
        aria_label="Moves",
    )
    typed = form(
        f"/match/{job.id}/move",
        desk.token,
        turn,
        tag("label", "Or type a move: ", text_input("text", size=10, spellcheck="false")),
        button("Play it", class_="small"),
        class_="typed",
        data_fetch=True,
    )
    undo = None
    if facts.get("undo"):
        undo = form(f"/match/{job.id}/undo", desk.token, turn, button("Take back", class_="small"), data_fetch=True)
    return join([head, chosen, typed, undo])


def _log(facts: dict[str, Any]) -> Safe:
    lines = []
    for entry in facts.get("log", ()):
        who = "You" if entry["who"] == facts.get("me") else _who(entry["who"])
        saw = tag("details", tag("summary", "what you saw then"), tag("pre", entry["saw"])) if entry["saw"] else None
        lines.append(tag("li", f"{who}: ", tag("strong", entry["said"]), saw))
    seen = tag("details", tag("summary", "What you see, as text"), tag("pre", facts.get("text", "")))
    return join([tag("h2", "Log"), tag("ol", *lines), seen])


def _who(player: int, me: int | None = None) -> str:
    if player == CHANCE:
        return "Chance"
    return "You" if player == me else f"Player {player}"


def _result(job: Job) -> Safe:
    """How the match ended."""
    facts = job.facts
    if facts.get("status") != "over":
        return Safe("")
    me = facts.get("me")
    rows = [[_who(who, me), f"{payoff:+g}"] for who, payoff in enumerate(facts["payoffs"])]
    forfeit = facts.get("forfeit")
    why = tag("p", f"{_who(forfeit[0], me)} forfeits: {forfeit[1]}.") if forfeit else None
    moves = ", ".join(f"{_who(who, me)}: {name}" for who, name in facts["moves"])
    told = tag("details", tag("summary", f"All {len(facts['moves'])} moves"), tag("p", moves))
    return join([tag("h2", "Result"), why, table(["player", "payoff"], rows, "Payoffs"), told])


def _reveal(desk: Desk, job: Job) -> Safe:
    """The switch that reveals the match before its end; afterwards the heading of the walk."""
    if job.facts.get("open"):
        return tag("h2", "Move by move")
    if job.ended or job.facts.get("status") not in ("yours", "waiting"):
        return Safe("")
    warning = (
        "This shows you the hidden board and what the others believe. The match goes on, but it is no longer fair."
    )
    return form(
        f"/match/{job.id}/reveal",
        desk.token,
        tag("p", warning),
        button("Reveal everything now", class_="small"),
        data_fetch=True,
    )


def _links(desk: Desk, job: Job) -> Safe:
    """Where to go from here."""
    facts, made = job.facts, [tag("a", "The same again", href=job.spec["link"])]
    if where := facts.get("where"):
        name, parameters = job.spec["game"]
        query = urllib.parse.urlencode({"game": name, "from": where})
        if facts.get("openly") and not parameters:
            made.append(tag("a", "A link to this position", href=f"/play?{query}"))
        made.append(tag("span", "Position: ", tag("code", where)))
    if facts.get("status") == "over":
        made.append(tag("span", f"Seed {facts['seed']}"))
    if not job.ended:
        made.append(form(f"/match/{job.id}/end", desk.token, button("End the match", class_="small")))
    return tag("div", *made, class_="links")


async def act(desk: Desk, request: Request, given: Form) -> Any:
    """A move, a move taken back, the switch that reveals, or the end."""
    job = desk.workers.find(request.path_params["id"], "match")
    what, since = request.path_params["what"], job.version
    if what == "move":
        action = whole(given, "action", 0, least=-(2**62), most=2**62) if one(given, "action") else None
        if action is None and not one(given, "text"):
            raise Invalid("type a move, or choose one from the list")
        await job.ask("move", turn=whole(given, "turn", 0), action=action, text=one(given, "text"))
    elif what == "undo":
        await job.ask("undo", turn=whole(given, "turn", 0))
    elif what == "reveal":
        await job.ask("reveal")
    elif what == "end":
        job.end("You ended this match.")
        del desk.workers.jobs[job.id]
        return "/watch" if None not in job.spec["seats"] else "/play"
    else:
        raise LookupError("There is no such page.")
    return job, f"/match/{job.id}", parts, since


# --- walking through it ---


async def step(desk: Desk, request: Request) -> str:
    """One position, for the script of the page."""
    job = desk.workers.find(request.path_params["id"], "match")
    return await _step_html(desk, job, request.path_params["step"])


async def _step_html(desk: Desk, job: Job, number: int) -> Safe:
    facts = await job.ask("step", step=number)
    me = job.facts.get("me")
    if facts["over"]:
        words = "The game is over."
    elif "move" in facts:
        words = f"{_who(facts['mover'], me)} {'play' if facts['mover'] == me else 'plays'} {facts['move']}."
    else:
        words = f"{_who(facts['mover'], me)} {'are' if facts['mover'] == me else 'is'} to move."
    views = [
        tag("figure", Safe(drawn), tag("figcaption", f"{_who(who, me)} {'see' if who == me else 'sees'}"))
        for who, drawn in enumerate(facts["pictures"])
    ]
    whole_view = tag("figure", Safe(facts["referee"]), tag("figcaption", "The referee sees"))
    shown = [whole_view] if facts["open"] else [*views, whole_view]
    head = tag("h3", f"After {number} of {facts['steps']} moves: {words}")
    thought = _thought(job, facts, me) if facts.get("thought") else None
    return tag("article", head, tag("div", *shown, class_="views"), thought)


def _thought(job: Job, facts: dict[str, Any], me: int | None) -> Safe:
    """What the mover believed, and how they mixed."""
    thought, who = facts["thought"], _who(facts["mover"], me)
    made: list[Any] = []
    if thought.get("likely"):
        made.append(_belief(thought, who))
    if thought.get("mix"):
        searched = f" after {thought['iterations']:,} iterations" if thought.get("iterations") else ""
        made.append(
            tag("section", tag("h4", f"How {_low(who)} mixed{searched}"), bars(thought["mix"], facts.get("move")))
        )
    if "move" in facts:
        load = button("What was each action worth?", type="button", data_load=f"/match/{job.id}/worth/{facts['step']}")
        made.append(tag("section", load, class_="worth"))
    return tag("div", *made, class_="thought")


def _low(who: str) -> str:
    return who[:1].lower() + who[1:]


def _belief(thought: dict[str, Any], who: str) -> Safe:
    """The heat map and the likely positions."""
    if thought["states"] is None:
        words = f"{thought['sampled']:,} imagined states that {_low(who)} could not tell from the true one"
    else:
        sampled = f" (a sample of {thought['sampled']:,} is shown)" if thought["sampled"] < thought["states"] else ""
        words = f"{thought['states']:,} possible states{sampled}"
    made: list[Any] = [tag("h4", f"What {_low(who)} believed: {words}")]
    if thought.get("heat"):
        caption = "Share of these states with a piece there"
        told = tag("ul", *(tag("li", place) for place in thought["heat"]["places"]), class_="unseen")
        made.append(tag("figure", Safe(thought["heat"]["picture"]), tag("figcaption", caption), told, class_="heatmap"))
    small = [tag("figure", Safe(one["picture"]), tag("figcaption", f"{one['share']:.1%}")) for one in thought["likely"]]
    made.append(tag("div", *small, class_="likely", role="group", aria_label="The most likely positions"))
    return tag("section", *made, class_="belief")


async def worth(desk: Desk, request: Request) -> str:
    """What each action of a step was worth."""
    job = desk.workers.find(request.path_params["id"], "match")
    found = await job.ask("worth", step=request.path_params["step"])
    if "why" in found:
        return tag("p", found["why"])
    rows = [[name, f"{value:+.4f}"] for name, value in sorted(found["worth"].items(), key=lambda pair: -pair[1])]
    words = "Worth of each action against an equilibrium, with the best play after it"
    return table(["action", "worth"], rows, words)
