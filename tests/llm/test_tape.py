"""Tapes: recording, going on after a kill, playing back, and adding up what was used."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from chat_server import PATIENCE, Reply, Request, completion, serve
from garten.errors import ModelError, RunError
from garten.llm.budget import Budget
from garten.llm.client import Client
from garten.llm.endpoint import Endpoint
from garten.llm.messages import Answer, Image, Message, Usage
from garten.llm.reply import ReplyError
from garten.llm.retry import Limits
from garten.llm.tape import Ledger, Tape, spent

KEY = "sk-very-secret-4711"


class Counting:
    """A model that answers with the number of the call."""

    limits = Limits(reply_tokens=50)

    def __init__(self, *failing: int) -> None:
        self.calls = 0
        self.failing = failing

    def complete(self, messages: Sequence[Message]) -> Answer:
        self.calls += 1
        if self.calls in self.failing:
            raise ReplyError("The model's reply is empty; try again.", Usage(10, 0, 1))
        return Answer(f"answer {self.calls}", Usage(10, 5, 1))


class Terse(Counting):
    """One whose replies are short."""

    limits = Limits(reply_tokens=5)


def talk(tape: Tape, turns: int, *, word: str = "turn") -> list[str]:
    """A conversation that grows, as a player's does."""
    said = [Message("system", ("Play.",))]
    answers = []
    for turn in range(turns):
        picture = Image.of(np.full((2, 3, 3), turn, np.uint8))
        said.append(Message("user", (f"{word} {turn}", picture)))
        answers.append(tape.complete(said).text)
        said.append(Message("assistant", (answers[-1],)))
    return answers


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "left.tape.jsonl"


def test_what_was_recorded_is_not_asked_again(path: Path) -> None:
    first = talk(Tape(path, "m", client=Counting()), 3)
    model = Counting()
    again = talk(Tape(path, "m", client=model), 5)
    assert first == ["answer 1", "answer 2", "answer 3"]
    assert again == [*first, "answer 1", "answer 2"]
    assert model.calls == 2
    assert talk(Tape(path, "m", client=None), 5) == again


@pytest.mark.parametrize("kept", [0, 1, 40])
def test_a_torn_last_line_is_dropped_and_written_over(path: Path, kept: int) -> None:
    whole = talk(Tape(path, "m", client=Counting()), 3)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + lines[2][:kept])
    assert talk(Tape(path, "m", client=Counting()), 3) == [*whole[:2], "answer 1"]
    assert [json.loads(line)["text"] for line in path.read_bytes().splitlines()] == [*whole[:2], "answer 1"]


def test_a_line_that_only_lacks_its_end_is_torn_too(path: Path) -> None:
    talk(Tape(path, "m", client=Counting()), 2)
    path.write_bytes(path.read_bytes()[:-1])
    assert talk(Tape(path, "m", client=Counting()), 2) == ["answer 1", "answer 1"]


def test_playback_says_which_call_is_missing(path: Path) -> None:
    talk(Tape(path, "m", client=Counting()), 2)
    with pytest.raises(ModelError, match=r"ends before call 3; record it"):
        talk(Tape(path, "m", client=None), 3)


@pytest.mark.parametrize("client", [None, Counting()])
def test_another_request_names_the_position_and_what_differs(path: Path, client: Counting | None) -> None:
    talk(Tape(path, "m", client=Counting()), 2)
    before = path.read_bytes()
    with pytest.raises(ModelError, match=r"Call 1 of the tape .*message 2 of 2 differs.*remove the tape"):
        talk(Tape(path, "m", client=client), 2, word="other")
    with pytest.raises(ModelError, match="recorded with the model m, asked of n"):
        talk(Tape(path, "n", client=client), 2)
    with pytest.raises(ModelError, match="it had 2 messages, now there are 1"):
        Tape(path, "m", client=client).complete([Message("system", ("Play.",))])
    assert path.read_bytes() == before


def test_a_changed_picture_is_another_request(path: Path) -> None:
    shown = [Message("user", (Image.of(np.zeros((2, 3, 3), np.uint8)),))]
    Tape(path, "m", client=Counting()).complete(shown)
    turned = [Message("user", (Image.of(np.zeros((3, 2, 3), np.uint8)),))]
    with pytest.raises(ModelError, match="message 1 of 1 differs"):
        Tape(path, "m", client=None).complete(turned)


