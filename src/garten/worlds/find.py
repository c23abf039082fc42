"""Finds worlds: the folders of this package, those other packages announce, and any file on disk.

A world is known by its kebab-case name. The world `one-lane-bridge` of this package lives in the folder
`one_lane_bridge`; a world of another package is announced by an entry point of that name in the group
`garten.worlds`; and the path of a folder or `.py` file that defines `WORLD` always works. Settings may
follow: `companion-dog:individual=3`. A file that binds no `WORLD` is refused before any of it runs.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import logging
import re
import sys
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import garten.worlds
from garten.errors import WorldError
from garten.parsing import parse
from garten.records import WorldSpec
from garten.worlds.given import with_settings
from garten.worlds.world import World

GROUP = "garten.worlds"
"""The entry point group in which other packages announce their worlds."""

_FROM_PATH = "garten_world_"
"""Begins the module name of a world that was loaded from a path."""

_SETTINGS = re.compile(r":(\w+=-?\d{1,9}(?:,\w+=-?\d{1,9})*)$", re.ASCII)
"""The settings behind a name or path."""

_log = logging.getLogger(__name__)


class NoWorldError(WorldError):
    """What was found is no world; it may be something else."""


def names() -> tuple[str, ...]:
    """The names of all worlds that are found without a path, in alphabetical order; imports none of them."""
    return tuple(sorted({*_built_in(), *_announced()}))


def load(name_or_path: str | Path) -> type[World[Any]]:
    """The world of that name, or the one defined by a folder or `.py` file, with the settings behind it.

    Raises:
        WorldError: there is no such world, its code cannot be imported, it defines no valid `WORLD`, or it
            has no such settings.
    """
    behind = _SETTINGS.search(str(name_or_path))
    if behind is None:
        _refuse_settings(str(name_or_path))
        return _load(name_or_path)
    bare = str(name_or_path)[: behind.start()]
    pairs = [pair.split("=") for pair in behind[1].split(",")]
    settings = {name: int(value) for name, value in pairs}
    if len(settings) < len(pairs):
        raise WorldError(f"{name_or_path} has a setting twice; give each once.")
    found = _load(Path(bare) if isinstance(name_or_path, Path) else bare)
    return found.configured(settings)


def _refuse_settings(name_or_path: str) -> None:
    """Refuse what stands behind the name or path of a world and is no setting, with those that it has."""
    bare, colon, behind = name_or_path.rpartition(":")
    if not colon or not (bare in names() or (is_path(bare) and Path(bare).exists())):
        return
    spec = _load(bare).spec
    ranges = ", ".join(f"{one.name} {one.low}..{one.high}" for one in spec.settings)
    takes = f"whole numbers: {ranges}, as in {example(spec)}" if ranges else "none, so leave them out"
    raise WorldError(f"{spec.name} has no settings '{behind}'; it takes {takes}.")


def example(spec: WorldSpec) -> str:
    """How a world that has settings is named with one."""
    return with_settings(spec.name, {spec.settings[0].name: spec.settings[0].high})


def _load(name_or_path: str | Path) -> type[World[Any]]:
    """The world of a name or path without settings."""
    if is_path(name_or_path):
        path = Path(name_or_path).resolve()
        return _world_of(_import_path(path), path.as_posix())
    name = str(name_or_path)
    if name in _built_in():
        found = _world_of(_import(f"{garten.worlds.__name__}.{name.replace('-', '_')}"), f"World '{name}'")
    elif name in _announced():
        found = _announced_world(_announced()[name])
    else:
        raise WorldError(_unknown(name))
    if found.spec.name != name:
        raise WorldError(f"The world found as '{name}' calls itself '{found.spec.name}'; make the two equal.")
    return found


def catalogue() -> list[WorldSpec]:
    """The specs of all worlds in `names`; one that cannot be loaded is left out with a warning in the log."""
    specs = []
    for name in names():
        try:
            specs.append(load(name).spec)
        except WorldError as error:
            _log.warning("%s", error)
    return specs


def origin(world: type[World[Any]]) -> str:
    """What `load` takes, in this or another process, to find a world again: path or name, and settings."""
    root = world.__module__.partition(".")[0]
    if not root.startswith(_FROM_PATH):
        return world.label()
    file = Path(str(sys.modules[root].__file__))
    return with_settings(str(file.parent if file.name == "__init__.py" else file), world.settings)


def is_path(name_or_path: str | Path) -> bool:
    """Whether `load` takes it for a path."""
    text = _SETTINGS.sub("", str(name_or_path))
    return isinstance(name_or_path, Path) or "/" in text or "\\" in text or text.endswith(".py")


def _built_in() -> tuple[str, ...]:
    """The folders here that define a world, which `physics` does not."""
    files = (file for place in garten.worlds.__path__ for file in Path(place).glob("*/__init__.py"))
    return tuple(sorted(file.parent.name.replace("_", "-") for file in files if _defines_world(file)))


def _announced() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _import(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except Exception as error:
        raise WorldError(_broken(module, error)) from error


def _import_path(path: Path) -> ModuleType:
    """Import a file, or a folder as a package, under a name of its own that depends on the path alone."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise WorldError(f"There is no world at {path}; give a .py file or a folder with an __init__.py.")
    name = f"{_FROM_PATH}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if not _defines_world(file):
        raise NoWorldError(_no_world(path.as_posix()))
    submodules = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=submodules)
    if spec is None or spec.loader is None:
        raise WorldError(f"{file} is not Python source; give a .py file or a folder with an __init__.py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs, so that its dataclasses and its own imports find it
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise WorldError(_broken(str(file), error)) from error
    return module


def _announced_world(entry: EntryPoint) -> type[World[Any]]:
    """The world of an entry point, which may point at the class or at a module that defines `WORLD`."""
    try:
        found = entry.load()
    except Exception as error:
        raise WorldError(_broken(f"entry point {entry.name} = {entry.value}", error)) from error
    return _world_of(found, f"Entry point {entry.name} = {entry.value}")


def _world_of(found: object, place: str) -> type[World[Any]]:
    world = getattr(found, "WORLD", found)
    if not (isinstance(world, type) and issubclass(world, World)):
        raise NoWorldError(_no_world(place))
    if not isinstance(getattr(world, "spec", None), WorldSpec):
        raise WorldError(f"{place} has no spec; set the class attribute spec to a WorldSpec.")
    return world


def _defines_world(file: Path) -> bool:
    """Whether a file binds ``WORLD`` somewhere; it is not run."""
    try:
        tree = parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise WorldError(_broken(str(file), error)) from error
    return any(_binds_world(node) for node in ast.walk(tree))


def _binds_world(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="WORLD", ctx=ast.Store()) | ast.ClassDef(name="WORLD"):
            return True
        case ast.alias(name=name, asname=asname):
            return (asname or name) == "WORLD"
    return False


def _no_world(place: str) -> str:
    return f"{place} defines no WORLD; assign your subclass of garten.worlds.world.World to it."


def _broken(place: str, error: Exception) -> str:
    at = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{place} cannot be imported ({type(error).__name__}: {reason}{at}); mend it and try again."


def _unknown(name: str) -> str:
    known = names()
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    if Path(name).is_dir():
        hint = f"for the folder of that name write ./{name}. There"
    elif close:
        hint = f"did you mean '{close[0]}'? There"
    else:
        hint = "there"
    return f"There is no world '{name}'; {hint} are: {', '.join(known)}; or give the path of one."
