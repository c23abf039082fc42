"""The random streams a game can draw from, and its kernels compiled for each.

Kernels that draw take an argument `stream`, a key whose type says which stream they serve; they are compiled
for the stream that an environment asks for, each in a Warp module of its own. So the stream costs nothing in
a step, and nobody compiles the one he does not use.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, get_args

from garten import devices
from garten.craftax.host_keys import Stream
from garten.craftax.keys import OriginalKey, PartitionableKey

_KEYS: dict[Stream, Any] = {"partitionable": PartitionableKey, "original": OriginalKey}


def check(stream: Stream) -> None:
    """See to it that there is such a stream.

    Raises:
        ValueError: there is none.
    """
    if stream not in _KEYS:
        raise ValueError(
            f"There is no random stream {stream!r}; choose one of {', '.join(get_args(Stream))}."
        )


def some_key(stream: Stream) -> Any:
    """A key of the stream, for the kernels' argument `stream`."""
    return _KEYS[stream]()


@functools.cache
def compiled_for(kernel: Any, stream: Stream) -> Any:
    """The kernel for the keys of a stream."""
    wp = devices.init_warp()
    if stream != "partitionable":
        module = wp.get_module(f"{kernel.module.name}.{stream}")
        wp.set_module_options(devices.KERNEL_OPTIONS, module=module)
        kernel = wp.Kernel(kernel.func, key=kernel.key, module=module, options=kernel.options)
    return wp.overload(kernel, {"stream": _KEYS[stream]})


def load(kernels: Iterable[Any], stream: Stream, *, device: str, seconds: int) -> None:
    """Load all kernels of a Python module that draw; see `devices.load_kernels`."""
    modules = {compiled_for(kernel, stream).module.name for kernel in kernels}
    for module in modules:
        devices.load_kernels(module, device=device, seconds=seconds)
