"""The transformer that turns noise into latents, given geometry: tokens in, layers, velocities out.

There is no mask and no positional table. Frames come in chunks; what a chunk sees is decided by whoever runs
the layers: `blocks` for whole clips, `cache` while streaming.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from garten.renderer.layers import Layer, LevelEmbedding, Norm
from garten.renderer.rotary import Phases, Rotary, full, token_places
from garten.renderer.serving.kernels import EAGER, Kernels, Slots
from garten.renderer.settings import RendererSettings


@dataclass(frozen=True)
class Chunk:
    """Frames that go through the network together, all of one kind: clean, or at one noise level a sample."""

    rgb: Tensor  # [B, F, C, h, w] latents
    geometry: Tensor  # [B, F, C, gh, gw] latents of the condition
    position: Tensor  # [B or 1, F] latent frames since the reference
    level: Tensor | None = None  # [B] noise level; None for clean frames
    reference: bool = False
    extra: Tensor | None = None  # [B, F, E, h, w] further conditions, on the grid of the RGB latents
    sees: tuple[int, ...] = ()  # indices of the clean chunks of the same list that it sees beside itself


class Memory(Protocol):
    """The past of a chunk, and where its own keys and values go."""

    def slots(self, layer: int, tokens: int) -> Slots | None:
        """Where the keys and values of so many tokens are kept, if that is one place for all samples."""
        ...

    def attend(self, layer: int, q_BTHD: Tensor, k_BTGD: Tensor, v_BTGD: Tensor) -> Tensor:
        """What the queries take from the past and from their own chunk, [B, T, H, D].

        Keys and values that do not lie in the slots already are copied there.
        """
        ...


class Network(nn.Module):
    """The transformer.

    A frame's tokens are those of its RGB latents, row by row, then those of its geometry. Both go through the
    same linear map; one vector marks geometry, one the reference. They begin at zero, so that a network
    without geometry is continued unchanged. A noise level is added to RGB tokens, clean tokens get none.
    Further conditions, where the settings have any, are added to the RGB tokens of their place by a linear
    map that begins at zero as well.
    """

    def __init__(self, settings: RendererSettings) -> None:
        """A network with random weights, drawn from torch's generator."""
        super().__init__()
        shape = settings.network
        self.patch, self.channels = shape.patch, settings.codec.channels
        self.grid = _cut(settings.latent_size, shape.patch)
        self.geometry_grid = _cut(settings.geometry_size, shape.patch)
        self.rgb_tokens = self.grid[0] * self.grid[1]
        self.frame_tokens = self.rgb_tokens + self.geometry_grid[0] * self.geometry_grid[1]
        self.rotary = Rotary(shape.sections, shape.theta)
        self.time_offset, self.time_scale = shape.time_offset, shape.time_scale
        self._places = torch.cat(
            [token_places(*self.grid, like=self.grid), token_places(*self.geometry_grid, like=self.grid)]
        )
        pixels = self.channels * shape.patch**2
        self.tokens_in = nn.Linear(pixels, shape.width)
        self.is_geometry = nn.Parameter(torch.zeros(shape.width))
        self.is_reference = nn.Parameter(torch.zeros(shape.width))
        more = settings.extra * shape.patch**2
        self.extra_in = nn.Linear(more, shape.width, bias=False) if more else None
        self.level = LevelEmbedding(shape.width, scale=shape.level_scale)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm_out = Norm(shape.width)
        self.tokens_out = nn.Linear(shape.width, pixels)
        nn.init.normal_(self.tokens_in.weight, std=pixels**-0.5)
        if self.extra_in is not None:
            nn.init.zeros_(self.extra_in.weight)
        nn.init.normal_(self.tokens_out.weight, std=0.5 * shape.width**-0.5)

    @property
    def dtype(self) -> torch.dtype:
        """The type the layers compute in; latents outside are float32."""
        return self.tokens_in.weight.dtype

    def embed(self, chunk: Chunk) -> tuple[Tensor, Phases]:
        """A chunk as tokens [B, T, W], frame after frame, and their phases."""
        return self.tokens(chunk), self.phases(chunk.position)

    def tokens(self, chunk: Chunk) -> Tensor:
        """A chunk as tokens [B, T, W], frame after frame; where they stand plays no part yet."""
        rgb = self.tokens_in(self._patches(chunk.rgb))
        if chunk.level is not None:
            rgb = rgb + self.level(chunk.level).to(rgb.dtype)[:, None, None]
        if chunk.reference:
            rgb = rgb + self.is_reference
        if self.extra_in is not None and chunk.extra is not None:
            rgb = rgb + self.extra_in(self._patches(chunk.extra))
        geometry = self.tokens_in(self._patches(chunk.geometry)) + self.is_geometry
        return torch.cat([rgb, geometry], 2).flatten(1, 2)

    def phases(self, position_BF: Tensor) -> Phases:
        """The phases of all tokens of frames at these positions."""
        time = self.time_offset + self.time_scale * position_BF.double()[..., None, None]
        places = self._places.to(time.device).expand(*position_BF.shape, -1, -1)
        return self.rotary.phases(torch.cat([time.expand(*places.shape[:-1], 1), places], -1).flatten(1, 2))

    def read(self, x_BTW: Tensor, *, kernels: Kernels = EAGER) -> Tensor:
        """The velocities [B, F, C, h, w], at full precision, that the RGB tokens of a chunk have come to."""
        x = torch.unflatten(x_BTW, 1, (-1, self.frame_tokens))[:, :, : self.rgb_tokens]
        x = full(self.tokens_out(kernels.norm(x, self.norm_out.weight)))
        x = torch.unflatten(x, -1, (self.channels, self.patch, self.patch))
        x = torch.unflatten(x, 2, self.grid)
        return x.permute(0, 1, 4, 2, 5, 3, 6).flatten(5, 6).flatten(3, 4)

    def run(
        self, chunk: Chunk, memory: Memory, *, phases: Phases | None = None, kernels: Kernels = EAGER
    ) -> Tensor:
        """A chunk through all layers, its past in a memory: the last states [B, T, W].

        Args:
            chunk: to go through.
            memory: its past.
            phases: of its tokens, where they are known already.
            kernels: for what lies between matrices and attention.
        """
        x = self.tokens(chunk)
        phases = self.phases(chunk.position) if phases is None else phases
        for index, layer in enumerate(self.layers):
            assert isinstance(layer, Layer)
            slots = memory.slots(index, x.shape[1])
            q, k, v = layer.project(x, phases, kernels=kernels, slots=slots)
            x = layer.finish(x, memory.attend(index, q, k, v), kernels=kernels)
        return x

    def _patches(self, latents: Tensor) -> Tensor:
        """Latents [B, F, C, h, w] as [B, F, tokens, C * patch ** 2], of the layers' type."""
        p = self.patch
        x = torch.unflatten(torch.unflatten(latents.to(self.dtype), 4, (-1, p)), 3, (-1, p))
        return x.permute(0, 1, 3, 5, 2, 4, 6).flatten(4).flatten(2, 3)


def _cut(size: tuple[int, int], patch: int) -> tuple[int, int]:
    return size[0] // patch, size[1] // patch
