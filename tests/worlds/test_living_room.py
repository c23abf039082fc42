"""The living room: what body and hand do, each part of each errand from bodies put there, whole episodes."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from garten.records import Action
from garten.scene import UPRIGHT
from garten.sight.looks import caster
from garten.worlds.check import check
from garten.worlds.check_subject import random_action
from garten.worlds.living_room import WORLD, LivingRoom, errand, hands, judge, layout, person
from garten.worlds.living_room.furniture import DRAWER, FRIDGE_DOOR
from garten.worlds.living_room.home import ROOM_DOOR
from garten.worlds.living_room.layout import SPOTS
from garten.worlds.living_room.things import THINGS
from garten.worlds.physics.query import supports
from worlds.experts.living_room import Expert

ACTIONS = {action.name: action for action in WORLD.spec.actions}
KINDS = ("fetch", "put away", "sort", "set the table", "find")
GAZE = math.radians(-15.0)


@pytest.fixture
def world():
    return at(0)


def at(seed):
    made = LivingRoom()
    made.reset(seed)
    return made


def seed_of(kind):
    """The first seed with an errand of a kind."""
    return next(
        seed for seed in itertools.count() if layout.draw(np.random.default_rng(seed)).errand.kind == kind
    )


def act(world, *names, **arguments):
    for name in names:
        world.act({"person": Action(name, arguments)})
    return world.feedback("person")


def stand(world, x, y, heading):
    """Put the person somewhere in the flat, facing a heading."""
    start = world.layout.person
    world.physics.place_joint("person/east", x - start.x)
    world.physics.place_joint("person/north", y - start.y)
    world.physics.place_joint(person.BODY, heading)
    world.physics.aim(person.BODY, heading)
    world.state.heading[0] = heading


def stand_before(world, furniture, away, aside=0.0):
    """Stand before a piece of furniture, so many metres from its middle, looking at it."""
    pose = world.layout.poses[furniture]
    stand(world, *pose.point(away, aside), pose.heading + math.pi)


def put(world, thing, furniture, x, y, height):
    """Put a thing somewhere in the frame of a piece of furniture, and let it come to rest."""
    world.physics.place(thing, (*world.layout.poses[furniture].point(x, y), height + 0.003), UPRIGHT)


def clear(world, *kept):
    """Put all things but these far away."""
    for number, thing in enumerate(THINGS):
        if thing not in kept:
            world.physics.place(thing, (20.0 + number, 0.0, 0.01), UPRIGHT)


def reach(world, point):
    """Reach for a point, looking up or down until it is in the picture."""
    expert = Expert(world)
    for action in expert._reach(np.array(point)):
        world.act({"person": action})
    return world.feedback("person")


# --- the body --------------------------------------------------------------------------------------


def test_a_step_is_half_a_metre_and_a_turn_a_twelfth_of_a_circle(world):
    clear(world)
    stand(world, 0.0, 0.0, 0.3)
    act(world, "turn_left", "wait")
    assert world.physics.heading(person.BODY) == pytest.approx(0.3 + math.pi / 6, abs=0.01)
    act(world, "turn_right", "forward", "wait")
    x, y, _ = world.physics.position(person.BODY)
    assert math.hypot(x, y) == pytest.approx(0.5, abs=0.02)
    assert math.atan2(y, x) == pytest.approx(0.3, abs=0.02)
    act(world, "backward", "wait")
    assert np.abs(world.physics.position(person.BODY)[:2]).max() < 0.03
    assert world.time == 3.5


def test_eyes_tilt_within_bounds(world):
    act(world, *["look_up"] * 4)
    assert world.state.pitch[0] == pytest.approx(math.radians(25.0))
    act(world, "look_down")
    assert world.state.pitch[0] == pytest.approx(math.radians(5.0))
    act(world, *["look_down"] * 9)
    assert world.state.pitch[0] == pytest.approx(math.radians(-75.0))


def test_walls_stop_the_body_and_it_is_told(world):
    clear(world)
    stand(world, -1.2 * world.layout.mirror[0], 0.0, -0.5 * math.pi * world.layout.mirror[1])
    assert act(world, *["forward"] * 6) == "Something is in your way."
    assert abs(world.physics.position(person.BODY)[1]) < 2.3


def test_the_errand_is_told_at_the_start_and_while_waiting(world):
    told = world.feedback("person")
    assert told == world.layout.errand.text
    assert act(world, "turn_left") == ""
    assert act(world, "wait") == told


# --- the hand --------------------------------------------------------------------------------------


def before_table(world, thing="red-mug"):
    """The person before an empty table with one thing on it."""
    clear(world, thing)
    put(world, thing, "table", 0.0, 0.2, 0.75)
    pose = world.layout.poses["table"]
    side = world.layout.mirror[1]
    x, y = pose.point(0.0, 0.0)
    stand(world, x, y + side * 0.75, -side * 0.5 * math.pi)
    act(world, "wait")
    return world.physics.position(thing) + np.array([0.0, 0.0, 0.04])


@pytest.mark.parametrize("thing", THINGS)
def test_everything_can_be_taken_carried_and_put_down(world, thing):
    there = before_table(world, thing) - np.array([0.0, 0.0, 0.02])
    assert reach(world, there) == ""
    assert act(world, "grasp") == ""
    assert world.physics.held("grasp") == thing
    act(world, "turn_left", "turn_right", "backward", "forward", "wait")
    assert world.physics.position(thing)[2] > 0.9
    assert act(world, "grasp") == hands.FULL
    assert reach(world, (*there[:2], 0.75)) == ""
    act(world, "release", "backward", "wait", "wait")
    assert world.physics.held("grasp") == ""
    assert supports(world.physics, thing) == ("table",)
    assert math.dist(world.physics.position(thing)[:2], there[:2]) < 0.06
    assert world.physics.matrix(thing)[2, 2] > 0.99  # as upright as it was


def test_a_hand_reaches_only_what_is_near_and_in_sight(world):
    there = before_table(world)
    act(world, "backward", "backward")
    assert reach(world, there) == hands.TOO_FAR
    act(world, "forward", "forward", *["look_up"] * 4)
    assert act(world, "reach", y=1.0) == hands.TOO_FAR


def test_what_an_empty_and_a_full_hand_cannot_do(world):
    there = before_table(world)
    assert act(world, "release") == hands.EMPTY
    assert act(world, "grasp") == hands.NOTHING
    assert act(world, "open") == hands.NO_HANDLE
    reach(world, there)
    act(world, "grasp")
    assert act(world, "open") == hands.FULL
    side = world.layout.mirror[1]
    stand(world, -1.2 * world.layout.mirror[0], side * -1.7, -0.5 * math.pi * side)  # before a wall
    world.physics.place("red-mug", world.physics.position(person.HAND).tolist(), UPRIGHT)
    world.physics.grab("grasp", "red-mug")
    act(world, "look_up", "look_up")
    assert act(world, "reach") == hands.NO_PLACE


def test_a_reach_of_another_place_right_after_is_a_reach_of_its_own(world):
    there = before_table(world)
    reach(world, there)
    first = world.state.goal.copy()
    expert = Expert(world)
    x, y = expert._in_picture(there + np.array([0.15, 0.0, -0.04]))
    act(world, "reach", x=x, y=y)
    assert not np.allclose(world.state.goal, first)


def test_what_is_held_up_slips_out_of_the_hand(world):
    there = before_table(world)
    reach(world, there)
    act(world, "grasp")
    world.physics.place("red-mug", (0.0, 0.0, 0.3), UPRIGHT)
    world.physics.grab("latch-door", "red-mug")  # as if it were caught somewhere
    assert hands.LOST in (act(world, "backward"), act(world, "backward"))
    assert world.physics.held("grasp") == ""


@pytest.mark.parametrize("part", [FRIDGE_DOOR, ROOM_DOOR])
def test_doors_are_latched_until_opened_and_latch_again(part):
    world = at(1)
    clear(world)
    expert = Expert(world)
    for action in expert._open(part):
        world.act({"person": action})
    assert abs(world.physics.joint(part)) > 1.2
    latch = {FRIDGE_DOOR: "latch-fridge", ROOM_DOOR: "latch-door"}[part]
    assert world.physics.held(latch) == ""
    world.physics.place_joint(part, 0.02 * np.sign(world.physics.joint(part)))
    act(world, "wait")
    assert world.physics.held(latch) == part


def test_a_shut_door_does_not_give_way_to_the_body(world):
    clear(world)
    x, y = world.layout.mirrored(-2.5, world.layout.door)
    stand(world, x, y, math.pi if world.layout.mirror[0] > 0 else 0.0)
    assert act(world, *["forward"] * 4) == "Something is in your way."
    assert abs(world.physics.joint(ROOM_DOOR)) < 0.03


def test_the_drawer_opens_takes_a_thing_along_and_closes(world):
    clear(world, "blue-book")
    physics = world.physics
    physics.place("blue-book", (*physics.position(DRAWER)[:2], layout.DRAWER_FLOOR + 0.003), UPRIGHT)
    stand_before(world, "chest", 1.05)
    act(world, "wait")
    assert judge.in_drawer(physics, "blue-book")
    began = physics.position("blue-book")
    reach(world, physics.points(DRAWER, [(0.217, 0.0, 0.0)])[0])
    assert act(world, "open") == ""
    assert physics.joint(DRAWER) > 0.27
    assert math.dist(physics.position("blue-book"), began) > 0.2
    act(world, "close")
    assert physics.joint(DRAWER) < 0.03
    assert judge.in_drawer(physics, "blue-book")


# --- errands ---------------------------------------------------------------------------------------


def test_layouts_differ_and_are_fair():
    drawn = [layout.draw(np.random.default_rng(seed)) for seed in range(80)]
    assert {one.errand.kind for one in drawn} == set(KINDS)
    assert {one.mirror for one in drawn} == set(itertools.product((-1.0, 1.0), repeat=2))
    assert len({one.errand.text for one in drawn}) >= 12
    for one in drawn:
        assert sum(goal.points for goal in one.errand.goals) == 90.0
        assert set(one.starts) == set(THINGS)
        assert len({start.at for start in one.starts.values()}) == len(THINGS)
        for goal in one.errand.goals:
            start = one.starts[goal.thing].place
            assert start in SPOTS
            assert start != goal.place
            assert start in errand.SHUT if one.errand.kind == "find" else start != "drawer"


def test_nothing_is_done_at_the_start():
    for kind in KINDS:
        score = at(seed_of(kind)).score()
        assert score.value == 0.0, kind
        assert score.progress < 0.2, kind


@pytest.mark.parametrize("kind", ["fetch", "sort", "set the table", "find"])
def test_a_thing_counts_where_it_lies_while_it_lies_there(kind):
    world = at(seed_of(kind))
    goals = [goal for goal in world.layout.errand.goals if goal.kind == "on"]
    heights = {**layout.TOPS, "tray-red": 0.617, "tray-blue": 0.617}
    clear(world)
    for number, goal in enumerate(goals):
        aside = 0.12 * (number % 2 * 2 - 1) if "tray" in goal.place else 0.3 * (number - 1)
        x, y = (aside, -0.1) if goal.place == "table" else (0.02, aside)
        put(world, goal.thing, goal.place, x, y, heights[goal.place])
        assert world.score().parts[goal.label] == 0.0
        act(world, "turn_left")
        assert world.score().parts[goal.label] == goal.points
    world.state.taken[:] = True
    while not world.over:
        world.tick()
    assert world.time < 5.0
    assert world.terminated
    assert world.score().value == pytest.approx(90.0 + 10.0 * world.time_left / 240.0)
    assert world.score().progress == 1.0
    world.physics.place(goals[0].thing, (30.0, 0.0, 0.01), UPRIGHT)
    assert world.score().value == pytest.approx(90.0 - goals[0].points)


def test_putting_away_counts_in_the_drawer_and_again_when_it_is_shut():
    world = at(seed_of("put away"))
    thing = world.layout.errand.goals[0].thing
    clear(world, thing)
    world.physics.place_joint(DRAWER, 0.3)
    x, y, z = world.physics.points(DRAWER, [(0.0, 0.0, -0.045)])[0]
    world.physics.place(thing, (x, y, z), UPRIGHT)
    act(world, "wait")
    assert world.score().value == 45.0
    world.physics.place_joint(DRAWER, 0.01)
    x, y, z = world.physics.points(DRAWER, [(0.0, 0.0, -0.045)])[0]
    world.physics.place(thing, (x, y, z), UPRIGHT)
    act(world, "wait")
    assert world.score().value == 75.0


def test_taking_counts_for_good_but_nothing_counts_in_the_hand():
    world = at(seed_of("fetch"))
    thing, place = world.layout.errand.goals[1].thing, world.layout.errand.goals[1].place
    there = before_table(world, thing) - np.array([0.0, 0.0, 0.02])
    reach(world, there)
    act(world, "grasp")
    assert world.score().parts[f"{thing.replace('-', ' ')} taken"] == 20.0
    act(world, "release", "wait")
    assert world.score().value == 20.0
    put(world, thing, place, 0.1, 0.0, 0.45)
    act(world, "wait")
    world.physics.grab("grasp", thing)
    assert world.score().value == 20.0


# --- what is seen ----------------------------------------------------------------------------------


def test_a_reach_goes_to_what_the_picture_shows_there(world):
    """The things that rays of the world meet are those the camera draws at the same places."""
    scene, names = world.scene(), list(world.physics.contents.things)
    seen = caster().condition(scene, world.camera("person"), 320, 180)
    for column, row in itertools.product(range(20, 320, 40), range(30, 180, 30)):
        depth = float(seen.depth[row, column])
        hit = world.seen_at((column + 0.5) / 160.0 - 1.0, 1.0 - (row + 0.5) / 90.0)
        if hit is None or not math.isfinite(depth):
            continue
        name = names[int(seen.ids[row, column])]
        if name in ("person", "floors", "rug", "skirting") or "window" in name or "lintel" in name:
            continue
        away = hit.point - person.eye(world.physics)
        ahead = world.physics.heading(person.BODY)
        way = (math.cos(GAZE) * math.cos(ahead), math.cos(GAZE) * math.sin(ahead), math.sin(GAZE))
        assert float(away @ way) == pytest.approx(depth, abs=0.06), name


def test_the_eye_never_sees_the_own_body_but_the_hand(world):
    for _ in range(4):
        act(world, "look_down")
        ids = caster().condition(world.scene(), world.camera("person"), 160, 90).ids
        mine = world.scene().objects[
            world.scene().objects == list(world.physics.contents.things).index("person")
        ]
        assert (ids == mine[0]).mean() < 0.25


# --- whole episodes --------------------------------------------------------------------------------


def played(agent_of, seed):
    world = at(seed)
    agent = agent_of(world)
    while not world.over:
        world.act({"person": agent()})
    return world.score().value


def expert(world):
    return Expert(world).act


def always(name):
    return lambda world: lambda: Action(name, {one.name: 0.0 for one in ACTIONS[name].arguments})


def at_random(world):
    rng = np.random.default_rng(world._seed)
    return lambda: random_action(WORLD.spec.actions, rng)


def grasping(world):
    """Walks about at random and takes and drops whatever it meets."""
    rng = np.random.default_rng(world._seed)
    names = itertools.cycle(("forward", "turn_left", "forward", "reach", "grasp", "turn_right", "release"))
    skip = rng.random(10_000).tolist()
    return lambda: Action(next(names) if skip.pop() < 0.7 else "look_down")


def test_the_expert_runs_an_errand():
    assert played(expert, seed_of("fetch")) >= 85.0


def test_a_short_game_keeps_the_contract():
    """All checks but that of another process, which would find the whole game; that one takes long."""

    class Short(LivingRoom):
        spec = replace(WORLD.spec, time_limit=10.0, task=WORLD.spec.task.replace("240 s", "10 s"))

    faults = [result for result in check(Short, seeds=[0]) if not result.passed]
    assert [result.name for result in faults] == ["fresh-process"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_the_expert_runs_all_errands_over_seeds(seed):
    assert played(expert, seed) >= 85.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_expert_runs_every_kind_of_errand(kind):
    assert played(expert, seed_of(kind)) >= 85.0


@pytest.mark.slow
@pytest.mark.parametrize("careless", [at_random, grasping])
def test_careless_play_gets_nowhere_over_seeds(careless):
    assert max(played(careless, seed) for seed in range(20)) <= 20.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ACTIONS)
def test_one_action_for_ever_gets_nowhere(name):
    assert max(played(always(name), seed) for seed in range(3)) <= 20.0
