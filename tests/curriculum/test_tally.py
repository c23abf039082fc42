"""Success, level by level: whole episodes only, and no number where there is none."""

import math

import numpy as np

from garten.curriculum.tally import Tally
from garten.training.sources import Episodes

NAMES = ("COLLECT_WOOD", "EAT_COW", "WAKE_UP")
LANES = np.array([-1, 0, 0, 1, 2])


def episodes(*rows):
    """Each of them lane, success, length, return, achievements."""
    lane, success, length, returns, achieved = zip(*rows, strict=True)
    return Episodes(
        lane=np.array(lane),
        step=np.zeros(len(rows), np.int64),
        episode_return=np.array(returns, np.float32),
        length=np.array(length),
        achievements=np.array([[name in each for name in NAMES] for each in achieved]),
        success=np.array(success),
        truncated=np.zeros(len(rows), bool),
    )


def test_episodes_are_added_up_by_level():
    tally = Tally(3, NAMES)
    tally.add(
        episodes(
            (1, True, 10, 21.0, {"COLLECT_WOOD"}),
            (2, False, 30, 1.0, {"EAT_COW", "COLLECT_WOOD"}),
            (3, False, 7, -0.5, set()),
            (0, True, 5, 99.0, {"WAKE_UP"}),  # of a lane without a level
        ),
        LANES,
    )
    tally.add(episodes((2, False, 20, 2.0, set()), (1, True, 20, 22.0, {"WAKE_UP"})), LANES)
    first, second, third = (tally.performance(level) for level in range(3))
    assert (first.success, first.episodes, first.mean_length, first.mean_return) == (0.5, 4, 20.0, 11.5)
    assert first.achievements == {"COLLECT_WOOD": 0.5, "EAT_COW": 0.25, "WAKE_UP": 0.25}
    assert (second.success, second.episodes, second.mean_return, second.achievements) == (0.0, 1, -0.5, {})
    assert third.episodes == 0


def test_a_level_without_an_episode_has_no_numbers_and_none_that_are_none():
    nothing = Episodes(*[np.zeros(0, np.int64)] * 4, np.zeros((0, 0), bool), *[np.zeros(0, bool)] * 2)
    tally = Tally(1, NAMES)
    tally.add(nothing, LANES)
    performance = tally.performance(0)
    assert (performance.success, performance.mean_length, performance.mean_return) == (None, None, None)
    assert performance.learnability == 0.0
    tally.add(episodes((1, True, 4, 1.0, set())), LANES)
    assert not any(
        math.isnan(number) for number in (tally.performance(0).mean_return, performance.learnability)
    )


def test_worlds_that_are_solved_when_they_begin_count_neither_way():
    tally = Tally(1, NAMES)
    tally.add(episodes((1, True, 1, 0.0, {"EAT_COW"}), (2, True, 1, 0.0, {"EAT_COW"})), LANES)
    assert tally.performance(0).success is None
    tally.add(episodes((1, False, 2, 0.0, set())), LANES)
    assert tally.performance(0).success == 0.0


def test_it_goes_on_from_its_state():
    one, other = Tally(3, NAMES), Tally(3, NAMES)
    one.add(episodes((1, True, 10, 21.0, {"EAT_COW"})), LANES)
    other.restore(one.state())
    for tally in (one, other):
        tally.add(episodes((1, False, 20, 1.0, set())), LANES)
    assert one.performance(0) == other.performance(0)
    assert one.performance(0).success == 0.5
