"""The contract every code world keeps: a spec, a clock, exact snapshots, a scene, cameras and a score.

A world is a subclass of `World` that writes the rules (`_begin`, `_tick`) and what can be seen of them
(`_scene`, `_camera`, `_score`). The base class owns the clock:

* `control` makes a role hold buttons and axes for a number of ticks; the role is then *busy*;
* `tick` advances the world by one tick;
* `advance` ticks until what some role did has ended or the episode is over;
* `start` makes a role begin an action, which is a control that lasts as its spec says;
* `act` starts an action for every idle role and advances.

The transition never reads a rendered image. Same seed and same actions give the same states, bit for bit.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from garten.errors import WorldError
from garten.records import Action, ActionSpec, Control, Drawing, Moment, Score, WorldSpec
from garten.runs.codec import from_json
from garten.scene import Camera, Scene
from garten.worlds.given import check_arguments, check_settings, is_finite, is_number, with_settings

State = TypeVar("State")

RESTING = -1
"""Ticks left of a role that does nothing until the episode ends."""

_CLOCK = "garten.clock"
"""Name of the clock among a snapshot's arrays; the dot keeps it apart from the fields of a state."""


_CONFIGURED: dict[tuple[Any, ...], type[Any]] = {}
"""Worlds with settings that have been made so far, by world and settings."""


@dataclass
class _Hold:
    """What one role is doing."""

    control: Control
    left: int  # ticks left, or RESTING


@dataclass(frozen=True)
class _Clock:
    """The part of a snapshot that every world has."""

    world: str
    version: int
    seed: int
    ticks: int
    ended: bool
    said: Mapping[str, str]  # by role
    holds: Mapping[str, tuple[list[str], Mapping[str, float], int]]  # by role: buttons, axes, ticks left


@dataclass(frozen=True)
class Step:
    """What one call of `act` or `advance` did."""

    completed: tuple[str, ...]  # roles whose action or wait ended, whole or cut by the end of the episode
    ticks: int  # ticks that passed
    moments: tuple[Moment, ...]  # at the world's frame rate, if they were asked for


