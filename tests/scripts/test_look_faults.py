"""The script that asks which frame faults cost points: its frames and its table, without any game."""

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from garten.records import Frame, Moment, Shot

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
