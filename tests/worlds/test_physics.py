"""Bodies that touch: motion against closed forms, exact states, grips, joints, vehicles, faults."""

import hashlib
import math
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from garten.episodes.reshoot import replay
from garten.episodes.run import play
from garten.errors import WorldError
from garten.records import Action
from garten.scene import Kind, Mesh, turn_x, turn_y, turn_z
from garten.sight.surfaces import SURFACES
from garten.worlds.check import check
from garten.worlds.find import load
from garten.worlds.physics import kit
from garten.worlds.physics.build import Blueprint
from garten.worlds.physics.part import Motor, Servo
from garten.worlds.physics.simulation import UnstableError
from garten.worlds.physics.vehicle import Running, vehicle
from support import python
from worlds.shunter import Shunter

GRAVITY = 9.81
GREY = (0.5, 0.5, 0.5)


def yard(**options):
    blueprint = Blueprint(**options)
    kit.ground(blueprint, GREY)
    return blueprint


def crate(blueprint, name="crate", at=(0.0, 0.0, 0.3), mass=10.0, **options):
    return kit.box(blueprint, name, (0.3, 0.3, 0.3), at=at, mass=mass, color=GREY, **options)


# --- motion --------------------------------------------------------------------------------------


def test_a_ball_falls_as_galileo_found():
    blueprint = Blueprint(step=0.002)
    kit.ball(blueprint, "ball", 0.1, at=(0, 0, 10), mass=2.0, color=GREY)
    physics = blueprint.build()
    physics.advance(1.0)
    assert physics.position("ball")[2] == pytest.approx(10.0 - 0.5 * GRAVITY, abs=0.02)
    assert physics.velocity("ball")[2] == pytest.approx(-GRAVITY, rel=1e-3)


def test_a_thing_is_thrown_and_turns_as_the_world_sees_it():
    blueprint = Blueprint(step=0.002)
    crate(blueprint, at=(0.0, 0.0, 50.0), heading=1.2)
    physics = blueprint.build()
    physics.throw("crate", (2.0, 0.0, 0.0), (0.0, 3.0, 0.0))
    physics.advance(0.1)
    turn = physics.matrix("crate")
    assert physics.position("crate")[0] == pytest.approx(0.2, abs=1e-6)
    assert turn @ (math.cos(-1.2), math.sin(-1.2), 0.0) == pytest.approx(
        (math.cos(0.3), 0.0, -math.sin(0.3)), abs=1e-3
    )


@pytest.mark.parametrize("friction", [0.5, 0.8])
def test_a_box_slides_as_far_as_coulomb_lets_it(friction):
    blueprint = yard(step=0.002)
    crate(blueprint, friction=friction)
    physics = blueprint.build()
    physics.advance(0.2)
    physics.data.qvel[0] = 3.0
    physics.advance(2.0)
    assert physics.position("crate")[0] == pytest.approx(9.0 / (2.0 * friction * GRAVITY), rel=0.03)


def test_a_box_stays_on_a_slope_below_the_angle_of_friction_and_slides_above():
    for degrees, stays in ((20.0, True), (40.0, False)):
        blueprint = yard(step=0.002)
        slope = math.radians(degrees)
        half = (3.0, 1.0, 3.0 * math.tan(slope))
        kit.ramp(blueprint, "ramp", half, at=(0, 0, half[2]), color=GREY, friction=0.55)
        above = 0.3 + 0.02
        blueprint.free("box", (-above * math.sin(slope), 0, half[2] + above * math.cos(slope))).add(
            Kind.BOX, (0.3, 0.3, 0.3), rotation=turn_y(-slope), color=GREY, mass=5.0, friction=0.55
        )
        physics = blueprint.build()
        physics.advance(0.3)
        start = physics.position("box")
        physics.advance(1.0)
        moved = np.linalg.norm(physics.position("box") - start)
        if stays:
            assert moved < 0.005
        else:
            push = GRAVITY * (math.sin(slope) - 0.55 * math.cos(slope))
            assert moved > 0.9 * 0.5 * push  # it already slid for a while when the clock began


