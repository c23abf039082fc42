"""Acceptance tests 1, 2, 3 and 5: the flow's algebra, its levels, its floor, and its solver."""

import math
from itertools import pairwise

import pytest
import torch
from torch import nn

from garten.renderer.flow import SHIFT, clean, noised, shifted, velocity, waver
from garten.renderer.solver import levels, solve
from garten.renderer.stream import few_steps


def test_01_rf_identity():
    """The exact velocity leads back to the picture, for levels by sample and by frame; the ends are exact."""
    torch.manual_seed(0)
    x0, eps = torch.randn(2, 3, 5, 4, 4, 4)[:, :, 0], torch.randn(2, 3, 5, 4, 4, 4)[:, :, 0]
    for level in (torch.rand(2), torch.rand(2, 3)):
        back = clean(noised(x0, eps, level), velocity(x0, eps), level)
        torch.testing.assert_close(back, x0, rtol=0, atol=1e-6)
    assert torch.equal(noised(x0, eps, torch.zeros(2)), x0)
    assert torch.equal(noised(x0, eps, torch.ones(2)), eps)
    by_frame = noised(x0, eps, torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]))
    assert torch.equal(by_frame[0, 1], eps[0, 1])
    assert torch.equal(by_frame[1, 1], x0[1, 1])


def quantile(cdf_inverse, q):
    return float(cdf_inverse(torch.tensor(q, dtype=torch.float64)))


@pytest.mark.parametrize("density", [waver, shifted])
def test_02_schedule_moments(density):
    """Levels lie in [0, 1] and rise with u; quantiles are those of the formulas, inverted numerically."""
    u = torch.linspace(0, 1, 10_001, dtype=torch.float64)
    s = density(u)
    assert (s[0], s[-1]) == (0, 1)
    assert bool((s.diff() > 0).all())
    for q in (0.05, 0.3, 0.5, 0.8, 0.95):
        low, high = 0.0, 1.0
        for _ in range(60):  # the level whose share of smaller ones is q, by bisection of the inverse
            middle = (low + high) / 2
            low, high = (middle, high) if inverse(density, middle) < q else (low, middle)
        assert abs(quantile(density, q) - low) < 1e-3
        drawn = density(torch.rand(200_000, generator=torch.Generator().manual_seed(1)).double())
        assert abs(float((drawn < low).double().mean()) - q) < 5e-3


def inverse(density, s):
    """The u of a level: unshift by hand, then Newton's method on the published formula of tau."""
    rest = 1 - s / (SHIFT - (SHIFT - 1) * s)
    if density is shifted:
        return 1 - rest
    low, high = 0.0, 1.0
    for _ in range(60):
        u = (low + high) / 2
        tau = 1 - u - 1.29 * (math.cos(math.pi * u / 2) ** 2 - 1 + u)
        low, high = (u, high) if tau > rest else (low, u)
    return low


MEAN, WIDTH = 0.7, 0.5


def floor(s):
    """The least mean squared error of velocities at level s for data N(MEAN, WIDTH^2): a conditional
    variance.

    v = eps - x0 and x_s are jointly normal: Var v - Cov(v, x_s)^2 / Var x_s.
    """
    covariance = s - (1 - s) * WIDTH**2
    return 1 + WIDTH**2 - covariance**2 / ((1 - s) ** 2 * WIDTH**2 + s**2)


def test_03_flow_floor():
    """A small network comes within 5% of the closed form, level by level; saying nothing costs E|eps -
    x0|^2."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 1500)

    def draw(count, s):
        x0, eps = MEAN + WIDTH * torch.randn(count), torch.randn(count)
        return torch.stack([noised(x0, eps, s), s], -1), velocity(x0, eps)

    for _ in range(1500):
        inputs, target = draw(1024, torch.rand(1024))
        loss = (net(inputs)[:, 0] - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    for level in (0.1, 0.3, 0.5, 0.7, 0.9):
        inputs, target = draw(400_000, torch.full((400_000,), level))
        with torch.no_grad():
            error = float((net(inputs)[:, 0] - target).square().mean())
        assert 0.99 * floor(level) < error < 1.05 * floor(level)
        silent = float(target.square().mean())
        assert abs(silent - (1 + WIDTH**2 + MEAN**2)) < 0.02 * silent


def exact(x, s_from, s_to):
    """Where the flow of N(MEAN, WIDTH^2) takes x: it keeps the number of standard deviations from the
    mean."""

    def spread(s):
        return math.sqrt((1 - s) ** 2 * WIDTH**2 + s**2)

    return (1 - s_to) * MEAN + spread(s_to) / spread(s_from) * (x - (1 - s_from) * MEAN)


def posterior(x, s):
    """E[x0 | x_s] of N(MEAN, WIDTH^2)."""
    gain = (1 - s) * WIDTH**2 / ((1 - s) ** 2 * WIDTH**2 + s**2)
    return MEAN + gain * (x - (1 - s) * MEAN)


def test_05_solver_is_of_second_order():
    """Halving the steps of UniPC quarters the error at least, on a flow whose solution is known."""
    x = torch.linspace(-2, 2, 9, dtype=torch.float64)
    start, end = 0.9, 0.1
    errors = []
    for steps in (8, 16, 32, 64):
        path = [start + (end - start) * i / steps for i in range(steps + 1)]
        errors.append(float((solve(posterior, x, path) - exact(x, start, end)).abs().max()))
    slopes = [math.log2(a / b) for a, b in pairwise(errors)]
    assert min(slopes) > 1.9
    assert errors[-1] < 1e-4


def test_05_solver_ends_without_noise():
    """The published path ends at level 0, where it jumps to the last prediction; more steps come closer."""
    x = torch.linspace(-2, 2, 9, dtype=torch.float64)
    path = levels(35)
    assert (path[0], path[-1]) == (0.999, 0.0)
    assert all(a > b for a, b in pairwise(path))
    errors = [
        float((solve(posterior, x, levels(steps)) - exact(x, 0.999, 0.0)).abs().max()) for steps in (35, 140)
    ]
    assert errors[1] < 0.4 * errors[0] < 0.02


def test_05_few_steps_with_an_oracle_are_exact():
    """If each velocity points at x0, the rollout arrives at x0, whatever noise comes in between."""
    generator = torch.Generator().manual_seed(0)
    x0 = torch.randn(2, 3, 4, generator=generator, dtype=torch.float64)
    drawn = []

    def noise(step):
        drawn.append(torch.randn(2, 3, 4, generator=generator, dtype=torch.float64))
        return drawn[-1]

    seen = []

    def predict(x, s):
        seen.append((x, s))
        return (x - x0) / s  # x = (1 - s) x0 + s eps, so eps - x0 = (x - x0) / s

    ends = (1600 / 1601, 15 / 16, 5 / 6, 5 / 8)
    done = few_steps(predict, noise, ends)
    torch.testing.assert_close(done.clean, x0, rtol=0, atol=1e-12)
    assert [s for _, s in seen] == list(ends)
    assert torch.equal(seen[0][0], drawn[0])
    torch.testing.assert_close(seen[2][0], x0 / 6 + drawn[2] * 5 / 6)
    assert torch.equal(done.noisy, seen[3][0])
    assert done.level == 5 / 8
    assert [float(shifted(torch.tensor(u))) for u in (0.75, 0.5, 0.25)] == pytest.approx(ends[1:])
