"""Level files for curricula: the levels of a folder, in place of world seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from garten.craftax.env import Env
from garten.errors import LevelError, RunError
from garten.levels.find import source_of
from garten.levels.lanes import assign
from garten.levels.level import LIMITS, Level, read_level
from garten.runs.resume import RunWriter
from garten.sandbox import Sandbox

KEPT = "given-levels.json"
"""File of a run that holds the code of the levels that it was given."""


@dataclass(frozen=True)
class LevelFile:
    """A level by its name, the digest of its code."""

    name: str


class LevelFiles:
    """Levels to choose from; see `garten.curriculum.periods.Levels`."""

    kind = LevelFile

    def __init__(self, levels: Sequence[Level], *, bonus: float) -> None:
        """Choose from these.

        Args:
            levels: at least one; equal ones count once.
            bonus: reward of meeting a level's goal.
        """
        self._levels = {level.digest: level for level in levels}
        self._bonus = bonus

    def draw(self, random: np.random.Generator) -> LevelFile:
        """Any of the levels."""
        names = list(self._levels)
        return LevelFile(names[random.integers(len(names))])

    def put(self, env: Env, levels: Sequence[LevelFile]) -> None:
        """Have each lane play its level from its next world on; nothing is compiled."""
        names = list(dict.fromkeys(level.name for level in levels))
        numbers = {name: number for number, name in enumerate(names)}
        lanes = np.array([numbers[level.name] for level in levels])
        assign(env, [self._levels[name] for name in names], lanes, bonus=self._bonus)


def given_sources(folder: str, run: RunWriter | None) -> dict[str, str]:
    """The code of a folder's levels by file name; what a run was begun with, it keeps.

    Raises:
        LevelError: a level cannot be read.
        RunError: the folder holds none.
    """
    if run is None:
        return _sources(folder)
    kept: dict[str, str] = run.once(KEPT, lambda: _sources(folder))
    return kept


def read_levels(sources: dict[str, str]) -> list[Level]:
    """Levels from their code, by file name.

    Raises:
        LevelError: one cannot be read; the message names its file.
    """
    levels = []
    with Sandbox(LIMITS) as sandbox:
        for name, source in sources.items():
            try:
                levels.append(read_level(source, sandbox))
            except LevelError as error:
                raise LevelError(f"{name}: {error}") from error
    return levels


def _sources(folder: str) -> dict[str, str]:
    if not Path(folder).is_dir():
        raise RunError(f"{folder} is no folder; give one that holds levels.")
    found = {path.name: source_of(str(path)) for path in sorted(Path(folder).glob("*.py"))}
    if not found:
        raise RunError(f"{folder} holds no .py file; give a folder of levels.")
    return found
