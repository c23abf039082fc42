"""Plays one episode: a pure function of its arguments, and the unit that is parallelised."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from typing import Any

from garten.episodes.views import AnyLook, eyes, rolls, view_of
from garten.errors import ModelError, ProgramError, WorldError
from garten.records import Action, Agent, Episode, Moment, Observation, Submission, Taken
from garten.worlds.world import Step, World


def play(
    world: World[Any],
    agents: Mapping[str, Agent],
    *,
    seed: int,
    look: AnyLook,
    size: tuple[int, int],
    name: str = "",
    budget: int | None = None,
) -> Episode:
    """Play `world` from a reset with `seed` to its end and return what happened.

    World time stands still while an agent thinks, and frames are drawn only when an agent reads them. The
    same world, seed and fresh agents that decide the same give the same episode.

    An agent may have, beside `act`, any of: `finish(observation)`, called once with its last observation when
    the episode is over; `submissions` (a sequence of `Submission`) and `notes` (JSON types), read after that
    and put on the record.

    Args:
        world: The world; it is reset.
        agents: One agent for each role, made for this episode.
        seed: The world's seed.
        look: Makes the frames.
        size: Width x height of the frames.
        name: Begins the ids of observations, e.g. "r02-g05".
        budget: Actions each role may take; after them it rests. None: as many as the time limit allows.

    Returns:
        The episode. Where a world, model or program error ended it, `error` says so and the score is None;
        after a world error `snapshot` holds the state to look at.

    Raises:
        ValueError: the agents are not one for each role.
    """
    roles = [role.name for role in world.spec.roles]
    if sorted(agents) != sorted(roles):
        raise ValueError(f"give one agent to each of the roles {roles}, got {sorted(agents)}")
    world.reset(seed)
    record = Record(world, look, size, name, seed=seed)
    error = snapshot = ""
    try:
        while not world.over:
            choices = {role: _choose(role, agents[role], record, budget) for role in world.idle}
            record.start(choices)
            record.end(world.act(choices, watch=record.watches))
        for role in roles:
            finish = getattr(agents[role], "finish", None)
            if finish is not None:
                finish(record.observation(role))
    except (WorldError, ModelError, ProgramError) as failure:
        error = str(failure) or type(failure).__name__
        if isinstance(failure, WorldError):
            snapshot = b64encode(world.snapshot()).decode()
        record.cut()
    return Episode(
        world=world.label(),
        version=world.spec.version,
        seed=seed,
        look=look.name,
        size=size,
        taken=tuple(record.taken),
        submissions=_submissions(agents, roles),
        ticks=world.ticks,
        terminated=world.terminated,
        truncated=world.truncated,
        score=None if error else world.score(),
        state_hash=world.state_hash(),
        error=error,
        snapshot=snapshot,
        notes=_notes(agents, roles),
        strategies=world.strategies(),
    )


def observation_id(name: str, role: str, number: int) -> str:
    """The id of a role's observation: 0 is its opening view, n what followed its n-th action or its rest."""
    return f"{name}-{role}-{number:03d}" if name else f"{role}-{number:03d}"


class Record:
    """Writes down actions as they end and makes each role's latest observation."""

    def __init__(
        self, world: World[Any], look: AnyLook, size: tuple[int, int], name: str, *, seed: int
    ) -> None:
        self.taken: list[Taken] = []
        self.world = world
        self.watches = rolls(look)  # whether it must be told of all moments
        self._name = name
        self._running: dict[str, tuple[Action, int]] = {}  # by role: its action and the tick it began at
        self._counts = dict.fromkeys((role.name for role in world.spec.roles), 0)
        self._moment = world.moment()
        self._views = {
            role: view_of(look, eyes(role), role=role, size=size, seed=seed) for role in self._counts
        }
        self._follow(self._moment)

    def count(self, role: str) -> int:
        """The number of actions the role has completed."""
        return sum(taken.role == role for taken in self.taken)

    def start(self, choices: Mapping[str, Action | None]) -> None:
        """Note the actions that are about to begin; a role that rests has none."""
        for role, action in choices.items():
            if action is not None:
                self._running[role] = (action, self.world.ticks)

    def end(self, step: Step) -> None:
        """Note what a step of the world has brought to its end."""
        for moment in step.moments:
            self._follow(moment)
        for role in step.completed:
            self._end(role)

    def _follow(self, moment: Moment) -> None:
        for view in self._views.values():
            view.follow(moment)

    def _end(self, role: str) -> None:
        """Note that the role's action, its wait or its rest, has ended now."""
        self._counts[role] += 1
        if role not in self._running:
            return
        action, start = self._running.pop(role)
        seen = observation_id(self._name, role, self._counts[role])
        self.taken.append(Taken(role, action, start, self.world.ticks, self.world.feedback(role), seen))

    def cut(self) -> tuple[str, ...]:
        """After an error: end the actions in progress, forget those the world refused to begin.

        Returns:
            The roles that were in the middle of an action.
        """
        idle = self.world.idle
        cut = tuple(role.name for role in self.world.spec.roles if role.name not in idle)
        for role in cut:
            self._end(role)
        return cut

    def observation(self, role: str) -> Observation:
        """What the role gets now. The moment is captured at once, the frame drawn when it is read."""
        world = self.world
        if self._moment.time != world.time:
            self._moment = world.moment()  # shared by all roles that look at this instant
        return Observation(
            id=observation_id(self._name, role, self._counts[role]),
            role=role,
            time=world.time,
            feedback=world.feedback(role),
            draw=partial(self._views[role].frame, self._moment),
        )


def _choose(role: str, agent: Agent, record: Record, budget: int | None) -> Action | None:
    """The agent's next action, or None once its budget is spent."""
    if budget is not None and record.count(role) >= budget:
        return None
    return agent.act(record.observation(role), time_left=record.world.time_left)


def _submissions(agents: Mapping[str, Agent], roles: list[str]) -> tuple[Submission, ...]:
    return tuple(submission for role in roles for submission in getattr(agents[role], "submissions", ()))


def _notes(agents: Mapping[str, Agent], roles: list[str]) -> dict[str, Any]:
    notes = {role: getattr(agents[role], "notes", None) for role in roles}
    return {role: kept for role, kept in notes.items() if kept is not None}
