"""Which of a task's actions walk, turn and wait, read from their names and arguments as plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from garten.records import ActionSpec, Argument

_AHEAD = frozenset({"forward", "forwards", "ahead", "advance", "throttle", "walk", "go"})
_BACK = frozenset({"back", "backward", "backwards", "reverse", "retreat"})
_LEFT = frozenset({"left"})
_RIGHT = frozenset({"right"})
_STILL = frozenset({"wait", "stay", "stand", "rest", "idle", "noop", "stop"})
_STEER = frozenset({"steer", "steering", "turn", "yaw", "rotate"})
_SPEED = frozenset({"throttle", "speed", "gas", "forward", "drive"})

_QUARTERS = (0.125, 0.375, 0.625, 0.875)  # shares of an argument's range that are tried
_MOST_TRIED = 2  # arguments of one action that are varied


@dataclass(frozen=True)
class Move:
    """One call of an action, and what it is meant to do to the player's own pose."""

    call: str  # Python, e.g. "forward()" or "drive(throttle=1.0, steer=0.0)"
    seconds: float
    walk: int = 0  # strides ahead; -1: back
    turn: int = 0  # turns to the left; -1: to the right


@dataclass(frozen=True)
class Motor:
    """The moves a role has; None where the task has no such action."""

    forward: Move | None
    back: Move | None
    left: Move | None
    right: Move | None
    wait: Move | None
    others: tuple[Move, ...]  # actions with another meaning, in the order of the task

    @property
    def steers(self) -> bool:
        """Whether the role can walk and turn."""
        return self.forward is not None and (self.left is not None or self.right is not None)

    @property
    def pause(self) -> Move:
        """The move that does least: to wait, or else the first there is."""
        moves = (self.wait, *self.others, self.left, self.right, self.back, self.forward)
        return next(move for move in moves if move is not None)

    def named(self, name: str) -> Move | None:
        """The move among `others` of that name; see `names`."""
        return dict(zip(self.names, self.others, strict=True)).get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """What `others` are known by: the action's name, or the whole call where an action has several."""
        actions = [move.call.partition("(")[0] for move in self.others]
        return tuple(
            action if actions.count(action) == 1 else move.call
            for action, move in zip(actions, self.others, strict=True)
        )


def read_motor(actions: Sequence[ActionSpec]) -> Motor:
    """The motor of a role with these actions."""
    roles: dict[str, Move] = {}
    others: list[Move] = []
    for spec in actions:
        moves = _moves(spec)
        if not moves:
            others += [Move(_call(spec, given), spec.seconds) for given in _tries(spec)]
        for role, move in moves:
            if role in roles:
                others.append(Move(move.call, move.seconds))
            else:
                roles[role] = move
    get = roles.get
    return Motor(get("forward"), get("back"), get("left"), get("right"), get("wait"), tuple(others))


def _moves(spec: ActionSpec) -> list[tuple[str, Move]]:
    """The moves one action makes possible, each with its place in the motor."""
    steer = next((arg for arg in spec.arguments if _words(arg.name) & _STEER), None)
    speed = next((arg for arg in spec.arguments if _words(arg.name) & _SPEED), None)
    if steer is not None or speed is not None:
        return _driving(spec, speed, steer)
    words = _words(spec.name)
    side = next((arg for arg in spec.arguments if _words(arg.name) & (_LEFT | _RIGHT)), None)
    if words & _STEER and side is not None and side.low < 0.0 < side.high:
        return _turning(spec, side)
    call = _call(spec, {})
    left, right = bool(words & _LEFT), bool(words & _RIGHT)
    back, ahead = bool(words & _BACK), bool(words & _AHEAD)
    if (left or right) and not back:
        return [("left" if left else "right", Move(call, spec.seconds, turn=1 if left else -1))]
    if back and not (left or right):
        return [("back", Move(call, spec.seconds, walk=-1))]
    if ahead:
        return [("forward", Move(call, spec.seconds, walk=1))]
    return [("wait", Move(call, spec.seconds))] if words & _STILL else []


def _driving(spec: ActionSpec, speed: Argument | None, steer: Argument | None) -> list[tuple[str, Move]]:
    """The moves of an action that is steered by arguments; steering is taken to be positive to the right."""
    moves: list[tuple[str, Move]] = []
    if speed is not None:
        moves.append(("forward", Move(_call(spec, {speed.name: speed.high}), spec.seconds, walk=1)))
        moves.append(("wait", Move(_call(spec, {speed.name: _idle(speed)}), spec.seconds)))
        if speed.low < 0.0:
            moves.append(("back", Move(_call(spec, {speed.name: speed.low}), spec.seconds, walk=-1)))
    if steer is not None:
        pace = {} if speed is None else {speed.name: 0.5 * (_idle(speed) + speed.high)}
        for name, value, turn in (("left", steer.low, 1), ("right", steer.high, -1)):
            call = _call(spec, {**pace, steer.name: value})
            moves.append((name, Move(call, spec.seconds, turn=turn)))
    return moves


def _turning(spec: ActionSpec, side: Argument) -> list[tuple[str, Move]]:
    """The moves of an action that turns on the spot, towards the side its argument is named after."""
    ends = (side.high, side.low) if _words(side.name) & _LEFT else (side.low, side.high)
    return [
        (name, Move(_call(spec, {side.name: value}), spec.seconds, turn=turn))
        for name, value, turn in zip(("left", "right"), ends, (1, -1), strict=True)
    ]


def _call(spec: ActionSpec, given: dict[str, float]) -> str:
    """A call of the action with these arguments, and with any other that has to be given at rest."""
    arguments = []
    for argument in spec.arguments:
        if argument.name in given or argument.default is None:
            value = given.get(argument.name, _idle(argument))
            shown = str(round(value)) if argument.kind == "int" else repr(round(float(value), 3))
            arguments.append(f"{argument.name}={shown}")
    return f"{spec.name}({', '.join(arguments)})"


def _tries(spec: ActionSpec) -> list[dict[str, float]]:
    """Values to try for arguments of unknown meaning that must be given: middles of quarters of each."""
    needed = [one for one in spec.arguments if one.default is None and one.kind == "float"][:_MOST_TRIED]
    values = [[one.low + share * (one.high - one.low) for share in _QUARTERS] for one in needed]
    names = [one.name for one in needed]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*values)]


def _idle(argument: Argument) -> float:
    """The value of an argument that does least."""
    if argument.default is not None:
        return argument.default
    return min(max(0.0, argument.low), argument.high)


def _words(name: str) -> set[str]:
    """The words of an identifier in lower case: lookX and look_x both give {look, x}."""
    return {word.lower() for word in re.findall(r"[A-Za-z][a-z]*|[0-9]+", name)}
