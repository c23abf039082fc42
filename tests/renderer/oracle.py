"""Parts of renderers that need no training: codecs by rule, and a network that shows what it is told."""

from dataclasses import replace

import torch
from torch.nn.functional import avg_pool2d, pixel_shuffle, pixel_unshuffle

from garten.renderer.codec import Codec, CodecState
from garten.renderer.network import Network
from garten.renderer.presets import TINY
from garten.renderer.renderer import build

SETTINGS = replace(
    TINY,
    codec=replace(TINY.codec, channels=3 * TINY.codec.scale**2 * TINY.codec.step),
    network=replace(TINY.network, layers=1, history="reprojected"),
)


class Exact(Codec):
    """Pixels as latents."""

    def encode(self, frames, state=None):
        if state is None:
            frames = torch.cat([frames[:, :1]] * (self.step - 1) + [frames], 1)
        latents = pixel_unshuffle(frames, self.scale).unflatten(1, (-1, self.step)).flatten(2, 3)
        return latents, CodecState((latents[:, -1:],))

    def decode(self, latents, state=None):
        frames = pixel_shuffle(latents.unflatten(2, (self.step, -1)).flatten(1, 2), self.scale)
        return frames[:, self.step - 1 :] if state is None else frames, CodecState((latents[:, -1:],))


class Means(Codec):
    """The mean colours of squares as latents, which are a little larger than colours, as trained ones are."""

    def encode(self, frames, state=None):
        if state is None:
            frames = torch.cat([frames[:, :1]] * (self.step - 1) + [frames], 1)
        means = avg_pool2d(frames.flatten(0, 1), self.scale).unflatten(0, frames.shape[:2])
        means = 2.0 * means.unflatten(1, (-1, self.step)).mean(2)
        nothing = torch.zeros_like(means[:, :, :1]).expand(-1, -1, len(self.mean) - 3, -1, -1)
        latents = torch.cat([means, nothing], 2)
        return latents, CodecState((latents[:, -1:],))


class Copying(Network):
    """Knows the way from any noise to the latents among its further conditions."""

    def run(self, chunk, memory, **how):
        self.chunk = chunk
        return chunk.rgb

    def read(self, x, **how):
        latents = self.chunk.extra[:, :, : self.channels]
        return (self.chunk.rgb - latents) / self.chunk.level[:, None, None, None, None]


def oracle(settings=SETTINGS):
    """The renderer."""
    made = build(settings, seed=0).eval()
    made.codec, made.network = Exact(settings.codec), Copying(settings)
    return made
