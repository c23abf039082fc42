"""One-lane bridge: each rule against a closed form, an oracle or a state set by hand, then whole episodes."""

import math
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from garten.records import Action, Constant
from garten.scene import compose, turn_z
from garten.sight.camera import RayCaster
from garten.worlds.one_lane_bridge import WORLD, OneLaneBridge
from garten.worlds.one_lane_bridge import constants as c
from garten.worlds.one_lane_bridge.car import PARTS, place
from garten.worlds.one_lane_bridge.layout import draw_layout
from garten.worlds.one_lane_bridge.road import Pose, Rectangle, corners_of, footprint, on_road, overlap
from garten.worlds.one_lane_bridge.world import CAR_CONTACT, ROAD_EDGE
from worlds.experts import one_lane_bridge as drivers

ACTIONS = [action.name for action in WORLD.spec.actions]
SEEDS = range(20)
AWAY = (36.5, 4.0, 0.0)  # a place by the eastern end of the road, out of everything's way

headings = st.floats(-math.pi, math.pi)


def world_with(blue, red=AWAY, *, seed=0):
    """A world with the cars at poses (x, y, heading) where a test wants them."""
    world = OneLaneBridge()
    world.reset(seed)
    world.state.poses[:] = [blue, red]
    return world


def take(world, blue, red="wait"):
    """Let both cars start an action and wait until both are done or the episode is over."""
    world.act({"blue": Action(blue), "red": Action(red)})
    while len(world.idle) < 2 and not world.over:
        world.advance()


def careless(world, choose):
    """Play to the end with actions that do not depend on what is seen."""
    while not world.over:
        world.act({role: Action(choose()) for role in world.idle})
    return world.score()


# --- moving --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "ahead", "turned", "seconds"),
    [
        ("wait", 0.0, 0.0, 1.0),
        ("forward", 4.0, 0.0, 2.0),
        ("backward", -4.0, 0.0, 2.0),
        ("turn_left", 0.0, math.pi / 4.0, 1.0),
        ("turn_right", 0.0, -math.pi / 4.0, 1.0),
    ],
)
def test_each_action_moves_a_fixed_way_in_a_fixed_time(action, ahead, turned, seconds):
    world = world_with((-25.0, 0.0, 0.3))
    world.act({"blue": Action(action), "red": None})
    assert world.time == pytest.approx(seconds)
    expected = (-25.0 + ahead * math.cos(0.3), ahead * math.sin(0.3), 0.3 + turned)
    assert world.state.poses[0] == pytest.approx(expected)
    assert world.feedback("blue") == ""


def test_half_an_action_is_half_the_way():
    world = world_with((-25.0, 0.0, 0.0))
    world.control("blue", ["forward"], ticks=10)
    world.advance()
    assert world.state.poses[0] == pytest.approx((-23.0, 0.0, 0.0))


def test_the_cars_start_on_each_others_goals_facing_each_other():
    world = OneLaneBridge()
    world.reset(3)
    assert world.state.poses.tolist() == [[-34.0, 0.0, 0.0], [34.0, 0.0, math.pi]]


# --- layouts -------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_every_layout_has_a_short_bridge_off_the_middle_and_two_pullouts_on_each_bank(seed):
    layout = draw_layout(np.random.default_rng(seed))
    west, east, south, north = layout.bridge
    assert 8.0 <= east - west <= 12.0
    assert 4.0 <= abs(0.5 * (west + east)) <= 7.0
    assert (south, north) == (-1.3, 1.3)
    for bank, pullouts in zip(layout.banks, (layout.pullouts[:2], layout.pullouts[2:]), strict=True):
        for pullout in pullouts:
            assert bank.west < pullout.west < pullout.east < bank.east
            assert bank.south < pullout.south < pullout.north < bank.north
            assert min(abs(pullout.south), abs(pullout.north)) == pytest.approx(1.8)
        outer, inner = sorted(pullouts)
        assert outer.east < inner.west


def test_layouts_differ_in_place_length_and_sides():
    layouts = [draw_layout(np.random.default_rng(seed)) for seed in SEEDS]
    assert len({layout.bridge for layout in layouts}) == len(layouts)
    assert {layout.bridge.middle[0] > 0.0 for layout in layouts} == {True, False}
    assert len({tuple(p.south > 0.0 for p in layout.pullouts) for layout in layouts}) > 5


# --- the road's edge -----------------------------------------------------------------------------


