"""A run: the pieces that are missing are done, and each is kept as soon as it is."""

import contextlib
import functools
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import Invalid
from ..walk.slices import Progress, Watcher, whole
from .cluster import on_cluster
from .identity import basis, digest, files_in, piece_basis, spell, stamps
from .store import BASIS, Book, held
from .workers import on_this_machine


class Step(NamedTuple):
    """The `detail` of a run's progress. `progress` is called after each piece, and first for the pieces stored before."""

    piece: dict[str, Any]
    result: Any
    left: float | None  # seconds, as far as it can be told; None for a piece that was stored before


class Run:
    """One run in a store: a path, or None for one that lives in memory alone. `games` are those whose rules it rests on.

    Its identity is its name, its parameters and all else that can change a result (`identity.py`): a change in any of them
    is another run. Code that is edited while the run is under way ends it with an error before the next piece is stored.
    """

    def __init__(
        self,
        store: str | os.PathLike | None,
        name: str,
        task: Callable[..., Any],
        parameters: dict[str, Any],
        *,
        games: Sequence[Any] = (),
    ):
        self.path, self.name, self.task, self.parameters, self.games = store, name, task, parameters, games
        self.basis, files = basis(task, parameters, games)
        self.id = digest(spell([name, parameters, self.basis]))[:12]
        self._stamps = stamps(files)
        self._book: Book | None = None  # while the run is held for several maps

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the run against other processes between one `map` and the next too, where each piece needs the one before."""
        with held(self.path, self.id, self.name) as self._book:
            try:
                yield
            finally:
                self._book = None

    def map(
        self,
        pieces: Sequence[dict[str, Any]],
        *,
        cores: int | None = None,
        on: str | None = None,
        rehearse: Callable[[], float | None] | None = None,
        progress: Watcher | None = None,
        wanted: int | None = None,
    ) -> list[Any]:
        """task(**piece) for each piece, in their order, as JSON gives it back; only what is not stored is done.

        It uses all cores unless told how many. `progress` is called after each piece, with a `Step` as its detail. Ctrl-C and
        errors leave all that is done in the store.

        `rehearse` is called before other processes are started, if there is work for them. It compiles in this process what
        all of them will need, and returns how many seconds a piece will take, or None if it cannot say. Unless told how many
        cores to use, a run of a few seconds is then done in this process alone.

        `wanted` is how many pieces the run will have in the end, where it is asked for them one after the other.
        """
        cores = None if cores is None else whole(cores, "cores", 1)
        keys = self._keys(pieces)
        place = {key: index for index, key in enumerate(keys)}
        found: list[Any] = [None] * len(pieces)
        done = 0

        def tell(index: int, left: float | None) -> None:
            if progress:
                progress(Progress("pieces", done, len(pieces), Step(pieces[index], found[index], left)))

        mine = contextlib.nullcontext(self._book) if self._book else held(self.path, self.id, self.name)
        with mine as book:
            book.register(self.name, self.parameters, self.basis, len(pieces) if wanted is None else wanted)
            known = book.known(place)
            for key, result in known.items():
                found[place[key]] = result
            for key in known:
                done += 1
                tell(place[key], None)
            missing = [index for index, key in enumerate(keys) if key not in known]
            began = time.perf_counter()
            if on is None:
                ready = on_this_machine(self.task, pieces, missing, cores, rehearse)
            else:
                ready = on_cluster(self.task, pieces, missing, cores, on)
            for index, text, seconds in ready:
                self._require_same_code()
                book.keep(keys[index], text, seconds)
                found[index] = json.loads(text)
                done += 1
                each = (time.perf_counter() - began) / (done - len(known))
                tell(index, each * (len(pieces) - done))
        return found

    def _keys(self, pieces: Sequence[dict[str, Any]]) -> list[str]:
        """The texts under which pieces are stored: their arguments, and what they rest on that the run does not name."""
        keys, in_text = list[str](), functools.cache(files_in)
        for piece in pieces:
            more = piece_basis(piece, self.basis, in_text)
            keys.append(spell(piece | {BASIS: more} if more else piece))
        if len(set(keys)) < len(keys):
            raise Invalid(f"{self.name}: a piece is given twice")
        return keys

    def _require_same_code(self) -> None:
        """Refuse to store a result that may have been computed by other code than the run's identity says."""
        if self._stamps == stamps(self._stamps):
            return
        now, files = basis(self.task, self.parameters, self.games)
        if "unknown" not in self.basis and now != self.basis:
            raise Invalid(
                f"{self.name}: code or files that this run rests on were changed while it was at work; what was stored "
                "before is kept under the old ones, so start it again"
            )
        self._stamps = stamps(files)
