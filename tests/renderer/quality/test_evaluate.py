"""Clips streamed through a tiny renderer, and measured."""

import numpy as np
import pytest

from garten.errors import RenderError
from garten.renderer.presets import TINY
from garten.renderer.quality.evaluate import evaluate
from garten.renderer.quality.film import ZOOM, side_by_side
from garten.renderer.quality.rollout import roll, whole_frames
from garten.renderer.renderer import build
from renderer.training.sets import made


@pytest.fixture(scope="module")
def renderer():
    return build(TINY, seed=0).eval()


def test_clips_are_streamed_as_in_use(renderer):
    clip = made(0, frames=11)  # a reference and two blocks of four; two frames are left over
    frames = roll(renderer, clip, seed=3)
    assert frames.shape == (9, 32, 64, 3)
    assert np.array_equal(frames, roll(renderer, clip, seed=3))
    assert not np.array_equal(frames, roll(renderer, clip, seed=4))
    assert not np.array_equal(frames, roll(renderer, clip, seed=3, caption="snow"))
    assert [picture.shape for picture in side_by_side(clip, frames)] == [(32 * ZOOM, 3 * 64 * ZOOM, 3)] * 9
    with pytest.raises(RenderError, match="too short for a block of 4"):
        whole_frames(4, TINY)


def test_quality_of_a_renderer_that_knows_nothing(renderer):
    quality = evaluate(renderer, [made(number, frames=9) for number in (1, 2)])
    assert (quality.clips, quality.frames) == (2, 9)
    assert quality.gain == pytest.approx(quality.psnr - quality.psnr_copy)
    assert quality.gain < 0.0
    assert quality.mask_overlap_true == 1.0
    assert quality.mask_share == pytest.approx(quality.mask_overlap)
    assert quality.edges < quality.edges_true
    singly = [evaluate(renderer, [made(number, frames=9)]) for number in (1, 2)]
    assert quality.psnr == pytest.approx((singly[0].psnr + singly[1].psnr) / 2)
