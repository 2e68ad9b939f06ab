"""Poker spots on the page: what a worker tells of a place, locks, the folder of solutions, and what the server refuses."""

import asyncio
import csv
import html
import io
import json
import re
import types
import urllib.parse

import numba
import numpy as np
import pytest

import fogtree
from fogtree.errors import FogtreeError, Invalid
from fogtree.games.spot.ranges import class_of
from fogtree.games.spot.spelling import CLASSES
from fogtree.solvers.public.places import find_place
from fogtree.walk.slices import Progress
from fogtree.web.desk import Desk
from fogtree.web.offer import Offer
from fogtree.web.pages_spot import _status, act, parts
from fogtree.web.pages_spots import begin, choose
from fogtree.web.spot_form import SIZES, USUAL, read_form
from fogtree.web.spot_shelf import Shelf
from fogtree.web.spot_where import Where, chips, equity_share, locked, percent, read_where
from fogtree.web.spots import SpotJob
from fogtree.web.workers import Caps, Workers

RIVER = {"board": "Td9d6hQc2s", "pot": 100, "stack": 150, "oop": "AA,KQs,87s", "ip": "QQ,JTs,AJo", "bets": "50%; a"}
TURN = {"board": "Td9d6hQc", "pot": 100, "stack": 100, "oop": "AA,JTs", "ip": "KK", "bets": "none / 50%; none"}
BETS, RAISES = "50%", "a"


@pytest.fixture(scope="module", autouse=True)
def plain():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", 1)
        yield


def worked(folder, name, wanted=RIVER, target=1.0, **more):
    facts = {}
    job = SpotJob(
        lambda **told: facts.update(told), Offer(), folder=str(folder), name=name, wanted=wanted, target=target, **more
    )
    job.run()
    return job, facts


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    return worked(tmp_path_factory.mktemp("spots"), "river-1")


@pytest.fixture(scope="module")
def turn(tmp_path_factory):
    return worked(tmp_path_factory.mktemp("spots"), "turn-1", TURN, 20.0)


LINES = [[], ["check"], ["bet 50"], ["check", "bet 50"], ["bet 50", "all in 150"], ["check", "bet 50", "all in 150"]]


@pytest.mark.parametrize("line", LINES, ids=", ".join)
def test_both_players_share_the_pot_and_folding_is_worth_nothing(river, line):
    job, _ = river
    told = job.ask_view(line, [])
    paid = {(): 0, ("check",): 0, ("bet 50",): 50, ("check", "bet 50"): 50}.get(tuple(line), 200)
    assert told["pot"] == 100 + paid
    assert sum(told["value"]) == pytest.approx(told["pot"], abs=1e-3) and sum(told["equity"]) == pytest.approx(1)
    for group in told["cells"]:
        for one in job.ask_hand(line, [], group)["hands"]:
            if "fold" in told["actions"]:
                assert one["worth"][told["actions"].index("fold")] == pytest.approx(0, abs=1e-4)
            # a hand is worth what its actions are, by how often they are taken
            assert one["value"] == pytest.approx(np.dot(one["mix"], one["worth"]), abs=2e-3)


@pytest.mark.parametrize(("line", "mover", "groups"), [("check", 1, "QQ JTs AJo"), ("check, bet 50", 0, "AA KQs 87s")])
def test_a_cell_sums_up_the_hands_of_its_kind(river, line, mover, groups):
    job, _ = river
    told, place = job.ask_view(line.split(", "), []), job.found.at(line)
    assert told["mover"] == told["player"] == mover and set(told["cells"]) == set(groups.split())
    kinds = np.array([class_of(int(hand)) for hand in place.hands[mover]])
    for group, cell in told["cells"].items():
        here = kinds == group
        assert cell["reach"] == pytest.approx(place.reach[mover][here].sum(), abs=1e-4)
        mean = place.mix[:, here] @ place.reach[mover][here] / place.reach[mover][here].sum()
        assert cell["mix"] == pytest.approx(mean.tolist(), abs=1e-4)
        if group == "QQ":
            assert cell["held"] == 3  # a queen lies


