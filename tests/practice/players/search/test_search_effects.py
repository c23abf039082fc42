"""What numbers of actions move, against pictures and motions made up to known rules."""

import numpy as np
import pytest

from garten.practice.players.search.effects import ROWS, Effect, asides, find_effects, merge_effects


def test_a_colour_is_as_far_aside_as_the_mean_of_its_pixels_in_a_band():
    labels = np.zeros((100, 200), np.uint8)
    labels[0:10, 0:50] = 1  # in the upper band
    labels[50:60, 190:200] = 1  # in the middle one
    found = asides(labels, 3)
    assert found[1, list(ROWS).index("upper")] == pytest.approx(25 / 200 - 0.5)
    assert found[1, list(ROWS).index("middle")] == pytest.approx(195 / 200 - 0.5)
    assert found[1, list(ROWS).index("all")] == pytest.approx((500 * 25 + 100 * 195) / 600 / 200 - 0.5)
    assert np.isnan(found[1, list(ROWS).index("lower")])
    assert np.isnan(found[2]).all()


def uses(slope, carry, *, count=12, noise=0.0, constant=0.1, seed=0):
    """Uses of an action with two numbers, of which the second moves colour 1 and nothing moves colour 0."""
    rng = np.random.default_rng(seed)
    place, made = 0.0, []
    for _ in range(count):
        numbers = rng.uniform(0.0, 1.0, 2)
        before = np.tile([[0.0], [place]], len(ROWS))
        place = constant + slope * (numbers[1] - 0.5) + carry * place + noise * rng.normal()
        made.append((list(numbers), before, np.tile([[0.0], [place]], len(ROWS))))
    return made


@pytest.mark.parametrize(("slope", "carry"), [(0.3, 0.0), (-0.2, 0.9)])
def test_slope_and_carry_are_found(slope, carry):
    found = find_effects("drive", uses(slope, carry))
    assert {(one.number, one.color) for one in found} == {(1, 1)}
    for one in found:
        assert one.slope == pytest.approx(slope, rel=0.1)
        assert one.carry == pytest.approx(carry, abs=0.1)
        assert one.strength > 0.9


def test_chance_moves_nothing_and_few_uses_tell_nothing():
    assert not find_effects("drive", [])
    assert not find_effects("drive", uses(0.3, 0.0, count=4))
    still = [(numbers, before, before) for numbers, before, _ in uses(0.3, 0.5)]
    assert not find_effects("drive", still)


def test_games_that_agree_make_an_effect_sure_and_those_that_do_not_weak():
    one = Effect("drive", 0, 1, "all", 0.2, 0.5, 0.8, 10)
    other = Effect("drive", 0, 1, "all", 0.4, 0.5, 0.8, 10)
    against = Effect("drive", 0, 1, "all", -0.2, 0.5, 0.8, 10)
    (merged,) = merge_effects([one, other])
    assert merged.slope == pytest.approx(0.3)
    assert merged.strength == pytest.approx(0.8)
    assert merged.uses == 20
    assert merge_effects([one, against])[0].strength == pytest.approx(0.0)


@pytest.mark.parametrize(
    "change",
    [
        *({"rows": "none"}, {"slope": float("nan")}, {"slope": 1e9}, {"color": "x"}, {"number": -1}),
        *({"carry": 1.5}, {"strength": float("nan")}, {"uses": 0}),
    ],
)
def test_what_is_no_effect_is_refused(change):
    good = Effect("drive", 0, 1, "all", 0.2, 0.5, 0.8, 10)
    assert Effect.from_data(good.to_data()) == good
    with pytest.raises(ValueError, match=r"cannot be|could not convert|invalid literal"):
        Effect.from_data(good.to_data() | change)
