"""What episodes add up to, by hand."""

import math

import pytest

from garten.runs.codec import dump, from_json, to_json
from garten.training.results import (
    PROTOCOLS,
    EpisodeResult,
    Evaluation,
    Protocol,
    achievement_rewards,
    standings,
    summarise,
)


def episode(world, value, *names, end="died", length=100):
    return EpisodeResult(world, value, length, end, names)


FULL = [
    episode(0, 2.0, "collect_wood", "place_table", length=50),
    episode(1, 4.0, "collect_wood", "enter_dungeon", end="step limit", length=150),
    episode(2, 5.0, "enter_sewers", length=100),
    episode(3, 9.0, "collect_wood", "enter_graveyard", end="won", length=100),
]


def test_the_rewards_are_those_of_the_games():
    full, classic = achievement_rewards("Craftax"), achievement_rewards("Craftax-Classic")
    assert (len(full), sum(full.values())) == (67, 226.0)
    assert (len(classic), sum(classic.values())) == (22, 22.0)
    assert list(classic) == list(full)[:22]
    assert (full["collect_wood"], full["defeat_necromancer"]) == (1.0, 8.0)


def test_returns():
    found = summarise("Craftax", FULL)
    assert found.episodes == 4
    assert found.mean_return == 5.0
    # Deviations -3, -1, 0, 4: variance 26 / 3, of the mean a quarter of that.
    assert found.standard_error == pytest.approx(math.sqrt(26 / 3 / 4))
    assert found.percent_of_maximum == pytest.approx(500 / 226)
    assert found.percent_error == pytest.approx(found.standard_error * 100 / 226)
    assert (found.median_return, found.lowest_return, found.highest_return) == (4.5, 2.0, 9.0)
    assert found.mean_length == 100.0


def test_how_they_ended():
    found = summarise("Craftax", FULL)
    assert found.ends == {"died": 2, "won": 1, "step limit": 1}
    assert found.unfinished == (1,)


def test_achievements_and_tiers():
    found = summarise("Craftax", FULL)
    assert list(found.achievements) == list(achievement_rewards("Craftax"))
    unlocked = {name: share for name, share in found.achievements.items() if share}
    expected = {"collect_wood": 0.75, "place_table": 0.25, "enter_dungeon": 0.25}
    assert unlocked == {**expected, "enter_sewers": 0.25, "enter_graveyard": 0.25}
    rows = [(row.tier, row.count, row.unlocked, row.reward, row.maximum) for row in found.yields]
    assert rows == [
        ("basic", 25, 1.0, 1.0, 25.0),
        ("intermediate", 18, 0.25, 0.75, 54.0),
        ("advanced", 15, 0.25, 1.25, 75.0),
        ("very advanced", 9, 0.25, 2.0, 72.0),
    ]


def test_classic_has_one_tier():
    (row,) = summarise("Craftax-Classic", [episode(0, 1.0, "wake_up")]).yields
    assert (row.tier, row.count, row.reward, row.maximum) == ("basic", 22, 1.0, 22.0)


def test_one_episode_has_no_error_and_none_is_refused():
    found = summarise("Craftax", FULL[:1])
    assert (found.standard_error, found.percent_error) == (None, None)
    with pytest.raises(ValueError, match="no episode"):
        summarise("Craftax", [])


def test_the_protocols():
    published, quick = PROTOCOLS["published"], PROTOCOLS["quick"]
    assert (published.worlds, published.steps, published.seed) == (1024, 8192, 0)
    assert quick.worlds < published.worlds
    assert quick.seed == published.seed


def test_an_evaluation_survives_json():
    made = Evaluation(
        agent="a run",
        trained_steps=12,
        game="Craftax",
        protocol=Protocol("quick", worlds=4, steps=9),
        summary=summarise("Craftax", FULL),
        episodes=tuple(FULL),
        wall_seconds=0.5,
    )
    assert from_json(Evaluation, to_json(made)) == made
    assert dump(made) == dump(from_json(Evaluation, to_json(made)))


def evaluation(steps, *values):
    episodes = tuple(episode(world, value) for world, value in enumerate(values))
    protocol, summary = Protocol("small", worlds=len(values), steps=9), summarise("Craftax", episodes)
    return Evaluation("a run", steps, "Craftax", protocol, summary, episodes, 0.0)


def test_one_run_is_known_as_well_as_its_worlds_tell():
    run = [evaluation(20, 2.0, 6.0), evaluation(10, 1.0, 3.0)]
    found = standings([run])
    assert [(standing.trained_steps, standing.runs) for standing in found] == [(10, 1), (20, 1)]
    assert found[1].percent_of_maximum == pytest.approx(400 / 226)
    assert found[1].percent_error == pytest.approx(200 / 226)  # deviations of 2: variance 8, over 2 worlds


def test_runs_together_are_known_as_well_as_their_seeds_tell():
    means = {0: (1.0, 3.0), 1: (4.0, 6.0), 2: (10.0, 6.0)}
    runs = [[evaluation(10, *values), evaluation(20 + seed, *values)] for seed, values in means.items()]
    (standing,) = standings(runs)
    assert (standing.trained_steps, standing.runs) == (10, 3)
    assert standing.percent_of_maximum == pytest.approx(500 / 226)  # of 2, 5, 8
    assert standing.percent_error == pytest.approx(3 / math.sqrt(3) * 100 / 226)