def on_paved_ground(layout, x, y):
    """Whether a point lies on a bank or the deck: the oracle for footprints."""
    areas = (*layout.banks, layout.bridge)
    return any(west <= x <= east and south <= y <= north for west, east, south, north in areas)


def points_of(pose, grown):
    """Points all over a car that is `grown` metres larger on every side."""
    ahead = np.linspace(-1.8 - grown, 1.8 + grown, 120)
    left = np.linspace(-0.8 - grown, 0.8 + grown, 60)
    u, v = (axis.ravel() for axis in np.meshgrid(ahead, left))
    cos, sin = math.cos(pose.heading), math.sin(pose.heading)
    return zip(pose.x + u * cos - v * sin, pose.y + u * sin + v * cos, strict=True)


@settings(max_examples=60, deadline=None)
@given(st.floats(-12.0, 12.0), st.floats(-7.0, 7.0), headings, st.integers(0, 9))
def test_a_footprint_is_on_the_road_exactly_if_all_its_points_are(x, y, heading, seed):
    layout = draw_layout(np.random.default_rng(seed))
    pose = Pose(x, y, heading)
    if on_road(footprint(pose), layout.banks, layout.water):
        assert all(on_paved_ground(layout, *point) for point in points_of(pose, -1e-9))
    else:
        assert not all(on_paved_ground(layout, *point) for point in points_of(pose, 0.05))


@pytest.mark.parametrize(
    ("pose", "gap"),
    [
        ((-25.0, 3.0, math.pi / 2.0), lambda x, y: 6.5 - (y + 1.8)),  # the grass to the north
        ((-25.0, -3.0, -math.pi / 2.0), lambda x, y: (y - 1.8) + 6.5),  # the grass to the south
        ((-36.0, 0.0, math.pi), lambda x, y: (x - 1.8) + 39.0),  # the end of the road
    ],
)
def test_a_car_stops_within_one_tick_of_the_edge_and_is_told(pose, gap):
    world = world_with(pose)
    take(world, "forward")
    assert 0.0 <= gap(*world.state.poses[0, :2]) < 0.2
    assert world.feedback("blue") == ROAD_EDGE
    assert world.feedback("red") == ""
    assert world.time == pytest.approx(2.0)
    take(world, "backward")
    assert world.feedback("blue") == ""


@pytest.mark.parametrize(("offset", "passes"), [(0.0, True), (0.49, True), (-0.49, True), (0.51, False)])
def test_the_deck_is_one_car_wide(offset, passes):
    world = world_with((0.0, 0.0, 0.0))
    bridge = world.layout.bridge
    world.state.poses[0] = (bridge.west - 2.1, offset, 0.0)
    take(world, "forward")
    assert world.state.poses[0, 0] + 1.8 == pytest.approx(bridge.west + (3.7 if passes else -0.1))
    assert world.feedback("blue") == ("" if passes else ROAD_EDGE)


def test_a_car_cannot_turn_on_the_bridge():
    world = world_with((0.0, 0.0, 0.0))
    world.state.poses[0] = (world.layout.bridge.middle[0], 0.0, 0.0)
    take(world, "turn_left")
    turned = world.state.poses[0, 2]
    assert 0.0 < 1.8 * math.sin(turned) + 0.8 * math.cos(turned) <= 1.3
    assert world.feedback("blue") == ROAD_EDGE


def test_the_road_is_checked_along_a_move_and_not_only_at_its_end():
    start, end = (-25.0, 4.66, math.radians(43.5)), (-25.0, 4.66, math.radians(88.5))
    world = world_with(start)
    for pose in (start, end):
        assert on_road(footprint(Pose(*pose)), world.layout.banks, world.layout.water)
    take(world, "turn_left")  # the front corner reaches farthest in between, at 66 degrees
    assert world.state.poses[0, 2] < math.radians(66.0)
    assert world.feedback("blue") == ROAD_EDGE


# --- car contact ---------------------------------------------------------------------------------


def share_ground(first, second):
    """The oracle: a linear program looks for the point that lies deepest inside both rectangles."""
    rows, limits = [], []
    for corners in (first, second):
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            length = math.hypot(bx - ax, by - ay)
            out_x, out_y = (by - ay) / length, (ax - bx) / length  # corners go counter-clockwise
            rows.append((out_x, out_y, 1.0))
            limits.append(out_x * ax + out_y * ay)
    found = linprog((0.0, 0.0, -1.0), A_ub=rows, b_ub=limits, bounds=[(None, None)] * 3)
    return -found.fun  # how deep, metres; negative if they are apart


