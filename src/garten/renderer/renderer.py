"""A whole renderer: codec, network, captions and resolve, with the settings that made them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from garten.renderer.captions import CaptionEncoder
from garten.renderer.codec import Codec
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix, blank
from garten.renderer.resolve import Resolve
from garten.renderer.settings import RendererSettings, check


class Renderer(nn.Module):
    """Everything that has weights."""

    def __init__(self, settings: RendererSettings) -> None:
        """A renderer with random weights, drawn from torch's generator.

        Raises:
            ValueError: the settings do not fit together.
        """
        super().__init__()
        check(settings)
        self.settings = settings
        self.codec = Codec(settings.codec)
        self.network = Network(settings)
        text = settings.captions.tokens > 0
        self.captions = CaptionEncoder(settings.captions, settings.network) if text else None
        self.resolve = Resolve(settings.resolve) if settings.resolve else None

    def prefix(self, caption: str) -> Prefix:
        """Text and style of one sample by the renderer's own encoder."""
        return self.prefixes([caption])

    def prefixes(self, captions: Sequence[str]) -> Prefix:
        """Text and style of a batch of samples."""
        if self.captions is not None:
            made: Prefix = self.captions(captions)
            return made
        shape = self.settings.network
        like = torch.zeros(1, 1, shape.kv_heads, shape.head, dtype=self.network.dtype)
        return blank(shape.layers, like.to(self.network.tokens_in.weight.device), samples=len(captions))


def build(settings: RendererSettings, *, seed: int) -> Renderer:
    """A renderer whose random weights depend on the seed alone.

    Raises:
        ValueError: the settings do not fit together.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Renderer(settings)
