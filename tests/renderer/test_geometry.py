"""Acceptance tests 6 and 9 (noise): the colour map of depth, pooling, stretching, noise; and augmentation."""

import numpy as np
import pytest
import torch

from garten.renderer.augment import Warp, augmented, draw_modality, draw_warp, smoothed, warped
from garten.renderer.geometry import colored, encoded, pooled, stretched, with_noise
from garten.renderer.presets import PAPER, TINY, S
from garten.renderer.renderer import build
from garten.scene import Condition
from garten.sight.encodings import depth_to_rgb


def condition(depth, normal=(0.0, 0.0, 1.0)):
    normals = np.broadcast_to(np.float32(normal), (*depth.shape, 3)).copy()
    return Condition(depth, normals, np.zeros(depth.shape, np.int32), (1.0, 1.0, 1.0, 1.0))


def test_06_depth_colors():
    """From black at no depth to white at no end, by way of all eight corners of the cube; invalid is
    black."""
    at = [np.float32(10 * ((1 - k / 7) ** -0.5 - 1)) for k in range(7)]
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1)]
    depth = np.array([[1e-9, *at[1:], 1e12]], np.float32)
    image, _ = colored([condition(depth)])
    np.testing.assert_allclose(image[0, :, 0].T, 2 * np.array(corners) - 1, atol=1e-4)
    steps = np.geomspace(0.01, 1000, 400, dtype=np.float32)
    u = 1 - (1 + steps / 10) ** -2
    walked = np.abs(np.diff(depth_to_rgb(steps), axis=0)).sum(-1)
    np.testing.assert_allclose(walked, 7 * np.diff(u), atol=2e-5)  # each edge has length 1
    bad = np.array([[np.inf, np.nan, 0.0, -1.0]], np.float32)
    image, normals = colored([condition(bad, (0.0, 0.0, 0.0))])
    assert bool((image == -1).all())
    assert bool((normals == -1).all())


@pytest.mark.parametrize(("settings", "size"), [(TINY, (16, 32)), (S, (48, 80)), (PAPER, (128, 224))])
def test_06_pooled_constants_stay(settings, size):
    """Pooling and stretching give the size the network takes, and leave a constant as it is."""
    value = torch.tensor([0.25, -0.5, 1.0])[:, None, None]
    image = value.expand(1, 3, settings.height, settings.width).clone()
    for split in ((0.5, 0.5), (0.0, 1.0)):
        made = stretched(pooled(image, settings), settings, split=split)
        assert made.shape == (1, 3, *size)
        torch.testing.assert_close(made, value.expand(1, 3, *size), rtol=0, atol=1e-6)


def test_06_stretching_is_shared_between_halves():
    """The paper's 120 rows become 128: each half takes its share, and the middle stays between them."""
    image = torch.zeros(1, 3, 480, 832)
    image[:, :, 240:] = 1
    assert [
        int((stretched(pooled(image, PAPER), PAPER, split=(share, 0.5))[0, 0, :, 0] == 0).sum())
        for share in (0, 0.5, 1)
    ] == [
        60,
        64,
        68,
    ]


def test_09_noise_knob():
    """No noise is an exact no-op; noise is a share of each frame's own numbers, whoever runs beside it."""
    latents = torch.randn(2, 5, 4, 2, 4)
    assert with_noise(latents, 0.0, [1, 2]) is latents
    both = with_noise(latents, 0.4, [1, 2])
    assert torch.equal(with_noise(latents[1:], 0.4, [2]), both[1:])
    assert torch.equal(with_noise(latents[:, 3:], 0.4, [1, 2], first=3), both[:, 3:])
    assert not torch.equal(with_noise(latents, 0.4, [1, 3])[1], both[1])
    eps = (both - 0.6 * latents) / 0.4
    assert abs(float(eps.mean())) < 0.1
    assert abs(float(eps.std()) - 1) < 0.1


def test_one_modality_or_the_average():
    """By default one modality is encoded; the average is that of both latents, with black for a missing
    one."""
    made = build(TINY, seed=0)
    depth, normals = torch.rand(2, 1, 3, 3, 16, 32)
    black = torch.full_like(depth, -1)
    alone, _ = encoded(made.codec, depth, normals, TINY)
    assert torch.equal(alone, made.codec.encode(depth)[0])
    settings = type(TINY)(**{**vars(TINY), "geometry": type(TINY.geometry)(modality="average")})
    mean, _ = encoded(made.codec, depth, None, settings)
    wanted = (made.codec.encode(depth)[0] + made.codec.encode(black)[0]) / 2
    torch.testing.assert_close(mean, wanted, rtol=0, atol=1e-6)
    missing, _ = encoded(made.codec, None, normals, TINY)
    torch.testing.assert_close(missing, made.codec.encode(black)[0], rtol=0, atol=1e-6)


def test_a_warp_fades_to_nothing():
    images = torch.rand(5, 3, 16, 32)
    assert torch.equal(warped(images, Warp(1.1, (0.05, 0.0), 0.02, (0.01, 0.0)))[-1], images[-1])
    moved = (warped(images, Warp(1.1, (0.05, 0.0), 0.02, (0.01, 0.0))) - images).abs().mean((1, 2, 3))
    assert bool((moved.diff() < 0).all())
    torch.testing.assert_close(
        warped(images, Warp(1.0, (0.0, 0.0), 0.0, (0.0, 0.0))), images, atol=1e-5, rtol=0
    )
    # A shift of a sixteenth of the height moves the first frame down by one row.
    shifted = warped(images, Warp(1.0, (0.0, 1 / 16), 0.0, (0.0, 0.0)))
    torch.testing.assert_close(shifted[0, :, 1:], images[0, :, :-1], atol=1e-4, rtol=0)


def test_suppression_takes_texture_and_leaves_slopes():
    slope = torch.linspace(-1, 1, 32).expand(1, 3, 16, 32)
    checks = torch.tensor([1.0, -1.0]).repeat(16).expand(1, 3, 16, 32) * 0.2
    made = smoothed(slope + checks, 2.0)
    assert float((made - slope)[..., 4:-4].abs().max()) < 0.05


def test_augmentation_is_drawn_as_published():
    generator = torch.Generator().manual_seed(0)
    drawn = [draw_modality(generator) for _ in range(4000)]
    assert abs(drawn.count(None) / 4000 - 0.1) < 0.02
    assert abs(drawn.count("depth") / 4000 - 0.45) < 0.03
    warps = [draw_warp(generator) for _ in range(500)]
    assert all(1 <= warp.scale <= 1.15 for warp in warps)
    assert max(abs(x) for warp in warps for x in (*warp.shift, warp.shear, *warp.perspective)) <= 0.06
    images = torch.rand(3, 3, 16, 32)
    kinds = set()
    for _ in range(40):
        made = augmented(images, generator=generator)
        kinds.add((torch.equal(made[0], images[0]), torch.equal(made[-1], images[-1])))
    assert kinds == {(True, True), (False, True), (False, False)}
