"""What the language-model author can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from garten.llm.settings import CallSettings


@dataclass(frozen=True)
class AuthorSettings(CallSettings):
    """Settings of the author; lengths and sampling are those of Dreaming in Code."""

    reply_tokens: int = 32_768  # longest reply of the model, thoughts included
    timeout: float = 600.0  # seconds of wall time for one attempt of a call
    temperature: float = 0.6  # of sampling
    top_p: float = 0.95  # share of probability that is sampled from
    asks: int = 2  # times each of the two parts is asked for, until it can be used
    examples: int = 6  # levels shown as models of code
    parallel: int = 12  # levels written at once
    embedding_model: str = ""  # of the same endpoint, by which examples are chosen; "": by words

    whose: ClassVar[str] = "llm author"
    positive: ClassVar[tuple[str, ...]] = (*CallSettings.positive, "asks", "parallel")

    @property
    def options(self) -> Mapping[str, float]:
        """See `CallSettings.options`."""
        return {"temperature": self.temperature, "top_p": self.top_p}
