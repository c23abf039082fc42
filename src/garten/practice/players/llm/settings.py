"""What a language-model player can be told, and the tape it gets from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from garten.errors import ModelError
from garten.llm.budget import Budget
from garten.llm.client import Client
from garten.llm.endpoint import Endpoint
from garten.llm.retry import Limits
from garten.llm.tape import Ledger, Tape
from garten.runs.folder import is_run


@dataclass(frozen=True)
class Settings:
    """Settings of this kind of player. There is none for the key: it comes from the environment only."""

    base_url: str = ""  # of the endpoint; "": from the environment
    model: str = ""  # "": from the environment
    text_frames: bool = False  # describe frames in words, for models that do not see
    frames: int = 6  # most frames shown for one program
    programs: int = 40  # most programs one seat hands in in one game; after them it rests
    reply_tokens: int = 8192  # longest reply of the model
    timeout: float = 120.0  # seconds of wall time for one attempt of a call
    tokens: int | None = None  # budget of the whole run
    cost: float | None = None  # budget of the whole run, in the currency of the prices
    price_in: float = 0.0  # for a million prompt tokens
    price_out: float = 0.0  # for a million completion tokens
    playback: bool = False  # answer from the run's tapes only, asking no endpoint

    @staticmethod
    def of(given: Mapping[str, Any]) -> Settings:
        """The settings in a brief.

        Raises:
            ModelError: a setting is unknown, of the wrong type or out of range.
        """
        known = {field.name: str(field.type) for field in fields(Settings)}
        for name, value in given.items():
            if name not in known:
                raise ModelError(f"The llm player has no setting '{name}'; use {', '.join(known)}.")
            if not _fits(value, known[name]):
                raise ModelError(f"The setting '{name}' is {value!r}; give a value of type {known[name]}.")
        settings = Settings(**given)
        for name in ("frames", "programs", "reply_tokens", "timeout"):
            if not getattr(settings, name) > 0:
                raise ModelError(f"The setting '{name}' is {getattr(settings, name)}; give more than 0.")
        _ = settings.budget  # checks itself
        return settings

    @property
    def budget(self) -> Budget:
        """What the whole run may use."""
        return Budget(self.tokens, self.cost, self.price_in, self.price_out)

    def resolved(self) -> dict[str, Any]:
        """These settings with address and model filled in from the environment, to be kept with a run.

        Raises:
            ModelError: no usable endpoint is set.
        """
        endpoint = Endpoint.configured(self.base_url, self.model)
        return asdict(self) | {"base_url": endpoint.base_url, "model": endpoint.model}

    def tape(self, path: Path, *, seed: int) -> Tape:
        """The tape at `path` before the endpoint that is set; `seed` draws the waits between attempts.

        Raises:
            ModelError: no usable endpoint is set, or the tape is damaged.
        """
        endpoint = Endpoint.configured(self.base_url, self.model)
        if self.playback:
            return Tape(path, endpoint.model, client=None)
        limits = Limits(attempt=self.timeout, total=5 * self.timeout, reply_tokens=self.reply_tokens)
        ledger = Ledger(self.budget, _run_folder(path.parent))
        return Tape(path, endpoint.model, client=Client(endpoint, limits, seed=seed), ledger=ledger)


def _fits(value: Any, kind: str) -> bool:
    kinds = {"str": str, "bool": bool, "int": int, "float": (int, float), "None": type(None)}
    if isinstance(value, bool):
        return kind == "bool"
    return any(isinstance(value, kinds[part]) for part in kind.split(" | "))  # type: ignore[arg-type]


def _run_folder(folder: Path) -> Path:
    """The folder of the run that `folder` is part of; `folder` itself if it is part of none.

    All tapes below it draw on one budget.
    """
    return next((parent for parent in (folder, *folder.parents) if is_run(parent)), folder)
