"""Hide-and-seek: layouts against their geometry, people in an arena set by hand, then whole games."""

import math
from dataclasses import replace

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from garten.episodes.faces.pettingzoo import WorldParallelEnv
from garten.errors import WorldError
from garten.records import Action
from garten.worlds.check import check
from garten.worlds.find import load
from garten.worlds.hide_and_seek import WORLD, HideAndSeek, ground, layout, plan
from garten.worlds.hide_and_seek import world as module
from garten.worlds.physics import query
from worlds.experts.hide_and_seek import STAY, Hider, Seeker
from worlds.experts.hide_and_seek_climber import Climber

EAST, NORTH = 0.0, 0.5 * math.pi
TOGETHER = "hide-and-seek:together=1"

HALVES = plan.Plan(
    walls=(((0.0, -6.0), (0.0, 2.4)), ((0.0, 3.6), (0.0, 6.0))),
    doors=(plan.Door(0.0, 3.0, NORTH),),
    rooms=(plan.Room(-6.0, -6.0, 0.0, 6.0), plan.Room(0.0, -6.0, 6.0, 6.0)),
    refuge=0,
)
"""A wall from south to north through the middle, with one door in its northern half."""

FIXED = layout.Layout(
    HALVES,
    boxes=((-5.0, -5.0, EAST), (-3.5, -5.0, EAST)),
    panels=((-4.0, 5.0, EAST), (4.0, 5.0, EAST)),
    ramps=((-5.0, 0.0, EAST), (5.0, 0.0, EAST)),
    hiders=((-3.0, 0.0, EAST), (-3.0, -2.0, EAST), (-3.0, 2.0, EAST)),
    seekers=((3.0, 0.0, EAST), (3.0, -2.0, EAST), (3.0, 2.0, EAST)),
)


@pytest.fixture
def make(monkeypatch):
    """A world by settings, in the arena above."""

    def made(name="hide-and-seek", *, ticks=0):
        def draw(rng, *, hiders, seekers):
            return replace(FIXED, hiders=FIXED.hiders[:hiders], seekers=FIXED.seekers[:seekers])

        monkeypatch.setattr(module, "draw", draw)
        world = load(name)()
        world.reset(0)
        if ticks:
            world._ticks = ticks
            for hold in world._holds.values():
                hold.left = 0
            world._hold_back()
        return world

    return made


@pytest.fixture
def world(make):
    return make()


@pytest.fixture
def seeking(make):
    """A world in which the preparation has just ended and everybody acts."""
    return make(TOGETHER, ticks=module.PREPARATION_TICKS)


def pose(world, name):
    return [world.physics.joint(f"{name}/{axis}") for axis in ("x", "y", "turn")]


def put(world, name, x, y, heading=EAST, z=None):
    for axis, value in (("x", x), ("y", y), ("turn", heading), *([] if z is None else [("z", z)])):
        world.physics.place_joint(f"{name}/{axis}", value)


def do(world, role="hider", action="step", **arguments):
    """One action of a role, the others standing."""
    world.start(role, Action(action, arguments))
    return world.advance()


def clear(world):
    """Put all things out of the way."""
    for number, thing in enumerate(world.things):
        put(world, thing, -4.6 + 1.2 * number, -4.5, NORTH)


# --- layouts -------------------------------------------------------------------------------------


def layouts(count=24, people=1):
    return [layout.draw(np.random.default_rng(seed), hiders=people, seekers=people) for seed in range(count)]


def test_layouts_are_of_both_kinds_and_all_different():
    drawn = layouts()
    assert {len(one.plan.rooms) for one in drawn} == {1, 3, 4}  # a quadrant, or rooms at random
    assert len({one.hiders for one in drawn}) == len(drawn)


def test_doors_are_a_metre_wide_and_there_is_a_way_everywhere():
    for one in layouts():
        for door in one.plan.doors:
            ends = [end for wall in one.plan.walls for end in wall]
            near = min(math.dist(end, (door.x, door.y)) for end in ends)
            assert near - 0.1 == pytest.approx(0.5)  # walls reach half their thickness beyond their ends
        free = ground.walls_free(one.plan, 0.28)
        assert (ground.reached(free, *one.hiders[0][:2]) == free).all()


