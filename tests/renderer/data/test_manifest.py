"""The published form of clips, written and read."""

import json
from pathlib import Path

import numpy as np
import pytest

from garten.errors import RenderError
from garten.renderer.data import manifest
from garten.renderer.data.clip import About, Clip, still
from garten.renderer.data.reader import Clips
from garten.sight import video
from garten.sight.encodings import normals_to_rgb, to_bytes

FRAMES, WIDTH, HEIGHT = 5, 32, 20


def clip(seed: int = 0) -> Clip:
    rng = np.random.default_rng(seed)
    about = About("herding", "train", 10.0, "green grass at dusk", "dusk", 1.5, FRAMES, (WIDTH, HEIGHT))
    shape = (FRAMES, HEIGHT, WIDTH)
    depth = rng.uniform(0.5, 80.0, shape).astype(np.float32)
    normals = rng.normal(size=(*shape, 3)).astype(np.float32)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    depth[:, :3], normals[:, :3] = np.inf, 0.0
    frames = np.full((*shape, 3), 40 * (seed + 1), np.uint8)
    return Clip(about, frames=frames, depth=depth, normals=normals, **still(FRAMES, (WIDTH, HEIGHT)))


def test_rows_are_as_published(tmp_path: Path) -> None:
    """Five fields by those names; arrays finite and not negative, one for each frame of the video."""
    path = manifest.write([clip(0), clip(1)], tmp_path / "out")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(rows) == 2
    for row in rows:
        assert set(row) == {"video", "depth", "normal", "caption", "depth_scale", "fps"}
        depth, normals = (np.load(path.parent / row[name]) for name in ("depth", "normal"))
        assert depth.shape == (FRAMES, HEIGHT, WIDTH)
        assert normals.shape == (FRAMES, HEIGHT, WIDTH, 3)
        assert np.isfinite(depth).all()
        assert (depth >= 0.0).all()
        assert len(video.read(path.parent / row["video"])) == FRAMES


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    path = manifest.write([clip(0), clip(1)], tmp_path / "out")
    read = Clips([path], frames=FRAMES)
    assert len(read) == 2
    for number, found in enumerate(read):
        truth = clip(number)
        np.testing.assert_array_equal(found.depth, truth.depth)
        np.testing.assert_allclose(found.normals, truth.normals, atol=2e-3)
        np.testing.assert_allclose(found.frames.astype(int), truth.frames.astype(int), atol=4)
        assert (found.about.caption, found.about.fps, found.about.depth_scale) == (
            "green grass at dusk",
            10.0,
            1.5,
        )
        assert found.carry(1).apply(found.depth[0])[1].all()  # nobody knows the motion


def test_rows_of_others_are_read(tmp_path: Path) -> None:
    """Without caption, scale and rate; normals as a video; fields that we do not know."""
    truth = clip()
    manifest.write([truth], tmp_path)
    video.write(tmp_path / "n.webp", to_bytes(normals_to_rgb(truth.normals)), fps=16)
    row = {"video": "000000.mp4", "depth": "000000_depth.npy", "normal": "n.webp", "extra": [1]}
    (tmp_path / "theirs.jsonl").write_text(json.dumps(row) + "\n\n")
    (found,) = Clips([tmp_path / "theirs.jsonl"], frames=FRAMES)
    assert (found.about.caption, found.about.fps, found.about.depth_scale) == ("", 16.0, 1.0)
    seen = np.isfinite(truth.depth)
    np.testing.assert_allclose(found.normals[seen], truth.normals[seen], atol=0.02)
    assert (found.normals[~seen] == 0.0).all()


def test_wrong_manifests_are_told_in_a_sentence(tmp_path: Path) -> None:
    manifest.write([clip()], tmp_path)
    row = {"video": "000000.mp4", "depth": "000000_depth.npy", "normal": "000000_normal.npy"}
    place = tmp_path / "wrong.jsonl"
    for text in ("{", "[]", json.dumps({**row, "depth": "none.npy"}), json.dumps({"video": "000000.mp4"})):
        place.write_text(text)
        with pytest.raises(RenderError, match="cannot be read as a manifest"):
            Clips([place], frames=2)
    np.save(tmp_path / "short.npy", np.zeros((FRAMES - 1, HEIGHT, WIDTH, 3)))
    place.write_text(json.dumps({**row, "normal": "short.npy"}))
    with pytest.raises(RenderError, match="differ in size or number of frames"):
        Clips([place], frames=2).clip(0)
