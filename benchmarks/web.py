"""The page: how long its first paint and a click take in a real browser, and what 20 live curves cost the server.

The first paint is what the browser itself reports (First Contentful Paint) of the gallery of games, the largest page. A click
is a move against agents that do not search: from the click that plays it to the new board, which is parsed and sized by then.
The server's load is its processor time while 20 clients follow a comparison whose worker is not counted. On a busy machine
all of these take longer; the bars are for an idle one.
"""

import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

from row import Row

LONG = True  # half a minute, and it needs a browser
PAINT_BAR, CLICK_BAR, LOAD_BAR = 150.0, 30.0, 10.0  # ms | ms | % of a core
REPEATS, TABS, SECONDS = 9, 20, 10.0
GAMES = ("siguo", "go&p-side=19", "chess", "dark-chess", "leduc", "tic-tac-toe")  # in which clicks are timed

# Plays a move by a click on a shape, or on a place after one on another, and tells when the board has changed.
PRESS = """(number) => new Promise((done) => {
  const board = document.getElementById("board");
  const click = (one) => one.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const on = (place) => board.querySelector(`[data-place="${place}"]`);
  const all = [...board.querySelectorAll("g.move")].filter((one) => !one.querySelector(".choice"));
  const move = all[number % all.length];
  if (move.dataset.from) click(on(move.dataset.from));
  const start = performance.now();
  const told = () => done(board.getBoundingClientRect() && performance.now() - start);
  new MutationObserver(told).observe(board, {childList: true});
  click(move.dataset.to ? on(move.dataset.to) : move);
})"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def measure() -> list[Row]:
    from playwright.sync_api import sync_playwright

    words = [sys.executable, "-m", "fogtree", "web", "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+/", server.stdout.readline())[0].rstrip("/")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(address)  # draws the pictures of the games, once
            paints = [first_paint(browser, address) for _ in range(REPEATS)]
            clicks = {game: clicks_in(page, address, game) for game in GAMES}
            page.goto(f"{address}/curves?game=kuhn")
            page.fill("[name=bandits]", "rm")
            page.fill("[name=iterations]", "100000000")
            page.click("button:has-text('Start')")
            page.wait_for_selector("#plot polyline", timeout=120_000)
            curves = page.url
            browser.close()
        load = load_of(server.pid, f"{curves}/events")
    finally:
        server.terminate()
        server.wait()
    return [
        Row(
            "first paint of the gallery", statistics.median(paints), bar=PAINT_BAR, unit="ms", peer="none", at_most=True
        ),
        *(
            Row(
                f"a click in {game.partition('&')[0]} without search",
                statistics.median(clicks[game]),
                bar=CLICK_BAR,
                unit="ms",
                peer="none",
                at_most=True,
            )
            for game in GAMES
        ),
        Row(f"{TABS} live curves", load, bar=LOAD_BAR, unit="% of a core", peer="none", at_most=True),
    ]


def first_paint(browser, address: str) -> float:
    """In a window that has nothing cached."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    found = page.wait_for_function(PAINT).json_value()
    context.close()
    return found


def clicks_in(page, address: str, game: str) -> list[float]:
    """How long clicks take in matches of a game, in milliseconds."""
    found: list[float] = []
    while len(found) < REPEATS:  # each match has a move at least
        page.goto(f"{address}/play?game={game}&agent-against=random&agent-partner=random&seat=0")
        page.click("text=Start the match")
        while len(found) < REPEATS and is_ones_move(page):
            found.append(page.evaluate(PRESS, len(found)))
            page.wait_for_timeout(400)
    return found


def is_ones_move(page) -> bool:
    """Whether there is a move to make, when the match stands still."""
    there = page.wait_for_selector("#moves .actions button, #result h2", state="attached", timeout=60_000)
    return there.evaluate("one => one.tagName") == "BUTTON"


def load_of(pid: int, stream: str) -> float:
    """Percent of a core that a process takes while many clients read a stream."""
    import httpx

    def read() -> None:
        with httpx.stream("GET", stream, timeout=60) as answer:
            for _ in answer.iter_raw():
                if time.monotonic() > end:
                    return

    end = time.monotonic() + SECONDS + 2
    readers = [threading.Thread(target=read, daemon=True) for _ in range(TABS)]
    for reader in readers:
        reader.start()
    time.sleep(1.0)
    before, began = ticks(pid), time.monotonic()
    time.sleep(SECONDS)
    return (ticks(pid) - before) / (time.monotonic() - began)


def ticks(pid: int) -> float:
    """Hundredths of a second that a process has worked."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return float(fields[11]) + float(fields[12])
