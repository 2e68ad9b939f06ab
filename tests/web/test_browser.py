"""The page in a real browser: Debian's chromium, driven by playwright. Where there is none, these tests are skipped."""

import os
import re
import shutil
import signal
import urllib.parse

import pytest

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make .venv/ready-test")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: apt-get install chromium")

PATIENCE = 60_000  # milliseconds
READY = "#moves .actions, #result h2"  # a move can be made, or the match is over
GAMES = ["kuhn", "phantom-ttt", "dark-hex", "leduc", "goofspiel"]
VIEWS = [
    "/play",
    "/play?game=leduc",
    "/watch",
    "/watch?game=dark-hex",
    "/curves",
    "/strategy",
    "/spots",
    "/runs",
    "/papers",
]

# What a screen reader needs: names of all that can be used, one main heading, unique ids. Returns what is wrong.
AUDIT = """() => {
  const wrong = [];
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  if (new Set(ids).size < ids.length) wrong.push("an id is used twice");
  if (document.querySelectorAll("h1").length !== 1) wrong.push("there is not one h1");
  if (!document.documentElement.lang || !document.title) wrong.push("no language or no title");
  for (const role of ["header", "nav", "main"]) if (!document.querySelector(role)) wrong.push(`no ${role}`);
  for (const one of document.querySelectorAll("button, a[href], input:not([type=hidden]), select, progress, [role=region]")) {
    const label = one.labels && one.labels.length ? one.labels[0].textContent : "";
    const name = one.getAttribute("aria-label") || label || one.textContent;
    if (!name.trim()) wrong.push(`no name: ${one.outerHTML.slice(0, 80)}`);
  }
  for (const one of document.querySelectorAll("svg[role]"))
    if (!one.querySelector("title") && !one.closest("[aria-hidden=true]")) wrong.push("a picture without a title");
  for (const one of document.querySelectorAll("img:not([alt]), table:not(:has(th))")) wrong.push(one.outerHTML.slice(0, 80));
  return wrong;
}"""

# The texts that can be seen whose contrast to what lies behind them is below 4.5, the bar of WCAG's level AA, or 3 for large
# ones. A ghost is a guess that is drawn the fainter the less likely it is; its share stands below it.
PALE = """() => {
  const parse = (text) => {
    const numbers = text.match(/-?[\\d.]+/g).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return [...numbers.slice(0, 3).map((one) => one * scale), numbers.length > 3 ? numbers[3] : 1];
  };
  const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
  const linear = (one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
  const light = (colour) => 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const chain = (one) => (one ? [one, ...chain(one.parentElement)] : []);
  const opacity = (one, until) =>
    chain(one).filter((each) => !each.contains(until)).reduce((all, each) => all * getComputedStyle(each).opacity, 1);
  const ground = (one) =>
    chain(one)
      .map((each) => parse(getComputedStyle(each).backgroundColor))
      .reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
  const within = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  const behind = (text, svg) => {
    const box = text.getBoundingClientRect(), [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    let found = ground(svg);
    for (const one of svg.querySelectorAll("rect, circle, polygon, path, ellipse")) {
      if (!(one.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      const style = getComputedStyle(one);
      if (style.display === "none" || style.fill === "none" || !within(one.getBoundingClientRect(), x, y)) continue;
      const fill = parse(style.fill);
      fill[3] *= style.fillOpacity * opacity(one, svg);
      found = over(fill, found);
    }
    return found;
  };
  const wrong = [];
  const left = ".unseen, .skip, .ghost, :disabled, option";
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(left);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement, words = walker.currentNode.textContent.trim();
    if (!words || !seen(one) || one.closest("title")) continue;
    const style = getComputedStyle(one), svg = one.closest("svg"), size = parseFloat(style.fontSize);
    const below = svg ? behind(one, svg) : ground(one), ink = parse(svg ? style.fill : style.color);
    ink[3] *= svg ? opacity(one, svg) : 1;
    const shown = ratio(over(ink, below), below);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (shown < (large ? 3 : 4.5)) wrong.push(`${words.slice(0, 30)} in ${one.tagName}: ${shown.toFixed(2)}`);
  }
  return [...new Set(wrong)];
}"""
FOCUSED = """() => {
  const one = document.activeElement, around = one.closest("label");
  const style = (each) => getComputedStyle(each);
  const lined = (each) => each && style(each).outlineStyle !== "none" && parseFloat(style(each).outlineWidth) >= 2;
  return [one === document.body ? "" : one.outerHTML.slice(0, 80), lined(one) || lined(around)];
}"""


