"""A player with one real model: proof of the plumbing, not of play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from garten.errors import ModelError
from garten.llm.client import Client
from garten.llm.endpoint import Endpoint
from garten.llm.messages import Image, Message
from garten.llm.retry import Limits
from garten.practice.players.llm import LlmPlayer
from garten.practice.players.llm.seat import LlmSeat
from garten.records import ActionSpec, Brief, Observation, Playbook, Reply, Task
from real_model import real_model

pytestmark = pytest.mark.slow

CONTEXT = 4096


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of the model's server."""
    with real_model(context=CONTEXT) as url:
        yield url


def test_it_answers_in_words_and_counts_its_tokens(url: str) -> None:
    client = Client(Endpoint(url, "smollm2"), Limits(attempt=240.0, retries=0, reply_tokens=64))
    answer = client.complete([Message("user", ("Name one colour. Answer with one word.",))])
    assert answer.text.strip()
    assert answer.usage.estimated == 0
    assert 0 < answer.usage.completion <= 64


def test_it_cannot_see_and_says_so(url: str) -> None:
    client = Client(Endpoint(url, "smollm2"), Limits(attempt=60.0, retries=2))
    shown = Message("user", ("What is this?", Image.of(np.zeros((18, 32, 3), np.uint8))))
    with pytest.raises(ModelError, match=r"takes no images .*--text-frames"):
        client.complete([shown])


def test_a_seat_gets_a_program_out_of_it_or_says_that_there_was_none(url: str, tmp_path: Path) -> None:
    task = Task(
        world="meadow",
        text="Walk to the yellow lantern.",
        role="walker",
        team="walker",
        mates=(),
        actions=(ActionSpec("walk", 1.0, "walk ahead"), ActionSpec("turn", 1.0, "turn left")),
        time_limit=60.0,
        size=(32, 18),
    )
    settings = {
        "base_url": url,
        "model": "smollm2",
        "text_frames": True,
        "reply_tokens": 96,
        "timeout": 240.0,
    }
    brief = Brief("p1", 1, {"walker": task}, Playbook(), 1, 1, 0, settings, str(tmp_path))
    picture = np.full((18, 32, 3), 90, np.uint8)
    picture[6:12, 20:26] = (250, 200, 20)
    view = Observation("r01-p1-g00-walker-000", "walker", 0.0, "", lambda: picture)
    seat = LlmPlayer.seat(brief, "walker", {}, seed=1, folder=str(tmp_path / "g00"))
    outcome = _program_or_reason(seat, Reply((view,), "", "", 60.0, False))
    assert outcome.strip()
    assert seat.notes()["usage"]["calls"] >= 1


def _program_or_reason(seat: LlmSeat, reply: Reply) -> str:
    try:
        return seat.program(reply) or ""
    except ModelError as error:
        reason = str(error)
    return reason if "wrote no program" in reason or "cut off" in reason else ""
