"""The forecast against a count, call by call, of a game that goes as it assumes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garten.llm.messages import Image, Message, Usage, image_tokens, prompt_tokens, text_tokens
from garten.practice.players.llm.forecast import ACTIONS_PER_PROGRAM, ANSWER_TOKENS, WORDS_PER_REPLY, forecast
from garten.practice.players.llm.seat import instructions
from garten.practice.players.llm.settings import Settings
from garten.records import ActionSpec, Playbook, Task

TASK = Task("meadow", "Walk.", "walker", "walkers", (), (ActionSpec("walk", 2.0, "walk"),), 60.0, (160, 90))
RUN = {"rounds": 1, "players": 1, "games": 1, "held_out": 0}


def test_a_game_is_counted_call_by_call() -> None:
    settings = Settings(frames=4)
    usage = forecast([TASK], settings, **RUN).usage
    review = forecast([replace(TASK, time_limit=1e-9)], replace(settings), **RUN).usage
    system = text_tokens(len(instructions(TASK, Playbook(), settings, aim="")))
    said, prompt, calls = system, 0, 0
    for _ in range(int(60.0 / (2.0 * ACTIONS_PER_PROGRAM))):
        said += 4 * image_tokens((160, 90)) + text_tokens(WORDS_PER_REPLY)
        prompt += said
        said += ANSWER_TOKENS
        calls += 1
    first = system + 4 * image_tokens((160, 90)) + text_tokens(WORDS_PER_REPLY)
    assert usage.prompt - review.prompt == pytest.approx(prompt - first, abs=30)  # the time limit's digits
    assert usage.completion - review.completion == (calls - 1) * ANSWER_TOKENS
    assert usage.calls == calls + 1


def test_every_game_round_player_and_role_counts() -> None:
    other = replace(TASK, role="runner", team="runners")
    one = forecast([TASK], Settings(), **RUN).usage
    assert forecast([TASK], Settings(), **{**RUN, "players": 3}).usage.calls == 3 * one.calls
    assert forecast([TASK], Settings(), **{**RUN, "rounds": 3}).usage.calls == 3 * one.calls
    assert forecast([TASK, other], Settings(), **RUN).usage.calls == 2 * one.calls
    later = forecast([TASK], Settings(), **{**RUN, "rounds": 2}).usage.prompt
    assert later > 2 * one.prompt  # prompts carry what was inherited


def test_cost_follows_the_prices() -> None:
    settings = Settings(price_in=2.0, price_out=8.0)
    made = forecast([TASK], settings, **RUN)
    assert made.cost == pytest.approx((2.0 * made.usage.prompt + 8.0 * made.usage.completion) / 1e6)
    assert "costing about" in str(made)
    assert "costing" not in str(forecast([TASK], Settings(), **RUN))


def test_estimates_of_a_conversation_add_up() -> None:
    picture = Image(b"", (160, 90), "0" * 64)
    said = [Message("system", ("x" * 35,)), Message("user", ("y" * 7, picture))]
    assert prompt_tokens(said) == 4 + 10 + 4 + 2 + image_tokens((160, 90))
    assert image_tokens((160, 90)) < image_tokens((832, 480))
    assert Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40) == Usage(11, 22, 33, 44)