def test_a_slippery_surface_that_overrules_makes_a_rough_box_slide():
    blueprint = Blueprint()
    ice = blueprint.fixed("ice")
    ice.add(Kind.PLANE, (0, 0), color=GREY, friction=0.02, overrules=True)
    crate(blueprint, friction=1.0)
    physics = blueprint.build()
    physics.advance(0.1)
    physics.data.qvel[0] = 1.0
    physics.advance(1.0)
    assert physics.position("crate")[0] > 0.85


# --- the exact state -----------------------------------------------------------------------------


def jumble():
    """Everything there is, in motion."""
    blueprint = yard()
    for number in range(4):
        crate(blueprint, f"crate-{number}", (0.1 * number, 0.02 * number, 0.5 + 0.8 * number))
    kit.ball(blueprint, "ball", 0.2, at=(2.0, 0.0, 0.2), mass=1.0, color=GREY)
    chassis = vehicle(blueprint, "car", Running(1.2, 1.0, 0.3, 0.2, 20.0, 3000.0), at=(-3, 0))
    chassis.add(Kind.BOX, (0.9, 0.4, 0.2), at=(0, 0, 0.5), color=GREY, mass=300.0)
    blueprint.grip("tow", "car", kind="pin")
    blueprint.grip("hand", "car")
    physics = blueprint.build()
    physics.contents.vehicles["car"].drive(physics, 2.0, 0.1)
    return physics


def ahead(physics, seconds=1.0):
    physics.advance(seconds)
    return hashlib.sha256(physics.state().tobytes()).hexdigest()


def test_a_restored_state_goes_on_bit_for_bit_in_another_simulation():
    one, other = jumble(), jumble()
    one.advance(0.7)
    one.grab("tow", "crate-1")
    ahead(other, 0.3)
    for _ in range(3):
        other.load(one.state())
        assert other.held("tow") == "crate-1"
        assert ahead(one, 0.5) == ahead(other, 0.5)


def test_reading_does_not_change_what_follows():
    watched, blind = jumble(), jumble()
    for _ in range(20):
        watched.scene()
        watched.position("ball")
        watched.advance(0.05)
        blind.advance(0.05)
    assert (watched.state() == blind.state()).all()


def test_a_fork_goes_its_own_way():
    physics = jumble()
    physics.advance(0.5)
    before = physics.state()
    fork = physics.fork()
    fork.grab("hand", "crate-3")
    fork.contents.vehicles["car"].drive(fork, -2.0)
    fork.advance(1.0)
    assert (physics.state() == before).all()
    assert physics.held("hand") == ""
    assert fork.position("car")[0] < physics.position("car")[0]


def test_the_same_bits_in_a_fresh_process():
    code = "from worlds.test_physics import ahead, jumble; print(ahead(jumble(), 2.0))"
    done = python("import sys; sys.path.insert(0, 'tests'); " + code)
    assert done.stdout.strip() == ahead(jumble(), 2.0), done.stderr


def test_a_state_of_another_simulation_is_refused():
    physics = jumble()
    state = physics.state()
    for wrong in (state[:-1], np.full_like(state, np.nan), np.append(state[:-26], np.full(26, 999.0))):
        with pytest.raises(ValueError, match="another simulation"):
            physics.load(wrong)


def test_a_target_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        jumble().aim("car/front-left", math.nan)


def test_time_passes_in_whole_steps():
    with pytest.raises(ValueError, match="whole number of steps"):
        jumble().advance(0.0012)


