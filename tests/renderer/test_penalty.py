"""Acceptance tests 26 to 31: exact penalties of the judge, against brute force, differences and closed
forms."""

import time
from dataclasses import replace

import pytest
import torch
from memory import Peak
from torch import nn
from torch.func import jvp

from garten.renderer.discriminator import Eye, Head, tapped_layers
from garten.renderer.distill import judge_step
from garten.renderer.layers import attend
from garten.renderer.penalty import difference_penalty, exact_penalty
from garten.renderer.presets import TINY
from garten.renderer.tangent import (
    attend_plainly,
    attend_with_tangent,
    attention_tangent,
    prepare_forward_mode,
)
from renderer.small import clip, network, prefix


@pytest.fixture(autouse=True)
def prepared():
    prepare_forward_mode()


def judge(*, dtype=torch.float32, samples=2, blocks=2, settings=TINY):
    """A frozen teacher's view of clips, a head, and clips."""
    net = network(settings).to(dtype).requires_grad_(False)
    data = clip(settings, blocks=blocks, samples=samples)
    data = replace(data, rgb=data.rgb.to(dtype), geometry=data.geometry.to(dtype))
    eps = torch.randn_like(data.rgb[:, 1:])
    eye = Eye(
        net, data, prefix(settings, samples=samples, dtype=dtype), torch.linspace(0.3, 0.8, samples), eps
    )
    eye = replace(eye, level=eye.level.to(dtype))
    torch.manual_seed(4)
    taps = len(tapped_layers(settings.network.layers))
    head = Head(settings.network.width, taps=taps, heads=settings.network.heads).to(dtype)
    with torch.no_grad():
        for part in head.parameters():
            part.add_(0.1 * torch.randn_like(part))
    return eye, head, data.rgb[:, 1:]


def brute_force(eye, head, x):
    """|dD/dx|^2 with a graph to the head, by differentiating twice through everything."""
    leaf = x.detach().requires_grad_()
    logits = head(eye.features(leaf, attend_plainly))
    (g,) = torch.autograd.grad(logits.sum(), leaf, create_graph=True)
    return g.square().flatten(1).sum(1)


def relative(a, b):
    return float((a - b).detach().norm() / b.detach().norm().clamp(min=1e-30))


@pytest.mark.parametrize(("dtype", "limit"), [(torch.float64, 1e-10), (torch.float32, 1e-5)])
def test_26_exact_value_grad(dtype, limit):
    """Value and gradient to every weight of the head are those of double backward."""
    eye, head, x = judge(dtype=dtype)
    exact, wanted = exact_penalty(eye.teacher, eye.features, head, x), brute_force(eye, head, x)
    assert relative(exact, wanted) <= limit
    weights = dict(head.named_parameters())
    grads = [torch.autograd.grad(r.mean(), weights.values(), allow_unused=True) for r in (exact, wanted)]
    largest = max(float(g.norm()) for g in grads[1] if g is not None)
    for name, one, two in zip(weights, *grads, strict=True):
        if two is None:  # the last bias moves the logit and not its slope
            assert one is None or not one.any(), name
            continue
        assert float((one - two).norm()) <= limit * max(float(two.norm()), 0.01 * largest), name


def test_26_gradient_is_that_of_finite_differences():
    eye, head, x = judge(dtype=torch.float64, samples=1, blocks=1)
    weights = list(head.parameters())
    grads = torch.autograd.grad(
        exact_penalty(eye.teacher, eye.features, head, x).sum(), weights, allow_unused=True
    )
    generator = torch.Generator().manual_seed(0)
    for _ in range(5):
        along = [torch.randn(part.shape, generator=generator, dtype=torch.float64) for part in weights]
        slope = sum(float((g * d).sum()) for g, d in zip(grads, along, strict=True) if g is not None)
        values = []
        for step in (1e-5, -1e-5):
            with torch.no_grad():
                for part, d in zip(weights, along, strict=True):
                    part.add_(step * d)
                values.append(float(exact_penalty(eye.teacher, eye.features, head, x).sum()))
                for part, d in zip(weights, along, strict=True):
                    part.sub_(step * d)
        assert slope == pytest.approx((values[0] - values[1]) / 2e-5, rel=1e-5)


def test_26_the_head_by_second_order_gives_the_same():
    """The released form: s from two passes back through the head alone, in place of one forward."""
    eye, head, x = judge(dtype=torch.float64)
    z = [part.detach().requires_grad_() for part in eye.features(x)]
    leaf = x.detach().requires_grad_()
    (g,) = torch.autograd.grad(head(eye.features(leaf)).sum(), leaf)
    _, v = jvp(lambda t: tuple(eye.features(t, attend_plainly)), (x,), (g,))
    u = torch.autograd.grad(head(z).sum(), z, create_graph=True)
    s = 2 * sum((a * b).sum() for a, b in zip(u, v, strict=True))
    ours = exact_penalty(eye.teacher, eye.features, head, x).sum()
    weights = list(head.parameters())
    for one, two in zip(
        torch.autograd.grad(ours, weights, allow_unused=True),
        torch.autograd.grad(s, weights, allow_unused=True),
        strict=True,
    ):
        if one is not None and two is not None:
            torch.testing.assert_close(one, two, rtol=1e-9, atol=1e-12)


