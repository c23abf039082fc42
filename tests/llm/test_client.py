"""The client against a real server: what it sends, and what becomes of every way in which a call can fail."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Sequence
from email.utils import formatdate
from typing import Any

import numpy as np
import pytest

from chat_server import ChatServer, Fault, Reply, completion, error, serve
from garten.errors import ModelError
from garten.llm.client import Client
from garten.llm.endpoint import Endpoint
from garten.llm.messages import Image, Message
from garten.llm.reply import ReplyError
from garten.llm.retry import Limits

KEY = "sk-very-secret-4711"
HELLO = (Message("system", ("Be brief.",)), Message("user", ("Hello",)))
NOW = 1_800_000_000.0


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def __call__(self) -> float:
        return sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def client(server: ChatServer, **limits: Any) -> tuple[Client, FakeTime]:
    time = FakeTime()
    endpoint = Endpoint(server.url, "scripted", KEY)
    return Client(endpoint, Limits(**limits), clock=time, sleep=time.sleep, now=lambda: NOW), time


def ask(replies: Sequence[Reply], **limits: Any) -> tuple[str, list[float], int]:
    """The answer, the waits and the number of attempts."""
    with serve(replies) as server:
        caller, time = client(server, **limits)
        return caller.complete(HELLO).text, time.slept, len(server.requests)


def fail(replies: Sequence[Reply], **limits: Any) -> tuple[str, list[float], int]:
    """The error's sentence, the waits and the number of attempts."""
    with serve(replies) as server:
        caller, time = client(server, **limits)
        with pytest.raises(ModelError) as caught:
            caller.complete(HELLO)
        sentence = str(caught.value)
        assert KEY not in sentence
        assert sentence.endswith(".")
        assert "\n" not in sentence
        return sentence, time.slept, len(server.requests)


