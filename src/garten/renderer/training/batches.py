"""The clips of each step: functions of the seed and the step's number alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from garten.renderer.data.clip import Clip
from garten.renderer.data.reader import Clips
from garten.renderer.renderer import Renderer
from garten.renderer.training.config import Config
from garten.renderer.training.extras import Extra
from garten.renderer.training.inputs import Batch, captions_of, check_size, latents_of
from garten.runs.team import ALONE, Team
from garten.seeds import derive


def generator_for(seed: int, *path: str | int) -> torch.Generator:
    """A generator on the CPU for one use of a seed."""
    return torch.Generator().manual_seed(derive(seed, *path))


def shared_parts(config: Config, team: Team) -> range:
    """Which batches of a step are this process's.

    Raises:
        RunError: they cannot be dealt evenly.
    """
    return team.share(config.data.accumulate, what="batches of a step", setting="data.accumulate")


def find_clips(config: Config) -> Clips:
    """The clips that a run learns from.

    Raises:
        RunError: a place holds no run of clips, or one of them has another size than the renderer.
        RenderError: a manifest cannot be read, or there are no clips that are long enough.
    """
    clips = Clips(
        [Path(place) for place in config.data.places],
        frames=1 + (config.clip_frames - 1) * config.renderer.codec.step,
        seed=derive(config.seed, "clips"),
        scale_jitter=config.data.scale_jitter,
    )
    check_size(clips.abouts, config.renderer)
    return clips


class Batches:
    """Reads clips and encodes them."""

    def __init__(
        self, config: Config, renderer: Renderer, team: Team = ALONE, *, extra: Extra | None = None
    ) -> None:
        """Find the clips.

        Args:
            config: of the run.
            renderer: with the codec.
            team: that deals the batches.
            extra: makes the further conditions.

        Raises:
            RunError: as `find_clips`.
            RenderError: as `find_clips`.
        """
        self._config, self._codec, self._team, self._extra = config, renderer.codec, team, extra
        self._clips = find_clips(config)

    def numbers(self, step: int) -> Iterator[int]:
        """The numbers of this process's batches of a step; a team deals them.

        Raises:
            RunError: they cannot be dealt evenly.
        """
        parts = self._config.data.accumulate
        return (step * parts + part for part in shared_parts(self._config, self._team))

    def clips(self, number: int) -> list[Clip]:
        """The clips of batch `number`.

        Raises:
            RenderError: a clip cannot be read.
        """
        return self._clips.batch(number, self._config.data.batch)

    def __call__(self, number: int) -> Batch:
        """Batch `number`, in latents.

        Raises:
            RenderError: a clip cannot be read.
        """
        config, clips = self._config, self.clips(number)
        generator = generator_for(config.seed, "inputs", number)
        latents = latents_of(
            clips,
            config.renderer,
            self._codec,
            generator=generator,
            augment=config.data.augment,
            extra=self._extra,
            spoil=config.spoil and config.stage == "causal",
        )
        captions = captions_of(clips, silent=config.data.silent, generator=generator)
        return Batch(latents, captions, tuple(clip.carry for clip in clips))
