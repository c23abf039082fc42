"""Stages 1 and 2: whole clips at once, and block by block after true history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor

from garten.renderer.forcing import bidirectional_loss, forcing_loss
from garten.renderer.renderer import Renderer
from garten.renderer.training.batches import Batches, generator_for
from garten.renderer.training.config import Config
from garten.renderer.training.dealt import gathered, meeting
from garten.renderer.training.extras import extra_for
from garten.renderer.training.inputs import Batch
from garten.renderer.training.pupil import Pupil
from garten.renderer.training.recipe import Groups, learned_weights
from garten.runs.team import ALONE, Team


class Forced:
    """Learns velocities of true clips."""

    def __init__(self, config: Config, renderer: Renderer, team: Team = ALONE) -> None:
        """Prepare to teach a renderer whose codec is trained.

        Raises:
            RunError: the clips are not there or do not fit, or nothing makes the further conditions.
            RenderError: there are none that are long enough.
        """
        self.renderer, self._config, self._team = renderer, config, team
        at_once = config.whole_frames if config.stage == "bidirectional" else config.renderer.block_frames
        told = extra_for(renderer, block_frames=at_once, forget=config.data.forget)
        self._batches = Batches(config, renderer, team, extra=told)
        networks = [renderer.network, *([] if renderer.captions is None else [renderer.captions])]
        self._meeting = meeting(*networks, deal=config.learning.deal, team=team)
        weights = learned_weights(renderer, config)
        self._pupil = Pupil(weights, config.learning, steps=config.steps, team=team)

    def learn(self, step: int) -> dict[str, float]:
        """See `Recipe.learn`."""
        parts, total = self._config.data.accumulate, 0.0
        self._pupil.clear()
        for number in self._batches.numbers(step):
            batch, generator = self._batches(number), generator_for(self._config.seed, "loss", number)
            loss = self._meeting(partial(self._loss, batch, generator)) / parts
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        total = self._team.sum(total)
        return {"loss": total, **self._pupil.step(total)}

    def _loss(self, batch: Batch, generator: torch.Generator) -> Tensor:
        network, config = self.renderer.network, self._config
        prefix, recompute = self.renderer.prefixes(batch.captions), config.learning.recompute
        if config.stage == "bidirectional":
            return bidirectional_loss(network, batch.clip, prefix, generator=generator, recompute=recompute)
        return forcing_loss(
            network,
            batch.clip,
            prefix,
            block=config.renderer.block,
            generator=generator,
            window=config.renderer.clip_past,
            spoil=config.spoil,
            recompute=recompute,
        )

    @contextmanager
    def finished(self) -> Iterator[Renderer]:
        """See `Recipe.finished`."""
        with self._pupil.averaged():
            yield gathered(self.renderer)

    def groups(self) -> dict[str, Mapping[str, Tensor]]:
        """See `Recipe.groups`."""
        return {"renderer": self.renderer.state_dict(), **self._pupil.groups("renderer")}

    def restore(self, groups: Groups) -> None:
        """See `Recipe.restore`."""
        self.renderer.load_state_dict(groups["renderer"])
        self._pupil.restore("renderer", groups)
