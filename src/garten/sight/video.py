"""Moving pictures: frames to MP4, animated WebP or GIF and back, without a display or a system codec.

Equal frames give equal bytes. A file appears under its name only when it is whole.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import av
import numpy as np

from garten.errors import RenderError
from garten.records import Frame
from garten.runs.storage import write_atomic

BT601 = 6
"""The code of the colour matrix that frames are converted with; told to players, who would guess by size."""


@dataclass(frozen=True)
class _Format:
    """How one kind of file is encoded."""

    muxer: str
    codec: str
    pixels: str  # the encoder's pixel format
    muxer_options: dict[str, str]
    codec_options: dict[str, str]
    even: bool = False  # whether width and height must be even


FORMATS = {
    # Quality 18 is hard to tell from the original. Macroblock-tree rate control made the bytes of small
    # frames differ between one run and the next, even in one thread.
    ".mp4": _Format("mp4", "libx264", "yuv420p", {}, {"crf": "18", "x264-params": "mbtree=0"}, even=True),
    # Flat colours are smaller without loss than with it.
    ".webp": _Format("webp", "libwebp_anim", "bgra", {"loop": "0"}, {"lossless": "1"}),
    ".gif": _Format("gif", "gif", "pal8", {"loop": "0"}, {}),
}
"""The formats by suffix."""


def write(path: Path, frames: Iterable[Frame], *, fps: float) -> Path:
    """Write frames as a moving picture; the suffix of `path` chooses MP4 (H.264), animated WebP or GIF.

    MP4 needs even sizes: an odd width or height is made even by repeating the last column or row, and the
    true size is noted in the file, so that `read` returns the frames at their own size. WebP keeps every bit;
    GIF has 256 colours, chosen for the whole clip.

    Args:
        path: the file to write; its folder exists.
        frames: [height, width, 3] uint8, all of one size; consumed one at a time.
        fps: frames per second.

    Raises:
        RenderError: an unknown suffix, no frames, frames of different sizes or types, or `fps` not positive.
        RunError: the file cannot be written.
    """
    chosen = format_of(path)
    if not 0.0 < fps < float("inf"):
        raise RenderError(f"A video cannot have {fps} frames per second; give a positive number.")
    checked = _checked(frames)
    first = next(checked, None)
    if first is None:
        raise RenderError("A video needs at least one frame; got none.")
    write_atomic(path, _encode(chosen, chain([first], checked), first.shape, fps))
    return path


def read(path: Path) -> list[Frame]:
    """All frames of a file that `write` made, [height, width, 3] uint8.

    Raises:
        RenderError: the file is missing, damaged, or no moving picture.
    """
    return list(frames(path))


def frames(path: Path) -> Iterator[Frame]:
    """The frames of a moving picture one by one, so that long ones need no memory.

    Raises:
        RenderError: as for `read`.
    """
    format_of(path)
    with _explained(path):
        yield from _read_webp(path) if path.suffix.lower() == ".webp" else _read_av(path)


def length(path: Path) -> tuple[int, float]:
    """How many frames a moving picture has, and how many of them a second.

    Raises:
        RenderError: as for `read`.
    """
    format_of(path)
    with _explained(path):
        return _length_webp(path) if path.suffix.lower() == ".webp" else _length_av(path)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, av.FFmpegError, SyntaxError) as error:
        raise RenderError(f"{path} cannot be read as a video ({error}); write it again.") from error


def format_of(path: Path) -> _Format:
    """How a file of this name is encoded.

    Raises:
        RenderError: an unknown suffix.
    """
    chosen = FORMATS.get(path.suffix.lower())
    if chosen is None:
        raise RenderError(f"'{path.name}' is no kind of video; let its name end in {' or '.join(FORMATS)}.")
    return chosen


def _checked(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frames, each compared with the first."""
    shape = None
    for frame in frames:
        shape = shape or frame.shape
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
            kind = f"{frame.dtype} {list(frame.shape)}"
            raise RenderError(f"A video takes frames of uint8 [height, width, 3]; got {kind}.")
        if frame.shape != shape:
            sizes = f"{shape[1]} x {shape[0]} and {frame.shape[1]} x {frame.shape[0]}"
            raise RenderError(f"A video takes frames of one size; got {sizes}.")
        yield frame