@settings(max_examples=150, deadline=None)
@given(st.floats(-4.0, 4.0), st.floats(-4.0, 4.0), headings, headings)
def test_footprints_overlap_exactly_if_they_share_ground(x, y, one, other):
    first, second = footprint(Pose(0.0, 0.0, one)), footprint(Pose(x, y, other))
    deep = share_ground(first, second)
    if abs(deep) > 1e-9:
        assert overlap(first, second) == overlap(second, first) == (deep > 0.0)


def test_rectangles_that_only_touch_do_not_overlap():
    left, right = Rectangle(0.0, 1.0, 0.0, 1.0), Rectangle(1.0, 2.0, 0.0, 1.0)
    assert not overlap(corners_of(left), corners_of(right))


def test_two_cars_that_meet_head_on_both_stop_and_time_passes():
    world = world_with((-25.0, 0.0, 0.0), (-19.0, 0.0, math.pi))
    take(world, "forward", "forward")
    (blue_x, *_), (red_x, *_) = world.state.poses
    assert 0.0 <= (red_x - blue_x) - 3.6 < 0.4
    assert -25.0 - blue_x == pytest.approx(red_x + 19.0)  # the block is the same for both
    assert [world.feedback(role) for role in ("blue", "red")] == [CAR_CONTACT, CAR_CONTACT]
    assert world.time == pytest.approx(2.0)


def test_a_car_that_waits_is_not_pushed():
    world = world_with((-25.0, 0.0, 0.0), (-19.0, 0.5, math.pi))
    take(world, "forward", "wait")
    assert world.state.poses[1].tolist() == [-19.0, 0.5, math.pi]
    assert 0.0 <= -19.0 - world.state.poses[0, 0] - 3.6 < 0.2
    assert world.feedback("blue") == CAR_CONTACT


def test_a_move_into_the_other_car_blocks_the_others_move_too():
    touching = (-25.0, 0.0, 0.0), (-25.0, 1.8 + 0.8 + 0.1, -math.pi / 2.0)  # red is about to ram blue's side
    world = world_with(*touching)
    take(world, "turn_left", "forward")  # blue alone would have turned
    assert world.state.poses.tolist() == [list(pose) for pose in touching]
    alone = world_with(*touching)
    take(alone, "forward", "wait")
    assert alone.state.poses[0, 0] == pytest.approx(-21.0)


def test_cars_on_the_bridge_cannot_change_places():
    world = world_with((0.0, 0.0, 0.0))
    middle = world.layout.bridge.middle[0]
    world.state.poses[:] = [(middle - 2.0, 0.45, 0.0), (middle + 2.0, -0.45, math.pi)]
    for _ in range(8):
        take(world, "forward", "forward")
        assert world.state.poses[1, 0] - world.state.poses[0, 0] > 3.6 - 1e-9


def test_cars_pass_each_other_where_there_is_room():
    world = world_with((-29.0, 0.0, 0.0), (-21.0, 1.7, math.pi))
    for _ in range(2):
        take(world, "forward", "forward")
    assert world.state.poses[:, 0] == pytest.approx((-21.0, -29.0))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_whatever_the_cars_do_they_stay_on_the_road_and_apart(seed):
    chance = random.Random(seed)
    world = OneLaneBridge()
    world.reset(seed % 20)
    middle = world.layout.bridge.middle[0]
    world.state.poses[:] = [(middle - 7.0, 0.0, 0.0), (middle + 7.0, 0.0, math.pi)]
    likely = [*ACTIONS, "forward", "forward"]
    while not world.over:
        for role in world.idle:
            action = world.spec.action(chance.choice(likely))
            world.control(role, action.buttons, ticks=round(action.seconds / world.spec.tick))
        world.tick()
        blue, red = (footprint(Pose(*pose)) for pose in world.state.poses.tolist())
        assert not overlap(blue, red)
        for car in (blue, red):
            assert on_road(car, world.layout.banks, world.layout.water)


# --- arriving, score, progress -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blue", "red", "arrived"),
    [
        ((34.0, 0.0), (-34.0, 0.0), 2),
        ((31.51, 0.0), (-34.0, 2.49), 2),
        ((31.49, 0.0), (-34.0, 0.0), 1),
        ((34.0, 0.0), (-34.0, -2.51), 1),
        ((-34.0, 0.0), (34.0, 0.0), 0),  # each on the other's disk
    ],
)
def test_the_episode_ends_when_both_cars_stand_on_their_own_goals(blue, red, arrived):
    world = world_with((*blue, 0.7), (*red, -0.2))
    world.act({"blue": Action("wait"), "red": Action("wait")})
    assert world.terminated == (arrived == 2)
    assert world.score().parts["arrived cars"] == 40.0 * arrived


