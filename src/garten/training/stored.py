"""Agents of runs, and their evaluations, which are kept in the run: what is there is read the next time."""

from __future__ import annotations

from collections.abc import Callable

from garten import devices
from garten.policies.shape import shape_of
from garten.runs.folder import RunFolder
from garten.training.agents import Agent, Uniform, agent_of
from garten.training.config import Config
from garten.training.evaluate import evaluate
from garten.training.names import KIND
from garten.training.results import EVALUATIONS, Evaluation, Protocol, place_of
from garten.training.saved import load_policy

RANDOM = "random"
"""The name of the agent whose actions are uniform."""

Watch = Callable[[int], None]
"""Told how many episodes were played so far."""


def config_of(run: RunFolder) -> Config:
    """The settings of a run of training.

    Raises:
        RunError: it is a run of another kind, or its settings are damaged.
    """
    return run.asked(Config, kind=KIND, by="garten train")


def load_agent(run: RunFolder, *, steps: int | None = None) -> Agent:
    """The agent of a run as it was after so many steps of training, by default the latest that was kept.

    Raises:
        RunError: the run kept no such policy, or it is damaged.
    """
    saved = load_policy(run, steps=steps)
    policy = saved.policy.to("cuda" if devices.cuda() else "cpu")
    return agent_of(policy, saved.config, name=run.path.name, steps=saved.steps)


def random_agent(game: str) -> Agent:
    """The baseline.

    Raises:
        RunError: there is no such game.
    """
    return Agent(RANDOM, Uniform(shape_of(game).actions), game)


def evaluate_run(
    run: RunFolder, protocol: Protocol, *, steps: int, watch: Watch = lambda done: None
) -> Evaluation:
    """Evaluate the agent of a run as it was after so many steps of training.

    Raises:
        RunError: the run kept no such policy, it is damaged, or the run cannot be written.
    """
    return _kept(run, place_of(protocol, steps), lambda: load_agent(run, steps=steps), protocol, watch)


def evaluate_random(
    run: RunFolder, protocol: Protocol, *, game: str, watch: Watch = lambda done: None
) -> Evaluation:
    """Evaluate the baseline for a run of this game.

    Raises:
        RunError: the run cannot be read or written.
    """
    place = f"{EVALUATIONS}/{protocol.name}-{RANDOM}.json"
    return _kept(run, place, lambda: random_agent(game), protocol, watch)


def stored(run: RunFolder, protocol: Protocol) -> list[Evaluation]:
    """The evaluations by a protocol that a run holds, by steps of training; the baseline is the first.

    Raises:
        RunError: one of them is damaged.
    """
    places = run.path.glob(f"{EVALUATIONS}/{protocol.name}-*.json")
    found = [run.read_record(Evaluation, f"{EVALUATIONS}/{place.name}") for place in places]
    return sorted(found, key=lambda one: one.trained_steps)


def _kept(
    run: RunFolder, place: str, agent: Callable[[], Agent], protocol: Protocol, watch: Watch
) -> Evaluation:
    """The evaluation that the run holds at `place`, or else a new one, which it then holds."""
    if run.exists(place):
        found = run.read_record(Evaluation, place)
        if found.protocol == protocol:
            watch(len(found.episodes))
            return found
    made = evaluate(agent(), protocol, threads=devices.cores(), watch=watch)
    run.write_json(place, made)
    return made
