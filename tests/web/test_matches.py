"""Matches in the browser's language: whole games, and what is refused. `test_leaks.py` shows that nothing hidden is sent."""

import functools
import re
import types
import xml.etree.ElementTree

import pytest

import fogtree
from fogtree.arena.referee import play
from fogtree.draw.board import picture
from fogtree.errors import Invalid
from fogtree.game import heard, new_state
from fogtree.text.naming import load
from fogtree.web import desk, pages_choose, reveal
from fogtree.web.matches import MatchJob
from fogtree.web.offer import Offer
from waiting import wait_until

KUHN = {"game": "kuhn", "agent-against": "random", "seat": "0"}


def played(site, address, choose=lambda labels: next(iter(labels))):
    """Play a match to its end; returns the last page."""

    def is_over():
        text = site.get(address).text
        turn, labels = site.actions(text)
        if labels:
            site.post(f"{address}/move", turn=turn, action=labels[choose(labels)])
        return "The game is over" in text

    wait_until(is_over)
    return site.until(address, "<h2>Result</h2>")


@pytest.fixture(scope="module")
def waiting(site):
    """A match of Kuhn poker that waits for the person's first move."""
    address = site.start(**KUHN)
    site.until(address, 'name="action"')
    return address


@pytest.mark.parametrize("game", ["phantom-ttt", "tic-tac-toe"])
def test_a_whole_match_is_played_by_forms_alone(site, game):
    address = site.start(game=game, seat="1", **{"agent-against": "random"})
    text = played(site, address)
    assert "Payoffs" in text and "All " in text
    shown = site.get(f"{address}/step/1").text
    random_moves = "".join(site.get(f"{address}/step/{step}").text for step in (0, 2))
    assert "thought best" not in random_moves and "moves equally often here." in random_moves
    assert ("The truth" if game == "phantom-ttt" else "The position") in shown and "<svg" in shown


def test_where_there_was_one_move_nothing_is_said_of_how_it_was_chosen():
    game = load("tic-tac-toe")
    state = fogtree.from_notation(game, "0 1 2 4 3 5 7 6").state  # all squares but the last one are taken
    reader = reveal.Reader.__new__(reveal.Reader)
    reader.job = types.SimpleNamespace(game=game, states=[new_state(game), state])
    assert reader._best(1, {"8": 1.0}, {}, {}) == {}
    assert "mix" in reader._best(0, {"8": 1.0}, {}, {})


def test_a_search_tells_afterwards_what_it_believed_how_it_mixed_and_what_that_was_worth(site, monkeypatch):
    monkeypatch.setattr(pages_choose.secrets, "randbelow", lambda most: dealt("Q", "K"))
    address = site.start(game="kuhn", seat="0", **{"agent-against": "rm", "iterations-against": "50"})
    played(site, address, choose=lambda labels: "pass")
    after_deal_and_pass = site.get(f"{address}/step/3").text
    assert (
        "What the second player thought your cards were" in after_deal_and_pass
        and "2 possible states" in after_deal_and_pass
    )
    assert "How the second player mixed after 50 iterations" in after_deal_and_pass
    assert "(played)" in after_deal_and_pass
    # Kuhn 1950: after a pass, the king wins 1 by passing, and by betting more, for a queen sometimes calls
    told = dict(re.findall(r"<td>(bet|pass)</td><td>([+-]\d\.\d{4})</td>", site.until(f"{address}/worth/3", "<td>")))
    assert float(told["pass"]) == pytest.approx(1) and 1 <= float(told["bet"]) <= 2


def test_an_agent_that_resolves_shows_the_range_that_it_resolved_with(site, monkeypatch):
    monkeypatch.setattr(pages_choose.secrets, "randbelow", lambda most: dealt("Q", "K"))
    address = site.start(game="kuhn", seat="0", **{"agent-against": "resolve", "iterations-against": "200"})
    played(site, address, choose=lambda labels: "pass")
    shown = site.get(f"{address}/step/3").text
    assert "2 possible states, as likely as the search took them to be" in shown
    assert "How the second player mixed after 400 iterations" in shown  # at the start, and after the pass


def test_kluss_shows_what_it_held_possible(site, monkeypatch):
    monkeypatch.setattr(pages_choose.secrets, "randbelow", lambda most: dealt("Q", "K"))
    address = site.start(game="kuhn", seat="0", **{"agent-against": "kluss", "iterations-against": "60"})
    played(site, address, choose=lambda labels: "pass")
    assert "2 possible states, as likely as the search took them to be" in site.get(f"{address}/step/3").text