def test_the_refuge_has_a_panel_for_each_door_and_seekers_start_outside_and_far():
    for one in layouts(people=3):
        refuge = one.plan.rooms[one.plan.refuge]
        inside = [pose for pose in one.panels if refuge.holds(*pose[:2])]
        assert 1 <= len(one.plan.doors_of(refuge)) <= len(inside)
        assert not any(refuge.holds(*pose[:2]) for pose in (*one.seekers, *one.ramps, *one.boxes))
        assert min(math.dist(a[:2], b[:2]) for a in one.hiders for b in one.seekers) >= 5.0


def test_walls_and_things_have_the_sizes_that_the_task_gives(world):
    for kind, size in {"box": (0.8, 0.8), "panel": (2.4, 1.5), "ramp": (1.2, 1.5)}.items():
        put(world, f"{kind}-1", 0.0, 0.0, EAST)
        low, high = query.bounds(world.physics, f"{kind}-1")
        assert tuple((high - low)[[0, 2]]) == pytest.approx(size, abs=1e-6)
    low, high = query.bounds(world.physics, "outer")
    assert high[2] == pytest.approx(1.5)
    assert tuple((high - low)[:2]) == pytest.approx((12.4, 12.4))  # 12 m between walls of 0.2 m


# --- whose turn it is ----------------------------------------------------------------------------


def test_one_after_the_other_the_seeker_waits_and_then_the_hider_rests(world):
    assert world.idle == ("hider",)
    step = world.act({"hider": None})
    assert (world.time, step.completed, world.idle) == (60.0, ("seeker",), ("seeker",))
    with pytest.raises(WorldError, match="idle role"):
        world.act({"hider": STAY, "seeker": STAY})


def test_an_action_of_the_hider_that_outlasts_its_turn_moves_nothing_any_more(make):
    world = make(ticks=module.PREPARATION_TICKS - 2)
    world.act({"hider": Action("step", {"forward": 1.0, "steps": 8})})
    assert world.idle == ("seeker",)
    while "hider" not in world.act({"seeker": Action("step", {"steps": 1})}).completed:
        pass
    assert world.physics.joint_speed("hider/x") == pytest.approx(0.0, abs=1e-3)
    assert pose(world, "hider")[0] < -2.5


def test_together_hiders_go_on(make):
    world = make(TOGETHER, ticks=module.PREPARATION_TICKS - 2)
    world.act({"hider": STAY})
    assert world.idle == ("hider", "seeker")


def test_settings_decide_the_roles():
    spec = load("hide-and-seek:hiders=2,seekers=3,together=1").spec
    assert [role.name for role in spec.roles] == ["hider1", "hider2", "seeker1", "seeker2", "seeker3"]
    assert spec.teams == ("hiders", "seekers")
    assert "at the same time" in spec.task
    assert [role.name for role in WORLD.spec.roles] == ["hider", "seeker"]
    assert "only the seekers act" in WORLD.spec.task


# --- moving --------------------------------------------------------------------------------------


def test_a_step_moves_and_turns_for_so_many_quarters_of_a_second(world):
    taken = do(world, forward=1.0, steps=4)
    assert (taken.ticks, world.time) == (8, 1.0)
    assert pose(world, "hider")[:2] == pytest.approx([-1.0, 0.0], abs=0.15)
    assert world.feedback("hider") == ""
    do(world, steps=2)
    x, y, _ = pose(world, "hider")
    do(world, strafe=1.0, steps=4)
    do(world, steps=2)
    assert pose(world, "hider")[:2] == pytest.approx([x, y - 2.0], abs=0.02)  # to the right
    do(world, turn=1.0, steps=3)
    do(world, steps=1)
    assert pose(world, "hider")[2] == pytest.approx(-NORTH, abs=0.02)


def test_goto_turns_by_so_much_and_goes_so_far(world):
    clear(world)
    taken = do(world, action="goto", heading_deg=-90.0, metres=1.3)
    assert taken.ticks == 2 * (3 + 3)  # quarters of a second for 90 degrees and for 1.3 m
    do(world, steps=1)
    assert pose(world, "hider") == pytest.approx([-3.0, 1.3, NORTH], abs=0.05)
    do(world, action="goto", heading_deg=180.0, metres=0.0)
    do(world, action="goto", heading_deg=0.0, metres=2.0)
    do(world, steps=1)
    assert pose(world, "hider")[:2] == pytest.approx([-3.0, -0.7], abs=0.05)


