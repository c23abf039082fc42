"""Comparing devices: the CPU agrees with itself, and one changed value is noticed."""

import pytest

from garten.craftax import agreement
from garten.craftax.env import Env

GAMES = ("Craftax", "Craftax-Classic")


@pytest.mark.parametrize("game", GAMES)
def test_the_cpu_agrees_with_itself(game: str) -> None:
    assert agreement.unequal_lanes(game, "cpu", lanes=16, steps=60) == 0


def test_lanes_that_differ_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    inject = agreement._inject

    def inject_wrongly(source: Env, target: Env) -> None:
        inject(source, target)
        target.engine.state.read("timestep")[[3, 5]] += 1

    monkeypatch.setattr(agreement, "_inject", inject_wrongly)
    assert agreement.unequal_lanes("Craftax", "cpu", lanes=8, steps=2) == 2


@pytest.mark.gpu
@pytest.mark.parametrize("game", GAMES)
def test_a_gpu_plays_the_same_game(game: str) -> None:
    assert agreement.unequal_lanes(game, "cuda") == 0
