"""Renderers as single files: weights in safetensors, with the settings that they belong to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from garten.errors import RenderError
from garten.renderer.renderer import Renderer, build
from garten.renderer.settings import RendererSettings
from garten.runs.codec import dump_line, from_json, to_json
from garten.runs.storage import explained, write_atomic

FORMAT = 1
"""Changes when files written before can no longer be read."""


def save_renderer(
    renderer: Renderer, path: Path, *, half: bool = True, about: Mapping[str, Any] | None = None
) -> Path:
    """Write a renderer and return the path.

    Args:
        renderer: to keep.
        path: of the file, which appears whole or not at all.
        half: whether weights are kept at half precision.
        about: what else is to be told, JSON types.

    Raises:
        RunError: the file cannot be written.
    """
    weights = {
        name: (part.half() if half and part.is_floating_point() else part).detach().cpu().contiguous()
        for name, part in renderer.state_dict().items()
    }
    told = {"format": FORMAT, "settings": to_json(renderer.settings), "about": dict(about or {})}
    write_atomic(path, save(weights, metadata={"garten": dump_line(told).decode()}))
    return path


def load_renderer(path: Path) -> Renderer:
    """The renderer of a file, float32, on the CPU.

    Raises:
        RenderError: the file holds no renderer, or only a part of one.
        RunError: it cannot be read.
    """
    with _whole(path), safe_open(path, framework="pt") as file:
        settings, _ = _told(file.metadata())
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        renderer = build(settings, seed=0)
        renderer.load_state_dict(weights)
    return renderer.eval()


def about_renderer(path: Path) -> tuple[RendererSettings, dict[str, Any]]:
    """The settings of the renderer of a file, and what else is told of it; its weights are not read.

    Raises:
        RenderError: the file holds no renderer.
        RunError: it cannot be read.
    """
    with _whole(path), safe_open(path, framework="pt") as file:
        return _told(file.metadata())


def codec_weights(path: Path) -> dict[str, Tensor]:
    """The codec of the renderer of a file by name, float32; nothing else of it is read.

    Raises:
        RenderError: the file holds no renderer.
        RunError: it cannot be read.
    """
    with _whole(path), safe_open(path, framework="pt") as file:
        _told(file.metadata())
        names = [name for name in file.keys() if name.startswith("codec.")]  # noqa: SIM118
        return {name: file.get_tensor(name).float() for name in names}


def weight_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights of a file by name; the weights are not read.

    Raises:
        RenderError: the file holds no renderer.
        RunError: it cannot be read.
    """
    with _whole(path), safe_open(path, framework="pt") as file:
        _told(file.metadata())
        return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """Whatever goes wrong in the context is the file's fault."""
    try:
        with explained(path, "read"):
            yield
    except (SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise RenderError(
            f"{path} holds no whole renderer of this version; give one that it wrote, or copy it again."
        ) from error


def _told(metadata: Mapping[str, str]) -> tuple[RendererSettings, dict[str, Any]]:
    told = json.loads(metadata["garten"])
    if told["format"] != FORMAT:
        raise ValueError("format")
    return from_json(RendererSettings, told["settings"]), told["about"]
