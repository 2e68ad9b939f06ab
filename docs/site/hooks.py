"""What the builder of the site asks for: pages that live outside docs/, links to them and to the code, the API reference.

The pages are written so that they read well in the repository. On the site their links are turned: README.md is readme.md
there, and a link to a source file becomes plain words, for the site does not hold the code.
"""

import pathlib
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import reference

ROOT = pathlib.Path(__file__).parents[2]
DOCS = ROOT / "docs"
OUTSIDE = {"README.md": "readme.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#]*)(#[^)]*)?\)")


def on_config(config):
    """Put the pages of algorithms, games and papers into the menu, in the order of the index."""
    index = (DOCS / "index.md").read_text()
    for title, folder in (("Algorithms", "algorithms"), ("Games", "games"), ("Papers", "papers")):
        pages = re.findall(rf"\[([^\]]+)\]\(({folder}/[^)]+\.md)\)", index)
        config.nav.insert(-1, {title: [{words: page} for words, page in pages]})
    return config


def on_files(files, config):
    """Add the pages of the root, and the reference that is made from the docstrings."""
    for name, page in OUTSIDE.items():
        files.append(File.generated(config, page, content=turned((ROOT / name).read_text(), ROOT, page)))
    files.append(File.generated(config, "api.md", content=reference.page()))
    return files


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri
    if source in OUTSIDE.values() or source == "api.md":
        return markdown
    return turned(markdown, (DOCS / source).parent, source)


def turned(text: str, folder: pathlib.Path, page: str) -> str:
    """The text of a page with links that work on the site."""
    back = "../" * page.count("/")

    def turn(found: re.Match) -> str:
        mark, words, path, anchor = found.groups("")
        target = (folder / path).resolve()
        if target.parent == ROOT and target.name in OUTSIDE:
            return f"{mark}[{words}]({back}{OUTSIDE[target.name]}{anchor})"
        if target.is_relative_to(DOCS):
            return f"{mark}[{words}]({back}{target.relative_to(DOCS).as_posix()}{anchor})"
        return words

    return LINK.sub(turn, text)
