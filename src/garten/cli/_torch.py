"""PyTorch, which not every installation has: commands ask for it before they import what loads it."""

from __future__ import annotations

import logging
import sys

from garten.errors import RunError

_log = logging.getLogger(__name__)


def require_torch(doing: str) -> None:
    """Load PyTorch, which takes seconds, and longer on a busy machine: so it is said first.

    Args:
        doing: what it is needed for, the beginning of a sentence.

    Raises:
        RunError: it is not installed.
    """
    if "torch" not in sys.modules:
        _log.info("Loading PyTorch…")
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise RunError(f"{doing} needs PyTorch; install it with pip install 'garten[learn]'.") from error


def require_device(doing: str, device: str) -> None:
    """Load PyTorch, and see to it that it can compute as asked.

    Args:
        doing: what it is needed for, the beginning of a sentence.
        device: "cpu" or "cuda".

    Raises:
        RunError: it is not installed, or finds no such device.
    """
    require_torch(doing)
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise RunError("PyTorch finds no CUDA device here; leave out --device cuda.")