@pytest.fixture(scope="module")
def browser():
    with (
        api.sync_playwright() as driver,
        driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as made,
    ):
        yield made


class Tab:
    """A tab, and what it asked for and complained about."""

    def __init__(self, context, site):
        self.page, self.site = context.new_page(), site
        self.asked, self.complaints = [], []
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))

    def open(self, path):
        self.page.goto(self.site.address + path)

    def start(self, game, seat="0", **parameters):
        self.open(f"/play?game={game}&agent-against=random&" + "&".join(f"p-{k}={v}" for k, v in parameters.items()))
        self.page.select_option("[name=seat]", seat)
        self.page.click("text=Start the match")
        self.page.wait_for_selector(READY, state="attached")
        self.page.wait_for_load_state("load")  # moves come with the page, the scripts after it

    def over(self):
        return self.page.query_selector("#result h2") is not None

    def turn(self):
        return self.page.get_attribute("#moves .actions [name=turn]", "value")

    def settle(self, turn):
        """Wait until the move of a turn has been made and answered."""
        self.page.wait_for_selector(f"#moves .actions [name=turn]:not([value='{turn}']), #result h2", state="attached")


@pytest.fixture
def tab(browser, site):
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    made = Tab(context, site)
    yield made
    assert not made.complaints
    assert all(url.startswith(site.address) for url in made.asked)  # no request to another host
    context.close()


def play_by_keyboard(tab):
    """Play a match with Tab, the arrows and Enter alone; returns how many moves were made."""
    for number in range(200):
        tab.page.wait_for_selector(READY, state="attached")
        if tab.over():
            return number
        turn = tab.turn()
        if number == 0:
            for _ in range(100):  # from the top of the page to the first move
                tab.page.keyboard.press("Tab")
                if tab.page.evaluate("document.activeElement.name") == "action":
                    break
        else:
            assert tab.page.evaluate("document.activeElement.name") == "action", "the focus was lost"
        tab.page.keyboard.press("ArrowRight")
        assert tab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        tab.page.keyboard.press("Enter")
        tab.settle(turn)
    raise AssertionError("the match did not end")


def play_by_mouse(tab):
    """Play a match by clicks on the board; returns how many moves were made."""
    for number in range(200):
        tab.page.wait_for_selector(READY, state="attached")
        if tab.over():
            return number
        turn = tab.turn()
        tab.page.click("#board g.move >> nth=0")
        tab.settle(turn)
    raise AssertionError("the match did not end")


def test_a_match_is_played_by_keyboard_and_walked_through(tab):
    tab.start("phantom-ttt")
    assert not tab.page.evaluate(AUDIT)
    assert play_by_keyboard(tab) >= 3
    assert tab.page.inner_text("#status") == "The game is over."
    tab.page.wait_for_selector("#step article")
    tab.page.click("[data-reel=first]")
    tab.page.wait_for_selector("h3:has-text('After 0 of')")
    tab.page.click("[data-reel=next]")
    tab.page.wait_for_selector("text=Where O thought your pieces were")
    assert tab.page.query_selector(".heatmap .heat") and len(tab.page.query_selector_all(".likely figure")) > 1
    assert tab.page.url.endswith("?step=1")
    tab.page.reload()  # the address of a step leads to it
    tab.page.wait_for_selector("text=Where O thought your pieces were")
    assert not tab.page.evaluate(AUDIT)


def test_after_a_match_of_fog_of_war_chess_the_page_shows_what_kluss_thought_and_found(tab):
    tab.open("/play?game=dark-chess&p-size=4&agent-against=kluss&iterations-against=4")
    tab.page.select_option("[name=seat]", "0")
    tab.page.click("text=Start the match")
    tab.page.wait_for_selector(READY, state="attached")
    turn = tab.turn()
    click_on(tab, "b2")
    click_on(tab, "a3")  # takes a pawn
    tab.settle(turn)
    if not tab.over():
        tab.page.click("text=Resign")
        tab.page.click("text=Yes, resign")
    tab.page.wait_for_selector("#step article")
    tab.page.click("[data-reel=first]")
    tab.page.wait_for_selector("h3:has-text('After 0 of')")
    tab.page.click("[data-reel=next]")
    tab.page.wait_for_selector("text=Where Black thought your men were")
    assert "as likely as the search took them to be" in tab.page.inner_text("#step .heatmap")
    assert tab.page.query_selector(".heatmap .heat") and tab.page.query_selector_all(".likely figure")
    assert not tab.page.evaluate(AUDIT)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_five_games_are_played_by_mouse_and_by_keyboard(tab, game):
    tab.start(game, seat="1")
    assert play_by_mouse(tab) >= 1
    tab.start(game)
    assert play_by_keyboard(tab) >= 1


