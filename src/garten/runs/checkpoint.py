"""Checkpoints that hold everything needed to go on: arrays, state and settings, in one file each.

A checkpoint is a safetensors file ``checkpoints/000000123.safetensors`` whose one metadata entry, ``garten``,
is JSON with the state, the settings and a digest of all of it. The file appears whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from garten.errors import RunError
from garten.runs.codec import dump_line, to_json
from garten.runs.folder import RunFolder
from garten.runs.storage import explained

CHECKPOINTS = "checkpoints"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checkpoint:
    """Everything at one point of a run."""

    number: int  # how far the run had come, in whatever it counts; at least 0
    arrays: Mapping[str, NDArray[Any]]  # weights, optimiser and buffers, by name
    state: Mapping[str, Any]  # counters, random states, curriculum; JSON types
    config: Mapping[str, Any]  # the settings it was made with; JSON types


def save_checkpoint(folder: RunFolder, checkpoint: Checkpoint, *, kind: str = CHECKPOINTS) -> None:
    """Store a checkpoint in the run's folder `kind`; one of the same number is replaced.

    Raises:
        RunError: the disk is full, or the run cannot be written.
    """
    arrays = {name: np.asarray(array, order="C") for name, array in checkpoint.arrays.items()}
    about = {"state": to_json(checkpoint.state), "config": to_json(checkpoint.config)}
    about["digest"] = _digest(arrays, about)
    # One metadata entry only: safetensors writes several in an order that differs between processes.
    content = save(arrays, metadata={"garten": dump_line(about).decode()})
    folder.write_bytes(_place(kind, checkpoint.number), content)


def load_checkpoint(folder: RunFolder, number: int, *, kind: str = CHECKPOINTS) -> Checkpoint:
    """Read one checkpoint.

    Raises:
        RunError: it is missing or damaged.
    """
    place = folder.file(_place(kind, number))
    try:
        with explained(place, "read"), safe_open(place, framework="np") as file:
            about = json.loads(file.metadata()["garten"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if about.pop("digest") != _digest(arrays, about):
            raise ValueError("digest")
        return Checkpoint(number, arrays, about["state"], about["config"])
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise RunError(
            f"The checkpoint {place} is damaged; delete it and go on from an earlier one."
        ) from error


def checkpoint_numbers(folder: RunFolder, *, kind: str = CHECKPOINTS) -> list[int]:
    """The numbers of the checkpoints that there are, in order."""
    places = folder.file(kind).glob("*.safetensors")
    return sorted(int(place.stem) for place in places if place.stem.isdecimal())


def latest_checkpoint(folder: RunFolder, *, kind: str = CHECKPOINTS) -> Checkpoint | None:
    """The checkpoint with the highest number that can be read; damaged ones are skipped with a warning."""
    for number in reversed(checkpoint_numbers(folder, kind=kind)):
        try:
            return load_checkpoint(folder, number, kind=kind)
        except RunError as error:
            logger.warning("%s", error)
    return None


def keep_latest_checkpoint(folder: RunFolder, *, kind: str = CHECKPOINTS) -> None:
    """Delete all checkpoints but the one with the highest number."""
    for number in checkpoint_numbers(folder, kind=kind)[:-1]:
        folder.file(_place(kind, number)).unlink()


def _place(kind: str, number: int) -> str:
    return f"{kind}/{number:09d}.safetensors"


def _digest(arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> str:
    """SHA-256 over names, types, shapes and bytes of the arrays, the state and the settings; in hex."""
    digest = hashlib.sha256(dump_line(about))
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(dump_line([name, array.dtype.str, list(array.shape)]))
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()