def test_chips_of_earlier_streets_stay_in_the_pot(tmp_path):
    # 50 from each on the turn, then 100, half of the pot of 200, and all in: 150 behind after the turn
    wanted = {**TURN, "stack": 200, "bets": "50%; a"}
    job = SpotJob(lambda **told: None, Offer(), folder=str(tmp_path), name="x-1", wanted=wanted)
    job.game = job.found = fogtree.spot(**wanted)
    line = ["bet 50", "call", "bet 100", "all in 150", "call"]
    put = [job._way(line[:n], ["2h"] * (n > 1)).put for n in range(1, 6)]
    assert put == [(50, 0), (50, 50), (150, 50), (150, 200), (200, 200)]


def test_the_steps_tell_what_else_could_have_been_done(river):
    job, _ = river
    told = job.ask_view(["check", "bet 50"], [])
    assert [step["chosen"] for step in told["steps"]] == ["check", "bet 50", None]
    assert told["steps"][1]["actions"] == ["check", "bet 50"] and sum(told["steps"][1]["share"]) == pytest.approx(1)
    assert told["steps"][2]["actions"] == told["actions"] == ["fold", "call", "all in 150"]
    over = job.ask_view(["check", "check"], [])
    assert over["mover"] == "nobody" and over["steps"][-1]["chosen"] == "check" and over["cells"]


def test_a_card_is_asked_for_between_the_streets(turn):
    job, _ = turn
    told = job.ask_view(["check", "check"], [])
    assert told["mover"] == "card" and told["steps"][-1] | {"line": 0} == {
        "line": 0,
        "cards": (),
        "chosen": None,
        "dealt": True,
    }
    cards = {one["card"]: one for one in job.ask_cards(["check", "check"], [])}
    assert (
        len(cards) == 48
        and "Td" not in cards
        and sum(one["chance"] for one in cards.values()) == pytest.approx(1, abs=1e-3)
    )
    mean = sum(one["chance"] * one["equity"] for one in cards.values())
    assert mean == pytest.approx(told["equity"][0], abs=1e-3)
    after = job.ask_view(["check", "check"], ["2h"])
    assert (
        after["mover"] == 0
        and after["board"][-1] == "2h"
        and after["equity"][0] == pytest.approx(cards["2h"]["equity"], abs=1e-4)
    )
    bet = job.ask_view(["check", "check", "bet 50", "call"], ["2h"])
    assert bet["pot"] == 200 and [step["dealt"] for step in bet["steps"]] == [False, False, True, False, False]


def test_where_play_never_comes_no_mean_is_told(river, monkeypatch):
    # half of the pot was told as the EV of both
    job, _ = river
    place = job._place(["bet 50"], [])
    never = place._replace(met=tuple(np.zeros_like(row) for row in place.met))
    monkeypatch.setitem(job._places, (("bet 50",), ()), never)
    told = job.ask_view(["bet 50"], [])
    assert told["value"] == [None, None] and set(told["share"]) == {None} == set(told["steps"][-1]["share"])
    assert not any(told["sorts"].values()) and all("value" not in cell for cell in told["cells"].values())


def test_cards_come_also_when_both_are_all_in(tmp_path):
    spot = {**TURN, "oop": "AhAd", "ip": "KhKd", "bets": "a; none / none"}
    job, _ = worked(tmp_path, "turn-2", spot, 50.0)
    line = ["all in 100", "call"]
    before = job.ask_view(line, [])
    assert before["mover"] == "card" and before["steps"][-1]["dealt"] and before["steps"][-1]["chosen"] is None
    listed = job.ask_cards(line, [])
    assert len(listed) == 48 and not any(one["actions"] for one in listed)
    for one in listed[:3]:
        told = job.ask_view(line, [one["card"]])
        assert told["mover"] == "nobody" and told["pot"] == 300 and told["board"][4:] == [one["card"]]
        assert told["steps"][-1]["chosen"] == one["card"] and told["value"] == one["value"]
    with pytest.raises(Invalid, match="the hand is over before that"):
        job.ask_view(line, ["2h", "3h"])


