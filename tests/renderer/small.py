"""Small renderers and clips made of noise."""

from dataclasses import replace

import torch

from garten.renderer.blocks import Clip
from garten.renderer.network import Network
from garten.renderer.prefix import Prefix
from garten.renderer.presets import TINY


def network(settings=TINY, *, seed=0, dtype=torch.float32):
    """A network all of whose weights, also those that begin at zero, are random."""
    torch.manual_seed(seed)
    made = Network(settings)
    with torch.no_grad():
        made.is_geometry.normal_(std=0.5)
        made.is_reference.normal_(std=0.5)
    return made.to(dtype)


def clip(settings=TINY, *, blocks=2, samples=1, seed=1):
    """Latents of a reference and so many blocks."""
    generator = torch.Generator().manual_seed(seed)
    frames, channels = 1 + blocks * settings.block, settings.codec.channels
    rgb = torch.randn(samples, frames, channels, *settings.latent_size, generator=generator)
    geometry = torch.randn(samples, frames, channels, *settings.geometry_size, generator=generator)
    return Clip(rgb, geometry)


def prefix(settings=TINY, *, tokens=3, samples=1, seed=2, dtype=torch.float32):
    """A prefix of random keys and values."""
    generator = torch.Generator().manual_seed(seed)
    shape = (samples, tokens, settings.network.kv_heads, settings.network.head)
    draw = [torch.randn(shape, generator=generator, dtype=dtype) for _ in range(2 * settings.network.layers)]
    return Prefix(tuple(draw[::2]), tuple(draw[1::2]))


def long(settings=TINY, *, frames=33):
    """The settings for clips of up to so many latent frames, with positions as they are."""
    return replace(settings, trained_frames=frames)
