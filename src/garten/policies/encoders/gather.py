# mypy: ignore-errors
"""The sum of the weight rows that a view's codes select, and its gradient: a linear layer without one-hots.

A view of 99 tiles has 8217 features of which fewer than 200 are 1. Reading just their weight rows is the same
function as the dense product, for a fortieth of the work.

Most tiles are lit and hold no thing, so both features' rows are summed once for all tiles, as `plain`, and
taken back where a tile is dark; a tile with a thing swaps its row for that of no thing.
"""

from __future__ import annotations

import functools

import torch
import warp as wp
from torch import Tensor

from garten import devices
from garten.policies.shape import Tiles

devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

_COMPILE_SECONDS = 3

# Visits the weight rows of one view. `ROW` is a pointer to the first of `span` weights, `ADD` and `TAKE` what
# to do with them. The code of a tile is brought to eight bytes: lit, block, thing, creatures.
_VISIT = """
const unsigned char* code = (const unsigned char*)codes.data + (size_t)view * tiles * bytes;
const int no_thing = blocks;
const int first_creature = blocks + things;
for (int tile = 0; tile < tiles; ++tile, code += bytes) {
    unsigned long long word;
    if (bytes == 8) word = *(const unsigned long long*)code;
    else word = 1ull | (unsigned long long)code[0] << 8 | (unsigned long long)code[1] << 24;
    if (!(word & 1ull)) {
        %(dark)s
        continue;
    }
    FLOAT* of_tile = rows + (size_t)tile * channels * width;
    FLOAT* row = of_tile + ((word >> 8) & 255ull) * width;
    %(add)s
    const unsigned long long thing = (word >> 16) & 255ull;
    if (thing != 0ull) {
        row = of_tile + (blocks + thing) * width;
        %(add)s
        row = of_tile + (size_t)no_thing * width;
        %(take)s
    }
    unsigned long long creatures = word >> 24;
    for (int creature = first_creature; creatures != 0ull; creatures >>= 1, ++creature) {
        if (creatures & 1ull) {
            row = of_tile + (size_t)creature * width;
            %(add)s
        }
    }
}
"""

_GATHER = (
    """
const float* __restrict__ rows = (const float*)weights.data + first;
float* __restrict__ sum = (float*)sums.data + (size_t)view * width + first;
const float* dark_rows = (const float*)plain.data + first;
"""
    + _VISIT.replace("FLOAT", "const float")
    % {
        "dark": """const float* row = dark_rows + (size_t)tile * width;
        for (int j = 0; j < span; ++j) sum[j] -= row[j];""",
        "add": "for (int j = 0; j < span; ++j) sum[j] += row[j];",
        "take": "for (int j = 0; j < span; ++j) sum[j] -= row[j];",
    }
)

# Views share rows: on a GPU their sums must be atomic, on the CPU one thread has all views.
_SCATTER = (
    """
#if defined(__CUDA_ARCH__)
#define GARTEN_ADD(to, value) atomicAdd(&(to), value)
#else
#define GARTEN_ADD(to, value) ((to) += (value))
#endif
float* __restrict__ rows = (float*)weights.data + first;
const float* __restrict__ sum = (const float*)sums.data + (size_t)view * width + first;
float* dark_rows = (float*)plain.data + first;
"""
    + _VISIT.replace("FLOAT", "float")
    % {
        "dark": """float* row = dark_rows + (size_t)tile * width;
        for (int j = 0; j < span; ++j) GARTEN_ADD(row[j], -sum[j]);""",
        "add": "for (int j = 0; j < span; ++j) GARTEN_ADD(row[j], sum[j]);",
        "take": "for (int j = 0; j < span; ++j) GARTEN_ADD(row[j], -sum[j]);",
    }
    + "\n#undef GARTEN_ADD\n"
)


@wp.func_native(_GATHER)
def _gather(
    codes: wp.array2d(dtype=wp.uint8),
    weights: wp.array2d(dtype=float),
    plain: wp.array2d(dtype=float),
    sums: wp.array2d(dtype=float),
    view: int,
    first: int,
    span: int,
    width: int,
    tiles: int,
    bytes: int,
    blocks: int,
    things: int,
    channels: int,
): ...


@wp.func_native(_SCATTER)
def _scatter(
    codes: wp.array2d(dtype=wp.uint8),
    weights: wp.array2d(dtype=float),
    plain: wp.array2d(dtype=float),
    sums: wp.array2d(dtype=float),
    view: int,
    first: int,
    span: int,
    width: int,
    tiles: int,
    bytes: int,
    blocks: int,
    things: int,
    channels: int,
): ...


