"""The skill `use`: numbers of an action, corrected by what is seen."""

import json
import random

import pytest

from garten.practice.players.search.effects import Effect, merge_effects
from garten.practice.players.search.grammar import Space, read_candidate
from garten.practice.players.search.motor import read_motor
from garten.practice.players.search.tuning import PLACES, Grip, Tools
from garten.practice.players.search.words import say_steps
from garten.records import ActionSpec, Argument

AIM = Argument("aim", "float", -1.0, 1.0, None, "")
LIFT = Argument("lift", "float", 0.0, 1.0, 0.2, "")
MOTOR = read_motor([ActionSpec("shoot", 2.0, "", (), (LIFT, AIM)), ActionSpec("wait", 1.0, "")])
(HANDLE,) = MOTOR.handles
RED, GREEN = (200, 20, 20), (20, 200, 20)


def step(**changes):
    shares = dict.fromkeys(PLACES, 0.5)
    made = {"do": "use", "action": "shoot", **shares, "tunes": "first", "by": list(RED), "rows": "all"}
    return made | {"gain": -1.0, "at": 0.0, "keeps": "no"} | changes


def test_what_must_be_given_is_tuned_first_and_shares_become_numbers():
    assert [one.name for one in HANDLE.tuned] == ["aim", "lift"]
    assert HANDLE.rest == pytest.approx((0.5, 0.2))
    assert HANDLE.needed == 1
    assert HANDLE.move([0.75, 1.5]).call == "shoot(lift=1.0, aim=0.5)"


def test_a_number_is_corrected_anew_each_time():
    grip = Grip()
    assert grip.shares(HANDLE, step(), 0.2) == pytest.approx([0.3, 0.5])
    assert grip.shares(HANDLE, step(at=0.1), 0.2) == pytest.approx([0.4, 0.5])
    assert grip.shares(HANDLE, step(), None) == pytest.approx([0.5, 0.5])
    assert grip.unjudged is None


def test_a_number_is_corrected_for_good_by_what_its_own_use_led_to():
    grip = Grip()
    assert grip.shares(HANDLE, step(keeps="yes"), 0.4) == pytest.approx([0.5, 0.5])  # not by what was before
    grip.judge(0.2)
    assert grip.shares(HANDLE, step(keeps="yes"), None) == pytest.approx([0.3, 0.5])
    grip.judge(None)  # not seen: nothing is learned
    assert grip.shares(HANDLE, step(gain=-0.5), 0.1) == pytest.approx([0.25, 0.5])  # on top of what is kept
    assert grip.unjudged is None


@pytest.mark.parametrize("gain", [-1.0, -2.0, -3.5, -8.0])
def test_an_aim_closes_in_however_bold_its_corrections_are(gain):
    """The colour goes one width for the whole range, and is where it should be at a share of 0.3."""
    grip = Grip()
    for _ in range(12):
        aim, _ = grip.shares(HANDLE, step(keeps="yes", gain=gain), None)
        grip.judge(aim - 0.3)
    assert grip.shares(HANDLE, step(keeps="yes", gain=gain), None)[0] == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(("carry", "keeps"), [(0.0, "yes"), (0.9, "no")])
def test_a_correction_works_against_what_is_known_to_move_the_colour(carry, keeps):
    effect = Effect("shoot", 0, 1, "upper", 0.4, carry, 0.9, 12)
    tools = Tools(MOTOR.handles, (effect,), (RED, GREEN))
    rng = random.Random(0)
    corrected = [one for one in (tools.draw(rng) for _ in range(50)) if one["gain"]]
    assert len(corrected) > 25
    for one in corrected:
        assert one["gain"] < 0.0
        assert (one["tunes"], one["by"], one["rows"], one["keeps"]) == ("first", list(GREEN), "upper", keeps)


def test_effects_that_disagree_and_actions_that_are_gone_are_varied_all_the_same():
    against = merge_effects([Effect("shoot", 0, 1, "all", slope, 0.0, 0.9, 12) for slope in (0.5, -0.5)])
    tools, rng = Tools(MOTOR.handles, against, (RED, GREEN)), random.Random(0)
    assert not any(tools.vary(step(gain=0.0), rng)["gain"] for _ in range(100))
    gone = step(action="throw", until={"seconds": 2.0})
    assert Tools().vary(gone, rng) == gone
    assert tools.vary(gone, rng)["action"] == "shoot"
    assert tools.vary(gone, rng)["until"] == gone["until"]


def test_a_circle_of_many_actions_with_numbers_can_be_read_back():
    motor = read_motor([ActionSpec(f"shoot_{k}", 2.0, "", (), (AIM,)) for k in "abcdef"])
    space = Space(("red",), {}, {}, (), steers=False, tools=Tools(motor.handles))
    for seed in range(20):
        candidate = space.draw(random.Random(seed))
        assert read_candidate(candidate, ["red"]) == candidate
    assert motor.pause.call == "shoot_a(aim=0.0)"


def test_what_is_drawn_and_varied_can_be_read_back_and_said():
    effect = Effect("shoot", 0, 1, "upper", 0.4, 0.5, 0.9, 12)
    tools = Tools(MOTOR.handles, (effect,), (RED, GREEN))
    told = {"The ball went wide.": 1.0, "Saved.": 2.0}
    space = Space(("red",), {RED: 1.0}, {RED: 1.0}, ("wait",), steers=False, told=told, tools=tools)
    rng = random.Random(3)
    candidate = space.draw(rng)
    seen = set()
    for _ in range(300):
        candidate = space.vary(candidate, rng)
        assert read_candidate(json.loads(json.dumps(candidate)), ["red"]) == candidate
        assert say_steps(candidate["red"])
        seen |= {name for one in candidate["red"] for name in one.get("until", {})}
    assert {"seconds", "told"} <= seen <= {"seconds", "told", "grows", "shrinks"}
