"""A conversation with the model behind a tape: it begins with the system's words and grows by turns."""

from __future__ import annotations

from garten.llm.messages import Message, Part
from garten.llm.tape import Tape


class Conversation:
    """What has been said so far; each `ask` sends all of it."""

    def __init__(self, system: str, tape: Tape) -> None:
        self._said = [Message("system", (system,))]
        self._tape = tape

    def ask(self, *parts: Part) -> str:
        """The model's answer to one more message.

        Raises:
            ModelError: no answer came.
        """
        question = Message("user", parts)
        answer = self._tape.complete([*self._said, question]).text
        self._said += [question, Message("assistant", (answer,))]
        return answer
