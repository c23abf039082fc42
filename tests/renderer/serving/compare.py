"""Fused kernels beside the network's own code, on any device: how far they are apart."""

from dataclasses import replace

import torch

from garten.renderer.presets import TINY
from garten.renderer.rotary import Phases
from garten.renderer.serving.choice import Serving
from garten.renderer.serving.kernels import EAGER, Heads, Slots
from garten.renderer.stream import Stream
from renderer.small import clip, network, prefix

SHARED = replace(TINY, network=replace(TINY.network, heads=6, kv_heads=3))
"""Heads of queries that share heads of keys, none of them a power of two."""


def drawn(*shape, dtype, device):
    return torch.randn(*shape, device="cpu").to(device, dtype)


def heads(samples, tokens, count, shared, size, **kind):
    """Parts of one product, as a layer has them."""
    parts = drawn(samples, tokens, (count + 2 * shared) * size, **kind)
    cut = parts.split((count * size, shared * size, shared * size), -1)
    return Heads(*(part.unflatten(-1, (-1, size)) for part in cut))


def operations(kernels, *, dtype, device):
    """All four operations on the same numbers, at sizes that fill no block: results by name."""
    torch.manual_seed(0)
    kind = {"dtype": dtype, "device": device}
    x, change, weight = drawn(2, 5, 48, **kind), drawn(2, 5, 48, **kind), drawn(48, **kind)
    results = {"norm": kernels.norm(x, weight), "norm_of_part": kernels.norm(x[:, 1:4], weight)}
    results["sum"], results["added_norm"] = kernels.added_norm(x, change, weight=weight)
    results["gated"] = kernels.gated(drawn(2, 3, 2 * 1100, **kind))
    for name, samples, places in (("one", 1, 1), ("shared_phases", 2, 1), ("own_phases", 2, 2)):
        parts = heads(samples, 5, 6, 3, 20, **kind)
        angle = torch.randn(places, 5, 1, 10).to(device)
        weights = drawn(20, **kind), drawn(20, **kind)
        room = [torch.zeros(samples, 9, 3, 20, **kind) for _ in range(2)]
        slots = Slots(room[0][:, 2:7], room[1][:, 2:7])
        for ending, place in (("", None), ("_slots", slots)):
            made = kernels.turned(parts, Phases(angle.cos(), angle.sin()), weights=weights, slots=place)
            results |= {f"{part}_{name}{ending}": x for part, x in zip("qkv", made, strict=True)}
        for slot, part in zip(slots, made[1:], strict=True):
            slot.copy_(part)  # as a memory does
        results |= {f"room_{index}_{name}": part for index, part in enumerate(room)}
    return results


@torch.no_grad()
def streamed(serving, *, dtype, device, blocks=5):
    """A stream beyond its window: clean latents of all blocks, and what is remembered."""
    net, data = network(SHARED, dtype=dtype).to(device), clip(SHARED, blocks=blocks)
    text = prefix(SHARED, dtype=dtype)
    text = replace(
        text, **{name: tuple(x.to(device) for x in getattr(text, name)) for name in ("keys", "values")}
    )
    stream = Stream(
        net, SHARED, text, seeds=[5], window=SHARED.window, endpoints=TINY.endpoints[:2], serving=serving
    )
    stream.start(data.rgb[:, :1].to(device), data.geometry[:, :1].to(device))
    made = []
    for geometry in torch.split(data.geometry[:, 1:].to(device), SHARED.block, 1):
        made.append(stream.denoise(geometry).clean)
        stream.commit()
    return {"frames": torch.cat(made), **{f"keys_{i}": x for i, x in enumerate(stream.cache.keys)}}


def differences(kernels, *, dtype, device="cpu"):
    """The largest difference of each result from the network's own, over the largest number in it."""
    found = {}
    for make in (operations, lambda k, **kind: streamed(Serving(kernels=k), **kind)):
        ours, theirs = (make(k, dtype=dtype, device=device) for k in (kernels, EAGER))
        assert list(ours) == list(theirs)
        for name, x in ours.items():
            assert (x.dtype, x.shape) == (theirs[name].dtype, theirs[name].shape)
            far = (x.double() - theirs[name].double()).abs().max() / theirs[name].double().abs().max()
            found[name] = float(far)
    return found
