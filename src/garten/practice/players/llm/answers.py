"""Reads what a model wrote: the program in an answer, the lessons and the note in a review.

Reading is tolerant, judging is strict: what can be understood is, and what then breaks a rule is refused with
the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from typing import Any

from garten.errors import ProgramError
from garten.llm.answers import python_blocks, spoken, tagged
from garten.parsing import parse
from garten.practice.playbook import SECTIONS, validate
from garten.records import Brief, Lesson, Note, Writing

MOST_LESSONS = 5
"""Lessons a player may leave in one round; every later prompt carries them."""

NOTHING = {"", "none", "n/a", "-", "[]"}


def read_program(text: str) -> str:
    """The one program in an answer.

    Raises:
        ProgramError: there is none, or more than one; the sentence is for the model.
    """
    programs = python_blocks(spoken(text), unnamed=True)
    if not programs:
        raise ProgramError("the answer holds no complete block of Python.")
    if len(programs) > 1:
        raise ProgramError(f"the answer holds {len(programs)} blocks of Python instead of one.")
    if not programs[0].strip():
        raise ProgramError("the block of Python is empty.")
    return programs[0]


def read_writing(text: str, brief: Brief, games: Collection[str]) -> Writing:
    """The lessons and the note in a review.

    A lesson that breaks a rule is left out and the reason is added to the note's doubts; a missing note is
    replaced by one that says so.

    Args:
        text: what the model wrote.
        brief: of the player.
        games: ids of the games it reviewed.
    """
    text = spoken(text)
    known = [*games, *(item for lesson in brief.playbook.lessons for item in lesson.evidence)]
    actions = {action.name for task in brief.tasks.values() for action in task.actions}
    lessons: dict[str, Lesson] = {}
    refused: list[str] = []
    for inside in tagged(text, "lesson"):
        try:
            lesson = _lesson(inside, brief)
            _require_room(lesson, lessons)
            validate(lesson, known, actions=actions)
        except ProgramError as error:
            refused.append(f"Refused: {error}")
            continue
        lessons[lesson.name] = lesson
    return Writing(tuple(lessons.values()), _note(tagged(text, "note"), brief, refused))


# --- lessons -----------------------------------------------------------------------------------


def _lesson(inside: str, brief: Brief) -> Lesson:
    front, body = _split(inside, ("name", "description", "status", "evidence"))
    task = next(iter(brief.tasks.values()))
    status: Any = front.get("status", "").lower()  # `validate` checks it
    return Lesson(
        name=re.sub(r"[\s_]+", "-", front.get("name", "").strip("` ").lower()),
        description=" ".join(front.get("description", "").split()),
        body=body,
        status=status,
        world=task.world,
        role=task.team,
        round=brief.round,
        author=brief.name,
        evidence=_ids(front.get("evidence", "")),
        code=_functions(body),
    )


def _ids(text: str) -> tuple[str, ...]:
    if text.strip().lower() in NOTHING:
        return ()
    return tuple(dict.fromkeys(re.findall(r"[A-Za-z0-9][\w-]*", text)))


def _functions(body: str) -> str:
    """The blocks of Python in a lesson that only define functions, as one source; examples are left out."""
    return "\n\n".join(block.strip() for block in python_blocks(body) if _only_defines(block))


def _only_defines(source: str) -> bool:
    try:
        statements = parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    allowed = (ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    names = _defined(source)
    return bool(names) and "policy" not in names and all(isinstance(item, allowed) for item in statements)


def _defined(source: str) -> set[str]:
    return {item.name for item in parse(source).body if isinstance(item, ast.FunctionDef)}


def _require_room(lesson: Lesson, kept: Mapping[str, Lesson]) -> None:
    if lesson.name in kept:
        raise ProgramError(f"Lesson '{lesson.name}' was written twice; give each a name of its own.")
    if len(kept) == MOST_LESSONS:
        raise ProgramError(f"Lesson '{lesson.name}' is one too many; write {MOST_LESSONS} at most.")


# --- notes -------------------------------------------------------------------------------------


def _note(found: list[str], brief: Brief, refused: list[str]) -> Note:
    texts = _split(found[-1], tuple(SECTIONS.values()))[0] if found else {}
    if not found:
        refused = [*refused, "The model wrote no note."]
    texts["doubts"] = "\n".join([*filter(None, [texts.get("doubts", "")]), *refused])
    plain = {name: _plain(texts.get(name, "")) or "Nothing was written." for name in SECTIONS.values()}
    return Note(author=brief.name, round=brief.round, **plain)


def _plain(text: str) -> str:
    """The text without headings, which would end a note's section."""
    return re.sub(r"^[ \t]*#+[ \t]*", "", text, flags=re.MULTILINE).strip()


# --- the common form -----------------------------------------------------------------------------


def _split(inside: str, names: tuple[str, ...]) -> tuple[dict[str, str], str]:
    """The fields between two lines of '---', and what follows.

    A field is "name: text", which may run on over lines up to the next field. This is narrower than YAML on
    purpose: models write colons, quotes and bullets into their sentences, which YAML would stumble over.
    """
    parts = re.split(r"^[ \t]*-{3,}[ \t]*$", inside.strip(), maxsplit=2, flags=re.MULTILINE)
    front = parts[1] if len(parts) > 1 else parts[0]
    found = re.split(rf"^[ \t]*({'|'.join(names)})[ \t]*:", front, flags=re.MULTILINE | re.IGNORECASE)
    fields = {name.lower(): _unquoted(text) for name, text in zip(found[1::2], found[2::2], strict=True)}
    return fields, parts[2].strip() if len(parts) > 2 else ""


def _unquoted(text: str) -> str:
    text = re.sub(r"\A[ \t]*[|>][+-]?[ \t]*\n", "", text).strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
