"""The API reference: every public name with its signature and its docstring, as one page of Markdown."""

import ast
import inspect
import pathlib
import textwrap
from typing import Any

import fogtree

STUB = pathlib.Path(fogtree.__file__).with_suffix(".pyi")
ORDER = {  # the rooms in the order in which people need them
    "games": "Games",
    "text.naming": "Games",
    "game": "What a game is",
    "arena": "Play",
    "search": "Search",
    "bandits": "Selection functions",
    "solvers": "Solve",
    "measure": "Measure",
    "draw": "Pictures",
}
REST = "All else"


def page() -> str:
    """The whole page."""
    groups: dict[str, list[tuple[str, str]]] = {title: [] for title in [*ORDER.values(), REST]}
    for module, names in modules():
        title = ORDER.get(module) or ORDER.get(module.split(".")[0], REST)
        groups[title] += [(name, module) for name in names]
    intro = f"All public names of Fogtree {fogtree.__version__}, from their docstrings. `import fogtree as ft`."
    lines = ["# The API", "", intro, ""]
    for title, listed in groups.items():
        lines += [f"## {title}", ""]
        for name, module in sorted(listed, key=lambda pair: pair[0].lower()):
            lines += entry(name, module)
    return "\n".join(lines)


def modules() -> list[tuple[str, list[str]]]:
    """(module, public names) as the stub of the package lists them."""
    imports = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom)]
    return [(node.module or "", [alias.name for alias in node.names]) for node in imports]


def entry(name: str, module: str) -> list[str]:
    """One public name; of a class also its methods."""
    thing = getattr(fogtree, name)
    lines = [f"### `{name}`", "", f"*fogtree.{module}*", ""]
    if not callable(thing):
        return lines + ([f"= `{thing!r}`", ""] if isinstance(thing, (int, float, str)) else [])
    lines += ["```python", f"ft.{name}{signature(thing)}", "```", "", *quoted(inspect.getdoc(thing))]
    if inspect.isclass(thing) and not hasattr(thing, "accepts"):
        public = [part for part in vars(thing) if not part.startswith("_")]
        for part in public:
            member = getattr(thing, part)
            if callable(member) and inspect.getdoc(member):
                lines += [f"**`.{part}{signature(member)}`**", "", *quoted(inspect.getdoc(member))]
    return lines


def signature(thing: Any) -> str:
    try:
        return str(inspect.signature(thing)).replace("fogtree.", "")
    except (TypeError, ValueError):
        return "(...)"


def quoted(text: str | None) -> list[str]:
    """A docstring as it was written."""
    return ["```text", *textwrap.dedent(text).splitlines(), "```", ""] if text else []
