"""Records to canonical JSON and back.

Equal values give equal bytes: keys are sorted and nothing depends on the process. A value that went through
JSON once is unchanged by going through it again, so a result read from disk equals the one just computed.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from garten.records import Constant

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """The value as JSON types: dataclasses become objects, tuples lists, sets sorted lists, paths text.

    Raises:
        TypeError: something in it has no JSON form, for instance an array or a key that is not text.
    """
    if isinstance(value, Constant):
        return {"value": float(value), "unit": value.unit, "reason": value.reason}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_json(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {_key(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(to_json(item) for item in value)
    if isinstance(value, np.generic):
        return to_json(value.item())
    if isinstance(value, PurePath):
        return str(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"{type(value).__name__} has no JSON form; store it as a file of its own.")


def from_json(kind: type[T], data: Any) -> T:
    """Build a `kind` (a dataclass, or any type its fields may have) from what `to_json` made of one.

    Raises:
        ValueError: the data does not fit; the message names the place, e.g. ``Episode.taken[3].start``.
    """
    made: T = _decode(kind, data, getattr(kind, "__name__", str(kind)))
    return made


def dump(value: Any) -> bytes:
    """The canonical bytes of a JSON file: sorted keys, indented for readers, one newline at the end."""
    return _text(value, indent=1).encode() + b"\n"


def dump_line(value: Any) -> bytes:
    """The canonical bytes of one line of a JSON-lines file, newline included."""
    return _text(value, separators=(",", ":")).encode() + b"\n"


def timeless(value: Any) -> Any:
    """A JSON value without the fields that differ between equal runs: ``time``, ``host`` and ``wall_*``."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if not _is_clock(key)}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    return value


def _is_clock(key: str) -> bool:
    return key in ("time", "host") or key.startswith("wall_")


def _text(value: Any, **layout: Any) -> str:
    # Escapes keep every string that Python can hold, lone surrogates from a model's reply among them.
    return json.dumps(to_json(value), sort_keys=True, ensure_ascii=True, allow_nan=False, **layout)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"A JSON key must be text, got {key!r}.")
    return key


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _decode(kind: Any, data: Any, where: str) -> Any:
    """Decode by the kind of type: first the generic ones, then classes, then plain values."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return data
    if origin in (Union, types.UnionType):
        return _decode_union(inner, data, where)
    if origin is Literal:
        return _require(data in inner, data, f"one of {inner}", where)
    if origin is tuple:
        return _decode_tuple(inner, data, where)
    if origin in (list, frozenset):
        _require(isinstance(data, list), data, "a list", where)
        return origin(_decode(inner[0], item, f"{where}[{index}]") for index, item in enumerate(data))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        _require(isinstance(data, dict), data, "an object", where)
        return {key: _decode(inner[1], item, f"{where}.{key}") for key, item in data.items()}
    if kind is Constant:
        _require(
            isinstance(data, dict) and set(data) == {"value", "unit", "reason"}, data, "a constant", where
        )
        return Constant(data["value"], data["unit"], data["reason"])
    if dataclasses.is_dataclass(kind):
        return _decode_dataclass(kind, data, where)
    return _decode_plain(kind, data, where)


def _decode_union(kinds: tuple[Any, ...], data: Any, where: str) -> Any:
    problems = []
    for kind in kinds:
        try:
            return _decode(kind, data, where)
        except ValueError as problem:
            problems.append(str(problem))
    raise ValueError(problems[0])


def _decode_tuple(kinds: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    _require(isinstance(data, list), data, "a list", where)
    if kinds[1:] == (...,):
        kinds = kinds[:1] * len(data)
    _require(len(kinds) == len(data), data, f"{len(kinds)} items", where)
    pairs = enumerate(zip(kinds, data, strict=True))
    return tuple(_decode(kind, item, f"{where}[{index}]") for index, (kind, item) in pairs)


def _decode_dataclass(kind: Any, data: Any, where: str) -> Any:
    _require(isinstance(data, dict), data, "an object", where)
    hints = _hints(kind)
    known = {item.name: item for item in dataclasses.fields(kind)}
    for name in data:
        _require(name in known, name, f"one of its fields {', '.join(known)}", where)
    for name, item in known.items():
        optional = item.default is not dataclasses.MISSING or item.default_factory is not dataclasses.MISSING
        _require(name in data or optional, "nothing", "a value", f"{where}.{name}")
    return kind(**{name: _decode(hints[name], item, f"{where}.{name}") for name, item in data.items()})


def _decode_plain(kind: Any, data: Any, where: str) -> Any:
    if kind is float:
        _require(isinstance(data, int | float) and not isinstance(data, bool), data, "a number", where)
        _require(abs(data) <= sys.float_info.max, data, "a number that is finite and not too large", where)
        return float(data)
    if kind is int:
        return _require(isinstance(data, int) and not isinstance(data, bool), data, "a whole number", where)
    if kind in (str, bool):
        return _require(isinstance(data, kind), data, {str: "text", bool: "true or false"}[kind], where)
    if kind is type(None):
        return _require(data is None, data, "null", where)
    if kind is Path:
        return Path(_decode_plain(str, data, where))
    raise TypeError(f"{where}: a {kind} cannot be read from JSON.")


def _require(fits: bool, data: Any, wanted: str, where: str) -> Any:
    """Return `data` if it fits, or say what was wanted where."""
    if not fits:
        raise ValueError(f"{where}: wanted {wanted}, got {data!r:.80}.")
    return data