def _encode(chosen: _Format, frames: Iterator[Frame], shape: tuple[int, ...], fps: float) -> bytes:
    """The whole file."""
    height, width = shape[:2]
    pad_height, pad_width = (height % 2, width % 2) if chosen.even else (0, 0)
    rate = Fraction(fps).limit_denominator(1001)
    file = io.BytesIO()
    with av.open(file, "w", format=chosen.muxer, options=chosen.muxer_options) as container:
        container.metadata["comment"] = f"{width} x {height}"
        stream: Any = container.add_stream(chosen.codec, rate=rate, options=chosen.codec_options)
        stream.width, stream.height = width + pad_width, height + pad_height
        stream.pix_fmt = chosen.pixels
        stream.colorspace = BT601
        stream.thread_count = 1  # more threads would make the bytes depend on their number
        stream.time_base = 1 / rate
        for number, frame in enumerate(_pictures(chosen, frames, (pad_height, pad_width), rate)):
            frame.pts, frame.time_base = number, 1 / rate
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return file.getvalue()


def _pictures(
    chosen: _Format, frames: Iterator[Frame], pads: tuple[int, int], rate: Fraction
) -> Iterator[av.VideoFrame]:
    """The frames as the encoder takes them."""
    padding = ((0, pads[0]), (0, pads[1]), (0, 0))
    pictures = (av.VideoFrame.from_ndarray(np.pad(frame, padding, "edge"), "rgb24") for frame in frames)
    return _with_palette(pictures, rate) if chosen.pixels == "pal8" else pictures


def _with_palette(pictures: Iterator[av.VideoFrame], rate: Fraction) -> Iterator[av.VideoFrame]:
    """The pictures in 256 colours, chosen for all of them together."""
    first = next(pictures)
    graph = av.filter.Graph()
    source = graph.add_buffer(width=first.width, height=first.height, format=first.format, time_base=1 / rate)
    split = graph.add("split")
    choose = graph.add("palettegen", "reserve_transparent=0:stats_mode=full")
    use = graph.add("paletteuse", "dither=none")
    sink = graph.add("buffersink")
    source.link_to(split)
    split.link_to(use, 0, 0)
    split.link_to(choose, 1, 0)
    choose.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    for number, picture in enumerate(chain([first], pictures)):
        picture.pts, picture.time_base = number, 1 / rate
        source.push(picture)
    source.push(None)
    while True:
        try:
            yield graph.vpull()
        except (av.EOFError, av.BlockingIOError):
            return


def _read_av(path: Path) -> Iterator[Frame]:
    with av.open(str(path)) as container:
        noted = container.metadata.get("comment", "")
        for picture in container.decode(video=0):
            frame = picture.to_ndarray(format="rgb24")
            width, height = map(int, noted.split(" x ")) if noted else (frame.shape[1], frame.shape[0])
            yield np.ascontiguousarray(frame[:height, :width])


def _length_av(path: Path) -> tuple[int, float]:
    """From the packets, which need no decoding."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        rate = stream.average_rate or stream.guessed_rate or 1
        return sum(packet.size > 0 for packet in container.demux(stream)), float(rate)


def _length_webp(path: Path) -> tuple[int, float]:
    from PIL import Image

    with Image.open(path) as image:
        image.load()
        return getattr(image, "n_frames", 1), 1000.0 / float(image.info.get("duration") or 100.0)


def _read_webp(path: Path) -> Iterator[Frame]:
    """WebP through Pillow: FFmpeg writes animated WebP and cannot read it."""
    from PIL import Image

    with Image.open(path) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            yield np.asarray(image.convert("RGB"))
