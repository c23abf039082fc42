"""A training run from beginning to end, on disk: events, curves, checkpoints; stopped, it can go on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import torch

from garten import seeds
from garten.craftax.env import Env
from garten.devices import torch_threads
from garten.errors import RunError
from garten.policies.bonuses import build_bonus
from garten.policies.settings import build
from garten.runs.board import Board
from garten.runs.codec import to_json
from garten.runs.events import Event
from garten.runs.resume import RunWriter
from garten.runs.team import ALONE, Team
from garten.training.arena import Arena, EngineLanes
from garten.training.clock import Clock
from garten.training.config import Config
from garten.training.craftax import CraftaxArena
from garten.training.curves import curves
from garten.training.learner import Learner, Update
from garten.training.saved import restore_training, save_policy, save_training, shape_for
from garten.training.sources import FreshWorlds, LevelSource

BROKEN = "broken"
"""Where a run that cannot go on leaves its state, for a look at it."""

E = TypeVar("E")

_log = logging.getLogger(__name__)


def train(
    config: Config,
    run: RunWriter,
    *,
    source: LevelSource[Env] | None = None,
    device: str = "cpu",
    threads: int = 1,
    watch: Callable[[Event], None] = lambda event: None,
    stop: Callable[[], bool] = lambda: False,
    team: Team = ALONE,
) -> bool:
    """Train a policy in Craftax, from where the run stands; see `train_in`.

    Args:
        config: what is asked; the run must have been begun with it.
        run: where it goes.
        source: of levels; the plain game by default.
        device: "cpu", or "cuda" for one GPU.
        threads: CPU threads of the engine and of PyTorch.
        watch: told each event.
        stop: asked after each update whether to keep the policy and the state, and stop.
        team: of processes, of which this one is the first; the others `assist`.

    Returns:
        Whether all steps are done.

    Raises:
        RunError: as `train_in` does.
        ValueError: the settings ask for a curriculum, and no source is given.
    """
    if source is None and config.curriculum is not None:
        raise ValueError(
            "The settings ask for a curriculum; give source=garten.curriculum.build.build(config)."
        )
    return train_in(
        CraftaxArena(),
        config,
        run,
        source=source or FreshWorlds(),
        device=device,
        threads=threads,
        watch=watch,
        stop=stop,
        team=team,
    )


def train_in(
    arena: Arena[E],
    config: Config,
    run: RunWriter,
    *,
    source: LevelSource[E],
    device: str = "cpu",
    threads: int = 1,
    watch: Callable[[Event], None] = lambda event: None,
    stop: Callable[[], bool] = lambda: False,
    team: Team = ALONE,
) -> bool:
    """Train a policy in any engine, from where the run stands.

    Args:
        arena: the engine.
        config: what is asked; the run must have been begun with it.
        run: where it goes.
        source: of levels.
        device: "cpu", or "cuda" for one GPU.
        threads: CPU threads of the engine and of PyTorch, whose sums, and so the last bits of what is
            learned, depend on it.
        watch: told each event.
        stop: asked after each update whether to keep the policy and the state, and stop.
        team: of processes, of which this one is the first; the others `assist`. What the run tells of
            episodes is then about this process's lanes, and no state is kept to go on from.

    Returns:
        Whether all steps are done.

    Raises:
        RunError: the team cannot train by these settings, the loss is no longer finite (the run then keeps
            the state in its folder `broken`), or the run cannot be read or written.
    """
    with torch_threads(threads):
        learner, lanes = _learner_in(arena, config, device=device, threads=threads, team=team)
        steps, said = restore_training(run.folder, learner, source, lanes.env)
        run.go_on_from(said)
        board = Board(run.folder.path, steps=steps)
        names = arena.achievements(config)
        kept = _evenly(config.updates, config.checkpoints)
        evaluated = _evenly(config.updates, config.evaluations)

        def keep() -> None:
            if team.size > 1:
                return
            run.sync()
            save_training(run.folder, learner, source, config, steps=steps, events=run.events_said)

        try:
            while learner.done < config.updates:
                began, spent = time.perf_counter(), dict(learner.clock.seconds)
                # The lanes of a team are in their worlds from the start, drawn for all processes together.
                learn = team.size > 1 or _set_lanes(learner, lanes, source, seed=config.seed)
                try:
                    update = learner.update(learn=learn)
                except RunError:
                    save_training(
                        run.folder, learner, source, config, steps=steps, events=run.events_said, kind=BROKEN
                    )
                    raise
                with learner.clock("levels"):
                    told = source.report(update.report)
                steps += update.report.rewards.size * team.size
                parts = {name: total - spent.get(name, 0.0) for name, total in learner.clock.seconds.items()}
                seconds = time.perf_counter() - began
                event = _tell(run, update, told, names, steps=steps, seconds=seconds, parts=parts)
                board.add(curves(update, told), steps=steps)
                watch(event)
                if learner.done in evaluated:
                    watch(arena.evaluate(run, learner.policy, config, steps=steps, threads=threads))
                if learner.done in kept:
                    save_policy(run.folder, learner.policy, config, steps=steps)
                    keep()
                if team.any(stop()) and learner.done < config.updates:
                    save_policy(run.folder, learner.policy, config, steps=steps)
                    keep()
                    return False
            keep()
            return True
        finally:
            board.close()


def assist(config: Config, team: Team, *, threads: int = 1, stop: Callable[[], bool] = lambda: False) -> None:
    """Do the part of a process in `train` that is not the first of its team.

    Args:
        config: as for the first one.
        team: that trains.
        threads: as for the first one.
        stop: asked after each update whether all are to stop.

    Raises:
        RunError: the team cannot train by these settings, or the loss is no longer finite.
    """
    with torch_threads(threads):
        learner, _ = learner_for(config, threads=threads, team=team)
        while learner.done < config.updates:
            learner.update()
            if team.any(stop()):
                return


def require_fit(config: Config, team: Team) -> None:
    """Refuse, before a run is begun, settings by which a team cannot train.

    Raises:
        RunError: the lanes cannot be dealt evenly, something needs all of them in one process, or there is
            no such game.
    """
    shape_for(config)
    _require_one_process(config, team)


def _require_one_process(config: Config, team: Team) -> None:
    """Refuse a team whose lanes cannot be dealt evenly, or where all must be in one process."""
    team.share(config.rollout.lanes, what="lanes", setting="rollout.lanes")
    if team.size > 1 and (config.bonus is not None or config.curriculum is not None):
        raise RunError("A bonus or a curriculum needs all lanes in one process; start it without torchrun.")


def learner_for(
    config: Config,
    *,
    device: str = "cpu",
    threads: int = 1,
    clock: Clock | None = None,
    team: Team = ALONE,
) -> tuple[Learner, EngineLanes[Env]]:
    """A learner of Craftax at the start of a run, and its lanes, in worlds drawn from the run's seed.

    Raises:
        RunError: the team cannot train by these settings.
    """
    return _learner_in(CraftaxArena(), config, device=device, threads=threads, clock=clock, team=team)


def _learner_in(
    arena: Arena[E], config: Config, *, device: str, threads: int, team: Team, clock: Clock | None = None
) -> tuple[Learner, EngineLanes[E]]:
    """A learner at the start of a run, and its lanes."""
    _require_one_process(config, team)
    lanes = arena.begin(config, device=device, threads=threads, team=team)
    with torch.random.fork_rng():
        torch.manual_seed(seeds.derive(config.seed, "weights"))
        shape = arena.shape(config)
        policy = build(config.network, shape).to(device)
        bonus = (
            None if config.bonus is None else build_bonus(config.bonus, shape, lanes=lanes.count).to(device)
        )
    return Learner(config, lanes, policy, bonus=bonus, clock=clock, team=team), lanes


def _set_lanes(learner: Learner, lanes: EngineLanes[E], source: LevelSource[E], *, seed: int) -> bool:
    """Let the source say what the lanes play next, and whether the policy learns from it."""
    with learner.clock("levels"):
        plan = source.begin(lanes.env, learner.done, policy=learner.policy)
        if plan.reset.any():
            lanes.reset(plan.reset, seed=seeds.derive(seed, "worlds", learner.done))
            learner.collector.begin(plan.reset)
    return plan.learn


def _evenly(updates: int, count: int) -> set[int]:
    """So many evenly spaced updates, the last one among them."""
    return {int(edge) for edge in np.linspace(0, updates, min(count, updates) + 1)[1:].round()}


def _tell(
    run: RunWriter,
    update: Update,
    levels: Mapping[str, float],
    names: Sequence[str],
    *,
    steps: int,
    seconds: float,
    parts: Mapping[str, float],
) -> Event:
    episodes = update.report.episodes
    told: dict[str, Any] = {
        "update": update.report.update,
        "steps": steps,
        "episodes": len(episodes.lane),
        "metrics": update.metrics,
        "wall_seconds": seconds,
        "wall_parts": dict(parts),
    }
    if levels:
        told["levels"] = dict(levels)
    if len(episodes.lane):
        shares = episodes.achievements.mean(0)
        told |= {
            "return": float(episodes.episode_return.mean()),
            "length": float(episodes.length.mean()),
            "truncated": int(episodes.truncated.sum()),
            "achievements": {names[int(index)]: float(shares[index]) for index in np.flatnonzero(shares)},
        }
    return run.event("update", told)


def asked(config: Config) -> dict[str, Any]:
    """What ``run.json`` keeps of a run: its settings."""
    kept: dict[str, Any] = to_json(config)
    return kept
