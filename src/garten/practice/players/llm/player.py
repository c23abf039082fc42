"""The language-model player: plays every layout once, side by side, then looks back and writes."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from garten.llm.conversation import Conversation
from garten.llm.messages import Part
from garten.llm.reply import ReplyError
from garten.llm.tape import SUFFIX
from garten.practice.players.llm.answers import MOST_LESSONS, read_writing
from garten.practice.players.llm.eyes import Sight, Words, choose
from garten.practice.players.llm.seat import LlmSeat
from garten.practice.players.llm.settings import Settings
from garten.practice.players.llm.wording import cut, words
from garten.records import Brief, Note, Plan, Review, Writing

log = logging.getLogger(__name__)

REVIEW_FRAMES = 32
"""Frames shown in a review, shared among its games and roles."""

REVIEW_CHARACTERS = 12_000
"""Characters of programs and feedback shown in a review for one role in one game."""

TRY = "This is game {number} of {games} you play side by side this round: try what may teach you something."
PROVE = "Play this game as well as you can with what is known; try nothing new."


class LlmPlayer:
    """A `Player` that asks a language model."""

    def __init__(self, brief: Brief) -> None:
        """Start a round.

        Raises:
            ModelError: the brief's settings are unusable or name no endpoint.
        """
        self._brief = brief
        self._settings = Settings.of(brief.settings)
        self._settings.resolved()  # refuses a missing endpoint before any game is played
        self._planned = 0
        self._games: list[Review] = []

    def propose(self, left: int) -> Sequence[Plan]:
        """All the games left, one for each layout in turn."""
        numbers = range(self._planned, self._planned + left)
        self._planned += left
        return [
            Plan(
                number % self._brief.layouts,
                {"aim": TRY.format(number=number + 1, games=self._brief.games)},
            )
            for number in numbers
        ]

    def review(self, games: Sequence[Review]) -> None:
        """Keep the games for the one conversation in which all of them are looked at."""
        self._games += games

    def write(self) -> Writing:
        """What the model makes of the round.

        A reply that cannot be used costs the round its lessons; the note then says why.

        Raises:
            ModelError: the endpoint failed or the budget is used up, so that the review can be made later.
        """
        try:
            text = self._conversation().ask(*self._material())
        except ReplyError as error:
            log.warning("round %d of %s leaves no lessons: %s", self._brief.round, self._brief.name, error)
            return Writing((), self._empty_note(str(error)))
        return read_writing(text, self._brief, [game.game for game in self._games])

    def best(self) -> Mapping[str, Any]:
        """Plays by the playbook alone."""
        return {"aim": PROVE}

    @staticmethod
    def seat(brief: Brief, role: str, plan: Mapping[str, Any], *, seed: int, folder: str) -> LlmSeat:
        """A seat for one role in one game, its conversation kept in `folder`."""
        return LlmSeat(brief, role, plan, seed=seed, folder=folder)

    # --- inside ------------------------------------------------------------------------------------

    def _conversation(self) -> Conversation:
        brief = self._brief
        example = self._games[0].game if self._games else f"r{brief.round:02d}-{brief.name}-g00"
        system = words(
            "review",
            name=brief.name,
            round=brief.round,
            tasks=list(brief.tasks.values()),
            playbook=brief.playbook,
            most=MOST_LESSONS,
            example=example,
            text_frames=self._settings.text_frames,
        )
        tape = self._settings.tape(Path(brief.folder) / f"review{SUFFIX}", seed=brief.seed)
        return Conversation(system, tape)

    def _material(self) -> list[Part]:
        """All games of the round: outcome, programs, and frames along the way."""
        share = max(1, REVIEW_FRAMES // max(1, len(self._games) * len(self._brief.tasks)))
        parts: list[Part] = []
        for review in self._games:
            parts.append(words("game", review=review, episode=review.episode))
            for role in self._brief.tasks:
                parts += self._role_material(review, role, share)
        return [*parts, "Now write your lessons and the note."]

    def _role_material(self, review: Review, role: str, frames: int) -> list[Part]:
        episode = review.episode
        taken = [item for item in episode.taken if item.role == role]
        submissions = [item for item in episode.submissions if item.role == role]
        text = words("programs", role=role, submissions=submissions, taken=taken)
        parts: list[Part] = [cut(text, REVIEW_CHARACTERS)]
        chosen = choose([item.observation for item in taken], frames)
        eyes = Words() if self._settings.text_frames else Sight()
        views = eyes.show([review.frame(name) for name in chosen]) if chosen else []
        for name, view in zip(chosen, views, strict=True):
            parts += [f"Frame {name}:", view]
        return parts

    def _empty_note(self, reason: str) -> Note:
        played = f"{len(self._games)} games were played."
        doubts = f"The review failed. {reason}"
        return Note(
            self._brief.name, self._brief.round, played, "Nothing was written.", doubts, "Review again."
        )
