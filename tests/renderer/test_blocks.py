"""Acceptance test 10: who sees whom, to the bit, against the table of the published mask."""

import pytest
import torch

from garten.renderer.blocks import Clip, bidirectional_chunks, causal_chunks, velocities
from garten.renderer.packed import mask_of, packed_velocities
from garten.renderer.presets import TINY
from garten.renderer.window import Window
from renderer.small import clip, network, prefix

BLOCKS = 4


def chunks_of(data, *, noisy, window=None, history=None):
    level = torch.tensor([[0.9, 0.3, 0.6, 0.5]])
    return causal_chunks(data, noisy, level, block=TINY.block, window=window, history=history)


def block(index):
    return slice(index * TINY.block, (index + 1) * TINY.block)


def test_10_no_leak():
    """A change of P_j or of a later block leaves Q_j as it was; a change of P_(j-1) does not."""
    net, data, text = network(), clip(blocks=BLOCKS), prefix()
    noisy = torch.randn_like(data.rgb[:, 1:])
    plain = velocities(net, chunks_of(data, noisy=noisy), text)
    for changed in range(BLOCKS):
        history = data.rgb[:, 1:].clone()
        history[:, block(changed)] += 1
        v = velocities(net, chunks_of(data, noisy=noisy, history=history), text)
        for j in range(BLOCKS):
            assert torch.equal(v[:, block(j)], plain[:, block(j)]) == (j <= changed), (changed, j)
        other = noisy.clone()
        other[:, block(changed)] += 1
        v = velocities(net, chunks_of(data, noisy=other), text)
        for j in range(BLOCKS):
            assert torch.equal(v[:, block(j)], plain[:, block(j)]) == (j != changed), (changed, j)
        later = data.geometry.clone()
        later[:, 1:][:, block(changed)] += 1
        v = velocities(net, chunks_of(Clip(data.rgb, later), noisy=noisy), text)
        for j in range(BLOCKS):
            assert torch.equal(v[:, block(j)], plain[:, block(j)]) == (j < changed), (changed, j)


def table(window):
    """For each Q, which of the reference (0) and of P_1 .. P_J it sees, straight from the rule."""
    rows = []
    for j in range(BLOCKS):
        past = [(0, 1), *((1 + i * TINY.block, 1 + (i + 1) * TINY.block) for i in range(j))]
        now = past[-1][1]
        rows.append(
            [window is None or end <= window.sink or now - first <= window.recent for first, end in past]
        )
    return rows


@pytest.mark.parametrize("window", [None, Window(3, 2), Window(1, 2), Window(0, 4)])
def test_10_jacobian_has_the_mask_of_the_table(window):
    """Inputs that gradients of each Q reach are those of the table, or were seen by what it sees."""
    net, data, text = network(), clip(blocks=BLOCKS), prefix()
    noisy = torch.randn_like(data.rgb[:, 1:]).requires_grad_()
    history = data.rgb[:, 1:].clone().requires_grad_()
    start = data.rgb[:, :1].clone().requires_grad_()
    given = Clip(torch.cat([start, data.rgb[:, 1:]], 1), data.geometry)
    chunks = chunks_of(given, noisy=noisy, history=history, window=window)
    v = velocities(net, chunks, text)
    rows = table(window)
    for j in range(BLOCKS):
        grads = torch.autograd.grad(v[:, block(j)].sum(), (start, noisy, history), retain_graph=True)
        reached = [(grad.abs().amax((0, 2, 3, 4)) > 0).tolist() for grad in grads]
        heard = {unit for unit, seen in enumerate(rows[j]) if seen}
        for _ in range(TINY.network.layers - 1):  # each layer brings what those had seen a layer before
            heard |= {u for unit in heard if unit for u, seen in enumerate(rows[unit - 1]) if seen}
        assert reached[0] == [0 in heard]
        assert reached[1] == [i // TINY.block == j for i in range(BLOCKS * TINY.block)]
        assert reached[2] == [1 + i // TINY.block in heard for i in range(BLOCKS * TINY.block)]


@pytest.mark.parametrize("window", [None, Window(3, 2), Window(1, 2), Window(0, 4)])
def test_10_the_dense_mask_is_the_table(window):
    data = clip(blocks=BLOCKS)
    chunks = chunks_of(data, noisy=data.rgb[:, 1:], window=window)
    mask = mask_of(chunks, 3, prefix_tokens=2)
    lengths = [3 * chunk.rgb.shape[1] for chunk in chunks]
    q_of = [index for index, chunk in enumerate(chunks) if chunk.level is not None]
    p_of = [0, *(index for index, chunk in enumerate(chunks) if chunk.level is None and index)]
    for j, row in enumerate(table(window)):
        for query in (q_of[j], *p_of[j + 1 : j + 2]):
            seen = {p_of[unit] for unit, yes in enumerate(row) if yes} | {query}
            wanted = [True] * 2 + [i in seen for i, length in enumerate(lengths) for _ in range(length)]
            first = sum(lengths[:query])
            for token in range(first, first + lengths[query]):
                assert mask[token].tolist() == wanted


def test_a_whole_clip_as_one_block_sees_all_of_itself():
    net, data, text = network(), clip(blocks=BLOCKS), prefix()
    noisy = torch.randn_like(data.rgb[:, 1:])
    v = velocities(net, bidirectional_chunks(data, noisy, torch.tensor([0.5])), text)
    other = noisy.clone()
    other[:, -1] += 1
    changed = velocities(net, bidirectional_chunks(data, other, torch.tensor([0.5])), text)
    assert bool((v != changed).flatten(2).any(2).all())


def test_recomputing_changes_neither_values_nor_gradients():
    net, data, text = network(), clip(blocks=3), prefix()
    noisy = torch.randn_like(data.rgb[:, 1:])
    results = []
    for recompute in (False, True):
        chunks = causal_chunks(data, noisy, torch.full((1, 3), 0.5), block=TINY.block)
        v = velocities(net, chunks, text, recompute=recompute)
        results.append((v, *torch.autograd.grad(v.square().mean(), net.parameters(), allow_unused=True)))
    for one, two in zip(*results, strict=True):
        assert (one is None and two is None) or torch.equal(one, two)


def test_the_packed_form_is_the_same_function():
    net, text = network(), prefix(samples=2)
    data = clip(blocks=3, samples=2)
    noisy = torch.randn_like(data.rgb[:, 1:])
    for window in (None, Window(1, 2)):
        level = torch.rand(2, 3)
        chunks = causal_chunks(data, noisy, level, block=TINY.block, window=window)
        torch.testing.assert_close(
            packed_velocities(net, chunks, text), velocities(net, chunks, text), rtol=0, atol=1e-5
        )
