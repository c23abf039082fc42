"""Reading what models write: tolerant of form, strict about rules, and never an exception of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garten.errors import ProgramError
from garten.practice.playbook import lesson_files, note_file, validate
from garten.practice.players.llm.answers import read_program, read_writing
from garten.records import Brief, Playbook, Task

TASK = Task("meadow", "Walk.", "walker", "walkers", (), (), 60.0, (32, 18))
BRIEF = Brief("p1", 1, {"walker": TASK}, Playbook(), 1, 1, 0)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nwalk()\n```",
        "I go on.\n\n```python\nwalk()\n```\nThat should do.",
        "```py\nwalk()\n```",
        "```Python title=x\nwalk()\n```",
        "```\nwalk()\n```",
        "~~~python\nwalk()\n~~~",
        "````python\nwalk()\n````",
        "  ```python\nwalk()\n  ```",
        "```python\r\nwalk()\r\n```",
        "Output was:\n```text\nnothing\n```\nso\n```python\nwalk()\n```",
        "<think>\n```python\nturn()\n```\nno, better:</think>\n```python\nwalk()\n```",
    ],
)
def test_one_program_is_found(text: str) -> None:
    assert read_program(text) == "walk()\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("walk()", "no complete block"),
        ("```python\nwalk()", "no complete block"),
        ("```json\n{}\n```", "no complete block"),
        ("```python\nwalk()\n```\n```python\nturn()\n```", "2 blocks"),
        ("```python\n\n```", "is empty"),
        ("<think>```python\nwalk()\n```</think> I am done.", "no complete block"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        read_program(text)


TAGS = ["<lesson>", "</lesson>", "<note>", "</note>", "<think>", "</think>", "---", "\n", "```python", "```"]
FIELDS = ["name: a-b", "name:", "description: d", "status: claim", "status: tested", "tried: x", "doubts: |"]
VALUES = ["evidence: [g1, g1-walker-001]", "evidence: ../x", "def f():\n    walk()", "def policy():\n    f()"]
TRAPS = ["## Doubts", "\x00", "é: \"'", "\r", "\u2028", " "]
PIECES = st.sampled_from([*TAGS, *FIELDS, *VALUES, *TRAPS])


@given(st.lists(PIECES | st.text(max_size=8), max_size=60).map("\n".join))
def test_whatever_is_written_gives_lessons_that_keep_the_rules_and_a_whole_note(text: str) -> None:
    writing = read_writing(text, BRIEF, ["g1"])
    for lesson in writing.lessons:
        validate(lesson, ["g1"])
        assert lesson_files(lesson)
    assert note_file(writing.note).count("\n## ") == 4
