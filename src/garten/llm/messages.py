"""What is said to a model and what comes back, and how many tokens that is.

Token counts made here are estimates for budgets and forecasts; they lean to the high side.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from PIL import Image as Pillow

from garten.records import Frame

CHARACTERS_PER_TOKEN = 3.5
"""Characters of English or code in one token; common tokenisers make 3.5 to 4.5."""

TOKENS_PER_MESSAGE = 4
"""What a chat template adds around each message."""

IMAGE_BASE, IMAGE_TILE, TILE = 85, 170, 512
"""Tokens of an image, tokens for each of its tiles, pixels along a tile: the dearest of the usual rules."""


@dataclass(frozen=True)
class Image:
    """A picture in a message."""

    data: bytes = field(repr=False)  # a PNG file
    size: tuple[int, int]  # width x height
    digest: str  # SHA-256 of size and pixels: names the picture whichever encoder wrote the file

    @staticmethod
    def of(frame: Frame) -> Image:
        """The picture of a frame, lossless."""
        height, width = frame.shape[:2]
        file = io.BytesIO()
        Pillow.fromarray(frame).save(file, "PNG", compress_level=3)
        digest = hashlib.sha256(f"{width}x{height}:".encode() + frame.tobytes()).hexdigest()
        return Image(file.getvalue(), (width, height), digest)

    @property
    def url(self) -> str:
        """The picture as a data URL."""
        return "data:image/png;base64," + base64.b64encode(self.data).decode("ascii")


Part = str | Image


@dataclass(frozen=True)
class Message:
    """One turn of a conversation: text and pictures in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the message, pictures standing in by their own digests."""
        parts = [{"text": part} if isinstance(part, str) else {"image": part.digest} for part in self.parts]
        return hashlib.sha256(json.dumps([self.role, parts]).encode()).hexdigest()

    def wire(self) -> dict[str, Any]:
        """The message in the chat-completions protocol; plain text stays a string."""
        if all(isinstance(part, str) for part in self.parts):
            return {"role": self.role, "content": "\n".join(map(str, self.parts))}
        return {"role": self.role, "content": [_wire(part) for part in self.parts]}


@dataclass(frozen=True)
class Usage:
    """Tokens used by some calls."""

    prompt: int = 0
    completion: int = 0
    calls: int = 0
    estimated: int = 0  # calls whose tokens are estimates, the endpoint having named none

    @property
    def tokens(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.calls + other.calls,
            self.estimated + other.estimated,
        )


@dataclass(frozen=True)
class Answer:
    """What a model said."""

    text: str
    usage: Usage


def text_tokens(characters: int) -> int:
    """An estimate of the tokens in so many characters."""
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


def image_tokens(size: tuple[int, int]) -> int:
    """An estimate of the tokens of one picture of width x height."""
    width, height = size
    return IMAGE_BASE + IMAGE_TILE * math.ceil(width / TILE) * math.ceil(height / TILE)


def prompt_tokens(messages: Sequence[Message]) -> int:
    """An estimate of the tokens of a whole conversation."""
    return sum(TOKENS_PER_MESSAGE + sum(map(_tokens, message.parts)) for message in messages)


def _tokens(part: Part) -> int:
    return text_tokens(len(part)) if isinstance(part, str) else image_tokens(part.size)


def _wire(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": part.url}}
