"""The machinery under search and solvers: a hash table of information sets, walks over a game, work in slices."""
