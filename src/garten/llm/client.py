"""One call of a language model, with its limits: seconds for each attempt and in all, retries, reply size.

Every way in which a call can fail becomes a `ModelError` of one sentence. Attempts that failed in a way that
may pass (no connection, time-out, rate limit, trouble on the server's side) are repeated; refusals are not.
"""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from garten.errors import ModelError
from garten.llm.endpoint import BASE_URL, KEYS, MODEL, Endpoint
from garten.llm.messages import Answer, Image, Message
from garten.llm.reply import ReplyError, ReportedError, error_text, read_reply
from garten.llm.retry import RETRIED, Limits, backoff, retry_after

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

log = logging.getLogger(__name__)

PICTURES = re.compile(r"image|vision|multimodal|mmproj", re.IGNORECASE)
REFUSED = re.compile(
    r"(\bnot\b|n't|\bno\b|\bonly\b).{0,60}support|unsupported|unknown variant|mmproj|text[- ]only",
    re.IGNORECASE,
)
"""An endpoint whose model takes no images says something that both of these find."""

SHORTEST = 0.1
"""Seconds that even an attempt at the end of the time for a call gets."""

_TRANSPORT = frozenset({"httpx", "httpx2"})
"""Packages whose exceptions the SDK lets through once a reply has begun."""


@dataclass(eq=False)
class _AttemptError(Exception):
    """One attempt that failed."""

    reason: str  # follows "The model endpoint URL"
    remedy: str
    passing: bool = False  # whether another attempt may succeed
    wait: float | None = None  # seconds the server asks to wait first


