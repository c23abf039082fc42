"""The clock, snapshots and refusals of the world contract, on a toy with actions of three lengths."""

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from garten.errors import WorldError
from garten.records import Action, ActionSpec, Argument, Control
from garten.worlds.find import load
from garten.worlds.given import check_arguments
from garten.worlds.world import RESTING, read_task

Toy = load(Path(__file__).with_name("toy.py"))
PUSH, SHOVE, DRIVE = Action("push"), Action("shove"), Action("drive", {"speed": 0.5})
TICKS = {"push": 3, "shove": 5, "drive": 4}


def fresh(seed=0):
    world = Toy()
    world.reset(seed)
    return world


# --- the clock -------------------------------------------------------------------------------------


def test_act_advances_to_the_earliest_completion_and_busy_roles_take_no_action():
    world = fresh()
    step = world.act({"zed": SHOVE, "amy": PUSH})
    assert (step.ticks, step.completed, world.idle) == (3, ("amy",), ("amy",))
    with pytest.raises(WorldError, match="idle role"):
        world.act({"zed": PUSH, "amy": PUSH})
    step = world.act({"amy": PUSH})
    assert (step.ticks, step.completed, world.time) == (2, ("zed",), pytest.approx(0.5))
    step = world.act({"zed": PUSH})
    assert (step.ticks, step.completed) == (1, ("amy",))


def test_roles_that_end_together_are_free_together_in_the_order_of_the_spec():
    world = fresh()
    assert world.act({"amy": PUSH, "zed": PUSH}).completed == ("zed", "amy")


@given(
    st.lists(st.tuples(st.sampled_from(list(TICKS)), st.sampled_from(list(TICKS))), min_size=1, max_size=6)
)
@settings(max_examples=40, deadline=None, database=None)
def test_act_equals_control_and_tick(choices):
    """The same play through `act`, and by holding the compiled controls one tick at a time."""
    acted, ticked = fresh(7), fresh(7)
    arguments = {"push": {}, "shove": {}, "drive": {"speed": -0.25}}
    buttons = {"push": ("go",), "shove": ("go",), "drive": ()}
    axes = {"push": {}, "shove": {}, "drive": {"speed": -0.25, "gear": 1.0}}
    for pair in choices:
        if acted.over:
            break
        names = dict(zip(("zed", "amy"), pair, strict=True))
        acted.act({role: Action(names[role], arguments[names[role]]) for role in acted.idle})
        for role in ticked.idle:
            ticked.control(role, buttons[names[role]], axes[names[role]], ticks=TICKS[names[role]])
        while not ticked.tick():
            pass
        assert acted.snapshot() == ticked.snapshot()


def test_a_role_that_rests_holds_nothing_and_is_free_again_only_at_the_end():
    world = fresh()
    began = world.state.place[0]
    step = world.act({"zed": None, "amy": DRIVE})
    assert (step.completed, world.idle) == (("amy",), ("amy",))
    step = world.act({"amy": None})
    assert (step.completed, step.ticks) == (("zed", "amy"), 16)
    assert world.truncated
    assert world.state.place[0] == began


def test_the_limit_cuts_the_last_action():
    world = fresh()
    world.act({"zed": None, "amy": SHOVE})
    for _ in range(2):
        world.act({"amy": SHOVE})
    world.act({"amy": PUSH})  # 18 of 20 ticks
    step = world.act({"amy": SHOVE})
    assert step.ticks == 2
    assert (world.ticks, world.time_left, world.truncated, world.terminated) == (20, 0.0, True, False)
    assert world.state.clock == 20


def test_the_rules_end_the_episode_inside_an_action():
    world = fresh()
    drive = Action("drive", {"speed": 1.0, "gear": 3})
    while not world.over:
        world.act({role: drive if role == "zed" else None for role in world.idle})
    assert (world.terminated, world.truncated) == (True, False)
    assert world.ticks < world.limit_ticks
    assert world.idle == ("zed", "amy")
    for call in (lambda: world.act({"zed": PUSH}), world.tick, world.advance, lambda: world.control("zed")):
        with pytest.raises(WorldError, match="reset the world"):
            call()


def test_completed_names_only_roles_that_were_acting():
    world = fresh()
    world.control("amy", ("go",), ticks=2)
    assert world.advance().completed == ("amy",)


