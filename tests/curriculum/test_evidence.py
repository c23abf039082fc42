"""Evidence: means over cycles that forget."""

import pytest

from curriculum.archives import performance
from garten.curriculum.evidence import pooled


def test_episodes_count_less_the_longer_ago():
    history = [
        (2, performance(1.0, 4, EAT_COW=1.0)),
        (4, performance(0.0, 8, WAKE_UP=0.5)),
        (5, performance(0.5, 2)),
    ]
    found = pooled(history, keep=0.5)
    weights = 4 / 8, 8 / 2, 2
    total = sum(weights)
    assert found.success == pytest.approx((weights[0] + 0.5 * weights[2]) / total)
    assert found.achievements == {
        "EAT_COW": pytest.approx(weights[0] / total),
        "WAKE_UP": pytest.approx(0.5 * weights[1] / total),
    }
    assert found.episodes == round(total)
    assert (found.mean_length, found.mean_return) == (30.0, 2.5)


def test_all_or_only_the_last_cycle():
    history = [(0, performance(1.0, 30)), (3, performance(0.0, 10))]
    assert pooled(history, keep=1.0).success == pytest.approx(0.75)
    last = pooled(history, keep=0.0)
    assert (last.success, last.episodes) == (0.0, 10)


def test_a_cycle_without_episodes_leaves_what_was_known():
    earlier = (0, performance(0.8, 10))
    assert pooled([earlier, (1, performance(None))], keep=0.5).success == pytest.approx(0.8)
    assert pooled([earlier, (1, performance(None))], keep=0.0) == performance(None)
    assert pooled([(4, performance(None))], keep=0.5) == performance(None)
