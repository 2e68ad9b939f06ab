"""Tables of a solved spot: next cards, sorts of hands, one hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.text import Text

from ...draw.hand_grid import colours
from .figures import columns, decimal

OOP, IP = "OOP", "IP"
BAR = 12  # letters of a bar of actions
GOOD, BAD = "green", "red"
SUITS = {"s": "bold", "h": "bold red", "d": "bold bright_blue", "c": "bold green"}
NEXT, GETS, SORTS = 40, 9, 42  # columns that the numbers of a card take, IP's chips, and the numbers of a sort
REPORT, ACTION = 46, 7  # columns that the numbers of a flop take, and the share of an action
NOTED = 0.005  # a change of equity from which on it is coloured


def percent(share: float, digits: int = 1) -> str:
    return "" if np.isnan(share) else decimal(100 * share, digits)


def chips(number: float) -> str:
    return "" if np.isnan(number) else decimal(number, 2)


def suited(told: Text) -> Text:
    """Cards that stand alone in a text, each in the colour of its suit."""
    for suit, style in SUITS.items():
        told.highlight_regex(rf"\b[2-9TJQKA]{suit}\b", style)
    return told


def bar(share: Any, actions: Sequence[str]) -> Text:
    """Actions as colours, as long as each is played."""
    text, edges = Text(), np.cumsum(share)
    paint = [f"rgb{colour}".replace(" ", "") for colour in colours(actions)]
    for i in range(BAR):
        text.append(" ", f"on {paint[int(min(np.searchsorted(edges, (i + 0.5) / BAR * edges[-1]), len(paint) - 1))]}")
    return text


def next_table(game: Any, cards: Sequence[Any], equity: float, coloured: bool, width: int) -> Any:
    """The next cards: how often each comes, what it does to the equity, what both expect, how the first to act plays. On a
    narrow screen there are no bars, and then no chips of IP, which are the rest of the pot."""
    actions = cards[0].actions if cards else []
    taken = NEXT + 8 * len(actions)
    bars = coloured and bool(actions) and taken + GETS + BAR <= width
    both = taken + GETS <= width
    players = (0, 1) if both else (0,)
    made = columns(
        ["card"],
        ["comes", f"{OOP} equity", "change", *(f"{(OOP, IP)[p]} gets" for p in players), *actions],
        title="the next card; shares in percent",
        title_justify="left",
        title_style="",
        padding=(0, 1, 0, 0),
    )
    if bars:
        made.add_column("", min_width=BAR, no_wrap=True)
    half = game.pot / 2
    for one in cards:
        change = one.equity - equity
        style = GOOD if change > NOTED else BAD if change < -NOTED else ""
        known = one.chance > 0  # of a card that never comes, nothing is
        row: list[Any] = [
            suited(Text(" ".join(game.face(card) for card in one.cards))),
            percent(one.chance),
            percent(one.equity),
            Text(f"{100 * change:+.1f}" if np.isfinite(change) else "", style),
            *(chips(one.value[p] + half) if known else "" for p in players),
            *(percent(share, 0) if known else "" for share in one.frequency),
        ]
        made.add_row(*row, *([bar(one.frequency, actions)] if bars and known else []))
    return made


def class_table(
    game: Any, title: str, listed: Sequence[Any], actions: Sequence[str], coloured: bool, width: int
) -> Any:
    """Sorts of a player's hands: how much of the range, what they are worth, how they are played."""
    made = columns(
        ["hands"],
        ["share", "equity", "gets", *actions],
        title=title,
        title_justify="left",
        title_style="",
        padding=(0, 1, 0, 0),
    )
    for column in made.columns[1:4]:
        column.no_wrap = True
    bars = coloured and bool(actions) and SORTS + 8 * len(actions) + BAR <= width
    if bars:
        made.add_column("", min_width=BAR, no_wrap=True)
    for one in listed:
        row: list[Any] = [one.name, percent(one.share), percent(one.equity), chips(one.value + game.pot / 2)]
        row += [percent(share, 0) for share in one.frequency]
        made.add_row(*row, *([bar(one.frequency, actions)] if bars else []))
    return made


