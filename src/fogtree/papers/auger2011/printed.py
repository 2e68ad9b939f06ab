"""What Auger 2011 prints, and the games and players that it prints it of."""

GAME, SMALLER = "phantom-ttt", "phantom-ttt:rules=forced-centre,winning_first=on"  # for quick looks at what takes long
REDUCED = "phantom-ttt:winning_first=on"  # the same value, and a sequence form that fits in memory
VALUE = 2 / 3  # a line in the pictures; `bounds` measures it
SIZES = (500_000, 5_000_000, 50_000_000)
NAMES = ("MMCTS 500K", "MMCTS 5M", "MMCTS 50M", "Random", "Belief")
TABLE_1 = (  # percent won by the first and by the second player; rows are first players
    ((65, 25), (51, 37), (44, 47), (67, 22), (40, 43)),
    ((88, 6), (82, 10), (78, 17), (88, 5), (78, 10)),
    ((93, 2), (89, 3), (85, 4), (93, 2), (82, 3)),
    ((55, 33), (48, 39), (41, 47), (59, 28), (30, 53)),
    ((77, 14), (73, 18), (68, 22), (79, 12), (56, 28)),
)
PRINTED_HALF = 1.0  # two digits, of an unknown number of games: no cell is known better than this
READINGS = {"win": "simulation", "zero-sum": "node"}  # aim -> clock