def test_a_hand_takes_away_those_that_share_a_card_with_it(river):
    job, _ = river
    told = job.ask_blockers([], [], "AhAs", 0)
    assert all({"Ah", "As"} & {hand[:2], hand[2:]} for hand in told["removed"])
    assert len(told["removed"]) == 6  # AhJx and AsJx with another suit of the jack: three each


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        (["bet 7"], []),
        (["check", "check", "check"], []),
        ([], ["2h"]),
        (["check"], ["Td"]),
        (["check", "check"], ["2h2c"]),
    ],
)
def test_a_place_that_is_not_there_is_refused_in_a_sentence(turn, line, cards):
    with pytest.raises(FogtreeError):
        turn[0].ask_view(line, cards)


def test_locked_hands_play_as_asked_the_others_as_before_and_the_other_player_profits(river, tmp_path):
    job, facts = river
    lock = {"line": "check", "cards": [], "hands": {"QQ": [1.0, 0.0]}}
    assert job.ask_lockable(lock)
    again, told = worked(job.shelf.folder, "river-2", base="river-1", locks=[lock])
    before, after = job.ask_view(["check"], [])["cells"], again.ask_view(["check"], [])["cells"]
    assert before["QQ"]["mix"][1] > 0.1 and after["QQ"]["mix"] == pytest.approx([1.0, 0.0])
    assert after["AJo"]["mix"] == pytest.approx(before["AJo"]["mix"], abs=1e-3)
    assert told["values"][0] > facts["values"][0] - 1  # within both certificates
    opened, seen = worked(job.shelf.folder, "river-2", wanted=None)  # from its file
    assert opened.ask_view(["check"], [])["cells"]["QQ"]["mix"] == pytest.approx([1.0, 0.0], abs=1e-4)
    assert seen["values"] == pytest.approx(told["values"], abs=0.02) and seen["percent"] == pytest.approx(
        told["percent"], abs=0.1
    )


def test_a_lock_holds_where_suits_are_alike_and_rounding_told_their_hands_apart(tmp_path):
    given = {**TURN, "board": "Td9d6dQd", "bets": "50%; none / none", "oop": "AA", "ip": "KK,JJ"}
    job, _ = worked(tmp_path, "turn-1", given, 20.0)
    form, node = job.found.form, find_place(job.found.form, "check").node
    job.found.cfr._part("total", 0, node)[:, -1] = 0.0, 1.0  # as rounding does to hands that hardly ever come there
    job.found.save(tmp_path / "turn-1.npz")
    assert len(form.alike(1, 0)) > 1
    lock = {"line": "check", "cards": [], "hands": {"JJ": [1.0, 0.0]}}
    again, told = worked(tmp_path, "turn-2", given, 20.0, base="turn-1", locks=[lock])
    assert told["percent"] <= 20.0
    assert again.ask_view(["check"], [])["cells"]["JJ"]["mix"] == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize(
    "lock",
    [
        {"line": "check", "cards": [], "hands": {"QQ": [1.0]}},
        {"line": "check, check", "cards": [], "hands": {"QQ": [1.0]}},
        {"line": "check", "cards": [], "hands": {"AA": [1.0, 0.0], "22": [1.0, 0.0]}},
    ],
)
def test_a_lock_that_does_not_fit_is_refused(river, lock):
    with pytest.raises(Invalid):
        river[0].ask_lockable(lock)


def test_a_stop_keeps_what_there_is(tmp_path):
    job = SpotJob(lambda **told: None, Offer(), folder=str(tmp_path), name="x-1", wanted=RIVER, target=0.001)
    job.ask_stop()
    job.run()
    assert not job._result()["reached"] and 0 < job.found.iterations <= 20
    assert Shelf(str(tmp_path)).solved("x-1") and Shelf(str(tmp_path)).about("x-1")["percent"] > 0.001


