"""Tapes: what was asked and answered in one conversation, kept so that it need not be asked again.

A tape is a file of JSON lines, one a call, appended and synced before the answer is used:

    {"request": {"model": ..., "messages": [digest, ...]}, "text": ..., "usage": {...}, "wall_seconds": ...}
    {"failed": "why", "usage": {...}}

A request is kept as digests only: no pictures, no prompts, no key. Its position is its number on the tape.
A kill loses at most the call in flight; a line torn by it is dropped. Tapes are also the ledger: what a
run has used is the sum over its tapes.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from garten.errors import ModelError
from garten.llm.budget import Budget
from garten.llm.messages import Answer, Message, Usage, prompt_tokens
from garten.llm.reply import ReplyError
from garten.llm.retry import Limits
from garten.runs.storage import explained, make_folder, sync_folder

SUFFIX = ".tape.jsonl"
"""How every tape's name ends."""

DIGITS = 16
"""Hexadecimal digits kept of a message's digest: enough to tell messages apart, short on disk."""


class Model(Protocol):
    """What a tape records: a `Client`, or a stand-in."""

    limits: Limits

    def complete(self, messages: Sequence[Message]) -> Answer:
        """What the model answers to a conversation; raises `ModelError`."""
        ...


@dataclass(frozen=True)
class Ledger:
    """What a run may use, and the folder whose tapes say what it has used."""

    budget: Budget
    root: Path

    def check(self, messages: Sequence[Message], limits: Limits) -> None:
        """Refuse a call that might go over the budget; each process that calls just now may add one call."""
        self.budget.check(spent(self.root), Usage(prompt_tokens(messages), limits.reply_tokens, calls=1))


class Tape:
    """One conversation's calls: answered from the file as far as it goes, from the model after that."""

    def __init__(
        self,
        path: Path,
        model: str,
        *,
        client: Model | None,
        ledger: Ledger | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open a tape.

        Args:
            path: the file; its name ends in `SUFFIX`.
            model: name of the model, part of every request.
            client: asked once the tape is at its end; None plays back only.
            ledger: checked before each call of the client.
            clock: wall time in seconds, for the record.
        """
        assert path.name.endswith(SUFFIX), path
        self._path, self._model, self._client, self._ledger, self._clock = path, model, client, ledger, clock
        self._recorded = [line for line in _lines(path) if "failed" not in line]
        self._position = 0

    def complete(self, messages: Sequence[Message]) -> Answer:
        """The answer to a conversation.

        Raises:
            ModelError: the tape holds another request here, or it ends here and there is no client; or the
                client failed, or its call might go over the budget.
            RunError: the tape cannot be written.
        """
        request = {"model": self._model, "messages": [message.digest[:DIGITS] for message in messages]}
        if self._position < len(self._recorded):
            answer = self._play(request)
        else:
            answer = self._record(request, messages)
        self._position += 1
        return answer

    @property
    def usage(self) -> Usage:
        """What this tape's calls have used."""
        return sum(map(_usage, _lines(self._path)), Usage())

    def _play(self, request: Mapping[str, Any]) -> Answer:
        line = self._recorded[self._position]
        if line["request"] != request:
            raise ModelError(
                f"Call {self._position + 1} of the tape {self._path} was another one "
                f"({_difference(line['request'], request)}); remove the tape to ask the model again."
            )
        return Answer(line["text"], _usage(line))

    def _record(self, request: Mapping[str, Any], messages: Sequence[Message]) -> Answer:
        if self._client is None:
            raise ModelError(f"The tape {self._path} ends before call {self._position + 1}; record it first.")
        if self._ledger is not None:
            self._ledger.check(messages, self._client.limits)
        began = self._clock()
        try:
            answer = self._client.complete(messages)
        except ReplyError as error:
            self._append({"failed": str(error), "usage": asdict(error.usage)})
            raise
        line = {"request": request, "text": answer.text, "usage": asdict(answer.usage)}
        self._append({**line, "wall_seconds": round(self._clock() - began, 3)})
        self._recorded.append(line)
        return answer

    def _append(self, line: Mapping[str, Any]) -> None:
        """Add a line behind the last whole one, and have it on the disk before going on."""
        with explained(self._path):
            make_folder(self._path.parent)
            with self._path.open("a+b") as file:
                file.truncate(_whole(self._path))
                file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._path.parent)


def spent(root: Path) -> Usage:
    """What all calls on the tapes below `root` have used."""
    paths = sorted(root.rglob(f"*{SUFFIX}"))
    return sum((_usage(line) for path in paths for line in _lines(path)), Usage())


def _whole(path: Path) -> int:
    """Bytes up to the end of the last whole line."""
    return path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a tape."""
    if not path.exists():
        return
    whole = path.read_bytes()[: _whole(path)]
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            yield dict(json.loads(line))
        except (ValueError, TypeError):
            raise ModelError(f"Line {number} of the tape {path} is damaged; remove the tape.") from None


def _usage(line: Mapping[str, Any]) -> Usage:
    return Usage(**line["usage"])


def _difference(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """What tells a recorded request from the one asked now."""
    if recorded["model"] != asked["model"]:
        return f"recorded with the model {recorded['model']}, asked of {asked['model']}"
    old, new = recorded["messages"], asked["messages"]
    for number, (before, now) in enumerate(zip(old, new, strict=False), start=1):
        if before != now:
            return f"message {number} of {len(new)} differs"
    return f"it had {len(old)} messages, now there are {len(new)}"
