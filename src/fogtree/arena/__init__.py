"""Where games are played: agents, the referee, tournaments, ratings."""