# --- what comes apart ----------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [1e12, 300.0])
def test_a_simulation_that_comes_apart_says_so_and_keeps_its_last_sound_state(speed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    physics = jumble()
    physics.advance(0.5)
    before = physics.state()
    calm = physics.fork()
    physics.contents.vehicles["car"].drive(physics, 1.0)
    physics.data.qvel[physics.contents.free["ball"][1] + 2] = speed
    with pytest.raises(UnstableError, match=r"came apart 0\.50 s after its start because .*, look there"):
        physics.advance(0.1)
    assert not list(tmp_path.iterdir())  # MuJoCo likes to leave a log
    physics.load(before)
    assert ahead(physics) == ahead(calm)


def test_an_episode_that_comes_apart_ends_as_a_world_error_with_the_state_saved():
    class Fragile(Shunter):
        def _tick(self, controls):
            if self.ticks == 12:
                self.physics.aim("car/front-left", 1e9)
                self.physics.data.qvel[:] *= 1e12
            return super()._tick(controls)

    class Driver:
        def act(self, observation, *, time_left):
            return Action("drive")

    class Flat:
        name = "flat"

    episode = play(Fragile(), {"driver": Driver()}, seed=1, look=Flat(), size=(8, 4))
    assert "came apart" in episode.error
    assert episode.score is None
    assert (episode.ticks, [taken.end for taken in episode.taken]) == (12, [5, 10, 12])
    world = Shunter()
    world.restore(b64decode(episode.snapshot))
    assert world.state_hash() == episode.state_hash
    *_, last = replay(episode, world=Fragile())  # the error is met again, not taken for another episode
    assert last.time == 1.0


# --- grips ---------------------------------------------------------------------------------------


def test_a_weld_holds_a_thing_where_it_is_and_carries_it_along():
    physics = jumble()
    physics.advance(1.0)
    local = physics.matrix("car").T @ (physics.position("crate-2") - physics.position("car"))
    there = physics.position("crate-2")
    physics.grab("hand", "crate-2")
    physics.advance(physics.step)
    assert physics.position("crate-2") == pytest.approx(there, abs=0.02)  # nothing jumps
    physics.advance(1.5)
    now = physics.matrix("car").T @ (physics.position("crate-2") - physics.position("car"))
    assert now == pytest.approx(local, abs=0.02)
    physics.let_go("hand")
    physics.contents.vehicles["car"].drive(physics, -2.0)
    physics.advance(1.5)
    assert np.linalg.norm(physics.position("crate-2") - physics.position("car")) > 1.2 * np.linalg.norm(local)


def towing():
    blueprint = yard()
    crate(blueprint, at=(-2.0, 0.4, 0.3), mass=20.0)
    chassis = vehicle(blueprint, "car", Running(1.2, 1.0, 0.3, 0.2, 20.0, 3000.0), at=(0, 0))
    chassis.add(Kind.BOX, (0.9, 0.4, 0.2), at=(0, 0, 0.5), color=GREY, mass=300.0)
    blueprint.grip("tow", "car", kind="pin")
    blueprint.grip("lock")
    return blueprint.build()


def test_a_pinned_thing_trails_behind_by_one_point():
    physics = towing()
    point = np.array([-1.7, 0.4, 0.3])
    physics.grab("tow", "crate", point)
    on_car, on_crate = point - physics.position("car"), point - physics.position("crate")
    physics.contents.vehicles["car"].drive(physics, 1.5, 0.3)
    physics.advance(4.0)
    ends = physics.points("car", [on_car]), physics.points("crate", [on_crate])
    assert ends[0] == pytest.approx(ends[1], abs=0.02)
    assert np.linalg.norm(physics.position("crate")[:2] - (-2.0, 0.4)) > 2.0
    assert abs(math.remainder(physics.heading("crate") - physics.heading("car"), math.tau)) > 0.1  # it swings


def test_what_is_locked_cannot_be_pushed_until_it_is_let_go():
    physics = towing()
    physics.grab("lock", "crate")
    physics.contents.vehicles["car"].drive(physics, -2.0)
    physics.advance(2.0)
    assert physics.position("crate")[0] == pytest.approx(-2.0, abs=0.02)
    physics.let_go("lock")
    physics.advance(2.0)
    assert physics.position("crate")[0] < -2.5


# --- joints --------------------------------------------------------------------------------------


def room():
    """A chest with a drawer that holds a ball, and a door in a frame."""
    blueprint = yard()
    chest = blueprint.fixed("chest", (0.0, 0.0, 0.0))
    chest.add(Kind.BOX, (0.4, 0.4, 0.2), at=(0, 0, 0.2), color=GREY)
    kit.drawer(chest, "top", (0.35, 0.35, 0.1), at=(0.1, 0, 0.55), opens=0.5, color=GREY)
    kit.ball(blueprint, "ball", 0.05, at=(0.2, 0, 0.53), mass=0.1, color=GREY, rolling=0.01)
    frame = blueprint.fixed("frame", (0.0, 3.0, 0.0))
    kit.door(frame, "door", at=(0, 0, 0.02), width=0.9, height=2.0, color=GREY)
    return blueprint.build()


def push(physics, part, force, seconds):
    """Push a part with a force [3] (N) at its middle."""
    for _ in range(round(seconds / 0.05)):
        physics.data.xfrc_applied[physics.body(part), :3] = force
        physics.advance(0.05)
    physics.data.xfrc_applied[:] = 0.0


def test_a_drawer_opens_as_far_as_it_goes_and_carries_what_lies_in_it():
    physics = room()
    physics.advance(0.5)
    push(physics, "chest/top", (20.0, 0.0, 0.0), 2.0)
    assert physics.joint("chest/top") == pytest.approx(0.5, abs=0.01)
    lies = physics.position("ball") - physics.position("chest/top")
    assert abs(lies[0]) < 0.35
    assert lies[2] == pytest.approx(-0.08 + 0.05, abs=0.01)


def test_a_door_swings_within_its_limits_and_stays_where_it_was_left():
    physics = room()
    physics.advance(1.0)
    assert physics.joint("frame/door") == pytest.approx(0.0, abs=0.01)
    push(physics, "frame/door", (0.0, 10.0, 0.0), 0.5)
    physics.advance(2.0)
    ajar = physics.joint("frame/door")
    assert 0.05 < ajar < math.radians(110.0)
    physics.advance(2.0)
    assert physics.joint("frame/door") == pytest.approx(ajar, abs=0.01)
    push(physics, "frame/door", (0.0, -20.0, 0.0), 3.0)
    assert physics.joint("frame/door") == pytest.approx(0.0, abs=0.02)


def test_a_servo_lifts_what_it_can_and_no_more():
    for force, lifts in ((60.0, True), (30.0, False)):
        blueprint = Blueprint()
        post = blueprint.fixed("post", (0, 0, 1))
        servo = Servo(2000.0, 100.0, force)
        arm = post.hinge("arm", at=(0, 0, 0), axis=(0, -1, 0), limits=(-1.5, 1.5), drive=servo)
        arm.add(Kind.SPHERE, (0.1,), at=(1.0, 0, 0), color=GREY, mass=5.0)  # 49 N m
        physics = blueprint.build()
        physics.aim("post/arm", 0.0)
        physics.advance(3.0)
        assert (abs(physics.joint("post/arm")) < 0.05) == lifts


# --- vehicles ------------------------------------------------------------------------------------


def car(running=None, step=0.005):
    blueprint = yard(step=step)
    chassis = vehicle(blueprint, "car", running or Running(1.9, 1.5, 0.45, 0.3, 60.0, 9000.0), at=(0, 0))
    chassis.add(Kind.BOX, (1.3, 0.6, 0.3), at=(0, 0, 0.8), color=GREY, mass=1500.0)
    physics = blueprint.build()
    return physics, physics.contents.vehicles["car"]


def test_a_vehicle_reaches_its_speed_runs_straight_and_brakes():
    physics, loader = car()
    loader.drive(physics, 2.0)
    physics.advance(3.0)
    assert loader.speed(physics) == pytest.approx(2.0, rel=0.02)
    assert physics.heading("car") == pytest.approx(0.0, abs=1e-3)
    loader.drive(physics, 0.0)
    physics.advance(1.5)
    stood = physics.position("car")
    physics.advance(5.0)
    assert physics.position("car") == pytest.approx(stood, abs=2e-3)


@pytest.mark.parametrize(("speed", "curvature"), [(1.0, 0.3), (1.0, -0.2), (-1.0, 0.3), (-0.7, -0.3)])
def test_a_vehicle_drives_the_bend_it_is_asked_for(speed, curvature):
    physics, loader = car()
    loader.drive(physics, speed, curvature)
    physics.advance(2.0)
    before = physics.heading("car")
    physics.advance(2.0)
    turned = math.remainder(physics.heading("car") - before, math.tau)
    assert turned == pytest.approx(speed * curvature * 2.0, rel=0.05)
    rear = physics.matrix("car").T @ physics.velocity("car")[:3]
    assert math.copysign(1.0, rear[0]) == math.copysign(1.0, speed)


# --- what is seen --------------------------------------------------------------------------------


def test_the_scene_shows_every_solid_shape_where_mujoco_has_it():
    """MuJoCo's own pose of each geom is the oracle; boxes, so that its frame of the geom is ours."""
    blueprint = Blueprint()
    one = blueprint.free("one", (0, 0, 1), heading=0.4)
    one.add(Kind.BOX, (0.3, 0.2, 0.1), at=(0.1, 0.2, 0.3), rotation=turn_x(0.7), color=GREY, mass=1.0)
    arm = one.hinge("arm", at=(0.5, 0.1, 0), axis=(1, 2, 3))
    arm.add(Kind.BOX, (0.1, 0.2, 0.3), at=(0.4, 0, 0), rotation=turn_z(1.1), color=(1, 0, 0), mass=1.0)
    wall = blueprint.fixed("wall", (5, 5, 1), heading=2.0)
    wall.add(Kind.BOX, (1, 0.1, 1), at=(0, 0.5, 0), color=GREY)
    physics = blueprint.build()
    physics.data.qvel[3:7] = (1.0, 2.0, -1.0, 3.0)
    still = physics.scene()
    physics.advance(0.3)
    scene = physics.scene()
    order = [physics.body("one"), physics.body("one/arm"), physics.body("wall")]
    for row, body in enumerate(order):
        geom = int(physics.model.body_geomadr[body])
        assert scene.positions[row] == pytest.approx(physics.data.geom_xpos[geom], abs=1e-6)
        w, x, y, z = scene.rotations[row].astype(float)
        forward = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
        assert forward == pytest.approx(physics.data.geom_xmat[geom].reshape(3, 3)[:, 0], abs=1e-6)
    assert scene.objects.tolist() == [0, 0, 1]  # an arm is part of its thing
    assert scene.materials.tolist() == [0, 1, 0]
    assert (scene.positions[:2] != still.positions[:2]).all()
    assert (scene.positions[2] == still.positions[2]).all()
    assert scene.sizes is still.sizes  # shared, so that cameras keep what they derived


def test_paint_is_seen_and_touches_nothing():
    blueprint = yard()
    part = crate(blueprint, at=(0, 0, 0.3))
    part.paint(Kind.CONE, (0.2, 0.3), at=(0, 0, -2.0), color=(1, 1, 0))
    physics = blueprint.build()
    physics.advance(1.0)
    assert physics.position("crate")[2] == pytest.approx(0.3, abs=0.01)
    assert physics.scene().kinds.tolist() == [Kind.PLANE, Kind.BOX, Kind.CONE]


# --- descriptions that make no sense ---------------------------------------------------------------


def overlapping():
    blueprint = yard()
    crate(blueprint, "one")
    crate(blueprint, "two", at=(0.5, 0.0, 0.3))
    blueprint.build()


def massless():
    blueprint = yard()
    blueprint.free("ghost", (0, 0, 1)).add(Kind.BOX, (1, 1, 1), color=GREY)
    blueprint.build()


def flat():
    mesh = Mesh(
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], np.float32), np.array([[0, 1, 2], [1, 2, 3]])
    )
    blueprint = yard()
    blueprint.free("leaf", (0, 0, 1)).add(Kind.MESH, (1, 1, 1), mesh=mesh, mass=1.0, color=GREY)
    blueprint.build()