@pytest.mark.parametrize("rake", [0.0, 0.05])
def test_the_course_is_that_of_the_certificates_also_with_a_rake(tmp_path, rake):
    job, _ = worked(tmp_path, "x-1", {**RIVER, "rake": rake}, 0.2)
    iterations, percent = zip(*job._course, strict=True)
    assert len(percent) > 2 and len(set(percent)) == len(percent)
    assert [point.iterations for point in job.found.course] == list(iterations)
    assert percent[-1] == pytest.approx(job.found.percent, rel=1e-3) and percent[-2] > 0.2 >= percent[-1]


def test_long_work_waits_for_a_yes(tmp_path, monkeypatch):
    monkeypatch.setattr("fogtree.web.spots.ASKED", 0.0)
    told, waited, clock = [], [], [0.0]
    monkeypatch.setattr("fogtree.web.spots.time", types.SimpleNamespace(monotonic=lambda: clock[0]))
    job = SpotJob(
        lambda **facts: told.append(facts), Offer(), folder=str(tmp_path), name="x-1", wanted=RIVER, target=5.0
    )

    def wait():
        waited.append(len(told))
        clock[0] += 1000

    monkeypatch.setattr(job._go, "wait", wait)
    job.run()
    first = next(i for i, facts in enumerate(told) if facts.get("asking"))
    assert waited == [first + 1] and "need" in told[first - 1] and told[-1]["finished"]
    assert told[-1]["spent"] < 1000, "the person's time is not the solver's"


@pytest.mark.parametrize(("ended", "ready"), [("", 1), ("This was closed to make room for another one.", 0)])
def test_a_page_waits_for_no_places_of_a_spot_whose_process_has_ended(ended, ready):
    # the page of one that was closed was loaded anew without end
    job = types.SimpleNamespace(facts={"finished": True}, ended=ended)
    assert parts(None, job)["facts"]["ready"] == ready


def test_a_file_that_the_command_wrote_cannot_be_solved_again_and_the_reason_is_true():
    job = types.SimpleNamespace(more={"wanted": None, "pending": ["a lock"], "locks": []}, version=0)
    desk = types.SimpleNamespace(workers=types.SimpleNamespace(find=lambda *_: job))
    with pytest.raises(Invalid, match="was not asked for on this page"):
        asyncio.run(act(desk, types.SimpleNamespace(path_params={"id": "a", "what": "again"}), {}))


def test_the_status_names_what_was_counted(tmp_path):
    told, last = [], Progress("boards", 2490)
    job = SpotJob(lambda **facts: told.append(facts), Offer(), folder=str(tmp_path), name="x-1")
    job._progress(last)
    facts = told[-1] | {"phase": "solving"}
    assert _status(types.SimpleNamespace(facts=facts, ended="")) == "Now: solving, 2,490 boards so far."


def test_nothing_is_told_of_a_spot_that_is_not_solved_yet(tmp_path):
    job = SpotJob(lambda **facts: None, Offer(), folder=str(tmp_path), name="x-1", wanted=RIVER)
    lock = {"line": "", "cards": [], "hands": {"AA": [1.0, 0.0]}}
    for ask in (lambda: job.ask_lockable(lock), lambda: job.ask_blockers([], [], "AhAd"), lambda: job.ask_view([], [])):
        with pytest.raises(Invalid, match="this spot is not solved yet"):
            ask()


def test_no_number_is_less_than_nothing_by_rounding():
    assert [chips(number) for number in (-0.0, -0.004, -0.006, None)] == ["0.00", "0.00", "-0.01", "-"]
    assert [equity_share(-1e-9), percent(-1e-9)] == ["0.0 %", "0 %"]


def test_a_spot_that_waits_for_a_yes_is_listed_can_be_changed_and_keeps_its_name(tmp_path, monkeypatch):
    workers, started = Workers(Caps()), []

    async def start(self, kind, title, spec, **more):
        started.append(more["name"])
        job = types.SimpleNamespace(kind=kind, title=title, more=more, address=f"/spot/{len(started)}", ended="")
        workers.jobs[job.address] = job
        return job

    monkeypatch.setattr(Workers, "start", start)
    desk = Desk(Offer(), workers, "token", "store", (), str(tmp_path))
    given = {key: [text] for key, text in fields(pot="77").items()}
    for _ in range(2):  # neither has a file yet
        asyncio.run(begin(desk, read_form(given)))
    assert started == ["Td9d6hQc2s-1", "Td9d6hQc2s-2"]
    text = asyncio.run(choose(desk, types.SimpleNamespace(query_params={"from": started[0]})))
    assert 'name="pot" value="77"' in text and 'href="/spot/1"' in text and 'href="/spot/2"' in text