def click_on(tab, place):
    tab.page.mouse.click(*middle(tab, place))


def middle(tab, place):
    """The middle of a place on the screen."""
    return middle_of(tab.page.locator(f'#board [data-place="{place}"]').first)


def middle_of(spot):
    """The middle of what a locator finds. A board that is drawn again meanwhile has another one there: then once more."""
    try:
        spot.scroll_into_view_if_needed()
    except api.Error:
        spot.scroll_into_view_if_needed()
    box = spot.bounding_box() or spot.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.slow
def test_men_move_by_clicks_on_two_places(tab):
    tab.start("breakthrough")
    turn = tab.turn()
    click_on(tab, "a2")  # where a man stands on the place
    assert tab.page.query_selector("#board .way.chosen[data-from=a2]")
    click_on(tab, "a3")
    tab.settle(turn)
    assert "a3" in tab.page.inner_text("#log")


@pytest.mark.slow
def test_every_view_has_names_and_roles_and_fits_a_narrow_dark_screen(browser, site):
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    tab = Tab(context, site)
    for view in VIEWS:
        tab.open(view)
        assert tab.page.evaluate(AUDIT) == [], view
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360, view
        ink, paper = (
            tab.page.evaluate(f"getComputedStyle(document.body).{what}") for what in ("color", "backgroundColor")
        )
        assert sum(map(int, re.findall(r"\d+", ink)[:3])) > sum(map(int, re.findall(r"\d+", paper)[:3]))
    tab.start("dark-hex")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert play_by_mouse(tab) >= 1
    tab.page.wait_for_selector("#step article")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not tab.complaints
    context.close()


def pale(tab):
    """What is too pale on a page by day and by night."""
    found = []
    for scheme in ("light", "dark"):
        tab.page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {words}" for words in tab.page.evaluate(PALE)]
    return found


def test_texts_can_be_read_by_day_and_by_night(tab):
    tab.start("siguo")
    assert pale(tab) == []
    tab.start("leduc")
    assert pale(tab) == []
    play_by_keyboard(tab)
    tab.page.wait_for_selector("#step article")
    assert pale(tab) == []


@pytest.mark.slow
def test_texts_of_all_views_can_be_read_by_day_and_by_night(tab):
    for view in VIEWS:
        tab.open(view)
        assert pale(tab) == [], view
    for game in ("chess", "dark-chess", "go", "dark-hex", "liars-dice", "luzhanqi", "goofspiel", "phantom-ttt"):
        tab.start(game)
        assert pale(tab) == [], game
    tab.open("/strategy?game=kuhn")
    tab.page.click("button:has-text('Open')")
    tab.page.wait_for_selector("#sets[data-ready='2'] .grid, #sets[data-ready='2'] .set")  # it is loaded anew before
    assert pale(tab) == []


def test_the_focus_can_be_seen_wherever_tab_leads(tab):
    tab.open("/play?game=leduc")
    for place in ("form", "match"):
        if place == "match":
            tab.start("leduc")
        reached = set()
        for _ in range(60):
            tab.page.keyboard.press("Tab")
            words, lined = tab.page.evaluate(FOCUSED)
            if not words or words in reached:
                break
            assert lined, words
            reached.add(words)
        assert len(reached) >= 10, place


@pytest.mark.slow
def test_two_tabs_show_the_same_match_and_a_reload_and_the_back_button_keep_it(tab):
    tab.start("phantom-ttt")
    other = Tab(tab.page.context, tab.site)
    other.page.goto(tab.page.url)
    other.page.wait_for_selector(READY, state="attached")
    turn = tab.turn()
    tab.page.click("#board .move[data-action='4']")
    tab.settle(turn)
    other.settle(turn)
    assert other.page.inner_text("#log ol li") == tab.page.inner_text("#log ol li") == "You: 4"
    board = board_of(tab)
    tab.page.reload()
    tab.page.wait_for_selector(READY, state="attached")
    assert board_of(tab) == board
    tab.page.click("header a:has-text('Runs')")
    tab.page.go_back()
    tab.page.wait_for_selector(READY, state="attached")
    assert board_of(tab) == board
    assert not other.complaints


