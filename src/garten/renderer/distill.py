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


@dataclass(frozen=True)
class Matching:
    """Where distribution matching pulls frames."""

    gradient: Tensor  # [B, ...]: (fake - teacher) / norm
    norm: Tensor  # [B]


@torch.no_grad()
def matching(x: Tensor, fake: Tensor, teacher: Tensor) -> Matching:
    """The pull of distribution matching.

    Args:
        x: generated frames [B, ...].
        fake: what the fake score makes of them once noisy.
        teacher: what the teacher makes of them; the norm is the mean of |x - teacher| by sample.
    """
    norm = (x - teacher).abs().flatten(1).mean(1).clamp(min=LEAST)
    return Matching((fake - teacher) / norm.view(-1, *(1,) * (x.ndim - 1)), norm)


def matching_loss(x: Tensor, gradient: Tensor) -> Tensor:
    """The loss of frames x, with graph, whose gradient is ``gradient / numel``."""
    target = x.detach().double() - gradient.double()
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


@dataclass(frozen=True)
class Pull:
    """Where a student's frames are pulled, and by whom."""

    matching: Matching
    judged: Tensor | None  # [B, F, C, h, w] gradient of the judge's part; None without a judge


def pull_of(
    x: Tensor,
    clip: Clip,
    prefix: Prefix,
    shared: Shared,
    *,
    teacher: Network,
    fake: Network,
    head: Head | None,
    silent: Prefix | None = None,
    guidance: float = GUIDANCE,
) -> Pull:
    """Where the scores and the judge pull frames; no graph is kept.

    Args:
        x: frames of a rollout.
        clip: real frames of the same reference and geometry.
        prefix: text and style.
        shared: levels and noise.
        teacher: frozen.
        fake: learns in other turns.
        head: the judge's; None to do without.
        silent: the prefix of the empty caption, for guidance.
        guidance: of the teacher.
    """
    x = x.detach()
    with torch.no_grad():
        z = noised(x, shared.eps, shared.level)
        by_fake = score(fake, clip, prefix, z, shared.level)
        by_teacher = score(teacher, clip, prefix, z, shared.level, silent=silent, guidance=guidance)
    found = matching(x, by_fake, by_teacher)
    if head is None:
        return Pull(found, None)
    return Pull(found, judged_gradient(x, Eye(teacher, clip, prefix, shared.level, shared.eps), head))


def student_loss(x: Tensor, pull: Pull, *, adversarial: float = ADVERSARIAL) -> Tensor:
    """What the student is to lower.

    Args:
        x: frames of a rollout with their graph, from `replay`.
        pull: on these frames.
        adversarial: weight of the judge.
    """
    loss = matching_loss(x, pull.matching.gradient)
    return loss if pull.judged is None else loss + adversarial * (x * pull.judged).sum()


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


@dataclass(frozen=True)
class Judged:
    """What the judge says of pairs, and what it is to lower."""

    loss: Tensor
    real: Tensor  # [B] logits
    made: Tensor  # [B] logits
    r1: Tensor  # penalties, means over the batch
    r2: Tensor


def judge_step(x: Tensor, eye: Eye, head: Head, *, gamma: float = WEIGHT) -> Judged:
    """The pair's loss on a rollout x, and both penalties at a weight of 0.01 / 2.

    Args:
        x: generated frames.
        eye: of a frozen teacher; its clip holds the real frames.
        head: learns.
        gamma: of the penalties.
    """
    true, x = eye.clip.rgb[:, 1:], x.detach()
    with torch.no_grad():
        seen = [eye.features(frames) for frames in (true, x)]
    real, made = (head(features) for features in seen)
    r1, r2 = (exact_penalty(eye.teacher, eye.features, head, frames).mean() for frames in (true, x))
    return Judged(judge_loss(real, made) + ADVERSARIAL * gamma / 2 * (r1 + r2), real, made, r1, r2)
