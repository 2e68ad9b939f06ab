"""Forms: a game as trees of information sets and arrays, and the sweeps over them that everything exact is made of."""