def board_of(tab):
    """The board, whichever move of the list is looked at."""
    return re.sub(' hint|<svg [^>]*>| class="piece[^"]*"', "", tab.page.inner_html("#board"))


@pytest.mark.slow
def test_nothing_jumps_while_the_others_think(tab):
    tab.start("phantom-ttt")

    def places():
        return [tab.page.query_selector(id).bounding_box()["y"] for id in ("#board", "#moves", "#log")]

    before, turn = places(), tab.turn()
    tab.page.click("#board .move[data-action='4']")
    tab.settle(turn)
    assert places() == before


@pytest.mark.slow
def test_a_watched_match_runs_pauses_and_steps(tab):
    tab.open("/watch?game=phantom-ttt&agent-0=random&agent-1=random")
    tab.page.click("text=Start the match")
    tab.page.wait_for_selector("#step figcaption:has-text('The truth')")
    tab.page.wait_for_selector("h3:has-text('After 2 of')")  # it runs by itself
    tab.page.click("[data-reel=run]")
    tab.page.click("[data-reel=first]")
    tab.page.wait_for_selector("h3:has-text('After 0 of')")
    tab.page.focus("#reel-at")
    tab.page.keyboard.press("ArrowRight")
    tab.page.wait_for_selector("h3:has-text('After 1 of')")
    assert not tab.page.evaluate(AUDIT)


@pytest.mark.slow
def test_curves_grow_and_a_strategy_unfolds(tab):
    tab.open("/curves?game=kuhn")
    tab.page.fill("[name=bandits]", "rm")
    tab.page.fill("[name=iterations]", "1000")
    tab.page.fill("[name=runs]", "2")
    tab.page.click("button:has-text('Start')")
    tab.page.wait_for_selector("#status:has-text('finished')")
    assert len(tab.page.query_selector_all("#plot polyline")) == 2  # the search and the equilibrium
    assert not tab.page.evaluate(AUDIT)
    tab.open("/strategy?game=kuhn")
    tab.page.click("button:has-text('Open')")
    tab.page.wait_for_selector(".set")
    tab.page.click("summary:has-text('after pass') >> nth=0")
    tab.page.wait_for_selector(".sets .sets .set")
    assert not tab.page.evaluate(AUDIT)


def test_an_answer_that_the_stream_has_overtaken_does_not_undo_it(tab):
    tab.start("tic-tac-toe")
    turn = tab.turn()

    def late(route):
        message = route.fetch().json()
        message["version"] -= 1  # what was true before the other had answered
        message["parts"] |= {"status": "The others are thinking.", "moves": ""}
        tab.page.wait_for_timeout(300)
        route.fulfill(json=message)

    tab.page.route("**/move", late)
    tab.page.click("#board .move[data-action='4']")
    tab.settle(turn)
    tab.page.wait_for_function("() => !sending.size")
    assert tab.page.inner_text("#status") == "Your move." and tab.turn() != turn


def test_a_move_is_sent_while_the_answer_to_the_one_before_is_on_its_way(tab):
    tab.start("tic-tac-toe")
    turn, held = tab.turn(), []
    tab.page.route("**/move", lambda route: (route.fetch(), held.append(route)) if not held else route.continue_())
    tab.page.click("#board .move[data-action='4']")
    tab.settle(turn)  # the stream has brought the next turn
    turn = tab.turn()
    assert tab.page.evaluate("sending.size") == 1
    tab.page.click("#board g.move >> nth=0")
    tab.settle(turn)
    held[0].fulfill(json={})


@pytest.mark.slow
def test_a_refusal_of_the_guard_is_said_in_its_own_words(tab):
    tab.start("kuhn")
    refusal = {"status": 403, "content_type": "text/plain", "body": "This form is not from a page of this server."}
    tab.page.route("**/move", lambda route: route.fulfill(**refusal))
    tab.page.click("#moves .actions button >> nth=0")
    tab.page.wait_for_selector("#trouble:has-text('This form is not from a page of this server.')")
    tab.complaints.clear()  # the browser's own line about the refusal


