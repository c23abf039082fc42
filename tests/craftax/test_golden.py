"""Golden traces of the original (scripts/craftax/golden.py): the same keys give the same game."""

from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from garten.craftax.classic.engine import ClassicEngine
from garten.craftax.classic.state import STATE
from garten.craftax.columns import Field, digest
from garten.craftax.engine import Engine
from garten.craftax.full.engine import FullEngine
from garten.craftax.full.state import GAME
from garten.craftax.host_keys import Stream

GOLDEN = Path(__file__).parent / "golden"

GAMES: dict[str, tuple[type[Engine], tuple[Field, ...], tuple[str, ...]]] = {
    "classic": (ClassicEngine, STATE, ()),
    "full": (FullEngine, GAME, ("all_floors",)),
}
"""Of each game its engine, the fields compared, and the launches after which a new world is whole."""

TOLERANCE = {"classic": 1e-6, "full": 1e-5}


class Trace:
    """The golden file of a game, and an engine to play it on."""

    def __init__(self, game: str, stream: Stream) -> None:
        self.stream = stream
        self.make, self.fields, self.whole = GAMES[game]
        self.tolerance = TOLERANCE[game]
        name = game if stream == "partitionable" else f"{game}_{stream}"
        with np.load(GOLDEN / f"{name}.npz") as file:
            self.golden = dict(file)

    def engine(self, lanes: int) -> Engine:
        return self.make(lanes, stream=self.stream)

    def make_worlds(self, engine: Engine) -> None:
        engine.exchange.read("keys")[:] = self.golden["world_keys"][: engine.lanes]
        engine.exchange.read("chosen")[:] = True
        engine.run("reset", *self.whole)

    def digests(self, engine: Engine) -> list[int]:
        return [digest(self.fields, engine.state.row(lane)) for lane in range(engine.lanes)]

    def play(self, engine: Engine, name: str) -> None:
        """Play a batch's actions and compare every step, then the states at the end."""
        golden = {part: self.golden[f"{name}_{part}"] for part in ("rewards", "over", "symbolic", "digests")}
        moves = zip(self.golden[f"{name}_keys"], self.golden[f"{name}_actions"], strict=True)
        for step, (keys, actions) in enumerate(moves):
            engine.exchange.read("keys")[:] = keys
            engine.exchange.read("actions")[:] = actions
            engine.run("step", "codes", "symbolic")
            assert self.digests(engine) == golden["digests"][step].tolist(), f"step {step}"
            assert np.abs(engine.exchange.read("rewards") - golden["rewards"][step]).max() <= 1e-5
            assert engine.exchange.read("over").tolist() == golden["over"][step].tolist()
            if step < len(golden["symbolic"]):
                assert np.abs(engine.symbolic.numpy() - golden["symbolic"][step]).max() <= self.tolerance
        for field in self.fields:
            ours, theirs = engine.state.read(field.name), self.golden[f"{name}_end_{field.name}"]
            if field.kind is float:
                assert np.abs(ours - theirs).max() <= 1e-5, field.name
            else:
                assert np.array_equal(ours, theirs), field.name


@pytest.fixture(scope="module", params=product(GAMES, get_args(Stream)), ids="-".join)
def trace(request) -> Trace:
    return Trace(*request.param)


def test_worlds_are_those_of_the_original(trace):
    engine = trace.engine(len(trace.golden["world_keys"]))
    trace.make_worlds(engine)
    assert trace.digests(engine) == trace.golden["world_digests"].tolist()


def test_steps_from_wild_states_are_those_of_the_original(trace):
    engine = trace.engine(trace.golden["wild_keys"].shape[1])
    for field in trace.fields:
        engine.state.read(field.name)[:] = trace.golden[f"wild_state_{field.name}"]
    trace.play(engine, "wild")


def test_episodes_are_those_of_the_original(trace):
    engine = trace.engine(trace.golden["episode_keys"].shape[1])
    trace.make_worlds(engine)
    trace.play(engine, "episode")
