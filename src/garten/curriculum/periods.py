"""What curricula share: each lane plays one level for a period of several rollouts, which then is scored.

A method says which levels are proposed (`propose`), which ones the lanes play (`choose`), how they are scored
(`score`) and what is kept of them (`keep`). It does not look into levels, so any `Levels` will do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from garten import seeds
from garten.craftax.env import Env
from garten.policies.policy import Policy
from garten.runs.codec import from_json, to_json
from garten.training.sources import Plan, RolloutReport

L = TypeVar("L")

Origin = Literal["new", "replayed", "edited", "found"]


class Levels(Protocol[L]):
    """A kind of level, for instance world seeds or level files.

    Attributes:
        kind: the frozen dataclass that levels are; equal levels are the same level.
    """

    kind: type[L]

    def draw(self, random: np.random.Generator) -> L:
        """A new level."""

    def put(self, env: Env, levels: Sequence[L]) -> None:
        """Have each lane play its level from its next world on."""


@dataclass(frozen=True)
class Batch(Generic[L]):
    """What the lanes play in a period.

    Attributes:
        levels: one for each lane.
        origin: where they come from.
        learn: whether the policy learns from them.
        places: int64 [lanes], of levels played again, where they are kept; else empty.
    """

    levels: tuple[L, ...]
    origin: Origin
    learn: bool
    places: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Window:
    """What happened in a period so far; see `RolloutReport`."""

    rewards: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    advantages: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]

    def then(self, rollout: RolloutReport) -> Window:
        """This and one rollout more."""
        names = [field.name for field in fields(self)]
        return Window(*(np.concatenate([getattr(self, name), getattr(rollout, name)]) for name in names))


class Periodic(ABC, Generic[L]):
    """A source of levels by periods."""

    def __init__(self, levels: Levels[L], *, rollouts: int, seed: int) -> None:
        """Draw from these levels.

        Args:
            levels: the kind of level.
            rollouts: of a period.
            seed: of everything drawn.
        """
        self._levels, self._rollouts, self._seed = levels, rollouts, seed
        self._batch: Batch[L] | None = None
        self._window: Window | None = None

    @property
    def playing(self) -> tuple[L, ...]:
        """What the lanes play now, one for each; none before the first update."""
        return self._batch.levels if self._batch else ()

    def propose(self, random: np.random.Generator, count: int) -> list[L]:
        """New levels to try."""
        return [self._levels.draw(random) for _ in range(count)]

    @abstractmethod
    def choose(self, random: np.random.Generator, count: int, *, period: int, policy: Policy) -> Batch[L]:
        """What so many lanes play next."""

    def score(self, window: Window, batch: Batch[L]) -> npt.NDArray[np.float64]:
        """How much there may be to learn from what each lane played, [lanes]; minus infinity if unknown."""
        return np.full(len(batch.levels), -np.inf)

    def keep(self, window: Window, batch: Batch[L], scores: npt.NDArray[np.float64]) -> None:
        """Keep of the levels what is worth it."""

    def told(self) -> dict[str, float]:
        """What a rollout's event says beside where its levels come from."""
        return {}

    def begin(self, env: Env, update: int, *, policy: Policy) -> Plan:
        """See `LevelSource.begin`."""
        first = update % self._rollouts == 0
        if first:
            period = update // self._rollouts
            random = np.random.default_rng(seeds.derive(self._seed, "levels", period))
            self._batch = self.choose(random, env.num_envs, period=period, policy=policy)
            self._window = None
            self._levels.put(env, self._batch.levels)
        assert self._batch is not None, "a source is begun with the first update or restored"
        return Plan(np.full(env.num_envs, first), learn=self._batch.learn)

    def report(self, rollout: RolloutReport) -> Mapping[str, float]:
        """See `LevelSource.report`."""
        assert self._batch is not None
        self._window = (self._window or _nothing(rollout)).then(rollout)
        told = {f"{self._batch.origin}": 1.0}
        if (rollout.update + 1) % self._rollouts == 0:
            scores = self.score(self._window, self._batch)
            self.keep(self._window, self._batch, scores)
            known = np.isfinite(scores)
            if known.any():
                told |= {"scored": float(known.mean()), "score": float(scores[known].mean())}
        return told | self.told()

    def state(self) -> dict[str, Any]:
        """See `LevelSource.state`."""
        if self._batch is None:
            return {}
        batch = self._batch
        kept: dict[str, Any] = {
            "levels": to_json(batch.levels),
            "origin": batch.origin,
            "learn": batch.learn,
            "places": batch.places,
        }
        if self._window is not None:
            kept |= {f"window.{field.name}": getattr(self._window, field.name) for field in fields(Window)}
        return kept

    def restore(self, state: dict[str, Any], env: Env) -> None:
        """See `LevelSource.restore`."""
        levels = self.levels_from(state["levels"])
        self._batch = Batch(tuple(levels), state["origin"], state["learn"], np.array(state["places"]))
        names = [f"window.{field.name}" for field in fields(Window)]
        self._window = Window(*(np.array(state[name]) for name in names)) if names[0] in state else None
        self._levels.put(env, self._batch.levels)

    def close(self) -> None:
        """See `LevelSource.close`: there is nothing to let go of."""

    def levels_from(self, data: Sequence[Any]) -> list[L]:
        """Levels from their JSON."""
        return [from_json(self._levels.kind, each) for each in data]


def _nothing(rollout: RolloutReport) -> Window:
    """A window before the first rollout."""
    return Window(*(getattr(rollout, field.name)[:0] for field in fields(Window)))


NOWHERE: npt.NDArray[np.int64] = np.zeros(0, np.int64)
"""Places of levels that are not kept."""