def part():
    return yard().free("thing", (0, 0, 1))


SENSELESS = {
    overlapping: "'one' and 'two' reach 0.10 m into each other at the start; move one of them.",
    massless: "'ghost' has no mass; give one of its shapes one.",
    flat: "MuJoCo refuses the bodies (",
    lambda: (crate(b := yard()), crate(b)): "There are two parts 'crate'; rename one.",
    lambda: Blueprint(step=0.1): "A step of 0.1 s is not sound; use 0.002 to 0.01.",
    lambda: yard().fixed(
        "Big Box"
    ): "The name 'Big Box' is not of small letters, digits and dashes; write it so.",
    lambda: yard().fixed("a/b"): "The name 'a/b' of a thing has a slash; parts get theirs from joints.",
    lambda: yard().fixed(
        "a", (math.nan, 0, 0)
    ): "The place of 'a' has the numbers (nan, 0, 0); use finite ones.",
    lambda: part().add(Kind.BOX, (1, 1), color=GREY): "A box of 'thing' has 2 extents; give 3 of them.",
    lambda: part().add(Kind.BOX, (1, 0, 1), color=GREY): (
        "A box of 'thing' has an extent of 0 m; make it more than 0."
    ),
    lambda: part().add(Kind.BOX, (1, 1, 1), mass=-1.0, color=GREY): (
        "A box of 'thing' weighs -1.0 kg; give it a mass of 0 or more."
    ),
    lambda: part().add(Kind.BOX, (1, 1, 1), friction=-1.0, color=GREY): (
        "A box of 'thing' has a friction of -1.0; give it 0 or more."
    ),
    lambda: part().add(Kind.BOX, (1, 1, 1), color=(2, 0, 0)): (
        "The colour (2, 0, 0) of 'thing' is none; give red, green and blue from 0 to 1."
    ),
    lambda: part().add(Kind.BOX, (1, 1, 1), rotation=(2, 0, 0, 0), color=GREY): (
        "A box of 'thing' is turned by no unit quaternion; use turn_z."
    ),
    lambda: part().add(Kind.PLANE, (0, 0), color=GREY): (
        "A plane of 'thing' is endless and cannot move; use a box instead."
    ),
    lambda: part().add(Kind.HEIGHT_FIELD, (1, 1, 1), color=GREY): (
        "A height_field of 'thing' cannot be part of a body; use another kind."
    ),
    lambda: part().add(Kind.MESH, (1, 1, 1), color=GREY): "A shape of kind MESH has no mesh; give it one.",
    lambda: part().hinge("arm", at=(0, 0, 0), axis=(0, 0, 0)): (
        "The joint of 'thing/arm' has an axis without direction; give it one such as (0, 0, 1)."
    ),
    lambda: part().slide("arm", at=(0, 0, 0), axis=(1, 0, 0), limits=(1, 0)): (
        "The joint of 'thing/arm' has limits (1, 0); give the least first."
    ),
    lambda: part().hinge("arm", at=(0, 0, 0), axis=(1, 0, 0), damping=-1): (
        "The joint of 'thing/arm' has negative damping or friction; give 0 or more."
    ),
    lambda: part().hinge("arm", at=(0, 0, 0), axis=(1, 0, 0), drive=Motor(1.0, 0.0)): (
        "The drive of 'thing/arm' has a force of 0.0; make it more than 0."
    ),
    lambda: kit.wall(yard(), "wall", [(0, 0)], height=1, thickness=0.1, color=GREY): (
        "The wall 'wall' has 1 corners; give at least 2."
    ),
    lambda: kit.wall(yard(), "wall", [(0, 0), (0, 0)], height=1, thickness=0.1, color=GREY): (
        "The wall 'wall' has a stretch without length at (0, 0); leave it out."
    ),
    lambda: kit.door(part(), "door", at=(0, 0, 0), width=1, height=2, opens=0.0, color=GREY): (
        "The door 'door' opens by 0; give an angle in radians."
    ),
    lambda: kit.drawer(part(), "top", (0.1, 0.1, 0.01), at=(0, 0, 0), opens=1, color=GREY): (
        "The drawer 'top' has walls thicker than itself; make wall_thickness smaller."
    ),
    lambda: vehicle(yard(), "car", Running(0.5, 1.0, 0.3, 0.2, 1.0, 1.0), at=(0, 0)): (
        "The wheels of 'car' overlap; make wheelbase and track larger."
    ),
    lambda: yard().grip(
        "hand", "arm"
    ): "The grip 'hand' is of 'arm', which is not there; add that part first.",
    lambda: Blueprint().grip("hand"): "The grip 'hand' has nothing to hold; add things first.",
    lambda: jumble().position("cat"): "There is no part 'cat'; there are world, ground, crate-0, ",
    lambda: jumble().grab("cat", "ball"): "There is no grip 'cat'; there are tow, hand.",
    lambda: room().aim("frame/door", 1.0): (
        "'frame/door' moves by itself only; give its joint a servo or a motor."
    ),
}


