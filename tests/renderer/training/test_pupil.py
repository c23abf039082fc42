"""Weights that learn, against what the settings say by hand."""

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from garten.renderer.training.config import LearningSettings
from garten.renderer.training.pupil import DivergedError, Pupil

SETTINGS = LearningSettings(rate=0.1, final=0.2, warm_up=4, clip=1.0)


def pupil(settings=SETTINGS, *, steps=10, **options):
    return Pupil({"w": nn.Parameter(torch.zeros(2))}, settings, steps=steps, **options)


def step(one, gradient):
    one.weights["w"].grad = torch.tensor(gradient)
    return one.step(1.0)


def test_the_rate_rises_and_falls():
    one = pupil()
    rates = [step(one, [1.0, 0.0])["learning_rate"] for _ in range(11)]
    for number, rate in enumerate(rates):
        rising = 0.1 + 0.9 * min(1, number / 4)
        falling = 0.2 + 0.8 * (1 + math.cos(math.pi * number / 10)) / 2
        assert rate == pytest.approx(0.1 * rising * falling)
    assert rates[10] == pytest.approx(0.1 * 0.2)
    assert step(pupil(replace(SETTINGS, warm_up=0, final=1.0), rate=0.5), [1.0, 0.0])["learning_rate"] == 0.5


def test_gradients_are_bounded_and_told():
    one = pupil(replace(SETTINGS, betas=(0.0, 0.0)))
    assert step(one, [3.0, 4.0])["gradient"] == pytest.approx(5.0)
    assert one.weights["w"].grad.norm() == pytest.approx(1.0, abs=1e-5)
    step(one, [0.3, 0.4])
    assert one.weights["w"].grad.norm() == pytest.approx(0.5)


@pytest.mark.parametrize(("loss", "gradient"), [(math.nan, 1.0), (math.inf, 1.0), (1.0, math.nan)])
def test_what_is_no_number_changes_nothing(loss, gradient):
    one = pupil(setting="distill.fake_rate")
    one.weights["w"].grad = torch.tensor([gradient, 0.0])
    said = (
        r"^The fake score's loss or its gradient is no longer finite; .* by --set distill.fake_rate=\.\.\.$"
    )
    with pytest.raises(DivergedError, match=said):
        one.step(loss, of="fake score's loss")
    assert (one.done, one.weights["w"].tolist()) == (0, [0.0, 0.0])


def test_the_average_follows_and_stands_in():
    one = pupil(replace(SETTINGS, average=0.5))
    expected = torch.zeros(2)
    for number in range(1, 13):
        step(one, [1.0, -1.0])
        kept = min(0.5, (1 + number) / (10 + number))
        expected = kept * expected + (1 - kept) * one.weights["w"].detach()
    torch.testing.assert_close(one.average["w"], expected)
    own = one.weights["w"].detach().clone()
    with one.averaged():
        torch.testing.assert_close(one.weights["w"].detach(), expected)
    assert torch.equal(one.weights["w"], own)
    assert pupil(replace(SETTINGS, average=0.5), average=False).average == {}
