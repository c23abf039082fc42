"""Dealing lanes to threads: every lane runs every launch once, in order, however many threads there are."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pytest

from garten.craftax.crew import Crew, Shard


@dataclass
class Diary:
    """What ran on each lane, in order; makes launches that write it."""

    lines: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def record(self, name: Any, shard: Shard) -> "Entry":
        return Entry(self, name, shard)


@dataclass
class Entry:
    """A launch that notes its name for each of its lanes, or fails."""

    diary: Diary
    name: str
    shard: Shard

    def launch(self) -> None:
        if self.name == "fail":
            raise RuntimeError("failed")
        for lane in range(self.shard.first, self.shard.first + self.shard.count):
            self.diary.lines[lane].append(self.name)


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 1000])
@pytest.mark.parametrize("lanes", [1, 5, 64, 1024, 1027])
def test_every_lane_runs_every_launch_once(lanes: int, threads: int) -> None:
    crew, diary = Crew(lanes, threads), Diary()
    for _ in range(3):
        crew.run(("step", "codes"), diary.record)
    assert sorted(diary.lines) == list(range(lanes))
    assert all(lines == ["step", "codes"] * 3 for lines in diary.lines.values())


def test_one_thread_has_all_lanes_in_one_stretch() -> None:
    assert Crew(1024, 1).shards == (Shard(0, 0, 1024),)


def test_stretches_are_long_at_first_and_short_at_last() -> None:
    counts = [shard.count for shard in Crew(1024, 2).shards]
    assert counts[0] == 256
    assert counts == sorted(counts, reverse=True)
    assert min(counts[:-1]) == 32


def test_a_launch_that_fails_is_told() -> None:
    with pytest.raises(RuntimeError, match="failed"):
        Crew(100, 2).run(("fail",), Diary().record)


@pytest.mark.parametrize(("lanes", "threads"), [(0, 1), (4, 0)])
def test_no_lanes_and_no_threads_are_refused(lanes: int, threads: int) -> None:
    with pytest.raises(ValueError, match="give at least one of each"):
        Crew(lanes, threads)
