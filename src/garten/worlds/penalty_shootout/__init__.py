"""Penalty shootout: two rivals take five kicks each, and keep goal against each other."""

from garten.worlds.penalty_shootout.world import PenaltyShootout

WORLD = PenaltyShootout

__all__ = ["WORLD", "PenaltyShootout"]