# --- over the network ---


def fields(**more):
    sizes = {name: "none" if name.endswith("donks") else RAISES if name.endswith("raises") else BETS for name in SIZES}
    known = {
        **USUAL,
        **sizes,
        **{key: str(RIVER[key]) for key in ("board", "pot", "stack", "oop", "ip")},
        "target": "1",
    }
    return {**known, **more}


@pytest.fixture(scope="module")
def page(open_site, tmp_path_factory):
    with open_site(spots=str(tmp_path_factory.mktemp("shelf") / "spots")) as site:
        answer = site.post("/spots", scripted=True, **fields())
        address = answer.json()["go"]
        yield site, address, site.until(address, 'data-hand="AA"')


def links(text):
    return [html.unescape(one) for one in re.findall(r'(?:href|data-hover|data-load|data-fill)="(/[^"]+)"', text)]


def test_a_form_leads_to_the_grid_of_its_solution(page):
    site, address, text = page
    assert re.findall(r'data-hand="(\w+)"', text) == ["AA", "KQs", "87s"] and "OOP to move" in text
    assert "style=" not in text and "<script>" not in text, "the policy of the page allows neither"
    part = site.get(f"{address}/view?line=check").text
    assert "IP to move" in part and part in site.get(f"{address}?line=check").text, (
        "the script shows what the page shows"
    )
    assert "Qc" not in part or "of clubs" in part


def test_every_link_of_a_place_leads_somewhere(page):
    site, address, _ = page
    found = {
        f"{link}{'&' if '?' in link else '?'}hand=AA" if "/hand" in link else link
        for line in ("?line=check,bet+50", "?show=equity&hand=AA")
        for link in links(site.get(f"{address}/view{line}").text)
    }
    assert len(found) > 20
    for link in found:
        answer = site.get(link)
        assert answer.status_code == 200, (link, answer.text)


def test_all_hands_of_a_place_are_a_table_for_other_programs(page):
    site, address, _ = page
    rows = list(csv.reader(io.StringIO(site.get(f"{address}/hands.csv?line=check,bet+50").text)))
    assert rows[0][:5] == ["hand", "kind", "combinations", "EV", "equity"] and rows[0][5:8] == [
        "fold",
        "call",
        "all in 150",
    ]
    assert len(rows) == 1 + 6 + 3 + 4  # aces, KQs but that of the queen that lies, 87s
    assert all(abs(sum(map(float, row[5:8])) - 1) < 1e-3 and abs(float(row[8])) < 1e-3 for row in rows[1:])


@pytest.mark.parametrize(
    "query",
    [
        "line=x",
        "line=check,check,check",
        "cards=2h",
        "player=2",
        "player=x",
        "line=" + "check," * 300,
        "cards=..",
        "line=<b>",
    ],
)
def test_a_place_that_is_not_there_is_a_sentence_and_no_page(page, query):
    site, address, _ = page
    for part in ("", "/view", "/hand", "/cards", "/blockers"):
        answer = site.get(f"{address}{part}?{query}&hand=AA")
        assert answer.status_code == 400 and "<b>" not in answer.text.replace("<b>", "", 0).partition("<main")[2]


def test_wrong_fields_are_told_one_by_one(page):
    site, _, _ = page
    told = site.post("/spots", scripted=True, **fields(pot="x", oop="ZZ")).json()
    assert set(told["wrong"]) == {"pot", "oop"}
    assert set(site.post("/spots/check", scripted=True, **fields(pot="x", oop="ZZ")).json()["wrong"]) == {"pot", "oop"}
    assert site.post("/spots", **fields(board="")).status_code == 400


