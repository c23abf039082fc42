"""Craftax-Classic: 17 actions, 22 achievements, one 64 x 64 map."""
