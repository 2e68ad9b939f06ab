"""Takes the pictures of the page in docs/web.md: `python docs/pictures/page.py`, or only some: `... page.py play watch`.

It needs Chromium and playwright, as the tests in a browser do. Each picture is `web-NAME.png` beside this file. That of the
runs is not among them, for it needs a store with runs in it.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
SIZE = {"width": 1100, "height": 820}
PATIENCE = 120_000  # milliseconds, with what is compiled


def start(page: Any, address: str) -> None:
    """Open a form and start its match."""
    page.goto(address)
    page.click("text=Start the match")


def begun(page: Any) -> None:
    page.wait_for_selector("#moves .actions button", state="attached")


def board(page: Any, site: str) -> None:
    start(page, f"{site}/play?game=dark-chess&agent-against=random&seat=0")
    for origin, target in (("e2", "e4"), ("g1", "f3"), ("f1", "c4")):
        begun(page)
        turn = page.get_attribute("#moves .actions [name=turn]", "value")
        for place in (origin, target):
            page.locator(f'#board [data-place="{place}"]').first.click(force=True)
        page.wait_for_selector(f"#moves .actions [name=turn]:not([value='{turn}'])", state="attached")


def play(page: Any, site: str) -> None:
    start(page, f"{site}/play?game=phantom-ttt&agent-against=rm&iterations-against=3000&seat=0")
    while True:  # a match of nine places ends
        page.wait_for_selector("#moves .actions button, #result h2", state="attached")
        if page.query_selector("#result h2"):
            break
        turn = page.get_attribute("#moves .actions [name=turn]", "value")
        page.click("#board g.move >> nth=0")
        page.wait_for_selector(f"#moves .actions [name=turn]:not([value='{turn}']), #result h2", state="attached")
    page.wait_for_selector("#step .heatmap, #step article")
    page.click("[data-reel=back]")
    page.wait_for_selector("#step .heatmap")
    page.evaluate("document.getElementById('review').scrollIntoView()")


def gallery(page: Any, site: str) -> None:
    page.goto(f"{site}/play")
    page.wait_for_function("[...document.images].slice(0, 8).every((one) => one.complete)")


def watch(page: Any, site: str) -> None:
    start(page, f"{site}/watch?game=phantom-ttt&agent-0=random&agent-1=random&seed=5")
    page.wait_for_selector("h3:has-text('After 4 of')")
    page.click("[data-reel=run]")
    page.wait_for_selector("#step .heatmap")
    page.evaluate("document.getElementById('review').scrollIntoView()")


def curves(page: Any, site: str) -> None:
    page.goto(f"{site}/curves?game=kuhn")
    page.fill("[name=iterations]", "20000")
    page.click("button:has-text('Start')")
    page.wait_for_selector("#status:has-text('finished')")


def strategy(page: Any, site: str) -> None:
    page.goto(f"{site}/strategy?game=leduc")
    page.click("button:has-text('Open')")
    page.wait_for_selector("#sets[data-ready='2'] .grid, #sets[data-ready='2'] .set")


def spots(page: Any, site: str) -> None:
    page.goto(f"{site}/spots?example=turn")
    page.wait_for_selector("[data-told]:has-text('combinations')")
    page.click("button.big")
    page.wait_for_selector("#view .hands")
    page.click(".steps .here a:has-text('check')")
    page.wait_for_selector("h2:has-text('IP to move')")
    page.click(".hands [data-hand=A7s]")
    page.wait_for_selector("#hand .combo")


def papers(page: Any, site: str) -> None:
    page.goto(f"{site}/papers")


SHOTS = {
    "board": board,
    "play": play,
    "gallery": gallery,
    "watch": watch,
    "curves": curves,
    "strategy": strategy,
    "spots": spots,
    "papers": papers,
}


def main(names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    if wrong := [name for name in names if name not in SHOTS]:
        sys.exit(f"There is no picture '{wrong[0]}': valid are {', '.join(SHOTS)}.")
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "fogtree", "web", "--port", "0", "--store", f"{folder}/runs.sqlite"]
        words += ["--spots", f"{folder}/spots"]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        try:
            site = re.search(r"http://\S+/", server.stdout.readline())[0].rstrip("/")
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
                for name in names or SHOTS:
                    page = browser.new_page(viewport=SIZE)
                    page.set_default_timeout(PATIENCE)
                    SHOTS[name](page, site)
                    page.wait_for_timeout(300)  # for what is still painted
                    page.screenshot(path=HERE / f"web-{name}.png")
                    print(f"web-{name}.png", flush=True)
                    page.close()
                browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
