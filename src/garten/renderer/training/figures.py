"""Figures of health: whether a stage on own rollouts is going well, which its losses do not tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from garten.renderer.distill import Judged, Pull
from garten.runs.team import Team


class Means:
    """Means of figures that are added one batch after the other."""

    def __init__(self, team: Team) -> None:
        """No figures yet; a team adds as many in each process."""
        self._team = team
        self._values: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, figures: Mapping[str, float]) -> None:
        """Take in the figures of a batch."""
        for name, value in figures.items():
            self._values[name].append(value)

    def __call__(self) -> dict[str, float]:
        """The means so far, by name."""
        return {
            name: self._team.sum(sum(values)) / (len(values) * self._team.size)
            for name, values in self._values.items()
        }


def of_pull(pull: Pull, *, adversarial: float) -> dict[str, float]:
    """Of a student's batch.

    ``matching_rms`` of the gradient of distribution matching, and ``matching_norm``, by which it was divided;
    ``judge_share``, the length of the judge's gradient, weighed, by that of both together.
    """
    gradient = pull.matching.gradient
    told = {
        "matching_rms": float(gradient.square().mean().sqrt()),
        "matching_norm": float(pull.matching.norm.mean()),
    }
    if pull.judged is not None:
        own, other = adversarial * float(pull.judged.norm()), float(gradient.norm()) / gradient.numel()
        told["judge_share"] = own / max(own + other, 1e-30)
    return told


def of_judge(judged: Judged) -> dict[str, float]:
    """Of the judge's batch: its loss, the share of pairs it tells apart, by what margin, both penalties."""
    margin = judged.real.detach() - judged.made.detach()
    return {
        "judge_loss": float(judged.loss.detach()),
        "judge_accuracy": float((margin > 0).float().mean()),
        "judge_margin": float(margin.mean()),
        "r1": float(judged.r1.detach()),
        "r2": float(judged.r2.detach()),
    }


def share_beyond(whole: Sequence[Tensor], without: Sequence[Tensor]) -> float:
    """The length of what gradients have beyond others, by their own."""
    apart = torch.stack([(a - b).norm() for a, b in zip(whole, without, strict=True)]).norm()
    length = torch.stack([part.norm() for part in whole]).norm()
    return float(apart / length.clamp(min=1e-12))
