"""Words to a model: Jinja templates in a folder, a file ``NAME.md`` each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


class Wording:
    """The templates of a folder; a value that one names and is not given is an error."""

    def __init__(self, folder: Path, **filters: Callable[..., str]) -> None:
        """Read templates from `folder`; `filters` are functions that they may use, by name."""
        self._environment = Environment(
            loader=FileSystemLoader(folder),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= filters

    def words(self, template: str, **values: Any) -> str:
        """The text of one template with its values filled in."""
        return self._environment.get_template(f"{template}.md").render(values).strip()
