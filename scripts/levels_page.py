"""Writes the parts of docs/levels/README.md anew that come from the code."""

from pathlib import Path

from garten.levels.reference import refreshed

PAGE = Path(__file__).parents[1] / "docs" / "levels" / "README.md"

PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