def test_idle_roles_hold_nothing():
    world = fresh()
    began = world.state.place.copy()
    world.control("amy", ("go",), ticks=1)
    world.tick()
    world.tick()
    moved = world.state.place - began
    assert moved[0] == 0
    assert moved[1] == pytest.approx(0.1 * world.width)


# --- moments ---------------------------------------------------------------------------------------


def test_moments_come_at_the_frame_rate_whatever_the_actions():
    world, times = fresh(), []
    while not world.over:
        step = world.act(
            {role: PUSH if role == "amy" else Action("drive", {"speed": 0.0}) for role in world.idle},
            watch=True,
        )
        times += [moment.time for moment in step.moments]
    assert times == pytest.approx([0.2 * n for n in range(1, 11)])


def test_watching_changes_nothing_and_moments_hold_still():
    plain, watched = fresh(), fresh()
    moments = []
    for _ in range(3):
        plain.act(dict.fromkeys(plain.idle, PUSH))
        moments += watched.act(dict.fromkeys(watched.idle, PUSH), watch=True).moments
    assert plain.snapshot() == watched.snapshot()
    places = [moment.scene.positions[1, 0] for moment in moments]
    assert np.all(np.diff(places) > 0)
    assert set(moments[0].cameras) == {"zed", "amy"}


def test_a_moment_carries_the_drawing_of_a_world_that_draws_itself():
    def drawing(role, width, height):
        raise NotImplementedError

    class Drawn(Toy):
        def _drawing(self):
            return drawing

    world = Drawn()
    world.reset(0)
    assert world.moment().drawing is drawing
    assert fresh().moment().drawing is None


# --- exact state -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("ticks", [1, 2, 4])
def test_a_snapshot_in_the_middle_of_an_action_goes_on_bit_for_bit_elsewhere(seed, ticks):
    world = fresh(seed)
    world.control("zed", (), {"speed": -0.3}, ticks=6)
    world.control("amy", ("go",), ticks=5)
    for _ in range(ticks):
        world.tick()
    taken = world.snapshot()
    other = fresh(99)
    other.act({"zed": PUSH, "amy": DRIVE})
    other.restore(taken)
    never_reset = Toy()
    never_reset.restore(taken)
    assert world.feedback("zed") == other.feedback("zed") == "You roll back."
    for _ in range(8):
        assert world.snapshot() == other.snapshot() == never_reset.snapshot()
        for one in (world, other, never_reset):
            one.tick()


def test_restore_keeps_shapes_dtypes_and_the_order_of_roles():
    world = fresh()
    world.act({"zed": SHOVE, "amy": PUSH})
    before = world.state
    other = Toy()
    other.restore(world.snapshot())
    for item in dataclasses.fields(before):
        old, new = getattr(before, item.name), getattr(other.state, item.name)
        assert (old.shape, old.dtype) == (new.shape, new.dtype), item.name
    assert list(world.act({"amy": PUSH}).completed) == list(other.act({"amy": PUSH}).completed)
    assert other.state.order.tolist() == [0, 1]
    assert tuple(other.act({"zed": None}).completed) == ("amy",)


def test_a_fork_shares_nothing_with_its_origin():
    world = fresh()
    taken = world.snapshot()
    fork = Toy()
    fork.restore(taken)
    fork.act({"zed": SHOVE, "amy": PUSH})
    assert world.snapshot() == taken
    assert fork.snapshot() != taken


def test_snapshots_tell_states_apart_and_name_the_seed():
    hashes = {fresh(seed).state_hash() for seed in range(20)}
    assert len(hashes) == 20
    world = fresh()
    before = world.state_hash()
    world.control("zed", ("go",), ticks=2)
    assert world.state_hash() != before  # what a role holds is part of the state


def test_restore_refuses_what_is_damaged_or_of_another_world():
    world = fresh()
    taken = world.snapshot()
    with pytest.raises(WorldError, match="damaged"):
        world.restore(taken[:-9])
    with pytest.raises(WorldError, match="damaged"):
        world.restore(b"")

    class Newer(Toy):
        spec = dataclasses.replace(Toy.spec, version=4)

    with pytest.raises(WorldError, match="version 3; this is toy version 4"):
        Newer().restore(taken)
    with pytest.raises(WorldError, match="never reset"):
        Toy().snapshot()


def _without(part):
    return lambda arrays, clock: (arrays.pop(part, None), clock.pop(part, None))