def test_a_solution_is_listed_opened_again_downloaded_and_deleted(page):
    site, address, text = page
    name = "Td9d6hQc2s-1"
    assert name in site.get("/spots").text
    stored = site.client.get(f"/spots/file/{name}.npz").content
    assert stored[:2] == b"PK"
    assert site.post("/spots/open", name=name).headers["location"] == address, "it is open already"
    assert site.post(f"{address}/end").headers["location"] == "/spots"
    again = site.post("/spots/open", name=name).headers["location"]
    assert again != address
    shown = site.until(again, 'data-hand="AA"')
    mixes = [re.findall(r'aria-label="(AA: [^"]+)"', one) for one in (text, shown)]
    assert mixes[0] == mixes[1] != []
    for wrong in ("../x", "x", "", "..", "Td9d6hQc2s-1.npz"):
        assert site.post("/spots/open", name=wrong).status_code == 404
        assert site.post("/spots/delete", name=wrong).status_code == 404
    assert site.get("/spots/file/..%2f..%2fetc%2fpasswd.npz").status_code == 404
    assert site.get(f"/spots?from={name}").status_code == 200 and site.get("/spots?from=nothing").status_code == 404


def test_a_lock_is_made_on_the_page_and_solved_again(page):
    site, _, _ = page
    address = site.post("/spots", **fields(oop="KK,87s")).headers["location"]
    site.until(address, 'data-hand="KK"')
    shares = {"share-0": "0", "share-1": "100"}
    assert site.post(f"{address}/again").status_code == 400
    answer = site.post(f"{address}/lock", scripted=True, line="", cards="", hands="KK", **shares)
    assert answer.json()["go"] == address and "at the start: KK: bet 50 100 %" in site.get(address).text
    again = site.post(f"{address}/again").headers["location"]
    text = site.until(again, 'data-hand="KK"')
    assert re.search(r'aria-label="KK: bet 50 100 %', text) and "at the start: KK: bet 50 100 %" in text
    assert "OOP plays, and is locked here" in text
    assert "IP plays<" in site.get(f"{again}?line=check").text, "another decision is not"
    assert site.post(f"{again}/end").status_code == 303
    name = re.search(r"/spots/file/([\w-]+)\.npz", text)[1]
    opened = site.until(site.post("/spots/open", name=name).headers["location"], 'data-hand="KK"')
    assert "at the start: KK: bet 50 100 %" in opened, "a file keeps its locks"
    for wrong in (
        {"hands": "ZZ"},
        {"hands": "KhKs"},
        {"hands": "KK:0.5"},
        {"hands": "22"},
        {"share-0": "x"},
        {"share-0": "0", "share-1": "0"},
        {"line": "fold"},
    ):
        given = {"line": "", "cards": "", "hands": "KK", **shares, **wrong}
        assert site.post(f"{address}/lock", scripted=True, **given).status_code == 400
    odd = {"line": "", "cards": "", "hands": "ZZ", "share-0": "x", "share-1": "-1"}
    assert set(site.post(f"{address}/lock", scripted=True, **odd).json()["wrong"]) == {"hands", "share-0", "share-1"}
    empty = {"line": "", "cards": "", "hands": "KK", "share-0": "50", "share-1": ""}
    assert site.post(f"{address}/lock", scripted=True, **empty).json()["go"] == address
    assert "at the start: KK: check 100 %" in site.get(address).text


def test_a_lock_of_all_hands_is_said_in_two_words():
    lock = {"line": "check", "told": "check 100 %", "hands": {kind: [1.0, 0.0] for kind in CLASSES}}
    assert locked(lock) == "after check: all hands: check 100 %"
    assert locked(lock | {"line": "", "hands": {"QQ": [1.0, 0.0]}}) == "at the start: QQ: check 100 %"


