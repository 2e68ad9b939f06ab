"""`python -m fogtree` is the command `fogtree`."""

from .cli import main

main()
