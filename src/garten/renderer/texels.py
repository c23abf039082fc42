"""The long memory of appearance: colours of small cells on the surfaces of things.

A cell is a cube in a thing's own frame, so that a thing that comes back, having moved or not, still has the
look it had. Cells come in sizes that double, as pixels do with distance: what is seen is written at the size
of its pixels and at a few larger ones, and read at the first size that knows something, so that it is found
again from up to eight times nearer or farther.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from garten.records import Frame
from garten.scene import NO_ID, Floats
from garten.sight.anchors import Anchors

SMALLEST = 0.01
"""Metres along the smallest cells."""

SIZES, LARGER = 20, 3
"""Sizes of cells; how many larger ones are written and read beside a pixel's own."""

_AXIS, _THING = 14, 16
"""Bits of a cell's number for its place along an axis, after which places repeat, and for its thing."""


class Texels:
    """Cells with colours, and which share of these comes from true frames.

    The truest colour counts, of equal ones the last; what was not seen for longest is forgotten first.
    """

    def __init__(self, *, room: int = 200_000) -> None:
        """An empty memory.

        Args:
            room: cells that are kept, at most; one takes 32 bytes.
        """
        self._room = room
        self._cells = np.zeros(0, np.int64)  # sorted
        self._colors = np.zeros((0, 4), np.float32)  # and the share
        self._seen = np.zeros(0, np.int64)  # the write that each comes from
        self._writes = 0

    def __len__(self) -> int:
        return len(self._cells)

    def fork(self) -> Texels:
        """A memory of its own that so far holds the same."""
        forked = Texels(room=self._room)
        forked._cells, forked._colors, forked._seen = self._cells, self._colors, self._seen
        forked._writes = self._writes
        return forked

    def write(self, frame: Frame, anchors: Anchors, *, truth: Floats | None = None) -> None:
        """Remember the colours of a frame [H, W, 3].

        Args:
            frame: to remember.
            anchors: where its pixels lie on things.
            truth: which share of a pixel's colour comes from true frames, [H, W]; None: all.
        """
        own = anchors.things != NO_ID
        shares = np.ones(frame.shape[:2], np.float32) if truth is None else truth
        colors = np.concatenate([frame[own], shares[own][:, None]], 1, dtype=np.float32)
        written = [_cells(anchors, own, larger) for larger in range(LARGER + 1)]
        cells, index = np.unique(np.concatenate(written), return_inverse=True)
        counts = np.bincount(index, minlength=len(cells))
        repeated = np.tile(colors, (LARGER + 1, 1))
        means = np.stack(
            [np.bincount(index, repeated[:, c], len(cells)) / np.maximum(counts, 1) for c in range(4)], -1
        )
        self._writes += 1
        self._merge(cells, means.astype(np.float32))

    def read(self, anchors: Anchors, wanted: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """What is known of what is wanted [H, W]; 0 elsewhere.

        Returns:
            Colours [H, W, 3]; which share of them comes from true frames [H, W]; where they are known [H, W].
        """
        image = np.zeros((*wanted.shape, 4), np.float32)
        known = np.zeros(wanted.shape, np.bool_)
        for larger in range(LARGER + 1):
            left = wanted & ~known & (anchors.things != NO_ID)
            if not len(self._cells) or not left.any():
                break
            cells = _cells(anchors, left, larger)
            place = np.minimum(np.searchsorted(self._cells, cells), len(self._cells) - 1)
            found = self._cells[place] == cells
            image[left] = np.where(found[:, None], self._colors[place], 0.0)
            known[left] = found
        return image[..., :3], image[..., 3], known

    def _merge(self, cells: NDArray[np.int64], colors: Floats) -> None:
        """Put cells, each there once, in the place of older ones that are no truer."""
        if len(self._cells):
            place = np.minimum(np.searchsorted(self._cells, cells), len(self._cells) - 1)
            truer = (self._cells[place] == cells) & (self._colors[place, 3] > colors[:, 3])
            colors = np.where(truer[:, None], self._colors[place], colors)
        stamps = np.full(len(cells), self._writes, np.int64)
        both = np.concatenate([cells, self._cells])
        self._cells, first = np.unique(both, return_index=True)  # the first of equal ones is new
        self._colors = np.concatenate([colors, self._colors])[first]
        self._seen = np.concatenate([stamps, self._seen])[first]
        if len(self._cells) > self._room:
            latest = np.sort(np.argsort(-self._seen, kind="stable")[: self._room])
            self._cells, self._colors, self._seen = (
                self._cells[latest],
                self._colors[latest],
                self._seen[latest],
            )


def _cells(anchors: Anchors, where: NDArray[np.bool_], larger: int) -> NDArray[np.int64]:
    """The cells of some pixels, so many sizes larger than the pixels, as numbers."""
    size = (
        np.ceil(np.log2(np.maximum(anchors.footprints[where], SMALLEST) / SMALLEST)).astype(np.int64) + larger
    )
    size = np.minimum(size, SIZES - 1)
    steps = np.floor(anchors.places[where] / (SMALLEST * 2.0**size)[:, None]).astype(np.int64)
    number = size << _THING | anchors.things[where] & (1 << _THING) - 1
    for axis in range(3):
        number = number << _AXIS | steps[:, axis] & (1 << _AXIS) - 1
    return np.asarray(number)
