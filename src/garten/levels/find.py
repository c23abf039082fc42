"""Finds levels: those of this package by name (``level:gathering``), any other by its path."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from garten.errors import LevelError
from garten.levels.level import CONSTANTS, FUNCTIONS, refuse_long
from garten.levels.published import is_published, translate
from garten.levels.words import closest
from garten.parsing import parse

PREFIX = "level:"
"""Begins the name of a level of this package where paths and names of worlds can stand too."""


def names() -> tuple[str, ...]:
    """The levels of this package, in alphabetical order."""
    found = (entry.name for entry in (files("garten.levels") / "seeds").iterdir())
    return tuple(sorted(name.removesuffix(".py") for name in found if name.endswith(".py")))


_SIMILAR = 0.86
"""How much a name is like one of a level's (`difflib`) to be taken for it, mistyped."""


def is_level(name_or_path: str) -> bool:
    """Whether this names a level rather than a world: by its prefix, or by what the file defines.

    A level's code is not trusted, so the file is read and none of it runs. It is a level's if it defines
    one of the names of a level, mistyped perhaps, or if it has no class and no ``WORLD``, which every world
    has.
    """
    if name_or_path.startswith(PREFIX):
        return True
    path = Path(name_or_path)
    if path.suffix != ".py":
        return False
    try:
        tree = parse(path.read_bytes())
        return _has_names_of_level(tree) or not _has_parts_of_world(tree)
    except (OSError, SyntaxError, ValueError):
        return False  # nothing that could run
    except (RecursionError, MemoryError):
        return True  # where it is read, that is refused


def _has_names_of_level(tree: ast.Module) -> bool:
    """Whether the code defines a level's names: plain words at the top, the others anywhere."""
    plain = {name for name in CONSTANTS if "_" not in name}
    rare = {*CONSTANTS, *FUNCTIONS} - plain
    top = {name for node in tree.body for name in _bound_at_top(node)}
    anywhere = {name for node in ast.walk(tree) for name in _bound_by(node)}
    return any(get_close_matches(name, plain, cutoff=_SIMILAR) for name in top) or any(
        get_close_matches(name, rare, cutoff=_SIMILAR) for name in anywhere
    )


def _has_parts_of_world(tree: ast.Module) -> bool:
    """Whether the code has a class, or a ``WORLD`` from elsewhere."""
    return any(isinstance(node, ast.ClassDef) or "WORLD" in _bound_by(node) for node in ast.walk(tree))


def _bound_at_top(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds outside of classes and functions."""
    yield from _bound_by(node)
    if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _bound_at_top(child)


def _bound_by(node: ast.AST) -> tuple[str, ...]:
    """The name that a function, an import, or an assignment to a name or an attribute binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return (name,)
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return (name,)
        case ast.alias(name=name, asname=other):
            return (other or name,)
    return ()


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
    except FileNotFoundError as error:
        near = get_close_matches(name_or_path, names(), n=1)
        hint = (
            f"did you mean {PREFIX}{near[0]}?"
            if near
            else "give the path of one, or a name of garten levels."
        )
        raise LevelError(f"There is no level at {name_or_path}; {hint}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise LevelError(f"{name_or_path} cannot be read ({error}); give the path of a level.") from error
    refuse_long(source)
    return translate(source) if is_published(source) else source
