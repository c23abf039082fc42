"""Public weights in our network: shapes at full size, and the function at a small one against a reference."""

import math
from dataclasses import replace

import pytest
import torch
from torch.nn import functional

from garten.errors import RenderError
from garten.renderer.blocks import Clip, bidirectional_chunks, velocities
from garten.renderer.network import Network
from garten.renderer.prefix import blank
from garten.renderer.presets import PAPER, TINY
from garten.renderer.public import network_weights
from renderer.small import clip as noise_clip

SMALL = replace(
    TINY,
    network=replace(TINY.network, heads=4, kv_heads=2, sections=(4, 2, 2), level_scale=1.0, time_offset=15.0),
)


def published(settings, make, *, marks=True):
    """The state of a public model of these sizes, as its configuration says."""
    shape = settings.network
    width, head = shape.width, shape.head
    patch = settings.codec.channels * shape.patch**2
    sizes = {
        "proj_in.weight": (width, patch),
        "proj_in.bias": (width,),
        "proj_out.weight": (patch, width),
        "proj_out.bias": (patch,),
        "norm_moe_gen.weight": (width,),
        "time_embedder.linear_1.weight": (width, 256),
        "time_embedder.linear_1.bias": (width,),
        "time_embedder.linear_2.weight": (width, width),
        "time_embedder.linear_2.bias": (width,),
        "embed_tokens.weight": (11, width),  # of its text tower
    }
    if marks:
        sizes |= {"geometry_modality_embed": (width,), "first_frame_reference_embed": (width,)}
    for layer in range(shape.layers):
        own = f"layers.{layer}."
        sizes |= {
            f"{own}self_attn.add_q_proj.weight": (shape.heads * head, width),
            f"{own}self_attn.add_k_proj.weight": (shape.kv_heads * head, width),
            f"{own}self_attn.add_v_proj.weight": (shape.kv_heads * head, width),
            f"{own}self_attn.to_add_out.weight": (width, shape.heads * head),
            f"{own}self_attn.to_q.weight": (shape.heads * head, width),
            f"{own}self_attn.norm_added_q.weight": (head,),
            f"{own}self_attn.norm_added_k.weight": (head,),
            f"{own}mlp_moe_gen.gate_proj.weight": (shape.hidden, width),
            f"{own}mlp_moe_gen.up_proj.weight": (shape.hidden, width),
            f"{own}mlp_moe_gen.down_proj.weight": (width, shape.hidden),
            f"{own}input_layernorm_moe_gen.weight": (width,),
            f"{own}post_attention_layernorm_moe_gen.weight": (width,),
        }
    return {name: make(*size) for name, size in sizes.items()}


def test_the_published_sizes_fit_our_preset():
    with torch.device("meta"):
        network = Network(PAPER)
        for prefix, marks in (("", True), ("model.net.", False)):
            theirs = published(PAPER, torch.empty, marks=marks)
            found = network_weights({prefix + name: part for name, part in theirs.items()}, network)
            assert {name: part.shape for name, part in found.items()} == {
                name: part.shape for name, part in network.state_dict().items()
            }


