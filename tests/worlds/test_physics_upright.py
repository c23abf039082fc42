"""Upright things, joints read at once and many looks from one point, against closed forms."""

import math

import numpy as np
import pytest

from garten.errors import WorldError
from garten.scene import Kind
from garten.worlds.physics import kit, query
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.joints import Joints
from garten.worlds.physics.part import Hold, Motor

GREY = (0.5, 0.5, 0.5)


def sled(blueprint, name="sled", at=(1.0, 2.0, 0.51), heading=0.7, *, hold=None, rises=False):
    """A box of 10 kg just above the ground."""
    hold = hold or Hold(60.0, 20.0)
    part = blueprint.upright(name, at, heading, rises=rises, hold=hold)
    part.add(Kind.BOX, (0.5, 0.5, 0.5), color=GREY, mass=10.0, friction=0.0)
    return part


def built(**kept):
    blueprint = Blueprint()
    kit.ground(blueprint, GREY)
    sled(blueprint, **kept)
    return blueprint.build()


def test_joints_of_an_upright_thing_are_its_place_and_heading_in_the_world():
    physics = built(rises=True)
    names = ["sled/x", "sled/y", "sled/z", "sled/turn"]
    assert Joints(physics, names).values() == pytest.approx([1.0, 2.0, 0.51, 0.7])
    for name, value in zip(names, (-3.0, 4.0, 2.0, -2.0), strict=True):
        physics.place_joint(name, value)
    assert physics.position("sled") == pytest.approx([-3.0, 4.0, 2.0])
    assert physics.heading("sled") == pytest.approx(-2.0)


def test_friction_stops_what_slides_after_the_way_its_energy_lasts():
    physics = built()
    physics.data.qvel[physics.contents.joints["sled/x"].speed] = 2.0
    physics.advance(1.0)
    assert physics.joint("sled/x") == pytest.approx(1.0 + 10.0 * 2.0**2 / (2.0 * 60.0), abs=0.02)
    assert physics.joint("sled/y") == pytest.approx(2.0, abs=1e-6)
    assert physics.joint_speed("sled/x") == pytest.approx(0.0, abs=1e-3)


def test_what_rises_falls_and_what_does_not_keeps_its_height():
    assert built(at=(0.0, 0.0, 5.0)).position("sled")[2] == pytest.approx(5.0)
    physics = built(at=(0.0, 0.0, 5.0), rises=True)
    physics.advance(0.5)
    assert physics.joint("sled/z") == pytest.approx(5.0 - 0.5 * 9.81 * 0.5**2, abs=0.02)
    physics.advance(2.0)
    assert physics.joint("sled/z") == pytest.approx(0.5, abs=0.01)


def test_motors_drive_it_and_it_never_tips_over():
    blueprint = Blueprint()
    kit.ground(blueprint, GREY)
    kit.wall(blueprint, "sill", [(3.0, -2.0), (3.0, 6.0)], height=0.2, thickness=0.2, color=GREY)
    sled(blueprint, hold=Hold(Motor(2000.0, 400.0), Motor(500.0, 100.0, 2.0)))
    physics = blueprint.build()
    joints = Joints(physics, ["sled/x", "sled/turn"])
    joints.aim([0.5, 0.0])
    physics.advance(1.0)
    assert (joints.targets() == [0.5, 0.0]).all()
    assert joints.speeds() == pytest.approx([0.5, 0.0], abs=0.01)
    joints.aim([3.0, 0.0])
    physics.advance(2.0)  # against the sill, low down
    assert joints.values()[0] < 2.9
    assert physics.matrix("sled")[2] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)


def test_what_is_wrong_with_joints_is_said():
    physics = built()
    with pytest.raises(WorldError, match="no joint 'sled/w'"):
        Joints(physics, ["sled/w"])
    with pytest.raises(WorldError, match="give each joint a servo or a motor"):
        Joints(physics, ["sled/x"]).aim([1.0])
    with pytest.raises(ValueError, match="finite"):
        Joints(physics, ["sled/x"]).aim([math.nan])
    with pytest.raises(WorldError, match="give 0 or more, or a motor"):
        built(hold=Hold(-1.0, 0.0))


def test_many_looks_at_once_meet_what_single_ones_do():
    physics = built(heading=0.0)
    start = np.array([-2.0, 2.0, 0.5])
    ways = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    distances, bodies = query.rays(physics, start, ways, most=2.7)
    assert distances == pytest.approx([2.5, 0.5, 2.7, 2.7])
    assert bodies.tolist() == [physics.body("sled"), physics.body("ground"), -1, -1]
    assert query.rays(physics, start, ways, most=2.4)[1].tolist() == [-1, physics.body("ground"), -1, -1]
    through, _ = query.rays(physics, start, ways[:1], most=9.0, without="sled")
    assert through.tolist() == [9.0]


def test_looks_go_through_weights_that_touch_nothing():
    blueprint = Blueprint()
    kit.ground(blueprint, GREY)
    sled(blueprint, heading=0.0).weigh(1.0, at=(-2.0, 0.0, 0.0), radius=0.2)
    physics = blueprint.build()
    start, way = np.array([-2.0, 2.0, 0.5]), (1.0, 0.0, 0.0)
    distances, _ = query.rays(physics, start, np.array([way]))
    hit = query.look_along(physics, start.tolist(), way, most=9.0)
    assert distances.tolist() == pytest.approx([2.5])
    assert hit is not None
    assert hit.point[0] == pytest.approx(0.5)