def test_the_episode_ends_within_an_action_at_the_tick_of_arrival():
    world = world_with((34.0, 0.0, 0.0), (-30.6, 0.0, math.pi))
    step = world.act({"blue": Action("forward"), "red": Action("forward")})
    assert step.ticks == 5  # 0.9 m to the border of the disk, 0.2 m a tick
    assert set(step.completed) == {"blue", "red"}
    assert world.terminated
    assert not world.truncated


def test_a_car_that_arrived_and_left_does_not_count():
    world = world_with((34.0, 0.0, 0.0), (-25.0, 0.0, math.pi))
    take(world, "backward", "forward")
    assert world.score().value == 0.0
    take(world, "wait", "forward")
    assert not world.over
    assert world.score().value == 40.0
    take(world, "forward", "wait")
    assert world.terminated


@pytest.mark.parametrize("seconds", [41, 45, 68, 71, 119])
def test_the_score_is_forty_a_car_and_twenty_for_all_the_time_left(seconds):
    world = world_with((34.0, 0.0, 0.0), (0.0, 0.0, math.pi))
    for _ in range(seconds - 1):
        take(world, "wait")
    assert world.score().value == 40.0
    assert world.score().measure == 120.0
    world.state.poses[1, 0] = -34.0
    take(world, "wait")
    score = world.score()
    assert score.measure == pytest.approx(seconds - 0.9)  # the first tick of that second ends it
    assert score.parts == {
        "arrived cars": 80.0,
        "time left": pytest.approx(20.0 * (120.0 - score.measure) / 120.0),
    }
    assert score.value == pytest.approx(sum(score.parts.values()))
    assert score.progress == 1.0


def test_time_runs_out_without_a_bonus():
    world = world_with((34.0, 0.0, 0.0), (20.0, 0.0, math.pi))
    score = careless(world, lambda: "wait")
    assert world.truncated
    assert (score.value, score.measure) == (40.0, 120.0)


def test_progress_counts_half_until_the_cars_have_passed_each_other():
    way = 65.5  # from a start to the border of the goal disk

    def progress(blue_x, red_x):
        return world_with((blue_x, 0.0, 0.0), (red_x, 4.0, math.pi)).score().progress

    def done(x, goal_x, y):
        return max(0.0, 1.0 - max(0.0, math.hypot(goal_x - x, y) - 2.5) / way)

    assert world_with((-34.0, 0.0, 0.0), (34.0, 0.0, math.pi)).score().progress == 0.0
    assert progress(-2.0, 2.0) == pytest.approx(0.25 * (done(-2.0, 34.0, 0.0) + done(2.0, -34.0, 4.0)))
    assert progress(2.0, -2.0) == pytest.approx(0.5 * (done(2.0, 34.0, 0.0) + done(-2.0, -34.0, 4.0)))
    assert progress(-2.0, 2.0) < 0.26 < 0.5 < progress(2.0, -2.0)


# --- what is seen --------------------------------------------------------------------------------


def test_the_frame_and_the_dashboard_stand_still_in_every_frame():
    caster, world = RayCaster(), OneLaneBridge()
    world.reset(1)
    scripts, frames = drivers.expert(world), {"blue": [], "red": []}
    while not world.over:
        world.act({role: Action(next(scripts[role], "wait")) for role in world.idle})
        scene = world.scene()
        for role, own in zip(frames, np.unique(scene.objects)[-2:], strict=True):  # the cars come last
            ids = caster.condition(scene, world.camera(role), 160, 90).ids
            frames[role].append(ids == own)
    for masks in frames.values():
        assert 0.25 < np.mean(masks[0]) < 0.40  # dark all round, open in the middle
        assert not np.any(masks[0][20:60, 20:140])
        assert all(mask is masks[0] or np.array_equal(mask, masks[0]) for mask in masks)


def test_a_scene_shares_all_that_does_not_move():
    world = world_with((-25.0, 0.0, 0.0))
    before = world.scene()
    take(world, "forward")
    after = world.scene()
    for name in ("kinds", "sizes", "materials", "objects", "assets", "colors"):
        assert getattr(before, name) is getattr(after, name)
    moved = np.any(before.positions != after.positions, axis=1)
    assert len(np.unique(before.objects[moved])) == 1  # blue, one thing
    assert not np.shares_memory(before.positions, after.positions)


