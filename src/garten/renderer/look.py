"""The look `neural`: frames that a trained renderer makes from what a world's cameras see as geometry."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from garten.errors import RenderError
from garten.records import Shot
from garten.renderer.renderer import Renderer
from garten.renderer.saved import load_renderer
from garten.renderer.view import NeuralView
from garten.runs.storage import explained
from garten.seeds import derive
from garten.sight.looks import caster

DEFAULT = Path(__file__).parent / "default.safetensors"
"""The renderer that comes along."""

_MARK = re.compile(r"@([0-9a-f]{12})$")
"""Ends the name of a look: the beginning of its file's SHA-256."""


class Neural:
    """A trained renderer as a look.

    Its name holds the file and a mark of what is in it, so that a recorded episode is seen again through the
    same renderer, or not at all.
    """

    def __init__(self, path: Path | None = None) -> None:
        """The look of a renderer's file; None: of the one that comes along.

        Raises:
            RenderError: there is no such file.
            RunError: it cannot be read.
        """
        self.path = (path or DEFAULT).resolve()
        if not self.path.is_file():
            raise RenderError(
                f"There is no renderer {path}; give one that garten render train wrote."
                if path
                else "No trained renderer comes with this version; name one's file, e.g. "
                "neural:renderer.safetensors, which garten render train writes."
            )
        with explained(self.path, "read"):
            self.mark = hashlib.sha256(self.path.read_bytes()).hexdigest()[:12]
        self.name = f"neural{f':{self.path}' if path else ''}@{self.mark}"

    def load(self) -> Renderer:
        """The renderer, and what else frames need; loaded once.

        Raises:
            RenderError: the file holds no renderer, or only a part of one.
            RunError: it cannot be read.
        """
        caster().load_photo()
        return _loaded(self.path, self.mark)

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> NeuralView:
        """What a camera sees of an episode; see `garten.records.RollingLook.view`.

        Raises:
            RenderError: the file holds no renderer, or only a part of one.
            RunError: it cannot be read.
        """
        return NeuralView(self.load(), shot, role=role, size=size, seed=derive(seed, "neural", role))


def neural(rest: str) -> Neural:
    """The look by what follows ``neural`` in its name: ``:FILE``, and ``@MARK`` if it must be that very file.

    Raises:
        RenderError: there is no such file, or it is not that very one.
        RunError: it cannot be read.
    """
    mark = _MARK.search(rest)
    file = rest[: mark.start()] if mark else rest
    if not re.match(r":.|$", file):
        raise RenderError(f"There is no look 'neural{rest}'; choose neural, or neural:FILE.")
    made = Neural(Path(file[1:]) if file else None)
    if mark and mark[1] != made.mark:
        raise RenderError(
            f"{made.path} is another renderer now ({made.mark}) than the {mark[1]} asked for; put that one "
            "back, or name this one without its mark."
        )
    return made


@lru_cache(maxsize=2)
def _loaded(path: Path, mark: str) -> Renderer:
    """The renderer of a file with that content."""
    return load_renderer(path)
