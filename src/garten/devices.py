"""What this machine can do, asked once: CPU cores, CUDA, the kernel cache, Warp set up the same way.

Importing this module is cheap; Warp is loaded by the first call that needs it.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs

from garten.errors import RenderError

log = logging.getLogger(__name__)

KERNEL_OPTIONS: dict[str, Any] = {
    "enable_backward": False,  # nothing here is differentiated; adjoints would double the compile time
    "max_unroll": 1,  # unrolled loops dominate cold compiles and gain nothing on the CPU
    "fuse_fp": False,  # no fused multiply-add: the same bits whatever the compiler finds to fuse
}
"""For ``wp.set_module_options(devices.KERNEL_OPTIONS)``, at the top of every module with kernels."""

_listeners: list[Callable[[str], None]] = []
_loading = threading.Lock()  # Warp crashes where two threads load one module


@functools.cache
def cores() -> int:
    """The number of CPU cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@functools.cache
def cuda() -> str | None:
    """The name of the first CUDA device, or None; says nothing on a machine without one."""
    devices = init_warp().get_cuda_devices()
    return str(devices[0].name) if devices else None


def free_memory(device: str = "cpu") -> int | None:
    """Bytes that a program can still get on a Warp device, or None where the system does not tell."""
    place = init_warp().get_device(device)
    if not place.is_cpu:
        return int(place.free_memory)
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    sizes = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    return 1024 * sizes[0] if sizes else None


@contextlib.contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let PyTorch use so many CPU threads in the block, and as many as before after it.

    Sums are split among threads, so their last bits depend on how many there are; what must come out the same
    in another process has to fix them.
    """
    import torch

    before = torch.get_num_threads()
    if before != count:  # setting it costs, even to what it is
        torch.set_num_threads(count)
    try:
        yield
    finally:
        if before != count:
            torch.set_num_threads(before)


def cache_folder() -> Path:
    """The kernel cache: ``GARTEN_CACHE``, else in the user's cache folder. It may not exist yet."""
    chosen = os.environ.get("GARTEN_CACHE")
    return Path(chosen).absolute() if chosen else Path(platformdirs.user_cache_dir("garten"))


def kernel_mode() -> str:
    """How kernels are built: ``GARTEN_KERNELS``, which is "release" (the default) or "debug".

    In a debug build, kernels that read or write past the end of an array end the process with a message. It
    has a cache of its own and runs several times slower.

    Raises:
        RenderError: there is no such build.
    """
    chosen = os.environ.get("GARTEN_KERNELS") or "release"
    if chosen not in ("release", "debug"):
        raise RenderError(f"There is no build of kernels {chosen!r}; set GARTEN_KERNELS to release or debug.")
    return chosen


@functools.cache
def init_warp() -> Any:
    """Import Warp, configure it once for this process, and return it.

    It stays quiet, keeps its kernels under `cache_folder` and writes nowhere else. Modules with kernels call
    this before their first kernel, because Warp reads the configuration when a kernel is declared.

    Raises:
        RenderError: the kernel cache cannot be written, or ``GARTEN_KERNELS`` names no build.
    """
    wp: Any = importlib.import_module("warp")
    wp.config.kernel_cache_dir = str(cache_folder() / "kernels")
    wp.config.log_level = wp.LOG_WARNING
    wp.config.enable_backward = KERNEL_OPTIONS["enable_backward"]
    wp.config.max_unroll = KERNEL_OPTIONS["max_unroll"]
    wp.config.mode = kernel_mode()
    wp.config.enable_tiles_in_stack_memory = None  # on x86 it is one pointer that all CPU threads would share
    wp.config.use_precompiled_headers = False  # they go to the temporary folder and save no time here
    with _cache_explained(), contextlib.nullcontext() if _has_cuda_driver() else _stderr_closed():
        wp.init()
    return wp


def _has_cuda_driver() -> bool:
    """Whether a CUDA driver library can be loaded; Warp prints a warning past all its settings if not."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _cache_explained() -> Iterator[None]:
    """Say in one sentence that the kernel cache cannot be written."""
    try:
        yield
    except OSError as error:
        raise RenderError(
            f"The kernel cache {cache_folder()} cannot be written ({error.strerror or error}); "
            "set GARTEN_CACHE to a folder that can."
        ) from error


@contextlib.contextmanager
def _stderr_closed() -> Iterator[None]:
    """Send what native code writes to standard error nowhere."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def on_compile(listener: Callable[[str], None]) -> None:
    """Have `listener` called with one sentence before each cold compile; it is logged as well."""
    _listeners.append(listener)


def load_kernels(module: str, *, device: str = "cpu", seconds: int) -> None:
    """Load the kernels of a Python module, announcing it first if they are not in the cache yet.

    Args:
        module: dotted name of the imported module that declares the kernels.
        device: a Warp device name.
        seconds: about how long a cold compile takes, for the announcement.

    Raises:
        RenderError: the kernel cache cannot be written.
    """
    with _loading:
        _load(init_warp(), module, device, seconds)


def _load(wp: Any, module: str, device: str, seconds: int) -> None:
    block = 1 if wp.get_device(device).is_cpu else 256  # Warp compiles one variant for each block size
    kernels = wp.get_module(module)
    compiled = Path(wp.config.kernel_cache_dir) / kernels.get_module_identifier(block_dim=block)
    endings = {".o"} if block == 1 else {".cubin", ".ptx"}
    if not any(file.suffix in endings for file in compiled.glob("*")):
        sentence = f"Compiling kernels of {module}, once per machine (about {seconds} s)…"
        log.info(sentence)
        for listener in _listeners:
            listener(sentence)
    with _cache_explained():
        wp.load_module(kernels, device=device)
