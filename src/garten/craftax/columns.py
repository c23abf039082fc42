"""Structures of arrays: what each of many rows holds is declared once, as a list of fields.

A `Field` says a value's name, type, shape, default, bounds and meaning. From a list of them `struct_type`
makes the Warp struct that kernels read, and `Columns` the arrays behind it: one array a field, its first
axis the row. Lanes' states, their settings and the rule tables are all kept so.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt

from garten import devices

Array = npt.NDArray[Any]


class Place:
    """Marks a field that holds map positions or directions (row, column), int32."""


class Key:
    """Marks a field that holds random keys: two uint32 words."""


_PAIRS: dict[type, np.dtype[Any]] = {Place: np.dtype(np.int32), Key: np.dtype(np.uint32)}
_SCALARS: dict[type, np.dtype[Any]] = {
    bool: np.dtype(np.bool_),
    int: np.dtype(np.int32),
    float: np.dtype(np.float32),
}


@dataclass(frozen=True)
class Field:
    """One value that every row has.

    Attributes:
        name: of the array.
        kind: bool, int (int32), float (float32), np.uint8, `Place` or `Key` (pairs of int32 and uint32).
        meaning: what it is, with its unit.
        shape: of one row's value, without the last axis of a pair.
        default: what a new row holds, broadcast to the shape.
        low: least value a caller may write, or None.
        high: greatest value a caller may write, or None; one for each index of the last axis where a tuple.
        spread: whether values at the same index of the first own axis lie side by side in memory over all
            rows. Good for small values of which most rows look at the same index, such as floor 0.
    """

    name: str
    kind: type
    meaning: str
    shape: tuple[int, ...] = ()
    default: Any = 0
    low: float | None = None
    high: Any = None
    spread: bool = False

    @property
    def value_shape(self) -> tuple[int, ...]:
        """The NumPy shape of one row's value."""
        return (*self.shape, 2) if self.kind in _PAIRS else self.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of its elements."""
        return _PAIRS.get(self.kind) or _SCALARS.get(self.kind) or np.dtype(self.kind)

    def check(self, value: Any, *, rows: int | None = None) -> Array:
        """`value` as an array of this field's type and shape.

        Args:
            value: of one row.
            rows: or one value for all of so many rows, or one for each of them.

        Returns:
            [*value_shape], or [rows, *value_shape] where `rows` is given.

        Raises:
            ValueError: it has another shape, is not finite, would lose digits, or lies outside the bounds.
        """
        given = np.asarray(value)
        each = None if rows is None else (rows, *self.value_shape)
        if given.shape not in (self.value_shape, each):
            wanted = f"{self.value_shape}" if each is None else f"{self.value_shape}, or {each}, one for each"
            raise ValueError(f"{self.name} has shape {given.shape}; give it shape {wanted}.")
        array = self._converted(given)
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else np.asarray(self.high)
        if (array < low).any() or (array > high).any():
            raise ValueError(
                f"{self.name} holds {array.min()} to {array.max()}; keep it within {low} to {high}."
            )
        return array if each is None else np.broadcast_to(array, each)

    def _converted(self, given: Array) -> Array:
        """As an array of this field's type, if it holds what was given."""
        if given.dtype.kind not in "biuf":
            raise ValueError(f"{self.name} holds {given.dtype} values; give {self.dtype}.")
        with np.errstate(invalid="ignore", over="ignore"):  # looked into below
            array = given.astype(self.dtype)
        if self.kind is float:
            if not np.isfinite(array).all():
                raise ValueError(f"{self.name} is not finite; give finite numbers.")
        elif not np.array_equal(array, given):
            raise ValueError(
                f"{self.name} holds {given.dtype} values that {self.dtype} cannot; give {self.dtype}."
            )
        return array


def counts_bounded(fields: Iterable[Field], *, high: int) -> tuple[Field, ...]:
    """The fields, those of whole numbers without bounds now held within 0 and `high`."""
    return tuple(
        dataclasses.replace(field, low=0, high=high)
        if field.kind is int and field.low is None and field.high is None
        else field
        for field in fields
    )


def struct_type(name: str, fields: Sequence[Field], *, module: str) -> Any:
    """The Warp struct with one array for each field, its first axis the row.

    Args:
        name: of the struct.
        fields: its members.
        module: the Python module that owns it.
    """
    wp = devices.init_warp()
    kinds = {
        bool: wp.bool,
        int: wp.int32,
        float: wp.float32,
        np.uint8: wp.uint8,
        Place: wp.vec2i,
        Key: wp.vec2ui,
    }
    members = {field.name: wp.array(dtype=kinds[field.kind], ndim=1 + len(field.shape)) for field in fields}
    return wp.struct(type(name, (), {"__annotations__": members, "__module__": module}))


