"""The four treatments of history, and that targets have none."""

import torch

from garten.renderer.corrupt import contrast, corrupted, resampled


def test_each_frame_gets_one_of_four_treatments():
    frames = torch.randn(40, 10, 4, 24, 40)
    made = corrupted(frames, generator=torch.Generator().manual_seed(0))
    same = (made == frames).flatten(2).all(2)
    assert abs(float(same.float().mean()) - 0.28) < 0.06  # a resampling to the same size is none, too
    kept_mean = torch.isclose(made.mean(2), frames.mean(2), atol=1e-5).flatten(2).all(2)
    assert 0.4 < float(kept_mean.float().mean()) < 0.62


def test_treatments_stay_in_their_range():
    frame = torch.randn(4, 8, 8)
    torch.testing.assert_close(contrast(frame, 1.0), frame)
    torch.testing.assert_close(contrast(frame, 0.0), frame.mean(0).expand(4, 8, 8))
    flat = torch.full((4, 8, 8), 0.3)
    torch.testing.assert_close(resampled(flat, 0.9), flat)
    assert not torch.equal(resampled(frame, 0.9), frame)
