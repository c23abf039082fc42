"""Curricula: which levels the lanes of a training run play. `build` makes what a run asks for."""
