"""Lanes dealt to CPU threads: each thread takes stretch after stretch of lanes and runs the launches over it.

A launch gives up Python's lock while it runs, so threads work side by side. No lane looks at another; results
are the same however the lanes are dealt. Some lanes take long, those that get a new world above all, so
stretches are long at first and short at last (guided self-scheduling: C. D. Polychronopoulos, D. J. Kuck,
1987): whichever thread is done early takes another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

_LEAST = 32
"""Lanes of the shortest stretches: fewer are not worth their launches, of about 4 microseconds each."""


@dataclass(frozen=True)
class Shard:
    """A stretch of lanes: `count` of them from `first` on, number `index` of all stretches."""

    index: int
    first: int
    count: int


class Crew:
    """Runs recorded launches over all lanes.

    Attributes:
        shards: the stretches, in the order in which threads take them; never an empty one.
    """

    def __init__(self, lanes: int, threads: int) -> None:
        """Deal `lanes` to at most `threads` threads.

        Raises:
            ValueError: there is no lane or no thread.
        """
        if lanes < 1 or threads < 1:
            raise ValueError(f"{lanes} lanes on {threads} threads cannot run; give at least one of each.")
        self.shards = tuple(_stretches(lanes, threads))
        self._helpers = min(threads, len(self.shards)) - 1
        self._pool = ThreadPoolExecutor(self._helpers) if self._helpers else None
        self._plans: dict[Any, list[list[Any]]] = {}

    def run(self, plan: Sequence[Any], record: Callable[[Any, Shard], Any]) -> None:
        """Run a plan, the names of launches in order, on every shard.

        Args:
            plan: names of the launches.
            record: makes the recorded launch of a name for a shard; called once for each.
        """
        launches = self._plans.get(plan)
        if launches is None:
            launches = [[record(name, shard) for name in plan] for shard in self.shards]
            self._plans[plan] = launches
        parts = iter(launches)  # threads share it: each takes the next stretch
        helpers = [self._pool.submit(_work, parts) for _ in range(self._helpers)] if self._pool else []
        _work(parts)
        for helper in helpers:
            helper.result()

    def forget(self) -> None:
        """Record launches anew, an array they work on having been replaced."""
        self._plans.clear()


def _stretches(lanes: int, threads: int) -> Iterator[Shard]:
    """Deal the lanes: of those left, each stretch takes the share of half a thread, but not too few."""
    first = index = 0
    while first < lanes:
        left = lanes - first
        fair = -(-left // (2 * threads)) if threads > 1 else left
        count = min(max(fair, min(_LEAST, -(-lanes // threads))), left)
        yield Shard(index, first, count)
        first, index = first + count, index + 1


def _work(parts: Iterator[list[Any]]) -> None:
    """Run the launches of stretch after stretch until none is left."""
    for launches in parts:
        for launch in launches:
            launch.launch()