@pytest.mark.parametrize(
    "spoil",
    [
        *(_without(part) for part in ("world", "seed", "ticks", "ended", "said", "holds", "place")),
        lambda arrays, clock: arrays.update(stranger=np.zeros(3)),
        lambda arrays, clock: clock.update(seed="7"),
        lambda arrays, clock: clock.update(ticks=-1),
        lambda arrays, clock: clock.update(ticks=1.5),
        lambda arrays, clock: clock["holds"].pop("amy"),
        lambda arrays, clock: clock["holds"].update(bob=[[], {}, 0]),
        lambda arrays, clock: clock["holds"].update(amy=["go", {}, 0]),
        lambda arrays, clock: clock["said"].pop("zed"),
    ],
)
def test_a_spoiled_snapshot_is_refused_and_changes_nothing(spoil):
    world = fresh()
    world.act({"zed": SHOVE, "amy": PUSH})
    before = world.snapshot()
    arrays = load_arrays(before)
    clock = json.loads(arrays.pop("garten.clock").tobytes())
    spoil(arrays, clock)
    text = np.frombuffer(json.dumps(clock).encode(), np.uint8)
    with pytest.raises(WorldError, match="damaged"):
        world.restore(save_arrays({"garten.clock": text, **arrays}))
    assert world.snapshot() == before


# --- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs the argument 'speed'"),
        ({"speed": 1.5}, "between -1.0 and 1.0"),
        ({"speed": -math.inf}, "finite"),
        ({"speed": math.nan}, "finite"),
        ({"speed": "fast"}, "must be a number, got str"),
        ({"speed": True}, "must be a number, got bool"),
        ({"speed": 10**400}, "finite"),
        ({"speed": np.complex128(0.5)}, "must be a number, got complex128"),
        ({"speed": 0.0, "gear": 1.5}, "whole number"),
        ({"speed": 0.0, "gear": math.nan}, "finite"),
        ({"speed": 0.0, "gear": 4}, "between 1 and 3"),
        ({"speed": 0.0, "colour": 1}, "no argument 'colour'"),
    ],
)
def test_bad_arguments_are_refused_before_anything_happens(arguments, message):
    world = fresh()
    before = world.snapshot()
    with pytest.raises(WorldError, match=message):
        world.act({"zed": PUSH, "amy": Action("drive", arguments)})
    assert world.snapshot() == before


def test_arguments_become_axes_with_defaults_filled_in():
    spec = Toy.spec.action("drive")
    assert check_arguments(spec, {"speed": np.float32(0.5)}) == {"speed": 0.5, "gear": 1.0}
    assert Toy()._control(spec, {"speed": 0.5, "gear": 2.0}) == Control(axes={"speed": 0.5, "gear": 2.0})


def test_other_refusals():
    world = fresh()
    with pytest.raises(WorldError, match="no action 'fly'; use one of push, shove, drive"):
        world.act({"zed": Action("fly"), "amy": PUSH})
    with pytest.raises(WorldError, match="idle role"):
        world.act({"zed": PUSH})
    with pytest.raises(WorldError, match="no role 'bob'"):
        world.control("bob")
    with pytest.raises(WorldError, match="at least 1 tick"):
        world.control("zed", ticks=0)
    with pytest.raises(WorldError, match="finite"):
        world.control("zed", axes={"speed": math.nan})
    with pytest.raises(WorldError, match="No role is acting"):
        world.advance()
    world.control("zed", ticks=2)
    with pytest.raises(WorldError, match="busy"):
        world.control("zed")
    with pytest.raises(WorldError, match="reset the world"):
        Toy().act({"zed": PUSH, "amy": PUSH})


@pytest.mark.parametrize("seed", [-1, np.int64(-2), 1.5, math.nan, math.inf, "3", None])
def test_what_is_no_seed_is_refused(seed):
    world = fresh(4)
    before = world.snapshot()
    with pytest.raises(WorldError, match="no seed"):
        world.reset(seed)
    assert world.snapshot() == before


@pytest.mark.parametrize("seed", [0, 2**31, 2**63, 2**70])
def test_seeds_may_be_large(seed):
    assert fresh(seed).snapshot() == fresh(seed).snapshot() != fresh(1).snapshot()


