"""Rules that both games share, one family a file; each takes the structs of either game."""