@pytest.mark.parametrize(("make", "sentence"), SENSELESS.items(), ids=range(len(SENSELESS)))
def test_what_makes_no_sense_is_refused_in_one_sentence(make, sentence):
    with pytest.raises(WorldError) as caught:
        make()
    assert str(caught.value).startswith(sentence)


# --- a world of it ---------------------------------------------------------------------------------


def test_a_world_of_bodies_keeps_the_contract():
    shunter = load(Path(__file__).with_name("shunter.py"))
    assert [result for result in check(shunter, seeds=[0, 1]) if not result.passed] == []


def test_snapshots_without_a_sound_simulation_are_refused():
    world = Shunter()
    world.reset(0)
    arrays = load_arrays(world.snapshot())
    for damage in (None, arrays["garten.physics"][:-1], np.full_like(arrays["garten.physics"], np.inf)):
        wrong = {name: array for name, array in arrays.items() if name != "garten.physics"}
        if damage is not None:
            wrong["garten.physics"] = damage
        with pytest.raises(WorldError, match="damaged"):
            world.restore(save_arrays(wrong))


# --- surfaces --------------------------------------------------------------------------------------


def test_colours_say_what_things_are_made_of():
    oak, red = (0.7, 0.5, 0.3), (0.9, 0.1, 0.1)
    for surfaces, words in (({oak: "wood"}, {"wood", "paint"}), (None, {""})):
        blueprint = Blueprint(surfaces=surfaces)
        post = blueprint.fixed("post")
        post.add(Kind.BOX, (0.1, 0.1, 1.0), color=oak)
        post.paint(Kind.SPHERE, (0.1,), color=red)
        assert set(blueprint.build().scene().surfaces) == words


@pytest.mark.parametrize("name", ["bowling", "hide-and-seek", "living-room", "quarry-loader", "racing"])
def test_worlds_of_bodies_say_what_everything_is_made_of(name):
    world = load(name)()
    world.reset(0)
    words = set(world.scene().surfaces)
    assert words <= set(SURFACES)
    assert len(words) >= 4
