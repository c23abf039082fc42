"""A level of the sled: code that configures its world, read in the sandbox and turned into numbers.

A level is one Python source with

    objective = "Climb the hill."
    description = "The hill is near and half as high; the motor is strong."
    relevant_achievements = ["CLIMB_HILL"]        # the goal: all of them end the episode
    completed_achievements = []                   # what counts as done from the start; optional

    def get_task_params():                        # the dials; optional
        return TaskParams(gain=6.0)

    def generate_world(builder):                  # what is different in each new world; optional
        builder.bring("HILL", 3.0)                # at most so many metres from the start
        builder.lower("HILL", 0.5)                # to this share of its height, or of its depth

It runs before training, never in it. Where things lie beyond what it says is drawn anew for each world.
"""

from __future__ import annotations

import ast
import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from garten.errors import LevelError
from garten.parsing import parse
from garten.sandbox import Failed, Finished, Limits, Sandbox
from sled.game import DIALS, LANDMARKS, NAMES

LIMITS = Limits(seconds=1.0, memory=16_000_000, source=20_000)
"""What a level's code may use up."""

NEAREST, FARTHEST = 1.5, 9.0
"""Metres that a level may ask for."""

LEAST_SHARE = 0.1
"""Of a landmark's height, at least."""

_TEXTS = ("objective", "description")
_LISTS = ("relevant_achievements", "completed_achievements")
_FUNCTIONS = ("get_task_params", "generate_world")

_PRELUDE = """
class Builder:
    def __init__(self):
        self.calls = []

    def bring(self, landmark, within):
        self.calls.append(["bring", landmark, within])

    def lower(self, landmark, share):
        self.calls.append(["lower", landmark, share])


def TaskParams(**dials):
    return dials


def _collect(constants, dials, generate):
    builder = Builder()
    if generate is not None:
        generate(builder)
    return {"constants": constants, "dials": dials() if dials is not None else {}, "calls": builder.calls}
"""


@dataclass(frozen=True)
class Level:
    """A level as data.

    Attributes:
        source: its code.
        digest: SHA-256 of the source, hexadecimal.
        objective: a sentence.
        description: sentences.
        goal: names of achievements that, all met, end the episode.
        completed: names of those that count as met from the start, unrewarded.
        dials: all of them, by name.
        near: metres from the start to a landmark at most, by landmark.
        share: of a landmark's full height, by landmark.
    """

    source: str
    digest: str
    objective: str
    description: str
    goal: tuple[str, ...]
    completed: tuple[str, ...]
    dials: Mapping[str, float]
    near: Mapping[str, float] = field(default_factory=dict)
    share: Mapping[str, float] = field(default_factory=dict)


def read_level(source: str, sandbox: Sandbox) -> Level:
    """Run a level's code and keep what it says.

    Raises:
        LevelError: it breaks the form above, fails or runs past a limit; the sentence is for its author.
    """
    told = _run(source, sandbox)
    texts = {name: _text(name, told["constants"].get(name)) for name in _TEXTS}
    goal, completed = (_achievements(name, told["constants"].get(name, [])) for name in _LISTS)
    near: dict[str, float] = {}
    share: dict[str, float] = {}
    for method, landmark, value in told["calls"]:
        if landmark not in LANDMARKS:
            raise LevelError(f"There is no landmark {landmark!r:.40}; choose from {', '.join(LANDMARKS)}.")
        number = _number(f"builder.{method}({landmark!r}, ...)", value)
        if method == "bring":
            near[landmark] = min(max(number, NEAREST), FARTHEST)
        else:
            share[landmark] = min(max(number, LEAST_SHARE), 1.0)
    return Level(
        source=source,
        digest=hashlib.sha256(source.encode()).hexdigest(),
        goal=goal,
        completed=completed,
        dials=_dials(told["dials"]),
        near=near,
        share=share,
        **texts,
    )


def _run(source: str, sandbox: Sandbox) -> dict[str, Any]:
    defined = _defined(source)
    for name in (*_TEXTS, _LISTS[0]):
        if name not in defined:
            raise LevelError(f"The level does not define {name}; define it at the top of its code.")
    constants = ", ".join(f"{name!r}: {name}" for name in (*_TEXTS, *_LISTS) if name in defined)
    functions = ", ".join(name if name in defined else "None" for name in _FUNCTIONS)
    ending = f"\n\n_collect({{{constants}}}, {functions})\n"
    library = {"the builder": _PRELUDE}
    with sandbox.start(source + ending, functions={}, seed="level", library=library) as program:
        state = program.state
    if isinstance(state, Failed):
        raise LevelError(f"The level's code failed: {state.error.splitlines()[-1]}")
    if not isinstance(state, Finished) or not _is_told(state.value):
        raise LevelError("The level's code changed the builder; leave what it does alone.")
    told: dict[str, Any] = state.value
    return told


def _defined(source: str) -> set[str]:
    """The names at the top of the code."""
    if len(source) > LIMITS.source:
        raise LevelError(f"The level has more than {LIMITS.source} characters; shorten it.")
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise LevelError(f"The level is no Python ({error}); correct it.") from error
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _is_told(value: Any) -> bool:
    """Whether what comes out of the sandbox has the form that the prelude gives it."""
    if not isinstance(value, dict) or value.keys() != {"constants", "dials", "calls"}:
        return False
    calls = value["calls"]
    return (
        isinstance(value["constants"], dict)
        and isinstance(calls, list)
        and all(isinstance(call, Sequence) and len(call) == 3 for call in calls)
        and all(call[0] in ("bring", "lower") for call in calls)
    )


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 2000:
        raise LevelError(f"{name} is {value!r:.60}; make it one line of text, at most 2000 characters.")
    return value


def _achievements(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise LevelError(f"{name} is {value!r:.60}; make it a list of achievements.")
    for each in value:
        if each not in NAMES:
            raise LevelError(
                f"{name} holds {each!r:.40}, which is no achievement; choose from {', '.join(NAMES)}."
            )
    return tuple(dict.fromkeys(value))


def _dials(value: Any) -> dict[str, float]:
    """All dials, those given and otherwise the defaults, kept within their bounds."""
    if not isinstance(value, dict):
        raise LevelError(f"get_task_params gives {value!r:.60}; return TaskParams(...).")
    dials = {name: dial.default for name, dial in DIALS.items()}
    for name, given in value.items():
        if name not in DIALS:
            raise LevelError(f"There is no dial {name!r:.40}; choose from {', '.join(DIALS)}.")
        number = _number(f"The dial {name}", given)
        dials[name] = min(max(number, DIALS[name].low), DIALS[name].high)
    return dials


def _number(what: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise LevelError(f"{what} has {value!r:.40}; give a finite number.")
    return float(value)
