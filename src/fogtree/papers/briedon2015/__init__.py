"""Briedoň 2015: why UCT does not reach equilibrium even in tiny games, and which repairs help.

The games are in games/printed.py. Each file here holds the parts of a chapter; constants.py and beyond.py go further than
the thesis.
Constants as the printed numbers show them: C = 2 and no factor 2 under the root, payoffs as they are, a schedule of
floor(16 + 1.8^floor(s / 12)) simulations a step; the start as in the library that the thesis used (library.py).
"""

import functools

from ..report import Paper
from . import beyond, constants, matrices, rounds, sweeps

PAPER = Paper(
    "briedon2015",
    "convergence of UCT in games with imperfect information",
    "M. Briedoň, bachelor's project, Czech Technical University in Prague, 2015. It prints single runs, whose ends depend on "
    "a random start. So each of its numbers is set beside the distribution over many seeds, of runs that are shorter than "
    "those of the thesis; the part `ends` has runs of the thesis' length.",
    {
        "section3.3.2": matrices.synchronisation,
        "figure3.2": matrices.equilibrium("figure3.2"),
        "section4.3": matrices.dominance,
        "figure4.1": matrices.equilibrium("figure4.1"),
        "section4.4.1": matrices.plain_uct,
        "section4.4.2": matrices.nondeterministic,
        "figure4.2": matrices.course_of_41("4.2", 0, False),
        "figure4.3": matrices.course_of_41("4.3", 1, False),
        "figure4.4": matrices.course_of_41("4.4", 0, True),
        "figure4.5": matrices.course_of_41("4.5", 1, True),
        "section4.4.3": matrices.sliding_window,
        "figure4.6": sweeps.figure_46,
        "section4.5": sweeps.reruns,
        "figure4.7": sweeps.figure_47,
        "figure4.8": sweeps.figure_48,
        "figure4.9": matrices.equilibrium("figure4.9"),
        "section4.5.3": matrices.problematic,
        "figure4.10": matrices.equilibrium("figure4.10"),
        "section4.6.1": rounds.first_game,
        "figure4.11": rounds.figure_411,
        "figure4.12": rounds.course_of_first("4.12", 0),
        "figure4.13": rounds.course_of_first("4.13", 1),
        "figure4.14": matrices.equilibrium("figure4.14"),
        "section4.6.2": rounds.second_game,
        "figure4.15": rounds.figure_415,
        "figure4.16": matrices.equilibrium("figure4.16"),
        "section4.6.3": rounds.third_game,
        "figure4.17": rounds.course_of_third("4.17", 0),
        "figure4.18": rounds.course_of_third("4.18", 1),
        "section5.1": matrices.improvement,
        "epsilons": functools.partial(constants.constants, name="epsilons"),
        "windows": functools.partial(constants.constants, name="windows"),
        "bandits": beyond.bandits,
        "ends": constants.ends,
    },
    in_lanes=True,
)
