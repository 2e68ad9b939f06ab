"""What Briedoň 2015 prints of its runs; the games themselves are in games/printed.py."""

DETERMINISTIC, EPSILON = "uct-det", "uct-eps:epsilon=0.0001"
NEAR = 0.02  # a run is like the printed one when no probability differs by more
ROUNDED = 0.005
QUICK_STEPS, QUICK_RUNS, RUNS, LONG_RUNS = 190, 8, 100, 1
ACTIONS = ("1st action", "2nd action", "3rd action")
PRINTED_32 = (0.08721, 0.80719, 0.1056), (0.08366, 0.7974, 0.11894)  # the strategies at the end of printed runs
PRINTED_41 = {
    DETERMINISTIC: ((0.42502, 0.00015, 0.57483), (0.42492, 0.57508)),
    EPSILON: ((0.322, 0.0, 0.678), (0.323, 0.677)),
}
PRINTED_49 = (0.4428742, 0.389712, 0.167414), (0.459178, 0.389666, 0.151156)
PRINTED_416 = (0.29452, 0.0027, 0.0, 0.70231), (0.00822, 0.41104, 0.00226, 0.57847)
PRINTED_51 = (0.57861, 0.4033, 0.01809), (0.30921, 0.69079)
# The printed shares of (A,F1) and (B,E2), and of (D,G2) and (D,H2), are exchanged: so they give the printed utilities.
ATTRACTOR = ((0.0, 0.35228, 0.64772, 0.0), (0.49979, 0.0, 0.16978, 0.33021))
FLAT = ((0.65588, 0.26776, 0.07634, 0.0), (0.0, 0.0, 0.88811, 0.11182))
