"""What a model's answer is made of: thoughts, fenced blocks, tagged parts. Reading is tolerant."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*(\w*)[^\n]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
_PYTHON = ("python", "python3", "py")


def spoken(text: str) -> str:
    """The text without what a reasoning model thought before it, and with plain ends of lines."""
    return _THOUGHT.sub("", text.replace("\r\n", "\n"))


def python_blocks(text: str, *, unnamed: bool = False) -> list[str]:
    """What stands in fenced blocks of Python; with `unnamed`, in those of no language if there is none."""
    blocks = [(match[2].lower(), match[3]) for match in _BLOCK.finditer(text)]
    named = [body for language, body in blocks if language in _PYTHON]
    return named or [body for language, body in blocks if unnamed and not language]


def tagged(text: str, tag: str) -> list[str]:
    """What stands between each <tag> and the next </tag>."""
    return re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL | re.IGNORECASE)
