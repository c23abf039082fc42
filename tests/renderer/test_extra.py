"""Further conditions: nothing at first, exact in replay, and able to tell what geometry cannot."""

from dataclasses import replace

import pytest
import torch

from garten.renderer.blocks import Clip, bidirectional_chunks, velocities
from garten.renderer.network import Network
from garten.renderer.presets import TINY
from garten.renderer.replay import replay, roll_out
from garten.renderer.stream import Given, Stream, denoise_together
from renderer.small import clip, long, network, prefix

MORE = replace(long(), network=replace(TINY.network, extra=3))


def given(blocks=3):
    data = clip(blocks=blocks)
    generator = torch.Generator().manual_seed(9)
    return replace(data, extra=torch.randn(1, 1 + 2 * blocks, 3, *TINY.latent_size, generator=generator))


def velocity_of(net, data):
    with torch.no_grad():
        return velocities(net, bidirectional_chunks(data, data.rgb[:, 1:], torch.tensor([0.5])), prefix())


def test_they_begin_as_nothing():
    """One matrix of zeros is added; until it learns, the network is the published one, to the bit."""
    torch.manual_seed(0)
    base, net = Network(TINY), Network(MORE)
    assert set(net.state_dict()) - set(base.state_dict()) == {"extra_in.weight"}
    assert not net.extra_in.weight.any()
    net.load_state_dict(base.state_dict(), strict=False)
    data = given()
    assert torch.equal(velocity_of(net, data), velocity_of(base, replace(data, extra=None)))


def test_they_tell_what_geometry_cannot():
    """A wheel that spins keeps its depth and normals; marks on it reach the picture, and can be learned."""
    net, data = network(MORE), given()
    chunks = bidirectional_chunks(data, data.rgb[:, 1:], torch.tensor([0.5]))
    velocities(net, chunks, prefix()).square().mean().backward()
    assert bool(net.extra_in.weight.grad.any())
    with torch.no_grad():
        net.extra_in.weight.normal_()
    turned = replace(data, extra=data.extra.roll(1, -1))
    assert not torch.equal(velocity_of(net, data), velocity_of(net, turned))


def test_16_replay_bitwise_with_further_conditions():
    net, data, text = network(MORE), given(), prefix()
    with torch.no_grad():
        net.extra_in.weight.normal_()
    rollout = roll_out(net, MORE, data, text, steps=2, seeds=[5])
    assert torch.equal(replay(net, MORE, data, text, rollout), rollout.clean)
    plain = roll_out(net, MORE, Clip(data.rgb, data.geometry), text, steps=2, seeds=[5])
    assert not torch.equal(plain.clean, rollout.clean)


def test_a_batch_has_them_or_has_them_not():
    net, data = network(MORE), given()
    streams = [Stream(net, MORE, prefix(), seeds=[seed], window=TINY.window) for seed in (0, 1)]
    for stream in streams:
        stream.start(data.rgb[:, :1], data.geometry[:, :1], data.extra[:, :1])
    geometry, extra = data.geometry[:, 1:3], data.extra[:, 1:3]
    with pytest.raises(ValueError, match="run them apart"):
        denoise_together(streams, [Given(geometry), Given(geometry, extra)])
    together = denoise_together(streams, [Given(geometry, extra)] * 2)
    alone = streams[0].denoise(geometry, extra).clean
    torch.testing.assert_close(together[0].clean, alone, rtol=0, atol=1e-5)
