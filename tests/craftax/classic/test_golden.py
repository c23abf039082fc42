"""Golden traces of the original (scripts/craftax/classic_golden.py): the same keys give the same game."""

from pathlib import Path

import numpy as np
import pytest

from garten.craftax.classic.engine import ClassicEngine
from garten.craftax.classic.state import STATE
from garten.craftax.columns import digest

GOLDEN = Path(__file__).parents[1] / "golden" / "classic.npz"


@pytest.fixture(scope="module")
def golden() -> dict[str, np.ndarray]:
    with np.load(GOLDEN) as file:
        return dict(file)


def digests(engine: ClassicEngine) -> list[int]:
    return [digest(STATE, engine.state.row(lane)) for lane in range(engine.lanes)]


def make_worlds(engine: ClassicEngine, keys: np.ndarray) -> None:
    engine.exchange.read("keys")[:] = keys
    engine.exchange.read("chosen")[:] = True
    engine.run("reset")


def play(engine: ClassicEngine, golden: dict[str, np.ndarray], name: str) -> None:
    """Play a batch's actions and compare every step, then the states at the end."""
    for step, (keys, actions) in enumerate(
        zip(golden[f"{name}_keys"], golden[f"{name}_actions"], strict=True)
    ):
        engine.exchange.read("keys")[:] = keys
        engine.exchange.read("actions")[:] = actions
        engine.run("step", "codes", "symbolic")
        assert digests(engine) == golden[f"{name}_digests"][step].tolist(), f"step {step}"
        assert np.abs(engine.exchange.read("rewards") - golden[f"{name}_rewards"][step]).max() <= 1e-6
        assert engine.exchange.read("over").tolist() == golden[f"{name}_over"][step].tolist()
        if step < len(golden[f"{name}_symbolic"]):
            assert np.abs(engine.symbolic.numpy() - golden[f"{name}_symbolic"][step]).max() <= 1e-6
    for field in STATE:
        ours, theirs = engine.state.read(field.name), golden[f"{name}_end_{field.name}"]
        if field.name == "light":
            assert np.abs(ours - theirs).max() <= 1e-6
        else:
            assert np.array_equal(ours, theirs), field.name


def test_worlds_are_those_of_the_original(golden):
    engine = ClassicEngine(len(golden["world_keys"]))
    make_worlds(engine, golden["world_keys"])
    assert digests(engine) == golden["world_digests"].tolist()


def test_steps_from_wild_states_are_those_of_the_original(golden):
    engine = ClassicEngine(golden["wild_keys"].shape[1])
    for field in STATE:
        engine.state.read(field.name)[:] = golden[f"wild_state_{field.name}"]
    play(engine, golden, "wild")


def test_episodes_are_those_of_the_original(golden):
    count = golden["episode_keys"].shape[1]
    engine = ClassicEngine(count)
    make_worlds(engine, golden["world_keys"][:count])
    play(engine, golden, "episode")
