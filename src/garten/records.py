"""The nouns that cross packages: what a world declares, what an agent gets, what an episode leaves behind.

All are frozen. Times are seconds of world time unless a field's name begins with ``wall_``; images are arrays
[height, width, 3] of uint8. Text fields are plain UTF-8. Everything that is written to disk is built from
JSON types, so that `garten.runs` can store it as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from garten.scene import Camera, Condition, Scene

Frame = NDArray[np.uint8]
"""An RGB image, [height, width, 3], 0 to 255."""

_ROUNDING = 1e-9
"""What sums of whole numbers of times may be above one for want of digits."""


# --- what a world declares ---------------------------------------------------------------------


class Constant(float):
    """A number of a world's rules that carries its unit and the reason it was chosen.

    It is a float in every calculation; the world's spec lists it for readers.
    """

    unit: str
    reason: str

    def __new__(cls, value: float, unit: str, reason: str) -> Constant:
        """Make the constant; `reason` is one line."""
        made = super().__new__(cls, value)
        made.unit = unit
        made.reason = reason
        return made

    def __getnewargs__(self) -> tuple[float, str, str]:  # type: ignore[override]
        return float(self), self.unit, self.reason


@dataclass(frozen=True)
class Argument:
    """One typed argument of an action; it drives the control axis of the same name while the action lasts."""

    name: str
    kind: Literal["float", "int"]
    low: float  # inclusive
    high: float  # inclusive
    default: float | None  # None: the caller must give it
    help: str
    times: float = 0.0  # how many times the action's seconds each 1 of it takes; 0: it changes no duration


@dataclass(frozen=True)
class ActionSpec:
    """An action a role can take: how long it lasts, the buttons it holds down, the arguments it passes on."""

    name: str
    seconds: float  # a whole number of the world's ticks; see `lasts`
    help: str  # one line for the player
    buttons: tuple[str, ...] = ()  # control buttons held while it lasts
    arguments: tuple[Argument, ...] = ()

    @property
    def varies(self) -> bool:
        """Whether what it takes depends on its arguments."""
        return any(one.times for one in self.arguments)

    def lasts(self, arguments: Mapping[str, float]) -> float:
        """Seconds it takes with these arguments: ``seconds``, or as many times that as they ask for.

        Most actions always take the same; those with an argument that has `Argument.times` take the sum of
        what these ask for, rounded up to whole times.
        """
        values = ((one.times, arguments.get(one.name, one.default or 0.0)) for one in self.arguments)
        asked = sum(times * abs(value) for times, value in values)
        return self.seconds * max(1, math.ceil(asked - _ROUNDING))


@dataclass(frozen=True)
class Key:
    """A key of the keyboard and what it does while it is held: press a button, or push an axis to a value."""

    name: str  # as browsers name it: "w", "ArrowUp"; " " is the space bar
    control: str  # a button of the world's actions, or an axis
    value: float | None = None  # where it pushes the axis; None for a button


@dataclass(frozen=True)
class Setting:
    """A whole number that a world can be loaded with, e.g. ``companion-dog:individual=3``."""

    name: str
    low: int  # inclusive
    high: int  # inclusive
    default: int
    help: str


@dataclass(frozen=True)
class RoleSpec:
    """One body in the world, with a camera and an agent of its own."""

    name: str
    team: str  # roles of one team share a playbook; teams compete
    help: str  # one line: what this role is


@dataclass(frozen=True)
class Measure:
    """The unit a world is published in, beside the score of 0 to 100 that every world has."""

    name: str
    unit: str
    better: Literal["higher", "lower"]


@dataclass(frozen=True)
class Appearance:
    """What a look starts from."""

    style: str  # style id
    text: str  # y: one sentence that describes how the world looks
    reference: Path | None = None  # x0: a reference image, if there is one


@dataclass(frozen=True)
class WorldSpec:
    """What a world is, for readers, players and programs."""

    name: str  # as on the command line, kebab-case
    version: int  # changes when behaviour changes, and only then
    title: str  # one line
    roles: tuple[RoleSpec, ...]
    actions: tuple[ActionSpec, ...]  # open to every role
    tick: float  # seconds; the smallest advance of time
    frame_rate: float  # moments per second of world time; a whole number of ticks apart
    time_limit: float  # seconds
    measure: Measure
    appearance: Appearance
    task: str  # the task file's text: goal, actions, limits, and no solution
    published: tuple[float, ...] = ()  # published measure by round, where there is one
    constants: Mapping[str, Constant] = field(default_factory=dict)  # the numbers of the rules
    keys: tuple[Key, ...] = ()  # of the keyboard, for people who take a role
    settings: tuple[Setting, ...] = ()  # what it can be loaded with

    def action(self, name: str) -> ActionSpec | None:
        """The action of that name, if the world has it."""
        return next((action for action in self.actions if action.name == name), None)

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams, in the order of the roles."""
        return tuple(dict.fromkeys(role.team for role in self.roles))


