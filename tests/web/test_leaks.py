"""Nothing hidden is sent: two matches that look the same to the person, with other states behind them, send the same bytes.

The pairs are found by the rules alone: a course of moves is drawn, what others did or chance dealt in it is changed, and the
person's view, both now and after one more round of moves, must not change by it.
"""

import functools
import json
import queue
import random
import re
import threading
import time
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpx
import numpy as np
import pytest

import fogtree
from fogtree.arena.agents import load_agent
from fogtree.arena.referee import play
from fogtree.arena.sight import Resigned, sight
from fogtree.game import OVER, legal, new_state
from fogtree.games import GAMES
from fogtree.text.naming import load
from fogtree.text.notation import Course, from_notation, notation
from fogtree.web import pages_choose, pages_play
from fogtree.web.desk import Desk
from fogtree.web.matches import MatchJob
from fogtree.web.offer import Offer
from fogtree.web.workers import Caps, Workers
from waiting import wait_until

HIDDEN = [name for name, game in GAMES.items() if not game().shape().open] + ["goofspiel:hidden=False"]
OVER_THE_NETWORK = ["kuhn", "siguo", "luzhanqi"]  # among the quick tests
TRIES = 400  # courses


# --- two matches that look the same ---


class Twins(NamedTuple):
    """Where two matches begin, and the seed and the person's first move in both, None where a move shows what differs."""

    game: Any
    starts: tuple[str, str]
    seed: int
    action: int | None
    again: bool  # whether the person moves a second time


class Witness:
    """The person's seat while pairs are looked for: it makes one move, and writes down what it could tell apart."""

    def __init__(self, action):
        self.action, self.views = action, []

    def act(self, sight):
        self.views.append(int(sight.view))
        if len(self.views) > 1:
            raise Resigned
        return self.action


@functools.cache
def twins(name):
    game = load(name)
    me = game.shape().players - 1
    draw = random.Random(name)
    found = None
    with np.errstate(over="ignore"):
        for seed in range(TRIES):
            moves = to_the_person(game, me, draw)
            other = moves and changed(game, me, moves, draw)
            if not other:
                continue
            starts = tuple(notation(game, Course(state_after(game, each), tuple(each))) for each in (moves, other))
            states = [from_notation(game, start).state for start in starts]
            views = [int(game.view(state, me)) for state in states]
            if views[0] != views[1] or (states[0] == states[1]).all():
                continue
            action = draw.choice(legal(game, states[0]))
            first, second = (seen_after(game, me, start, action, seed) for start in starts)
            if first == second and (found is None or found.action is None or len(first) > 1):
                found = Twins(game, starts, seed, action, len(first) > 1)
                if found.again:
                    return found
            found = found or Twins(game, starts, seed, None, False)
    assert found, f"no two courses of {name} look the same"
    return found


def to_the_person(game, me, draw):
    """A course of random moves up to one of the person's own, as (player, action) pairs; or None if it ends before."""
    state, moves, own = new_state(game), [], draw.randrange(2)
    while (player := int(game.player(state))) != me or own:
        if player == OVER:
            return None
        own -= player == me
        moves.append((player, draw.choice(legal(game, state))))
        game.step(state, moves[-1][1])
    return moves


def changed(game, me, moves, draw):
    """The same course with another move of somebody else, or with two of them exchanged; None if that is not possible."""
    others = [number for number, (player, _) in enumerate(moves) if player != me]
    if not others:
        return None
    made, one = list(moves), draw.choice(others)
    if draw.random() < 0.5:
        two = draw.choice(others)
        made[one], made[two] = (made[one][0], made[two][1]), (made[two][0], made[one][1])
    else:
        before = state_after(game, moves[:one])
        made[one] = (moves[one][0], draw.choice(legal(game, before)))
    return made if made != moves and state_after(game, made) is not None else None


def state_after(game, moves):
    """The state after moves, or None if they cannot be made."""
    state = new_state(game)
    for player, action in moves:
        if game.player(state) != player or action not in legal(game, state):
            return None
        game.step(state, action)
    return state


def seen_after(game, me, start, action, seed):
    """What the person sees at their next two decisions, the first of which is given."""
    seats = [load_agent("random", seed, 1, player) for player in range(me)]
    witness = Witness(action)
    play(game, [*seats, witness], seed=seed, start=from_notation(game, start))
    return witness.views


def chosen(name):
    """The name of a game and its parameters."""
    return [*name.partition(":")[::2]]


# --- all that a worker tells, and all that the server makes of it ---


def told(name, seats, seed, start, action):
    """All messages of a match's page up to the person's second decision: what the worker told, and the bytes made of it."""
    facts, messages, turns = {}, [], queue.Queue()
    desk = Desk(Offer(), Workers(Caps()), "token", "", ())
    more = {"view": "/play", "link": "/play", "again": {}, "lot": False, "record": []}
    job = SimpleNamespace(facts=facts, ended="", address="/match/ID", id="ID", more=more)

    def tell(**news):
        facts.update(news)
        messages.append(json.dumps([news, pages_play.parts(desk, job)]))
        if news.get("status") == "yours" or news.get("finished"):
            turns.put(news.get("turn"))

    made = MatchJob(tell, Offer(), game=chosen(name), seats=seats, seed=seed, start=start)
    threading.Thread(target=made.run, daemon=True).start()  # it waits for a second move that never comes
    turn = turns.get(timeout=60)
    if action is not None:
        made.ask_move(turn, action)
        turns.get(timeout=60)
    return [message for message in messages if '"finished"' not in message]


