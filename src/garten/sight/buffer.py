"""Memory on a device that is written and read as a numpy array."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from garten import devices

wp = devices.init_warp()


class Buffer:
    """A device array that is written and read as a numpy array."""

    def __init__(self, shape: int | tuple[int, ...], dtype: Any, device: str) -> None:
        self.array = wp.zeros(shape, dtype=dtype, device=device)
        self._on_cpu = self.array.device.is_cpu
        self._mirror = self.array if self._on_cpu else wp.zeros(shape, dtype=dtype, device="cpu")
        self._values: NDArray[Any] = self._mirror.numpy()  # shares the mirror's memory

    def write(self, values: ArrayLike) -> None:
        """Copy `values` to the device."""
        self._values[...] = values
        if not self._on_cpu:
            wp.copy(self.array, self._mirror)

    def read(self) -> NDArray[Any]:
        """A copy of the values on the device, for the caller to keep."""
        copied: NDArray[Any] = self._values.copy() if self._on_cpu else self.array.numpy()
        return copied
