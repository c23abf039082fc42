"""Actions are understood by their words."""

from __future__ import annotations

import pytest

from garten.practice.players.search.motor import Move, read_motor
from garten.records import ActionSpec, Argument


def spec(name: str, *arguments: Argument) -> ActionSpec:
    return ActionSpec(name, 1.0, "", (), arguments)


def test_walking_turning_waiting_and_the_rest() -> None:
    motor = read_motor([spec(n) for n in ("wait", "forward", "backward", "turn_left", "turn_right", "raise")])
    assert motor.forward == Move("forward()", 1.0, walk=1)
    assert motor.back == Move("backward()", 1.0, walk=-1)
    assert motor.left == Move("turn_left()", 1.0, turn=1)
    assert motor.right == Move("turn_right()", 1.0, turn=-1)
    assert motor.pause == Move("wait()", 1.0)
    assert [move.call for move in motor.others] == ["raise()"]
    assert motor.steers


def test_driving_by_arguments() -> None:
    throttle = Argument("throttle", "float", -1.0, 1.0, 0.0, "")
    steer = Argument("steer", "float", -1.0, 1.0, 0.0, "")
    motor = read_motor([spec("drive", throttle, steer)])
    assert motor.forward is not None
    assert motor.forward.call == "drive(throttle=1.0)"
    assert motor.back is not None
    assert motor.back.call == "drive(throttle=-1.0)"
    assert motor.left is not None
    assert motor.left.call == "drive(throttle=0.5, steer=-1.0)"
    assert motor.steers


def test_dealings_without_walking() -> None:
    look = Argument("lookX", "float", -1.0, 1.0, 0.0, "")
    count = Argument("times", "int", 1, 5, None, "")
    motor = read_motor([spec("offer", look), spec("pet_head", count), spec("wait")])
    assert not motor.steers
    assert [move.call for move in motor.others] == ["offer()", "pet_head(times=1)"]
    assert motor.named("offer") == motor.others[0]
    assert motor.named("bark") is None


def test_an_action_whose_numbers_must_be_given_is_a_handle() -> None:
    aim, lift = Argument("aim", "float", -1.0, 1.0, None, ""), Argument("lift", "float", 0.0, 1.0, 0.2, "")
    motor = read_motor([spec("shoot", aim, lift), spec("sing")])
    assert [move.call for move in motor.others] == ["sing()"]
    assert [handle.name for handle in motor.handles] == ["shoot"]
    assert motor.named("shoot") is None


def test_a_speed_beside_numbers_of_unknown_meaning_makes_no_walk() -> None:
    angle, speed = (
        Argument("angle", "float", -1.0, 1.0, None, ""),
        Argument("speed", "float", 0.0, 1.0, 0.6, ""),
    )
    motor = read_motor([spec("bowl", angle, speed), spec("wait")])
    assert motor.forward is None
    assert motor.wait == Move("wait()", 1.0)
    (handle,) = motor.handles
    assert [handle.least(index) for index in range(2)] == [0.0, 0.0]
    assert [handle.paces(index) for index in range(2)] == [False, True]


def test_an_arc_backwards_is_neither_a_walk_nor_a_turn_once_those_are_known() -> None:
    motor = read_motor([spec(n) for n in ("forward", "backward", "turn_left", "reverse_left")])
    assert [move.call for move in motor.others] == ["reverse_left()"]


@pytest.mark.parametrize(("name", "left", "right"), [("left", 1.0, -1.0), ("to_right", -1.0, 1.0)])
def test_a_turn_goes_to_the_side_its_argument_is_named_after(name, left, right):
    side = Argument(name, "float", -1.0, 1.0, None, "how far")
    motor = read_motor([ActionSpec("turn", 1.0, "turn on the spot", arguments=(side,))])
    assert (motor.left.call, motor.left.turn) == (f"turn({name}={left})", 1)
    assert (motor.right.call, motor.right.turn) == (f"turn({name}={right})", -1)