def test_walls_and_panels_stop_people_who_are_told_so(world):
    do(world, action="goto", heading_deg=0.0, metres=6.0)
    assert pose(world, "hider")[0] == pytest.approx(-0.38, abs=0.02)
    assert world.feedback("hider") == "Something is in your way."


def test_eyes_are_raised_and_stay_so(world):
    def up():
        _, x, y, _ = world.camera("hider").rotation
        return math.asin(-(1.0 - 2.0 * (x * x + y * y)))  # the view goes along -z of the camera

    assert up() == pytest.approx(0.0, abs=1e-9)
    do(world, action="look", pitch=0.5)
    do(world, forward=1.0)
    assert up() == pytest.approx(math.radians(20.0), abs=1e-6)


# --- hands ---------------------------------------------------------------------------------------


def test_what_is_pulled_comes_along_and_turns_with_its_holder_until_let_go(world):
    clear(world)
    put(world, "box-1", -2.2, 0.0)
    do(world, action="pull", on=1)
    assert world.feedback("hider") == "You hold something."
    do(world, action="goto", heading_deg=180.0, metres=1.0)
    do(world, steps=1)
    (x, y, turn), me = pose(world, "box-1"), pose(world, "hider")
    assert abs(math.remainder(turn, math.tau)) == pytest.approx(math.pi, abs=0.06)
    assert math.dist((x, y), me[:2]) == pytest.approx(0.8, abs=0.06)
    assert x < me[0] - 0.7
    do(world, action="pull", on=0)
    before = pose(world, "box-1")
    do(world, forward=-1.0, steps=2)
    assert pose(world, "box-1") == pytest.approx(before, abs=0.02)


def test_nothing_out_of_reach_or_behind_is_pulled(world):
    for place in ((-1.6, 0.0), (-3.8, 0.0)):
        clear(world)
        put(world, "box-1", *place)
        do(world, action="pull")
        assert world.feedback("hider") == "Nothing that can be moved is in reach."
        assert world.hands.holds("hider") == ""


def test_what_is_locked_stays_and_only_its_team_unlocks_it(seeking):
    world = seeking
    clear(world)
    put(world, "panel-1", -2.3, 0.0, NORTH)
    do(world, action="lock", on=1)
    assert world.feedback("hider") == "It is locked now."
    before = pose(world, "panel-1")
    do(world, forward=1.0, steps=6)
    assert pose(world, "panel-1") == pytest.approx(before, abs=0.03)
    do(world, action="pull")
    assert world.feedback("hider") == "It is locked, so it cannot be pulled."
    put(world, "seeker", -1.5, 0.5, math.pi)
    put(world, "hider", -5.0, 3.0)
    do(world, "seeker", "lock", on=0)
    assert world.feedback("seeker") == "The other team has locked it."
    put(world, "seeker", 3.0, 0.0)
    put(world, "hider", -3.0, 0.0)
    do(world, action="lock", on=0)
    do(world, forward=1.0, steps=4)
    assert pose(world, "panel-1")[0] > before[0] + 0.4


def test_a_lock_shows_in_the_colour_of_its_team_and_hands_let_go_of_it(world):
    def belts():
        scene = world.scene()
        rows = np.flatnonzero(scene.objects == list(world.physics.contents.things).index("box-1"))[-2:]
        return [bool(z > 0.0) for z in scene.positions[rows, 2]]

    clear(world)
    put(world, "box-1", -2.2, 0.0)
    do(world, action="pull")
    assert (world.hands.holds("hider"), belts()) == ("box-1", [False, False])
    do(world, action="lock")
    assert (world.hands.holds("hider"), belts()) == ("", [True, False])


def test_one_lock_locks_what_is_held_and_nothing_beside_it(world):
    clear(world)
    put(world, "box-1", -1.8, 0.0)
    do(world, action="pull")
    put(world, "box-2", -2.65, -0.75)  # nearer, to the right
    do(world, action="lock")
    assert world.state.owners.tolist() == [1, 0, 0, 0, 0, 0]
    do(world, action="lock")
    assert world.state.owners.tolist() == [1, 1, 0, 0, 0, 0]


# --- over walls ----------------------------------------------------------------------------------


