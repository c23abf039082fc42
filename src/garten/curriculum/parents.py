"""Which levels new ones are written from: those at the frontier of what the policy can do.

A level is at the frontier while the policy meets its goal at least half of the time, it has few children, and
none of them is learned to some degree yet (Dreaming in Code). The paper draws frontiers in proportion to
their learnability; the released code takes those of the highest score.

Of a short run most levels fail, and what fails is never at that frontier. So some new levels can be written
from ones that fail, to be made easier, and some from nothing but how the target game goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from garten.curriculum.node import Node
from garten.training.curricula import ParentRule

MOST_CHILDREN = 5
"""A level with so many children, refused ones among them, is parent to no more."""

_LEAST = 0.02  # weight of a failing level of whose goal no part is uncertain, beside p (1 - p) of others


def choose_parents(
    nodes: Mapping[str, Node],
    count: int,
    *,
    rule: ParentRule,
    random: np.random.Generator,
    score: str = "learnability",
    failing: float = 0.0,
    nothing: float = 0.0,
) -> list[Node | None]:
    """A parent for each of so many new levels; None where one is to be written from nothing.

    Levels are written from nothing if the rule says so, or if none was trained yet. Without a frontier the
    levels that the policy has mastered take its place, and without those all that were trained.

    Args:
        nodes: the archive's, by digest.
        count: of the new levels.
        rule: how parents are chosen; see `ParentRule`.
        random: of the luck.
        score: name of the score that frontiers are chosen by.
        failing: share of the new levels that is written from levels that fail, if frontiers are chosen.
        nothing: share that is then written from nothing.
    """
    trained = [node for node in nodes.values() if node.last is not None]
    if rule == "none" or not trained:
        return [None] * count
    if rule == "random":
        return [trained[place] for place in random.integers(len(trained), size=count)]
    hard = failures(nodes)
    eased = round(failing * count) if hard else 0
    begun = min(round(nothing * count), count - eased)
    mastered = [node for node in trained if node.status == "A"]
    pool = frontier(nodes) or mastered or trained
    choose = _highest if rule == "top" else _drawn
    children = _children(nodes)
    chosen: list[Node | None] = [
        *choose(pool, [node.score(score) for node in pool], count - eased - begun, children, random),
        *_drawn(hard, [_hope(node) for node in hard], eased, children, random),
        *[None] * begun,
    ]
    return [chosen[place] for place in random.permutation(count)] if eased or begun else chosen


def frontier(nodes: Mapping[str, Node]) -> list[Node]:
    """The levels at the frontier, in the order of the archive."""
    children = _children(nodes)
    learned = {node.parent for node in nodes.values() if node.status in ("A", "B", "C")}
    return [
        node
        for node in nodes.values()
        if node.status in ("A", "B") and children[node.digest] < MOST_CHILDREN and node.digest not in learned
    ]


def failures(nodes: Mapping[str, Node]) -> list[Node]:
    """The levels that mostly fail, of which no easier one is learned yet, in the order of the archive."""
    children = _children(nodes)
    learned = {node.parent for node in nodes.values() if node.status in ("A", "B")}
    return [
        node
        for node in nodes.values()
        if node.last is not None
        and node.status in ("C", "D")
        and children[node.digest] < MOST_CHILDREN
        and node.digest not in learned
    ]


def _hope(node: Node) -> float:
    """How much of a failing level's goal is met at times: p (1 - p), the mean over its achievements."""
    rates = node.last.evidence.achievements if node.last else {}
    parts = [rates.get(goal, 0.0) for goal in node.goal]
    return _LEAST + sum(rate * (1.0 - rate) for rate in parts) / max(1, len(parts))


def _children(nodes: Mapping[str, Node]) -> Counter[str]:
    """How many levels were written from each."""
    return Counter(node.parent for node in nodes.values() if node.parent is not None)


def _drawn(
    pool: Sequence[Node],
    scores: Sequence[float],
    count: int,
    children: Counter[str],
    random: np.random.Generator,
) -> list[Node]:
    """Levels in proportion to their scores; one that has its children by now only when all have."""
    chosen = []
    for _ in range(count):
        room = np.array([children[node.digest] < MOST_CHILDREN for node in pool])
        shares = np.where(room | ~room.any(), scores, 0.0)
        if not shares.any():
            shares = np.where(room | ~room.any(), 1.0, 0.0)
        parent = pool[random.choice(len(pool), p=shares / shares.sum())]
        children[parent.digest] += 1
        chosen.append(parent)
    return chosen


def _highest(
    pool: Sequence[Node],
    scores: Sequence[float],
    count: int,
    children: Counter[str],
    random: np.random.Generator,
) -> list[Node]:
    """The levels of the highest scores, again and again if there are too few, in random order."""
    order = np.argsort(-np.asarray(scores), kind="stable")[:count]
    chosen = [pool[order[index % len(order)]] for index in range(count)]
    return [chosen[place] for place in random.permutation(count)]
