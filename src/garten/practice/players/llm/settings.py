"""What a language-model player can be told, and the tape it gets from that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from garten.llm.settings import CallSettings
from garten.llm.tape import Tape
from garten.runs.folder import is_run


@dataclass(frozen=True)
class Settings(CallSettings):
    """Settings of this kind of player."""

    text_frames: bool = False  # describe frames in words, for models that do not see
    frames: int = 6  # most frames shown for one program
    programs: int = 40  # most programs one seat hands in in one game; after them it rests

    whose: ClassVar[str] = "llm player"
    positive: ClassVar[tuple[str, ...]] = ("frames", "programs", *CallSettings.positive)

    def tape(self, path: Path, *, seed: int) -> Tape:
        """The tape at `path` before the endpoint that is set; `seed` draws the waits between attempts.

        Raises:
            ModelError: no usable endpoint is set, or the tape is damaged.
        """
        return self.tape_in(_run_folder(path.parent), path, seed=seed)


def _run_folder(folder: Path) -> Path:
    """The folder of the run that `folder` is part of; `folder` itself if it is part of none.

    All tapes below it draw on one budget.
    """
    return next((parent for parent in (folder, *folder.parents) if is_run(parent)), folder)
