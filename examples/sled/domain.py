"""The sled as a domain: what authors, the archive and curricula see of it; see `garten.domain`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np

from garten.domain import Dial, Finding, Reading, Verdict
from garten.errors import LevelError
from garten.sandbox import Sandbox
from sled import game
from sled import level as form
from sled.env import ACTIONS, SledEnv
from sled.level import Level, read_level

STARTS, STEPS = 4, 20
"""Worlds of a level that a check looks at, and for how many steps."""

_REMEMBERED = 256  # levels kept ready after they were read


class SledDomain:
    """A `garten.domain.Domain`. One object may be used by one thread at a time."""

    name = game.NAME
    goals: tuple[str, ...] = game.NAMES
    dials: Mapping[str, Dial] = game.DIALS

    def __init__(self, sandbox: Sandbox, *, seed: int = 0) -> None:
        """Read levels in this sandbox (with `sled.level.LIMITS`); `seed` is of the starts checked."""
        self._sandbox, self._seed = sandbox, seed
        self._known: OrderedDict[str, Level] = OrderedDict()

    @property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """See `Domain.needs`."""
        return {name: each.needs for name, each in game.ACHIEVEMENTS.items()}

    @property
    def knowledge(self) -> Mapping[str, str]:
        """See `Domain.knowledge`."""
        dials = [
            f"{dial.name}: {dial.meaning}; {dial.low:g} to {dial.high:g}, plain {dial.default:g}"
            for dial in game.DIALS.values()
        ]
        rules = [f"{name} ({each.reward:g}): {each.meaning}" for name, each in game.ACHIEVEMENTS.items()]
        return {"contract": form.__doc__ or "", "dials": "\n".join(dials), "rules": "\n".join(rules)}

    @cached_property
    def seeds(self) -> Mapping[str, str]:
        """See `Domain.seeds`."""
        files = sorted((Path(__file__).parent / "seeds").glob("*.py"))
        return {path.stem: path.read_text(encoding="utf-8") for path in files}

    @property
    def bare_seeds(self) -> Mapping[str, str]:
        """See `Domain.bare_seeds`."""
        return {name: self.bare(self.read(source)) for name, source in self.seeds.items()}

    def level(self, source: str) -> Level:
        """A level, ready for lanes; those read last are remembered.

        Raises:
            LevelError: as `read` does.
        """
        if source not in self._known:
            self._known[source] = read_level(source, self._sandbox)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(source)
        return self._known[source]

    def read(self, source: str) -> Reading:
        """See `Domain.read`."""
        level = self.level(source)
        return Reading(
            source=level.source,
            digest=level.digest,
            objective=level.objective,
            description=level.description,
            goal=level.goal,
            completed=level.completed,
            dials=dict(level.dials),
        )

    def check(self, source: str) -> Verdict:
        """See `Domain.check`: its form, its goal, and what happens at rest and in random play."""
        try:
            reading, level = self.read(source), self.level(source)
        except LevelError as error:
            return Verdict(None, (Finding("contract", False, str(error)),))
        findings = [Finding("contract", True, ""), _goal(level)]
        if findings[-1].passed:
            findings += [self._idle(level), self._play(level)]
        return Verdict(reading, tuple(findings))

    def bare(self, reading: Reading) -> str:
        """See `Domain.bare`."""
        return (
            f"objective = {reading.objective!r}\n"
            'description = "The plain world."\n'
            f"relevant_achievements = {list(reading.goal)!r}\n"
        )

    def _idle(self, level: Level) -> Finding:
        met, _ = self._played(level, lambda step: np.zeros(STARTS, np.int64))
        if met > STARTS // 2:
            return Finding("idle", False, "The goal is met by lying still; ask for something to be done.")
        return Finding("idle", True, "")

    def _play(self, level: Level) -> Finding:
        rng = np.random.default_rng(self._seed)
        met, sound = self._played(level, lambda step: rng.integers(0, ACTIONS, STARTS))
        if not sound:
            return Finding(
                "play", False, "The simulation comes apart; bring the dials nearer to the plain world."
            )
        return Finding("play", True, f"goal met {met} times in {STARTS} starts")

    def _played(self, level: Level, act: Callable[[int], np.ndarray]) -> tuple[int, bool]:
        """In how many starts the goal was met, and whether the simulation held together in all."""
        env = SledEnv(STARTS, limit=STEPS + 1)
        env.put([level], np.zeros(STARTS, np.int64), bonus=0.0)
        env.reset(np.ones(STARTS, bool), seed=self._seed)
        met, sound = np.zeros(STARTS, bool), True
        for step in range(STEPS):
            over = env.step(act(step)).terminated
            met |= over & env.final["success"]
            sound &= not (over & ~env.final["success"]).any()
        return int(met.sum()), sound


def _goal(level: Level) -> Finding:
    if not level.goal:
        return Finding("goal", False, "The goal is empty; name achievements in relevant_achievements.")
    done = [name for name in level.goal if name in level.completed]
    if done:
        return Finding("goal", False, f"{done[0]} counts as met from the start; take it out of the goal.")
    return Finding("goal", True, "")
