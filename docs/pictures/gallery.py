"""Draws the pictures of the gallery, and its page: `python docs/pictures/gallery.py`. A test compares them."""

import pathlib

import numpy as np

import fogtree as ft
from fogtree.games import SHELF

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parent / "gallery.md"
SEED = 7
FAR = {  # how many moves of a random game are played, chance's included; 60 % of it where nothing is said
    "siguo": 160,
    "luzhanqi": 100,
    "chess": 24,
    "dark-chess": 24,
    "go": 40,
    "phantom-go": 9,
    "breakthrough": 20,
    "connect-four": 16,
    "small-army": 12,
}
SAID = {  # where a game is shown instead of somewhere in a random game
    "kuhn": "Q K pass bet",
    "matrix": "",
    "bimatrix": "",
    "phantom-ttt": "4 4 0 0 8 1",
    "dark-hex": "4 4 0 0 2 6",
    "holdem": "crc/crc/c:9h8c|Kd2d/2s9cTc/Jh",
    "liars-dice": "3 6 1x3 2x4",
    "tic-tac-toe": "4 0 8 2",
}
TREES = {"kuhn": "kuhn", "matrix": "matrix", "rounds": "rounds"}


def middle(game, name):
    """A state of the game."""
    if name in SAID:
        return ft.at(game, SAID[name]).state if SAID[name] else ft.new_state(game)
    random, state, moves = np.random.default_rng(SEED), ft.new_state(game), []
    with np.errstate(over="ignore"):
        while (actions := ft.legal(game, state)) and len(moves) < FAR.get(name, 1000):
            moves.append(int(random.choice(actions)))
            game.step(state, moves[-1])
        game.start(state)
        for move in moves[: FAR.get(name, round(0.6 * len(moves)))]:
            game.step(state, move)
    return state


def pictures():
    """File name -> picture: of each game what the referee and player 0 see, and some whole trees."""
    found = {}
    for name in SHELF:
        game = ft.load(name)
        state = middle(game, name)
        found[f"{name}.svg"] = ft.picture(game, state)
        if not game.shape().open:
            found[f"{name}-0.svg"] = ft.picture(game, state, 0)
    for name, text in TREES.items():
        found[f"{name}-tree.svg"] = ft.tree(ft.load(text))
    return found


def page(names):
    """The gallery as Markdown."""
    lines = [
        "# Gallery",
        "",
        "Every game as people see it: first all that the referee sees, and below it what player 0 sees if that is less. The",
        "pictures are made by `docs/pictures/gallery.py` with `ft.picture(game, state, player)`. The options `--svg` and",
        "`--tree` of `fogtree show` make such pictures too.",
        "",
    ]
    for name in SHELF:
        lines += [f"## [{name}](games/{name}.md)", ""]
        shown = [f"![{name}: what the referee sees](pictures/games/{name}.svg)"]
        if f"{name}-0.svg" in names:
            shown.append(f"![{name}: what player 0 sees](pictures/games/{name}-0.svg)")
        lines += [*shown, ""]
        if name in TREES:
            lines += [f"The whole tree, information sets joined: `fogtree show {name} --tree FILE`.", ""]
            lines += [f"![the tree of {name}](pictures/games/{name}-tree.svg)", ""]
    lines += ["## Measurements", ""]
    lines += ["Pictures of measurements stand on the pages of the papers: see [the index](index.md). Two of them:", ""]
    lines += ["![total exploitability against iterations in Leduc hold'em](pictures/leduc.svg)", ""]
    lines += ["![Phantom Tic-Tac-Toe: what the referee and both players see](pictures/phantom-ttt.svg)", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    found = pictures()
    for name, text in found.items():
        (HERE / "games" / name).write_text(text)
    PAGE.write_text(page(found))