@given(st.floats(-40.0, 40.0), st.floats(-6.0, 6.0), headings)
def test_parts_turn_with_their_car(x, y, heading):
    positions, rotations = place(np.array([(x, y, heading)]))
    for part, position, rotation in zip(PARTS, positions, rotations, strict=True):
        ahead, left, up = part.position
        turned = (ahead + 1j * left) * complex(math.cos(heading), math.sin(heading))
        assert position == pytest.approx((x + turned.real, y + turned.imag, up), abs=1e-5)
        assert rotation == pytest.approx(compose(turn_z(heading), part.rotation), abs=1e-6)


def test_the_driver_looks_ahead_from_inside_the_car():
    camera = world_with((-25.0, 2.0, math.pi / 2.0)).camera("blue")
    assert camera.position == pytest.approx((-25.0, 2.2, 1.2))


# --- the spec ------------------------------------------------------------------------------------


def test_the_spec_is_what_was_published():
    spec = WORLD.spec
    assert [(action.name, action.seconds) for action in spec.actions] == [
        ("wait", 1.0),
        ("forward", 2.0),
        ("backward", 2.0),
        ("turn_left", 1.0),
        ("turn_right", 1.0),
    ]
    assert [role.name for role in spec.roles] == ["blue", "red"]
    assert spec.teams == ("cars",)
    assert spec.time_limit == 120.0
    assert spec.published == (71.0, 68.0, 45.0, 41.0)
    assert spec.measure.better == "lower"


def test_every_constant_has_a_unit_and_a_reason():
    assert len(WORLD.spec.constants) == sum(isinstance(value, Constant) for value in vars(c).values())
    for constant in WORLD.spec.constants.values():
        assert constant.unit
        assert constant.reason


def test_the_task_names_every_action_and_tells_the_feedback_apart():
    for action in WORLD.spec.actions:
        assert f"`{action.name}()` | {action.seconds:g} s" in WORLD.spec.task
    for text in (ROAD_EDGE, CAR_CONTACT):
        assert text.split(":")[0].lower() in WORLD.spec.task
        assert not any(letter.isdigit() for letter in text)


# --- whole episodes ------------------------------------------------------------------------------


def random_play(seed):
    chance, world = random.Random(seed), OneLaneBridge()
    world.reset(seed)
    careless(world, lambda: chance.choice(ACTIONS))
    return world


def test_an_episode_is_the_same_in_a_fresh_process():
    code = (
        "import random; from garten.records import Action;"
        "from garten.worlds.one_lane_bridge import OneLaneBridge as W;"
        "w, r = W(), random.Random(5); w.reset(5); names = [a.name for a in w.spec.actions]\n"
        "while not w.over: w.act({role: Action(r.choice(names)) for role in w.idle})\n"
        "print(w.state_hash())"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == random_play(5).state_hash()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 400))
def test_a_snapshot_taken_at_any_tick_continues_exactly(seed, ticks):
    chance, one, other = random.Random(seed), OneLaneBridge(), OneLaneBridge()
    one.reset(seed)
    for _ in range(ticks):
        for role in one.idle:
            action = one.spec.action(chance.choice(ACTIONS))
            one.control(role, action.buttons, ticks=round(action.seconds / one.spec.tick))
        one.tick()
    other.restore(one.snapshot())
    for world in (one, other):
        chance = random.Random(seed)
        careless(world, lambda: chance.choice(ACTIONS))  # noqa: B023 (called before it changes)
    assert one.state_hash() == other.state_hash()
    assert one.layout == other.layout


@pytest.mark.parametrize(("make", "low", "high"), [(drivers.plain, 65.0, 75.0), (drivers.expert, 38.0, 45.0)])
def test_drivers_who_know_the_way_take_as_long_as_was_published(make, low, high):
    for seed in SEEDS:
        world = OneLaneBridge()
        world.reset(seed)
        drivers.play(world, make(world))
        assert world.terminated
        assert low <= world.score().measure <= high


@pytest.mark.parametrize("action", ACTIONS)
def test_one_action_for_ever_brings_no_pair_across(action):
    for seed in SEEDS:
        world = OneLaneBridge()
        world.reset(seed)
        assert careless(world, lambda: action).value == 0.0


def test_random_actions_bring_no_pair_across():
    assert [random_play(seed).terminated for seed in SEEDS] == [False] * len(SEEDS)
