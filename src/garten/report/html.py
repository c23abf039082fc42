"""Pages as single HTML files that load nothing.

Charts are SVG, frames and clips are data in the page, and its security policy forbids everything else.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def render(template: str, **values: Any) -> str:
    """Fill a template of this package; what it shows is escaped, unless marked as safe."""
    return _environment().get_template(template).render(**values)


def data_url(kind: str, content: bytes) -> str:
    """A file inside the page."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("garten.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["number"] = lambda value: "–" if value is None else f"{value:.1f}"
    return environment