class World(ABC, Generic[State]):
    """One world: make it, `reset` it with a seed, `act` until `over`, read `score`.

    Subclasses set `spec` and keep all that changes after reset in `self.state`, a dataclass whose fields are
    numpy arrays; what depends on the seed alone may be built in `_begin` and kept elsewhere.
    """

    spec: ClassVar[WorldSpec]

    settings: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """The settings that are not at their defaults; `configured` makes a world with others."""

    state: State

    def __init__(self) -> None:
        self._seed: int | None = None
        self._ticks = 0
        self._holds: dict[str, _Hold] = {}
        self._said: dict[str, str] = {}
        self._ended = False

    # --- settings ----------------------------------------------------------------------------------

    @classmethod
    def configured(cls, settings: Mapping[str, int]) -> type[Self]:
        """This world with these settings instead of its own, the same class each time; itself if it has them.

        Raises:
            WorldError: the world has no such setting, or the value is out of its range.
        """
        defaults = check_settings(cls.spec, settings)
        changed = {name: value for name, value in settings.items() if value != defaults[name]}
        if changed == cls.settings:
            return cls
        key = (cls, tuple(sorted(changed.items())))
        if key not in _CONFIGURED:
            body = {
                "settings": MappingProxyType(changed),
                "__module__": cls.__module__,
                "__doc__": cls.__doc__,
            }
            _CONFIGURED[key] = type(cls.__name__, (cls,), body)
        made: type[Self] = _CONFIGURED[key]
        return made

    @classmethod
    def setting(cls, name: str) -> int:
        """The value of a setting."""
        default = next(item.default for item in cls.spec.settings if item.name == name)
        return cls.settings.get(name, default)

    @classmethod
    def label(cls) -> str:
        """The world's name, and the settings that are not at their defaults, e.g. ``name:one=1,two=2``."""
        return with_settings(cls.spec.name, cls.settings)

    # --- what a world writes -----------------------------------------------------------------------

    @abstractmethod
    def _begin(self, rng: np.random.Generator) -> State:
        """Build the layout from `rng` and return the state an episode starts with."""

    @abstractmethod
    def _tick(self, controls: Mapping[str, Control]) -> bool:
        """Advance the state by one tick under the controls of all roles; True ends the episode."""

    @abstractmethod
    def _scene(self) -> Scene:
        """What can be seen now."""

    @abstractmethod
    def _camera(self, role: str) -> Camera:
        """Where the role looks from now."""

    @abstractmethod
    def _score(self) -> Score:
        """The score if the episode ended now."""

    def _drawing(self) -> Drawing | None:
        """For a world whose engine draws its own geometry: a function that draws the present state.

        It may be called long after the world has moved on, so it must hold a copy of what it needs. None, the
        usual, leaves drawing to the ray caster.
        """
        return None

    def _control(self, spec: ActionSpec, arguments: Mapping[str, float]) -> Control:
        """The control that carries out an action; by default its buttons, and its arguments as axes."""
        return Control(frozenset(spec.buttons), dict(arguments))

    def _waits(self, role: str) -> int:
        """Ticks that a free role has to wait, asked at the start and after each tick; `RESTING`: for ever."""
        return 0

    def _say(self, role: str, text: str) -> None:
        """Give a role feedback about the action it is in: one short sentence, the last one counts."""
        self._said[role] = text

    # --- the clock ---------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        """Start an episode; the same seed gives the same episode.

        Raises:
            WorldError: the seed is negative or no whole number.
        """
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise WorldError(f"{seed!r} is no seed; use 0 or a positive integer.")
        self._seed = int(seed)
        self._ticks = 0
        self._ended = False
        self._holds = {role.name: _Hold(Control(), 0) for role in self.spec.roles}
        self._said = {role.name: "" for role in self.spec.roles}
        self.state = self._begin(np.random.default_rng(self._seed))
        self._hold_back()

    def control(
        self,
        role: str,
        buttons: Iterable[str] = (),
        axes: Mapping[str, float] | None = None,
        *,
        ticks: int = 1,
    ) -> None:
        """Make an idle role hold `buttons` and `axes` for `ticks` ticks, beginning with the next one.

        Raises:
            WorldError: an unknown or busy role, no whole number of ticks above 0, buttons that are no
                collection of names, or an axis that is not a finite number.
        """
        self._require_running()
        if not isinstance(ticks, int | np.integer) or ticks < 1:
            raise WorldError(f"A control lasts at least 1 tick and a whole number of them, got {ticks!r}.")
        held = frozenset(buttons)
        if isinstance(buttons, str) or not all(isinstance(button, str) for button in held):
            raise WorldError(f"Buttons are a list of names such as ['forward'], got {buttons!r}.")
        axes = axes or {}
        if not all(is_number(value) and is_finite(value) for value in axes.values()):
            raise WorldError(f"Axes must be finite numbers, got {dict(axes)}.")
        values = {name: float(value) for name, value in axes.items()}
        self._occupy(role, _Hold(Control(held, values), int(ticks)))

    def start(self, role: str, action: Action | None) -> None:
        """Make an idle role begin an action with the next tick; None: rest until the episode ends.

        Raises:
            WorldError: an unknown action or argument, an unknown or busy role, or a finished episode.
        """
        self._require_running()
        self._occupy(role, self._compile(action))

    def act(self, actions: Mapping[str, Action | None], *, watch: bool = False) -> Step:
        """Start an action for every idle role and advance until some role is free again.

        `actions` holds one entry for each idle role and none for a busy one; None lets a role rest until the
        episode ends. With `watch` the step carries the moments it passed through.

        Raises:
            WorldError: an unknown action or argument, a busy or missing role, or a finished episode.
        """
        self._require_running()
        idle = set(self.idle)
        if set(actions) != idle:
            raise WorldError(f"Give one action to each idle role {sorted(idle)}, got {sorted(actions)}.")
        holds = {role: self._compile(action) for role, action in actions.items()}
        for role, hold in holds.items():
            self._occupy(role, hold)
        return self.advance(watch=watch)

    def advance(self, *, watch: bool = False) -> Step:
        """Tick until some busy role is free again or the episode is over.

        Raises:
            WorldError: a finished episode, or one in which nobody acts and not everybody rests.
        """
        self._require_running()
        lefts = {role: hold.left for role, hold in self._holds.items()}
        if not any(left > 0 for left in lefts.values()) and set(lefts.values()) != {RESTING}:
            raise WorldError("No role is acting; start an action before advancing.")
        began, moments = self._ticks, []
        while not self.over:
            freed = self.tick()
            if watch and self.frame_due:
                moments.append(self.moment())
            if freed:
                break
        passed = self._ticks - began
        completed = tuple(role for role, left in lefts.items() if self._has_ended(role, left, passed))
        return Step(completed, passed, tuple(moments))

    def _has_ended(self, role: str, left: int, passed: int) -> bool:
        """Whether what a role was doing when it had `left` ticks left has ended `passed` ticks later."""
        now = self._holds[role].left
        return left != 0 if now == 0 else 0 < left != now + passed

    def tick(self) -> bool:
        """Advance by one tick, idle roles holding nothing; True if what a role did ended or it is over."""
        self._require_running()
        self._ended = bool(self._tick({role: hold.control for role, hold in self._holds.items()}))
        self._ticks += 1
        over = self.over
        freed = over
        for hold in self._holds.values():
            if hold.left > 0:
                hold.left -= 1
                freed = freed or hold.left == 0
            if hold.left == 0 or over:
                hold.control, hold.left = Control(), 0
        self._hold_back()
        return freed

    # --- reading the world -------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Seconds since reset."""
        return self._ticks * self.spec.tick

    @property
    def ticks(self) -> int:
        """Ticks since reset."""
        return self._ticks

    @property
    def time_left(self) -> float:
        """Seconds until the time limit."""
        return max(0.0, (self.limit_ticks - self._ticks) * self.spec.tick)

    @property
    def limit_ticks(self) -> int:
        """The time limit in ticks."""
        return round(self.spec.time_limit / self.spec.tick)

    @property
    def terminated(self) -> bool:
        """The world's own rules ended the episode."""
        return self._ended

    @property
    def truncated(self) -> bool:
        """The time limit ended the episode."""
        return not self._ended and self._ticks >= self.limit_ticks

    @property
    def over(self) -> bool:
        """Terminated or truncated, or not yet reset."""
        return self._seed is None or self.terminated or self.truncated

    @property
    def frame_due(self) -> bool:
        """Whether this instant is one of the frame clock."""
        return self._ticks % self._ticks_per_frame == 0

    @property
    def idle(self) -> tuple[str, ...]:
        """The roles that are free to start an action, in the order of the spec."""
        return tuple(role for role, hold in self._holds.items() if hold.left == 0)

    def feedback(self, role: str) -> str:
        """What the world told this role about its latest action; one short sentence or an empty string."""
        self._require_role(role)
        return self._said[role]

    def score(self) -> Score:
        """The score if the episode ended now; its value lies between 0 and 100."""
        self._require_reset()
        return self._score()

    def scene(self) -> Scene:
        """What can be seen now."""
        self._require_reset()
        return self._scene()

    def camera(self, role: str) -> Camera:
        """Where the role looks from now."""
        self._require_role(role)
        return self._camera(role)

    def senses(self) -> Mapping[str, Mapping[str, np.ndarray[Any, Any]]]:
        """By role, what agents trained on numbers instead of frames are told now; {}: it tells them none."""
        return {}

    def strategies(self) -> Mapping[str, int]:
        """What roles have done so far, counted by name, for reports only; players never learn of it."""
        return {}

    def moment(self) -> Moment:
        """The scene and all cameras now."""
        self._require_reset()
        cameras = {role.name: self._camera(role.name) for role in self.spec.roles}
        return Moment(self.time, self._scene(), cameras, self._drawing())

    # --- exact state -------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """The whole state as bytes (safetensors); equal states give equal bytes."""
        clock = _Clock(
            world=self.label(),
            version=self.spec.version,
            seed=self._require_reset(),
            ticks=self._ticks,
            ended=self._ended,
            said=self._said,
            holds={
                role: (sorted(hold.control.buttons), hold.control.axes, hold.left)
                for role, hold in self._holds.items()
            },
        )
        text = json.dumps(vars(clock), sort_keys=True).encode()
        return bytes(save_arrays({_CLOCK: np.frombuffer(text, np.uint8), **self._pack()}))

    def restore(self, snapshot: bytes) -> None:
        """Return to the state of a snapshot of this world, taken in this process or any other.

        Raises:
            WorldError: the snapshot is damaged, or of another world or version. The world then stands where
                it stood, or at the start of the snapshot's seed.
        """
        try:
            arrays = load_arrays(snapshot)
            clock = from_json(_Clock, json.loads(arrays.pop(_CLOCK).tobytes()))
        except (SafetensorError, KeyError, ValueError) as error:
            raise damaged() from error
        taken, here = (clock.world, clock.version), (self.label(), self.spec.version)
        if taken != here:
            raise WorldError(
                f"The snapshot is of {taken[0]} version {taken[1]}; this is {here[0]} version {here[1]}."
            )
        roles = {role.name for role in self.spec.roles}
        if not (roles == set(clock.holds) == set(clock.said)) or clock.ticks < 0:
            raise damaged()
        if clock.seed != self._seed:
            self.reset(clock.seed)
        self._unpack(arrays)
        self._ticks, self._ended = clock.ticks, clock.ended
        for role in self._holds:  # not the order of the JSON text, which is sorted
            buttons, axes, left = clock.holds[role]
            self._holds[role] = _Hold(Control(frozenset(buttons), axes), left)
            self._said[role] = clock.said[role]

    def state_hash(self) -> str:
        """SHA-256 of the snapshot, in hex."""
        return hashlib.sha256(self.snapshot()).hexdigest()

    def _pack(self) -> dict[str, np.ndarray[Any, Any]]:
        """The state as named arrays."""
        state: Any = self.state
        return {item.name: np.asarray(getattr(state, item.name), order="C") for item in fields(state)}

    def _unpack(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Set the state from named arrays; refuses other names than those of the state."""
        if set(arrays) != {item.name for item in fields(self.state)}:  # type: ignore[arg-type]
            raise damaged()
        self.state = type(self.state)(**{name: array.copy() for name, array in arrays.items()})

    # --- inside ------------------------------------------------------------------------------------

    def _hold_back(self) -> None:
        """Make free roles wait that have to."""
        if not self.over:
            for role in self.idle:
                self._holds[role].left = self._waits(role)

    @property
    def _ticks_per_frame(self) -> int:
        return round(1.0 / (self.spec.frame_rate * self.spec.tick))

    def _require_running(self) -> None:
        if self.over:
            raise WorldError("The episode is over; reset the world before acting.")

    def _require_reset(self) -> int:
        """The seed of the episode."""
        if self._seed is None:
            raise WorldError("The world was never reset; reset it first.")
        return self._seed

    def _require_role(self, role: str) -> None:
        self._require_reset()
        if role not in self._holds:
            raise WorldError(f"There is no role '{role}'; the roles are {', '.join(self._holds)}.")

    def _compile(self, action: Action | None) -> _Hold:
        """Turn an action into what its role holds, checking it against the spec."""
        if action is None:
            return _Hold(Control(), RESTING)
        if not isinstance(action, Action):
            raise WorldError(f"A role takes an Action, or None to rest, got {action!r}.")
        spec = self.spec.action(action.name)
        if spec is None:
            known = ", ".join(item.name for item in self.spec.actions)
            raise WorldError(f"There is no action '{action.name}'; use one of {known}.")
        arguments = check_arguments(spec, action.arguments)
        return _Hold(self._control(spec, arguments), round(spec.lasts(arguments) / self.spec.tick))

    def _occupy(self, role: str, hold: _Hold) -> None:
        self._require_role(role)
        if self._holds[role].left != 0:
            raise WorldError(f"Role '{role}' is busy; wait until its action ends.")
        self._holds[role] = hold
        self._said[role] = ""


def read_task(module_file: str) -> str:
    """The task text in `task.md` beside a world's module; call it with `__file__`.

    Raises:
        WorldError: there is no such file.
    """
    path = Path(module_file).with_name("task.md")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise WorldError(
            f"{path} cannot be read ({error.strerror}); write the world's task there."
        ) from error


def damaged() -> WorldError:
    """What `World.restore` raises for bytes that hold no state of the world."""
    return WorldError("The snapshot is damaged; take it again with snapshot().")
