"""How a run went, from its events: returns of the target game, and what the time went into."""

import pytest

from garten.runs.resume import begin
from garten.training.history import history, target_return


def update(number, **more):
    plain = {"update": number, "steps": 100 * (number + 1), "episodes": 2, "return": 4.0, "wall_seconds": 2.0}
    return plain | {"wall_parts": {"engine": 0.5, "learning": 1.0}} | more


def test_phases_tell_where_the_time_went(tmp_path):
    with begin(tmp_path / "run", {}, seeds=[0], kind="train") as run:
        for number in range(4):
            run.event("update", update(number))
    first, second = history(run.folder, phases=2)
    assert first.seconds == second.seconds == {"engine": 1.0, "learning": 2.0, "other": 1.0}
    assert (second.steps, second.episodes, second.mean_return) == (400, 4, 4.0)
    assert second.steps_per_second == pytest.approx(50.0)


def test_where_lanes_play_other_levels_too_the_target_game_counts(tmp_path):
    beside = {"target_episodes": 1.0, "target_return": 3.0}
    with begin(tmp_path / "run", {}, seeds=[0], kind="train") as run:
        run.event("update", update(0, levels=beside))
        run.event("update", update(1, levels={"target_episodes": 0.0}))
        run.event("update", update(2, levels=beside | {"target_return": 5.0}))
    (phase,) = history(run.folder, phases=1)
    assert (phase.episodes, phase.mean_return) == (2, 4.0)


def test_updates_without_an_episode_have_no_return():
    assert target_return({"episodes": 0}) == (0, 0.0)
    assert target_return(update(0)) == (2, 4.0)
