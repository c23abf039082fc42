"""A run evaluates its policy while it trains; what it finds is what evaluating the kept policy finds."""

from dataclasses import replace

import pytest

from garten.policies.settings import MLPSettings
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.training.config import Config, PPOSettings, RolloutSettings
from garten.training.evaluate import evaluate
from garten.training.history import history
from garten.training.names import KIND
from garten.training.results import QUICK, Evaluation, place_of
from garten.training.saved import policy_steps
from garten.training.stored import load_agent, stored
from garten.training.train import asked, train

SMALL = Config(
    game="Craftax-Classic",
    network=MLPSettings(width=16, hidden=(16,)),
    rollout=RolloutSettings(lanes=8, steps=16, episode_steps=20),
    ppo=PPOSettings(epochs=1, minibatches=2),
    steps=512,
    checkpoints=2,
    evaluations=2,
)


def trained(path, config=SMALL):
    with begin(path, asked(config), seeds=[config.seed], kind=KIND) as run:
        assert train(config, run)
    return RunFolder.open(path)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("runs") / "small")


def test_the_run_holds_evaluations_of_its_policies(run):
    assert policy_steps(run) == [256, 512]
    assert [one.trained_steps for one in stored(run, QUICK)] == [256, 512]
    for steps in (256, 512):
        kept = run.read_record(Evaluation, place_of(QUICK, steps))
        again = evaluate(load_agent(run, steps=steps), QUICK)
        assert replace(kept, wall_seconds=0.0) == replace(again, wall_seconds=0.0)


def test_it_tells_of_them(run):
    told = [event.data for event in read_events(run.path) if event.kind == "evaluation"]
    found = stored(run, QUICK)
    assert [one["steps"] for one in told] == [256, 512]
    assert [one["return"] for one in told] == [one.summary.mean_return for one in found]
    assert [one["standard_error"] for one in told] == [one.summary.standard_error for one in found]


def test_evaluating_changes_nothing_of_what_is_learned(run, tmp_path):
    alone = trained(tmp_path / "alone", replace(SMALL, evaluations=0))
    for steps in (256, 512):
        one, other = (load_agent(folder, steps=steps).policy.state_dict() for folder in (run, alone))
        assert all((one[name] == other[name]).all() for name in one)


def test_the_history_of_a_run(run):
    updates = [event.data for event in read_events(run.path) if event.kind == "update"]
    assert [part.steps for part in history(run)] == [128, 256, 384, 512]
    (whole,) = history(run, phases=1)
    assert (whole.steps, whole.episodes) == (512, sum(update["episodes"] for update in updates))
    total = sum(update["episodes"] * update["return"] for update in updates if update["episodes"])
    assert whole.mean_return == pytest.approx(total / whole.episodes)
    seconds = sum(update["wall_seconds"] for update in updates)
    assert whole.steps_per_second == pytest.approx(512 / seconds)