# --- what happens in an episode ----------------------------------------------------------------


@dataclass(frozen=True)
class Action:
    """A choice of action with its arguments, e.g. ``Action("drive", {"throttle": 1.0, "steer": 0.0})``."""

    name: str
    arguments: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Control:
    """What a role holds down during one tick; actions, keyboards and gamepads all end up here."""

    buttons: frozenset[str] = frozenset()
    axes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Score:
    """How an episode went; players learn it only in review."""

    value: float  # 0 to 100, higher is better
    measure: float  # in the unit of the world's `Measure`
    parts: Mapping[str, float] = field(default_factory=dict)  # what the value is made of
    progress: float = 0.0  # 0 to 1: how near the goal came; breaks ties, never replaces the value
    teams: Mapping[str, Score] = field(
        default_factory=dict
    )  # where teams compete: each one's; this is the first's

    def of(self, team: str) -> Score:
        """The score of a team; where teams do not compete, they share one."""
        return self.teams.get(team, self)


Drawing = Callable[[str, int, int], "Condition"]
"""Draws what a role sees as geometry: (role, width, height) -> `Condition`."""


@dataclass(frozen=True)
class Moment:
    """The state of a world as cameras see it, at one instant of its frame clock."""

    time: float  # seconds since reset
    scene: Scene
    cameras: Mapping[str, Camera]  # by role
    drawing: Drawing | None = None  # from engines that draw their own geometry


Shot = Callable[[Moment], "Camera"]
"""Where a camera is at each moment of an episode."""


@dataclass(frozen=True)
class Observation:
    """What an agent gets after an action: a frame, made when it is first looked at, and feedback."""

    id: str  # names the frame as evidence, e.g. "r02-g05-left-017"
    role: str
    time: float  # seconds since reset
    feedback: str  # one short sentence, or ""
    draw: Callable[[], Frame] = field(repr=False, compare=False)

    @cached_property
    def frame(self) -> Frame:
        """The frame, [height, width, 3] uint8; drawn on first use."""
        return self.draw()


@dataclass(frozen=True)
class Taken:
    """One action on the record of an episode."""

    role: str
    action: Action
    start: int  # tick at which it began
    end: int  # tick at which it ended or was cut
    feedback: str
    observation: str  # id of the observation that followed it


@dataclass(frozen=True)
class Submission:
    """One program a player handed in, and how it ended."""

    role: str
    source: str
    first: int  # index into the role's `Taken` of the first action it took
    count: int  # number of actions it took
    printed: str
    error: str  # "" or what went wrong, with the program's own line numbers


@dataclass(frozen=True)
class Episode:
    """Everything needed to judge an episode and to play it again exactly."""

    world: str  # its name and the settings that are not at their defaults, as `garten.worlds.find` takes them
    version: int
    seed: int
    look: str
    size: tuple[int, int]  # width x height of the frames
    taken: tuple[Taken, ...]
    submissions: tuple[Submission, ...]
    ticks: int
    terminated: bool
    truncated: bool
    score: Score | None  # None where the episode ended in an error
    state_hash: str  # SHA-256 of the final snapshot
    error: str = ""  # the world, model or program error that ended it
    snapshot: str = ""  # where a world error ended it: the world's last sound state, base64
    notes: Mapping[str, Any] = field(default_factory=dict)  # by role: what the player wants back in review
    strategies: Mapping[str, int] = field(default_factory=dict)  # what roles did, counted, for reports only


# --- what players exchange ---------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """What a player knows about one role before its first action."""

    world: str
    text: str  # the task file
    role: str
    team: str
    mates: tuple[str, ...]  # other roles of the same team
    actions: tuple[ActionSpec, ...]
    time_limit: float
    size: tuple[int, int]  # width x height of the frames


@dataclass(frozen=True)
class Reply:
    """The blocking answer to a submitted program (or, before the first one, to nothing)."""

    observations: tuple[Observation, ...]  # one for each action that took place; the opening view at first
    printed: str
    error: str
    time_left: float
    over: bool


Status = Literal["claim", "tested", "refuted"]
"""How far a lesson can be trusted, by its author's word."""


@dataclass(frozen=True)
class Lesson:
    """One skill file of a playbook, in the form of an Agent Skill."""

    name: str  # kebab-case; the folder's name
    description: str  # one sentence: what it is for and when to use it
    body: str  # Markdown, may hold code
    status: Status
    world: str
    role: str  # the team it is for
    round: int
    author: str  # id of the player who wrote it, e.g. "p1"
    evidence: tuple[str, ...]  # observation or game ids
    code: str = ""  # Python functions that programs may call, if the lesson brings any
    data: Mapping[str, Any] = field(default_factory=dict)  # machine-readable extras, JSON types


