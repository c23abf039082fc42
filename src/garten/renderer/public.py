"""Weights of public large models as ours: the key tables.

The names of a network's are those of Cosmos3-Nano's generation tower as Diffusers and the published renderer
store it; the renderer adds two marks. What belongs to text or sound is left aside. Sizes are those of the
preset `paper`. The names of autoencoders are those of the files that Wan 2.2 and TAEHV are released in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import torch
from torch import Tensor

from garten.errors import RenderError
from garten.renderer.network import Network
from garten.renderer.taehv import BLOCKS, TinyDecoder
from garten.renderer.wan import Wan

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

WAN: Sequence[tuple[str, str]] = (
    (r"^encoder\.levels\.(\d+)\.blocks\.", r"encoder.downsamples.\1.downsamples."),
    (r"^encoder\.levels\.(\d+)\.smaller\.", r"encoder.downsamples.\1.downsamples.2.resample.1."),
    (r"^encoder\.levels\.(\d+)\.slower\.", r"encoder.downsamples.\1.downsamples.2.time_conv."),
    (r"^decoder\.levels\.(\d+)\.blocks\.", r"decoder.upsamples.\1.upsamples."),
    (r"^decoder\.levels\.(\d+)\.larger\.", r"decoder.upsamples.\1.upsamples.3.resample.1."),
    (r"^decoder\.levels\.(\d+)\.faster\.", r"decoder.upsamples.\1.upsamples.3.time_conv."),
    (r"\.middle\.first\.", ".middle.0."),
    (r"\.middle\.glance\.norm\.weight$", ".middle.1.norm.gamma"),
    (r"\.middle\.glance\.queries_keys_values\.", ".middle.1.to_qkv."),
    (r"\.middle\.glance\.out\.", ".middle.1.proj."),
    (r"\.middle\.second\.", ".middle.2."),
    (r"\.first_norm\.weight$", ".residual.0.gamma"),
    (r"\.first\.", ".residual.2."),
    (r"\.second_norm\.weight$", ".residual.3.gamma"),
    (r"\.second\.", ".residual.6."),
    (r"\.through\.", ".shortcut."),
    (r"\.enter\.", ".conv1."),
    (r"\.norm\.weight$", ".head.0.gamma"),
    (r"\.leave\.", ".head.2."),
    (r"^read\.", "conv1."),
    (r"^write\.", "conv2."),
)
"""What to put for each part of a name of ours, in this order, to have theirs."""


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
    return _fitting(found, network.state_dict())


def wan_weights(theirs: Mapping[str, Tensor], wan: Wan, *, mean: Tensor, size: Tensor) -> dict[str, Tensor]:
    """The state of an autoencoder of Wan 2.2, which stays as it is, from the published one.

    Args:
        theirs: its weights by name.
        wan: of the same sizes.
        mean: of latents by channel [C], `latents_mean` of the published configuration.
        size: the same, `latents_std`.

    Raises:
        RenderError: a weight is missing, has another shape, or has no place in ours.
    """
    expected, names = wan.state_dict(), list[str]()
    found = {"mean": mean.view(-1, 1, 1), "size": size.view(-1, 1, 1)}
    for ours in expected.keys() - found.keys():
        name = ours
        for part, other in WAN:
            name = re.sub(part, other, name)
        names.append(name)
        weight = _get(theirs, name)
        found[ours] = weight.flatten() if name.endswith("gamma") else weight
    _refuse_others(theirs, names)
    return _fitting(found, expected)


def taehv_weights(theirs: Mapping[str, Tensor], decoder: TinyDecoder) -> dict[str, Tensor]:
    """The state of a small decoder, which stays as it is, from the published one.

    Where the published one makes more frames of one than ours, the last ones are taken.

    Raises:
        RenderError: a weight is missing, has another shape, or has no place in ours.
    """
    table = {"enter": 1, "leave": 4 + len(decoder.levels) * (BLOCKS + 3)}  # places in their list
    for level in range(len(decoder.levels)):
        first = 3 + level * (BLOCKS + 3)
        table |= {f"levels.{level}.{block}": first + block for block in range(BLOCKS)}
        table |= {f"faster.{level}": first + BLOCKS + 1, f"finer.{level}": first + BLOCKS + 2}
    inner = {"first": "conv.0.", "second": "conv.2.", "third": "conv.4.", "part": "conv."}
    expected, found, names = decoder.state_dict(), {}, list[str]()
    for ours, like in expected.items():
        stem, kind = ours.rsplit(".", 1)
        own = stem.rsplit(".", 1)[-1]
        stem = stem.removesuffix(f".{own}") if own in inner else stem
        names.append(f"decoder.{table[stem]}.{inner.get(own, '')}{kind}")
        weight = _get(theirs, names[-1])
        found[ours] = weight[-len(like) :] if own == "part" else weight
    _refuse_others((name for name in theirs if name.startswith("decoder.")), names)
    return _fitting(found, expected)


def _refuse_others(theirs: Iterable[str], names: Sequence[str]) -> None:
    """Refuse a larger model.

    Raises:
        RenderError: there is a weight that has no place in ours.
    """
    others = sorted(set(theirs) - set(names))
    if others:
        raise RenderError(f"There is no place for the weight {others[0]}; give the model in its plain form.")


def _fitting(found: dict[str, Tensor], expected: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What was found, if it is all that is expected.

    Raises:
        RenderError: a weight has another shape, or there is one more.
    """
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