def test_a_wall_is_crossed_from_a_ramp_that_was_carried_to_it_and_the_report_knows(world):
    put(world, "ramp-1", -1.9, 0.0)
    do(world, action="pull")
    do(world, forward=1.0, steps=8)  # carries the ramp on until the wall stops it
    do(world, action="pull", on=0)
    assert pose(world, "ramp-1")[0] == pytest.approx(-0.7, abs=0.05)
    do(world, forward=1.0, steps=8)
    do(world, forward=1.0, steps=4)
    assert pose(world, "hider")[0] > 0.5
    assert world.physics.joint("hider/z") == pytest.approx(0.0, abs=0.02)
    counts = world.strategies()
    assert (counts["ramp used to cross"], counts["retry after a failed climb"]) == (1, 0)


def test_a_climb_that_fails_and_is_tried_again_is_a_retry_and_no_crossing(world):
    put(world, "ramp-1", -0.72, 0.0)
    put(world, "hider", -1.6, 0.0)
    for _ in range(2):
        do(world, forward=1.0, steps=2)
        assert world.physics.joint("hider/z") > 0.4
        do(world, forward=-1.0, steps=2)
    counts = world.strategies()
    assert (counts["ramp used to cross"], counts["retry after a failed climb"]) == (0, 1)


def test_nobody_leaves_the_arena_even_from_a_ramp(world):
    put(world, "ramp-1", -5.38, 2.0, math.pi)
    put(world, "hider", -4.4, 2.0, math.pi)
    do(world, forward=1.0, steps=8)
    assert world.physics.joint("hider/z") > 1.0
    assert pose(world, "hider")[0] > -5.8


# --- seeing --------------------------------------------------------------------------------------


def is_seen(world):
    before = int(world.state.seen[0])
    world.act(dict.fromkeys(world.idle, STAY))
    return bool(world.state.seen[0] > before)


@pytest.mark.parametrize(
    ("screen", "seeker", "seen"),
    [
        (None, (-5.0, -2.0, EAST), True),
        (None, (-5.0, -2.0, math.pi), False),  # looks the other way
        (None, (3.0, -2.0, math.pi), False),  # behind the wall
        ("box-1", (-5.0, -2.0, EAST), True),  # heads show over boxes
        ("panel-1", (-5.0, -2.0, EAST), False),
    ],
)
def test_seen_is_what_is_in_view_with_nothing_before_it(seeking, screen, seeker, seen):
    world = seeking
    for thing in world.things:
        put(world, thing, 3.0, -4.5)
    put(world, "hider", -2.0, -2.0)
    put(world, "seeker", *seeker)
    if screen:
        put(world, screen, -3.2, -2.0, NORTH)
    assert is_seen(world) is seen


def test_a_seeker_on_a_ramp_looks_over_the_wall_if_it_looks_down(seeking):
    world = seeking
    put(world, "hider", -3.0, -2.0)
    put(world, "seeker", 1.5, -2.0, math.pi, z=1.5)
    world.physics.model.opt.gravity[:] = 0.0  # stays up there
    assert is_seen(world)


def test_seekers_have_closed_their_eyes_until_seeking_begins(make):
    world = make(TOGETHER, ticks=module.PREPARATION_TICKS - 1)
    assert world.camera("seeker").position[2] < 0.1
    world.tick()
    assert world.camera("seeker").position[2] > 1.0


# --- score ---------------------------------------------------------------------------------------


def test_hiders_score_the_share_unseen_and_seekers_the_rest_and_the_first_sight(seeking):
    world = seeking
    put(world, "hider", -3.0, -2.0)
    put(world, "seeker", 3.0, -2.0)
    for _ in range(120):  # quarters of a second: half of the time behind the wall
        world.act(dict.fromkeys(world.idle, STAY))
    put(world, "seeker", -5.0, -2.0)
    while not world.over:
        world.act(dict.fromkeys(world.idle, STAY))
    score = world.score()
    assert world.truncated
    assert score.of("hiders").value == score.value == score.measure == pytest.approx(50.0, abs=0.5)
    assert score.of("seekers").parts["seen"] == pytest.approx(50.0, abs=0.5)
    assert score.of("seekers").parts["first sight"] == pytest.approx(5.0, abs=0.1)
    assert score.of("seekers").measure + score.measure == pytest.approx(100.0)


def test_reaching_a_hider_ends_it_and_the_rest_counts_as_seen(seeking):
    world = seeking
    put(world, "hider", -3.0, -2.0)
    put(world, "seeker", -4.2, -2.0)
    do(world, "seeker", forward=1.0, steps=4)
    assert world.terminated
    assert world.score().value == 0.0
    assert world.score().of("seekers").value == 100.0
    assert world.score().of("seekers").progress == 1.0
    assert {world.feedback(role) for role in ("hider", "seeker")} == {
        "A hider has been reached: the game is over."
    }


