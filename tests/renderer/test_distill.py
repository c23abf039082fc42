"""Acceptance tests 21 to 25: distribution matching, whose turn it is, who learns, and the judge's losses."""

import copy
import math
from collections import Counter

import pytest
import torch
from torch import nn

from garten.renderer.clock import Clock, rollout_windows
from garten.renderer.discriminator import Eye, Head, judge_loss, maker_loss, tapped_layers
from garten.renderer.distill import (
    draw_shared,
    fake_loss,
    judge_step,
    judged_gradient,
    matching,
    matching_loss,
    pull_of,
    score,
    student_loss,
)
from garten.renderer.flow import clean, noised, shifted, velocity
from garten.renderer.presets import PAPER, TINY
from garten.renderer.replay import replay, roll_out
from garten.renderer.window import Window
from renderer.small import clip, long, network, prefix


def test_21_dmd_gradient():
    """dL/dx is (fake - teacher) / norm / numel; nothing where they agree; the size never divides by zero."""
    torch.manual_seed(0)
    x, fake, teacher = torch.randn(3, 3, 4, 2, 2, 2)
    x.requires_grad_()
    (grad,) = torch.autograd.grad(matching_loss(x, matching(x, fake, teacher).gradient), x)
    norm = (x - teacher).detach().abs().mean((1, 2, 3, 4), keepdim=True)
    torch.testing.assert_close(grad, (fake - teacher) / norm / x.numel(), rtol=1e-6, atol=0)
    (none,) = torch.autograd.grad(matching_loss(x, matching(x, teacher, teacher).gradient), x)
    assert not none.any()
    (clamped,) = torch.autograd.grad(matching_loss(x, matching(x, fake, x.detach()).gradient), x)
    torch.testing.assert_close(clamped, (fake - x.detach()) / 1e-5 / x.numel(), rtol=1e-5, atol=0)


def roles(*, samples=2, blocks=2):
    """A student, a frozen teacher, a fake score, a head, real clips and a rollout of the student."""
    data, text = clip(blocks=blocks, samples=samples), prefix(samples=samples)
    student, teacher, fake = (network(seed=seed) for seed in (0, 1, 2))
    teacher.requires_grad_(False)
    torch.manual_seed(3)
    head = Head(TINY.network.width, taps=2, heads=3)
    rollout = roll_out(student, long(), data, text, steps=2, seeds=list(range(samples)))
    shared = draw_shared(rollout.clean, generator=torch.Generator().manual_seed(5))
    return student, teacher, fake, head, data, text, rollout, shared


def test_21_scores_give_the_student_no_gradient():
    """All the student learns comes through its own frames; the gradient there is the formula's."""
    student, teacher, fake, _, data, text, rollout, shared = roles()
    x = replay(student, long(), data, text, rollout)
    leaf = x.detach().requires_grad_()
    loss = student_loss(leaf, pull_of(leaf, data, text, shared, teacher=teacher, fake=fake, head=None))
    (grad,) = torch.autograd.grad(loss, leaf)
    with torch.no_grad():
        z = noised(leaf, shared.eps, shared.level)
        a, b = (score(net, data, text, z, shared.level) for net in (fake, teacher))
        norm = (leaf - b).abs().mean((1, 2, 3, 4), keepdim=True)
    torch.testing.assert_close(grad, (a - b) / norm / leaf.numel(), rtol=1e-5, atol=1e-9)
    loss = student_loss(x, pull_of(x, data, text, shared, teacher=teacher, fake=fake, head=None))
    loss.backward()
    assert all(part.grad is None for part in (*teacher.parameters(), *fake.parameters()))
    assert all(part.grad is not None for part in student.parameters())


def test_guidance_moves_away_from_the_empty_caption():
    _, teacher, _, _, data, text, _, shared = roles()
    z, silent = torch.randn_like(data.rgb[:, 1:]), prefix(samples=2, seed=8)
    plain, without = (score(teacher, data, p, z, shared.level) for p in (text, silent))
    torch.testing.assert_close(
        score(teacher, data, text, z, shared.level, silent=silent),
        without + 6 * (plain - without),
        rtol=1e-4,
        atol=1e-5,
    )
    assert torch.equal(score(teacher, data, text, z, shared.level, silent=text), plain)


