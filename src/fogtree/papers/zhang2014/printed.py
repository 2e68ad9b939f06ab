"""What Zhang and Wang 2014 print."""

from typing import NamedTuple

# --- Table 1: worlds -----------------------------------------------------------------------------------------------
INITIAL_WORLDS = 3.57e53  # of SiGuo
AVERAGE_WORLDS = 1.10e26  # in a round


# --- Tables 2 and 3: UCT-Risk against others -----------------------------------------------------------------------
class Row(NamedTuple):
    """A line of Table 2 or 3."""

    win: float  # percent
    lose: float
    profit: float  # average, from -100 to 100
    drop: float  # "max lost": the largest fall between neighbouring steps, averaged over games


RISKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
TUNED, GREEDY = "UCT-Tuned", "epsilon-greedy"
TABLES: dict[str, dict[float, Row]] = {
    TUNED: {
        0.0: Row(9, 91, -77.23, 31.55),
        0.2: Row(35, 65, -24.91, 30.14),
        0.4: Row(58, 42, 19.41, 15.39),
        0.6: Row(52, 48, 4.10, 14.09),
        0.8: Row(46, 54, -9.28, 10.02),
        1.0: Row(40, 60, -17.11, 10.98),
    },
    GREEDY: {
        0.0: Row(44, 56, -4.40, 29.68),
        0.2: Row(49, 51, 7.98, 26.65),
        0.4: Row(61, 39, 22.51, 18.20),
        0.6: Row(66, 34, 20.69, 18.03),
        0.8: Row(71, 29, 21.37, 13.32),
        1.0: Row(58, 42, 15.06, 9.25),
    },
}
GAMES = 20  # of a value, as the text says; the tables add up to 100 in each line, which may be percent

# --- Table 4: the variance of the profit in blocks of 16 steps -----------------------------------------------------
BLOCK = 16
VARIANCE: dict[str, tuple[float, ...]] = {  # one number a block, from step 16 to step 128
    TUNED: (56.25, 240.25, 102.25, 272.25, 882.25, 216, 225, 144),
    GREEDY: (1209, 90.25, 200, 100, 200.25, 230.25, 264, 420.25),
    "R = 0.3": (1, 6.25, 42.25, 110.25, 9, 484, 400, 361),
    "R = 0.7": (16, 156.25, 121, 276, 169, 2.25, 220.25, 9),
    "R = 1": (49, 16, 36, 240.25, 81, 0.25, 156.25, 25),
}