def test_nobody_is_reached_through_a_wall(seeking):
    put(seeking, "hider", -0.38, -2.0)
    put(seeking, "seeker", 0.38, -2.0)
    assert not is_seen(seeking)
    assert not seeking.over


def test_any_hider_seen_by_any_seeker_counts(make):
    world = make("hide-and-seek:together=1,hiders=3,seekers=3", ticks=module.PREPARATION_TICKS)
    assert not is_seen(world)
    put(world, "seeker3", -5.0, -2.0)
    assert is_seen(world)


# --- numbers instead of frames -------------------------------------------------------------------


def test_the_lidar_measures_how_far_walls_are_from_ahead_round_by_the_right(seeking):
    clear(seeking)
    put(seeking, "hider", -3.0, 1.0)
    lidar = 12.0 * seeking.senses()["hider"]["lidar"]
    assert lidar[[0, 16, 24]] == pytest.approx([2.9, 3.0, 5.0], abs=0.01)
    assert 4.0 < lidar[8] < 5.5  # a thing stands in the south


def test_who_and_what_is_in_sight_is_told_in_the_own_frame_and_nothing_else(make):
    world = make("hide-and-seek:together=1,hiders=2,seekers=1", ticks=module.PREPARATION_TICKS)
    clear(world)
    put(world, "hider1", -3.0, 2.0, NORTH)
    put(world, "hider2", -5.0, 2.0)
    put(world, "seeker", -2.0, 5.0, EAST)
    put(world, "box-1", -4.2, 4.4, NORTH)
    world.state.owners[world.things.index("box-1")] = 2
    told = world.senses()["hider1"]
    assert told["self"][:5] == pytest.approx([-3.0 / 12.0, 2.0 / 12.0, 0.0, 0.0, 1.0], abs=1e-6)
    mate, seeker = told["people"]
    assert mate == pytest.approx([1.0, 1.0, 0.0, -2.0 / 12.0, 0.0, 0.0, -1.0], abs=1e-6)
    assert seeker == pytest.approx([1.0, 0.0, 3.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, -1.0], abs=1e-6)
    box = [1.0, 2.4 / 12.0, -1.2 / 12.0, 1.0, 0.0, 0.4 / 12.0, 0.4 / 12.0, 0.0, 1.0]
    assert told["things"][0] == pytest.approx(box, abs=1e-6)
    assert not told["things"][1:].any()  # behind it
    assert not world.senses()["seeker"]["people"].any()  # it looks the other way


def test_closed_eyes_tell_nothing_of_others(world):
    put(world, "hider", 4.5, 0.0)  # right before the seeker
    told = world.senses()["seeker"]
    assert not any(told[name].any() for name in ("people", "things", "lidar"))
    assert told["self"].any()


def test_senses_come_through_pettingzoo_as_well_as_frames():
    env = WorldParallelEnv(f"{TOGETHER},hiders=2", observe="senses", ticks=2)
    parallel_api_test(env, num_cycles=40)
    parallel_seed_test(lambda: WorldParallelEnv(TOGETHER, observe="senses", ticks=2))
    seen, infos = env.reset(seed=0)
    assert all(env.observation_space(agent).contains(seen[agent]) for agent in env.agents)
    assert {agent: info["busy"] for agent, info in infos.items()} == {
        "hider1": False,
        "hider2": False,
        "seeker": True,
    }


def test_worlds_without_senses_and_steps_without_time_are_refused():
    with pytest.raises(WorldError, match="has no senses"):
        WorldParallelEnv("racing", observe="senses")
    with pytest.raises(ValueError, match="at least 1 tick"):
        WorldParallelEnv("racing", ticks=0)
    with pytest.raises(ValueError, match="frames or senses"):
        WorldParallelEnv("racing", observe="sense")


# --- reports -------------------------------------------------------------------------------------


def begin_seeking(world):
    world._ticks = module.PREPARATION_TICKS
    world.tick()
    return world.strategies()


def test_an_open_door_is_no_shelter(world):
    counts = begin_seeking(world)
    assert not any(counts.values())


