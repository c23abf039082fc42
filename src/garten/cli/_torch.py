"""PyTorch, which not every installation has: commands ask for it before they import what loads it."""

from __future__ import annotations

from garten.errors import RunError


def require_torch(doing: str) -> None:
    """Load PyTorch.

    Args:
        doing: what it is needed for, the beginning of a sentence.

    Raises:
        RunError: it is not installed.
    """
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise RunError(f"{doing} needs PyTorch; install it with pip install 'garten[learn]'.") from error
