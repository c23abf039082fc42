"""Weights of public large models as those of a network: the key table.

The names are those of Cosmos3-Nano's generation tower as Diffusers and the published renderer store it; the
renderer adds two marks. What belongs to text or sound is left aside. Sizes are those of the preset `paper`.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from garten.errors import RenderError
from garten.renderer.network import Network

TOWER: Mapping[str, tuple[str, ...]] = {
    "tokens_in.weight": ("proj_in.weight",),
    "tokens_in.bias": ("proj_in.bias",),
    "tokens_out.weight": ("proj_out.weight",),
    "tokens_out.bias": ("proj_out.bias",),
    "norm_out.weight": ("norm_moe_gen.weight",),
    "level.first.weight": ("time_embedder.linear_1.weight",),
    "level.first.bias": ("time_embedder.linear_1.bias",),
    "level.second.weight": ("time_embedder.linear_2.weight",),
    "level.second.bias": ("time_embedder.linear_2.bias",),
}
"""For each of our weights, theirs, one under the other."""

MARKS: Mapping[str, str] = {
    "is_geometry": "geometry_modality_embed",
    "is_reference": "first_frame_reference_embed",
}
"""What the published renderer adds to the tower; a tower of plain video begins with zeros."""

LAYER: Mapping[str, tuple[str, ...]] = {
    "attention_norm.weight": ("input_layernorm_moe_gen.weight",),
    "queries_keys_values.weight": (
        "self_attn.add_q_proj.weight",
        "self_attn.add_k_proj.weight",
        "self_attn.add_v_proj.weight",
    ),
    "query_norm.weight": ("self_attn.norm_added_q.weight",),
    "key_norm.weight": ("self_attn.norm_added_k.weight",),
    "attention_out.weight": ("self_attn.to_add_out.weight",),
    "network_norm.weight": ("post_attention_layernorm_moe_gen.weight",),
    "gate_up.weight": ("mlp_moe_gen.gate_proj.weight", "mlp_moe_gen.up_proj.weight"),
    "down.weight": ("mlp_moe_gen.down_proj.weight",),
}
"""The same for what each layer has."""


def network_weights(theirs: Mapping[str, Tensor], network: Network) -> dict[str, Tensor]:
    """The state of a network, which stays as it is, from a public model's.

    Args:
        theirs: its weights by name; a prefix that all of them share is taken off.
        network: of the same sizes.

    Raises:
        RenderError: a weight is missing, or has another shape.
    """
    prefix = next(
        (name.removesuffix("proj_in.weight") for name in theirs if name.endswith("proj_in.weight")), ""
    )
    table = dict(TOWER)
    for layer in range(len(network.layers)):
        table |= {
            f"layers.{layer}.{ours}": tuple(f"layers.{layer}.{name}" for name in names)
            for ours, names in LAYER.items()
        }
    found = {
        ours: torch.cat([_get(theirs, prefix + name) for name in names]) for ours, names in table.items()
    }
    for ours, name in MARKS.items():
        found[ours] = theirs.get(prefix + name, torch.zeros_like(found["norm_out.weight"]))
    for name in ("tokens_in.weight", "tokens_out.weight", "tokens_out.bias"):
        found[name] = _reordered(found[name], network, axis=1 if name == "tokens_in.weight" else 0)
    expected = network.state_dict()
    for name in sorted(expected.keys() | found.keys()):
        shapes = [None if name not in part else tuple(part[name].shape) for part in (expected, found)]
        if shapes[0] != shapes[1]:
            raise RenderError(
                f"The weights for {name} have the shape {shapes[1]}, not {shapes[0]}; use the settings of "
                "the model they are from."
            )
    return found


def _get(theirs: Mapping[str, Tensor], name: str) -> Tensor:
    if name not in theirs:
        raise RenderError(f"There is no weight {name}; give all files of the model, or one of another kind.")
    return theirs[name]


def _reordered(weight: Tensor, network: Network, *, axis: int) -> Tensor:
    """Weights of a patch's numbers in our order, channel by channel; theirs goes place by place."""
    if weight.shape[axis] != network.channels * network.patch**2:
        return weight  # its shape is refused later
    parts = torch.unflatten(weight, axis, (network.patch, network.patch, network.channels))
    return parts.movedim(axis + 2, axis).flatten(axis, axis + 2)