MODES = 2.0 * torch.tensor([[math.cos(a), math.sin(a)] for a in (0.3, 2.4, 4.5)])
SPREAD = 0.25


def mixture(count, generator):
    chosen = MODES[torch.randint(3, (count,), generator=generator)]
    return chosen + SPREAD * torch.randn(count, 2, generator=generator)


def mixture_posterior(z, s):
    """E[x0 | z] for the mixture, in closed form."""
    s = s[:, None]
    variance = (1 - s) ** 2 * SPREAD**2 + s**2
    offset = z[:, None] - (1 - s)[..., None] * MODES
    weight = torch.softmax(-0.5 * offset.square().sum(-1) / variance, 1)
    gain = (1 - s) * SPREAD**2 / variance
    each = MODES + gain[..., None] * offset
    return (weight[..., None] * each).sum(1)


def energy_distance(a, b):
    return float(2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean())


def net(inputs):
    return nn.Sequential(nn.Linear(inputs, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 2))


def test_22_dmd_toy():
    """A student of one step reaches the three modes of its teacher: the energy distance falls fivefold."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(0)
    student, fake = net(2), net(3)
    learn = torch.optim.Adam(student.parameters(), lr=1e-3, betas=(0.0, 0.999))
    follow = torch.optim.Adam(fake.parameters(), lr=2e-3, betas=(0.0, 0.999))

    def denoised(z, s):
        return clean(z, fake(torch.cat([z, s[:, None]], 1)), s)

    def draw(count):
        return torch.randn(count, 2, generator=generator), shifted(torch.rand(count, generator=generator))

    def distance():
        with torch.no_grad():
            return energy_distance(student(draw(2000)[0]), mixture(2000, generator))

    before = distance()
    for iteration in range(1200):
        noise, s = draw(256)
        eps = torch.randn(256, 2, generator=generator)
        if iteration % 3 == 0:
            x = student(noise)
            z = noised(x.detach(), eps, s)
            loss = matching_loss(x, matching(x, denoised(z, s), mixture_posterior(z, s)).gradient)
            optimizer = learn
        else:
            with torch.no_grad():
                x = student(noise)
            predicted = fake(torch.cat([noised(x, eps, s), s[:, None]], 1))
            loss = (predicted - velocity(x, eps)).square().mean()
            optimizer = follow
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    after = distance()
    assert after <= before / 5
    with torch.no_grad():
        nearest = torch.cdist(student(draw(2000)[0]), MODES).argmin(1)
    assert min(Counter(nearest.tolist()).values()) > 300


def test_23_clock():
    """After the warm-up each student's turn is followed by five of the fake score; a resumed run goes on
    alike."""
    clock = Clock(seed=3)
    turns = [clock.turn(i) for i in range(70)]
    assert turns[:10] == ["judge"] * 10
    assert turns[10:] == ["student", *["fake"] * 5] * 10
    steps = [clock.steps(i, 4) for i in range(4000)]
    assert set(steps) == {1, 2, 3, 4}
    assert all(abs(steps.count(n) - 1000) < 120 for n in (1, 2, 3, 4))
    assert [Clock(seed=3).steps(i, 4) for i in range(40, 60)] == steps[40:60]
    assert [Clock(seed=4).steps(i, 4) for i in range(40)] != steps[:40]
    published = (Window(0, 48), Window(1, 48), Window(5, 44))
    assert rollout_windows(PAPER.window) == published
    windows = Counter(clock.window(i, published) for i in range(300))
    assert set(windows) == set(published)
    for served in (TINY.window, Window(sink=1, recent=2), Window(sink=0, recent=4)):
        for window in rollout_windows(served):
            window.check(TINY.block)
    assert [Clock(seed=0, fakes=2, warm_up=0).turn(i) for i in range(4)] == [
        "student",
        "fake",
        "fake",
        "student",
    ]


def weights(module):
    return copy.deepcopy(module.state_dict())


def unchanged(module, before):
    return all(torch.equal(part, before[name]) for name, part in module.state_dict().items())


def test_24_roles_frozen():
    """In each turn just those learn whose turn it is; the teacher never does."""
    student, teacher, fake, head, data, text, rollout, shared = roles()
    parts = {"student": student, "teacher": teacher, "fake": fake, "head": head}
    optimizers = {
        name: torch.optim.AdamW(parts[name].parameters(), lr=1e-3) for name in ("student", "fake", "head")
    }
    eye = Eye(teacher, data, text, shared.level, shared.eps)

    def of_student():
        x = replay(student, long(), data, text, rollout)
        return student_loss(x, pull_of(x, data, text, shared, teacher=teacher, fake=fake, head=head))

    turns = {
        "student": (of_student, {"student"}),
        "fake": (lambda: fake_loss(fake, rollout.clean, data, text, shared), {"fake"}),
        "head": (lambda: judge_step(rollout.clean, eye, head).loss, {"head"}),
    }
    for loss, learning in turns.values():
        before = {name: weights(part) for name, part in parts.items()}
        loss().backward()
        for name in learning:
            optimizers[name].step()
        for optimizer in optimizers.values():
            optimizer.zero_grad()
        for name, part in parts.items():
            assert unchanged(part, before[name]) == (name not in learning), (name, learning)


def test_24_a_turn_gives_gradient_to_nobody_else():
    student, teacher, fake, head, data, text, rollout, shared = roles()
    x = replay(student, long(), data, text, rollout)
    student_loss(x, pull_of(x, data, text, shared, teacher=teacher, fake=fake, head=head)).backward()
    assert all(part.grad is None for net in (teacher, fake, head) for part in net.parameters())
    eye = Eye(teacher, data, text, shared.level, shared.eps)
    judge_step(x, eye, head).loss.backward()
    assert all(part.grad is None for net in (teacher, fake) for part in net.parameters())
    fake_loss(fake, x, data, text, shared).backward()
    assert all(part.grad is not None for part in fake.parameters())


def test_25_relativistic():
    """ln 2 at equal logits, the roles mirror each other, and each pulls its own way."""
    a, b = torch.randn(2, 8).requires_grad_().unbind()
    assert float(judge_loss(a, a).detach()) == pytest.approx(math.log(2))
    assert float(maker_loss(b, b).detach()) == pytest.approx(math.log(2))
    torch.testing.assert_close(judge_loss(a, b), maker_loss(b, a))
    real, made = torch.autograd.grad(judge_loss(a, b), (a, b))
    assert bool((real < 0).all())
    assert bool((made > 0).all())
    real, made = torch.autograd.grad(maker_loss(a, b), (a, b))
    assert bool((real > 0).all())
    assert bool((made < 0).all())


def test_25_the_pair_shares_level_and_noise():
    """Equal frames look equal, whichever is called real; what differs comes from the frames alone."""
    _, teacher, _, head, data, text, rollout, shared = roles()
    eye = Eye(teacher, data, text, shared.level, shared.eps)
    real = data.rgb[:, 1:]
    with torch.no_grad():
        assert torch.equal(head(eye.features(real)), head(eye.features(real.clone())))
        assert not torch.equal(head(eye.features(real)), head(eye.features(rollout.clean)))
    gradient = judged_gradient(rollout.clean, eye, head)
    x = rollout.clean.clone().requires_grad_()
    with torch.no_grad():
        logit = head(eye.features(real))
    (wanted,) = torch.autograd.grad(maker_loss(logit, head(eye.features(x))), x)
    assert torch.equal(gradient, wanted)
    # Injected as sum(x * g), it is the gradient at x.
    (injected,) = torch.autograd.grad((x * gradient).sum(), x)
    assert torch.equal(injected, wanted)


def test_taps_lie_at_thirds():
    assert tapped_layers(36) == (12, 24, 36)
    assert tapped_layers(6) == (2, 4, 6)
    assert tapped_layers(2) == (1, 2)
    _, teacher, _, _, data, text, _, shared = roles()
    eye = Eye(teacher, data, text, shared.level, shared.eps)
    seen = eye.features(data.rgb[:, 1:])
    assert [x.shape for x in seen] == [(2, 4 * teacher.frame_tokens, TINY.network.width)] * 2
