"""Where a run's weights begin: at random, or with a renderer that was trained before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import torch

from garten.errors import RunError
from garten.renderer.renderer import Renderer, build
from garten.renderer.saved import about_renderer, codec_weights, load_renderer, weight_shapes
from garten.renderer.settings import RendererSettings
from garten.renderer.training.config import Config, Source, Stage
from garten.renderer.training.saved import kept_renderer
from garten.runs.storage import explained
from garten.seeds import derive

T = TypeVar("T")

_RESOLVE = "resolve."
"""Begins the names of its weights."""

_FURTHER = "network.extra_in.weight"
"""Maps further conditions to tokens."""


def source_of(place: Path) -> Source:
    """The renderer's file at a place, a file or a run, with its digest.

    Raises:
        RunError: there is none, or it cannot be read.
    """
    path = kept_renderer(place).resolve()
    return Source(str(path), _digest(path))


def _digest(path: Path) -> str:
    with explained(path, "read"), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_source(source: Source) -> Renderer:
    """The renderer of a source.

    Raises:
        RunError: the file is no longer what it was.
        RenderError: it holds no whole renderer.
    """
    path = Path(source.file)
    if _digest(path) != source.sha256:
        raise RunError(f"{path} is no longer the renderer that the run was begun with; put it back.")
    return load_renderer(path)


def settled(config: Config) -> Config:
    """Settings in which what an origin decides is as it says.

    An autoencoder decides the codec and the size of frames; a renderer whose network is trained decides all.

    Raises:
        RunError: the origin or the teacher comes from a stage that does not lead here, or carries no frames
            where they are to be resolved.
        RenderError: one of them holds no whole renderer.
    """
    if config.teacher is not None:
        _require_stage(config.teacher, {"bidirectional"}, "A teacher")
    if config.origin is None:
        return config
    if config.stage == "adversarial":
        _require_stage(config.origin, {"causal", "adversarial"}, "What learns from its own rollouts")
    elif config.stage == "ae":
        _require_stage(config.origin, {"ae"}, "An autoencoder")
    elif config.stage == "resolve":
        _require_stage(config.origin, {"causal", "adversarial", "resolve"}, "What is to be resolved")
    found, about = about_renderer(Path(config.origin.file))
    if about.get("stage") == "ae":
        found = replace(config.renderer, codec=found.codec, width=found.width, height=found.height)
    elif config.stage == "resolve":
        if found.network.history == "attention":
            raise RunError(
                f"The renderer {config.origin.file} carries no frames that could be resolved; train one of "
                "stage causal with --set renderer.network.history=reprojected."
            )
        found = replace(found, resolve=found.resolve or config.renderer.resolve)
    return replace(config, renderer=found)


def _require_stage(source: Source, wanted: set[Stage], what: str) -> None:
    """Refuse a renderer of another stage; files that do not tell theirs are taken at their word.

    Raises:
        RunError: it is of another stage.
        RenderError: the file holds no whole renderer.
    """
    _, about = about_renderer(Path(source.file))
    if about.get("stage", next(iter(wanted))) not in wanted:
        raise RunError(
            f"{what} comes from stage {' or '.join(sorted(wanted))}, "
            f"and {source.file} from {about['stage']}; name another one."
        )


def check_origin(config: Config) -> None:
    """Refuse an origin whose weights have no place in the settings' renderer; they are not read.

    Raises:
        RunError: they have other shapes.
        RenderError: its file holds no whole renderer.
    """
    if config.origin is None:
        return
    path = Path(config.origin.file)
    with torch.device("meta"):
        made = {name: tuple(part.shape) for name, part in Renderer(config.renderer).state_dict().items()}
    found, what = weight_shapes(path), _taken(path)
    if added := _added(config, path):
        width, columns = made[_FURTHER][0], found.get(_FURTHER, (0, 0))[1]
        found[_FURTHER] = (width, columns + added)
    if config.stage == "resolve" and not _of(_RESOLVE, found):
        found |= _of(_RESOLVE, made)  # which begins at random
    if _of(what, made) != _of(what, found):
        raise RunError(
            f"The {what or 'renderer'} to begin from has other sizes than the settings; leave out what --set "
            "says of it."
        )


def _taken(path: Path) -> str:
    """What a run takes over of a file: its codec, or, "", all of it."""
    _, about = about_renderer(path)
    return "codec" if about.get("stage") == "ae" else ""


def _of(what: str, weights: Mapping[str, T]) -> dict[str, T]:
    """The weights whose names begin so."""
    return {name: part for name, part in weights.items() if name.startswith(what)}


def first_renderer(config: Config) -> Renderer:
    """The renderer that a run begins with.

    Raises:
        RunError: the origin does not fit the settings, or is no longer what it was.
        RenderError: it holds no whole renderer.
    """
    renderer = build(config.renderer, seed=derive(config.seed, "weights"))
    if config.origin is None:
        return renderer
    check_origin(config)
    path = Path(config.origin.file)
    found = open_source(config.origin).state_dict()
    if added := _added(config, path):
        old = found.get(_FURTHER, found["network.tokens_in.weight"][:, :0])
        found[_FURTHER] = torch.cat([old.new_zeros(len(old), added), old], 1)
    renderer.load_state_dict(renderer.state_dict() | _of(_taken(path), found))
    return renderer


def _added(config: Config, path: Path) -> int:
    """Columns of the map of further conditions for dense geometry, where the file's renderer has seen none.

    They come before the others, and begin at zero as all of that map does.
    """
    settings, _ = about_renderer(path)
    return 0 if settings.geometry.dense else config.renderer.dense * config.renderer.network.patch**2


def check_teacher(config: Config) -> None:
    """Refuse a teacher that cannot look at what the student shows; no network is read.

    Raises:
        RunError: it has another codec, size or dense geometry, or no judge can be made for it.
        RenderError: its file, or the student's, holds no whole renderer.
    """
    if config.teacher is None or config.origin is None:
        return
    teacher, student = Path(config.teacher.file), Path(config.origin.file)
    settings, _ = about_renderer(teacher)
    its, mine = codec_weights(teacher), codec_weights(student)
    same = mine.keys() == its.keys() and all(torch.equal(mine[name], its[name]) for name in mine)
    if not same or _shape(settings) != _shape(config.renderer):
        raise RunError(
            f"The teacher {teacher} has another autoencoder, or other frames, than the student {student}; "
            "train both --from one run of --stage ae."
        )
    if settings.dense != config.renderer.dense:
        wanted = config.renderer.geometry.dense
        raise RunError(
            f"The teacher {teacher} has geometry.dense {settings.geometry.dense}, and the student {student} "
            f"{wanted}; train a teacher with --set renderer.geometry.dense={wanted}."
        )
    if settings.network.width % config.distill.heads:
        raise RunError(
            f"{config.distill.heads} heads of the judge cannot share the teacher's width of "
            f"{settings.network.width}; set distill.heads to a divisor."
        )


def teacher_for(config: Config) -> Renderer:
    """The frozen teacher of a stage, whose latents must be those of the student.

    Raises:
        RunError: as `check_teacher`, or it is no longer what it was.
        RenderError: its file, or the student's, holds no whole renderer.
    """
    assert config.teacher is not None, "checked settings have one"
    check_teacher(config)
    return open_source(config.teacher).requires_grad_(False)


def _shape(settings: RendererSettings) -> tuple[int, ...]:
    """What clips must have in common to be seen by two renderers; each has a history of its own."""
    return settings.width, settings.height, *settings.geometry_size, settings.network.extra