def test_a_conversation_arrives_as_it_was_sent_and_pictures_keep_every_pixel() -> None:
    frame = np.random.default_rng(3).integers(0, 256, (90, 160, 3), dtype=np.uint8)
    said = (
        *HELLO,
        Message("assistant", ("Hi.",)),
        Message("user", ("What is this?", Image.of(frame), "Well?")),
    )
    with serve(["A picture."]) as server:
        caller, _ = client(server, reply_tokens=77)
        answer = caller.complete(said)
        (request,) = server.requests
    assert answer.text == "A picture."
    assert (answer.usage.prompt, answer.usage.completion, answer.usage.estimated) == (100, 20, 0)
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body["model"] == "scripted"
    assert request.body["max_tokens"] == 77
    assert [message["role"] for message in request.body["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert request.body["messages"][1]["content"] == "Hello"
    (image,) = request.images
    assert image.shape == (90, 160, 3)
    assert np.array_equal(image, frame)


def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        time = FakeTime()
        caller = Client(Endpoint(url, "m"), Limits(retries=2), clock=time, sleep=time.sleep)
        with pytest.raises(ModelError, match=r"cannot be reached in 3 attempts; start it or check"):
            caller.complete(HELLO)
    assert len(time.slept) == 2


def test_a_slow_endpoint_is_given_up_after_its_attempts() -> None:
    sentence, slept, attempts = fail([Fault(hang=True)], attempt=0.1, retries=1)
    assert "did not answer within" in sentence
    assert (len(slept), attempts) == (1, 2)


def test_a_reply_that_drips_does_not_hold_us() -> None:
    with serve([Fault(body=b"{", drip=True)]) as server:
        caller = Client(Endpoint(server.url, "m"), Limits(attempt=0.15, retries=0))
        with pytest.raises(ModelError, match="did not answer within"):
            caller.complete(HELLO)


def test_a_connection_lost_inside_the_reply_is_tried_again() -> None:
    assert ask([Fault(body=b'{"choices":', drop=True), "Back."])[::2] == ("Back.", 2)


def test_an_endless_reply_is_cut() -> None:
    sentence, _, attempts = fail([Fault(body=b" " * 5000)], reply_bytes=4096)
    assert "without end" in sentence
    assert attempts == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    text, slept, attempts = ask([error(status, "later"), error(status, "later"), "At last."])
    assert (text, attempts) == ("At last.", 3)
    assert 0.5 <= slept[0] <= 1.0 <= slept[1] <= 2.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_will_not_pass_is_not_tried_again(status: int) -> None:
    sentence, slept, attempts = fail([error(status, f"no, and your key is {KEY}"), "never"])
    assert f"answers {status} (no, and your key is [key])" in sentence
    assert (slept, attempts) == ([], 1)


def test_waits_grow_to_their_bound_and_attempts_end() -> None:
    sentence, slept, attempts = fail([error(500, "down")], retries=5, longest_wait=4.0)
    assert "in 6 attempts; try again later" in sentence
    assert attempts == 6
    assert all(0.5 * full <= wait <= full for wait, full in zip(slept, [1, 2, 4, 4, 4], strict=True))


def test_the_same_seed_waits_the_same() -> None:
    waits = [fail([error(500, "down")])[1] for _ in range(2)]
    assert waits[0] == waits[1]


@pytest.mark.parametrize("header", ["7", "7.0", formatdate(NOW + 7, usegmt=True)])
def test_retry_after_is_honoured(header: str) -> None:
    text, slept, _ = ask([error(429, "slow down", Retry_After=header), "Thanks."])
    assert (text, slept) == ("Thanks.", [pytest.approx(7.0)])


@pytest.mark.parametrize("header", ["soon", "-3", "nan", formatdate(NOW - 90, usegmt=True)])
def test_an_unusable_retry_after_leaves_our_own_wait(header: str) -> None:
    _, slept, _ = ask([error(429, "slow down", Retry_After=header), "Thanks."])
    assert 0.5 <= slept[0] <= 1.0


def test_a_longer_retry_after_than_allowed_is_not_waited_for() -> None:
    sentence, slept, attempts = fail([error(429, "slow down", Retry_After="3600")], longest_wait=60.0)
    assert "asks to wait 3600 s, more than the 60 s allowed; try again later." in sentence
    assert (slept, attempts) == ([], 1)


def test_the_time_for_one_call_ends_it() -> None:
    sentence, slept, attempts = fail([error(503, "busy", Retry_After="40")], total=100.0, retries=9)
    assert "the 100 s for one call are over after 3 attempts" in sentence
    assert (slept, attempts) == ([40.0, 40.0], 3)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Fault(body=b"<html>Bad gateway</html>"), "not a chat completion (it begins '<html>"),
        (Fault(body=b""), "not a chat completion"),
        (Fault(body=b"\xff\xfe\x00"), "not a chat completion"),
        (Fault(body=b"[" * 100_000), "not a chat completion"),
        (Fault(body=b"[1, 2]"), "not a chat completion"),
        ({"choices": []}, "not a chat completion"),
        ({"choices": None}, "not a chat completion"),
        ({"choices": [{"message": "text"}]}, "not a chat completion"),
        ({"choices": [{"text": "of another protocol"}]}, "not a chat completion"),
        (completion(""), "is empty"),
        (completion(" \n"), "is empty"),
        (completion(None), "is empty"),
        (completion(["a", "list"]), "is not text"),
        (completion(42), "is not text"),
        (completion("half a pro", finish="length"), "cut off"),
        (completion(None, finish="length"), "cut off"),
        (completion("", finish="content_filter"), "refused to answer"),
        (completion(None, refusal="I'd rather not."), "refused to answer"),
    ],
)
def test_a_reply_without_an_answer_is_an_error_with_its_usage(reply: Reply, words: str) -> None:
    with serve([reply]) as server:
        caller, time = client(server)
        with pytest.raises(ReplyError) as caught:
            caller.complete(HELLO)
        assert len(server.requests) == 1
    assert words in str(caught.value)
    assert caught.value.usage.calls == 1
    assert caught.value.usage.tokens > 0
    assert time.slept == []


def test_an_error_inside_a_good_status_is_an_error() -> None:
    sentence, _, attempts = fail([{"error": {"message": "no such model", "code": 404}}])
    assert "answers 404 (no such model)" in sentence
    assert attempts == 1
    sentence, _, attempts = fail([{"error": "out of order", "choices": [{}]}])
    assert "answers with an error (out of order)" in sentence
    assert ask([{"error": {"message": "overloaded", "code": 529}}, "Here."])[::2] == ("Here.", 2)


