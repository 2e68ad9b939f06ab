"""How HTML is written: texts are escaped, unless they are `Safe`."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..text.markup import Safe, esc

VIEWS = ("Play", "Watch", "Curves", "Strategy", "Spots", "Runs", "Papers")


def sentence(words: str) -> str:
    """An error's words as a sentence."""
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")


def tag(name: str, /, *inner: Any, **attributes: Any) -> Safe:
    """An element. `class_` and `for_` are class and for; `_` in a name is `-`; None and False leave an attribute out."""
    words = [name]
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(key)
        elif value is not None and value is not False:
            words.append(f'{key}="{esc(str(value))}"')
    return Safe(f"<{' '.join(words)}>{join(inner)}</{name}>")


def void(name: str, /, **attributes: Any) -> Safe:
    """An element without an end."""
    return Safe(tag(name, **attributes).removesuffix(f"</{name}>"))


def join(parts: Iterable[Any], between: str = "") -> Safe:
    return Safe(between.join(esc(part) for part in parts if part is not None))


def table(header: Sequence[Any], rows: Iterable[Sequence[Any]], caption: str = "") -> Safe:
    """A table that scrolls sideways where the page is narrow."""
    head = tag("tr", *(tag("th", cell, scope="col") for cell in header))
    body = join((tag("tr", *(tag("td", cell) for cell in row)) for row in rows), "\n")
    inner = [tag("caption", caption)] if caption else []
    whole = tag("table", *inner, tag("thead", head), tag("tbody", body))
    return tag("div", whole, class_="scroll", tabindex=0, role="region", aria_label=caption or "Table")


def field(label: str, control: Safe, help: Any = "") -> Safe:
    """A labelled control, with a sentence of help."""
    return tag("p", tag("label", tag("span", label), control), tag("small", help) if help else "", class_="field")


def text_input(name: str, value: Any = "", **more: Any) -> Safe:
    return void("input", name=name, value=value, autocomplete="off", **more)


def select(name: str, choices: Iterable[tuple[Any, str]], chosen: Any = None, **more: Any) -> Safe:
    options = [tag("option", words, value=value, selected=str(value) == str(chosen)) for value, words in choices]
    return tag("select", *options, name=name, **more)


def button(words: Any, **more: Any) -> Safe:
    return tag("button", words, **({"type": "submit"} | more))


def bars(mix: dict[str, float], played: str | None = None, worth: dict[str, float] | None = None) -> Safe:
    """Probabilities as bars, the likeliest first; what was played is marked; and what each action is worth, if known."""
    rows = []
    for name, share in sorted(mix.items(), key=lambda pair: -pair[1]):
        bar = Safe(
            f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect width="100" height="10" class="bar-ground"/>'
            f'<rect width="{100 * share:.1f}" height="10" class="bar-share"/></svg>'
        )
        told = f"{worth[name]:+.4f}" if worth and name in worth else ""
        words = tag("strong", name, " (played)") if name == played else name
        cells = [tag("th", words, scope="row"), tag("td", bar), tag("td", f"{share:.1%}", class_="number")]
        rows.append(tag("tr", *cells, tag("td", told, class_="number") if worth else None))
    heads = ["action", "", "share", *(["worth"] if worth else [])]
    head = tag("tr", *(tag("th", words, scope="col") for words in heads))
    return tag("table", tag("thead", head), tag("tbody", *rows), class_="bars")


def page(
    title: str, body: Any, *, at: str = "", token: str = "", live: str = "", scripts: Sequence[str] = ("board.js",)
) -> str:
    """A whole page. `at` is the view that it belongs to, `live` the address of its stream, `scripts` are its own."""
    own = "".join(f'<script src="/static/{name}" defer></script>' for name in scripts)
    views = {f"/{words.lower()}": words for words in VIEWS}
    links = [tag("a", words, href=to, aria_current="page" if to == at else None) for to, words in views.items()]
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        f"<title>{esc(title)} - Fogtree</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta name="fogtree-token" content="{esc(token)}">'
        '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/style.css">'
        '<script src="/static/page.js" defer></script>'
        f"{own}</head>"
        f'<body data-live="{esc(live)}"><a class="skip" href="#main">Skip to the content</a>'
        '<header><a class="home" href="/"><img src="/static/icon.svg" alt="">Fogtree</a>'
        '<button type="button" class="menu small" popovertarget="views">Menu</button>'
        f"{tag('nav', *links, aria_label='Views', id='views', popover=True)}</header>"
        f'<main id="main" tabindex="-1"><h1>{esc(title)}</h1>{esc(body)}</main>'
        '<p id="trouble" role="alert"></p></body></html>\n'
    )
