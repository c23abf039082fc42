"""Reads the body of a chat-completions reply, trusting nothing in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from garten.errors import ModelError
from garten.llm.messages import Answer, Message, Usage, prompt_tokens, text_tokens

SHOWN = 200
"""Characters of an endpoint's own words that are quoted in an error."""


class ReplyError(ModelError):
    """The endpoint did reply, and charged for it, but not with a usable answer."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


class ReportedError(Exception):
    """A reply of status 200 that says it is an error; the client decides what becomes of it."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status  # the error's own code, or 0


def read_reply(body: bytes, messages: Sequence[Message]) -> Answer:
    """The answer in a reply's body.

    Args:
        body: the reply of a call that succeeded at the HTTP level.
        messages: what was asked, for an estimate of tokens the endpoint does not name.

    Raises:
        ReportedError: the reply is an error in the protocol's form.
        ReplyError: it holds no complete answer.
    """
    reply = _json(body)
    error = reply.get("error") if isinstance(reply, dict) else None
    if error:
        raise ReportedError(error_text(reply), _status(error))
    try:
        choice = reply["choices"][0]
        content = choice["message"].get("content")
        refusal = choice["message"].get("refusal")
        finish = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        text = body[:SHOWN].decode("utf-8", "replace")
        raise ReplyError(
            f"The model endpoint's reply is not a chat completion (it begins {text!r}); check that the "
            "address is that of a chat-completions service.",
            _usage(reply, messages, ""),
        ) from None
    text = _clean(content) if isinstance(content, str) else ""
    usage = _usage(reply, messages, text)
    if finish == "length":
        raise ReplyError("The model's reply was cut off at its token limit; allow longer replies.", usage)
    if finish == "content_filter" or (isinstance(refusal, str) and refusal and not text.strip()):
        raise ReplyError(
            "The model refused to answer; look at the task's wording or use another model.", usage
        )
    if content is not None and not isinstance(content, str):
        raise ReplyError("The model's reply is not text; use a model that answers in plain text.", usage)
    if not text.strip():
        raise ReplyError("The model's reply is empty; try again or use another model.", usage)
    return Answer(text, usage)


def error_text(body: object) -> str:
    """An endpoint's own words about an error, on one line and cut to a readable length."""
    error = body.get("error", body) if isinstance(body, dict) else body
    words = error.get("message", error) if isinstance(error, dict) else error
    text = " ".join(_clean(str(words)).split())
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _status(error: object) -> int:
    code = error.get("code") if isinstance(error, dict) else None
    return int(code) if isinstance(code, int) or (isinstance(code, str) and code.isdecimal()) else 0


def _usage(reply: Any, messages: Sequence[Message], text: str) -> Usage:
    """The tokens the endpoint names, or an estimate where it names none."""
    named = reply.get("usage") if isinstance(reply, dict) else None
    counts = [named.get(name) if isinstance(named, dict) else None for name in _NAMES]
    prompt, completion = (
        count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None
        for count in counts
    )
    if prompt is None or completion is None:
        return Usage(prompt_tokens(messages), text_tokens(len(text)), calls=1, estimated=1)
    return Usage(prompt, completion, calls=1)


_NAMES = ("prompt_tokens", "completion_tokens")


def _clean(text: str) -> str:
    """The text without lone surrogates, which JSON can carry and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")
