"""All looks by name: those of `garten.sight`, and `neural`, which a trained renderer makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garten.episodes.views import AnyLook
from garten.errors import RenderError
from garten.sight import looks

if TYPE_CHECKING:
    from garten.renderer.look import Neural

NEURAL = "neural"
"""The look of a trained renderer; ``neural:FILE`` is that of another than the one that comes along."""


def look(name: str) -> AnyLook:
    """The look of that name: see `garten.sight.looks.look` and `garten.renderer.look.neural`.

    Raises:
        RenderError: there is none, or it needs what is not installed.
    """
    if _is_neural(name):
        return _neural(name)
    if name.partition(":")[0] not in looks.LOOKS:
        known = ", ".join([*looks.LOOKS, NEURAL])
        raise RenderError(f"There is no look '{name}'; choose one of {known}, photo:STYLE or neural:FILE.")
    return looks.look(name)


def prepare(name: str) -> None:
    """Load what the look of that name needs, and compile it where that was not done yet.

    Raises:
        RenderError: there is no such look, or it needs what is not installed.
        RunError: its file cannot be read.
    """
    if _is_neural(name):
        _neural(name).load()
    else:
        looks.prepare(name)


def _is_neural(name: str) -> bool:
    return name.startswith(NEURAL) and name[len(NEURAL) :][:1] in ("", ":", "@")


def _neural(name: str) -> Neural:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise RenderError(
            "The look neural needs PyTorch; install it with pip install 'garten[learn]'."
        ) from error
    from garten.renderer.look import neural

    return neural(name[len(NEURAL) :])