def test_numbers_of_numpy_are_as_good_as_plain_ones():
    plain, other = fresh(5), fresh(np.uint8(5))
    plain.control("zed", axes={"speed": 0.5}, ticks=2)
    other.control("zed", axes={"speed": np.float64(0.5)}, ticks=np.int64(2))
    assert plain.snapshot() == other.snapshot()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ticks": 1.5}, "at least 1 tick"),
        ({"ticks": math.nan}, "at least 1 tick"),
        ({"ticks": math.inf}, "at least 1 tick"),
        ({"ticks": "2"}, "at least 1 tick"),
        ({"buttons": "go"}, "list of names"),
        ({"buttons": [1, "go"]}, "list of names"),
        ({"axes": {"speed": "fast"}}, "finite"),
        ({"axes": {"speed": None}}, "finite"),
        ({"axes": {"speed": 10**400}}, "finite"),
    ],
)
def test_controls_that_mean_nothing_are_refused(wrong, message):
    world = fresh()
    before = world.snapshot()
    with pytest.raises(WorldError, match=message):
        world.control("zed", **wrong)
    assert world.snapshot() == before


def test_a_name_is_no_action():
    with pytest.raises(WorldError, match="takes an Action, or None to rest, got 'push'"):
        fresh().act({"zed": "push", "amy": None})


def test_reading_needs_a_reset_and_a_role_that_is_there():
    for read in (Toy.score, Toy.scene, Toy.moment, Toy.state_hash, lambda world: world.feedback("zed")):
        with pytest.raises(WorldError, match="never reset"):
            read(Toy())
    for read in (Toy.feedback, Toy.camera):
        with pytest.raises(WorldError, match="no role 'bob'; the roles are zed, amy"):
            read(fresh(), "bob")


def test_resting_is_not_a_number_of_ticks_anyone_can_ask_for():
    with pytest.raises(WorldError, match="at least 1 tick"):
        fresh().control("zed", ticks=RESTING)


def test_read_task_names_the_missing_file(tmp_path):
    (tmp_path / "task.md").write_text("# Gärten\n", encoding="utf-8")
    assert read_task(str(tmp_path / "world.py")) == "# Gärten\n"
    with pytest.raises(WorldError, match=r"gone.task\.md cannot be read"):
        read_task(str(tmp_path / "gone" / "world.py"))


# --- turns and lengths -----------------------------------------------------------------------------


class Turns(Toy):
    """Amy has to wait for 5 ticks; zed never acts again from the fourth on."""

    def _waits(self, role):
        if role == "amy":
            return max(0, 5 - self.ticks)
        return RESTING if self.ticks >= 4 else 0


def test_roles_wait_for_their_turn_and_are_not_asked_after_it():
    world = Turns()
    world.reset(0)
    assert world.idle == ("zed",)
    with pytest.raises(WorldError, match="idle role"):
        world.act({"zed": Action("push"), "amy": Action("push")})
    assert world.act({"zed": Action("push")}).completed == ("zed",)
    step = world.act({"zed": Action("push")})  # outlasts zed's turn; amy is free before it ends
    assert (step.completed, world.ticks, world.idle) == (("amy",), 5, ("amy",))
    step = world.act({"amy": Action("push")})
    assert (step.completed, world.ticks, world.idle) == (("zed",), 6, ())
    step = world.act({})
    assert (step.completed, world.ticks, world.idle) == (("amy",), 8, ("amy",))
    world.act({"amy": None})
    assert world.truncated


def test_a_snapshot_knows_who_waits():
    world, other = Turns(), Turns()
    for one in (world, other):
        one.reset(0)
    world.act({"zed": Action("push")})
    other.restore(world.snapshot())
    assert other.idle == world.idle == ("zed",)
    for one in (world, other):
        one.act({"zed": None})
    assert (other.ticks, other.state_hash()) == (world.ticks, world.state_hash()) == (5, world.state_hash())


def test_an_action_lasts_as_long_as_its_arguments_ask_for():
    turn = Argument("turn", "float", -90.0, 90.0, 0.0, "degrees", times=1.0 / 30.0)
    way = Argument("way", "float", 0.0, 4.0, None, "metres", times=2.0)
    gear = Argument("gear", "int", 1, 3, 1, "no matter")
    spec = ActionSpec("go", 0.5, "go", arguments=(turn, way, gear))
    assert spec.lasts({"way": 0.0}) == 0.5
    assert spec.lasts({"way": 1.0, "gear": 3}) == 1.0
    assert spec.lasts({"way": 1.0, "turn": -45.0}) == 2.0  # 2 and 1.5 times, begun ones count whole
    assert spec.lasts({"way": 0.3 / 0.1 - 2.0}) == 1.0  # 2.0000000000000004 times
