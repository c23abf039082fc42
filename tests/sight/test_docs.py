"""The code on docs/sight.md runs, in the order of the page."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "sight.md"


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
