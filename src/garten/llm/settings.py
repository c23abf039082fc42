"""What whoever asks a model can be told about the asking: endpoint, limits, budget, playback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

from garten.errors import ModelError
from garten.llm.budget import Budget
from garten.llm.client import Client
from garten.llm.endpoint import Endpoint
from garten.llm.retry import Limits
from garten.llm.tape import Ledger, Tape


@dataclass(frozen=True)
class CallSettings:
    """Settings of all calls. There is none for the key: it comes from the environment only."""

    base_url: str = ""  # of the endpoint; "": from the environment
    model: str = ""  # "": from the environment
    reply_tokens: int = 8192  # longest reply of the model
    timeout: float = 120.0  # seconds of wall time for one attempt of a call
    tokens: int | None = None  # budget of the whole run
    cost: float | None = None  # budget of the whole run, in the currency of the prices
    price_in: float = 0.0  # for a million prompt tokens
    price_out: float = 0.0  # for a million completion tokens
    playback: bool = False  # answer from tapes only, asking no endpoint

    whose: ClassVar[str] = "model"
    positive: ClassVar[tuple[str, ...]] = ("reply_tokens", "timeout")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The settings given, all others at their defaults.

        Raises:
            ModelError: a setting is unknown, of the wrong type or out of range.
        """
        known = {field.name: str(field.type) for field in fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise ModelError(f"The {cls.whose} has no setting '{name}'; use {', '.join(known)}.")
            if not _fits(value, known[name]):
                raise ModelError(f"The setting '{name}' is {value!r}; give a value of type {known[name]}.")
        settings = cls(**given)
        for name in cls.positive:
            if not getattr(settings, name) > 0:
                raise ModelError(f"The setting '{name}' is {getattr(settings, name)}; give more than 0.")
        _ = settings.budget  # checks itself
        return settings

    @property
    def budget(self) -> Budget:
        """What the whole run may use."""
        return Budget(self.tokens, self.cost, self.price_in, self.price_out)

    @property
    def options(self) -> Mapping[str, float]:
        """What each call asks for beside the length of its reply."""
        return {}

    def resolved(self) -> dict[str, Any]:
        """These settings with address and model filled in from the environment, to be kept with a run.

        Raises:
            ModelError: no usable endpoint is set.
        """
        endpoint = Endpoint.configured(self.base_url, self.model)
        return asdict(self) | {"base_url": endpoint.base_url, "model": endpoint.model}

    def tape_in(self, root: Path, path: Path, *, seed: int) -> Tape:
        """The tape at `path` before the endpoint that is set.

        Args:
            root: folder whose tapes all draw on the budget.
            path: of the tape, below it.
            seed: of the waits between attempts.

        Raises:
            ModelError: no usable endpoint is set, or the tape is damaged.
        """
        endpoint = Endpoint.configured(self.base_url, self.model)
        if self.playback:
            return Tape(path, endpoint.model, client=None)
        limits = Limits(attempt=self.timeout, total=5 * self.timeout, reply_tokens=self.reply_tokens)
        client = Client(endpoint, limits, options=self.options, seed=seed)
        return Tape(path, endpoint.model, client=client, ledger=Ledger(self.budget, root))


def _fits(value: Any, kind: str) -> bool:
    kinds = {"str": str, "bool": bool, "int": int, "float": (int, float), "None": type(None)}
    if isinstance(value, bool):
        return kind == "bool"
    return any(isinstance(value, kinds[part]) for part in kind.split(" | "))  # type: ignore[arg-type]
