"""The methods of curricula, fed with reports made by hand."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from garten.curriculum.accel import EditedReplay
from garten.curriculum.dr import DomainRandomisation
from garten.curriculum.plr import LevelReplay
from garten.training.curricula import BufferSettings
from garten.training.sources import Episodes, RolloutReport

LANES, STEPS, ROLLOUTS = 6, 4, 2


@dataclass(frozen=True)
class Number:
    """A level that is a number: what every action in it is worth."""

    worth: int
    edits: int = 0


class Numbers:
    """Levels, and what the lanes were last given."""

    kind = Number

    def __init__(self):
        self.on_lanes = []
        self.puts = 0

    def draw(self, random):
        return Number(int(random.integers(1, 100)))

    def put(self, env, levels):
        self.on_lanes, self.puts = list(levels), self.puts + 1


class Lanes:
    num_envs = LANES


def report(update, levels, *, ends=True):
    """Each lane's episode lasts a rollout; the critic expects nothing."""
    rewards = np.tile([float(level.worth) for level in levels], (STEPS, 1)).astype(np.float32)
    ended = np.zeros((STEPS, LANES), bool)
    ended[-1] = ends
    none = np.zeros(0, np.int64)
    episodes = Episodes(none, none, np.zeros(0, np.float32), none, np.zeros((0, 0), bool), none > 0, none > 0)
    return RolloutReport(update, episodes, rewards, np.zeros_like(rewards), rewards / 2, ended)


def play(source, levels, updates, *, first=0, **how):
    """Updates with a source; what the lanes played, where from, and whether it was learned from, each."""
    played = []
    for update in range(first, first + updates):
        plan = source.begin(Lanes(), update, policy=None)
        assert plan.reset.tolist() == [update % ROLLOUTS == 0] * LANES
        told = source.report(report(update, levels.on_lanes, **how))
        played.append((tuple(levels.on_lanes), source._batch.origin, plan.learn, told))
    return played


def replay(levels, **settings):
    asked = {"replay": 0.5, "learn_new": True, "score": "max_mc", "buffer": BufferSettings(capacity=12)}
    return LevelReplay(levels, rollouts=ROLLOUTS, seed=0, **{**asked, **settings})


def edited(levels):
    def edit(parents, random):
        return [replace(parent, edits=parent.edits + 1) for parent in parents]

    buffer = BufferSettings(capacity=12)
    return EditedReplay(
        levels, edit=edit, rollouts=ROLLOUTS, replay=0.5, score="max_mc", buffer=buffer, seed=0
    )


def test_domain_randomisation_changes_all_levels_every_period_and_only_then():
    levels = Numbers()
    played = play(DomainRandomisation(levels, rollouts=ROLLOUTS, seed=0), levels, 6)
    assert levels.puts == 3
    assert [played[i][0] == played[i + 1][0] for i in range(5)] == [True, False, True, False, True]
    again = play(DomainRandomisation(levels, rollouts=ROLLOUTS, seed=0), levels, 6)
    other = play(DomainRandomisation(levels, rollouts=ROLLOUTS, seed=1), levels, 6)
    assert played == again != other


@pytest.mark.parametrize(("score", "steps"), [("max_mc", STEPS), ("pvl", 0.5)])
def test_replay_scores_levels_over_the_whole_period(score, steps):
    levels = Numbers()
    source = replay(levels, score=score)
    play(source, levels, ROLLOUTS)
    kept = dict(zip(source.buffer.levels, source.buffer.scores, strict=True))
    # The best return of a level is its worth times the steps of an episode; the critic said 0.
    assert kept == {level: level.worth * steps for level in levels.on_lanes}
    assert source.buffer.best.tolist() == [level.worth * STEPS for level in source.buffer.levels]


def test_replay_plays_kept_levels_again_and_learns_from_all():
    levels = Numbers()
    source = replay(levels)
    played = play(source, levels, 60)
    origins = [origin for _, origin, _, _ in played[::ROLLOUTS]]
    assert origins[0] == "new"
    assert 8 < origins.count("replayed") < 22
    assert all(learn for _, _, learn, _ in played)
    known: set[Number] = set()
    for levels_played, origin, _, told in played:
        assert told[origin] == 1.0
        if origin == "replayed":
            assert set(levels_played) <= known
        known |= set(levels_played)
    # Levels worth more are kept; they are the greatest of those ever played, but for some that were stale.
    assert np.mean([level.worth for level in source.buffer.levels]) > 70


def test_robust_replay_learns_only_from_levels_played_again():
    levels = Numbers()
    for _, origin, learn, _ in play(replay(levels, learn_new=False), levels, 40):
        assert learn == (origin == "replayed")


def test_nothing_is_kept_of_a_period_in_which_no_episode_ended():
    levels = Numbers()
    source = replay(levels)
    played = play(source, levels, 4, ends=False)
    assert source.buffer.levels == []
    assert [origin for _, origin, _, _ in played] == ["new"] * 4
    assert "score" not in played[1][3]


def test_a_level_played_again_without_an_end_keeps_its_score():
    levels = Numbers()
    source = replay(levels, replay=1.0)
    play(source, levels, ROLLOUTS)
    before = source.buffer.scores.copy()
    assert [origin for _, origin, _, _ in play(source, levels, ROLLOUTS, first=ROLLOUTS, ends=False)] == [
        "replayed"
    ] * ROLLOUTS
    assert np.array_equal(before, source.buffer.scores)


def test_edits_follow_replay_and_are_never_learned_from():
    levels = Numbers()
    source = edited(levels)
    periods = play(source, levels, 80)[::ROLLOUTS]
    origins = [origin for _, origin, _, _ in periods]
    assert {"new", "replayed", "edited"} == set(origins)
    for (parents, before, _, _), (children, origin, learn, _) in pairwise(periods):
        assert (origin == "edited") == (before == "replayed")
        assert learn == (origin != "edited")
        if origin == "edited":
            assert [child.edits for child in children] == [parent.edits + 1 for parent in parents]
    assert max(level.edits for level in source.buffer.levels) > 2


@pytest.mark.parametrize("make", [replay, edited], ids=["plr", "accel"])
@pytest.mark.parametrize("stop", [1, 7, 12])
def test_a_restored_source_goes_on_the_same(make, stop):
    levels = Numbers()
    source = make(levels)
    play(source, levels, stop)
    state, on_lanes = source.state(), levels.on_lanes
    rest = play(source, levels, 20, first=stop)
    fresh = Numbers()
    other = make(fresh)
    other.restore(state, Lanes())
    assert fresh.on_lanes == on_lanes
    assert play(other, fresh, 20, first=stop) == rest
