"""Evaluation of a policy while it is trained, kept in its run."""

from __future__ import annotations

from garten.policies.policy import Policy
from garten.runs.codec import from_json
from garten.runs.events import Event
from garten.runs.resume import RunWriter
from garten.training.agents import agent_of
from garten.training.config import Config
from garten.training.evaluate import evaluate
from garten.training.results import QUICK, Evaluation, place_of

EVENT = "evaluation"
"""The kind of event that tells of one."""


def evaluate_now(run: RunWriter, policy: Policy, config: Config, *, steps: int, threads: int) -> Event:
    """Evaluate a policy by the quick protocol, unless the run holds that already, and tell of it.

    Args:
        run: that the policy is trained in.
        policy: as it is after so many steps.
        config: of the run.
        steps: of training.
        threads: CPU threads of the engine.

    Raises:
        RunError: the policy gives what is no number, or the run cannot be written.
    """
    agent = agent_of(policy, config, name=run.folder.path.name, steps=steps)
    kept = run.once(place_of(QUICK, steps), lambda: evaluate(agent, QUICK, threads=threads))
    found = from_json(Evaluation, kept).summary
    return run.event(
        EVENT,
        {
            "steps": steps,
            "protocol": QUICK.name,
            "return": found.mean_return,
            "standard_error": found.standard_error,
            "percent_of_maximum": found.percent_of_maximum,
        },
    )
