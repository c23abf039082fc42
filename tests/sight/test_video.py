"""Videos: there and back, the same bytes each time, and refusals."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from garten.errors import RenderError, RunError
from garten.records import Frame
from garten.sight import video
from support import python

SUFFIXES = tuple(video.FORMATS)
TOLERANCE = {".mp4": 6.0, ".webp": 0.0, ".gif": 4.0}  # mean absolute error out of 255


def clip(width: int = 64, height: int = 48, count: int = 9) -> list[Frame]:
    """A square that wanders over two flat colours."""
    frames = []
    for number in range(count):
        frame = np.empty((height, width, 3), np.uint8)
        frame[: height // 2] = (150, 190, 230)
        frame[height // 2 :] = (90, 140, 70)
        frame[10 + number : 20 + number, 5 + 3 * number : 17 + 3 * number] = (200, 60, 40)
        frames.append(frame)
    return frames


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("size", [(64, 48), (65, 47), (33, 48), (64, 33)])
def test_frames_come_back(suffix: str, size: tuple[int, int], tmp_path: Path) -> None:
    frames = clip(*size)
    path = video.write(tmp_path / f"clip{suffix}", iter(frames), fps=8)
    back = video.read(path)
    assert len(back) == len(frames)
    for ours, theirs in zip(frames, back, strict=True):
        assert theirs.shape == ours.shape
        assert theirs.dtype == np.uint8
        assert np.abs(theirs.astype(int) - ours).mean() <= TOLERANCE[suffix]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_frames_give_equal_bytes(suffix: str, tmp_path: Path) -> None:
    first = video.write(tmp_path / f"a{suffix}", clip(), fps=12.5).read_bytes()
    for _ in range(10):
        assert video.write(tmp_path / f"b{suffix}", clip(), fps=12.5).read_bytes() == first
    code = f"""
import hashlib, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from garten.sight import video
from sight.test_video import clip
path = video.write(Path({str(tmp_path)!r}) / "c{suffix}", clip(), fps=12.5)
print(hashlib.sha256(path.read_bytes()).hexdigest())
"""
    assert python(code).stdout.strip() == hashlib.sha256(first).hexdigest()


@pytest.mark.parametrize("fps", [1, 8, 16, 30, 12.5, 29.97])
def test_mp4_plays_at_the_rate_asked_for(fps: float, tmp_path: Path) -> None:
    path = video.write(tmp_path / "clip.mp4", clip(count=6), fps=fps)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.pix_fmt == "yuv420p"
        assert float(stream.average_rate) == pytest.approx(fps, rel=1e-3)
        times = [frame.time for frame in container.decode(stream)]
    np.testing.assert_allclose(np.diff(times), 1.0 / fps, rtol=0.01)


@pytest.mark.parametrize("suffix", [".webp", ".gif"])
def test_pictures_move_at_the_rate_asked_for_and_loop(suffix: str, tmp_path: Path) -> None:
    path = video.write(tmp_path / f"clip{suffix}", clip(), fps=10)
    with Image.open(path) as image:
        assert image.n_frames == 9
        assert image.info["loop"] == 0
        image.seek(3)
        image.load()
        assert image.info["duration"] == pytest.approx(100, abs=10)


def test_one_frame_is_enough(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        path = video.write(tmp_path / f"one{suffix}", clip(count=1), fps=8)
        assert len(video.read(path)) == 1


def test_frames_are_taken_one_at_a_time(tmp_path: Path) -> None:
    """The writer never holds back more than one frame before it encodes."""
    taken: list[int] = []

    def stream() -> Iterator[Frame]:
        for number, frame in enumerate(clip()):
            taken.append(number)
            yield frame
            frame[:] = 0  # would spoil the video if the frame were still needed

    video.write(tmp_path / "clip.webp", stream(), fps=8)
    assert taken == list(range(9))
    np.testing.assert_array_equal(video.read(tmp_path / "clip.webp"), clip())


def test_bad_input_is_one_sentence_and_leaves_no_file(tmp_path: Path) -> None:
    good = clip()
    cases = [
        ("clip.mp4", [], 8.0, "at least one frame"),
        ("clip.mp4", [*good, clip(32, 32)[0]], 8.0, "one size; got 64 x 48 and 32 x 32"),
        ("clip.mp4", [good[0].astype(np.float32)], 8.0, "uint8"),
        ("clip.mp4", [good[0][..., 0]], 8.0, "uint8"),
        ("clip.avi", good, 8.0, "let its name end in .mp4 or .webp or .gif"),
        ("clip", good, 8.0, "let its name end in"),
        ("clip.gif", good, 0.0, "positive"),
        ("clip.gif", good, -3.0, "positive"),
        ("clip.gif", good, float("nan"), "positive"),
    ]
    for name, frames, fps, message in cases:
        with pytest.raises(RenderError, match=message) as caught:
            video.write(tmp_path / name, frames, fps=fps)
        assert str(caught.value).count(". ") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_failing_source_leaves_the_old_file(tmp_path: Path) -> None:
    path = video.write(tmp_path / "clip.mp4", clip(), fps=8)
    before = path.read_bytes()

    def broken() -> Iterator[Frame]:
        yield from clip()[:3]
        raise ValueError("the world fell over")

    with pytest.raises(ValueError, match="fell over"):
        video.write(path, broken(), fps=8)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["clip.mp4"]


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RunError):
        video.write(tmp_path / "file" / "clip.mp4", clip(), fps=8)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_video_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"clip{suffix}"
    with pytest.raises(RenderError, match="cannot be read"):
        video.read(path)
    path.write_bytes(b"not a video")
    with pytest.raises(RenderError, match="cannot be read"):
        video.read(path)
