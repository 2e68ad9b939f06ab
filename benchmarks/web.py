"""The page: how long its first paint and a click take in a real browser, and what 20 live curves cost the server.

The first paint is what the browser itself reports (First Contentful Paint) of the gallery of games, the largest page. A click
is a move of Tic-Tac-Toe against an agent that does not search: from the press of the mouse to the new board. The server's
load is its processor time while 20 clients follow a comparison whose worker is not counted. On a busy machine all of these
take longer; the bars are for an idle one.
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
PAINT_BAR, CLICK_BAR, LOAD_BAR = 150.0, 50.0, 10.0  # ms | ms | % of a core
REPEATS, TABS, SECONDS = 9, 20, 10.0

# Presses a shape of the board, and tells when the board has changed.
PRESS = """() => new Promise((done) => {
  const start = performance.now(), place = document.getElementById("board");
  new MutationObserver(() => done(performance.now() - start)).observe(place, {childList: true});
  document.querySelector("#board g.move").dispatchEvent(new MouseEvent("click", {bubbles: true}));
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
            paints, clicks = [first_paint(browser, address) for _ in range(REPEATS)], []
            while len(clicks) < REPEATS:
                clicks += clicks_of_a_match(page, address)
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
        Row("a click without search", statistics.median(clicks), bar=CLICK_BAR, unit="ms", peer="none", at_most=True),
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


def clicks_of_a_match(page, address: str) -> list[float]:
    page.goto(f"{address}/play?game=tic-tac-toe")
    page.select_option("[name=agent-against]", "random")
    page.click("text=Start the match")
    found = []
    while (
        page.wait_for_selector("#moves .actions button, #result h2", timeout=60_000).evaluate("e => e.tagName")
        == "BUTTON"
    ):
        found.append(page.evaluate(PRESS))
        page.wait_for_timeout(400)
    return found


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
