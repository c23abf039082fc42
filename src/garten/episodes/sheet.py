"""The contact sheet: every world in one picture, by what its first role sees and from above."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from garten.episodes.cameras import shot
from garten.episodes.views import AnyLook, eyes, view_of
from garten.errors import RenderError
from garten.records import Frame, Moment, Shot
from garten.runs.storage import write_atomic
from garten.sight.looks import see
from garten.worlds.world import World

SUFFIXES = (".png", ".webp")
"""The kinds of picture a sheet can be written as."""

_COLUMNS = 2  # worlds side by side; each takes two frames
_SEEDS = 12  # layouts of a world, of which the one whose opening shows most things is taken
_TOLD = 0.0035  # share of a frame that a thing fills from where on one can tell what it is
_CAPTION = 20  # pixels above a frame, for the world's name
_GAP = 4  # pixels between frames
_PAPER = 255
_INK = (20, 20, 20)


def contact_sheet(
    worlds: Sequence[type[World[Any]]], *, look: AnyLook, size: tuple[int, int] = (320, 180)
) -> Frame:
    """Two frames of every world: what its first role sees at the start, and the whole from above.

    Args:
        worlds: What to show, in this order.
        look: Makes the frames.
        size: Width x height of one frame.
    """
    from PIL import Image, ImageDraw

    width, height = size
    pair, tall = 2 * (width + _GAP), height + _CAPTION + _GAP
    columns = min(_COLUMNS, len(worlds))
    lines = -(-len(worlds) // columns)
    sheet = Image.new("RGB", (columns * pair + _GAP, lines * tall + _GAP), (_PAPER,) * 3)
    pen = ImageDraw.Draw(sheet)
    for number, world in enumerate(worlds):
        left, top = _GAP + number % columns * pair, _GAP + number // columns * tall
        pen.text((left, top + 3), world.label(), fill=_INK, font_size=_CAPTION - 8)
        for place, frame in enumerate(_frames(world, look, size)):
            sheet.paste(Image.fromarray(frame), (left + place * (width + _GAP), top + _CAPTION))
    return np.asarray(sheet)


def write_sheet(path: Path, worlds: Sequence[type[World[Any]]], *, look: AnyLook) -> None:
    """Write the sheet of `worlds` in a look as the kind of picture that the suffix of `path` names.

    Raises:
        RenderError: it names none that can be written.
        RunError: the file cannot be written.
    """
    from PIL import Image

    if path.suffix not in SUFFIXES:
        raise RenderError(
            f"'{path.name}' names no kind of picture for a sheet; end it in {' or '.join(SUFFIXES)}."
        )
    sheet = Image.fromarray(contact_sheet(worlds, look=look))
    content = io.BytesIO()
    if path.suffix == ".png":
        sheet.save(content, "PNG", optimize=True)
    else:
        sheet.save(content, "WEBP", lossless=True)
    write_atomic(path, content.getvalue())


def _frames(world: type[World[Any]], look: AnyLook, size: tuple[int, int]) -> list[Frame]:
    """What the first role sees in the opening that shows most, and an overview if one can be drawn."""
    width, height = size
    role = world.spec.roles[0].name
    openings = _openings(world)
    seed = max(range(_SEEDS), key=lambda seed: _things_in(openings[seed], role, size))
    moment, shots = openings[seed], [eyes(role)]
    if moment.drawing is None:  # an engine that draws for itself draws only what roles see
        shots.append(shot("overview", moment, aspect=width / height))
    return [_opening_frame(look, one, moment, role=role, size=size, seed=seed) for one in shots]


def _opening_frame(
    look: AnyLook, camera: Shot, moment: Moment, *, role: str, size: tuple[int, int], seed: int
) -> Frame:
    view = view_of(look, camera, role=role, size=size, seed=seed)
    view.follow(moment)
    return view.frame(moment)


def _openings(world: type[World[Any]]) -> list[Moment]:
    made = world()
    openings = []
    for seed in range(_SEEDS):
        made.reset(seed)
        openings.append(made.moment())
    return openings


def _things_in(moment: Moment, role: str, size: tuple[int, int]) -> int:
    """How many things a role sees large enough to tell what they are."""
    width, height = size
    seen = see(moment, moment.cameras[role], role=role, width=width, height=height)
    _, pixels = np.unique(seen.ids, return_counts=True)
    return int(np.count_nonzero(pixels >= _TOLD * width * height))
