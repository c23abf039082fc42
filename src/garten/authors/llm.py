"""The language-model author: describes a level in one call and writes its code in another.

Each request is a conversation of its own with a tape of its own, named by the request's seed and parent: an
answer can only become the draft of the request that it was asked for, and a request that is made again is
answered from its tape. A reply that cannot be used is asked for once more with the reason; then it, a dead
endpoint, or a budget that is used up becomes a refusal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TypeVar

from garten.authors import code, describe
from garten.authors.describe import Described
from garten.authors.settings import AuthorSettings
from garten.authors.similarity import Embedded, Lexical, Similarity
from garten.authors.wording import words
from garten.domain import Answered, Domain, Draft, Refusal, Request
from garten.errors import GartenError, LevelError
from garten.llm.conversation import Conversation
from garten.llm.embeddings import Embedder
from garten.llm.endpoint import Endpoint
from garten.llm.side_by_side import side_by_side
from garten.llm.tape import SUFFIX, Tape

T = TypeVar("T")


class LlmAuthor:
    """A `garten.domain.Author` that asks a language model."""

    def __init__(
        self,
        domain: Domain,
        settings: AuthorSettings,
        folder: Path,
        *,
        answered: Answered | None = None,
    ) -> None:
        """Write levels of a domain.

        Args:
            domain: used by one thread at a time.
            settings: of the author.
            folder: for its tapes, which all draw on the budget.
            answered: told each answer when it is there, in any thread, while none uses the domain.

        Raises:
            ModelError: no usable endpoint is set.
        """
        self._domain, self._settings, self._folder = domain, settings, folder
        self._answered = answered or (lambda number, answer: None)
        self._similarity = _similarity(settings)
        self._reading = Lock()

    def write(self, requests: Sequence[Request]) -> Sequence[Draft | Refusal]:
        """One answer for each request, several asked for at a time."""
        _ = self._systems  # written once, before there are threads
        pairs = zip(requests, self._tapes(requests), strict=True)
        calls = [partial(self._answer, number, request, tape) for number, (request, tape) in enumerate(pairs)]
        return side_by_side(calls, most=self._settings.parallel)

    def _tapes(self, requests: Sequence[Request]) -> list[Path]:
        """A tape for each request; equal requests of one call are told apart by number."""
        seen: Counter[str] = Counter()
        paths = []
        for request in requests:
            name = f"{request.seed:010d}-{request.parent.name[:16] if request.parent else 'nothing'}"
            seen[name] += 1
            paths.append(self._folder / f"{name}{f'-{seen[name]}' if seen[name] > 1 else ''}{SUFFIX}")
        return paths

    def _answer(self, number: int, request: Request, path: Path) -> Draft | Refusal:
        answer = self._written(request, path)
        with self._reading:
            self._answered(number, answer)
        return answer

    def _written(self, request: Request, path: Path) -> Draft | Refusal:
        """The draft, or why there is none."""
        try:
            tape = self._settings.tape_in(self._folder, path, seed=request.seed)
            described = self._describe(request, tape)
            source = self._write_code(request, described, tape)
        except GartenError as error:
            return Refusal(str(error))
        return Draft(source, described.text, described.reasoning)

    @cached_property
    def _systems(self) -> tuple[str, str]:
        """What the two conversations begin with."""
        return describe.instructions(self._domain), code.instructions(self._domain)

    def _describe(self, request: Request, tape: Tape) -> Described:
        conversation = Conversation(self._systems[0], tape)
        return self._asked(conversation, describe.question(request), describe.read_description)

    def _write_code(self, request: Request, described: Described, tape: Tape) -> str:
        """The code; after the last asking also code that the domain cannot read, for the gate to judge."""
        models = [*request.examples, *([request.parent] if request.parent else [])]
        levels = list({level.name: level for level in models}.values())
        near = self._similarity.nearest(described.text, levels, self._settings.examples)
        written: list[str] = []

        def read(answer: str) -> str:
            written.append(code.read_code(answer))
            with self._reading:
                self._domain.read(written[-1])
            return written[-1]

        try:
            return self._asked(
                Conversation(self._systems[1], tape), code.question(described.text, near), read
            )
        except LevelError:
            if not written:
                raise
            return written[-1]

    def _asked(self, conversation: Conversation, question: str, read: Callable[[str], T]) -> T:
        """What an answer says; where it cannot be read it is asked for again, with the reason.

        Raises:
            LevelError: none of the answers could be read; the last one's reason.
            ModelError: no answer came.
        """
        for left in reversed(range(self._settings.asks)):
            answer = conversation.ask(question)
            try:
                return read(answer)
            except LevelError as error:
                if not left:
                    raise
                question = words("again", reason=str(error))
        raise AssertionError("asks is at least 1")


def _similarity(settings: AuthorSettings) -> Similarity:
    endpoint = Endpoint.configured(settings.base_url, settings.model)
    if not settings.embedding_model:
        return Lexical()
    return Embedded(Embedder(Endpoint(endpoint.base_url, settings.embedding_model, endpoint.key)))
