"""What Arenz 2012 prints, and what its sources print where it only points to them."""

# --- chess: Elo of the players that search bootstrapping trained (Veness and others 2009, Table 1) -----------------------
RATINGS = {"untrained": 250, "rootstrap": 1362, "treestrap-minimax": 1807, "treestrap": 2157}
RATING_HALVES = {
    "untrained": 63,
    "rootstrap": 59,
    "treestrap-minimax": 32,
    "treestrap": 31,
}  # half of the 95 % interval
TD_LEAF = (1068, 36)  # in the source only

# --- Go: won against GNU Go 3.7.10, level 10, on 9x9, at 3,000 simulations a move, 2,300 games (Gelly and Silver 2011) ----
GNU_GO = {"UCT": 24, "RAVE": 55, "careful RAVE with priors": 69}  # %; of RAVE 50 to 60, depending on k
GNU_GO_HALVES = {"UCT": 1.7, "RAVE": 5, "careful RAVE with priors": 1.9}  # half of the 95 % interval

# --- poker ----------------------------------------------------------------------------------------------------------------
