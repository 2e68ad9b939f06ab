"""Pictures: what is drawn where, bands by hand, and no Matplotlib before the first picture."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from fogtree.draw.chart import Trace, chart
from fogtree.draw.curves import draw, pictures
from fogtree.draw.panels import band, panels, titled, trace
from fogtree.measure.curve import Curve

TWO_RUNS = Curve(
    "made",
    np.array([100, 200, 400]),
    np.array([[0.1, 0.2, 0.4], [0.1, 0.2, 0.4]]),
    np.array([[1.0, 0.5, 0.3], [1.0, 0.6, 0.1]]),
)


def test_matplotlib_is_not_loaded_before_a_picture_is_drawn():
    code = "import sys, fogtree.draw.curves; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("ending, head", [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_picture_is_drawn_as_its_ending_says(tmp_path, ending, head):
    file = tmp_path / f"curve.{ending}"
    draw([TWO_RUNS], file, title="a title", level=("equilibrium", 0.3))
    assert file.read_bytes().startswith(head) and file.stat().st_size > 5_000


def test_a_band_that_reaches_below_0_is_left_out():
    _, axes = panels(1)
    trace(axes, TWO_RUNS, TWO_RUNS.iterations)
    (line,), (filled,) = axes.lines, axes.collections
    assert line.get_label() == "made" and line.get_ydata() == pytest.approx([1.0, 0.55, 0.2])
    # two runs: 12.706 * 0.0707 / sqrt(2) = 0.635 is wider than 0.55, and 1.27 than 0.2; the first point has no spread
    corners = filled.get_paths()[0].vertices if filled.get_paths() else np.empty((0, 2))
    assert np.nanmax(corners[:, 0], initial=100.0) == 100.0


def test_a_band_holds_the_middle_ninety_of_a_hundred_runs():
    _, axes = titled("a title", "y")
    assert axes.get_xscale() == "log"
    band(axes, np.array([1.0, 2.0]), np.repeat(np.arange(101.0)[:, None], 2, axis=1), "runs")
    corners = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (corners.min(), corners.max()) == pytest.approx((5.0, 95.0))
    assert axes.lines[0].get_ydata() == pytest.approx([50.0, 50.0])


def test_several_panels_share_the_vertical_axis_and_one_title():
    figure, (left, right) = titled("a title", "y", xscale="linear", count=2)
    assert figure.get_suptitle() == "a title" and left.get_title() == "" and left.get_xscale() == "linear"
    assert left.get_ylabel() == "y" and right.get_ylabel() == ""


def test_an_equilibrium_that_is_exact_is_drawn_far_below_the_curves(tmp_path):
    class Exact:
        total, method = 0.0, "simplex"

    pictures([tmp_path / "a.svg"], [TWO_RUNS], Exact, "a title")
    text = (tmp_path / "a.svg").read_text()
    assert "equilibrium by simplex: 0, far below" in text


def test_the_names_of_lines_stand_inside_the_picture():
    name = "a bandit with a long name"
    root = ElementTree.fromstring(chart([Trace(name, np.array([1, 10]), np.array([1.0, 0.5]))], x="x", y="y"))
    left, _, width, _ = map(float, root.get("viewBox").split())
    text = next(part for part in root.iter() if part.text == name)
    size = float(text.get("font-size"))
    assert float(text.get("x")) + 0.5 * size * len(name) < left + width  # letters are about half as wide as high
