"""Playbooks on disk: folders of lessons in the form of Agent Skills, and the notes of rounds.

    playbooks/<team>/<author>/<lesson>/SKILL.md            front matter (name, description, metadata), body
    playbooks/<team>/<author>/<lesson>/data.json           machine-readable extras, if any
    playbooks/<team>/<author>/<lesson>/scripts/lesson.py   functions that programs may call, if any
    playbooks/<team>/<author>/NOTE.md                      tried, observed, doubts, test next

Agent Skills want metadata to map strings to strings, so lists and numbers are written as text there.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import yaml

from garten.errors import ProgramError
from garten.parsing import parse
from garten.records import Lesson, Note, Playbook, Status
from garten.sandbox import Limits, clash

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NAME_LENGTH = 64  # characters, by the Agent Skills format
DESCRIPTION_LENGTH = 1024  # characters, by the Agent Skills format
BODY_LENGTH = 20_000  # characters; a lesson longer than this is no lesson but a transcript
CODE_LENGTH = Limits().source  # characters; longer code would be left out of every program
ID = re.compile(r"[\w-]+")  # of evidence; ids are kept in one line with spaces between them
STATUSES: tuple[str, ...] = get_args(Status)
SECTIONS = {"Tried": "tried", "Observed": "observed", "Doubts": "doubts", "Test next": "test_next"}


def validate(lesson: Lesson, known: Iterable[str], *, actions: Collection[str] = ()) -> None:
    """Refuse a malformed lesson.

    Args:
        lesson: what a player wrote.
        known: ids of the games its author reviewed; evidence must name one of them or a frame in one of them.
        actions: names that its code must not redefine; built-ins are others.

    Raises:
        ProgramError: says what is wrong and what is wanted instead.
    """
    label = f"Lesson '{lesson.name[:NAME_LENGTH]}'"
    if not NAME.fullmatch(lesson.name) or len(lesson.name) > NAME_LENGTH:
        raise ProgramError(
            f"{label} needs a name of lower-case words joined by hyphens, at most {NAME_LENGTH}."
        )
    if not 1 <= len(lesson.description.strip()) <= DESCRIPTION_LENGTH or "\n" in lesson.description.strip():
        raise ProgramError(
            f"{label} needs a description of one line, at most {DESCRIPTION_LENGTH} characters."
        )
    if not 1 <= len(lesson.body.strip()) <= BODY_LENGTH:
        raise ProgramError(f"{label} needs a body of 1 to {BODY_LENGTH} characters of Markdown.")
    if lesson.status not in STATUSES:
        raise ProgramError(f"{label} has status '{lesson.status}'; use one of {', '.join(STATUSES)}.")
    if lesson.status != "claim" and not lesson.evidence:
        raise ProgramError(
            f"{label} is marked {lesson.status} without evidence; name the games that show it."
        )
    games = tuple(known)
    for item in lesson.evidence:
        if not ID.fullmatch(item) or not any(item == game or item.startswith(f"{game}-") for game in games):
            raise ProgramError(
                f"{label} cites '{item}', which is none of its author's games; cite one of those."
            )
    try:
        parse(lesson.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ProgramError(
            f"{label} brings code that is not Python ({error}); mend it or leave it out."
        ) from None
    if len(lesson.code) > CODE_LENGTH:
        raise ProgramError(f"{label} brings code of more than {CODE_LENGTH} characters; shorten it.")
    if why := clash(lesson.code, actions):
        raise ProgramError(f"{label} brings code that clashes with others. {why}")


def lesson_files(lesson: Lesson) -> dict[str, str]:
    """The files of one lesson, by path inside its folder."""
    front = {
        "name": lesson.name,
        "description": lesson.description.strip(),
        "metadata": {
            "world": lesson.world,
            "role": lesson.role,
            "round": str(lesson.round),
            "author": lesson.author,
            "status": lesson.status,
            "evidence": " ".join(lesson.evidence),
        },
    }
    files = {"SKILL.md": _with_front_matter(front, lesson.body)}
    if lesson.data:
        files["data.json"] = json.dumps(lesson.data, indent=2, sort_keys=True) + "\n"
    if lesson.code.strip():
        files["scripts/lesson.py"] = lesson.code.rstrip() + "\n"
    return files


def note_file(note: Note) -> str:
    """The text of a round's note."""
    body = "\n\n".join(f"## {title}\n{getattr(note, name).strip()}" for title, name in SECTIONS.items())
    return _with_front_matter({"author": note.author, "round": note.round}, body)