@dataclass(frozen=True)
class Note:
    """What a player says about its round."""

    author: str
    round: int
    tried: str
    observed: str  # with evidence ids
    doubts: str
    test_next: str


@dataclass(frozen=True)
class Playbook:
    """What a team's players have passed on so far: earlier attempts' claims, not truth."""

    lessons: tuple[Lesson, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Brief:
    """What a player starts its round from."""

    name: str  # id of the player, e.g. "p1"
    round: int  # from 1
    tasks: Mapping[str, Task]  # by role of its team
    playbook: Playbook  # everything its team wrote in earlier rounds
    games: int  # games it may play this round
    layouts: int  # layouts of this round, numbered from 0
    seed: int
    settings: Mapping[str, Any] = field(default_factory=dict)  # of this kind of player, JSON types
    folder: str = ""  # a folder of its own inside the run, for what must survive a kill


@dataclass(frozen=True)
class Plan:
    """What a player means to do in one game; travels to the process that plays it."""

    layout: int  # which of the round's layouts
    data: Mapping[str, Any] = field(default_factory=dict)  # JSON types, read by the player's own seats


@dataclass(frozen=True)
class Review:
    """One finished game as a player may see it: its own programs and frames, the outcome, the score."""

    game: str  # id, e.g. "r02-p1-g05"
    plan: Plan
    episode: Episode  # other teams' actions, programs and notes removed
    frame: Callable[[str], Frame] = field(repr=False, compare=False)  # observation id -> the frame it showed


@dataclass(frozen=True)
class Writing:
    """What a player leaves to the next round."""

    lessons: tuple[Lesson, ...]
    note: Note


# --- protocols ---------------------------------------------------------------------------------


class Agent(Protocol):
    """Chooses the next action of one role in one episode."""

    def act(self, observation: Observation, *, time_left: float) -> Action | None:
        """The next action, or None to do nothing until the episode ends."""
        ...


class Look(Protocol):
    """Makes frames, each by itself."""

    name: str

    def frame(self, moment: Moment, camera: Camera, *, role: str, width: int, height: int) -> Frame:
        """The frame that `camera` sees at that moment."""
        ...


class View(Protocol):
    """What one camera sees of one episode as it goes on."""

    def follow(self, moment: Moment) -> None:
        """Go on to the next moment of the world's frame clock; the first is the opening."""
        ...

    def frame(self, moment: Moment) -> Frame:
        """The frame at a moment that it has come to, or at one between the last of those and the next."""
        ...

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """Follow a whole episode and yield its frames, or of each `every` of them the first."""
        ...


@runtime_checkable
class RollingLook(Protocol):
    """Makes frames that go on from those before, so that it must be told of every moment."""

    name: str

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
        """The view of a camera.

        Args:
            shot: where the camera is at each moment.
            role: whose camera it is, or what it is called.
            size: width x height of the frames.
            seed: of the episode.
        """
        ...


class Seat(Protocol):
    """A player's place in one game, for one role: it answers what happened with the next program."""

    def program(self, reply: Reply) -> str | None:
        """The next program's source, or None to do nothing until the episode ends.

        Asked once more when the episode is over, with `Reply.over` set: the answer is then ignored, so that
        a seat should not think about one.

        Raises:
            ModelError: the model behind the seat failed; the episode then ends as an error.
        """
        ...

    def notes(self) -> Mapping[str, Any]:
        """What the player wants back in review (JSON types); asked once, after the last reply."""
        ...


class Player(Protocol):
    """An agent of one team through one round: made fresh from a `Brief`, it plays, reviews and writes.

    It must be a function of its brief and of the reviews it gets, so that a resumed run repeats it.
    """

    def __init__(self, brief: Brief) -> None: ...

    def propose(self, left: int) -> Sequence[Plan]:
        """Plans for the next games, to be played side by side: between 1 and `left` of them."""
        ...

    def review(self, games: Sequence[Review]) -> None:
        """Look at the games just played, in the order of their plans."""
        ...

    def write(self) -> Writing:
        """The round's lessons and note, once all games are reviewed."""
        ...

    def best(self) -> Mapping[str, Any]:
        """`Plan.data` that plays what the inherited playbook knows best, trying nothing new."""
        ...

    @staticmethod
    def seat(brief: Brief, role: str, plan: Mapping[str, Any], *, seed: int, folder: str) -> Seat:
        """A seat for one role in one game; called in the process that plays the game.

        `seed` is the seat's own; `folder` is one it may keep files in that must survive a kill.
        """
        ...
