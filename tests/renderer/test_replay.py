"""Acceptance tests 16 to 20: exact replay, what it is not, and the gradient it gives."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from memory import Peak

from garten.renderer.blocks import Clip, causal_chunks, velocities
from garten.renderer.flow import clean
from garten.renderer.history import Shown
from garten.renderer.layers import attend
from garten.renderer.network import Chunk
from garten.renderer.noise import batch_normal
from garten.renderer.packed import packed_velocities
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.replay import replay, roll_out
from garten.renderer.stream import few_steps
from garten.renderer.window import Window
from garten.sight.carry import Carry
from renderer.small import clip, long, network, prefix


def error(a, b):
    """Relative L2."""
    return float((a - b).detach().norm() / b.norm())


def both(*, steps=2, dtype=torch.float32, samples=1, window=None, recompute=True, blocks=3):
    """A rollout and its replay."""
    settings = long()
    net, data = network(dtype=dtype), clip(blocks=blocks, samples=samples)
    text = prefix(samples=samples)
    seeds = [5, 6][:samples]
    rollout = roll_out(net, settings, data, text, steps=steps, seeds=seeds, window=window)
    return rollout, replay(net, settings, data, text, rollout, window=window, recompute=recompute)


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("samples", [1, 2])
@pytest.mark.parametrize("threads", [1, 2])
def test_16_replay_bitwise(steps, dtype, samples, threads):
    """The replay is the rollout, to the bit, for every exit step, type, batch and number of threads."""
    torch.set_num_threads(threads)
    rollout, again = both(steps=steps, dtype=dtype, samples=samples)
    assert torch.equal(again, rollout.clean)
    assert error(again, rollout.clean) == 0.0
    assert again.requires_grad
    assert not rollout.clean.requires_grad


@pytest.mark.parametrize("window", [Window(0, 2), Window(1, 2), Window(3, 2), None])
@pytest.mark.parametrize("recompute", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_16_replay_bitwise_in_windows(window, recompute, dtype):
    """So it is with any window, also one that lets the reference go, and whether layers are recomputed or
    not."""
    rollout, again = both(window=window, recompute=recompute, dtype=dtype, blocks=5)
    assert torch.equal(again, rollout.clean)


def test_16_replay_bitwise_with_padded_text():
    """Text of which a part is padding is masked in both passes alike."""
    settings, net, data = long(), network(), clip(blocks=3)
    text = replace(prefix(tokens=4), seen=torch.tensor([[True, True, False, False]]))
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    assert torch.equal(replay(net, settings, data, text, rollout), rollout.clean)
    other = roll_out(net, settings, data, replace(text, seen=None), steps=2, seeds=[5])
    assert not torch.equal(other.clean, rollout.clean)


def test_16_replay_bitwise_with_grouped_heads():
    shape = replace(TINY.network, heads=4, kv_heads=2)
    settings = replace(long(), network=shape)
    net, data, text = network(settings), clip(settings, blocks=3), prefix(settings)
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    assert torch.equal(replay(net, settings, data, text, rollout), rollout.clean)


def carrying(history, *, dtype=torch.float32, samples=1, blocks=3):
    """Settings, a network that is told what it showed, and what carries it: everything drifts up and left."""
    settings = replace(long(), network=replace(TINY.network, history=history))
    net = network(settings)
    with torch.no_grad():
        net.extra_in.weight.normal_()
    drift = Carry(np.full((32, 64, 2), 1.3, np.float32), np.full((32, 64), 15, np.uint8))
    codec = build(settings, seed=0).codec
    return settings, net.to(dtype), lambda: Shown(codec, [lambda t: drift] * samples, block_frames=4)


@pytest.mark.parametrize("history", ["reprojected", "both"])
@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("samples", [1, 2])
def test_16_replay_bitwise_with_what_was_shown_carried_along(history, steps, dtype, samples):
    """Also where each block is told the last output, carried to its views; that does play a part."""
    settings, net, shown = carrying(history, dtype=dtype, samples=samples)
    data, text, window = clip(blocks=3, samples=samples), prefix(samples=samples), settings.past
    options = {"steps": steps, "seeds": [5, 6][:samples], "window": window}
    rollout = roll_out(net, settings, data, text, **options, shown=shown())
    again = replay(net, settings, data, text, rollout, window=window)
    assert torch.equal(again, rollout.clean)
    assert again.requires_grad
    blind = roll_out(net, settings, data, text, **options)
    assert not torch.equal(blind.clean, rollout.clean)
    assert rollout.carried.shape == (samples, 7, settings.extra, *settings.latent_size)
    assert not rollout.carried[:, 0].any()
    told = rollout.carried[:, 1:].unflatten(1, (3, 2)).flatten(2)
    assert not torch.equal(told[:, 1], told[:, 0])  # each block is told of the one before it


@pytest.mark.parametrize("history", ["reprojected", "both"])
@pytest.mark.parametrize(("dtype", "low", "high"), [(torch.float32, 0.0, 1e-5), (torch.bfloat16, 1e-4, 5e-2)])
def test_17_one_call_not_bitwise_with_what_was_shown_carried_along(history, dtype, low, high):
    settings, net, shown = carrying(history, dtype=dtype)
    data, text, window = clip(blocks=3), prefix(), settings.past
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5], window=window, shown=shown())
    level = torch.full((1, 3), rollout.level)
    chunks = causal_chunks(
        rollout.told(data), rollout.noisy, level, block=2, history=rollout.clean, window=window
    )
    with torch.no_grad():
        v = packed_velocities(net, chunks, text.to(dtype=dtype))
    again = clean(rollout.noisy, v, level.repeat_interleave(2, 1))
    assert not torch.equal(again, rollout.clean)
    assert low < error(again, rollout.clean) < high


@pytest.mark.parametrize(("dtype", "low", "high"), [(torch.float32, 0.0, 1e-5), (torch.bfloat16, 1e-4, 5e-2)])
def test_17_one_call_not_bitwise(dtype, low, high):
    """One masked call computes the same function and not the same bits: test 16 is not empty."""
    settings, net, data, text = long(), network(dtype=dtype), clip(blocks=3), prefix()
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    level = torch.full((1, 3), rollout.level)
    chunks = causal_chunks(data, rollout.noisy, level, block=2, history=rollout.clean)
    with torch.no_grad():
        v = packed_velocities(net, chunks, text.to(dtype=dtype))
    again = clean(rollout.noisy, v, level.repeat_interleave(2, 1))
    assert not torch.equal(again, rollout.clean)
    assert low < error(again, rollout.clean) < high


def history_gradient(net, settings, data, text, rollout, *, detach=False):
    """d (mean square of the last block) / d (recorded history), through the replay."""
    history = rollout.clean.clone().requires_grad_()
    given = replace(rollout, clean=history.detach() if detach else history)
    last = replay(net, settings, data, text, given)[:, -settings.block :]
    return last, history


def test_18_history_grad():
    """A loss on the last block reaches what earlier blocks were, and the weights that wrote it down."""
    settings, net, data, text = long(), network(), clip(blocks=3), prefix()
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    last, history = history_gradient(net, settings, data, text, rollout)
    (grad,) = torch.autograd.grad(last.square().mean(), history)
    by_block = grad.abs().amax((0, 2, 3, 4)).view(3, -1).amax(1)
    assert bool((by_block[:2] > 1e-6).all())
    assert float(by_block[2]) == 0.0  # the last block is nobody's history
    last, history = history_gradient(net, settings, data, text, rollout, detach=True)
    assert torch.autograd.grad(last.square().mean(), history, allow_unused=True) == (None,)


def test_18_history_grad_reaches_the_weights_that_write():
    """With the Q-chunks' own use of the weights cut off, keys and values of P still bring gradient to
    them."""
    settings, net, data, text = long(), network(), clip(blocks=3), prefix()
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    level = torch.full((1, 3), rollout.level)
    chunks = causal_chunks(data, rollout.noisy, level, block=2, history=rollout.clean)
    writers, readers = network(), network()
    readers.requires_grad_(False)
    kept = {name: part for name, part in writers.named_parameters() if "queries_keys_values" in name}
    loss = by_roles(writers, readers, chunks, text)[:, -2:].square().mean()
    torch.testing.assert_close(
        by_roles(writers, readers, chunks, text), velocities(net, chunks, text), rtol=0, atol=1e-5
    )
    grads = dict(zip(kept, torch.autograd.grad(loss, kept.values()), strict=True))
    for name, grad in grads.items():
        _, k, v = grad.split(48)
        assert float(k.abs().max()) > 1e-7, name
        assert float(v.abs().max()) > 1e-7, name
    assert float(grads["layers.0.queries_keys_values.weight"].split(48)[0].abs().max()) > 1e-9
    # The last layer of P is only read, never asked: no query of it counts.
    assert float(grads["layers.1.queries_keys_values.weight"].split(48)[0].abs().max()) == 0.0


def by_roles(writers, readers, chunks, text):
    """Velocities where clean chunks go through one network and noisy ones through another of equal
    weights."""
    nets = [readers if chunk.level is not None else writers for chunk in chunks]
    embedded = [net.embed(chunk) for net, chunk in zip(nets, chunks, strict=True)]
    xs = [x for x, _ in embedded]
    for index in range(len(writers.layers)):
        layers = [net.layers[index] for net in nets]
        made = [layer.project(x, phases) for layer, x, (_, phases) in zip(layers, xs, embedded, strict=True)]
        after = []
        for i, chunk in enumerate(chunks):
            keys = torch.cat([text.keys[index], *(made[n][1] for n in chunk.sees), made[i][1]], 1)
            values = torch.cat([text.values[index], *(made[n][2] for n in chunk.sees), made[i][2]], 1)
            after.append(layers[i].finish(xs[i], attend(made[i][0], keys, values)))
        xs = after
    return torch.cat([readers.read(x) for x, c in zip(xs, chunks, strict=True) if c.level is not None], 1)


def test_18_history_grad_is_that_of_finite_differences():
    settings, data, text = long(), clip(blocks=3), prefix()
    net = network().double()
    text = text.to(dtype=torch.float64)
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    rollout = replace(rollout, clean=rollout.clean.double(), noisy=rollout.noisy.double())
    data = Clip(data.rgb.double(), data.geometry.double())
    last, history = history_gradient(net, settings, data, text, rollout)
    (grad,) = torch.autograd.grad(last.square().mean(), history)
    direction = torch.randn_like(grad)

    def loss(step):
        moved = replace(rollout, clean=rollout.clean + step * direction)
        with torch.no_grad():
            return float(replay(net, settings, data, text, moved)[:, -2:].square().mean())

    step = 1e-4
    numeric = (loss(step) - loss(-step)) / (2 * step)
    assert float((grad * direction).sum()) == pytest.approx(numeric, rel=1e-3)


class GraphMemory:
    """A cache that keeps graphs: lists of keys and values by layer, joined at each call."""

    def __init__(self, text):
        self.past = [([k], [v]) for k, v in zip(text.keys, text.values, strict=True)]
        self.latest = {}

    def slots(self, layer, tokens):
        return None

    def attend(self, layer, q, k, v):
        keys, values = self.past[layer]
        self.latest[layer] = k, v
        return attend(q, torch.cat([*keys, k], 1), torch.cat([*values, v], 1))

    def commit(self):
        for layer, (k, v) in self.latest.items():
            self.past[layer][0].append(k)
            self.past[layer][1].append(v)


def unrolled(net, settings, data, text, rollout):
    """The blocks of a rollout by a serial cache with graph, inputs as recorded, and only the exit steps."""
    memory, block = GraphMemory(text), settings.block
    place = torch.arange(data.geometry.shape[1])[None]
    net.run(Chunk(data.rgb[:, :1], data.geometry[:, :1], place[:, :1], reference=True), memory)
    memory.commit()
    done = []
    for j in range(rollout.clean.shape[1] // block):
        own, shown = slice(j * block, (j + 1) * block), slice(1 + j * block, 1 + (j + 1) * block)
        s = torch.full((len(rollout.clean),), rollout.level)
        noisy = rollout.noisy[:, own]
        chunk = Chunk(noisy, data.geometry[:, shown], place[:, shown], level=s)
        done.append(clean(noisy, net.read(net.run(chunk, memory)), s))
        net.run(Chunk(rollout.clean[:, own], data.geometry[:, shown], place[:, shown]), memory)
        memory.commit()
    return torch.cat(done, 1)


def test_19_grad_equals_full_unroll():
    """The gradient of the replay is that through a serial cache whose graph was kept."""
    settings, net, data, text = long(), network(), clip(blocks=3), prefix()
    rollout = roll_out(net, settings, data, text, steps=2, seeds=[5])
    target = torch.randn_like(rollout.clean)
    grads = []
    for made in (
        replay(net, settings, data, text, rollout),
        unrolled(net, settings, data, text, rollout),
    ):
        assert torch.equal(made, rollout.clean)
        loss = (made - target).square().mean()
        grads.append(torch.autograd.grad(loss, net.parameters(), allow_unused=True))
    for name, one, two in zip(dict(net.named_parameters()), *grads, strict=True):
        assert one is not None, name
        assert error(one, two) < 1e-6, name


def peak(make):
    """Bytes at the peak of making frames and going back to the weights."""
    with Peak() as memory:
        make().square().mean().backward()
    return memory.most


def all_steps(net, settings, data, text):
    """A rollout of four steps through a serial cache that keeps the graph of each."""
    memory, block = GraphMemory(text), settings.block
    place = torch.arange(data.geometry.shape[1])[None]
    net.run(Chunk(data.rgb[:, :1], data.geometry[:, :1], place[:, :1], reference=True), memory)
    memory.commit()
    made = []
    for j in range((data.geometry.shape[1] - 1) // block):
        shown = slice(1 + j * block, 1 + (j + 1) * block)
        geometry, position = data.geometry[:, shown], place[:, shown]

        def predict(x, level, geometry=geometry, position=position):
            s = torch.full((len(x),), level)
            return net.read(net.run(Chunk(x, geometry, position, level=s), memory))

        shape = data.rgb[:, shown].shape[1:]
        noise = partial(batch_normal, shape, [5], "block", j)
        made.append(few_steps(predict, noise, settings.endpoints).clean)
        net.run(Chunk(made[-1], geometry, position), memory)
        memory.commit()
    return torch.cat(made, 1)


def test_20_memory():
    """Replay takes at most 0.6 of the memory of a serial cache that keeps the graphs of all four steps.

    It grows in a straight line with the number of blocks and does not know how many steps were taken.
    """
    net, text = network(), prefix()

    def of_replay(blocks, *, steps):
        settings, data = long(), clip(blocks=blocks)
        rollout = roll_out(net, settings, data, text, steps=steps, seeds=[5])
        return peak(lambda: replay(net, settings, data, text, rollout))

    four, eight, twelve = (of_replay(blocks, steps=4) for blocks in (4, 8, 12))
    assert twelve - eight == pytest.approx(eight - four, rel=0.1)
    assert of_replay(8, steps=1) == eight
    data = clip(blocks=8)
    kept = peak(lambda: all_steps(net, long(), data, text))
    assert eight <= 0.6 * kept, (eight, kept)
