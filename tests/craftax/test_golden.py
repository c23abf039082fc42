"""Golden traces of the original (scripts/craftax/golden.py): the same keys give the same game."""

from itertools import product
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from garten import craftax
from garten.craftax.classic.state import STATE
from garten.craftax.columns import Field, digest
from garten.craftax.env import Env
from garten.craftax.full.state import GAME
from garten.craftax.host_keys import Stream

GOLDEN = Path(__file__).parent / "golden"

GAMES: dict[str, tuple[str, tuple[Field, ...], float]] = {
    "classic": ("Craftax-Classic", STATE, 1e-6),
    "full": ("Craftax", GAME, 1e-5),
}
"""Of each file's game its name, the fields compared, and how far observations may be apart."""


class Trace:
    """The golden file of a game, and environments to play it in."""

    def __init__(self, game: str, stream: Stream) -> None:
        self.stream = stream
        self.name, self.fields, self.tolerance = GAMES[game]
        name = game if stream == "partitionable" else f"{game}_{stream}"
        with np.load(GOLDEN / f"{name}.npz") as file:
            self.golden = dict(file)

    def make(self, lanes: int, *, auto_reset: bool) -> Env:
        """An environment whose lanes are in the trace's worlds, all of their floors made."""
        worlds = self.golden["world_keys"]
        env = craftax.make(
            self.name, num_envs=lanes, obs="symbolic", stream=self.stream, auto_reset=auto_reset
        )
        env.reset(keys=np.resize(worlds, (lanes, 2)))
        for lane in range(lanes):
            env.engine.complete(lane)
        return env

    def digests(self, env: Env) -> list[int]:
        values = {field.name: env.engine.state.read(field.name) for field in self.fields}
        rows = ({name: value[lane] for name, value in values.items()} for lane in range(env.num_envs))
        return [digest(self.fields, row) for row in rows]

    def play(self, name: str) -> None:
        """Play a batch and compare every step, and the states and observations that were kept."""
        prefix = f"{name}_"
        golden = {
            part.removeprefix(prefix): value for part, value in self.golden.items() if part.startswith(prefix)
        }
        steps, lanes = golden["actions"].shape
        renews = bool(golden["renews"])
        env = self.make(lanes, auto_reset=renews)
        for field in self.fields:
            env.engine.state.read(field.name)[:] = golden[f"state_{field.name}"][0]
        looks, saves = golden["looks"].tolist(), golden["saves"].tolist()
        for step in range(steps):
            seen, rewards, terminated, truncated = env.step(
                golden["actions"][step], keys=golden["keys"][step]
            )
            over = terminated | truncated
            for lane in np.flatnonzero(over & renews):
                env.engine.complete(lane)
            assert self.digests(env) == golden["digests"][step].tolist(), f"step {step}"
            assert np.abs(rewards - golden["rewards"][step]).max() <= 1e-5
            assert over.tolist() == golden["over"][step].tolist()
            if step + 1 in looks:
                expected = golden["symbolic"][looks.index(step + 1)]
                assert np.abs(seen - expected).max() <= self.tolerance
            if step + 1 in saves:
                self.compare_state(env, golden, saves.index(step + 1))

    def compare_state(self, env: Env, golden: dict[str, np.ndarray], index: int) -> None:
        """Compare all of the states with those that were kept at this index."""
        for field in self.fields:
            ours, theirs = env.engine.state.read(field.name), golden[f"state_{field.name}"][index]
            if field.kind is float:
                assert np.abs(ours - theirs).max() <= 1e-5, field.name
            else:
                assert np.array_equal(ours, theirs), field.name


@pytest.fixture(scope="module", params=product(GAMES, get_args(Stream)), ids="-".join)
def trace(request: Any) -> Trace:
    return Trace(*request.param)


def test_worlds_are_those_of_the_original(trace: Trace) -> None:
    env = trace.make(len(trace.golden["world_digests"]), auto_reset=False)
    assert trace.digests(env) == trace.golden["world_digests"].tolist()


def test_steps_from_wild_states_are_those_of_the_original(trace: Trace) -> None:
    trace.play("wild")


def test_long_play_with_new_worlds_after_deaths_is_that_of_the_original(trace: Trace) -> None:
    trace.play("play")
