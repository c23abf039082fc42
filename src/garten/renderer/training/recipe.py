"""What the stages of training have in common."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from torch import Tensor, nn

from garten.renderer.renderer import Renderer
from garten.renderer.subset import adapted_parts
from garten.renderer.training.config import Config

Groups = Mapping[str, Mapping[str, Tensor]]
"""Tensors by group and name."""


class Recipe(Protocol):
    """How a renderer learns in one stage."""

    renderer: Renderer

    def learn(self, step: int) -> dict[str, float]:
        """Take step `step`, counted from 0; what there is to tell of it.

        Raises:
            DivergedError: the loss is no longer finite; the weights are as before.
        """
        ...

    def finished(self) -> AbstractContextManager[Renderer]:
        """The renderer as it is to be used from here on: averaged, measured."""
        ...

    def groups(self) -> dict[str, Mapping[str, Tensor]]:
        """All that is needed to go on exactly, between two steps."""
        ...

    def restore(self, groups: Groups) -> None:
        """Go on from what `groups` returned."""
        ...


def learned_weights(renderer: Renderer, config: Config) -> dict[str, nn.Parameter]:
    """The weights of network and captions that learn in a stage; the others are frozen.

    A network that was trained before adapts by the published subset. Captions learn with the network, until
    it learns from its own rollouts.
    """
    renderer.requires_grad_(False)
    stage = config.stage
    assert stage != "ae", "the autoencoder is another recipe's"
    assert stage != "resolve", "so is the resolve"
    if config.learning.learns == "adapted":
        parts = {f"network.{name}": part for name, part in adapted_parts(renderer.network, stage)}
    else:
        parts = {f"network.{name}": part for name, part in renderer.network.named_parameters()}
        if renderer.captions is not None and stage != "adversarial":
            parts |= {f"captions.{name}": part for name, part in renderer.captions.named_parameters()}
    for part in parts.values():
        part.requires_grad_(True)
    return parts