def action_table(game: Any, actions: Sequence[str], mix: Any, worth: Any) -> Any:
    """What one hand may do: how often it does, what it gets, what it loses against the best."""
    best = np.nanmax(worth) if np.isfinite(worth).any() else np.nan
    rows = [
        (action, percent(share), chips(value + game.pot / 2), chips(best - value))
        for action, share, value in zip(actions, mix, worth, strict=True)
    ]
    return columns(["action"], ["plays", "gets", "loses"], rows, padding=(0, 2, 0, 0))


def cost_table(game: Any, title: str, costs: Sequence[Any]) -> Any:
    """What each decision of a hand cost, and what was better."""
    rows = []
    for one in costs:
        played = ", ".join(f"{a} {percent(s, 0)} %" for a, s in zip(one.actions, one.mix, strict=True) if s >= NOTED)
        board = "".join(game.face(card) for card in one.cards[3:]) or "flop"
        best = one.actions[int(np.argmax(one.worth))] if np.isfinite(one.worth).all() else ""
        loss = Text(chips(one.loss), BAD if one.loss > NOTED * game.pot else "")
        rows.append((board, one.actions[one.taken], loss, best, played))
    made = columns(["cards", "you"], ["cost"], title=title, title_justify="left", title_style="", padding=(0, 2, 0, 0))
    made.add_column("best")
    made.add_column("the solution plays")
    for row in rows:
        made.add_row(*row)
    return made


def flops_tables(pot: float, labels: Sequence[str], found: Sequence[Any], whole: Any, width: int) -> list[Any]:
    """A row for each flop, and the weighted mean below. On a narrow screen IP's decisions stand in a table of their own."""
    named = [[f"{who} {action}" for action in found[0].actions[p]] for p, who in enumerate((OOP, IP))]
    parts = [(0, 1)] if REPORT + ACTION * sum(map(len, named)) <= width else [(0,), (1,)]
    title = f"a pot of {pot:g}; equity and chips of {OOP}; first decisions, {IP}'s after a check; shares in percent"
    tables = []
    for players in parts:
        numbers = ["weight", "equity", f"{OOP} gets", "sure to"] if 0 in players else []
        made = columns(
            ["flop"],
            numbers + [action for p in players for action in named[p]],
            title=title if 0 in players else f"{IP} after a check",
            title_justify="left",
            title_style="",
            padding=(0, 1, 0, 0),
            show_footer=True,
        )
        for column in made.columns[: 1 + len(numbers)]:
            column.no_wrap = True

        def cells(one: Any, weight: float, players: Any = players, numbers: Any = numbers) -> list[str]:
            about = [percent(weight, 2), percent(one.equity), chips(one.values[0]), f"{one.percent:.2f} %"]
            return about[: len(numbers)] + [percent(share, 0) for p in players for share in one.frequency[p]]

        for label, one in zip(labels, found, strict=True):
            made.add_row(" ".join(label[i : i + 2] for i in range(0, len(label), 2)), *cells(one, one.weight))
        for column, text in zip(made.columns, ["mean", *cells(whole, 1.0)], strict=True):
            column.footer = text
        tables.append(made)
    return tables


def blocker_table(who: str, changes: Sequence[Any]) -> Any:
    """The other's hands by sorts, without and with the cards of this hand taken away."""
    rows = [
        (
            one.name,
            percent(one.before),
            percent(one.after),
            f"{100 * (one.after - one.before):+.1f}" if np.isfinite(one.after) else "",
        )
        for one in changes
    ]
    return columns([f"{who} holds"], ["without blockers", "against this hand", "change"], rows, padding=(0, 2, 0, 0))
