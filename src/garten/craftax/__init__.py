"""Craftax as kernels: a grid world on many lanes, equal to the original draw for draw."""
