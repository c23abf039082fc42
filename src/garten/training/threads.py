"""How many CPU threads PyTorch computes with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let PyTorch use so many CPU threads in the block, and as many as before after it.

    Sums are split among threads, so their last bits depend on how many there are; what must come out the same
    in another process has to fix them.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
