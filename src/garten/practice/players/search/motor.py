"""Which of a task's actions walk, turn and wait, read from their names and arguments as plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from garten.records import ActionSpec, Argument

_AHEAD = frozenset({"forward", "forwards", "ahead", "advance", "throttle", "walk", "go"})
_BACK = frozenset({"back", "backward", "backwards", "reverse", "retreat"})
_LEFT = frozenset({"left"})
_RIGHT = frozenset({"right"})
_STILL = frozenset({"wait", "stay", "stand", "rest", "idle", "noop", "stop"})
_STEER = frozenset({"steer", "steering", "turn", "yaw", "rotate"})
_SPEED = frozenset({"throttle", "speed", "gas", "forward", "drive"})

MOST_TUNED = 4
"""Arguments of one action that are tuned at most; others keep their default."""


@dataclass(frozen=True)
class Move:
    """One call of an action, and what it is meant to do to the player's own pose."""

    call: str  # Python, e.g. "forward()" or "drive(throttle=1.0, steer=0.0)"
    seconds: float
    walk: int = 0  # strides ahead; -1: back
    turn: int = 0  # turns to the left; -1: to the right


@dataclass(frozen=True)
class Handle:
    """An action whose numbers are to be found out: at least one of them must be given."""

    spec: ActionSpec
    tuned: tuple[Argument, ...]  # those that must be given first

    @property
    def name(self) -> str:
        """The action's name."""
        return self.spec.name

    @property
    def rest(self) -> tuple[float, ...]:
        """The value of each tuned argument that does least, as a share of its range."""
        return tuple((_idle(one) - one.low) / (one.high - one.low) for one in self.tuned)

    @property
    def needed(self) -> int:
        """How many of the tuned arguments must be given: the first ones."""
        return sum(one.default is None for one in self.tuned)

    def paces(self, index: int) -> bool:
        """Whether a tuned argument says how fast."""
        return bool(_words(self.tuned[index].name) & _SPEED)

    def least(self, index: int) -> float:
        """The share from which on a tuned argument is worth a try: of speeds that of rest, else 0."""
        one = self.tuned[index]
        return max(0.0, -one.low / (one.high - one.low)) if self.paces(index) else 0.0

    def move(self, shares: Sequence[float]) -> Move:
        """The action with each tuned argument at a share of its range, from 0 to 1."""
        given = {
            one.name: one.low + min(max(share, 0.0), 1.0) * (one.high - one.low)
            for one, share in zip(self.tuned, shares, strict=True)
        }
        return Move(_call(self.spec, given), self.spec.seconds)


@dataclass(frozen=True)
class Motor:
    """The moves a role has; None where the task has no such action."""

    forward: Move | None
    back: Move | None
    left: Move | None
    right: Move | None
    wait: Move | None
    others: tuple[Move, ...]  # actions with another meaning, in the order of the task
    handles: tuple[Handle, ...] = ()  # actions whose numbers are to be found out

    @property
    def steers(self) -> bool:
        """Whether the role can walk and turn."""
        return self.forward is not None and (self.left is not None or self.right is not None)

    @property
    def pause(self) -> Move:
        """The move that does least: to wait, or else the first there is, with numbers at rest."""
        rests = (handle.move(handle.rest) for handle in self.handles)
        moves = (self.wait, *self.others, self.left, self.right, self.back, self.forward, *rests)
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
    handles = [handle for handle in map(_handle, actions) if handle is not None]
    for spec in actions:
        moves = _moves(spec)
        if not moves and spec.name not in [handle.name for handle in handles]:
            others.append(Move(_call(spec, {}), spec.seconds))
        for role, move in moves:
            if role in roles:
                others.append(Move(move.call, move.seconds))
            else:
                roles[role] = move
    get = roles.get
    walks = (get("forward"), get("back"), get("left"), get("right"), get("wait"))
    return Motor(*walks, tuple(others), tuple(handles))


def _handle(spec: ActionSpec) -> Handle | None:
    """The action as a handle, if it has numbers that must be given."""
    numbers = [one for one in spec.arguments if one.kind == "float"]
    tuned = sorted(numbers, key=lambda one: one.default is not None)[:MOST_TUNED]
    return Handle(spec, tuple(tuned)) if tuned and tuned[0].default is None else None


def _moves(spec: ActionSpec) -> list[tuple[str, Move]]:
    """The moves one action makes possible, each with its place in the motor."""
    steer = next((arg for arg in spec.arguments if _words(arg.name) & _STEER), None)
    speed = next((arg for arg in spec.arguments if _words(arg.name) & _SPEED), None)
    strange = [one for one in spec.arguments if one.default is None and one not in (steer, speed)]
    if (steer is not None or speed is not None) and not strange:
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


def _idle(argument: Argument) -> float:
    """The value of an argument that does least."""
    if argument.default is not None:
        return argument.default
    return min(max(0.0, argument.low), argument.high)


def _words(name: str) -> set[str]:
    """The words of an identifier in lower case: lookX and look_x both give {look, x}."""
    return {word.lower() for word in re.findall(r"[A-Za-z][a-z]*|[0-9]+", name)}
