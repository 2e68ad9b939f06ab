"""Strategies in files, of whichever kind: tables of views (`strategy.py`), and plans of buckets (`public/bucket_plan.py`)."""

import os
from typing import Any

from ..strategy import StoredStrategy, Strategy, holds


def load_strategy(path: str | os.PathLike, game: Any = None) -> StoredStrategy:
    """Read what `save` wrote; with a game, refuse a file that belongs to another one or to other rules."""
    if holds(path, "share"):
        from .public.bucket_plan import BucketPlan  # not on top: tables need nothing of poker

        return BucketPlan.load(path, game)
    return Strategy.load(path, game)
