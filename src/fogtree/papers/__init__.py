"""Papers, one a folder: what they printed, how it is measured, and what comes out here."""

import importlib

from ..errors import Invalid
from .report import Paper

PAPERS = (
    "lisy2014",
    "auger2011",
    "briedon2015",
    "arenz2012",
    "zhang2014",
    "soundness",
)  # each is a folder here that names its PAPER


def load_paper(name: str) -> Paper:
    """The paper of this name."""
    if name not in PAPERS:
        raise Invalid(f"there is no paper '{name}': valid are {', '.join(PAPERS)}")
    return importlib.import_module(f"{__name__}.{name}").PAPER
