"""Finds levels: those of this package by name (``level:gathering``), any other by its path."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from garten.errors import LevelError
from garten.levels.level import refuse_long
from garten.levels.published import is_published, translate
from garten.levels.words import closest

PREFIX = "level:"
"""Begins the name of a level of this package where paths and names of worlds can stand too."""


def names() -> tuple[str, ...]:
    """The levels of this package, in alphabetical order."""
    found = (entry.name for entry in (files("garten.levels") / "seeds").iterdir())
    return tuple(sorted(name.removesuffix(".py") for name in found if name.endswith(".py")))


_MARKS = re.compile(
    r"^(relevant_achievements\s*[:=]|[ \t]*def (generate_world|get_task_params)\b)", re.MULTILINE
)


def is_level(name_or_path: str) -> bool:
    """Whether this names a level rather than a world: by its prefix, or by what the file defines."""
    if name_or_path.startswith(PREFIX):
        return True
    path = Path(name_or_path)
    try:
        return path.suffix == ".py" and bool(_MARKS.search(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError):
        return False


def source_of(name_or_path: str) -> str:
    """The code of a level; one in the published form of a class is written anew.

    Args:
        name_or_path: ``level:`` and a name, or a path.

    Raises:
        LevelError: there is no such level, or its file cannot be read or is too long.
    """
    if name_or_path.startswith(PREFIX):
        name = name_or_path.removeprefix(PREFIX)
        if name not in names():
            raise LevelError(f"There is no level {name!r}; {closest(name, names())}.")
        return (files("garten.levels") / "seeds" / f"{name}.py").read_text(encoding="utf-8")
    try:
        source = Path(name_or_path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LevelError(f"{name_or_path} cannot be read ({error}); give the path of a level.") from error
    refuse_long(source)
    return translate(source) if is_published(source) else source