def test_a_hand_is_played_on_the_page_and_its_decisions_are_judged(page):
    site, _, _ = page
    address = site.post("/spots", **fields(oop="KK,AA")).headers["location"]
    site.until(address, 'data-hand="KK"')
    assert "Deal me OOP" in site.get(f"{address}/play").text
    told = site.post(f"{address}/deal", scripted=True, seat="0").json()["parts"]["hand-table"]
    assert "OOP is to act" in told and "<details" not in told, "what was bet is not folded away"
    for _ in range(5):
        if "What your decisions cost" in told:
            break
        numbers = {key: re.search(rf'name="{key}" value="(\d+)"', told)[1] for key in ("hand", "step", "action")}
        told = site.post(f"{address}/act", scripted=True, **numbers).json()["parts"]["hand-table"]
    assert "<h3>The hand</h3>" in told and "1 hand played" in told
    assert "What your decisions cost" in told and "The other" in told and told in site.get(f"{address}/play").text
    (link, *_) = [one for one in links(told) if "hand=" in one]
    assert site.get(link).status_code == 200
    assert site.post(f"{address}/deal", seat="1").headers["location"] == f"{address}/play"
    for path, wrong in (("deal", {"seat": "2"}), ("act", {"hand": "x"})):
        assert site.post(f"{address}/{path}", scripted=True, **wrong).status_code == 400


def test_what_was_not_finished_is_gone_on_with(open_site, tmp_path):
    shelf = Shelf(str(tmp_path))
    about = {"wanted": RIVER, "target": 5.0, "seconds": 60.0, "base": None, "locks": []}
    shelf.begin("left-1", about)
    with open_site(spots=str(tmp_path)) as site:
        assert "not finished" in site.get("/spots").text
        site.until(site.post("/spots/open", name="left-1").headers["location"], 'data-hand="AA"')
        assert shelf.solved("left-1") and "not finished" not in site.get("/spots").text
    assert fogtree.load_hands(shelf.path("left-1")).percent <= 5.0


def test_a_file_of_something_else_is_refused_in_a_sentence(open_site, tmp_path):
    (tmp_path / "bad-1.npz").write_bytes(b"PK nonsense")
    (tmp_path / "bad-1.json").write_text(json.dumps({"wanted": None}))
    with open_site(spots=str(tmp_path)) as site:
        address = site.post("/spots/open", name="bad-1").headers["location"]
        text = site.until(address, "bad-1")
        assert "Traceback" not in text


def test_an_address_names_its_place():
    at = Where("/spot/x", ("check", "raise to 300"), ("2h",), 1, "value", "AKs", "value0")
    path, _, query = at.to("/view").partition("?")
    assert path == "/spot/x/view" and "/" not in query
    job = types.SimpleNamespace(address="/spot/x")
    assert read_where(job, dict(urllib.parse.parse_qsl(query))) == at
    assert read_where(job, {}) == Where("/spot/x") and Where("/spot/x").to() == "/spot/x"


def test_the_equity_of_each_kind_of_hand_makes_up_the_equity_of_its_player(river):
    job, _ = river
    way, place = job._way(["check", "bet 50"], []), job._place(["check", "bet 50"], [])
    for who in (0, 1):
        cells = job._cells(place, who, way)
        weight = dict.fromkeys(cells, 0.0)
        for hand, often in zip(place.hands[who], place.weight(who), strict=True):
            weight[class_of(int(hand))] += often
        mean = sum(weight[called] * cells[called]["equity"] for called in cells if weight[called]) / sum(
            weight.values()
        )
        assert mean == pytest.approx(job._mean_equity(place)[who], abs=1e-3)


@pytest.mark.parametrize("line", [[], ["check"]], ids=", ".join)
def test_hands_are_those_of_the_player_that_is_asked_for_or_else_of_the_mover(river, line):
    job, _ = river
    mover = job.ask_view(line, [])["mover"]
    groups = {0: {"AA", "KQs", "87s"}, 1: {"QQ", "JTs", "AJo"}}
    for asked, who in ((0, 0), (1, 1), (None, mover)):
        told = job.ask_view(line, [], asked)
        assert told["player"] == who and set(told["cells"]) == groups[who]
        kinds = {row[1] for row in job.ask_rows(line, [], asked)[1:]}
        assert kinds == groups[who]
        assert job.ask_hand(line, [], min(groups[who]), asked)["hands"]