@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_page_is_told_does_not_depend_on_what_is_hidden(name):
    pair = twins(name)
    seats = [["random"] for _ in range(pair.game.shape().players - 1)] + [None]
    first, second = (told(name, seats, pair.seed, start, pair.action) for start in pair.starts)
    assert first == second
    least = 4 if pair.again else 2 if pair.action is None else 3
    assert len(first) >= least  # it begins, it is one's move, one has moved, it is one's move again


# --- all that a browser gets ---


def listen(site, address, heard):
    """Read the stream of a match until it ends."""
    with httpx.stream("GET", f"{site.address}{address}/events", timeout=60) as answer:
        for line in answer.iter_lines():
            if line.startswith("data:"):
                heard.append(line)


def all_traffic(site, fields, seed, moves, monkeypatch):
    """All that the browser gets of a match before its end, pages and stream: what is said when one is to move, and what else.
    The name of the match, which is random, is left out."""
    monkeypatch.setattr(pages_choose.secrets, "randbelow", lambda most: seed)
    address = site.start(**fields)
    streamed = []
    site.until(address, 'name="action"')
    site.heard = [site.heard[-1]]  # before, the match was being set up
    reader = threading.Thread(target=listen, args=(site, address, streamed))
    reader.start()
    wait_until(lambda: streamed)
    for move in moves:
        turn, _ = site.actions(site.heard[-1])
        site.post(f"{address}/move", turn=turn, action=move)
        site.until(address, f'name="turn" value="{int(turn) + 1}"')
        site.heard = [text for text in site.heard if "<main" in text]
    time.sleep(0.6)  # for what a leaking page would still send
    said = {text.replace(address.rsplit("/", 1)[1], "ID") for text in [*site.heard, *streamed]}
    site.post(f"{address}/end")
    reader.join()
    return {text for text in said if "Your move." in text}, {text for text in said if "Your move." not in text}


def same_bytes(site, name, monkeypatch):
    """Play both of a pair in full and compare; returns what was said at the person's own moves."""
    pair = twins(name)
    game, parameters = chosen(name)
    typed = dict(part.split("=") for part in parameters.split(",") if part)
    fields = {"game": game, **{f"p-{key}": value for key, value in typed.items()}}
    fields |= {"agent-against": "random", "agent-partner": "random"}
    fields["seat"] = str(pair.game.shape().players - 1)
    moves = [pair.action] if pair.again else []
    yours, waiting = zip(
        *(all_traffic(site, fields | {"from": start}, pair.seed, moves, monkeypatch) for start in pair.starts),
        strict=True,
    )
    assert yours[0] == yours[1]
    streamed = {text for text in waiting[0] | waiting[1] if text.startswith("data:")}
    assert len(streamed) <= 1 and len((waiting[0] | waiting[1]) - streamed) <= 1  # it may be too short to be seen
    return yours[0]


@pytest.mark.parametrize("name", OVER_THE_NETWORK)
def test_what_a_browser_gets_does_not_depend_on_what_is_hidden(site, name, monkeypatch):
    assert same_bytes(site, name, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in HIDDEN if name not in OVER_THE_NETWORK])
def test_what_a_browser_gets_in_the_other_games_does_not_depend_on_what_is_hidden(site, name, monkeypatch):
    assert same_bytes(site, name, monkeypatch)


def test_what_a_browser_gets_in_phantom_tic_tac_toe_does_not_depend_on_how_often_the_other_tried(site, monkeypatch):
    fields = {"game": "phantom-ttt", "agent-against": "random", "seat": "0"}
    seeds = one_try_and_two()
    yours, waiting = zip(*(all_traffic(site, fields, seed, ["0"], monkeypatch) for seed in seeds), strict=True)
    assert yours[0] == yours[1] and not any("Take back" in text for text in yours[0])
    assert len({board(text) for text in waiting[0] | waiting[1]}) <= 1  # it may be too short to be seen


def board(text):
    """The picture in a page or in a message."""
    return re.sub(r"\\n|\n|\\", "", text.partition("<svg")[2].partition("</svg>")[0])


def test_a_worker_does_not_even_tell_how_often_the_others_have_tried():
    once, twice = (told("phantom-ttt", [None, ["random"]], seed, "", 0) for seed in one_try_and_two())
    assert once == twice


@functools.cache
def one_try_and_two():
    """Seeds of Phantom Tic-Tac-Toe: after a mark at 0, the other marks a free place at once, or tries 0 before."""
    found = {}
    for seed in range(30):
        position, tries, agent = fogtree.at("phantom-ttt").play("0"), 0, fogtree.load_agent("random", seed, 1, 1)
        while position.player == 1:
            position, tries = position.play(agent.act(sight(position.game, position.state, position.player))), tries + 1
        found.setdefault(tries, (seed, str(position)))
    assert found[1][1] != found[2][1]
    return found[1][0], found[2][0]
