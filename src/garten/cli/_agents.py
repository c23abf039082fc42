"""The agents that a person can name: what is none is refused before PyTorch is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from garten.cli._torch import require_torch
from garten.runs.folder import RunFolder

if TYPE_CHECKING:
    from garten.training.agents import Agent

SHIPPED = "default"
"""The name of the agent that comes with the package."""


def agent_called(name: str) -> Agent:
    """The shipped agent, that of an exported file, or the latest of a run of training.

    Raises:
        RunError: there is none, or PyTorch is not installed.
    """
    path = Path(name)
    of_file = name == SHIPPED or path.is_file()
    run = None if of_file else RunFolder.open(path)
    require_torch("An agent")
    from garten.training.exported import load_exported
    from garten.training.stored import load_agent

    if run is not None:
        return load_agent(run)
    return load_exported() if name == SHIPPED else load_exported(path)
