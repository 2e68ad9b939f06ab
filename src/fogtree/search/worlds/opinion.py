"""What several worlds say of a decision, and how they decide together: by votes or by means (`pimc.py`, `openly.py`)."""

import enum
import math
from typing import NamedTuple

import numpy as np


class Verdict(enum.Enum):
    """How the worlds decide together, where each has a tree of its own."""

    VOTES = "votes"  # each world votes for the action that it tried most
    MEANS = "means"  # the best mean over all worlds


class Opinion(NamedTuple):
    """What a search of the worlds found."""

    actions: list[int]
    times: np.ndarray  # [worlds, actions] how often a first action was taken in each world
    mean: np.ndarray  # [worlds, actions] what it brought the player who searches there on average; NaN if never taken
    score: np.ndarray  # [actions] the share of votes, the mean over worlds, or the policy of the closed tree
    iterations: int

    @property
    def best(self) -> list[int]:
        """The actions of the highest score."""
        top = np.nanmax(self.score) if not np.isnan(self.score).all() else math.nan
        return [a for a, score in zip(self.actions, self.score, strict=True) if score == top] or self.actions


def votes(times: np.ndarray) -> np.ndarray:
    """[actions] The share of worlds that tried an action most often; a world shares its vote among equals."""
    most = (times == times.max(axis=1, keepdims=True)) & (times.sum(axis=1, keepdims=True) > 0)
    voting = most.any(axis=1)
    if not voting.any():
        return np.full(times.shape[1], 1 / times.shape[1])
    return (most[voting] / most[voting].sum(axis=1, keepdims=True)).mean(axis=0)


def over_worlds(mean: np.ndarray) -> np.ndarray:
    """[actions] The mean over the worlds that tried an action; NaN where none did."""
    tried = ~np.isnan(mean)
    total, count = np.where(tried, mean, 0.0).sum(axis=0), tried.sum(axis=0)
    return np.divide(total, count, out=np.full(mean.shape[1], math.nan), where=count > 0)