@pytest.mark.slow
def test_a_killed_worker_is_said_on_the_page(tab):
    def workers():
        found = set()
        for name in filter(str.isdecimal, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read()
                with open(f"/proc/{name}/stat") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if b"fogtree.web.worker" in words and parent == os.getpid():
                found.add(int(name))
        return found

    before = workers()
    tab.start("kuhn")
    (mine,) = workers() - before
    os.kill(mine, signal.SIGKILL)
    tab.page.wait_for_selector("#status:has-text('The process that did this work has ended')")
    assert tab.page.query_selector("#moves button") is None


# --- a real mouse: every move is played by a click where it belongs ---

TOUR = ["chess", "dark-chess", "go", "siguo"]
REST = ["breakthrough", "connect-four", "dark-hex", "goofspiel", "leduc", "liars-dice", "phantom-ttt", "tic-tac-toe"]
AS_BEFORE = """() => {
  origin = null;
  if (typeof dress === "function") dress();
  document.querySelectorAll("#board .piece[transform]").forEach((one) => one.removeAttribute("transform"));
}"""
SENT = []  # the actions that the page has sent


def hold(tab):
    """The page sends its moves, and they are written down and refused, so that each can be tried from the same position."""
    SENT.clear()

    def refuse(route):
        fields = dict(part.split("=") for part in route.request.post_data.split("&"))
        SENT.append(fields["action"])
        route.fulfill(status=200, content_type="application/json", body='{"parts": {}}')

    tab.page.route("**/move", refuse)


def try_every_move(tab, most=10_000):
    """Click on every move of a position; returns how many were tried. A wrong one fails."""
    moves = tab.page.evaluate(
        """() => [...document.querySelectorAll("#board .move")].map((one) =>
             [one.dataset.action, one.dataset.from || "", one.dataset.to || "", one.dataset.label])"""
    )
    assert {action for action, *_ in moves} == set(
        tab.page.eval_on_selector_all("#moves .actions button", "all => all.map((one) => one.value)")
    )
    for action, origin, target, label in moves[:most]:
        SENT.clear()
        if origin:
            click_on(tab, origin)
            click_on(tab, target)
            if picked := tab.page.query_selector(f'.picker button[aria-label="{label}"]'):
                assert not SENT, "it did not ask"
                picked.click()
        else:
            tab.page.mouse.click(*middle_of(tab.page.locator(f'#board .move[data-action="{action}"]').first))
        for _ in range(100):  # the machine may be busy
            if SENT:
                break
            tab.page.wait_for_timeout(10)
        assert [action] == SENT, f"{label} was clicked, and {SENT} was sent"
        tab.page.wait_for_function("() => !sending.size")
        tab.page.evaluate(AS_BEFORE)
    return len(moves)


@pytest.mark.parametrize("game", TOUR)
def test_every_target_plays_the_move_that_it_shows(tab, game):
    tab.start(game)
    hold(tab)
    assert try_every_move(tab, 30) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("game", REST)
def test_every_target_plays_the_move_that_it_shows_in_the_other_games(tab, game):
    tab.start(game, seat="1")
    hold(tab)
    assert try_every_move(tab) >= 2


def test_what_the_stream_begins_with_is_not_drawn_again(tab):
    # a man that was just taken up would be put down
    tab.start("dark-chess")
    tab.page.add_init_script(
        """document.addEventListener("DOMContentLoaded", () => {
             window.drawn = 0;
             new MutationObserver(() => (window.drawn += 1)).observe(document.getElementById("board"), { childList: true });
           })"""
    )
    tab.page.reload()
    tab.page.wait_for_function('() => document.getElementById("board").dataset.html')  # the stream has told of it
    assert tab.page.evaluate("window.drawn") == 0


def start_at(tab, game, where):
    tab.open(f"/play?game={game}&from={urllib.parse.quote(where)}")
    for fold in tab.page.query_selector_all("form details"):
        fold.evaluate("one => (one.open = true)")
    tab.page.select_option("[name=agent-against]", "random")
    tab.page.click("text=Start the match")
    tab.page.wait_for_selector(READY, state="attached")


def test_a_pawn_that_arrives_asks_what_it_shall_become_and_a_drag_plays_too(tab):
    start_at(tab, "chess", "8/P5k1/8/8/8/8/8/R3K2R w KQ - 0 1")
    turn = tab.turn()
    click_on(tab, "a7")
    click_on(tab, "a8")
    names = [one.get_attribute("aria-label") for one in tab.page.query_selector_all(".picker button")]
    assert names == ["a8=Q", "a8=R", "a8=B", "a8=N"] and tab.turn() == turn  # the queen first
    tab.page.keyboard.press("Escape")
    assert tab.page.query_selector(".picker") is None
    click_on(tab, "a7")
    tab.page.mouse.dblclick(*middle(tab, "a8"))  # the second click falls on the picker that the first one opened
    assert tab.page.query_selector(".picker") is not None and tab.turn() == turn
    tab.page.keyboard.press("Escape")
    hold(tab)
    assert try_every_move(tab) == 28  # by hand: rooks 8 and 9, king 7 with both castlings, the pawn 4
    tab.page.unroute("**/move")
    tab.page.mouse.move(*middle(tab, "a1"))
    tab.page.mouse.down()
    tab.page.mouse.move(*middle(tab, "a3"), steps=4)
    tab.page.mouse.move(*middle(tab, "a4"), steps=4)
    tab.page.mouse.up()
    tab.settle(turn)
    assert tab.page.inner_text("#log ol li >> nth=0") == "You: Ra4"
    assert len(tab.page.query_selector_all("#board .mark-last")) == 2


def test_a_match_is_resigned_after_a_question_and_then_walked_through(tab):
    tab.start("chess")
    turn = tab.turn()
    click_on(tab, "e2")
    click_on(tab, "e4")
    tab.settle(turn)
    assert tab.page.query_selector("text=End the match") is None
    tab.page.click("summary:has-text('Resign')")
    assert tab.page.inner_text("#status") == "Your move."
    tab.page.click("text=Yes, resign")
    tab.page.wait_for_selector(".outcome:has-text('You lost: you resigned.')")
    tab.page.wait_for_selector("#step h3:has-text('After 1 of 2 moves: Black plays')")  # the last decision
    assert not tab.page.evaluate(AUDIT)


def test_the_board_is_flipped_and_stays_so(tab):
    tab.start("chess")
    before = middle(tab, "a1")
    tab.page.click("text=Flip the board")
    tab.page.wait_for_function(
        "y => document.querySelector('#board [data-place=a1]').getBoundingClientRect().y < y", arg=before[1] - 50
    )
    turn = tab.turn()
    click_on(tab, "g1")
    click_on(tab, "f3")
    tab.settle(turn)
    assert "Nf3" in tab.page.inner_text("#log") and middle(tab, "a1")[1] < before[1] - 50


def test_a_whole_table_of_cards_is_seen_in_a_window_of_middle_width(browser, site):
    context = browser.new_context(viewport={"width": 800, "height": 740})
    tab = Tab(context, site)
    tab.start("leduc")
    high, seen = tab.page.evaluate(
        "(board => [board.scrollHeight, board.clientHeight])(document.querySelector('#board'))"
    )
    assert high <= seen + 1
    context.close()


def test_large_boards_can_be_read_and_hit_on_a_phone(browser, site):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    tab = Tab(context, site)
    for game in ("siguo", "go"):
        tab.start(game)
        small = tab.page.evaluate(
            """() => {
              const size = (one) => one.getBoundingClientRect();
              const texts = [...document.querySelectorAll("#board text")].map((one) =>
                Number(one.getAttribute("font-size")) * document.querySelector("#board svg").getScreenCTM().a);
              const spots = [...document.querySelectorAll("#board .move:not(.way), #board [data-place]:not(.piece)")]
                .map((one) => Math.min(size(one).width, size(one).height));
              return [Math.min(...texts), Math.min(...spots)];
            }"""
        )
        assert small[0] >= 11 and small[1] >= 24, (game, small)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
        wide = tab.page.evaluate("document.querySelector('#board svg').clientWidth")
        tab.page.click("[aria-label='Larger board']")
        assert tab.page.evaluate("document.querySelector('#board svg').clientWidth") > wide
    assert not tab.complaints
    context.close()


# --- poker spots ---


def weight_of(tab, who, group):
    return float(tab.page.get_attribute(f"[data-range={who}] [data-group={group}]", "data-weight") or 0)


def test_a_spot_is_put_together_by_mouse_solved_and_walked_through(browser, open_site, tmp_path):
    with open_site(spots=str(tmp_path)) as site:
        context = browser.new_context(viewport={"width": 1100, "height": 900})
        tab = Tab(context, site)
        page = tab.page
        tab.open("/spots?example=turn")
        page.wait_for_selector("[data-card=Qc][aria-pressed=true]")
        page.click("[data-card=Qc]")  # away, and two other cards
        page.click("[data-card='2s']")
        page.click("[data-card='3s']")
        assert page.input_value("[name=board]") == "Td 9d 6h 2s 3s"
        page.wait_for_selector("[data-street=turn]", state="hidden")
        for who in ("oop", "ip"):
            page.click(f"[data-clear={who}]")
        page.locator("[data-range=oop] [data-group=AA]").scroll_into_view_if_needed()
        first, last = (page.locator(f"[data-range=oop] [data-group={group}]").bounding_box() for group in ("AA", "AQs"))
        middle = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (first, last)]
        page.mouse.move(*middle[0])  # painted by one stroke
        page.mouse.down()
        page.mouse.move(*middle[1], steps=8)
        page.mouse.up()
        page.select_option("[data-brush=ip]", "50")
        page.click("[data-range=ip] [data-group=QQ]")
        page.click("[data-range=ip] [data-group=KK]")
        page.click("[data-range=ip] [data-group=KK]")  # painted and taken out again
        api.expect(page.locator("[name=ip]")).to_have_value("QQ:0.5")
        api.expect(page.locator("[name=oop]")).to_have_value("AA,AQs+")
        assert (
            weight_of(tab, "oop", "AKs") == 1 and weight_of(tab, "ip", "QQ") == 0.5 and weight_of(tab, "ip", "KK") == 0
        )
        page.fill("[name=pot]", "many")
        page.wait_for_selector("[data-error=pot]:has-text('whole number of chips')")
        page.click("button.big")  # it stays, at the field that is wrong
        api.expect(page.locator("[name=pot]")).to_be_focused()
        page.fill("[name=pot]", "100")
        page.click("summary:has-text('Rake')")
        page.fill("[name=rake]", "200")
        page.click("summary:has-text('Rake')")
        page.click("button.big")  # what is wrong is unfolded
        api.expect(page.locator("[name=rake]")).to_be_focused()
        page.fill("[name=rake]", "0")
        tab.complaints.clear()  # the browser's own lines about the refusals
        assert not page.evaluate(AUDIT) and pale(tab) == []
        page.click("button.big")
        page.wait_for_selector("#view [data-hand=AA]")
        page.click(".steps .here a:has-text('check')")
        page.wait_for_selector("h2:has-text('River, IP to move')")
        assert page.url.endswith("?line=check") and page.query_selector("[data-hand=AA]") is None
        page.hover("[data-hand=QQ]")
        page.wait_for_selector("#hand h3:has-text('QQ of IP')")
        assert len(page.query_selector_all("#hand .combo")) == 6
        page.click("#hand button:has-text('Blockers')")
        page.wait_for_selector("#hand .combo :text('takes away')")
        assert len(page.query_selector_all("#hand .combo")) == 6, "beside the blockers the suits stay"
        page.click(".tabs a:has-text('Equity')")
        page.wait_for_selector(".tabs a[aria-current]:has-text('Equity')")
        assert not page.evaluate(AUDIT) and pale(tab) == []
        page.go_back()
        page.go_back()
        page.wait_for_selector("h2:has-text('River, OOP to move')")
        page.click(".steps .here a:has-text('check')")
        page.wait_for_selector("h2:has-text('River, IP to move')")
        page.click(".steps .here a:has-text('check')")
        page.wait_for_selector("h2:has-text('River, the end')")
        page.wait_for_url("**?line=check,check")
        assert page.inner_text("#trouble") == ""
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.click("a:has-text('Play against it')")
        page.click("button:has-text('Deal me OOP')")
        page.wait_for_selector("[name=step], .costs", state="attached")
        while page.query_selector(".costs") is None:  # a hand ends
            step = page.get_attribute("[name=step]", "value")
            page.click("[name=action] >> nth=0")
            page.wait_for_selector(f"[name=step]:not([value='{step}']), .costs", state="attached")
        assert not page.evaluate(AUDIT) and pale(tab) == []
        assert not tab.complaints and all(url.startswith(site.address) for url in tab.asked)
        context.close()
