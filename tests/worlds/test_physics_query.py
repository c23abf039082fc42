"""Questions about bodies, against arrangements whose answers are known."""

import math

import pytest

from garten.errors import WorldError
from garten.scene import Kind
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.query import bounds, clearance, first_hit, supports, touches, touching, visible

GREY = (0.5, 0.5, 0.5)


@pytest.fixture(scope="module")
def physics():
    """A stack of two boxes, a box apart, a ball in the air, a wall, a lamp on a post."""
    blueprint = Blueprint()
    kit.ground(blueprint, GREY)
    half = (0.5, 0.5, 0.5)
    for name, at in {"low": (0, 0, 0.5), "high": (0.2, 0, 1.5), "apart": (3, 0, 0.5)}.items():
        kit.box(blueprint, name, half, at=at, mass=10.0, color=GREY)
    kit.ball(blueprint, "ball", 0.2, at=(0.2, 0, 5.0), mass=1.0, color=GREY)
    kit.wall(blueprint, "wall", [(6, -3), (6, 3)], height=2.0, thickness=0.2, color=GREY)
    post = blueprint.fixed("post", (10, 0, 0))
    post.add(Kind.BOX, (0.1, 0.1, 0.5), at=(0, 0, 0.5), color=GREY)
    lamp = post.hinge("lamp", at=(0, 0, 3.0), axis=(0, 0, 1))
    lamp.add(Kind.SPHERE, (0.3,), mass=1.0, color=GREY)
    made = blueprint.build()
    made.advance(0.3)
    return made


def test_touches_say_who_where_and_which_way_it_pushes(physics):
    met = touches(physics, "high")
    assert {touch.other for touch in met} == {"low"}
    assert len(met) == 4
    for touch in met:
        assert touch.part == "high"
        assert touch.normal == pytest.approx((0, 0, 1), abs=1e-3)
        assert touch.point[2] == pytest.approx(1.0, abs=0.01)
        assert 0.0 <= touch.depth < 0.01
    assert {touch.other: round(touch.normal[2]) for touch in touches(physics, "low")} == {
        "ground": 1,
        "high": -1,
    }
    assert touches(physics, "ball") == []


def test_touching_works_both_ways(physics):
    assert touching(physics, "low", "high")
    assert touching(physics, "high", "low")
    assert not touching(physics, "low", "apart")


def test_supports_are_what_pushes_up(physics):
    assert supports(physics, "high") == ("low",)
    assert supports(physics, "low") == ("ground",)
    assert supports(physics, "ball") == ()


def test_clearance_is_the_least_distance(physics):
    assert clearance(physics, "low", "apart") == pytest.approx(2.0, abs=0.01)
    assert clearance(physics, "apart", "wall") == pytest.approx(6.0 - 0.1 - 3.5, abs=0.01)
    lamp = math.hypot(10 - 6.1, 3 - 2.0) - 0.3
    assert clearance(physics, "post/lamp", "wall") == pytest.approx(lamp, abs=0.01)
    assert clearance(physics, "wall", "post") == pytest.approx(lamp, abs=0.01)  # of its parts the nearest
    assert clearance(physics, "low", "wall", most=2.0) == 2.0
    assert clearance(physics, "low", "high") == pytest.approx(0.0, abs=0.01)


def test_bounds_hold_all_shapes_of_a_thing_and_no_more():
    blueprint = Blueprint()
    turned = blueprint.fixed("turned", (1, 2, 0), 0.25 * math.pi)
    turned.add(Kind.BOX, (0.5, 0.5, 0.1), at=(0, 0, 0.1), color=GREY)
    turned.add(Kind.SPHERE, (0.3,), at=(0, 0, 1.0), color=GREY)
    ramp = blueprint.fixed("ramp", (5, 0, 0), math.pi)
    ramp.add(Kind.WEDGE, (0.6, 0.45, 0.75), at=(0, 0, 0.75), color=GREY)
    physics = blueprint.build()
    reach = math.sqrt(0.5)
    for name, low, high in (
        ("turned", (1 - reach, 2 - reach, 0.0), (1 + reach, 2 + reach, 1.3)),
        ("ramp", (4.4, -0.45, 0.0), (5.6, 0.45, 1.5)),
    ):
        assert bounds(physics, name)[0] == pytest.approx(low, abs=1e-6)
        assert bounds(physics, name)[1] == pytest.approx(high, abs=1e-6)


def test_a_look_meets_what_is_first_in_its_way(physics):
    eye, target = (-3.0, 0.0, 0.5), (10.0, 0.0, 0.5)
    assert first_hit(physics, eye, target) == "low"
    assert first_hit(physics, eye, target, without=["low"]) == "apart"
    assert first_hit(physics, eye, target, without=["low", "apart"]) == "wall"
    assert first_hit(physics, eye, target, without=["low", "apart", "wall"]) == "post"
    assert first_hit(physics, eye, (-1.0, 0.0, 0.5)) == ""
    assert first_hit(physics, eye, eye) == ""


def test_the_visible_share_of_a_thing(physics):
    eye = (-5.0, 0.0, 0.5)
    assert visible(physics, eye, "low") == 1.0
    assert visible(physics, eye, "apart") == 0.0  # right behind it
    assert visible(physics, (0.0, -8.0, 0.5), "apart") == 1.0
    over = (0.0, 0.0, 1.3)
    near = ["low", "high", "apart"]
    assert visible(physics, over, "post", without=near) == pytest.approx(0.5)  # the lamp above the wall
    assert visible(physics, over, "post", without=[*near, "wall"]) == 1.0


def test_unknown_names_are_refused(physics):
    for ask in (lambda: touches(physics, "cat"), lambda: clearance(physics, "low", "post/cat")):
        with pytest.raises(WorldError, match=r"There is no (thing|part) '(post/)?cat'; there are "):
            ask()
