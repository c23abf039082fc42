"""A training run from beginning to end, on disk: events, curves, checkpoints; stopped, it can go on."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from garten.devices import torch_threads
from garten.errors import RunError
from garten.renderer.training.config import Config
from garten.renderer.training.pupil import DivergedError
from garten.renderer.training.saved import BROKEN, keep_renderer, restore_state, save_state
from garten.renderer.training.stages import recipe_for
from garten.runs.board import Board
from garten.runs.events import Event
from garten.runs.folder import RunFolder
from garten.runs.resume import RunWriter
from garten.runs.team import ALONE, Team

STATE_EVERY = 300.0
"""Seconds after which the state is kept at the latest: what a kill costs."""


def train(
    config: Config,
    run: RunWriter,
    *,
    device: str = "cpu",
    threads: int = 1,
    watch: Callable[[Event], None] = lambda event: None,
    stop: Callable[[], bool] = lambda: False,
    team: Team = ALONE,
) -> bool:
    """Train a renderer, from where the run stands.

    Args:
        config: what is asked; the run must have been begun with it.
        run: where it goes.
        device: "cpu", or "cuda" for one GPU.
        threads: CPU threads of PyTorch, whose sums, and so the last bits of what is learned, depend on it.
        watch: told each event.
        stop: asked after each step whether to keep the renderer and the state, and stop.
        team: of processes, of which this one is the first; the others `assist`. One that deals its weights
            keeps no state to go on from.

    Returns:
        Whether all steps are done.

    Raises:
        RunError: the clips or renderers do not fit, the loss is no longer finite (the run then keeps its
            state in the folder `broken`), or the run cannot be read or written.
        RenderError: a clip or a renderer cannot be read.
    """
    with torch_threads(threads):
        recipe = recipe_for(config, device=device, team=team)
        done, said, processes = restore_state(run.folder, recipe)
        team.meet()  # all have read the state, and it may be replaced
        same = processes == team.size
        # Sums on a GPU differ from time to time, and those of teams of other sizes in their last bits.
        run.go_on_from(said, exact=same and device == "cpu")
        board = Board(run.folder.path, steps=done)
        kept = _kept(config)
        due = time.monotonic() + STATE_EVERY

        def keep_state(kind: str = "checkpoints") -> None:
            nonlocal due
            if _dealt(config, team):
                return  # nobody has all of it
            run.sync()
            events = run.events_said
            save_state(run.folder, recipe, config, steps=done, events=events, processes=team.size, kind=kind)
            due = time.monotonic() + STATE_EVERY

        try:
            if not same:
                keep_state()  # what comes next is this team's
            while done < config.steps:
                began = time.perf_counter()
                try:
                    told = recipe.learn(done)
                except DivergedError:
                    keep_state(BROKEN)
                    raise
                done += 1
                seconds = time.perf_counter() - began
                event = run.event("step", {"steps": done, "metrics": told, "wall_seconds": seconds})
                board.add({f"learning/{name}": value for name, value in told.items()}, steps=done)
                watch(event)
                stopping = team.any(stop()) and done < config.steps
                if done in kept or stopping:
                    keep_renderer(run.folder, recipe, config, steps=done)
                    keep_state()
                elif time.monotonic() >= due:
                    keep_state()
                if stopping:
                    return False
            return True
        finally:
            board.close()


def _kept(config: Config) -> set[int]:
    """Steps after which a copy of the renderer is kept."""
    return {int(edge) for edge in np.linspace(0, config.steps, config.checkpoints + 1)[1:].round()}


def _dealt(config: Config, team: Team) -> bool:
    """Whether each process has a part of the weights only."""
    return config.learning.deal and team.size > 1


def require_whole(config: Config, team: Team) -> None:
    """Refuse to go on with a run whose state nobody keeps.

    Raises:
        RunError: each process of the team has a part of the weights only.
    """
    if _dealt(config, team):
        raise RunError(
            "A run with learning.deal keeps no state to resume from; go on from its latest renderer, by "
            "--from and a new --name."
        )


def assist(
    config: Config,
    team: Team,
    *,
    threads: int = 1,
    stop: Callable[[], bool] = lambda: False,
    resumed: RunFolder | None = None,
) -> None:
    """Do the part of a process in `train` that is not the first of its team.

    Args:
        config: as for the first one.
        team: that trains.
        threads: as for the first one.
        stop: asked after each step whether all are to stop.
        resumed: the run that the team goes on with; None for a new one.

    Raises:
        RunError: the team cannot train by these settings, or the loss is no longer finite.
        RenderError: a clip or a renderer cannot be read.
    """
    with torch_threads(threads):
        recipe, kept = recipe_for(config, team=team), _kept(config)
        first = 0 if resumed is None else restore_state(resumed, recipe).steps
        team.meet()
        for step in range(first, config.steps):
            recipe.learn(step)
            stopping = team.any(stop())
            if config.learning.deal and (stopping or step + 1 in kept):
                with recipe.finished():
                    pass  # the first process keeps it, and all have a part of it
            if stopping:
                return
