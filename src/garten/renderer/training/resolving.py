"""The last stage: what is decoded and what is carried become what is shown, on the renderer's own streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor

from garten.renderer.data.clip import Clip
from garten.renderer.pictures import to_images
from garten.renderer.renderer import Renderer
from garten.renderer.session import Session, draw_together, show_together, shown_together
from garten.renderer.training.autoencoding import picture_loss
from garten.renderer.training.batches import Batches, generator_for
from garten.renderer.training.config import Config
from garten.renderer.training.extras import sides
from garten.renderer.training.pupil import Pupil
from garten.renderer.training.recipe import Groups
from garten.runs.team import ALONE, Team


class Resolving:
    """Learns to blend carried frames into decoded ones.

    Clips are streamed as in use, with all that is resolved carried on, so that the network meets the blur
    and the errors that it left itself. Gradients go from frame to frame within a block, for what is held now
    is seen for long; none go into the rest of the renderer.
    """

    def __init__(self, config: Config, renderer: Renderer, team: Team = ALONE) -> None:
        """Prepare to teach the resolve of a renderer, which has one.

        Raises:
            RunError: the clips are not there or do not fit.
            RenderError: there are none that are long enough.
        """
        self.renderer, self._config, self._team = renderer, config, team
        self._batches = Batches(config, renderer, team)
        renderer.requires_grad_(False)
        assert renderer.resolve is not None, "checked settings have one"
        renderer.resolve.requires_grad_(True)
        weights = {f"resolve.{name}": part for name, part in renderer.resolve.named_parameters()}
        self._pupil = Pupil(weights, config.learning, steps=config.steps, team=team)

    def learn(self, step: int) -> dict[str, float]:
        """See `Recipe.learn`; `decoded` is what the loss would be without a resolve."""
        told = {"loss": 0.0, "decoded": 0.0}
        self._pupil.clear()
        for number in self._batches.numbers(step):
            for loss, decoded in self._blocks(number):
                loss.backward()  # type: ignore[no-untyped-call]
                told["loss"] += float(loss.detach())
                told["decoded"] += float(decoded)
        told = {name: self._team.sum(value) for name, value in told.items()}
        return {**told, **self._pupil.step(told["loss"])}

    def _blocks(self, number: int) -> Iterator[tuple[Tensor, Tensor]]:
        """By block of a batch, its part of the loss: of what is shown, and of what is decoded."""
        config, clips = self._config, self._batches.clips(number)
        generator = generator_for(config.seed, "hidden", number)
        block, parts = config.renderer.block_frames, config.data.blocks * config.data.accumulate
        sessions = self._begun(clips, number)
        for first in range(1, 1 + config.data.blocks * block, block):
            frames = range(first, first + block)
            conditions = [[clip.condition(t) for t in frames] for clip in clips]
            for session in sessions:
                if float(torch.rand((), generator=generator)) < config.data.forget:
                    session.hide(sides(1, clips[0].depth.shape[1:], generator=generator)[0])
            drawn = draw_together(sessions, conditions)
            shown, truth = shown_together(sessions, drawn)
            true = to_images([clip.frames[first : first + block] for clip in clips], shown.device)
            yield (
                picture_loss(shown, true, edges=config.edges) / parts,
                picture_loss(drawn.images, true, edges=config.edges) / parts,
            )
            show_together(sessions, drawn, shown.detach(), truth.detach())

    def _begun(self, clips: list[Clip], number: int) -> list[Session]:
        """Sessions that have their reference frames."""
        generator = generator_for(self._config.seed, "inputs", number)
        seeds = torch.randint(2**62, (len(clips),), generator=generator).tolist()
        sessions = [
            Session(self.renderer, caption=clip.about.caption, seed=seed, depth_scale=clip.about.depth_scale)
            for clip, seed in zip(clips, seeds, strict=True)
        ]
        for session, clip in zip(sessions, clips, strict=True):
            session.start(clip.frames[0], clip.condition(0))
        return sessions

    @contextmanager
    def finished(self) -> Iterator[Renderer]:
        """See `Recipe.finished`."""
        with self._pupil.averaged():
            yield self.renderer

    def groups(self) -> dict[str, Mapping[str, Tensor]]:
        """See `Recipe.groups`."""
        return {"renderer": self.renderer.state_dict(), **self._pupil.groups("renderer")}

    def restore(self, groups: Groups) -> None:
        """See `Recipe.restore`."""
        self.renderer.load_state_dict(groups["renderer"])
        self._pupil.restore("renderer", groups)
