"""Dreaming in Code: new levels are written where the policy sometimes succeeds, while it trains.

Time is cut into cycles. Some lanes play the target game all the time; each of the others plays one level for
a cycle, again and again. New levels enter when a generation is due, which is every few cycles; the one after
it is ordered at the same moment, by what the policy can do then, and written and judged in a thread beside
training. Other places go to levels played before, by how much there may be left to learn from them.

All that happens follows from the seed and from what authors answered, which the run keeps: training waits for
a generation where it is due and nowhere else. So a run that is taken up again ends with the same bytes.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Generic, TypeVar

import numpy as np

from garten.curriculum.active import ActiveLevels
from garten.curriculum.archive import Archive
from garten.curriculum.background import Background
from garten.curriculum.evidence import pooled
from garten.curriculum.generation import Generation, Order
from garten.curriculum.node import Training
from garten.curriculum.parents import choose_parents
from garten.curriculum.progress import progress_score
from garten.curriculum.stage import TARGET, Lanes, Stage, Weights
from garten.curriculum.tally import Tally
from garten.curriculum.workshop import Workshop
from garten.domain import Domain, Performance
from garten.policies.policy import Policy
from garten.runs.codec import from_json, to_json
from garten.runs.resume import RunWriter
from garten.seeds import derive
from garten.training.config import Config
from garten.training.curricula import DiCodeSettings
from garten.training.history import TARGET_EPISODES, TARGET_RETURN
from garten.training.saved import weights_of
from garten.training.sources import Counted, Plan, RolloutReport

E = TypeVar("E", bound=Counted)

_TALLY, _WEIGHTS = "tally.", "weights."
"""What parts of the state are called by."""

_CLOSING = 10.0  # seconds to wait for the thread when training ends

_log = logging.getLogger(__name__)


class DreamingInCode(Generic[E]):
    """A `LevelSource`, over any domain whose levels can be put on lanes.

    Attributes:
        archive: of all levels.
        playing: names of the levels of this cycle, new ones first.
        bonus: reward of meeting a goal.
    """

    def __init__(
        self,
        settings: DiCodeSettings,
        config: Config,
        run: RunWriter,
        *,
        seeds: Mapping[str, str],
        domain: Domain,
        stage: Stage[E],
        workshop: Workshop,
        held: ExitStack,
    ) -> None:
        """Prepare; the first cycle begins with the seeds.

        Args:
            settings: of the curriculum.
            config: of the run.
            run: that keeps the archive, generations and events.
            seeds: code of the levels to begin with, by name.
            domain: that reads levels.
            stage: that puts them on lanes.
            workshop: where generations are made, in a thread.
            held: what is to be closed with this.
        """
        self._seeds, self._held = seeds, held
        self._settings, self._config, self._run = settings, config, run
        self._domain, self._stage, self._workshop = domain, stage, workshop
        self._background: Background[Generation] = Background()
        self.archive = Archive(run.folder)
        self.playing: tuple[str, ...] = ()
        self.bonus = settings.bonus_floor
        self._active = ActiveLevels(settings.buffer)
        self._cycle = 0
        self._recorded = 0  # cycles whose results the archive has
        self._new = 0  # of the levels playing
        self._target: Performance | None = None
        self._order: Order | None = None
        self._weights: Weights = {}
        self._limit = 0  # steps of an episode in the target game
        self._lanes: Lanes = np.zeros(0, np.int64)
        self._tally = Tally(0, ())

    # --- a LevelSource ----------------------------------------------------------------------------

    def begin(self, env: E, update: int, *, policy: Policy) -> Plan:
        """See `LevelSource.begin`: at the beginning of a cycle, take stock and give lanes their levels."""
        cycle, rollout = divmod(update, self._settings.rollouts)
        if rollout:
            return Plan(np.zeros(env.num_envs, bool))
        self._cycle = cycle
        if cycle == 0:
            self._limit = self._stage.limit(env)
            self._plant()
        else:
            self._record(cycle - 1)
        new = self._gather(cycle) if self._is_due(cycle) else []
        self._choose(cycle, new, env.num_envs)
        if self._is_due(cycle) and self._begins(cycle + self._settings.every):
            self._send_for(cycle, policy)
        self._put(env)
        return Plan((self._lanes != TARGET) | (update == 0))

    def report(self, rollout: RolloutReport) -> Mapping[str, float]:
        """See `LevelSource.report`: add up how the levels go."""
        settings = self._settings
        cycle, number = divmod(rollout.update, settings.rollouts)
        if number >= round((1.0 - settings.window) * settings.rollouts):
            target = len(self.playing)
            self._tally.add(rollout.episodes, np.where(self._lanes == TARGET, target, self._lanes))
        if rollout.update + 1 == self._config.updates:
            self._record(cycle)
        levels = max(1, len(self.playing))
        of_target = rollout.episodes.episode_return[self._lanes[rollout.episodes.lane] == TARGET]
        return {
            "new": self._new / levels,
            "replayed": 1.0 - self._new / levels,
            "bonus": self.bonus,
            "active": float(len(self._active)),
            "archive": float(len(self.archive.nodes)),
            TARGET_EPISODES: float(len(of_target)),
            **({TARGET_RETURN: float(of_target.mean())} if len(of_target) else {}),
        }

    def state(self) -> dict[str, Any]:
        """See `LevelSource.state`."""
        plain = {
            "cycle": self._cycle,
            "recorded": self._recorded,
            "playing": list(self.playing),
            "new": self._new,
            "bonus": self.bonus,
            "target": to_json(self._target),
            "active": self._active.state(),
            "order": to_json(self._order),
            "limit": self._limit,
            "lanes": self._lanes,
        }
        tally = {f"{_TALLY}{name}": part for name, part in self._tally.state().items()}
        return plain | tally | {f"{_WEIGHTS}{name}": part for name, part in self._weights.items()}

    def restore(self, state: dict[str, Any], env: E) -> None:
        """See `LevelSource.restore`: the archive forgets what came later, and what was ordered is begun."""
        self._cycle, self._recorded = state["cycle"], state["recorded"]
        self._new, self.bonus = state["new"], state["bonus"]
        if self._cycle:
            self.archive.rewind(self._cycle + 1, trained=self._recorded)
        else:
            self._plant()
        self.playing = tuple(state["playing"])
        self._target = from_json(Performance | None, state["target"])  # type: ignore[arg-type]
        self._active.restore(state["active"])
        self._limit, self._lanes = state["limit"], np.array(state["lanes"])
        self._tally = self._empty_tally()
        self._tally.restore(_part(state, _TALLY))
        self._put(env)
        self._order = from_json(Order | None, state["order"])  # type: ignore[arg-type]
        self._weights = _part(state, _WEIGHTS)
        if self._order is not None:
            self._set_to_work(self._order)

    def close(self) -> None:
        """See `LevelSource.close`."""
        self._background.close(patience=_CLOSING)
        self.archive.close()
        self._held.close()

    # --- cycles -----------------------------------------------------------------------------------

    def _is_due(self, cycle: int) -> bool:
        """Whether a generation is to be gathered, and the next one sent for, before a cycle."""
        return cycle >= 1 and (cycle - 1) % self._settings.every == 0

    def _begins(self, cycle: int) -> bool:
        """Whether training lasts until a cycle."""
        return cycle * self._settings.rollouts < self._config.updates

    def _plant(self) -> None:
        """Begin the archive with the seeds; an earlier attempt that kept no checkpoint is forgotten."""
        self.archive.rewind(0)
        for source in self._seeds.values():
            self.archive.add(self._domain.read(source), cycle=0, origin="seed")

    def _choose(self, cycle: int, new: list[str], lanes: int) -> None:
        """Which levels a cycle has, and which lane plays which."""
        random = np.random.default_rng(derive(self._config.seed, "cycle", cycle))
        if cycle == 0:
            new = [node.digest for node in self.archive.nodes.values() if node.origin == "seed"]
        target = round(self._settings.target * lanes)
        places = min(self._settings.levels, lanes - target)
        new = new[:places]
        again = self._active.draw(random, places - len(new), cycle=cycle)
        self.playing, self._new = (*new, *again), len(new)
        self._lanes = deal(lanes, target=target, levels=len(self.playing))
        self._tally = self._empty_tally()

    def _put(self, env: E) -> None:
        """Give the lanes their levels."""
        sources = [self.archive.nodes[name].source for name in self.playing]
        shorter = min(self._settings.episode_steps, self._limit)
        limits = np.where(self._lanes == TARGET, self._limit, shorter).astype(np.int32)
        self._stage.put(env, sources, self._lanes, bonus=self.bonus, limits=limits)

    def _empty_tally(self) -> Tally:
        """For the levels of this cycle, and after them the target game."""
        return Tally(len(self.playing) + 1, self._stage.achievements)

    def _record(self, cycle: int) -> None:
        """Write down how the levels of a cycle went, and what follows from the target game."""
        for number, name in enumerate(self.playing):
            performance = self._tally.performance(number)
            history = [(each.cycle, each.performance) for each in self.archive.nodes[name].trainings]
            history.append((cycle, performance))
            evidence = pooled(history, keep=self._settings.keep)
            scores = {
                "learnability": evidence.learnability,
                "progress": progress_score([each for _, each in history]),
            }
            self.archive.record(name, Training(cycle, performance, evidence, scores))
            self._active.trained(name, score=scores[self._settings.score], cycle=cycle)
        target = self._tally.performance(len(self.playing))
        if target.mean_return is not None:
            self._target = target
            self.bonus = max(self._settings.bonus_floor, self._settings.bonus_factor * target.mean_return)
        self._recorded = cycle + 1
        self.archive.save_graph()
        self._run.event(
            "cycle",
            {
                "cycle": cycle,
                "new": list(self.playing[: self._new]),
                "replayed": list(self.playing[self._new :]),
                "target": target,
                "bonus": self.bonus,
            },
        )

    # --- generations ------------------------------------------------------------------------------

    def _send_for(self, cycle: int, policy: Policy) -> None:
        """Order the next generation."""
        settings, number = self._settings, (cycle - 1) // self._settings.every
        seed = derive(self._config.seed, "generation", number)
        open_loop = settings.parents == "none"
        parents = choose_parents(
            self.archive.nodes,
            settings.candidates,
            rule=settings.parents,
            random=np.random.default_rng(derive(seed, "parents")),
            score=settings.score,
            failing=settings.failing,
            nothing=settings.nothing,
        )
        examples = [node for node in self.archive.nodes.values() if not node.refused]
        profile = self._target.achievements if self._target and not open_loop else {}
        self._order = Order(
            number,
            tuple(None if node is None else node.known for node in parents),
            profile,
            tuple(replace(node.known, performance=None) if open_loop else node.known for node in examples),
            seed,
        )
        self._weights = weights_of(policy)
        self._set_to_work(self._order)

    def _set_to_work(self, order: Order) -> None:
        """Begin a generation, unless the run has it already."""
        if not self._run.folder.exists(_place(order)):
            known = frozenset(self.archive.nodes)
            weights = self._weights
            self._background.begin(lambda: self._workshop.make(order, weights, known=known))

    def _gather(self, cycle: int) -> list[str]:
        """The new levels of the generation that is due, and if it falls short, of earlier ones."""
        order, self._order, self._weights = self._order, None, {}
        if order is None:
            return []
        generation = from_json(Generation, self._run.once(_place(order), self._fetch))
        admitted: list[str] = []
        for parent, judgement in zip(order.parents, generation.judgements, strict=False):
            draft, reading = judgement.draft, judgement.reading
            origin = None if parent is None else parent.name
            if draft is None:
                continue
            if judgement.admitted and reading is not None:
                self.archive.add(reading, cycle=cycle, parent=origin, reasoning=draft.reasoning)
                admitted.append(reading.digest)
            else:
                self.archive.refuse(draft, judgement.reason, cycle=cycle, parent=origin, reading=reading)
        entering = [*admitted, *self._spare(admitted)][: self._settings.new]
        self._tell(order, generation, admitted=len(admitted), entering=len(entering))
        return entering

    def _spare(self, admitted: Sequence[str]) -> list[str]:
        """Levels of earlier generations for which there was no place."""
        waiting = (node for node in self.archive.nodes.values() if node.status == "compiled")
        return [node.digest for node in waiting if node.digest not in admitted]

    def _fetch(self) -> Generation:
        fetched = self._background.fetch(patience=self._settings.patience)
        made = fetched.result or Generation((), fetched.problem)
        return replace(made, wall_waited=fetched.waited)

    def _tell(self, order: Order, generation: Generation, *, admitted: int, entering: int) -> None:
        if generation.problem:
            _log.warning("Generation %d has no levels: %s", order.number, generation.problem)
        self._run.event(
            "generation",
            {
                "generation": order.number,
                "asked": len(order.parents),
                "written": sum(one.draft is not None for one in generation.judgements),
                "admitted": admitted,
                "entering": entering,
                "problem": generation.problem,
                "wall_author": generation.wall_author,
                "wall_gate": generation.wall_gate,
                "wall_waited": generation.wall_waited,
            },
        )


def deal(lanes: int, *, target: int, levels: int) -> Lanes:
    """The number of each lane's level, int64 [lanes]; `TARGET` for the first `target`, the others evenly."""
    numbers = np.arange(lanes - target) * levels // max(1, lanes - target)
    return np.concatenate([np.full(target, TARGET), numbers]).astype(np.int64)


def _place(order: Order) -> str:
    """Where the run keeps what came of an order."""
    return f"generations/{order.number:04d}.json"


def _part(state: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): part for name, part in state.items() if name.startswith(prefix)}
