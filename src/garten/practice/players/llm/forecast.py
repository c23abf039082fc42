"""What a run of practice with a language model would use, before anything is asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from garten.llm.budget import Budget
from garten.llm.messages import Usage, image_tokens, text_tokens
from garten.practice.players.llm.player import REVIEW_FRAMES
from garten.practice.players.llm.seat import instructions
from garten.practice.players.llm.settings import Settings
from garten.records import Playbook, Task

ACTIONS_PER_PROGRAM = 6
"""Actions of a typical program: models that look often write short ones."""

ANSWER_TOKENS = 500
"""Tokens of a typical answer: some thought and a program."""

WORDS_PER_REPLY = 400
"""Characters of text around the frames of one reply."""

DESCRIBED_FRAME = 700
"""Characters in which one frame is described where frames are told in words."""

GAME_CHARACTERS = 4000
"""Characters of one game's programs and feedback in a review, for one role."""

WRITING_TOKENS = 1500
"""Tokens of a review's lessons and note; all later prompts carry them."""


@dataclass(frozen=True)
class Forecast:
    """An estimate; replies may be fewer or longer than the typical ones it assumes."""

    usage: Usage
    cost: float  # 0 without prices
    budget: Budget

    def __str__(self) -> str:
        """One line for people."""
        text = (
            f"about {self.usage.calls:,} calls, {self.usage.prompt:,} prompt tokens and "
            f"{self.usage.completion:,} completion tokens"
        )
        return f"{text}, costing about {self.cost:.2f}" if self.cost else text


def forecast(
    tasks: Sequence[Task], settings: Settings, *, rounds: int, players: int, games: int, held_out: int
) -> Forecast:
    """Estimate what a run would use.

    Args:
        tasks: one for each role of the world.
        settings: of the player.
        rounds: rounds of the run.
        players: players per team and round.
        games: games per player and round.
        held_out: held-out games per round.
    """
    usage = Usage()
    teams = {task.team for task in tasks}
    for inherited in range(rounds):
        for task in tasks:
            usage += _times(_game(task, settings, inherited * players), players * games)
            usage += _times(_game(task, settings, (inherited + 1) * players), held_out)
        for team in teams:
            own = [task for task in tasks if task.team == team]
            usage += _times(_review(own, settings, inherited * players, games), players)
    return Forecast(usage, settings.budget.price(usage), settings.budget)


def _game(task: Task, settings: Settings, writings: int) -> Usage:
    """One seat's conversation: every call sends all that was said before."""
    seconds = fmean(action.seconds for action in task.actions)
    calls = min(settings.programs, math.ceil(task.time_limit / (ACTIONS_PER_PROGRAM * seconds)))
    frames = min(settings.frames, ACTIONS_PER_PROGRAM)
    reply = frames * _frame(task, settings) + text_tokens(WORDS_PER_REPLY)
    sent = calls * _system(task, settings, writings)
    sent += reply * calls * (calls + 1) // 2 + ANSWER_TOKENS * calls * (calls - 1) // 2
    return Usage(sent, calls * ANSWER_TOKENS, calls, calls)


def _review(tasks: Sequence[Task], settings: Settings, writings: int, games: int) -> Usage:
    """One player's look back at its round."""
    frames = max(REVIEW_FRAMES, games * len(tasks)) * _frame(tasks[0], settings)
    programs = games * len(tasks) * text_tokens(GAME_CHARACTERS)
    return Usage(_system(tasks[0], settings, writings) + frames + programs, WRITING_TOKENS, 1, 1)


def _system(task: Task, settings: Settings, writings: int) -> int:
    """Tokens a conversation begins with, when so many players have written before."""
    empty = instructions(task, Playbook(), settings, aim="")
    return text_tokens(len(empty)) + writings * WRITING_TOKENS


def _frame(task: Task, settings: Settings) -> int:
    return text_tokens(DESCRIBED_FRAME) if settings.text_frames else image_tokens(task.size)


def _times(usage: Usage, count: int) -> Usage:
    return Usage(usage.prompt * count, usage.completion * count, usage.calls * count, usage.estimated * count)
