"""Depth and normals as colours, both ways."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garten.sight.encodings import (
    PATH,
    clip_scale,
    depth_to_rgb,
    from_bytes,
    normals_to_rgb,
    rgb_to_depth,
    rgb_to_normals,
    to_bytes,
)

STEPS = 7 * 255
"""Steps of the path that bytes can tell apart."""


def u_of(depth: np.ndarray, scale: float = 1.0) -> np.ndarray:
    return 1.0 - (1.0 + scale * depth / 10.0) ** -2.0


def depth_of(u: np.ndarray) -> np.ndarray:
    return 10.0 * ((1.0 - u) ** -0.5 - 1.0)


def test_corners_come_in_the_published_order() -> None:
    depths = depth_of(np.arange(7) / 7.0).astype(np.float32)
    names = ["black", "red", "yellow", "green", "cyan", "blue", "magenta"]
    colors = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1)]
    for name, depth, color in zip(names, depths, colors, strict=True):
        np.testing.assert_allclose(depth_to_rgb(depth[None])[0], color, atol=1e-5, err_msg=name)
    assert np.allclose(depth_to_rgb(np.array([1e9], np.float32)), 1.0)  # white, far away


def test_segments_are_linear_in_u() -> None:
    u = (np.arange(7)[:, None] + np.array([0.25, 0.5, 0.75])) / 7.0
    colors = depth_to_rgb(depth_of(u).astype(np.float32))
    shares = np.array([0.25, 0.5, 0.75])[None, :, None]
    expected = PATH[:-1, None] + shares * (PATH[1:, None] - PATH[:-1, None])
    np.testing.assert_allclose(colors, expected, atol=1e-5)


def test_segments_are_walked_to_the_bit() -> None:
    depth = np.geomspace(1e-6, 1e30, 100_000).astype(np.float32)
    walked = 7 * u_of(depth.astype(np.float64))
    segment = np.minimum(walked.astype(int), 6)
    expected = PATH[segment] + (walked - segment)[:, None] * (PATH[segment + 1] - PATH[segment])
    assert np.array_equal(depth_to_rgb(depth), expected.astype(np.float32))


def test_invalid_depth_is_black_and_black_is_unseen() -> None:
    invalid = np.array([0.0, -1.0, np.inf, -np.inf, np.nan], np.float32)
    assert not depth_to_rgb(invalid).any()
    assert np.isinf(rgb_to_depth(np.zeros((2, 3), np.float32))).all()


@given(st.floats(0.01, 1000.0), st.floats(0.05, 20.0))
def test_depth_comes_back(depth: float, scale: float) -> None:
    exact = np.array([depth], np.float32)
    back = rgb_to_depth(depth_to_rgb(exact, scale), scale)
    # Single precision leaves u an error of about 1e-7, which grows with depth.
    slope = 2.0 * scale / 10.0 * (1.0 + scale * depth / 10.0) ** -3.0
    np.testing.assert_allclose(back, exact, rtol=1e-6, atol=2e-7 / slope)


def test_depth_comes_back_from_bytes_within_half_a_step() -> None:
    depth = np.geomspace(0.01, 400.0, 20_000).astype(np.float32)
    back = rgb_to_depth(from_bytes(to_bytes(depth_to_rgb(depth))))
    assert np.abs(u_of(back) - u_of(depth)).max() <= 0.5 / STEPS + 1e-6


def test_every_byte_step_of_the_path_is_its_own_depth() -> None:
    u = (np.arange(1, STEPS) / STEPS).astype(np.float64)
    frame = to_bytes(depth_to_rgb(depth_of(u).astype(np.float32)))
    assert len(np.unique(frame, axis=0)) == STEPS - 1
    np.testing.assert_allclose(u_of(rgb_to_depth(from_bytes(frame))), u, atol=1e-6)


def test_colours_beside_the_path_are_read_as_its_nearest_point() -> None:
    beside = np.array([[0.5, 0.04, 0.03], [0.97, 1.0, 0.02]], np.float32)
    np.testing.assert_allclose(rgb_to_depth(beside), depth_of(np.array([0.5 / 7.0, 2.03 / 7.0])), rtol=1e-3)


def test_clip_scale_puts_the_median_in_the_middle() -> None:
    depths = np.array([np.inf, 3.0, 4.0, 50.0, 0.0, np.nan], np.float32)
    scale = clip_scale(depths)
    assert u_of(np.array(4.0), scale) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="no scale"):
        clip_scale(np.full(3, np.inf, np.float32))


def test_normals_come_back() -> None:
    rng = np.random.default_rng(0)
    normals = rng.normal(size=(40, 30, 3))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    rgb = normals_to_rgb(normals.astype(np.float32))
    np.testing.assert_allclose(rgb, (normals + 1.0) / 2.0, atol=1e-6)
    np.testing.assert_allclose(rgb_to_normals(rgb), normals, atol=1e-6)
    from_frame = rgb_to_normals(from_bytes(to_bytes(rgb)))
    assert np.abs(from_frame - normals).max() < 2.0 / 255.0
    np.testing.assert_allclose(np.linalg.norm(from_frame, axis=-1), 1.0, atol=1e-6)


def test_no_normal_is_black_both_ways() -> None:
    nothing = np.zeros((2, 2, 3), np.float32)
    assert not normals_to_rgb(nothing).any()
    assert not rgb_to_normals(nothing).any()


def test_facing_the_camera_is_the_usual_pale_blue() -> None:
    facing = np.array([[0.0, 0.0, 1.0]], np.float32)
    np.testing.assert_array_equal(to_bytes(normals_to_rgb(facing)), [[128, 128, 255]])


def test_bytes_are_rounded_and_kept_in_range() -> None:
    values = np.array([-0.5, 0.0, 0.4 / 255, 0.6 / 255, 1.0, 2.0], np.float32)
    np.testing.assert_array_equal(to_bytes(values), [0, 0, 0, 1, 255, 255])
    np.testing.assert_array_equal(to_bytes(from_bytes(np.arange(256, dtype=np.uint8))), np.arange(256))
