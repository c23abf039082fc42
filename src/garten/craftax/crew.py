"""Lanes dealt to CPU threads: each thread runs the same launches over its own stretch of lanes.

A launch gives up Python's lock while it runs, so threads work side by side. No lane looks at another; results
are the same however the lanes are dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Shard:
    """A stretch of lanes: `count` of them from `first` on, number `index` of all stretches."""

    index: int
    first: int
    count: int


class Crew:
    """Runs recorded launches over all lanes.

    Attributes:
        shards: the stretches, as equal as can be; never an empty one.
    """

    def __init__(self, lanes: int, threads: int) -> None:
        """Deal `lanes` to at most `threads` threads.

        Raises:
            ValueError: there is no lane or no thread.
        """
        if lanes < 1 or threads < 1:
            raise ValueError(f"{lanes} lanes on {threads} threads cannot run; give at least one of each.")
        threads = min(threads, lanes)
        edges = [lanes * index // threads for index in range(threads + 1)]
        self.shards = tuple(
            Shard(index, start, stop - start) for index, (start, stop) in enumerate(pairwise(edges))
        )
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
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
        if self._pool is None:
            _run_all(launches[0])
        else:
            for done in [self._pool.submit(_run_all, part) for part in launches]:
                done.result()

    def forget(self) -> None:
        """Record launches anew, an array they work on having been replaced."""
        self._plans.clear()


def _run_all(launches: list[Any]) -> None:
    for launch in launches:
        launch.launch()
