"""Option types that several commands share."""

from __future__ import annotations

import math
from typing import Any

import click

from garten.errors import RenderError, RunError

LONGEST_SIDE = 4096
"""Pixels; more than 4K video has, and few enough that one frame fits into memory."""


class Size(click.ParamType[tuple[int, int]]):
    """An image size, e.g. 160x90."""

    name = "WIDTHxHEIGHT"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Parse a size."""
        if isinstance(value, tuple):
            return value
        width, cross, height = str(value).partition("x")
        if not (cross and width.isdecimal() and height.isdecimal()):
            self.fail(f"'{value}' is no image size; write width x height, e.g. 160x90.", param, ctx)
        size = int(width), int(height)
        if min(size) < 1 or max(size) > LONGEST_SIDE:
            self.fail(f"'{value}' is out of range; give sides of 1 to {LONGEST_SIDE} pixels.", param, ctx)
        return size


class LookName(click.ParamType[str]):
    """How frames are made, e.g. raw, photo:dusk or neural:FILE."""

    name = "LOOK"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See that there is such a look."""
        from garten.episodes.looks import look  # loads what worlds need

        try:
            return look(str(value)).name
        except (RenderError, RunError) as error:
            self.fail(str(error), param, ctx)


class FiniteRange(click.FloatRange):
    """A number within bounds; click takes what is no number, and infinity where there is no bound."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse it."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"'{value}' is no finite number; give one, e.g. 2.5.", param, ctx)
        return number


class Checkpoint(click.ParamType[int | str]):
    """Which policies of a training run: those kept after so many steps, or "all"."""

    name = "STEPS|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Parse it."""
        text = str(value)
        if text != "all" and not text.isdecimal():
            self.fail(f"'{text}' names no checkpoint; give its number of steps, or all.", param, ctx)
        return text if text == "all" else int(text)
