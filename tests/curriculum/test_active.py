"""Levels to train again: who may enter, who is drawn how often; learning progress against a coin flip."""

import json
from collections import Counter

import numpy as np
import pytest

from curriculum.archives import performance
from garten.curriculum.active import ActiveLevels
from garten.curriculum.progress import ERRORS, WINDOW, progress_score
from garten.training.curricula import BufferSettings

SETTINGS = BufferSettings(capacity=3, fill=0.0)


def holding(*scores: float, settings: BufferSettings = SETTINGS, cycle: int = 0) -> ActiveLevels:
    active = ActiveLevels(settings)
    for at, score in enumerate(scores):
        assert active.trained(f"{at}", score=score, cycle=cycle)
    return active


def test_levels_enter_until_it_is_full_and_then_by_score():
    active = holding(0.2, 0.1, 0.25)
    assert active.names == ("0", "1", "2")
    assert not active.trained("low", score=0.05, cycle=1)
    assert "low" not in active
    assert active.trained("equal", score=0.1, cycle=1)
    assert active.names == ("0", "2", "equal")
    assert active.trained("0", score=0.0, cycle=2)  # those within may sink
    assert active.names == ("0", "2", "equal")
    assert active.trained("new", score=0.0, cycle=3)
    assert active.names == ("2", "equal", "new")
    assert len(active) == 3
    with pytest.raises(ValueError, match="give a finite number"):
        active.trained("odd", score=float("nan"), cycle=3)


def test_weights_by_hand():
    active = holding(0.2, 0.1, 0.25)
    active.trained("0", score=0.2, cycle=4)  # the others were trained last in cycle 0
    ranks = np.array([1 / 2, 1 / 3, 1]) / (1 / 2 + 1 / 3 + 1)
    stale = np.array([1, 5, 5]) / 11
    assert np.allclose(active.weights(5), 0.7 * ranks + 0.3 * stale)
    just = holding(0.2, 0.1, 0.25)
    assert np.allclose(just.weights(0), 0.7 * ranks + 0.3 / 3)  # none is stale


def test_draws_are_of_different_levels_by_weight():
    active = holding(0.2, 0.1, 0.25)
    random = np.random.default_rng(0)
    firsts = Counter()
    for _ in range(3000):
        drawn = active.draw(random, 2, cycle=1)
        assert len(set(drawn)) == 2
        firsts[drawn[0]] += 1
    shares = np.array([firsts[name] for name in active.names]) / 3000
    assert np.abs(shares - active.weights(1)).max() < 0.04
    assert sorted(active.draw(random, 9, cycle=1)) == ["0", "1", "2"]
    assert ActiveLevels(SETTINGS).draw(random, 2, cycle=1) == []
    top = holding(0.2, 0.1, 0.25, settings=BufferSettings(capacity=3, order="top", top=1, staleness=0.0))
    assert top.draw(random, 3, cycle=1) == ["2"]


def test_what_a_checkpoint_kept_goes_on_exactly():
    active = holding(0.2, 0.1, 0.2)
    active.trained("b", score=0.2, cycle=1)
    active.trained("a", score=0.2, cycle=1)
    again = ActiveLevels(SETTINGS)
    again.restore(json.loads(json.dumps(active.state(), sort_keys=True)))
    assert again.names == active.names == ("2", "b", "a")
    assert np.array_equal(again.weights(3), active.weights(3))
    one, other = (each.draw(np.random.default_rng(5), 3, cycle=3) for each in (active, again))
    assert one == other


def test_progress_by_hand():
    assert progress_score([performance(0.5)]) == 0.25  # nothing to compare with
    assert progress_score([performance(None), performance(0.5)]) == 0.25
    assert progress_score([performance(0.5), performance(None)]) == 0.0
    assert progress_score([performance(0.5), performance(0.5)]) == 0.0
    sure = progress_score([performance(0.1, 10_000), performance(0.5, 10_000)])
    variances = sum(
        (n * p + 2) / (n + 4) * (n - n * p + 2) / (n + 4) / (n + 4) for n, p in ((1e4, 0.1), (1e4, 0.5))
    )
    assert sure == pytest.approx(0.25 * (1 - ERRORS**2 * variances / 0.4**2))
    assert sure > 0.249
    assert progress_score([performance(0.4, 10), performance(0.5, 10)]) == 0.0  # may well be luck
    forgotten = progress_score([performance(0.9, 1000), performance(0.5, 1000)])
    assert forgotten == pytest.approx(progress_score([performance(0.1, 1000), performance(0.5, 1000)]))
    assert progress_score([performance(0.3, 1000), performance(1.0, 1000)]) == 0.0  # learned


def test_progress_looks_back_a_little():
    long_ago = [performance(0.0, 1000)] * 5
    assert progress_score([*long_ago, *[performance(0.5, 1000)] * (WINDOW + 1)]) == 0.0
    assert progress_score([*long_ago, performance(0.5, 1000), performance(0.5, 1000)]) > 0.2


def test_a_coin_flip_is_not_trained_more_than_others():
    """Among levels that get easier by training one succeeds by luck alone, half of the time, for ever."""

    def shares(score_of, seed):
        random = np.random.default_rng(seed)
        active = ActiveLevels(BufferSettings(capacity=40, fill=0.0))
        trained = Counter({f"{level}": 0 for level in range(20)} | {"coin": 0})
        histories = {name: [] for name in trained}
        for cycle in range(150):
            drawn = active.draw(random, 5, cycle=cycle) if cycle else list(trained)
            for name in drawn:
                trained[name] += 1
                # Each level has a difficulty of its own; training makes success likelier, up to certainty.
                skill = 0.25 * trained[name] - 2.0 - 0.2 * int(name) if name != "coin" else 0.0
                chance = 1.0 / (1.0 + np.exp(-skill))
                met = random.binomial(60, chance) / 60
                histories[name].append(performance(met, 60))
                active.trained(name, score=score_of(histories[name]), cycle=cycle)
        late = {name: count - 1 for name, count in trained.items()}
        return late["coin"] / np.mean([late[name] for name in late if name != "coin"])

    by_luck = np.mean([shares(lambda history: history[-1].learnability, seed) for seed in range(5)])
    by_progress = np.mean([shares(progress_score, seed) for seed in range(5)])
    assert by_luck > 2.0  # p (1 - p) falls for it
    assert by_progress < 1.1
