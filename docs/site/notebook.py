"""Run the notebooks and write their outputs into them: `python docs/site/notebook.py`. The tests run them too."""

import ast
import base64
import contextlib
import io
import json
import pathlib
from typing import Any

NOTEBOOKS = [pathlib.Path(__file__).parents[1] / name for name in ("notebook.ipynb", "poker.ipynb")]
SHOWN = {"_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}


def run(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The outputs of each code cell: what its last line shows, as a notebook would."""
    names: dict[str, Any] = {}
    return [_shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]


def _shown(text: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    tree, value = ast.parse(text), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    said = [{"output_type": "stream", "name": "stdout", "text": printed.getvalue()}] if printed.getvalue() else []
    return said + ([] if value is None else [{"output_type": "display_data", "data": _data(value), "metadata": {}}])


def _data(value: Any) -> dict[str, str]:
    """A value in the ways in which a notebook may show it."""
    made = {kind: getattr(value, show)() for show, kind in SHOWN.items() if hasattr(value, show)}
    data = {kind: text for kind, text in made.items() if text is not None}  # a figure has no HTML and says None
    if hasattr(value, "savefig"):
        value.savefig(picture := io.BytesIO(), format="png")
        data["image/png"] = base64.b64encode(picture.getvalue()).decode()
    return data | {"text/plain": f"<{type(value).__name__}>" if data else repr(value)}


def written(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with its outputs."""
    outputs = iter(run(notebook["cells"]))
    for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
        cell["outputs"], cell["execution_count"] = next(outputs), number
    return notebook


if __name__ == "__main__":
    import matplotlib

    matplotlib.use("agg")
    for path in NOTEBOOKS:
        path.write_text(json.dumps(written(json.loads(path.read_text())), indent=1, ensure_ascii=False) + "\n")
