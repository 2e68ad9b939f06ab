"""What the builder of the site asks for: pages that live outside docs/, links to them and to the code, the API reference.

The pages are written so that they read well in the repository. On the site their links are turned: README.md is the home page
there, docs/index.md is the page of all documents, the notebooks are pages, and a link to a source file becomes plain words,
for the site does not hold the code.
"""

import json
import pathlib
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import reference

ROOT = pathlib.Path(__file__).parents[2]
DOCS = ROOT / "docs"
MOVED = {  # where a page of the repository stands on the site
    ROOT / "README.md": "index.md",
    DOCS / "index.md": "documents.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "CHANGELOG.md": "changelog.md",
    DOCS / "notebook.ipynb": "notebook.md",
    DOCS / "poker.ipynb": "poker-notebook.md",
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#]*)(#[^)]*)?\)")


def on_config(config):
    """Put the pages of algorithms, games and papers into the menu, in the order of the index."""
    index = (DOCS / "index.md").read_text()
    for title, folder in (("Algorithms", "algorithms"), ("Games", "games"), ("Papers", "papers")):
        pages = re.findall(rf"\[([^\]]+)\]\(({folder}/[^)]+\.md)\)", index)
        config.nav.insert(-1, {title: [{words: page} for words, page in pages]})
    return config


def on_files(files, config):
    """Put the pages where the site has them, and add the reference that is made from the docstrings."""
    files.remove(files.get_file_from_path("index.md"))
    for source, page in MOVED.items():
        text = notebook(source) if source.suffix == ".ipynb" else source.read_text()
        files.append(File.generated(config, page, content=turned(text, source.parent, page)))
    files.append(File.generated(config, "api.md", content=reference.page()))
    return files


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri
    if source in MOVED.values() or source == "api.md":
        return markdown
    return turned(markdown, (DOCS / source).parent, source)


def turned(text: str, folder: pathlib.Path, page: str) -> str:
    """The text of a page with links that work on the site."""
    back = "../" * page.count("/")

    def turn(found: re.Match) -> str:
        mark, words, path, anchor = found.groups("")
        target = (folder / path).resolve()
        if target in MOVED:
            return f"{mark}[{words}]({back}{MOVED[target]}{anchor})"
        if target.is_relative_to(DOCS):
            return f"{mark}[{words}]({back}{target.relative_to(DOCS).as_posix()}{anchor})"
        return words

    return LINK.sub(turn, text)


def notebook(path: pathlib.Path) -> str:
    """A notebook as Markdown: its words, its code, and what each cell showed when it was last run."""
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += [shown(output) for output in cell.get("outputs", ())]
    return "\n\n".join(parts) + "\n"


def shown(output: dict) -> str:
    """What a cell printed, drew or returned; of several forms the one that says most on a page."""
    forms = output.get("data", {})
    for form in ("image/svg+xml", "text/html"):
        if form in forms:  # without empty lines, which would end the block of HTML
            lines = "".join(forms[form]).splitlines()
            return "<div>\n" + "\n".join(line for line in lines if line.strip()) + "\n</div>"
    if "image/png" in forms:
        return f'<img alt="what the cell above drew" src="data:image/png;base64,{"".join(forms["image/png"]).strip()}">'
    return "```text\n" + "".join(forms.get("text/plain", output.get("text", ""))).rstrip() + "\n```"
