"""Acceptance test 36: a clip coded in pieces is the clip coded whole; and what the codec promises."""

import pytest
import torch

from garten.renderer.codec import Codec
from garten.renderer.presets import PAPER, TINY, S
from garten.renderer.settings import CodecSettings


def codec(settings):
    torch.manual_seed(0)
    made = Codec(settings)
    made.mean.normal_()
    made.size.uniform_(0.5, 2)
    return made


SLOWER = CodecSettings(channels=6, widths=(8, 6, 4), step=4)


@pytest.mark.parametrize("settings", [TINY.codec, SLOWER, CodecSettings(widths=(8, 4), step=1)])
@torch.no_grad()
def test_36_decoder_stream(settings):
    """Latents decoded in pieces give the frames of the whole, and start-up frames are dropped once."""
    made, step = codec(settings), settings.step
    latents = torch.randn(2, 7, settings.channels, 2, 4)
    whole, last = made.decode(latents)
    assert whole.shape == (2, 1 + 6 * step, 3, 2 * settings.scale, 4 * settings.scale)
    pieces, state = [], None
    for part in torch.split(latents, [1, 2, 1, 3], 1):
        frames, state = made.decode(part, state)
        pieces.append(frames)
    assert [piece.shape[1] for piece in pieces] == [1, 2 * step, step, 3 * step]
    torch.testing.assert_close(torch.cat(pieces, 1), whole, rtol=0, atol=1e-6)
    for one, two in zip(state.before, last.before, strict=True):
        torch.testing.assert_close(one, two, rtol=0, atol=1e-6)


@pytest.mark.parametrize("settings", [TINY.codec, SLOWER])
@torch.no_grad()
def test_the_encoder_streams_too(settings):
    made, step = codec(settings), settings.step
    frames = torch.randn(1, 1 + 5 * step, 3, 2 * settings.scale, 2 * settings.scale)
    whole, _ = made.encode(frames)
    assert whole.shape[1] == 6
    pieces, state = [], None
    for part in torch.split(frames, [1, 2 * step, 3 * step], 1):
        latents, state = made.encode(part, state)
        pieces.append(latents)
    torch.testing.assert_close(torch.cat(pieces, 1), whole, rtol=0, atol=1e-6)


@torch.no_grad()
def test_nothing_comes_from_the_future():
    made = codec(TINY.codec)
    frames = torch.randn(1, 9, 3, 16, 16)
    other = frames.clone()
    other[:, 5:] += 1
    one, two = made.encode(frames)[0], made.encode(other)[0]
    assert torch.equal(one[:, :3], two[:, :3])
    assert not torch.equal(one[:, 3], two[:, 3])
    later = one.clone()
    later[:, 3:] += 1
    assert torch.equal(made.decode(one)[0][:, :5], made.decode(later)[0][:, :5])


def test_clips_that_do_not_fit_are_refused():
    made = codec(TINY.codec)
    with pytest.raises(ValueError, match="give 1 and a multiple of 2"):
        made.encode(torch.zeros(1, 4, 3, 16, 16))
    _, state = made.encode(torch.zeros(1, 3, 3, 16, 16))
    with pytest.raises(ValueError, match="give a multiple of 2"):
        made.encode(torch.zeros(1, 3, 3, 16, 16), state)
    with pytest.raises(ValueError, match="choose multiples of 8"):
        made.encode(torch.zeros(1, 3, 3, 16, 20))


def test_the_decoder_of_the_small_preset_is_small():
    assert sum(part.numel() for part in Codec(S.codec).decoder.parameters()) < 150_000
    with torch.device("meta"):
        assert Codec(PAPER.codec).scale == 16
