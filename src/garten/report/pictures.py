"""Pictures for the report: clips of games and the frames that lessons name as evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from garten.episodes.cameras import shot
from garten.episodes.looks import look
from garten.episodes.reshoot import replay
from garten.episodes.views import view_of
from garten.records import Episode, Frame, Moment, Observation, View
from garten.sight import video
from garten.worlds.world import World

MAIN = (480, 270)  # width x height of the large view in a clip
CLIP_STEP = 0.5  # seconds of world time between the frames of a clip, or a multiple of it for a long game
CLIP_FPS = 20.0
CLIP_FRAMES = 300  # after the first at most; each takes about 50 ms to draw
FRAMES_PER_LESSON = 3


def clip_speed(episode: Episode, world: World[Any]) -> int:
    """How much faster than the world the clip of an episode runs."""
    return round(_strides(episode, world) * CLIP_STEP * CLIP_FPS)


def clip(
    episode: Episode, world: World[Any], path: Path, *, watch: Callable[[float], None] = lambda share: None
) -> bytes:
    """Film an episode in fast motion and return the MP4.

    Large is the view from behind the first role; beside it stand the overview and, in the look of the
    episode, what the last role sees. A world that draws its own geometry is shown as its roles see it.

    Args:
        episode: the record.
        world: that it is played again in.
        path: of the video, which is made only if it is not there.
        watch: is told now and then what share of the episode is filmed.

    Raises:
        WorldError: the episode does not play again as recorded.
        RenderError: the clip could not be written.
    """
    if not path.exists():
        video.write(path, _frames(episode, world, watch), fps=CLIP_FPS)
    watch(1.0)
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


def _strides(episode: Episode, world: World[Any]) -> int:
    """How many times `CLIP_STEP` lies between the frames of an episode's clip."""
    return max(1, ceil(episode.ticks * world.spec.tick / CLIP_STEP / CLIP_FRAMES))


def _frames(episode: Episode, world: World[Any], watch: Callable[[float], None]) -> Iterator[Frame]:
    step = max(1, round(CLIP_STEP * world.spec.frame_rate)) * _strides(episode, world)
    views: list[View] = []
    for number, moment in enumerate(replay(episode, world=world)):
        views = views or _views(moment, episode)
        for view in views:
            view.follow(moment)
        if number % step == 0:
            watch(world.ticks / max(1, episode.ticks))
            yield _panel(moment, views)


def _views(opening: Moment, episode: Episode) -> list[View]:
    """What stands in a clip, the large view first; cameras that no role has show things plainly."""
    roles = list(opening.cameras)
    free = [f"chase-{roles[0]}", "overview"] if opening.drawing is None else []
    own = [roles[-1]] if free else [roles[0], roles[-1]]
    half = MAIN[0] // 2, MAIN[1] // 2
    shown = [
        *((roles[0], shot(camera, opening), look("raw")) for camera in free),
        *((role, shot(role, opening), look(episode.look)) for role in own),
    ]
    return [
        view_of(one, camera, role=role, size=half if place else MAIN, seed=episode.seed)
        for place, (role, camera, one) in enumerate(shown)
    ]


def _panel(moment: Moment, views: Sequence[View]) -> Frame:
    """The first view large, the others in a column at its right."""
    width, height = MAIN
    main, *others = views
    panel = np.zeros((height, width + width // 2, 3), np.uint8)
    panel[:, :width] = main.frame(moment)
    for row, view in enumerate(others):
        top, bottom = row * (height // 2), (row + 1) * (height // 2)
        panel[top:bottom, width:] = view.frame(moment)
    return panel


def _png(frame: Frame) -> bytes:
    content = BytesIO()
    Image.fromarray(frame).save(content, "PNG", optimize=True)
    return content.getvalue()
