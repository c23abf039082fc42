"""Train a policy to drive: ``PYTHONPATH=examples python -m sled --curriculum dicode --seed 0``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from garten.errors import GartenError
from garten.policies.settings import MLPSettings
from garten.runs.events import Event
from garten.runs.folder import run_path
from garten.runs.resume import begin
from garten.training.config import Config, PPOSettings, RolloutSettings, override
from garten.training.curricula import DiCodeSettings
from garten.training.names import KIND
from garten.training.sources import FreshWorlds
from garten.training.train import asked, train_in
from sled.arena import SledArena
from sled.game import BEST, NAME
from sled.stage import dreaming

PLAIN = Config(
    game=NAME,
    network=MLPSettings(width=64, hidden=(64,)),
    rollout=RolloutSettings(lanes=32, steps=32),
    ppo=PPOSettings(learning_rate=1e-3, floor=2e-4, minibatches=4, gamma=0.96, gae_lambda=0.9),
    steps=100_000,
    tell_goal=True,
    checkpoints=10,
    evaluations=10,
)
"""The same network whatever the curriculum; without one, the goal that it is told is always everything."""

DREAMING = DiCodeSettings(
    rollouts=4,
    keep=0.0,
    episode_steps=40,
    target=0.25,
    levels=8,
    new=6,
    candidates=8,
    bonus_floor=2.0,
    failing=0.0,
    nothing=0.0,
)
"""Cycles of 4,096 steps, two dozen of them in a run."""


def main() -> None:
    """Parse, wire, train."""
    parser = argparse.ArgumentParser(prog="python -m sled", description=__doc__)
    parser.add_argument("--curriculum", choices=["none", "dicode"], default="dicode")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=PLAIN.steps)
    parser.add_argument("--set", dest="changes", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("--name", help="of the run; sled-CURRICULUM-SEED by default")
    parser.add_argument("--resume", action="store_true", help="go on with the run of that name")
    given = parser.parse_args()
    changes = [f"seed={given.seed}", f"steps={given.steps}", *given.changes]
    try:
        path = run_path(given.name or f"sled-{given.curriculum}-{given.seed}")
        train_sled(path, changes, dreams=given.curriculum == "dicode", resume=given.resume)
    except GartenError as error:
        parser.exit(1, f"Error: {error}\n")
    print(f"Trained: {path}; draw it with: python -m sled.curve {path}")


def train_sled(path: Path, changes: Sequence[str] = (), *, dreams: bool, resume: bool = False) -> None:
    """Train in a run's folder.

    Args:
        path: of the run.
        changes: of settings, as ``--set`` has them.
        dreams: whether by Dreaming in Code.
        resume: whether to go on with a run there is.
    """
    config = override(replace(PLAIN, curriculum=DREAMING if dreams else None), changes)
    with begin(path, asked(config), seeds=[config.seed], kind=KIND, resume=resume) as run:
        if not dreams:
            train_in(SledArena(), config, run, source=FreshWorlds(), watch=_tell)
            return
        with closing(dreaming(config, run)) as source:
            train_in(SledArena(), config, run, source=source, watch=_tell)


def _tell(event: Event) -> None:
    """Say what evaluations found."""
    if event.kind == "evaluation":
        data = event.data
        met = ", ".join(f"{name} {share:.0%}" for name, share in data["achievements"].items())
        print(f"{data['steps']:>8,} steps: return {data['return']:.2f} of {BEST:g}; {met}", flush=True)


if __name__ == "__main__":
    main()
