"""Which model is asked, where, and with which key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from garten.errors import ModelError

BASE_URL, MODEL = "GARTEN_LLM_BASE_URL", "GARTEN_LLM_MODEL"
KEYS = ("GARTEN_LLM_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key, the first one set counts."""

HIDDEN = "[key]"
"""What stands in any text where the key was."""


SECRET_LENGTH = 12
"""Shorter keys are placeholders ("none", "EMPTY") that local servers ask for; they are words, not secrets."""


@dataclass(frozen=True)
class Endpoint:
    """A model behind an OpenAI-compatible chat-completions service.

    The key comes from the environment only. It is in no `repr`, log, error, tape or run file.
    """

    base_url: str  # up to and without "/chat/completions"
    model: str
    key: str = field(default="", repr=False)  # "" for local servers that ask for none

    @staticmethod
    def configured(
        base_url: str | None = None, model: str | None = None, *, environ: Mapping[str, str] = os.environ
    ) -> Endpoint:
        """The endpoint named by the arguments or, where they are None or empty, by the environment.

        Raises:
            ModelError: the address or the model is missing, or the address is not usable.
        """
        base_url = (base_url or environ.get(BASE_URL, "")).strip()
        model = (model or environ.get(MODEL, "")).strip()
        if not base_url:
            wanted = f"{BASE_URL}, e.g. to http://localhost:8080/v1" + (f", and {MODEL}" if not model else "")
            raise ModelError(f"No model endpoint is set; set {wanted}.")
        if not model:
            raise ModelError(f"No model is set; set {MODEL} to a name that the endpoint knows.")
        try:
            parts = urlsplit(base_url)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
        except ValueError:
            usable = False
        if not usable:
            raise ModelError(
                f"The model endpoint's address is not a URL; set {BASE_URL} to http(s)://HOST/v1."
            )
        if parts.username or parts.password:
            raise ModelError(f"The model endpoint's address holds a password; put it in {KEYS[0]} instead.")
        key = next((environ[name].strip() for name in KEYS if environ.get(name, "").strip()), "")
        return Endpoint(base_url, model, key)

    def hide(self, text: str) -> str:
        """The text with every occurrence of the key replaced."""
        return text.replace(self.key, HIDDEN) if len(self.key) >= SECRET_LENGTH else text
