"""The script that asks which frame faults cost points: its frames and its table, without any game."""

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from garten.episodes.looks import look
from garten.records import Frame, Moment, Shot
from garten.scene import Camera, Kind, SceneBuilder
from garten.sight.looks import see

PLACE = Path(__file__).parents[2] / "scripts" / "look_faults.py"


@pytest.fixture(scope="module")
def faults() -> ModuleType:
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("look_faults", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def moment(time: float) -> Moment:
    return Moment(time=time, scene=None, cameras={})  # type: ignore[arg-type]


class Since:
    """A view whose frames tell how many moments it has followed."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def follow(self, moment: Moment) -> None:
        self.times.append(moment.time)

    def frame(self, moment: Moment) -> Frame:
        known = [time for time in self.times if time <= moment.time]
        return np.full((1, 1, 3), len(known), np.uint8)

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        raise AssertionError("nobody films")


class Counting:
    name = "counting"

    def view(self, shot: Shot, **_: Any) -> Since:
        return Since()


def test_fresh_frames_begin_anew_every_few_seconds_also_when_read_later(faults: ModuleType) -> None:
    view = faults.Fresh(Counting(), 0.3).view(lambda now: None, role="dog", size=(1, 1), seed=0)
    moments = [moment(number / 10) for number in range(7)]
    for one in moments:
        view.follow(one)
    assert [int(view.frame(one)[0, 0, 0]) for one in moments] == [1, 2, 3, 1, 2, 3, 1]


def test_late_frames_are_those_of_a_block_ago(faults: ModuleType) -> None:
    view = faults.Late(Counting()).view(lambda now: None, role="dog", size=(1, 1), seed=0)
    moments = [moment(number / 5) for number in range(6)]
    for one in moments:
        view.follow(one)
    assert [int(view.frame(one)[0, 0, 0]) for one in moments] == [1, 1, 1, 1, 2, 3]


def test_smeared_frames_keep_what_was_seen_and_have_no_more(faults: ModuleType) -> None:
    """A camera turns from a white wall to a red block and back: the wall comes back, the block never came."""
    builder = SceneBuilder()
    builder.add(Kind.BOX, (0.2, 3.0, 3.0), position=(5.0, 0.0, 0.0), material=builder.material((1, 1, 1)))
    red = builder.material((1, 0, 0))
    builder.add(Kind.BOX, (0.5, 0.5, 0.5), position=(5 * np.cos(1.0), 5 * np.sin(1.0), 0.0), material=red)
    scene = builder.build()
    turns = [0.0, 0.2, 0.4, 0.2, 0.0]
    moments = [
        Moment(time=0.1 * n, scene=scene, cameras={"dog": Camera.at((0, 0, 0), turn)})
        for n, turn in enumerate(turns)
    ]
    view = faults.Smeared(look("raw")).view(lambda now: now.cameras["dog"], role="dog", size=(32, 18), seed=0)
    frames = []
    for one in moments:
        view.follow(one)
        frames.append(view.frame(one).astype(int))
    shape = {"role": "dog", "width": 32, "height": 18}
    true = [look("raw").frame(one, one.cameras["dog"], **shape) for one in moments]
    wall = see(moments[0], moments[0].cameras["dog"], **shape).ids == 0
    assert np.array_equal(frames[0], true[0])
    assert np.abs(frames[-1] - frames[0])[wall].mean() < 6
    block = see(moments[2], moments[2].cameras["dog"], **shape).ids == 1
    assert not (see(moments[0], moments[0].cameras["dog"], **shape).ids == 1).any()
    assert true[2][block][:, 0].mean() > 2 * true[2][block][:, 1].mean()
    assert frames[2][block][:, 0].mean() < 1.2 * frames[2][block][:, 1].mean()


def test_mixed_frames_have_the_lightness_of_one_and_the_colour_of_the_other(faults: ModuleType) -> None:
    grey = np.repeat(np.linspace(70, 180, 16).astype(np.uint8)[None, :, None], 3, 2)
    red = np.full((1, 16, 3), (150, 100, 90), np.uint8)
    light, color = np.array([0.299, 0.587, 0.114]), np.array([0.5, -0.4187, -0.0813])
    made = faults.mixed(grey, red).astype(float)
    assert np.abs(made @ light - grey @ light).max() < 2
    assert np.abs(made @ color - red @ color).max() < 2
    assert np.abs(faults.mixed(grey, grey).astype(int) - grey).max() <= 1


def test_the_table_compares_equal_layouts(faults: ModuleType) -> None:
    text = faults.table({"true": [80.0, 20.0, 50.0], "neural": [70.0, 0.0, 50.0]})
    true, neural = text.splitlines()[2:]
    assert true.endswith("| 50.0 |  |")
    # differences -10, -20, 0: mean -10, deviation 10, error 10 / sqrt 3
    assert neural.endswith("| 40.0 | -10.0 ± 5.8 |")
