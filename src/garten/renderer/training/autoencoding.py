"""The autoencoder's stage: frames and geometry through one codec and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor

from garten.renderer.codec import Codec
from garten.renderer.pictures import to_images
from garten.renderer.renderer import Renderer
from garten.renderer.training.batches import Batches, generator_for
from garten.renderer.training.config import Config
from garten.renderer.training.inputs import geometry_of
from garten.renderer.training.pupil import Pupil
from garten.renderer.training.recipe import Groups
from garten.runs.team import ALONE, Team

MEASURED = 8
"""Batches by which the mean and size of latents are measured."""

SMALLEST = 1e-3
"""Size that channels of latents are taken to have at least: one that says nothing stays small."""


def picture_loss(made: Tensor, true: Tensor, *, edges: float) -> Tensor:
    """How far images [..., H, W] are from true ones: mean absolute errors of pixels and of their differences.

    Args:
        made: by the codec.
        true: images.
        edges: weight of the errors in differences between neighbours, right and below.
    """
    error = made - true
    slopes = error.diff(dim=-1).abs().mean() + error.diff(dim=-2).abs().mean()
    return error.abs().mean() + edges * slopes


class Autoencoding:
    """Learns to bring frames and geometry through latents."""

    def __init__(self, config: Config, renderer: Renderer, team: Team = ALONE) -> None:
        """Prepare to teach the codec of a renderer.

        Raises:
            RunError: the clips are not there or do not fit.
            RenderError: there are none that are long enough.
        """
        self.renderer, self._config, self._team = renderer, config, team
        self._batches = Batches(config, renderer, team)
        renderer.requires_grad_(False)
        renderer.codec.requires_grad_(True)
        weights = {f"codec.{name}": part for name, part in renderer.codec.named_parameters()}
        self._pupil = Pupil(weights, config.learning, steps=config.steps, team=team)

    def learn(self, step: int) -> dict[str, float]:
        """See `Recipe.learn`."""
        parts, told = self._config.data.accumulate, {"frames": 0.0, "geometry": 0.0}
        self._pupil.clear()
        for number in self._batches.numbers(step):
            for name, images in self._images(number).items():
                loss = self._loss(images) / parts
                loss.backward()  # type: ignore[no-untyped-call]
                told[name] += float(loss.detach())
        told = {name: self._team.sum(value) for name, value in told.items()}
        total = sum(told.values())
        return {"loss": total, **told, **self._pupil.step(total)}

    def _images(self, number: int) -> dict[str, Tensor]:
        """Frames, and geometry as it is encoded in other stages, of one batch."""
        clips = self._batches.clips(number)
        config, device = self._config, self.renderer.codec.mean.device
        generator = generator_for(config.seed, "inputs", number) if config.data.augment else None
        images = [geometry_of(clip, config.renderer, generator=generator) for clip in clips]
        return {
            "frames": to_images([clip.frames for clip in clips], device),
            "geometry": torch.cat(images).to(device),
        }

    def _loss(self, images: Tensor) -> Tensor:
        codec = self.renderer.codec
        latents, _ = codec.encode(images)
        made, _ = codec.decode(latents)
        return picture_loss(made, images, edges=self._config.edges)

    @contextmanager
    def finished(self) -> Iterator[Renderer]:
        """See `Recipe.finished`; latents of frames have mean 0 and size 1, by channel."""
        codec = self.renderer.codec
        before = codec.mean.clone(), codec.size.clone()
        with self._pupil.averaged():
            device = codec.mean.device
            batches = (
                to_images([clip.frames for clip in self._batches.clips(number)], device)
                for number in range(MEASURED)
            )
            measure(codec, batches)
            try:
                yield self.renderer
            finally:
                codec.mean.copy_(before[0])
                codec.size.copy_(before[1])

    def groups(self) -> dict[str, Mapping[str, Tensor]]:
        """See `Recipe.groups`."""
        return {"renderer": self.renderer.state_dict(), **self._pupil.groups("renderer")}

    def restore(self, groups: Groups) -> None:
        """See `Recipe.restore`."""
        self.renderer.load_state_dict(groups["renderer"])
        self._pupil.restore("renderer", groups)


@torch.no_grad()
def measure(codec: Codec, batches: Iterator[Tensor]) -> None:
    """Let the latents of these frames [B, T, 3, H, W] have mean 0 and size 1, by channel."""
    raw = [codec.encode(frames)[0] * codec.size + codec.mean for frames in batches]
    values = torch.cat([part.transpose(0, 2).flatten(1) for part in raw], 1)
    codec.mean.copy_(values.mean(1)[:, None, None])
    codec.size.copy_(values.std(1).clamp(min=SMALLEST)[:, None, None])