def digest(fields: Iterable[Field], row: Mapping[str, Any]) -> int:
    """A 32-bit check sum of all that a row holds but its floats; equal rows have equal ones.

    Args:
        fields: what a row holds, in order.
        row: values by name, as from `Columns.row`.
    """
    total = 0
    for field in fields:
        if field.kind is not float:
            total = zlib.crc32(np.ascontiguousarray(row[field.name], field.dtype).tobytes(), total)
    return total


def _allocate(field: Field, kind: Any, rows: int, device: str) -> Any:
    """The Warp array of a field, [rows, *shape], filled with its default."""
    wp = devices.init_warp()
    axes = (1, 0, *range(2, 1 + len(field.shape)))  # of a spread field as it lies in memory
    shape = (rows, *field.shape)
    filled = np.broadcast_to(np.asarray(field.default, field.dtype), (rows, *field.value_shape))
    if not field.spread:
        return wp.array(filled, shape=shape, dtype=kind, device=device, copy=True)
    filled = np.ascontiguousarray(np.moveaxis(filled, 0, 1))
    stored = wp.array(filled, shape=[shape[axis] for axis in axes], dtype=kind, device=device, copy=True)
    return stored.transpose(axes)


class Columns:
    """The arrays of a structure of arrays, filled with each field's default.

    Attributes:
        struct: the Warp struct, to be passed to kernels.
        rows: how many rows there are.
    """

    def __init__(self, struct: Any, fields: Iterable[Field], *, rows: int, device: str = "cpu") -> None:
        wp = devices.init_warp()
        self._fields = {field.name: field for field in fields}
        self.rows = rows
        self.struct = struct()
        for field in self._fields.values():
            setattr(
                self.struct, field.name, _allocate(field, struct.vars[field.name].type.dtype, rows, device)
            )
        self._on_cpu = bool(wp.get_device(device).is_cpu)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every row holds."""
        return tuple(self._fields.values())

    @property
    def bytes_per_row(self) -> int:
        """Memory that one row takes."""
        return sum(
            field.dtype.itemsize * int(np.prod(field.value_shape, dtype=np.int64)) for field in self.fields
        )

    def array(self, name: str) -> Any:
        """The Warp array of a field; `wp.to_torch` shares it with torch.

        Raises:
            ValueError: there is no such field.
        """
        if name not in self._fields:
            near = get_close_matches(name, self._fields, n=1, cutoff=0.0)
            raise ValueError(f"There is no field {name!r}; the closest is {near[0]}.")
        return getattr(self.struct, name)

    def adopt(self, name: str, array: Any) -> None:
        """Keep a field in a Warp array of the caller's from now on, of the same type and shape."""
        assert array.shape == self.array(name).shape, name
        setattr(self.struct, name, array)

    def read(self, name: str) -> Array:
        """A field of all rows: on the CPU a view that shares memory, elsewhere a copy."""
        return np.asarray(self.array(name).numpy())

    def row(self, index: int) -> dict[str, Array]:
        """A copy of all that one row holds, by field name."""
        self._check_row(index)
        if self._on_cpu:
            return {name: np.array(self.read(name)[index]) for name in self._fields}
        return {name: np.array(self.array(name)[index : index + 1].numpy()[0]) for name in self._fields}

    def take(self, rows: Array) -> dict[str, Array]:
        """A copy of all that some rows hold, by field name: [chosen rows, *value_shape].

        Args:
            rows: bool [rows], which.
        """
        return {name: self.read(name)[rows] for name in self._fields}

    def defaults(self) -> dict[str, Array]:
        """What a new row holds, by field name."""
        return {
            field.name: np.array(np.broadcast_to(np.asarray(field.default, field.dtype), field.value_shape))
            for field in self.fields
        }

    def check(self, values: Mapping[str, Any], *, rows: int | None = None) -> dict[str, Array]:
        """Values of some or all fields, checked; see `Field.check`.

        Raises:
            ValueError: an unknown field, or a value of the wrong shape or type, or out of bounds.
        """
        for name in values:
            self.array(name)
        return {name: self._fields[name].check(value, rows=rows) for name, value in values.items()}

    def write(self, values: Mapping[str, Array], *, rows: Array) -> None:
        """Write checked values, [chosen rows, *value_shape], to the rows that `rows`, bool [rows], marks."""
        for name, value in values.items():
            whole = self.read(name)
            whole[rows] = value
            if not self._on_cpu:
                self.array(name).assign(whole)

    def put(self, index: int, values: Mapping[str, Any]) -> None:
        """Write some or all fields of one row; nothing is written unless all of it is right.

        Raises:
            ValueError: an unknown field, or a value of the wrong shape or type, or out of bounds.
            IndexError: there is no such row.
        """
        wp = devices.init_warp()
        self._check_row(index)
        for name, value in self.check(values).items():
            target = self.array(name)[index : index + 1]
            wp.copy(target, wp.array(value[None], shape=target.shape, dtype=target.dtype, device="cpu"))

    def _check_row(self, index: int) -> None:
        if not 0 <= index < self.rows:
            raise IndexError(f"There is no row {index}; rows are 0 to {self.rows - 1}.")
