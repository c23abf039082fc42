"""Parents: who is at the frontier, and how often each is chosen."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from curriculum.archives import archive, node, training
from garten.curriculum.parents import MOST_CHILDREN, choose_parents, failures, frontier


def names(chosen) -> list[str | None]:
    return [each.digest if each else None for each in chosen]


def choose(nodes, count, rule, *, seed=0, score="learnability", **shares):
    random = np.random.default_rng(seed)
    return names(choose_parents(nodes, count, rule=rule, random=random, score=score, **shares))


def children(parent: int, first: int, *successes: float | None):
    """Children of a level that went like that."""
    return [node(first + at, training(1, success), parent=parent) for at, success in enumerate(successes)]


def test_the_frontier():
    nodes = archive(
        node(0, training(0, 0.9)),
        node(1, training(0, 0.5)),
        node(2, training(0, 0.49)),  # does not succeed often enough
        node(3, training(0, None)),
        node(4),
        node(5, training(0, 0.9)),  # has a child that is learned a little
        *children(5, 10, 0.1, 0.3),
        node(6, training(0, 0.9)),  # has one that is not
        *children(6, 20, 0.1, None),
        node(7, training(0, 0.9)),  # has many
        *children(7, 30, *[0.1] * MOST_CHILDREN),
        node(8, training(0, 0.9)),  # has many that were refused
        *(node(40 + at, parent=8, refused="No.") for at in range(MOST_CHILDREN)),
        node(9, training(0, 0.9)),
        node(50, parent=9),  # was not trained yet
    )
    assert [each.digest for each in frontier(nodes)] == ["0", "1", "6", "9"]


def test_frontiers_are_drawn_in_proportion_to_learnability():
    nodes = archive(*(node(at, training(0, success)) for at, success in enumerate((0.5, 0.9, 1.0, 0.2))))
    drawn = Counter(choose(nodes, 1, "learnability", seed=seed)[0] for seed in range(3000))
    assert set(drawn) == {"0", "1"}  # where success is certain nothing is to learn
    share = 0.25 / (0.25 + 0.09)
    error = np.sqrt(share * (1 - share) / 3000)
    assert abs(drawn["0"] / 3000 - share) < 4 * error


def test_another_score_can_be_asked_for():
    nodes = archive(node(0, training(0, 0.5, progress=0.0)), node(1, training(0, 0.9, progress=0.05)))
    assert set(choose(nodes, 5, "learnability", score="progress")) == {"1"}
    assert choose(nodes, 1, "top", score="progress") == ["1"]


def test_no_parent_gets_too_many_children_while_there_are_others():
    nodes = archive(
        node(0, training(0, 0.5)),
        *children(0, 10, 0.0, 0.0),
        node(1, training(0, 0.99)),
        node(2, training(0, 1.0)),
    )
    drawn = Counter(choose(nodes, 12, "learnability"))
    assert drawn == {"0": 3, "1": 5, "2": 4}
    assert Counter(choose(nodes, 100, "learnability")).total() == 100


def test_only_certain_frontiers_are_all_equal():
    nodes = archive(node(0, training(0, 1.0)), node(1, training(0, 1.0)), node(2, training(0, 0.0)))
    drawn = Counter(choose(nodes, 1, "learnability", seed=seed)[0] for seed in range(400))
    assert set(drawn) == {"0", "1"}
    assert abs(drawn["0"] - 200) < 60


def test_without_a_frontier_mastered_levels_or_else_all_are_drawn():
    mastered = [node(0, training(0, 0.8)), *children(0, 10, 0.3)]
    assert set(choose(archive(*mastered), 20, "learnability")) == {"0"}
    hard = [node(0, training(0, 0.1)), node(1, training(0, 0.2)), node(2), node(3, parent=0, refused="No.")]
    assert set(choose(archive(*hard), 50, "learnability")) == {"0", "1"}


def test_the_highest_scores_as_released():
    scores = (0.6, 0.5, 0.9, 0.7, 0.3)
    nodes = archive(*(node(at, training(0, success)) for at, success in enumerate(scores)))
    assert sorted(choose(nodes, 3, "top")) == ["0", "1", "3"]
    assert Counter(choose(nodes, 10, "top")) == {"1": 3, "0": 3, "3": 2, "2": 2}
    assert choose(nodes, 10, "top", seed=1) != choose(nodes, 10, "top", seed=2)
    only = archive(node(0, training(0, 0.8)), *children(0, 10, 0.3))
    assert choose(only, 3, "top") == ["0", "0", "0"]


def test_any_trained_level_or_none():
    nodes = archive(
        node(0, training(0, 0.0)), node(1, training(0, 1.0)), node(2), node(3, parent=1, refused="x")
    )
    drawn = Counter(choose(nodes, 1000, "random"))
    assert set(drawn) == {"0", "1"}
    assert abs(drawn["0"] - 500) < 80
    assert choose(nodes, 3, "none") == [None, None, None]


@pytest.mark.parametrize("rule", ["learnability", "top", "random", "none"])
def test_before_anything_was_trained_levels_are_written_from_nothing(rule):
    assert choose(archive(node(0), node(1)), 2, rule) == [None, None]
    assert choose({}, 2, rule) == [None, None]


@pytest.mark.parametrize("rule", ["learnability", "top", "random"])
def test_equal_seeds_choose_equally(rule):
    nodes = archive(*(node(at, training(0, 0.5 + at / 30)) for at in range(12)))
    assert choose(nodes, 12, rule, seed=3) == choose(nodes, 12, rule, seed=3)


def test_levels_that_fail_until_an_easier_one_is_learned():
    nodes = archive(
        node(0, training(0, 0.5)),
        node(1, training(0, 0.3)),
        node(2, training(0, 0.0)),
        node(3, training(0, None)),
        node(4),
        node(5, training(0, 0.0)),  # has an easier child that is learned
        *children(5, 10, 0.0, 0.5),
        node(6, training(0, 0.0)),  # has one that is not
        *children(6, 20, 0.4),
        node(7, training(0, 0.0)),  # has many
        *(node(30 + at, parent=7) for at in range(MOST_CHILDREN)),
        node(8, refused="No."),
    )
    assert [each.digest for each in failures(nodes)] == ["1", "2", "3", "10", "6", "20"]


def test_shares_of_new_levels_from_failures_and_from_nothing():
    nodes = archive(node(0, training(0, 0.5)), node(1, training(0, 0.0)))
    drawn = Counter(choose(nodes, 12, "learnability", failing=0.25, nothing=0.25))
    assert drawn == {"0": 6, "1": 3, None: 3}
    assert len({tuple(choose(nodes, 12, "top", seed=at, failing=0.5)) for at in range(5)}) == 5
    assert Counter(choose(nodes, 4, "learnability", failing=0.75, nothing=0.75)) == {"1": 3, None: 1}
    only = archive(node(0, training(0, 0.5)))
    assert Counter(choose(only, 12, "learnability", failing=0.5)) == {"0": 12}
    assert None not in choose(nodes, 50, "random", nothing=1.0)


def test_of_failures_the_nearly_learned_come_first():
    near = training(0, 0.0)  # half of its episodes eat a cow, which is its goal
    far = replace(near, evidence=replace(near.evidence, achievements={}))
    nodes = archive(node(0, near), node(1, far))
    drawn = Counter(choose(nodes, 1, "learnability", seed=at, failing=1.0)[0] for at in range(300))
    assert drawn["0"] > 0.8 * 300
    assert drawn["1"] > 0
