"""Agents as single files, at half precision: to be handed on, and shipped with the package."""

from __future__ import annotations

import json
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from garten.errors import RunError
from garten.policies.settings import build
from garten.runs.codec import dump_line, from_json, to_json
from garten.runs.folder import RunFolder
from garten.runs.storage import explained, write_atomic
from garten.training.agents import Agent, agent_of
from garten.training.config import Config
from garten.training.saved import load_policy, shape_for

DEFAULT = Path(__file__).with_name("default.safetensors")
"""The agent that comes with the package."""


def export_agent(run: RunFolder, path: Path, *, steps: int | None = None) -> Path:
    """Write the agent of a run, by default the latest it kept, and return the path.

    Raises:
        RunError: the run kept no such policy, it is damaged, or the file cannot be written.
    """
    saved = load_policy(run, steps=steps)
    weights = {
        name: part.half().contiguous() if part.is_floating_point() else part.contiguous()
        for name, part in saved.policy.state_dict().items()
    }
    about = {"name": run.path.name, "steps": saved.steps, "config": to_json(saved.config)}
    write_atomic(path, save(weights, metadata={"garten": dump_line(about).decode()}))
    return path


def load_exported(path: Path = DEFAULT) -> Agent:
    """The agent of a file, by default the one that comes with the package.

    Raises:
        RunError: it is missing or damaged.
    """
    try:
        with explained(path, "read"), safe_open(path, framework="pt") as file:
            about = json.loads(file.metadata()["garten"])
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        config = from_json(Config, about["config"])
        policy = build(config.network, shape_for(config))
        policy.load_state_dict(weights)
        return agent_of(policy, config, name=about["name"], steps=about["steps"])
    except (SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise RunError(f"The agent {path} is damaged; export it again.") from error
