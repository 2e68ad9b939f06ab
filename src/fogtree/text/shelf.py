"""Things by their names, each loaded when it is first asked for: so whoever plays cards does not wait for chess."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Shelf(Mapping[str, Any]):
    """`load` turns the place of a thing into the thing itself."""

    def __init__(self, places: Mapping[str, Any], load: Callable[[Any], Any]):
        self._places, self._load = places, load

    def __getitem__(self, known: str) -> Any:
        return self._load(self._places[known])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, known: object) -> bool:
        return known in self._places
