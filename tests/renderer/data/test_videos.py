"""Clips from videos, with estimators made up for the purpose: a wall, and a floor that slants away."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from garten.errors import RenderError
from garten.renderer.data import videos
from garten.renderer.data.videos import FOV_Y, VideoRecipe, Videos, estimate
from garten.scene import Camera, Kind, SceneBuilder
from garten.sight import video
from garten.sight.encodings import depth_to_rgb
from garten.sight.looks import caster

WIDTH, HEIGHT = 40, 24


class Walls:
    """Depth that grows with the brightness of a frame, in no unit."""

    unit = "unknown"

    def depth(self, frames: np.ndarray) -> np.ndarray:
        return 3.0 + frames.mean(-1) / 50.0


class Metres(Walls):
    """The same in metres, with a corner in which nothing is seen."""

    unit = "metres"

    def depth(self, frames: np.ndarray) -> np.ndarray:
        depth = super().depth(frames)
        depth[:, :2, :2] = -1.0
        return depth


class Vision:
    """Normals to the viewer in the axes of computer vision, too long, every other one on the wrong side."""

    axes = "vision"

    def normals(self, frames: np.ndarray) -> np.ndarray:
        normals = np.zeros(frames.shape, np.float32)
        normals[...] = (0.0, -1.2, -1.6)  # up, and to the viewer
        normals[:, :, ::2] *= -1.0
        return normals


class Blind:
    """An estimator that sees nothing."""

    unit = "metres"

    def depth(self, frames: np.ndarray) -> np.ndarray:
        return np.full(frames.shape[:3], np.nan)


class Short(Walls):
    """An estimator that leaves a frame out."""

    def depth(self, frames: np.ndarray) -> np.ndarray:
        return super().depth(frames)[1:]


def gradient(count: int) -> np.ndarray:
    """Frames [T, H, W, 3] that grow brighter."""
    frames = np.zeros((count, HEIGHT, WIDTH, 3), np.uint8)
    frames[...] = (10 + 4 * np.arange(count))[:, None, None, None]
    return frames


def here(name: str) -> str:
    return f"{__name__}:{name}"


def folder(tmp_path: Path, *, fps: float = 16.0, count: int = 25) -> Path:
    video.write(tmp_path / "a.mp4", gradient(count), fps=fps)
    video.write(tmp_path / "b.webp", gradient(9), fps=16)
    (tmp_path / "notes.txt").write_text("no video")
    return tmp_path


def test_depth_of_unknown_unit_puts_its_median_in_the_middle_of_the_colours() -> None:
    found = estimate(gradient(7), Walls(), None)
    middle = np.array([[np.median(found.depth)]], np.float32)
    green_to_cyan = depth_to_rgb(middle, found.depth_scale)[0, 0]  # u = 0.5 lies half way along the path
    np.testing.assert_allclose(green_to_cyan, (0.0, 1.0, 0.5), atol=1e-4)
    assert estimate(gradient(7), Metres(), None).depth_scale == 1.0


def test_normals_come_out_in_one_convention() -> None:
    normals = estimate(gradient(3), Metres(), Vision()).normals
    np.testing.assert_allclose(normals, np.broadcast_to((0.0, 0.6, 0.8), normals.shape), atol=1e-6)


def test_normals_from_depth_are_those_of_the_surface() -> None:
    """A slanting floor and a wall, drawn by the ray caster: its normals, but at the seam and the rim."""
    builder = SceneBuilder()
    builder.add(Kind.PLANE, material=builder.material((0.5, 0.5, 0.5)))
    builder.add(Kind.BOX, (0.5, 9.0, 9.0), position=(5.0, 0.0, 0.0), material=0)
    camera = Camera.at((0.0, 0.0, 1.0), 0.3, pitch=-0.1, fov_y=np.radians(FOV_Y))
    seen = caster().condition(builder.build(), camera, 160, 96)
    normals = videos._facing(
        videos.normals_of(seen.depth[None], videos._rays(96, 160)), videos._rays(96, 160)
    )[0]
    inner = np.ones((96, 160), bool)
    inner[[0, -1]], inner[:, [0, -1]] = False, False
    inner &= np.all([np.roll(seen.ids, step, 0) == seen.ids for step in (-1, 1)], axis=0)
    assert ((normals * seen.normals).sum(-1)[inner] > 0.999).all()


def test_videos_become_clips(tmp_path: Path) -> None:
    """Three of 8 frames from the first, one from the second; each once, in any order, at the asked size."""
    recipe = VideoRecipe(str(folder(tmp_path)), here("Walls"), caption="a wall", frames=8, size=(20, 12))
    found = Videos(recipe)
    assert len(found) == 4
    clips = {number: found.clip(number) for number in (0, 1, 3, 2)}
    for number in range(3):
        clip = clips[number]
        assert clip.frames.shape == (8, 12, 20, 3)
        expected = 10 + 4 * (8 * number + np.arange(8))
        np.testing.assert_allclose(clip.frames.mean((1, 2, 3)), expected, atol=3)
        assert (clip.about.caption, clip.about.source, clip.about.fps) == ("a wall", "a.mp4", 16.0)
        assert clip.carry(3).apply(clip.depth[2])[1].all()
    assert clips[3].about.source == "b.webp"
    np.testing.assert_array_equal(found.clip(1).frames, clips[1].frames)


@pytest.mark.parametrize("fps", [8.0, 32.0, 10.0])
def test_videos_of_other_rates_are_brought_to_ours(tmp_path: Path, fps: float) -> None:
    """Frame n is the last one shown by n / 16 s."""
    recipe = VideoRecipe(str(folder(tmp_path, fps=fps)), here("Walls"), frames=6, size=(20, 12))
    clip = Videos(recipe).clip(0)
    expected = 10 + 4 * np.floor(np.arange(6) * fps / 16.0 + 1e-9)
    np.testing.assert_allclose(clip.frames.mean((1, 2, 3)), expected, atol=3)


def test_the_middle_of_a_wide_frame_is_kept() -> None:
    wide = np.zeros((24, 80, 3), np.uint8)
    wide[:, 20:60] = 200
    assert (videos._fitted(wide, (40, 24)) == 200).all()


def test_what_is_of_no_use_is_told(tmp_path: Path) -> None:
    frames = gradient(3)
    with pytest.raises(RenderError, match="finds no depth"):
        estimate(frames, Blind(), None)
    with pytest.raises(RenderError, match="one value, or vector, for each pixel of each frame"):
        estimate(frames, Short(), None)
    recipe = VideoRecipe(str(folder(tmp_path)), here("Walls"), frames=8)
    for change, message in (
        ({"video": str(tmp_path / "none")}, "no folder"),
        ({"frames": 400}, "holds no video of 400 frames"),
        ({"depth_by": here("Nobody")}, "cannot be made"),
        ({"depth_by": "nowhere"}, "cannot be made"),
        ({"depth_by": here("Vision")}, "has no method depth"),
        ({"normals_by": here("Walls")}, "has no method normals"),
    ):
        with pytest.raises(RenderError, match=message):
            Videos(dataclasses.replace(recipe, **change))  # type: ignore[arg-type]
