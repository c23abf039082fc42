"""Adversarial Forcing: a few-step student learns on its own rollouts, from two scores and a judge.

The student's frames should be as likely as those of the teacher. Noise is put on a rollout; the difference
between what the fake score, which learns the student's frames, and the teacher make of it points there:
distribution matching ("DMD2", Yin et al., 2024). Both look at whole clips, with the reference known.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from garten.renderer.blocks import Clip, bidirectional_chunks, velocities
from garten.renderer.discriminator import Eye, Head, judge_loss, maker_loss
from garten.renderer.flow import clean, noised, shifted, velocity
from garten.renderer.network import Network
from garten.renderer.penalty import WEIGHT, exact_penalty
from garten.renderer.prefix import Prefix

GUIDANCE = 6.0
"""How far the teacher goes beyond what the caption changes. [code]"""

LEAST = 1e-5
"""Of the size that differences are divided by. [code]"""

ADVERSARIAL = 0.01
"""Weight of the judge in the student's loss, and of the penalties in the judge's. [code]"""


@dataclass(frozen=True)
class Shared:
    """What one step draws once, for both scores and for both clips of the judge's pairs."""

    level: Tensor  # [B]
    eps: Tensor  # [B, F, C, h, w]


def draw_shared(like: Tensor, *, generator: torch.Generator) -> Shared:
    """Levels ``shifted(u)`` for uniform u, and noise, for target frames like these."""
    level = shifted(torch.rand(len(like), generator=generator))
    eps = torch.randn(like.shape, generator=generator)
    return Shared(level.to(like.device), eps.to(like.device))


def matching_loss(x: Tensor, fake: Tensor, teacher: Tensor) -> Tensor:
    """The loss whose gradient is that of distribution matching: ``(fake - teacher) / norm / numel``.

    Args:
        x: generated frames, with graph, [B, ...].
        fake: what the fake score makes of them once noisy.
        teacher: what the teacher makes of them; ``norm`` is the mean of |x - teacher| by sample.
    """
    with torch.no_grad():
        norm = (x - teacher).abs().flatten(1).mean(1).clamp(min=LEAST)
        gradient = (fake - teacher) / norm.view(-1, *(1,) * (x.ndim - 1))
        target = x.double() - gradient.double()
    return 0.5 * (x.double() - target).square().mean()


def score(
    network: Network,
    clip: Clip,
    prefix: Prefix,
    noisy: Tensor,
    level_B: Tensor,
    *,
    silent: Prefix | None = None,
    guidance: float = GUIDANCE,
) -> Tensor:
    """The frames [B, F, C, h, w] that a network over whole clips makes of noisy ones.

    Args:
        network: teacher or fake score.
        clip: its reference and geometry are given.
        prefix: text and style.
        noisy: target frames.
        level_B: their noise levels.
        silent: the prefix of the empty caption, to move away from; None for no guidance.
        guidance: how far, 1 being none.
    """
    chunks = bidirectional_chunks(clip, noisy, level_B)
    v = velocities(network, chunks, prefix)
    if silent is not None:
        without = velocities(network, chunks, silent)
        v = without + guidance * (v - without)
    return clean(noisy, v, level_B)


def student_loss(
    x: Tensor,
    clip: Clip,
    prefix: Prefix,
    shared: Shared,
    *,
    teacher: Network,
    fake: Network,
    head: Head | None,
    silent: Prefix | None = None,
    adversarial: float = ADVERSARIAL,
) -> Tensor:
    """What the student is to lower; gradients go into x only.

    Args:
        x: frames of a rollout with their graph, from `replay`.
        clip: real frames of the same reference and geometry.
        prefix: text and style.
        shared: levels and noise.
        teacher: frozen.
        fake: learns in other turns.
        head: the judge's; None to do without.
        silent: the prefix of the empty caption, for guidance.
        adversarial: weight of the judge.
    """
    with torch.no_grad():
        z = noised(x, shared.eps, shared.level)
        by_fake = score(fake, clip, prefix, z, shared.level)
        by_teacher = score(teacher, clip, prefix, z, shared.level, silent=silent)
    loss = matching_loss(x, by_fake, by_teacher)
    if head is None:
        return loss
    eye = Eye(teacher, clip, prefix, shared.level, shared.eps)
    return loss + adversarial * (x * judged_gradient(x, eye, head)).sum()


def judged_gradient(x: Tensor, eye: Eye, head: Head) -> Tensor:
    """The gradient of `maker_loss` to frames x, without a graph: no other is kept through the replay's."""
    leaf = x.detach().requires_grad_()
    with torch.no_grad():
        real = head(eye.features(eye.clip.rgb[:, 1:]))
    (gradient,) = torch.autograd.grad(maker_loss(real, head(eye.features(leaf))), leaf)
    return gradient


def fake_loss(fake: Network, x: Tensor, clip: Clip, prefix: Prefix, shared: Shared) -> Tensor:
    """What the fake score is to lower on a rollout x: the mean squared error of velocities."""
    x = x.detach()
    z = noised(x, shared.eps, shared.level)
    v = velocities(fake, bidirectional_chunks(clip, z, shared.level), prefix)
    return (v - velocity(x, shared.eps)).square().mean()


def head_loss(x: Tensor, eye: Eye, head: Head, *, gamma: float = WEIGHT) -> Tensor:
    """What the judge is to lower on a rollout x: the pair's loss, and both penalties at a weight of 0.01 / 2.

    Args:
        x: generated frames.
        eye: of a frozen teacher; its clip holds the real frames.
        head: learns.
        gamma: of the penalties.
    """
    real, made = eye.clip.rgb[:, 1:], x.detach()
    with torch.no_grad():
        seen = [eye.features(frames) for frames in (real, made)]
    loss = judge_loss(head(seen[0]), head(seen[1]))
    penalty = [exact_penalty(eye.teacher, eye.features, head, frames).mean() for frames in (real, made)]
    return loss + ADVERSARIAL * gamma / 2 * (penalty[0] + penalty[1])
