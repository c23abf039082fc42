"""Craftax, the full game: 43 actions, 67 achievements, nine floors of 48 x 48."""
