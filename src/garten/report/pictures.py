"""Pictures for the report: clips of games and the frames that lessons name as evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from garten.episodes.cameras import shot
from garten.episodes.reshoot import replay
from garten.records import Episode, Frame, Moment, Observation
from garten.scene import Camera
from garten.sight import video
from garten.sight.looks import look
from garten.worlds.world import World

OVERVIEW = (480, 270)  # width x height of the view from above in a clip
CLIP_STEP = 0.5  # seconds of world time between the frames of a clip
CLIP_FPS = 20.0  # so a clip runs ten times faster than the world
FRAMES_PER_LESSON = 3


def clip(episode: Episode, world: World[Any], path: Path) -> bytes:
    """Film an episode in fast motion, the overview beside what each role sees, and return the MP4.

    Raises:
        WorldError: the episode does not play again as recorded.
        RenderError: the clip could not be written.
    """
    if not path.exists():
        video.write(path, _frames(episode, world), fps=CLIP_FPS)
    return path.read_bytes()


def evidence_frames(
    evidence: Sequence[str], games: Mapping[str, Mapping[str, Observation]], *, role: str
) -> list[tuple[str, bytes]]:
    """The first few frames that a lesson's evidence names, as (observation id, PNG).

    Evidence that names a whole game shows how it ended for `role`.

    Args:
        evidence: ids of games and observations.
        games: the observations of each game of the lesson's round, by id; what else is named is left out.
        role: whose view it is where none is named.
    """
    found: list[tuple[str, bytes]] = []
    for item in evidence:
        game = next((game for game in games if item == game or item.startswith(f"{game}-")), None)
        if game is None or len(found) == FRAMES_PER_LESSON:
            continue  # evidence from an earlier round is shown there
        seen = games[game]
        name = item if item in seen else [key for key in seen if key.startswith(f"{game}-{role}-")][-1]
        found.append((name, _png(seen[name].frame)))
    return found


def _frames(episode: Episode, world: World[Any]) -> Iterator[Frame]:
    step = max(1, round(CLIP_STEP * world.spec.frame_rate))
    overview = None
    for number, moment in enumerate(replay(episode, world=world)):
        overview = overview or shot(
            "overview" if moment.drawing is None else next(iter(moment.cameras)), moment
        )
        if number % step == 0:
            yield _panel(moment, overview(moment), episode.look)


def _panel(moment: Moment, camera: Camera, look_name: str) -> Frame:
    """The overview with the roles' views in a column at its right."""
    width, height = OVERVIEW
    eye = look(look_name)
    first = next(iter(moment.cameras))
    views = list(moment.cameras.items())
    small_height = height // max(2, len(views))
    small_width = small_height * 16 // 9
    panel = np.zeros((height, width + small_width, 3), np.uint8)
    panel[:, :width] = eye.frame(moment, camera, role=first, width=width, height=height)
    for row, (role, own) in enumerate(views):
        top = row * small_height
        panel[top : top + small_height, width:] = eye.frame(
            moment, own, role=role, width=small_width, height=small_height
        )
    return panel


def _png(frame: Frame) -> bytes:
    content = BytesIO()
    Image.fromarray(frame).save(content, "PNG", optimize=True)
    return content.getvalue()