def read_lesson(folder: Path) -> Lesson:
    """Read one lesson's folder.

    Raises:
        ProgramError: a file is missing or malformed, or a link leads out of the folder.
    """
    front, body = _read_front_matter(folder, "SKILL.md")
    try:
        metadata = {str(key): str(value) for key, value in dict(front["metadata"]).items()}
        data = json.loads(_read(folder, "data.json")) if (folder / "data.json").exists() else {}
        lesson = Lesson(
            name=str(front["name"]),
            description=str(front["description"]),
            body=body,
            status=metadata["status"],  # type: ignore[arg-type]  # `validate` checks it
            world=metadata["world"],
            role=metadata["role"],
            round=int(metadata["round"]),
            author=metadata["author"],
            evidence=tuple(metadata["evidence"].split()),
            code=_read(folder, "scripts/lesson.py") if (folder / "scripts/lesson.py").exists() else "",
            data=data,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ProgramError(
            f"{folder / 'SKILL.md'} lacks or garbles {error}; see docs/file-formats.md."
        ) from None
    if lesson.name != folder.name:
        raise ProgramError(
            f"Lesson '{lesson.name}' lies in a folder named '{folder.name}'; give both one name."
        )
    return lesson


def read_note(path: Path) -> Note:
    """Read a round's note.

    Raises:
        ProgramError: a section or the front matter is missing.
    """
    front, body = _read_front_matter(path.parent, path.name)
    parts = re.split(r"^## (.+)$", body, flags=re.MULTILINE)
    found = {title.strip(): text.strip() for title, text in zip(parts[1::2], parts[2::2], strict=True)}
    try:
        texts = {name: found[title] for title, name in SECTIONS.items()}
        return Note(author=str(front["author"]), round=int(front["round"]), **texts)
    except (KeyError, TypeError, ValueError) as error:
        raise ProgramError(f"{path} lacks or garbles {error}; a note has {', '.join(SECTIONS)}.") from None


def read_playbook(folder: Path) -> Playbook:
    """Read all lessons and notes of one team from ``playbooks/<team>``, in the order of their paths."""
    lessons = tuple(read_lesson(path.parent) for path in sorted(folder.glob("*/*/SKILL.md")))
    notes = tuple(read_note(path) for path in sorted(folder.glob("*/NOTE.md")))
    return Playbook(lessons, notes)


def fingerprint(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below `folder`, by relative path: the manifest that freezes a playbook.

    A link counts as a file that holds where it leads.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {path.relative_to(folder).as_posix(): _sha256(path) for path in found}


def _sha256(path: Path) -> str:
    content = os.fsencode(f"-> {path.readlink()}") if path.is_symlink() else path.read_bytes()
    return hashlib.sha256(content).hexdigest()


def _read(folder: Path, name: str) -> str:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ProgramError(f"{path} leads out of its lesson's folder; replace the link by a file.")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProgramError(f"{path} cannot be read ({error}); restore or remove the lesson.") from None


def _with_front_matter(front: Mapping[str, Any], body: str) -> str:
    text = yaml.safe_dump(dict(front), sort_keys=False, allow_unicode=True, width=100)
    return f"---\n{text}---\n\n{body.strip()}\n"


def _read_front_matter(folder: Path, name: str) -> tuple[dict[str, Any], str]:
    """The front matter of a file and the text below it."""
    match = re.match(r"---\n(.*?)\n---\n(.*)", _read(folder, name), flags=re.DOTALL)
    try:
        front = yaml.safe_load(match.group(1)) if match else None
    except yaml.YAMLError:
        front = None
    if not match or not isinstance(front, dict):
        raise ProgramError(
            f"{folder / name} does not begin with front matter between two lines of '---'; add it."
        )
    return front, match.group(2).strip()
