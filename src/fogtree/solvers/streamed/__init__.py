"""Games whose histories do not fit in memory: they are walked again and again, and only what is needed is kept."""
