"""The player's place in one game: each reply becomes a message, each answer a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from garten.errors import ModelError, ProgramError
from garten.llm.conversation import Conversation
from garten.llm.messages import Part
from garten.llm.tape import SUFFIX, Tape
from garten.practice.players.llm.answers import read_program
from garten.practice.players.llm.eyes import Sight, Words, choose
from garten.practice.players.llm.settings import Settings
from garten.practice.players.llm.wording import words
from garten.records import Brief, Playbook, Reply, Task


def instructions(task: Task, playbook: Playbook, settings: Settings, *, aim: str) -> str:
    """What a conversation of one game begins with: task, rules of programs and all that was inherited."""
    return words(
        "play",
        task=task,
        playbook=playbook,
        programs=settings.programs,
        text_frames=settings.text_frames,
        aim=aim,
    )


class LlmSeat:
    """One role in one game, in a conversation of its own that is kept on tape."""

    def __init__(self, brief: Brief, role: str, plan: Mapping[str, Any], *, seed: int, folder: str) -> None:
        self._brief, self._role, self._plan = brief, role, plan
        self._seed, self._path = seed, Path(folder) / f"{role}{SUFFIX}"
        self._settings = Settings.of(brief.settings)
        self._eyes = Words() if self._settings.text_frames else Sight()
        self._tape: Tape | None = None
        self._conversation: Conversation | None = None
        self._programs = 0
        self._opening = ""  # id of the opening view

    def program(self, reply: Reply) -> str | None:
        """The next program; None once the game is over or the seat has handed in all it may.

        Raises:
            ModelError: the model failed, wrote no program when asked twice, or played a whole game without
                taking an action.
        """
        if reply.over:
            self._require_action(reply)
            return None
        if self._programs == self._settings.programs:
            return None
        if self._conversation is None:
            self._conversation = self._begin()
            self._opening = reply.observations[-1].id
        source = self._ask(self._conversation, self._message(reply))
        self._programs += 1
        return source

    def notes(self) -> Mapping[str, Any]:
        """The tokens this game used, for the record."""
        return {"usage": asdict(self._tape.usage)} if self._tape else {}

    # --- inside ------------------------------------------------------------------------------------

    def _begin(self) -> Conversation:
        self._tape = self._settings.tape(self._path, seed=self._seed)
        system = instructions(
            self._brief.tasks[self._role],
            self._brief.playbook,
            self._settings,
            aim=str(self._plan.get("aim", "")),
        )
        return Conversation(system, self._tape)

    def _message(self, reply: Reply) -> list[Part]:
        shown = choose(reply.observations, self._settings.frames)
        text = words(
            "reply",
            reply=reply,
            observations=reply.observations,
            first=self._programs == 0,
            shown=len(shown),
            left=self._settings.programs - self._programs,
        )
        views = self._eyes.show([observation.frame for observation in shown])
        parts: list[Part] = [text]
        for observation, view in zip(shown, views, strict=True):
            parts += [f"Frame {observation.id}, at {observation.time:.1f} s:", view]
        return parts

    def _ask(self, conversation: Conversation, message: list[Part]) -> str:
        """The program in the model's answer; it is asked once more where there is none."""
        try:
            return read_program(conversation.ask(*message))
        except ProgramError as error:
            reason = str(error)
        try:
            return read_program(conversation.ask(words("again", reason=reason)))
        except ProgramError as error:
            raise ModelError(
                f"The model was asked twice and wrote no program: {str(error).rstrip('.')}; use a model that "
                "follows instructions."
            ) from None

    def _require_action(self, reply: Reply) -> None:
        """Refuse a game that saw no action: standing still by default is no way to play."""
        if not self._programs or reply.observations[-1].id == self._opening:
            raise ModelError(
                f"The model took no action as {self._role} in the whole game; use a model that follows "
                "the task."
            )