@wp.kernel
def gather(
    # In:
    codes: wp.array2d(dtype=wp.uint8),
    weights: wp.array2d(dtype=float),
    plain: wp.array2d(dtype=float),
    span: int,
    bytes: int,
    blocks: int,
    things: int,
    channels: int,
    # In and out:
    sums: wp.array2d(dtype=float),
):
    """Add to sums [views, width] the rows of weights [tiles * channels, width] that the codes select."""
    view, part = wp.tid()
    width = sums.shape[1]
    tiles = codes.shape[1] // bytes
    _gather(
        codes, weights, plain, sums, view, part * span, span, width, tiles, bytes, blocks, things, channels
    )


@wp.kernel
def scatter(
    # In:
    codes: wp.array2d(dtype=wp.uint8),
    sums: wp.array2d(dtype=float),
    span: int,
    bytes: int,
    blocks: int,
    things: int,
    channels: int,
    # In and out:
    weights: wp.array2d(dtype=float),
    plain: wp.array2d(dtype=float),
):
    """Add the gradients of the sums to those of the rows that the codes select."""
    view, part = wp.tid()
    width = sums.shape[1]
    tiles = codes.shape[1] // bytes
    _scatter(
        codes, weights, plain, sums, view, part * span, span, width, tiles, bytes, blocks, things, channels
    )


class GatherRows(torch.autograd.Function):
    """`GatherRows.apply(codes, weights, tiles)`: the symbolic observation of the tiles, times the weights.

    codes: uint8 [views, tiles * bytes], contiguous. A tile of eight bytes is read as one word, so these
    start at a multiple of eight, as whole tiles of any torch or Warp array do.
    weights: float32 [tiles * channels, width], contiguous. The result is float32 [views, width].
    """

    @staticmethod
    def forward(ctx, codes: Tensor, weights: Tensor, tiles: Tiles) -> Tensor:
        """Gather."""
        plain = torch.empty(0, weights.shape[1], device=weights.device)
        sums = torch.zeros(len(codes), weights.shape[1], device=weights.device)
        if tiles.can_be_dark:
            of_tiles = weights.view(tiles.count, tiles.channels, -1)
            plain = of_tiles[:, tiles.blocks] + of_tiles[:, -1]
            sums += plain.sum(0)
        _launch(gather, codes, [weights, plain], tiles, [sums])
        ctx.save_for_backward(codes)
        ctx.tiles, ctx.rows = tiles, len(weights)
        return sums

    @staticmethod
    def backward(ctx, gradient: Tensor) -> tuple[None, Tensor, None]:
        """Scatter."""
        (codes,), tiles = ctx.saved_tensors, ctx.tiles
        gradient = gradient.contiguous()
        weights = torch.zeros(ctx.rows, gradient.shape[1], device=gradient.device)
        plain = torch.zeros(
            tiles.count if tiles.can_be_dark else 0, gradient.shape[1], device=gradient.device
        )
        _launch(scatter, codes, [gradient], tiles, [weights, plain])
        if tiles.can_be_dark:
            plain += gradient.sum(0)
            of_tiles = weights.view(tiles.count, tiles.channels, -1)
            of_tiles[:, tiles.blocks] += plain
            of_tiles[:, -1] += plain
        return None, weights, None


@torch.compiler.disable
def gather_rows(codes: Tensor, weights: Tensor, tiles: Tiles) -> Tensor:
    """`GatherRows`, as code that `torch.compile` leaves alone."""
    return GatherRows.apply(codes, weights, tiles)


@functools.cache
def _load(device: str) -> None:
    devices.load_kernels(__name__, device=device, seconds=_COMPILE_SECONDS)


def _launch(kernel, codes: Tensor, inputs: list[Tensor], tiles: Tiles, outputs: list[Tensor]) -> None:
    """Run a kernel on the tensors' device, in the order of torch's own work there."""
    device = wp.device_from_torch(codes.device)
    _load(str(device))
    width = outputs[0].shape[1]
    span = width if device.is_cpu else 1  # a CPU thread adds whole rows; a GPU's, one column
    arrays = [wp.from_torch(tensor, return_ctype=True) for tensor in (codes, *inputs)]
    filled = [wp.from_torch(tensor, return_ctype=True) for tensor in outputs]
    numbers = [span, tiles.code_bytes, tiles.blocks, tiles.things, tiles.channels]
    stream = None if device.is_cpu else wp.stream_from_torch(torch.cuda.current_stream(codes.device))
    dim = (len(codes), width // span)
    wp.launch(kernel, dim, [*arrays, *numbers], filled, device=device, stream=stream)
