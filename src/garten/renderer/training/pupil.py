"""Weights that learn: AdamW with a warm-up, bounded gradients, and the average of what it finds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from garten.errors import RunError
from garten.renderer.training.config import LearningSettings
from garten.renderer.training.dealt import is_dealt, whole
from garten.runs.team import ALONE, Team
from garten.runs.tensors import optimiser_state, restore_optimiser

FIRST = 0.1
"""Share of the learning rate that the warm-up begins with. [code]"""


class DivergedError(RunError):
    """A loss or a gradient became infinite, or no number."""


class Pupil:
    """Named weights under an optimiser."""

    def __init__(
        self,
        weights: Mapping[str, nn.Parameter],
        settings: LearningSettings,
        *,
        steps: int,
        rate: float | None = None,
        setting: str = "learning.rate",
        average: bool = True,
        team: Team = ALONE,
    ) -> None:
        """Prepare to teach weights.

        Args:
            weights: by name.
            settings: of the optimiser.
            steps: that these weights will take, over which the rate falls.
            rate: in place of that of the settings.
            setting: that says the rate.
            average: whether the average of the settings is kept for these weights.
            team: of processes that teach equal weights, and add up their gradients.
        """
        self.weights, self._settings, self._steps = dict(weights), settings, steps
        self._rate = settings.rate if rate is None else rate
        self._setting, self._team = setting, team
        self.done = 0
        self.optimiser = torch.optim.AdamW(
            self.weights.values(),
            self._rate,
            betas=settings.betas,
            eps=settings.epsilon,
            weight_decay=settings.weight_decay,
        )
        kept = average and settings.average > 0.0
        self.average = {name: part.detach().clone() for name, part in self.weights.items()} if kept else {}

    def clear(self) -> None:
        """Forget gradients."""
        self.optimiser.zero_grad(set_to_none=True)

    def step(self, loss: float, *, of: str = "loss") -> dict[str, float]:
        """Follow the gradients that there are.

        Args:
            loss: that they are of; all of it, where a team has worked out the gradients.
            of: what it is called.

        Returns:
            The length of the gradient before it was bounded, and the learning rate.

        Raises:
            DivergedError: the loss or a gradient is not finite; the weights are as before.
        """
        found = [part.grad for part in self.weights.values() if part.grad is not None]
        # Gradients that are dealt have been added up on the way.
        added = [gradient if is_dealt(gradient) else self._team.add_up(gradient) for gradient in found]
        norm = whole(nn.utils.get_total_norm(added))
        if not (math.isfinite(loss) and bool(torch.isfinite(norm))):
            raise DivergedError(
                f"The {of} or its gradient is no longer finite; start anew with a smaller learning rate, by "
                f"--set {self._setting}=..."
            )
        nn.utils.clip_grads_with_norm_(list(self.weights.values()), self._settings.clip, norm)
        rate = self._rate * self._share()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.done += 1
        self._remember()
        return {"gradient": float(norm), "learning_rate": rate}

    def _share(self) -> float:
        """Of the learning rate, at the step that comes."""
        settings = self._settings
        risen = min(1.0, self.done / settings.warm_up) if settings.warm_up else 1.0
        past = min(1.0, self.done / self._steps)
        fallen = settings.final + (1.0 - settings.final) * 0.5 * (1.0 + math.cos(math.pi * past))
        return (FIRST + (1.0 - FIRST) * risen) * fallen

    @torch.no_grad()
    def _remember(self) -> None:
        """Take the weights into their average, in which early ones soon count for nothing."""
        kept = min(self._settings.average, (1 + self.done) / (10 + self.done))
        for name, part in self.average.items():
            part.lerp_(self.weights[name], 1.0 - kept)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """While the context lasts, the weights are their average, if one is kept."""
        before = {name: self.weights[name].detach().clone() for name in self.average}
        self._set(self.average)
        try:
            yield
        finally:
            self._set(before)

    @torch.no_grad()
    def _set(self, values: Mapping[str, Tensor]) -> None:
        for name, value in values.items():
            self.weights[name].copy_(value)

    def groups(self, name: str) -> dict[str, dict[str, Tensor]]:
        """All that is needed to go on, beside the weights themselves, by groups whose names begin so."""
        return {
            f"{name}-optimiser": optimiser_state(self.optimiser),
            f"{name}-average": self.average,
            f"{name}-done": {"steps": torch.tensor(self.done)},
        }

    def restore(self, name: str, groups: Mapping[str, Mapping[str, Tensor]]) -> None:
        """Go on from what `groups` returned."""
        restore_optimiser(self.optimiser, groups[f"{name}-optimiser"])
        for part, value in groups[f"{name}-average"].items():
            self.average[part].copy_(value)
        self.done = int(groups[f"{name}-done"]["steps"])
