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

# --- Go -------------------------------------------------------------------------------------------------------------------

# --- poker ----------------------------------------------------------------------------------------------------------------
