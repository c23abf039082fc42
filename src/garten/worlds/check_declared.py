"""Checks of what a world declares: its spec and its task text."""

from __future__ import annotations

import keyword
import math
import re

from garten.records import ActionSpec, Constant, WorldSpec
from garten.worlds.check_subject import Subject, require


def spec(subject: Subject) -> str:
    """Names, times, bounds and constants of the spec are well formed."""
    spec = subject.spec
    require(
        re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", spec.name) is not None,
        f"name {spec.name!r} is not kebab-case",
    )
    require(isinstance(spec.version, int) and spec.version >= 1, f"version {spec.version!r} is not 1 or more")
    for what, names in (("role", subject.roles), ("action", [action.name for action in spec.actions])):
        require(len(names) > 0, f"there is no {what}")
        require(len(set(names)) == len(names), f"two {what}s share a name: {names}")
    require(all(role.team and role.help for role in spec.roles), "a role lacks its team or help")
    require(spec.tick > 0 and spec.frame_rate > 0, "tick and frame rate must be above 0")
    require(
        _whole(spec.time_limit / spec.tick),
        f"the time limit {spec.time_limit} s is not a whole number of ticks",
    )
    require(
        _whole(1.0 / (spec.frame_rate * spec.tick)), f"{spec.frame_rate} frames/s are not whole ticks apart"
    )
    for action in spec.actions:
        _check_action(action, spec.tick)
    _check_keys(spec)
    for setting in spec.settings:
        where = f"setting '{setting.name}'"
        require(re.fullmatch(r"[a-z][a-z0-9_]*", setting.name) is not None, f"{where} is no lower-case name")
        require(setting.low <= setting.default <= setting.high, f"the default of {where} is out of range")
        require(bool(setting.help), f"{where} lacks help")
    for name, constant in spec.constants.items():
        require(isinstance(constant, Constant), f"constant '{name}' is a bare number; make it a Constant")
        require(bool(constant.unit and constant.reason), f"constant '{name}' lacks its unit or reason")
    return f"{len(spec.actions)} actions, {len(spec.constants)} constants"


def _check_action(action: ActionSpec, tick: float) -> None:
    callable_name = action.name.isidentifier() and not keyword.iskeyword(action.name)
    require(callable_name, f"action {action.name!r} cannot be called from Python")
    require(bool(action.help), f"action '{action.name}' lacks help")
    require(
        _whole(action.seconds / tick), f"{action.name} takes {action.seconds} s, not a whole number of ticks"
    )
    for one in action.arguments:
        where = f"argument '{one.name}' of {action.name}"
        require(one.name.isidentifier(), f"{where} is no Python name")
        require(
            math.isfinite(one.low) and math.isfinite(one.high) and one.low < one.high, f"{where} has no range"
        )
        require(
            one.default is None or one.low <= one.default <= one.high,
            f"the default of {where} is out of range",
        )
        whole = one.kind != "int" or all(
            value is None or value == int(value) for value in (one.low, one.high, one.default)
        )
        require(whole, f"{where} is an int with bounds that are not")


def _check_keys(spec: WorldSpec) -> None:
    """Keys press buttons and push axes that there are; if there are any, they reach all of them."""
    names = [key.name for key in spec.keys]
    require(len(set(names)) == len(names), f"two keys share a name: {names}")
    buttons = {button for action in spec.actions for button in action.buttons}
    arguments = [one for action in spec.actions for one in action.arguments]
    axes = {one.name: one for one in arguments if not one.times}  # a key lasts as long as it is held
    for key in spec.keys:
        if key.value is None:
            require(key.control in buttons, f"key '{key.name}' presses '{key.control}', which is no button")
        else:
            axis = axes.get(key.control)
            require(axis is not None, f"key '{key.name}' pushes '{key.control}', which is no axis")
            assert axis is not None
            require(axis.low <= key.value <= axis.high, f"key '{key.name}' pushes its axis out of range")
    missed = (buttons | set(axes)) - {key.control for key in spec.keys}
    require(not spec.keys or not missed, f"no key reaches {sorted(missed)}")


def _whole(ratio: float) -> bool:
    return round(ratio) >= 1 and abs(ratio - round(ratio)) < 1e-6


def task(subject: Subject) -> str:
    """The task text names the time limit and every action with its duration and arguments."""
    spec = subject.spec
    require(spec.time_limit in _seconds(spec.task), f"the time limit of {spec.time_limit:g} s is not in it")
    # A list item or table row stands alone; other lines belong to their paragraph.
    blocks = re.split(r"\n\s*\n|\n(?=\s*[-*|])", spec.task)
    for action in spec.actions:
        naming = [block for block in blocks if re.search(rf"\b{action.name}\b", block)]
        require(bool(naming), f"action '{action.name}' is not in it")
        stated = set().union(*map(_seconds, naming)) or _seconds(spec.task)
        require(action.seconds in stated, f"it does not say that {action.name} takes {action.seconds:g} s")
        for one in action.arguments:
            named = any(re.search(rf"\b{one.name}\b", block) for block in naming)
            require(named, f"argument '{one.name}' of {action.name} is not in it")
    return ""


def _seconds(text: str) -> set[float]:
    """All durations a text states."""
    return {float(number) for number in re.findall(r"(\d+(?:\.\d+)?)[ \-]?s(?:econds?)?\b", text)}