def test_where_something_else_was_made_of_what_a_search_found_both_are_shown(site, monkeypatch):
    monkeypatch.setattr(pages_choose.secrets, "randbelow", lambda most: dealt("Q", "K"))
    more = {"parameters-against": "play_best=yes,eta=4", "iterations-against": "50"}
    address = site.start(game="kuhn", seat="0", **{"agent-against": "mmds"}, **more)
    played(site, address, choose=lambda labels: "pass")
    shown = site.get(f"{address}/step/3").text
    heads = re.findall(r'<th scope="col">(.*?)</th>', shown)
    assert heads == ["", "move", "", "found", "", "to be played"]
    rows = [float(share) for share in re.findall(r'<td class="number">([0-9.]+)%</td>', shown)]
    found, to_be_played = rows[::2], rows[1::2]
    assert to_be_played == [100.0, 0.0] and 50.0 < found[0] < 100.0 and sum(found) == pytest.approx(100.0, abs=0.2)


def test_moves_that_are_late_or_illegal_or_no_moves_are_refused(site, waiting):
    address = waiting
    turn, labels = site.actions(site.get(address).text)
    for fields in ({"action": "7"}, {"action": "x"}, {"action": "1e3"}, {"text": "dance"}, {}, {"action": "9" * 30}):
        answer = site.post(f"{address}/move", scripted=True, turn=turn, **fields)
        assert answer.status_code == 400 and answer.json()["trouble"].endswith("."), fields
    assert site.post(f"{address}/move", turn="99", action=labels["pass"]).status_code == 400
    assert site.post(f"{address}/dance").status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "nothing"},
        {"game": "kuhn", "p-cards": "2"},
        {"game": "kuhn", "p-cards": "x.py"},
        {"game": "kuhn", "p-nothing": "1"},
        {"game": "kuhn", "agent-against": "nobody"},
        {"game": "kuhn", "seat": "2"},
        {"game": "kuhn", "seat": "-1"},
        {"game": "kuhn", "seat": "one"},
        {"game": "kuhn", "seat": "--1"},
        {"game": "kuhn", "agent-against": "uct", "parameters-against": "c=nan"},
        {"game": "kuhn", "agent-against": "strategy/nothing"},
        {"game": "kuhn", "iterations-against": "many"},
        {"game": "kuhn", "iterations-against": "0"},
        {"game": "goofspiel", "p-cards": "13", "agent-against": "", "level-against": "perfect"},
        {},
    ],
)
def test_a_match_that_cannot_be_is_refused_with_a_sentence(site, fields):
    answer = site.post("/play", scripted=True, **({"agent-against": "random"} | fields))
    assert answer.status_code == 400 and answer.json()["trouble"].endswith(".")
    assert "int()" not in answer.json()["trouble"]  # no words of Python


def test_a_bad_position_is_refused_by_the_form_and_opens_no_match(site):
    answer = site.post("/play", scripted=True, game="chess", **{"agent-against": "random", "from": "8/8/8 w"})
    assert answer.status_code == 400 and answer.json()["trouble"].endswith(".")


def test_a_match_begins_after_moves_that_are_given(site):
    address = site.start(game="tic-tac-toe", seat="0", **{"agent-against": "random", "from": "4 0"})
    text = site.until(address, 'name="action"')
    assert len(site.actions(text)[1]) == 7
    assert re.findall(r"<li>(\w+): <strong>(\w+)</strong></li>", text) == [("You", "4"), ("O", "0")]


def test_a_match_that_was_left_makes_room_for_another(open_site):
    with open_site(caps={"matches": 2}) as site:
        first = site.start(**KUHN)
        second = site.start(**KUHN)
        for address in (first, second, first):  # the second is the one that nobody has looked at for longer
            site.until(address, 'name="action"')
        third = site.start(**KUHN)
        site.until(third, 'name="action"')
        assert "closed to make room" in site.get(second).text and 'name="action"' in site.get(first).text


def test_a_match_that_was_resigned_can_be_walked_through(site):
    address = site.start(**KUHN)
    turn, _ = site.actions(site.until(address, 'name="action"'))
    assert site.post(f"{address}/resign", turn="99").status_code == 400
    site.post(f"{address}/resign", turn=turn)
    assert "You lost 2: you resigned." in site.until(address, "<h2>Result</h2>")
    assert "The truth" in site.get(f"{address}/step/2").text


