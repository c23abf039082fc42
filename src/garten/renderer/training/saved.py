"""What a training run keeps: renderers at evenly spaced steps, and the state to go on from."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from garten.errors import RunError
from garten.renderer.saved import save_renderer
from garten.renderer.training.config import Config
from garten.renderer.training.recipe import Recipe
from garten.runs.checkpoint import (
    Checkpoint,
    keep_latest_checkpoint,
    latest_checkpoint,
    save_checkpoint,
)
from garten.runs.codec import to_json
from garten.runs.folder import RunFolder, is_run
from garten.runs.tensors import arrays_of, tensors

KIND = "render"
"""Of runs of training."""

RENDERERS = "renderers"
"""Where a run keeps renderers, a file each, numbered by steps."""

BROKEN = "broken"
"""Where a run that cannot go on leaves its state, for a look at it."""


def keep_renderer(folder: RunFolder, recipe: Recipe, config: Config, *, steps: int) -> Path:
    """Keep the renderer as it is after so many steps, at full precision.

    Raises:
        RunError: the disk is full, or the run cannot be written.
    """
    path = folder.file(f"{RENDERERS}/{steps:09d}.safetensors")
    about = {"stage": config.stage, "steps": steps}
    with recipe.finished() as renderer:
        return save_renderer(renderer, path, half=False, about=about)


def kept_renderer(place: Path) -> Path:
    """The file of a renderer: `place` itself, or the latest one that the run there kept.

    Raises:
        RunError: there is no such file or run of training, or it has kept none yet.
    """
    if place.is_file():
        return place
    if not is_run(place) or RunFolder.open(place).manifest.kind != KIND:
        raise RunError(f"There is no renderer {place}; give a file, or a run made by garten render train.")
    found = sorted((place / RENDERERS).glob("*.safetensors"))
    if not found:
        raise RunError(f"The run {place} has kept no renderer yet; train it until its first checkpoint.")
    return found[-1]


def save_state(
    folder: RunFolder,
    recipe: Recipe,
    config: Config,
    *,
    steps: int,
    events: int,
    processes: int = 1,
    kind: str = "checkpoints",
) -> None:
    """Keep all that is needed to go on exactly from here, in place of what was kept before.

    Args:
        folder: of the run.
        recipe: that learned.
        config: of the run.
        steps: done.
        events: said.
        processes: of the team that learned.
        kind: folder to keep it in.

    Raises:
        RunError: the disk is full, or the run cannot be written.
    """
    state: dict[str, Any] = {"steps": steps, "events": events, "groups": list(recipe.groups())}
    state["processes"] = processes
    kept = Checkpoint(steps, arrays_of(recipe.groups()), state, to_json(config))
    save_checkpoint(folder, kept, kind=kind)
    keep_latest_checkpoint(folder, kind=kind)


class Stand(NamedTuple):
    """How far a run had come when its state was kept."""

    steps: int = 0
    events: int = 0
    processes: int = 1  # of the team that learned


def restore_state(folder: RunFolder, recipe: Recipe) -> Stand:
    """Go on from what `save_state` kept; from the beginning if nothing was kept, or it is damaged."""
    found = latest_checkpoint(folder)
    if found is None:
        return Stand()
    recipe.restore({name: tensors(found.arrays, name) for name in found.state["groups"]})
    state = found.state
    return Stand(int(state["steps"]), int(state["events"]), int(state.get("processes", 1)))
