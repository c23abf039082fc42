"""A trained renderer as a file to give away: half precision, bounded in size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from garten.errors import RunError
from garten.renderer.saved import about_renderer, load_renderer, save_renderer
from garten.renderer.training.saved import kept_renderer

LARGEST = 10_000_000
"""Bytes of a file that comes along with the package."""


def export_renderer(place: Path, out: Path, *, steps: int | None = None, largest: int = LARGEST) -> Path:
    """Write a renderer at half precision and return the path.

    Args:
        place: of the renderer: a file, or a run, whose latest it is.
        out: of the new file, which appears whole or not at all.
        steps: of denoising where nobody says otherwise; None for those it has.
        largest: bytes that it may have.

    Raises:
        RunError: there is no renderer, it has fewer steps, it is too large, or a file cannot be read or
            written.
        RenderError: the file holds no whole renderer.
    """
    file = kept_renderer(place)
    renderer, (settings, about) = load_renderer(file), about_renderer(file)
    most = len(settings.endpoints)
    if steps is not None and not 1 <= steps <= most:
        raise RunError(f"The renderer {file} denoises in up to {most} steps, not {steps}; give 1 to {most}.")
    size = 2 * sum(part.numel() for part in renderer.state_dict().values())
    if size > largest:
        raise RunError(
            f"The renderer {file} would take {size / 1e6:.1f} MB, more than {largest / 1e6:.1f}; train a "
            "smaller preset."
        )
    renderer.settings = replace(settings, endpoints=settings.endpoints[:steps])
    return save_renderer(renderer, out, about=about)