def test_the_name_of_a_picture_does_not_depend_on_its_file() -> None:
    frame = np.random.default_rng(0).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    image = Image.of(frame)
    other = Image(b"another encoding", image.size, image.digest)
    assert Message("user", (image,)).digest == Message("user", (other,)).digest


def test_failed_replies_count_and_are_asked_again(path: Path) -> None:
    with pytest.raises(ReplyError):
        talk(Tape(path, "m", client=Counting(2)), 3)
    assert spent(path.parent) == Usage(20, 5, 2)
    tape = Tape(path, "m", client=Counting())
    assert talk(tape, 2) == ["answer 1", "answer 1"]
    assert tape.usage == Usage(30, 10, 3)


def test_a_damaged_tape_is_refused(path: Path) -> None:
    talk(Tape(path, "m", client=Counting()), 1)
    path.write_bytes(b"{]\n" + path.read_bytes())
    with pytest.raises(ModelError, match=r"Line 1 of the tape .* is damaged"):
        Tape(path, "m", client=Counting())


def test_a_budget_of_tokens_ends_the_calls_before_it_is_passed(path: Path) -> None:
    budget = Budget(tokens=700)
    model = Counting()
    ledger = Ledger(budget, path.parent)
    with pytest.raises(ModelError, match=r"The token budget is used up: \d+ of 700 are spent"):
        talk(Tape(path, "m", client=model, ledger=ledger), 20)
    assert 0 < spent(path.parent).tokens <= 700
    assert model.calls == spent(path.parent).calls


def test_a_budget_is_shared_by_all_tapes_below_one_folder(tmp_path: Path) -> None:
    ledger = Ledger(Budget(cost=0.001, price_in=10.0, price_out=100.0), tmp_path)  # 600 millionths a call
    tapes = [Tape(tmp_path / name / "x.tape.jsonl", "m", client=Terse(), ledger=ledger) for name in "ab"]
    hello = [Message("user", ("Hi",))]
    tapes[0].complete(hello)
    with pytest.raises(ModelError, match=r"The cost budget is used up: 0.0006 of 0.0010 is spent"):
        tapes[1].complete(hello)


def test_a_budget_that_means_nothing_is_refused() -> None:
    with pytest.raises(ModelError, match="needs prices"):
        Budget(cost=1.0)
    with pytest.raises(ModelError, match="negative"):
        Budget(tokens=-1)


def test_a_tape_that_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="could not be written"):
        talk(Tape(tmp_path / "file" / "x.tape.jsonl", "m", client=Counting()), 1)


SPEAKER = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[3], sys.argv[3] + "/llm"]
from test_tape import KEY, talk
from garten.llm.client import Client
from garten.llm.endpoint import Endpoint
from garten.llm.tape import Tape
tape = Tape(Path(sys.argv[2]), "m", client=Client(Endpoint(sys.argv[1], "m", KEY)))
print(talk(tape, 6))
"""


def test_a_kill_loses_the_call_in_flight_and_nothing_else(path: Path) -> None:
    asked, go = threading.Event(), threading.Event()

    def script(request: Request) -> Reply:
        turn = len(request.images) - 1
        if turn == 4 and not go.is_set():
            asked.set()
            go.wait(PATIENCE)
        return completion(f"answer to turn {turn}")

    with serve(script) as server:
        folder = Path(__file__).parents[1]
        command = [sys.executable, "-c", SPEAKER, server.url, str(path), str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as killed:
            assert asked.wait(PATIENCE)
            os.kill(killed.pid, signal.SIGKILL)
        go.set()
        assert len(path.read_bytes().splitlines()) == 4
        resumed = subprocess.run(command, capture_output=True, text=True, check=True)
        assert ast.literal_eval(resumed.stdout) == [f"answer to turn {turn}" for turn in range(6)]
        assert len(server.requests) == 5 + 2
    assert KEY.encode() not in path.read_bytes()


def test_a_tape_holds_no_pictures_prompts_or_key(path: Path) -> None:
    with serve(["Fine."]) as server:
        talk(Tape(path, "m", client=Client(Endpoint(server.url, "m", KEY))), 1, word="private words")
    (line,) = [json.loads(line) for line in path.read_text().splitlines()]
    assert set(line) == {"request", "text", "usage", "wall_seconds"}
    for hidden in (KEY, "private words", "base64", "Play."):
        assert hidden not in path.read_text()
