"""The command `fogtree`: parses, calls, prints. What it prints is computed elsewhere.

The order of the imports is that of the commands in `fogtree --help`.
"""

# isort: off
from . import games, solving, endings, comparing, tournaments, learning, long, gtp, uci  # noqa: F401 (each registers its commands)
from .shell import app
# isort: on


def main() -> None:
    app()