def test_a_panel_across_the_door_makes_a_shelter_and_a_ramp_in_it_is_removed(world):
    put(world, "panel-1", -0.22, 3.0, NORTH)
    world.state.owners[world.things.index("ramp-2")] = 1
    counts = begin_seeking(world)
    assert counts == {
        "shelter built": 1,
        "entrance blocked": 1,
        "ramp removed": 1,  # the one on the hider's side
        "ramp locked": 1,
        "ramp used to cross": 0,
        "retry after a failed climb": 0,
    }


def test_a_box_in_the_door_blocks_it_and_one_beside_it_does_not(world):
    put(world, "box-1", 0.0, 3.0)
    assert begin_seeking(world)["entrance blocked"] == 1
    put(world, "box-1", 0.0, 4.4)
    assert begin_seeking(world)["entrance blocked"] == 0


# --- whole games ---------------------------------------------------------------------------------


def standing(rng):
    return Action("step", {"steps": 8})


def wandering(rng):
    return Action("step", {"forward": 1.0, "turn": rng.uniform(-1.0, 1.0), "steps": 2})


def rushing(rng):
    return Action("goto", {"heading_deg": rng.uniform(-180.0, 180.0), "metres": 4.0})


CARELESS = [standing, wandering, rushing]


def played(seed, careless, *, expert):
    """The score of a game of an expert of one team against a careless one of the other."""
    world, rng = HideAndSeek(), np.random.default_rng(seed)
    world.reset(seed)
    role = "hider" if expert is Hider else "seeker"
    player = expert(world, role)
    while not world.over:
        world.act({one: player.action() if one == role else careless(rng) for one in world.idle})
    return world.score()


def test_an_expert_hider_shuts_itself_in_and_is_not_found():
    score = played(0, rushing, expert=Hider)
    assert score.of("hiders").value >= 85.0
    assert score.of("seekers").value <= 20.0


def test_an_expert_seeker_finds_a_careless_hider():
    score = played(0, rushing, expert=Seeker)
    assert score.of("seekers").value >= 85.0
    assert score.of("hiders").value <= 20.0


def sieged(seed):
    """A game between the expert hider, who shuts itself in, and the expert that climbs in over the wall."""
    world = HideAndSeek()
    world.reset(seed)
    hider, seeker = Hider(world, "hider"), None
    while not world.over:
        if world.idle == ("hider",):
            world.act({"hider": hider.action()})
        else:
            seeker = seeker or Climber(world, "seeker")
            world.act({"seeker": seeker.action()})
    return world


@pytest.mark.parametrize("seed", [0, 1])
def test_a_seeker_carries_a_ramp_to_a_shelter_climbs_in_and_reaches_the_hider(seed):
    world = sieged(seed)
    counts = world.strategies()
    assert (counts["shelter built"], counts["ramp used to cross"]) == (1, 1)
    assert world.terminated
    assert world.score().of("seekers").value >= 85.0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_shelter_is_safe_where_a_ramp_can_be_brought_to_it():
    """On some seeds all ramps are in rooms that share no wall with the refuge."""
    worlds = [sieged(seed) for seed in range(20)]
    reached = [world for world in worlds if world.terminated]
    assert len(reached) >= 16
    assert np.mean([world.score().of("seekers").value for world in reached]) >= 85.0
    assert all(world.strategies()["ramp used to cross"] == 1 for world in reached)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("careless", CARELESS)
@pytest.mark.parametrize(("expert", "team"), [(Hider, "hiders"), (Seeker, "seekers")])
def test_experts_win_and_careless_people_lose_over_seeds(expert, team, careless):
    scores = [played(seed, careless, expert=expert) for seed in range(20)]
    other = ({"hiders", "seekers"} - {team}).pop()
    assert min(score.of(team).value for score in scores) >= 85.0
    assert max(score.of(other).value for score in scores) <= 20.0


def test_a_short_game_keeps_the_contract(monkeypatch):
    """All checks but that of another process, which would find the whole game; that one takes long."""
    monkeypatch.setattr(module, "PREPARATION_TICKS", 24)
    monkeypatch.setattr(module, "SEEKING_TICKS", 24)

    class Short(HideAndSeek):
        spec = replace(WORLD.spec, time_limit=6.0, task=WORLD.spec.task.replace("120 s", "6 s"))

    faults = [result for result in check(Short, seeds=[0]) if not result.passed]
    assert [result.name for result in faults] == ["fresh-process"]