def test_the_log_tells_what_everybody_hears_and_the_end_says_why(site, monkeypatch):
    monkeypatch.setattr(pages_choose.secrets, "randbelow", lambda most: dealt("K", "Q"))
    address = site.start(game="kuhn", seat="1", **{"agent-against": "random"})
    text = site.until(address, 'name="action"')
    assert (
        re.search(r"<li>The first player: <strong>(pass|bet)</strong></li>", text) and "<strong>K</strong>" not in text
    )
    turn, labels = site.actions(text)
    site.post(f"{address}/move", turn=turn, action=labels["bet" if "strong>bet" in text else "pass"])
    if "strong>bet" in text:
        assert "You lost 2: K beats Q." in site.until(address, "<h2>Result</h2>")
    else:
        assert "You lost 1: K beats Q." in site.until(address, "<h2>Result</h2>")


def fields_of(text, head):
    """The hidden fields of the form whose tag ends so, and what its buttons send."""
    form = re.search(rf"<form[^>]*{head}.*?</form>", text)[0]
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    return {key: value for key, value in hidden.items() if key != "token"}, re.findall(
        r'name="seat" value="(\w+)"', form
    )


def test_the_next_match_begins_at_one_press_from_either_seat_and_knows_how_the_last_ones_ended(site):
    text = played(site, site.start(**KUHN))
    won = float(re.search(r"You (?:won|lost) (\d)", text)[1]) * (1 if "You won" in text else -1)
    fields, seats = fields_of(text, 'class="again"')
    assert seats == ["0", "1"] and fields["game"] == "kuhn" and "matches:" not in text
    text = played(site, site.start(**fields, seat="1"))
    more = float(re.search(r"You (?:won|lost) (\d)", text)[1]) * (1 if "You won" in text else -1)
    wins = (won > 0) + (more > 0)
    assert f"2 matches: {wins} won, {2 - wins} lost, 0 drawn, {won + more:+g} in all." in text
    fields, seats = fields_of(text, 'class="again"')
    assert seats == ["1", "0"]
    assert "matches:" not in played(site, site.start(**fields | {"after": "nobody"}, seat="lot"))


def test_the_first_page_invites_to_a_match_that_begins_at_once(site):
    fields, _ = fields_of(site.get("/").text, 'class="begin"')
    assert fields["game"] == "dark-chess" and fields["seat"] == "lot"
    address = site.start(**fields)
    assert "Dark chess against" in site.get(address).text
    site.post(f"{address}/end")


def test_the_picture_of_a_game_hides_what_a_player_does_not_see():
    drawn = pages_choose.shown(Offer(), "dark-chess")[0]
    assert drawn.count("var(--hidden") > 20 and "var(--hidden" not in pages_choose.shown(Offer(), "chess")[0]
    assert pages_choose.shown(Offer(), "kuhn")[0].count("var(--hidden") == 1  # the other's card


def test_an_agent_that_cannot_play_a_game_is_refused_on_the_page(site):
    address = site.start(game="kuhn", **{"agent-against": "alphabeta"})
    status = re.search(r'id="status"[^>]*>([^<]*)', site.until(address, "plays open games"))[1]
    assert status.endswith(".") and status[0].isupper()  # a sentence


def test_nothing_can_be_walked_through_before_the_end(site, waiting):
    for path in ("step/0", "step/2", "worth/2", "step/99"):
        answer = site.get(f"{waiting}/{path}")
        assert answer.status_code == 400 and "hidden until" in answer.text and "<svg" not in answer.text
    assert "The truth" not in site.get(f"{waiting}?step=2").text


def test_a_position_can_be_answered_once():
    job = MatchJob(lambda **facts: None, Offer(), game=["kuhn", ""], seats=[None, ["random"]], seed=0, start="")
    job.sight, job.turn = sight_of(fogtree.at("kuhn").play("J").play("Q")), 1
    assert job.ask_move(1, 0)
    job._answers.get()  # the referee has taken the answer, and has not yet gone on
    with pytest.raises(Invalid, match="moved on"):
        job.ask_move(1, 0)


