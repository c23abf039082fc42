"""How fixed work on tensors is called: as it stands, or recorded once and repeated.

What a stream does with a block is the same work on the same memory again and again, once its window is full.
A GPU repeats such work without asking Python for each of a thousand launches, if it has been recorded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from torch import Tensor

Work = Callable[..., tuple[Tensor, ...]]
"""Takes tensors, or None for one that is missing; touches memory of its own besides, weights or a cache."""

Inputs = tuple[Tensor | None, ...]

T = TypeVar("T")


class Calls(Protocol):
    """Whoever runs work."""

    def __call__(self, name: Hashable, work: Work, *inputs: Tensor | None) -> tuple[Tensor, ...]:
        """What the work gives.

        Args:
            name: equal for work that does the same on the same memory; the shapes and types of inputs need
                not be in it.
            work: to run.
            inputs: all that is new.
        """
        ...


def at_once(name: Hashable, work: Work, *inputs: Tensor | None) -> tuple[Tensor, ...]:
    """`Calls` that runs work as it stands."""
    return work(*inputs)


class Recording(Protocol):
    """Work that can be repeated, reading its inputs where they lay and writing where it wrote."""

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        """What the work gives, where it always lies."""
        ...

    def repeat(self) -> None:
        """Do it; the outputs and all other memory that it writes change."""
        ...


Recorder = Callable[[Work, Inputs], Recording]
"""Records work on inputs that stay where they are; nothing is done yet."""


@dataclass(frozen=True)
class _Known:
    inputs: Inputs
    recording: Recording


class Recorded:
    """`Calls` that records work when it comes for the second time, and repeats it from then on.

    The first time it runs as it stands: what is set up on a first run cannot be recorded, and most of what
    never comes again is not recorded at all, such as the blocks of a window that still fills.
    """

    def __init__(self, record: Recorder, *, most: int = 16) -> None:
        """Nothing is recorded yet.

        Args:
            record: by what means.
            most: recordings that are kept; beyond them the one that was not used for longest goes.
        """
        self._record, self._most = record, most
        self._seen: OrderedDict[Hashable, None] = OrderedDict()
        self._known: OrderedDict[Hashable, _Known] = OrderedDict()

    def __call__(self, name: Hashable, work: Work, *inputs: Tensor | None) -> tuple[Tensor, ...]:
        """See `Calls`."""
        key = name, tuple(None if part is None else (part.shape, part.dtype, part.device) for part in inputs)
        known = self._known.get(key)
        if known is None and key not in self._seen:
            _put(self._seen, key, None, most=8 * self._most)
            return work(*inputs)
        if known is None:
            own = tuple(None if part is None else part.clone() for part in inputs)
            known = _Known(own, self._record(work, own))
            del self._seen[key]
        for place, part in zip(known.inputs, inputs, strict=True):
            if place is not None and part is not None:
                place.copy_(part)
        known.recording.repeat()
        _put(self._known, key, known, most=self._most)
        return tuple(part.clone() for part in known.recording.outputs)


def _put(items: OrderedDict[Hashable, T], key: Hashable, item: T, *, most: int) -> None:
    """Keep an item as the latest, and no more of them than so many."""
    items[key] = item
    items.move_to_end(key)
    if len(items) > most:
        items.popitem(last=False)
