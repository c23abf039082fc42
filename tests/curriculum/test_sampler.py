"""The buffer of levels against closed forms and a table worked out by hand."""

import numpy as np
import pytest

from garten.curriculum import sampler
from garten.curriculum.sampler import Buffer
from garten.training.curricula import BufferSettings

SCORES = np.array([3.0, 7.0, 1.0, 7.0])


def filled(scores=SCORES, **settings):
    buffer = Buffer(BufferSettings(**{"capacity": 4, **settings}))
    for level, score in zip("abcd", scores, strict=True):
        assert buffer.insert(level, score=score, best=0.0)
    return buffer


def test_weights_by_rank():
    # Ranks 3, 1, 4, 2; ties rank in order.
    expected = np.array([1 / 3, 1, 1 / 4, 1 / 2])
    np.testing.assert_allclose(sampler.rank_weights(SCORES, temperature=1.0), expected / expected.sum())
    halved = sampler.rank_weights(SCORES, temperature=0.5)
    np.testing.assert_allclose(halved, expected**2 / (expected**2).sum())
    np.testing.assert_allclose(sampler.rank_weights(SCORES, temperature=1e6), 0.25, atol=1e-5)


def test_weights_of_the_top():
    expected = np.array([np.exp(3.0), np.exp(7.0), 0, np.exp(7.0)])
    np.testing.assert_allclose(sampler.top_weights(SCORES, top=3, temperature=1.0), expected / expected.sum())
    assert sampler.top_weights(SCORES * 1e6, top=1, temperature=1.0).tolist() == [0, 1, 0, 0]
    np.testing.assert_allclose(sampler.top_weights(SCORES, top=9, temperature=1e6), 0.25, atol=1e-5)


def test_weights_by_staleness():
    np.testing.assert_allclose(sampler.staleness_weights(np.array([5, 2, 1]), 5), [0, 3 / 7, 4 / 7])
    assert sampler.staleness_weights(np.array([5, 5]), 5).tolist() == [0.5, 0.5]


def test_weights_blend_score_and_staleness():
    buffer = filled(staleness=0.3)  # inserted at plays 1 to 4, so stale by 3, 2, 1, 0
    by_rank = sampler.rank_weights(SCORES, temperature=1.0)
    np.testing.assert_allclose(buffer.weights(), 0.7 * by_rank + 0.3 * np.array([3, 2, 1, 0]) / 6)
    top = filled(staleness=0.0, order="top", top=1)
    assert top.weights().tolist() == [0, 1, 0, 0]


def test_a_full_buffer_replaces_the_level_of_least_weight_if_the_new_one_scores_higher():
    buffer = filled(staleness=0.0)
    assert not buffer.insert("e", score=1.0, best=0.0)  # as high as that of "c", which stays
    assert buffer.insert("e", score=1.5, best=4.0)
    assert buffer.levels == ["a", "b", "e", "d"]
    assert (buffer.scores.tolist(), buffer.best[2]) == ([3, 7, 1.5, 7], 4.0)


def test_a_level_kept_already_only_gets_its_new_score():
    buffer = filled()
    buffer.update(1, score=7.0, best=9.0)
    assert buffer.insert("b", score=2.0, best=5.0)
    assert (buffer.levels, buffer.scores.tolist()) == (["a", "b", "c", "d"], [3, 2, 1, 7])
    assert buffer.best[1] == 9.0


def test_levels_without_a_score_are_never_kept():
    buffer = Buffer(BufferSettings(capacity=2))
    assert not buffer.insert("a", score=-np.inf, best=-np.inf)
    assert buffer.levels == []


@pytest.mark.parametrize(("fill", "count", "enough"), [(0.5, 1, False), (0.5, 2, True), (0.0, 0, False)])
def test_when_there_are_enough_levels(fill, count, enough):
    buffer = Buffer(BufferSettings(capacity=4, fill=fill))
    for level in range(count):
        buffer.insert(level, score=0.0, best=0.0)
    assert buffer.full_enough == enough


def test_draws_follow_the_weights_and_make_the_others_staler():
    buffer = filled(staleness=0.0)
    places = buffer.draw(np.random.default_rng(0), 20_000)
    shares = np.bincount(places, minlength=4) / len(places)
    np.testing.assert_allclose(shares, sampler.rank_weights(SCORES, temperature=1.0), atol=0.01)
    stale = filled(staleness=1.0)
    stale.draw(np.random.default_rng(0), 1)
    assert (stale.weights() > 0).sum() == 3  # the one just drawn is not stale at all
    # Only by staleness, levels take turns: none is left out for long.
    turns = filled(staleness=1.0).draw(np.random.default_rng(0), 400)
    assert np.bincount(turns).min() > 80
    assert all(turns[1:] != turns[:-1])


def test_it_goes_on_from_its_state():
    one, other = filled(), Buffer(BufferSettings(capacity=4))
    other.restore(one.levels, one.state())
    draws = [buffer.draw(np.random.default_rng(3), 8).tolist() for buffer in (one, other)]
    assert draws[0] == draws[1]
    np.testing.assert_array_equal(one.weights(), other.weights())
