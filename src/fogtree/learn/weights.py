"""Learned weights as a file: which game, which features, and the command that made them.

Some weights come with the package, as small files in `shipped/`. They are named instead of a path, without their ending:
`load_weights("chess")`. A file of that name in the working folder must be written with its ending.
"""

import os
import pathlib
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..evaluation import Linear, linear
from ..game import identity
from ..strategy import read_npz, write_npz

FORMAT = 1
SHIPPED = pathlib.Path(__file__).parent / "shipped"


class Weights(NamedTuple):
    """What a file of weights holds."""

    game: str  # its identity: class, parameters, version of the rules
    features: str  # likewise
    command: str  # that made them
    weight: np.ndarray

    def save(self, path: str | os.PathLike) -> None:
        """Write it as .npz. The file appears whole or not at all."""
        texts = {field: np.array(getattr(self, field)) for field in ("game", "features", "command")}
        write_npz(path, format=np.array(FORMAT), weight=self.weight, **texts)

    def evaluation(self, game: Any, features: Any) -> Linear:
        """These weights at work; refused where they belong to another game or to other features."""
        for what, mine, asked in (("game", self.game, identity(game)), ("features", self.features, identity(features))):
            if mine != asked:
                raise Invalid(f"these weights are for the {what} {mine}, not for {asked}")
        return linear(game, features, self.weight)


def weights_of(game: Any, evaluation: Linear, command: str = "") -> Weights:
    """The weights of an evaluation, with their identity."""
    return Weights(identity(game), identity(evaluation.features), command, evaluation.weight.copy())


def load_weights(path: str | os.PathLike) -> Weights:
    """Read a file of weights, or those of this name that come with the package."""
    if os.fspath(path) in shipped():
        path = SHIPPED / f"{os.fspath(path)}.npz"
    stored = read_npz(path, {"format", "game", "features", "command", "weight"})
    if stored["format"].tolist() != FORMAT:
        raise Invalid(f"{path} holds weights in format {stored['format']}, this is for format {FORMAT}")
    weight = stored["weight"]
    if weight.dtype != np.float64 or weight.ndim != 1 or not np.isfinite(weight).all():
        raise Invalid(f"{path} holds no valid weights: they must be one row of finite numbers")
    return Weights(str(stored["game"]), str(stored["features"]), str(stored["command"]), weight)


def shipped() -> list[str]:
    """The names of the weights that come with the package."""
    return sorted(file.stem for file in SHIPPED.glob("*.npz"))
