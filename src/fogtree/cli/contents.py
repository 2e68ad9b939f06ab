"""The list of commands without the commands: what `fogtree --help` prints, and what Tab offers.

Names and explanations are read from the text of the files, so that a list does not wait for all that the commands load.
"""

import ast
import pkgutil
from collections.abc import Iterator
from typing import Any

MARK = "command"  # the decorator of a command


def described(file: str) -> Iterator[tuple[str, str]]:
    """(name, docstring) of each command of a file, in their order; raises OSError where the package has no source."""
    source = pkgutil.get_data(__package__, f"{file}.py") or b""
    for node in ast.parse(source).body:
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == MARK:
                yield ast.literal_eval(mark.args[0]), ast.get_docstring(node, clean=False) or ""  # type: ignore[arg-type]


def register(app: Any, files: list[str]) -> None:
    """Give the app all commands of these files, as names with an explanation that do nothing."""
    for name, words in [told for file in files for told in described(file)]:

        def nothing() -> None: ...

        nothing.__doc__ = words
        app.command(name)(nothing)
