"""Option types that several commands share."""

from __future__ import annotations

from typing import Any

import click


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
        if not (cross and width.isdigit() and height.isdigit() and int(width) > 0 and int(height) > 0):
            self.fail(f"'{value}' is no image size; write width x height, e.g. 160x90.", param, ctx)
        return int(width), int(height)