@pytest.mark.parametrize(
    "usage", [{}, {"prompt_tokens": "9"}, {"prompt_tokens": -1, "completion_tokens": 2}, []]
)
def test_missing_usage_is_estimated_and_said_so(usage: Any) -> None:
    with serve([completion("Fine, thanks.", usage=usage)]) as server:
        used = client(server)[0].complete(HELLO).usage
    assert (used.calls, used.estimated) == (1, 1)
    assert used.prompt >= 4
    assert used.completion >= 3


def test_a_model_without_eyes_is_refused_with_the_remedy() -> None:
    shown = Message("user", ("Look:", Image.of(np.zeros((9, 16, 3), np.uint8))))
    for status, words in [
        (400, "This model does not support image inputs."),
        (404, "No endpoints found that support image input"),
        (500, "image input is not supported - hint: provide the mmproj"),
        (422, "unknown variant `image_url`, expected `text`"),
        (400, "Invalid content type. image_url is only supported by certain models."),
    ]:
        with serve([error(status, words)]) as server:
            caller, _ = client(server)
            with pytest.raises(ModelError, match=r"takes no images .*--text-frames\.$"):
                caller.complete([shown])
            assert len(server.requests) == 1
            with pytest.raises(ModelError, match=f"answers {status}"):
                Client(caller.endpoint, Limits(retries=0)).complete(HELLO)


def test_a_refused_picture_is_not_a_blind_model() -> None:
    shown = Message("user", (Image.of(np.zeros((9, 16, 3), np.uint8)),))
    with serve([error(400, "At most 5 images may be provided in one request.")]) as server:
        caller, _ = client(server)
        with pytest.raises(ModelError, match=r"answers 400 \(At most 5 images"):
            caller.complete([shown])


def test_newer_services_get_the_option_they_want() -> None:
    refusal = error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    with serve([refusal, "One.", "Two."]) as server:
        caller, _ = client(server, reply_tokens=9)
        assert [caller.complete(HELLO).text for _ in range(2)] == ["One.", "Two."]
        options = [request.body.get("max_completion_tokens") for request in server.requests]
    assert options == [None, 9, 9]


def test_lone_surrogates_do_not_reach_files() -> None:
    body = json.dumps(completion("a\ud800b")).encode()
    assert ask([Fault(body=body)])[0].encode() == b"a?b"


def test_the_key_is_in_no_log_error_or_repr(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = [error(500, f"Bearer {KEY}"), error(401, f"Bearer {KEY}")]
    sentence, _, _ = fail(echo)
    assert "[key]" in sentence
    assert ask([f"Your key is {KEY}."])[0] == "Your key is [key]."
    assert KEY not in repr(Endpoint("http://localhost/v1", "m", KEY))
    assert caplog.records
    assert KEY not in caplog.text


def test_a_placeholder_for_a_key_is_not_taken_out_of_answers() -> None:
    assert Endpoint("http://localhost/v1", "m", "none").hide("none of them") == "none of them"


def test_the_endpoint_comes_from_flags_then_the_environment() -> None:
    environ = {"GARTEN_LLM_BASE_URL": "http://a/v1", "GARTEN_LLM_MODEL": "m", "OPENAI_API_KEY": "k2"}
    assert Endpoint.configured(environ=environ) == Endpoint("http://a/v1", "m", "k2")
    environ["GARTEN_LLM_API_KEY"] = "k1"
    assert Endpoint.configured("https://b/v1", "n", environ=environ) == Endpoint("https://b/v1", "n", "k1")


@pytest.mark.parametrize(
    ("base_url", "model", "words"),
    [
        ("", "m", "No model endpoint is set; set GARTEN_LLM_BASE_URL"),
        ("http://localhost/v1", "", "No model is set; set GARTEN_LLM_MODEL"),
        ("localhost:8080", "m", "not a URL"),
        ("http://[", "m", "not a URL"),
        ("http://me:secret@host/v1", "m", "put it in GARTEN_LLM_API_KEY"),
    ],
)
def test_an_endpoint_that_cannot_be_used_is_refused(base_url: str, model: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        Endpoint.configured(base_url, model, environ={})
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(ModelError, match=r"pip install -e '.\[llm\]'"):
        Client(Endpoint("http://localhost/v1", "m")).complete(HELLO)
