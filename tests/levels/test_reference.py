"""The page of levels says what is so."""

import re
from pathlib import Path

from garten.levels.reference import PARTS, refreshed

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "levels" / "README.md").read_text(encoding="utf-8")


def test_the_page_says_what_the_code_says():
    assert refreshed(PAGE) == PAGE, "run python scripts/levels_page.py"
    assert all(write() in PAGE for write in PARTS.values())


def test_the_level_on_the_page_is_the_example():
    (code,) = re.findall(r'^```python title="(.+?)"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
    assert (ROOT / code[0]).read_text(encoding="utf-8") == code[1]
