"""Sets of clips on disk: one shard a clip, written in any order, each whole or absent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

from garten.errors import RunError
from garten.renderer.data.clip import About, Clip, Found, pack, unpack
from garten.renderer.data.recipe import KIND
from garten.runs.codec import from_json
from garten.runs.events import Event
from garten.runs.folder import RunFolder
from garten.runs.resume import RunWriter

FOLDER = "clips"
"""Where the shards of a run lie."""

Maker = Callable[[int], Clip]
"""Makes the clip of a number; the same clip every time, in any thread."""


def make(
    maker: Maker,
    count: int,
    run: RunWriter,
    *,
    workers: int = 1,
    watch: Callable[[Event], None] = lambda event: None,
) -> list[About]:
    """Make those of clips 0 to `count` - 1 that the run does not have yet, each in a shard of its own.

    Args:
        maker: Makes a clip.
        count: How many there are to be.
        run: Where they go. A kill costs the clips in flight and nothing else.
        workers: Threads that make clips; they change no byte.
        watch: Is told each event: one for each clip, in order.

    Returns:
        What the clips show, in order.

    Raises:
        RunError: the run cannot be written.
    """
    stopped = threading.Event()

    def keep(number: int) -> Any:
        if stopped.is_set():
            return None
        clip = maker(number)
        run.folder.write_bytes(f"{FOLDER}/{_name(number)}.npz", pack(clip))
        return clip.about

    def compute(missing: dict[str, int]) -> Iterator[tuple[str, Any]]:
        if workers == 1:
            yield from ((place, keep(number)) for place, number in missing.items())
            return
        with ThreadPoolExecutor(workers) as pool:
            futures = {pool.submit(keep, number): place for place, number in missing.items()}
            try:
                for future in as_completed(futures):
                    yield futures[future], future.result()
            finally:
                stopped.set()

    places = {f"{FOLDER}/{_name(number)}.json": number for number in range(count)}
    told = []
    for _, value in run.each(places, compute):
        watch(run.event("clip", value))
        told.append(from_json(About, value))
    return told


def read(run: Path) -> list[Found]:
    """The clips that a run has so far, in order; each is read when it is asked for.

    Raises:
        RunError: there is no run of clips there, or a shard's description is damaged.
    """
    folder = RunFolder.open(run)
    if folder.manifest.kind != KIND:
        raise RunError(f"{run} is a run of {folder.manifest.kind}; give one that `garten render data` made.")
    found: list[Found] = []
    for path in sorted((folder.path / FOLDER).glob("*.json")):
        about = folder.read_record(About, f"{FOLDER}/{path.name}")
        found.append((about, partial(unpack, about, path.with_suffix(".npz"))))
    return found


def _name(number: int) -> str:
    return f"{number:06d}"