def test_the_gallery_has_a_picture_of_every_game_with_colours_of_its_own(site):
    text = site.get("/play").text
    assert "<svg" not in text  # thousands of shapes would delay the page
    pictures = re.findall(r'<img src="(/picture\?game=[^"]+)"', text)
    assert len(set(pictures)) == len(fogtree.games.GAMES)
    for address in pictures:
        answer = site.get(address)
        assert answer.headers["content-type"] == "image/svg+xml"
        root = xml.etree.ElementTree.fromstring(answer.text)
        assert "prefers-color-scheme: dark" in root.find("{http://www.w3.org/2000/svg}style").text
    assert "There is no game" in site.get("/picture?game=dance").text


def test_a_search_is_offered_fewer_iterations_where_a_game_is_long_and_hidden(site):
    assert 'name="iterations-against" value="10000"' in site.get("/play?game=kuhn").text
    assert 'name="iterations-against" value="1000"' in site.get("/play?game=siguo").text


def test_where_no_levels_were_measured_the_agent_is_proposed_that_fits_the_game(site, monkeypatch):
    monkeypatch.setattr(desk, "levels", lambda name, game: [])
    for game, agent in (("dark-chess", "kluss"), ("leduc", "rm"), ("many-leduc", "rm"), ("go", "uct")):
        assert f'<option value="{agent}" selected>' in site.get(f"/play?game={game}").text


def test_the_switch_that_reveals_says_so_and_reveals_and_the_match_goes_on(site, waiting):
    assert "This shows you the hidden board" in site.get(waiting).text
    assert site.post(f"{waiting}/reveal").status_code == 303
    assert "The truth" in site.get(f"{waiting}/step/2").text
    assert "There is no step 99" in site.get(f"{waiting}/worth/99").text
    assert site.get(f"{waiting}?step=99").status_code == 200  # the page of the match, without that step
    turn, labels = site.actions(site.get(waiting).text)
    assert site.post(f"{waiting}/move", turn=turn, text="P").status_code == 303  # the beginning of a move is enough
    assert site.post(f"{waiting}/move", scripted=True, turn=turn, action=labels["pass"]).status_code == 400


def test_a_move_can_be_taken_back_where_nothing_is_hidden(site):
    open_game = site.start(game="tic-tac-toe", **{"agent-against": "random"})
    turn, labels = site.actions(site.until(open_game, 'name="action"'))
    assert len(labels) == 9
    site.post(f"{open_game}/move", turn=turn, action=labels["4"])
    turn, labels = site.actions(site.until(open_game, "Take back"))
    assert len(labels) == 7
    site.post(f"{open_game}/undo", turn=turn)
    wait_until(lambda: len(site.actions(site.get(open_game).text)[1]) == 9)


def test_a_watched_match_is_the_same_from_the_same_seed(site):
    fields = {"game": "kuhn", "agent-0": "random", "agent-1": "random", "seed": "5"}
    ends = []
    for _ in range(2):
        address = site.post("/watch", **fields).headers["location"]
        ends.append(re.search(r"All \d+ moves</summary><p>(.*?)</p>", site.until(address, "Payoffs"))[1])
    assert ends[0] == ends[1]
    first = site.get(f"{address}/step/0").text
    assert "The first player sees" in first and "The second player sees" in first


@pytest.mark.parametrize("name", ["kuhn", "leduc", "many-leduc", "holdem", "goofspiel", "liars-dice", "rounds"])
def test_pictures_call_the_seats_by_names(name):
    game = load(name)
    for player in (None, *range(game.shape().players)):
        drawn = picture(game, new_state(game), player).partition("</title>")[2]
        assert not re.search(r"player \d", drawn)


def test_bids_that_are_shown_are_told_when_their_round_is_over():
    game = load("goofspiel:hidden=False")
    state = new_state(game)
    said = [[], []]
    for bid in (5, 0, 4, 1):
        for player in (0, 1):
            if game.player(state) != player and (words := heard(game, state, bid, player)):
                said[player].append(words)
        game.step(state, bid)
    assert said == [["0", "1"], ["5 in the round before"]]


@functools.cache
def dealt(mine, other):
    """A seed of Kuhn poker that deals player 0 the one card and player 1 the other."""
    for seed in range(500):
        moves = play("kuhn", ["random", "random"], seed=seed).moves
        if (moves[0].label, moves[1].label) == (mine, other):
            return seed
    raise AssertionError("no seed deals these cards")


def sight_of(position):
    from fogtree.arena.sight import sight

    return sight(position.game, position.state, position.player)
