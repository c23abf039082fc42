"""Pictures for the report: clips of games and the frames that lessons name as evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from garten.episodes.cameras import Shot, shot
from garten.episodes.reshoot import replay
from garten.records import Episode, Frame, Moment, Observation
from garten.sight import video
from garten.sight.looks import look
from garten.worlds.world import World

MAIN = (480, 270)  # width x height of the large view in a clip
CLIP_STEP = 0.5  # seconds of world time between the frames of a clip
CLIP_FPS = 20.0
CLIP_SPEED = round(CLIP_STEP * CLIP_FPS)  # how much faster than the world a clip runs
FRAMES_PER_LESSON = 3


def clip(episode: Episode, world: World[Any], path: Path) -> bytes:
    """Film an episode in fast motion and return the MP4.

    Large is the view from behind the first role; beside it stand the overview and what the last role sees. A
    world that draws its own geometry is shown as its roles see it.

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

    Evidence that names a whole game shows the middle of it as `role` saw it.

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
        own = [key for key in seen if key.startswith(f"{game}-{role}-")]
        name = item if item in seen else own[len(own) // 2]
        found.append((name, _png(seen[name].frame)))
    return found


def _frames(episode: Episode, world: World[Any]) -> Iterator[Frame]:
    step = max(1, round(CLIP_STEP * world.spec.frame_rate))
    shots: list[tuple[str, Shot]] = []
    for number, moment in enumerate(replay(episode, world=world)):
        shots = shots or _shots(moment)
        if number % step == 0:
            yield _panel(moment, shots, episode.look)


def _shots(opening: Moment) -> list[tuple[str, Shot]]:
    """The cameras of a clip, the large one first, each with the role whose look it gets."""
    roles = list(opening.cameras)
    free = [f"chase-{roles[0]}", "overview"] if opening.drawing is None else [roles[0]]
    return [(roles[0], shot(camera, opening)) for camera in free] + [(roles[-1], shot(roles[-1], opening))]


def _panel(moment: Moment, shots: Sequence[tuple[str, Shot]], look_name: str) -> Frame:
    """The first view large, the others in a column at its right."""
    width, height = MAIN
    (role, main), *others = shots
    eye = look(look_name)
    panel = np.zeros((height, width + width // 2, 3), np.uint8)
    panel[:, :width] = eye.frame(moment, main(moment), role=role, width=width, height=height)
    for row, (role, view) in enumerate(others):
        top, bottom = row * (height // 2), (row + 1) * (height // 2)
        panel[top:bottom, width:] = eye.frame(
            moment, view(moment), role=role, width=width // 2, height=height // 2
        )
    return panel


def _png(frame: Frame) -> bytes:
    content = BytesIO()
    Image.fromarray(frame).save(content, "PNG", optimize=True)
    return content.getvalue()
