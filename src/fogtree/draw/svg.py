"""What an SVG is written with: colours as CSS variables, lengths in cells, texts that cannot break the picture."""

from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape

from .. import shapes
from ..errors import Invalid
from ..shapes import CLEAR, MIDDLE, PAPER

UNIT = 40  # pixels of a cell
MARGIN = 0.3  # around the shapes, in cells
FONT = "system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif"
COLOURS = {  # of the tones by day and by night, on a page that names none; "" is the same as by day
    shapes.INK: ("#222", "#e8e6e1"),
    shapes.PAPER: ("#fff", "#1b1d21"),
    shapes.FAINT: ("#595959", "#b4b7bc"),
    shapes.BOARD: ("#e8cf9b", "#463b28"),
    shapes.LIGHT: ("#f0dfc0", "#c9b594"),
    shapes.DARK: ("#bd9466", "#8f7350"),
    shapes.HIDDEN: ("#b9bec6", "#4a4f58"),
    shapes.MARKED: ("#f2b8a0", "#7d4532"),
    shapes.FIRST: ("#1b4f8a", "#6aa5ea"),
    shapes.SECOND: ("#a3430f", "#ee9350"),
    shapes.THIRD: ("#22683f", "#55b883"),
    shapes.FOURTH: ("#7a3f96", "#c08fdb"),
    shapes.RED: ("#b3202c", "#f0737c"),
    shapes.WHITE: ("#fcfcfa", ""),
    shapes.BLACK: ("#1c1c1c", ""),
    "move": ("#2a7d4f", "#2f8f5b"),
    "on-piece": ("#fff", "#101215"),  # text on what belongs to a player
    "edge": ("#000", "#8b8b8b"),  # around black men
    "last": ("#c7b300", "#d6c200"),
    "check": ("#d3202c", "#ff4d55"),
    "best": ("#15549a", "#2f78c8"),
    "on-best": ("#fff", ""),
}
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Picture(str):
    """An SVG: a text to write into a file or a page, which a notebook shows as the picture that it is."""

    def _repr_svg_(self) -> str:
        return str(self)


def svg(parts: Iterable[str], box: Box, title: str, names: Any = ()) -> Picture:
    """The whole text around some parts. With names of moves it is a group of things to click, else an image."""
    left, top, right, bottom = box[0] - MARGIN, box[1] - MARGIN, box[2] + MARGIN, box[3] + MARGIN
    size, place = scaled(width=right - left, height=bottom - top), scaled(x=left, y=top)
    view = " ".join(map(pixels, (left, top, right - left, bottom - top)))
    role = "group" if names else "img"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="fogtree" {size} viewBox="{view}" role="{role}"'
    ground = f"<rect {place} {size} {fill(PAPER)}/>"
    top_line = f'{head} font-family="{FONT}">'
    return Picture("\n".join([top_line, f"<title>{clean(title)}</title>", ground, *parts, "</svg>\n"]))


# --- colours ---


def colour(tone: str) -> str:
    """A tone as a CSS variable, with a colour for pages that do not set it."""
    if tone not in COLOURS and tone != CLEAR:
        raise Invalid(f"there is no tone '{tone}': valid are {', '.join([*COLOURS, CLEAR])}")
    return "transparent" if tone == CLEAR else f"var(--{tone}, {COLOURS[tone][0]})"


def style() -> str:
    """A style sheet that gives all tones their colours, by day and by night."""
    day = "".join(f"--{tone}: {value}; " for tone, (value, _) in COLOURS.items())
    night = "".join(f"--{tone}: {value}; " for tone, (_, value) in COLOURS.items() if value)
    return f":root {{ {day}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {night}}} }}\n"


def standing_alone(drawn: str) -> str:
    """A picture with its colours by day and by night, for where it is a file of its own and no page gives it any."""
    head, rest = drawn.split(">", 1)
    return f"{head}><style>{style()}</style>{rest}"


def fill(tone: str) -> str:
    return f'fill="{colour(tone)}"'


def stroke(tone: str, width: float = 1) -> str:
    return f'stroke="{colour(tone)}" stroke-width="{short(width)}"'


# --- lengths and texts ---


def short(number: float) -> str:
    return f"{round(float(number), 2):g}"


def pixels(cells: float) -> str:
    return short(UNIT * cells)


def scaled(**lengths: float) -> str:
    """Attributes whose values are given in cells."""
    return " ".join(f'{name}="{pixels(length)}"' for name, length in lengths.items())


def clean(text: Any) -> str:
    """A text without letters that XML forbids, escaped."""
    return escape("".join(letter if letter.isprintable() else " " for letter in str(text)))


def words(x: float, y: float, text: str, tone: str, size: float, anchor: str = MIDDLE, more: str = "") -> str:
    """A text. Half of it stands above the height y, half below."""
    where = f'{scaled(x=x, y=y + 0.35 * size)} font-size="{pixels(size)}" text-anchor="{anchor}"'
    return f"<text {where} {fill(tone)}{more}>{clean(text)}</text>"


def dot(x: float, y: float, radius: float, tone: str, more: str = "") -> str:
    return f"<circle {scaled(cx=x, cy=y, r=radius)} {fill(tone)}{more}/>"
