"""The site of the documents: it is built without a broken link, and loads nothing from outside."""

import html.parser
import os
import pathlib
import re
import subprocess
import sys

import pytest

import fogtree

ROOT = pathlib.Path(__file__).parents[1]
pytest.importorskip("material", reason="the site needs mkdocs-material: make .venv/ready-docs")
LOADED = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
}
pytestmark = pytest.mark.slow


class Assets(html.parser.HTMLParser):
    """All that a browser would load for a page, unasked."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in LOADED and given.get("rel") not in ("canonical", "next", "prev", "alternate"):
            self.found.append(given.get(LOADED[tag]) or "")


def build(*options: str, config: pathlib.Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config), *options]
    return subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, check=False
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = build("-d", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_of_the_documents_is_there(site):
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert all((site / page).exists() for page in pages)
    others = "documents.html", "contributing.html", "changelog.html", "api.html", "notebook.html"
    assert all((site / page).exists() for page in others)


def test_the_home_page_is_the_readme(site):
    assert "machine speed" in (site / "index.html").read_text()
    assert "The algorithms:" in (site / "documents.html").read_text()


def test_the_notebook_shows_its_code(site):
    text = (site / "notebook.html").read_text()
    assert 'class="highlight"' in text and "fogtree" in text


def test_the_site_loads_nothing_from_outside(site):
    outside = re.compile(r"(?i)^(https?:)?//")
    for page in site.rglob("*.html"):
        assets = Assets()
        assets.feed(page.read_text())
        assert assets.found and not [link for link in assets.found if outside.match(link)], page
        missing = [link for link in assets.found if link and not (page.parent / link.partition("?")[0]).exists()]
        assert page.name == "404.html" or not [link for link in missing if not link.startswith("data:")], page
    for sheet in site.rglob("*.css"):
        assert not re.findall(r"url\(\s*['\"]?(?:https?:)?//|@import", sheet.read_text()), sheet


def test_the_reference_has_every_public_name(site):
    text = (site / "api.html").read_text()
    assert all(f"<code>{name}</code>" in text for name in fogtree.__all__)


def test_a_broken_link_stops_the_build(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Here\n\n[nowhere](gone.md)\n")
    text = (ROOT / "mkdocs.yml").read_text()
    without = re.sub(r"(?ms)^(hooks|nav|exclude_docs):.*?(?=^\w|\Z)", "", text)
    (tmp_path / "mkdocs.yml").write_text(without)
    done = build("-d", str(tmp_path / "site"), config=tmp_path / "mkdocs.yml")
    assert done.returncode != 0 and "gone.md" in done.stderr
