"""docs/file-formats.md says what the code does."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from garten.practice.results import Game
from garten.runs.folder import Manifest
from garten.runs.index import VIEWS

PAGE = (Path(__file__).parents[2] / "docs" / "file-formats.md").read_text()


def cells(first):
    """The cells after the one that says `first`, in the page's tables."""
    (row,) = re.findall(rf"^\| `{re.escape(first)}` \|(.*)\|$", PAGE, re.MULTILINE)
    return row


def test_every_field_of_the_description_is_listed():
    section = PAGE.split("## run.json")[1].split("## ")[0]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == [item.name for item in fields(Manifest)]


@pytest.mark.parametrize("view", VIEWS)
def test_every_column_of_the_index_is_listed(view):
    kind, columns = VIEWS[view]
    assert re.findall(r"`(\w+)`", cells(view)) == [kind, "number", *columns]


def test_every_field_of_a_game_is_listed():
    named = re.findall(r"`(\w+)`", cells("game"))
    assert named == ["round", "game", *(item.name for item in fields(Game))]


def test_the_example_runs(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.mkdtemp", lambda: str(tmp_path))
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(example, "file-formats.md", "exec"), {})
    assert (tmp_path / "my-run" / "totals.json").is_file()