def test_27_surrogate():
    """It has the value of R, and its gradient goes to the head only."""
    eye, head, x = judge()
    x = x.clone().requires_grad_()
    penalty = exact_penalty(eye.teacher, eye.features, head, x)
    assert relative(penalty, brute_force(eye, head, x)) < 1e-5
    assert torch.autograd.grad(penalty.mean(), x, allow_unused=True, retain_graph=True) == (None,)
    penalty.mean().backward()
    assert all(part.grad is None for part in eye.teacher.parameters())


def test_27_gamma_weighs_the_gradient():
    """What the penalties add to the gradient of the judge's loss doubles with gamma."""
    eye, head, x = judge(dtype=torch.float64)
    weights = [part for name, part in head.named_parameters() if name != "logit.bias"]
    without, single, double = (
        torch.autograd.grad(judge_step(x + 1, eye, head, gamma=gamma).loss, weights)
        for gamma in (0.0, 30.0, 60.0)
    )
    assert relative(*(torch.cat([part.flatten() for part in parts]) for parts in (single, without))) > 0.1
    for none, one, two in zip(without, single, double, strict=True):
        torch.testing.assert_close(two - none, 2 * (one - none), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("hidden", [False, True])
def test_28_attention_jvp(groups, hidden):
    """The tangent is that of central differences and of torch.func.jvp, with shared keys and masks too."""
    torch.manual_seed(0)
    shapes = [(2, 150, 4, 8), (2, 9, 4 // groups, 8), (2, 9, 4 // groups, 8)]
    x, dx = ([torch.randn(shape, dtype=torch.float64) for shape in shapes] for _ in range(2))
    seen = torch.rand(2, 150, 9) < 0.6 if hidden else None
    if hidden:
        seen[:, :, 0] = True
    got = attention_tangent(tuple(x), tuple(dx), seen)
    _, wanted = jvp(lambda *parts: attend_plainly(*parts, seen), tuple(x), tuple(dx))
    torch.testing.assert_close(got, wanted, rtol=0, atol=1e-6)
    step = 1e-5
    ends = [attend(*(p + sign * step * d for p, d in zip(x, dx, strict=True)), seen) for sign in (1, -1)]
    torch.testing.assert_close(got, (ends[0] - ends[1]) / (2 * step), rtol=0, atol=1e-6)
    value, through = jvp(lambda *parts: attend_with_tangent(*parts, seen), tuple(x), tuple(dx))
    assert torch.equal(value, attend(*x, seen))
    assert torch.equal(through, got)


def test_28_rows_that_see_nothing():
    torch.manual_seed(0)
    x, dx = ([torch.randn(1, 3, 2, 4, dtype=torch.float64) for _ in range(3)] for _ in range(2))
    seen = torch.ones(1, 3, 3, dtype=torch.bool)
    seen[0, 1] = False
    got = attention_tangent(tuple(x), tuple(dx), seen)
    assert not got[0, 1].any()
    one_mask = attention_tangent(tuple(x), tuple(dx), torch.tensor([[[True, True, False]]]))
    short = attention_tangent((x[0], x[1][:, :2], x[2][:, :2]), (dx[0], dx[1][:, :2], dx[2][:, :2]))
    torch.testing.assert_close(one_mask, short)


@pytest.mark.slow
def test_29_cheaper():
    """At 1,500 tokens and more: at most 0.6 of the CPU time and of the memory of double backward."""
    settings = replace(TINY, width=160, height=96, block=4, trained_frames=29)
    eye, head, x = judge(samples=1, blocks=5, settings=settings)
    tokens = 21 * eye.teacher.frame_tokens
    assert tokens >= 1500
    spent = {}
    for name, penalty in (
        ("exact", lambda: exact_penalty(eye.teacher, eye.features, head, x)),
        ("double", lambda: brute_force(eye, head, x)),
    ):
        times = []
        for _ in range(3):
            start = time.process_time()
            penalty().mean().backward()
            times.append(time.process_time() - start)
        with Peak() as memory:
            penalty().mean().backward()
        spent[name] = sorted(times)[1], memory.most
    ratio = [a / b for a, b in zip(spent["exact"], spent["double"], strict=True)]
    assert max(ratio) <= 0.6, ratio


def test_30_unfrozen_refused():
    eye, head, x = judge()
    next(eye.teacher.parameters()).requires_grad_()
    with pytest.raises(ValueError, match="call requires_grad_"):
        exact_penalty(eye.teacher, eye.features, head, x)


def test_31_fd_estimator():
    """On a judge that is linear in x, finite differences estimate R without bias: within 3 standard
    errors."""
    torch.manual_seed(0)
    weight = torch.randn(12)

    class Sum(nn.Module):
        def forward(self, features):
            return (features[0] * weight).sum(-1)

    x = torch.randn(20_000, 12)
    generator = torch.Generator().manual_seed(1)

    def features(t, attention):
        return [t]

    drawn = difference_penalty(features, Sum(), x, sigma=0.05, generator=generator)
    exact = float(weight.square().sum())
    error = float(drawn.std() / len(drawn) ** 0.5)
    assert abs(float(drawn.mean()) - exact) < 3 * error
    assert error < 0.05 * exact