def reference(state, settings, rgb, geometry, level):
    """Velocities [F - 1, C, h, w] of the frames after a clean first one, from the published description."""
    shape = settings.network
    patch, head = shape.patch, shape.head

    def tokens(latents):  # [F, C, h, w] -> [F, N, patch * patch * C]: place by place, then channel
        rows, columns = latents.shape[2] // patch, latents.shape[3] // patch
        cut = [
            latents[:, :, patch * r : patch * (r + 1), patch * c : patch * (c + 1)]
            .permute(0, 2, 3, 1)
            .flatten(1)
            for r in range(rows)
            for c in range(columns)
        ]
        return torch.stack(cut, 1) @ state["proj_in.weight"].T + state["proj_in.bias"], (rows, columns)

    def norm(x, name):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * state[name]

    frequency = torch.exp(-math.log(10_000) * torch.arange(128) / 128)
    angle = level * frequency
    hidden = functional.silu(
        state["time_embedder.linear_1.weight"] @ torch.cat([angle.cos(), angle.sin()])
        + state["time_embedder.linear_1.bias"]
    )
    time = state["time_embedder.linear_2.weight"] @ hidden + state["time_embedder.linear_2.bias"]
    x, grid = tokens(rgb)
    x = torch.cat([x[:1] + state["first_frame_reference_embed"], x[1:] + time])
    g, own = tokens(geometry)
    g = g + state["geometry_modality_embed"]
    places = []
    for frame in range(len(rgb)):
        for rows, columns in (grid, own):
            for r in range(rows):
                for c in range(columns):
                    row = (r + 0.5) * grid[0] / rows - 0.5
                    column = (c + 0.5) * grid[1] / columns - 0.5
                    places.append((shape.time_offset + shape.time_scale * frame, row, column))
    x = torch.cat([x, g], 1).flatten(0, 1)
    pairs = head // 2
    speed = shape.theta ** (-torch.arange(pairs) / pairs)
    angles = torch.tensor(places)[:, :1] * speed
    for axis in (1, 2):
        mine = slice(axis, 3 * shape.sections[axis], 3)
        angles[:, mine] = (torch.tensor(places)[:, axis : axis + 1] * speed)[:, mine]
    cos, sin = (torch.cat([f(angles)] * 2, -1)[:, None] for f in (torch.cos, torch.sin))

    def turned(y):
        return y * cos + torch.cat([-y[..., pairs:], y[..., :pairs]], -1) * sin

    for layer in range(shape.layers):
        at = f"layers.{layer}."
        y = norm(x, at + "input_layernorm_moe_gen.weight")
        q, k, v = (
            (y @ state[f"{at}self_attn.add_{one}_proj.weight"].T).unflatten(-1, (-1, head)) for one in "qkv"
        )
        q = turned(norm(q, at + "self_attn.norm_added_q.weight"))
        k = turned(norm(k, at + "self_attn.norm_added_k.weight"))
        k, v = (part.repeat_interleave(shape.heads // shape.kv_heads, 1) for part in (k, v))
        first = x.shape[0] // len(rgb)  # the reference sees itself only
        outs = [
            torch.einsum(
                "hts,shd->thd",
                (torch.einsum("thd,shd->hts", q[rows], k[:end]) / math.sqrt(head)).softmax(-1),
                v[:end],
            )
            for rows, end in ((slice(0, first), first), (slice(first, None), len(x)))
        ]
        x = x + torch.cat(outs).flatten(1) @ state[at + "self_attn.to_add_out.weight"].T
        y = norm(x, at + "post_attention_layernorm_moe_gen.weight")
        gate, up = (y @ state[f"{at}mlp_moe_gen.{one}_proj.weight"].T for one in ("gate", "up"))
        x = x + (functional.silu(gate) * up) @ state[at + "mlp_moe_gen.down_proj.weight"].T
    x = x.unflatten(0, (len(rgb), -1))[1:, : grid[0] * grid[1]]
    x = norm(x, "norm_moe_gen.weight") @ state["proj_out.weight"].T + state["proj_out.bias"]
    x = x.unflatten(1, grid).unflatten(-1, (patch, patch, -1))  # [F, rows, columns, p, q, C]
    return x.permute(0, 5, 1, 3, 2, 4).flatten(4, 5).flatten(2, 3)


def test_public_weights_compute_what_is_published():
    generator = torch.Generator().manual_seed(0)
    state = published(SMALL, lambda *size: torch.randn(size, generator=generator) / math.sqrt(size[-1]))
    network = Network(SMALL)
    network.load_state_dict(network_weights(state, network))
    data = noise_clip(SMALL, blocks=1)
    level = torch.tensor([0.7])
    text = blank(SMALL.network.layers, torch.zeros(1, 1, SMALL.network.kv_heads, SMALL.network.head))
    chunks = bidirectional_chunks(Clip(data.rgb, data.geometry), data.rgb[:, 1:], level)
    with torch.no_grad():
        ours = velocities(network, chunks, text)[0]
        theirs = reference(state, SMALL, data.rgb[0], data.geometry[0], 0.7)
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


def test_what_does_not_fit_is_told_in_a_sentence():
    network = Network(SMALL)
    state = published(SMALL, torch.zeros)
    with pytest.raises(
        RenderError, match=r"no weight layers\.1\.mlp_moe_gen\.down_proj\.weight; give all files"
    ):
        network_weights(
            {k: v for k, v in state.items() if k != "layers.1.mlp_moe_gen.down_proj.weight"}, network
        )
    with pytest.raises(
        RenderError, match=r"norm_out\.weight have the shape \(7,\), not \(48,\); use the settings"
    ):
        network_weights({**state, "norm_moe_gen.weight": torch.zeros(7)}, network)