class Client:
    """Asks one endpoint; holds no connection between calls."""

    def __init__(
        self,
        endpoint: Endpoint,
        limits: Limits | None = None,
        *,
        options: Mapping[str, float] | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Prepare calls.

        Args:
            endpoint: that is asked.
            limits: of each call.
            options: what each call asks for beside the length of its reply, as ``{"temperature": 0.6}``.
            seed: of the waits between attempts.
            clock: stands in for time in tests, as the rest does.
            sleep: waits.
            now: seconds since the epoch.
        """
        self.endpoint = endpoint
        self._options = dict(options or {})
        self.limits = limits or Limits()
        self._rng = random.Random(seed)
        self._clock, self._sleep, self._now = clock, sleep, now
        self._length_option = "max_tokens"  # newer services want another name and say so

    def complete(self, messages: Sequence[Message]) -> Answer:
        """What the model answers to a conversation.

        Raises:
            ModelError: no usable answer came within the limits; a `ReplyError` where tokens were used.
        """
        started = self._clock()
        retry = 0
        with _sdk(self.endpoint) as sdk:
            while True:
                left = self.limits.total - (self._clock() - started)
                try:
                    answer = self._attempt(sdk, messages, max(SHORTEST, min(self.limits.attempt, left)))
                    return Answer(self.endpoint.hide(answer.text), answer.usage)
                except ReplyError as error:
                    raise ReplyError(self.endpoint.hide(str(error)), error.usage) from None
                except _AttemptError as trouble:
                    wait = self._wait(trouble, retry, left_from=started)
                    reason = trouble.reason
                retry += 1
                log.warning("the model endpoint %s; attempt %d follows in %.1f s", reason, retry + 1, wait)
                self._sleep(wait)

    def _wait(self, trouble: _AttemptError, retry: int, *, left_from: float) -> float:
        """Seconds to wait before the next attempt, or a `ModelError` if there shall be none."""
        limits = self.limits
        where = f"The model endpoint {self.endpoint.base_url} {trouble.reason}"
        if not trouble.passing:
            raise ModelError(f"{where}; {trouble.remedy}.") from trouble
        if trouble.wait is not None and trouble.wait > limits.longest_wait:
            raise ModelError(
                f"{where} and asks to wait {trouble.wait:.0f} s, more than the {limits.longest_wait:.0f} s "
                "allowed; try again later."
            ) from trouble
        if retry >= limits.retries:
            raise ModelError(f"{where} in {retry + 1} attempts; {trouble.remedy}.") from trouble
        wait = max(backoff(limits, retry, self._rng), trouble.wait or 0.0)
        if self._clock() + wait - left_from >= limits.total:
            raise ModelError(
                f"{where} and the {limits.total:.0f} s for one call are over after {retry + 1} attempts; "
                f"{trouble.remedy}."
            ) from trouble
        return wait

    def _attempt(self, sdk: OpenAI, messages: Sequence[Message], seconds: float) -> Answer:
        """One attempt, over after about `seconds`; raises `_AttemptError` or `ReplyError`."""
        import openai

        try:
            body = self._post(sdk, messages, seconds)
            return read_reply(body, messages)
        except ReportedError as error:
            raise self._trouble(error.status, self.endpoint.hide(str(error)), messages) from None
        except openai.APIStatusError as error:
            text = self.endpoint.hide(error_text(error.body or error.message))
            if error.status_code == 400 and "max_completion_tokens" in text and self._switch_length_option():
                return self._attempt(sdk, messages, seconds)
            raise self._trouble(error.status_code, text, messages, self._asked(error)) from None
        except openai.APITimeoutError:
            raise _late(seconds) from None
        except openai.APIConnectionError:
            raise _dead() from None

    def _post(self, sdk: OpenAI, messages: Sequence[Message], seconds: float) -> bytes:
        """The body of the reply, read under a deadline: a server that drips bytes does not hold us."""
        deadline = self._clock() + seconds
        body = bytearray()
        try:
            with sdk.chat.completions.with_streaming_response.create(
                model=self.endpoint.model,
                messages=[message.wire() for message in messages],  # type: ignore[misc]  # plain JSON
                timeout=seconds,
                extra_body={**self._options, self._length_option: self.limits.reply_tokens},
            ) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if self._clock() > deadline:
                        raise _late(seconds)
                    if len(body) > self.limits.reply_bytes:
                        raise _AttemptError(
                            "sends a reply without end", "check that the address is a chat service"
                        )
        except Exception as error:
            if type(error).__module__.split(".")[0] not in _TRANSPORT:
                raise
            raise (_late(seconds) if "Timeout" in type(error).__name__ else _dead()) from None
        return bytes(body)

    def _trouble(
        self, status: int, text: str, messages: Sequence[Message], wait: float | None = None
    ) -> _AttemptError:
        """What a refusal with an HTTP status (0: none) means."""
        told = f"answers {status or 'with an error'} ({text})"
        pictures = any(isinstance(part, Image) for message in messages for part in message.parts)
        if pictures and status not in {401, 403, 429} and PICTURES.search(text) and REFUSED.search(text):
            return _AttemptError(
                f"takes no images ({text})",
                "use a model that sees, or describe the frames with --text-frames",
            )
        if status in {401, 403}:
            return _AttemptError(told, f"check the key in {KEYS[0]}")
        if status == 404:
            return _AttemptError(told, f"check {BASE_URL} and {MODEL}")
        if status in RETRIED:
            return _AttemptError(told, "try again later", passing=True, wait=wait)
        return _AttemptError(told, f"check that {MODEL} fits the endpoint")

    def _asked(self, error: APIStatusError) -> float | None:
        return retry_after(error.response.headers.get("retry-after"), self._now())

    def _switch_length_option(self) -> bool:
        """Use the newer name of the option that limits a reply; False if it is in use already."""
        switched = self._length_option == "max_tokens"
        self._length_option = "max_completion_tokens"
        return switched


def _late(seconds: float) -> _AttemptError:
    return _AttemptError(
        f"did not answer within {seconds:.0f} s", "check its load or allow more time", passing=True
    )


def _dead() -> _AttemptError:
    return _AttemptError("cannot be reached", f"start it or check {BASE_URL}", passing=True)


def require_sdk() -> None:
    """Refuse to go on without the extra ``llm``.

    Raises:
        ModelError: it is not installed.
    """
    if find_spec("openai") is None:
        raise ModelError("Language models need the extra 'llm'; run pip install -e '.[llm]' in the checkout.")


def _sdk(endpoint: Endpoint) -> OpenAI:
    """The SDK's client without retries of its own: ours are counted."""
    require_sdk()
    from openai import OpenAI

    return OpenAI(base_url=endpoint.base_url, api_key=endpoint.key or "none", max_retries=0)
