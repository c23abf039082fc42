"""Measures against closed forms: frames made for them, whose score is known."""

from dataclasses import replace

import numpy as np
import pytest

from garten.renderer.quality import measures
from renderer.training.sets import made

BLOCK = 4


@pytest.fixture
def clip():
    return made(3, frames=1 + 3 * BLOCK)


def test_psnr():
    true = np.full((2, 4, 4, 3), 100, np.uint8)
    assert measures.psnr(true + 10, true) == pytest.approx(20 * np.log10(25.5))
    assert measures.psnr(true, true) == pytest.approx(20 * np.log10(255))


def test_what_comes_into_view_is_what_exact_motion_does_not_bring_from_the_reference(clip):
    """A camera that turns by two pixels a frame: so many columns at one side are new each time."""
    assert not measures.come_into_view(clip).any()  # nobody knows how it moves
    motion, taps = np.zeros_like(clip.motion), np.full_like(clip.taps, 15)
    motion[..., 0] = 2.0
    taps[:, :, -2:] = 0
    new = measures.come_into_view(replace(clip, motion=motion, taps=taps))
    assert new.any(1).sum(1).tolist() == [2 * t for t in range(len(clip))]
    assert all(frame[:, 64 - 2 * t :].all() for t, frame in enumerate(new))
    lighter = clip.frames.copy()
    lighter[new] += 10
    assert measures.psnr_where(lighter, clip.frames, new) == pytest.approx(20 * np.log10(25.5))
    assert measures.psnr_where(lighter, clip.frames, ~new) == pytest.approx(20 * np.log10(255))
    assert measures.psnr_where(lighter, clip.frames, np.zeros_like(new)) is None


def test_masks_of_plain_colours_are_found_and_lost(clip):
    assert measures.mask_overlap(clip.frames, clip) == 1.0
    still = np.repeat(clip.frames[:1], len(clip), 0)
    overlaps = []  # of the field and the square, 16 wide, moved by 2 t
    for t in range(1, len(clip)):
        both, whole = 12 * max(0, 16 - 2 * t), 12 * 16
        field = 32 * 64 - 2 * whole + both
        overlaps += [field / (field + 2 * (whole - both)), both / (2 * whole - both)]
    assert measures.mask_overlap(still, clip) == pytest.approx(np.mean(overlaps))
    assert measures.mask_overlap(clip.frames, replace(clip, ids=np.zeros_like(clip.ids))) is None


def test_palette_error_is_that_of_mean_colours(clip):
    assert measures.palette_error(clip.frames, clip) == 0.0
    lighter = clip.frames.copy()
    lighter[..., 0] += 30  # of 255, in one channel of three
    assert measures.palette_error(lighter, clip) == pytest.approx(30 / 255 / 3)


def test_motion_energy_counts_what_changes():
    frames = np.zeros((3, 4, 4, 3), np.uint8)
    frames[1, :2] = 51
    frames[2] = frames[1]
    assert measures.motion_energy(frames) == pytest.approx(0.5 * 0.2 / 2)


def test_edges_are_where_geometry_has_them(clip):
    sharp = clip.frames.copy()
    sharp[clip.ids == 0], sharp[clip.ids == 1] = 50, 200
    assert measures.edge_scores(sharp, clip) == [1.0] * 12
    moved_by_one = np.roll(sharp, 1, 2)
    assert min(measures.edge_scores(moved_by_one, clip)) > 0.95
    assert max(measures.edge_scores(np.roll(sharp, 8, 1), clip)) < 0.5
    assert measures.edge_scores(np.full_like(sharp, 50), clip) == [0.0] * 12


def test_drift_compares_the_ends():
    rising = [0.1] * 75 + [0.15] * 75 + [0.2] * 75
    assert measures.last_over_first(rising, fps=15.0) == pytest.approx(2.0)
    assert measures.last_over_first([0.1, 0.1, 0.3], fps=15.0) == pytest.approx(3.0)
    assert measures.last_over_first([0.1, 0.1], fps=15.0) is None


def test_growth_is_that_of_the_straight_line():
    """An error that rises from 0.1 to 0.3 in 20 s grows by half of its mean in 10 s."""
    rising = np.linspace(0.1, 0.3, 301).tolist()
    assert measures.growth(rising, fps=15.0) == pytest.approx(0.5)
    assert measures.growth([0.2] * 301, fps=15.0) == pytest.approx(0.0, abs=1e-9)
    assert measures.growth(rising[:149], fps=15.0) is None
    assert measures.growth([0.0] * 301, fps=15.0) is None


def test_seams_stand_out(clip):
    """Light changes by 1 each frame and by 3 from block to block; nothing moves."""
    steps = np.array([0] + [3 if t > 1 and (t - 1) % BLOCK == 0 else 1 for t in range(1, len(clip))])
    frames = np.zeros_like(clip.frames) + np.cumsum(steps).astype(np.uint8)[:, None, None, None]
    assert measures.seam_ratio(frames, clip, block=BLOCK) == pytest.approx(3.0)
    assert measures.seam_ratio(frames[:5], clip, block=BLOCK) is None
    assert measures.seam_ratio(np.zeros_like(frames), clip, block=BLOCK) is None
    barely = np.zeros_like(frames)
    barely[3:, 0, 0] = 20  # a pixel of 2,048, once
    assert measures.seam_ratio(barely, clip, block=BLOCK) is None


def test_known_motion_is_no_change(clip):
    """The square moves two pixels a frame; carried by that motion, only what it uncovers is left."""
    motion, taps = clip.motion.copy(), clip.taps.copy()
    motion[1:], taps[1:] = np.where((clip.ids == 1)[1:, ..., None], [-2.0, 0.0], 0.0), 1
    uncovered = (clip.ids[1:] == 0) & (clip.ids[:-1] == 1)
    taps[1:][uncovered] = 0
    known = replace(clip, motion=motion, taps=taps)
    assert measures.seam_ratio(clip.frames, known, block=BLOCK) is None  # nothing changes
    assert measures.seam_ratio(clip.frames, clip, block=BLOCK) == pytest.approx(1.0)


def test_a_checkerboard_shows():
    rng = np.random.default_rng(0)
    true = rng.integers(60, 200, (5, 32, 64, 3)).astype(np.uint8)
    assert measures.checkerboard(true, true, periods=(2, 8, 16)) == pytest.approx(1.0)
    marked = true.copy()
    marked[:, :, ::8] += 50
    assert measures.checkerboard(marked, true, periods=(2, 8, 16)) > 5.0
    assert measures.checkerboard(marked, true, periods=(16,)) < 1.5
