"""Shows a recorded episode again: the events from its actions alone, seen by any camera, in any look."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from garten.episodes import looks
from garten.episodes.cameras import shot
from garten.episodes.run import Record
from garten.episodes.views import AnyLook, rolls, view_of
from garten.errors import RenderError, WorldError
from garten.records import Action, Episode, Frame, Moment, Observation
from garten.worlds.find import load
from garten.worlds.world import Step, World


def replay(episode: Episode, *, world: World[Any] | None = None) -> Iterator[Moment]:
    """Play a recorded episode again and yield its moments at the world's frame rate, the opening one first.

    Args:
        episode: The record; its actions are used, nothing else.
        world: The world to play it in; by default the one of the recorded name.

    Raises:
        WorldError: the world's version is another, or the final state is not the recorded one.
    """
    world = world or load(episode.world)()
    for step in _steps(episode, world, watch=True):
        if world.ticks == 0:
            yield world.moment()
        yield from step.moments


def observations(
    episode: Episode, *, name: str = "", world: World[Any] | None = None, look: AnyLook | None = None
) -> dict[str, Observation]:
    """Every observation of a recorded episode by its id, exactly as the agents had it; frames draw when read.

    Args:
        episode: The record.
        name: The name the episode was played under, with which the ids begin.
        world: As for `replay`.
        look: Makes the frames; by default the recorded look.

    Raises:
        WorldError: as for `replay`.
    """
    world = world or load(episode.world)()
    look = look or looks.look(episode.look)
    steps = _steps(episode, world, watch=rolls(look))
    next(steps)  # the opening
    record = Record(world, look, episode.size, name, seed=episode.seed)
    seen = [record.observation(role) for role in world.idle]
    for step in steps:
        record.end(step)
        seen += [record.observation(role) for role in step.completed]
    if episode.error:
        seen += [record.observation(role) for role in record.cut()]
    return {observation.id: observation for observation in seen}


def frame_of(
    episode: Episode,
    observation: str,
    *,
    name: str = "",
    world: World[Any] | None = None,
    look: AnyLook | None = None,
) -> Frame:
    """The exact frame an agent saw, by the observation's id; for several of them use `observations` once.

    Raises:
        WorldError: there is no such observation, or as for `replay`.
    """
    return frame_among(observations(episode, name=name, world=world, look=look), observation)


def frame_among(seen: Mapping[str, Observation], observation: str) -> Frame:
    """The frame of one of an episode's observations.

    Raises:
        WorldError: there is no such observation.
    """
    if observation not in seen:
        raise WorldError(
            f"The episode has no observation '{observation}'; its ids run from {min(seen)} to {max(seen)}."
        )
    return seen[observation].frame


def reshoot(
    episode: Episode,
    out: Path,
    *,
    camera: str,
    look: AnyLook,
    size: tuple[int, int],
    fps: int | None = None,
    speed: int = 1,
    world: World[Any] | None = None,
    watch: Callable[[float], None] = lambda share: None,
) -> Path:
    """Film a recorded episode anew.

    Args:
        episode: The record.
        out: The video file; its ending chooses the format.
        camera: A role's name, or a free camera: see `garten.episodes.cameras.shot`.
        look: Makes the frames.
        size: Width x height.
        fps: Frames per second, which must divide the world's frame rate times `speed`; by default that rate.
        speed: How much faster than world time the video runs.
        world: As for `replay`.
        watch: Is told now and then what share of the episode is filmed.

    Returns:
        The file written.

    Raises:
        WorldError: as for `replay`.
        RenderError: no such camera, or the frame rate does not fit, or the video cannot be written.
    """
    world = world or load(episode.world)()
    rate = world.spec.frame_rate
    shown = speed * rate
    every = shown / (fps or rate)
    if every != int(every) or every < 1:
        raise RenderError(
            f"{fps} frames per second do not divide the world's {shown:g}; choose a divisor of it."
        )
    moments = replay(episode, world=world)
    opening = next(moments)
    view = view_of(
        look,
        shot(camera, opening, aspect=size[0] / size[1]),
        role=camera,
        size=size,
        seed=episode.seed,
    )

    def watched() -> Iterator[Moment]:
        for moment in chain([opening], moments):
            watch(world.ticks / max(1, episode.ticks))
            yield moment

    from garten.sight import video

    return video.write(out, view.film(watched(), every=int(every)), fps=shown / every)


def _steps(episode: Episode, world: World[Any], *, watch: bool) -> Iterator[Step]:
    """Reset the world, yield an empty step for the opening, then each step of the episode; check the end."""
    spec = world.spec
    if (world.label(), spec.version) != (episode.world, episode.version):
        raise WorldError(
            f"The episode was recorded in {episode.world} version {episode.version}, this is {world.label()} "
            f"version {spec.version}; install the version it was recorded in."
        )
    actions: dict[str, deque[Action]] = {role.name: deque() for role in spec.roles}
    for taken in sorted(episode.taken, key=lambda taken: taken.start):
        actions[taken.role].append(taken.action)
    world.reset(episode.seed)
    yield Step((), 0, ())
    while world.ticks < episode.ticks and not world.over:
        choices = {role: actions[role].popleft() if actions[role] else None for role in world.idle}
        try:
            step = world.act(choices, watch=watch)
        except WorldError as error:
            if str(error) == episode.error:
                break  # the error that ended the episode, met again
            raise
        yield step
    if world.state_hash() != episode.state_hash:
        raise WorldError(
            f"Played again, the episode ends in another state than recorded, both in {spec.name} version "
            f"{spec.version}; its rules have changed unannounced, so use the code it was recorded with."
        )
