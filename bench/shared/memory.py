"""How much memory tensors take at most while something runs, and how much the process has."""

import resource
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from torch import Tensor, UntypedStorage
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Peak(TorchDispatchMode):
    """Counts the bytes of tensors that were made inside and are still there; `most` is their peak."""

    def __init__(self) -> None:
        """Nothing was made yet."""
        super().__init__()
        self.now = self.most = 0
        self.alive = set[int]()

    def __torch_dispatch__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(made):
            if isinstance(tensor, Tensor):
                self._count(tensor.untyped_storage())
        return made

    def _count(self, storage: UntypedStorage) -> None:
        if storage._cdata in self.alive:
            return
        self.alive.add(storage._cdata)
        self.now += storage.nbytes()
        self.most = max(self.most, self.now)
        weakref.finalize(storage, self._gone, storage._cdata, storage.nbytes())

    def _gone(self, key: int, size: int) -> None:
        self.alive.discard(key)
        self.now -= size


def resident() -> int:
    """Bytes of memory that the process has now; 0 where that cannot be told."""
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
