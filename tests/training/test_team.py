"""Two processes that train together do what one with all lanes does."""

import json
import subprocess
import sys

import pytest
import torch

from garten.errors import RunError
from garten.runs.codec import to_json
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.team import Team
from garten.training.config import override, preset
from garten.training.saved import load_policy
from garten.training.train import learner_for

SMALL = {
    "mlp": ["rollout.lanes=6", "rollout.episode_steps=9", "network.width=16", "network.hidden=[16]"],
    "gru": ["rollout.lanes=6", "rollout.episode_steps=9", "network.width=16", "network.memory=8"],
}

TOGETHER = """
import json, sys, torch
from garten.runs.codec import from_json
from garten.runs import team as teams
from garten.training.config import Config
from garten.training.train import learner_for
config = from_json(Config, json.loads(sys.argv[1]))
with teams.joined() as team:
    learner, _ = learner_for(config, team=team)
    for _ in range(2):
        learner.update()
    torch.save(learner.policy.state_dict(), f"{sys.argv[2]}-{team.rank}.pt")
"""


def torchrun(*words, cwd):
    """Run a program in two processes that meet each other."""
    launcher = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    done = subprocess.run([*launcher, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.parametrize("policy", SMALL)
def test_two_processes_update_as_one_with_all_lanes_does(tmp_path, policy):
    changes = ["game=Craftax-Classic", "rollout.steps=16", "ppo.minibatches=3", *SMALL[policy]]
    config = override(preset("laptop", policy), changes)
    alone, _ = learner_for(config)
    before = {name: part.clone() for name, part in alone.policy.state_dict().items()}
    for _ in range(2):
        alone.update()
    (tmp_path / "together.py").write_text(TOGETHER)
    torchrun("together.py", json.dumps(to_json(config)), tmp_path / "weights", cwd=tmp_path)
    first, second = (torch.load(tmp_path / f"weights-{rank}.pt") for rank in range(2))
    for name, part in alone.policy.state_dict().items():
        assert not torch.equal(part, before[name])
        assert torch.equal(first[name], second[name])
        torch.testing.assert_close(first[name], part, atol=1e-5, rtol=0)


@pytest.mark.slow
def test_the_first_process_writes_the_run(tmp_path):
    small = ["rollout.lanes=4", "rollout.steps=8", "network.width=8", "ppo.minibatches=2", "evaluations=0"]
    words = [
        "-m",
        "garten",
        "train",
        "craftax",
        "--game",
        "craftax-classic",
        "--steps",
        "64",
        "--name",
        "run",
    ]
    torchrun(*words, *(word for change in small for word in ("--set", change)), cwd=tmp_path)
    run = RunFolder.open(tmp_path / "runs" / "run")
    assert [event.data["steps"] for event in read_events(run.path) if event.kind == "update"] == [32, 64]
    assert load_policy(run).steps == 64
    assert not (run.path / "checkpoints").exists()


def test_what_a_team_cannot_do_is_refused_in_one_sentence():
    with pytest.raises(
        RunError, match=r"dealt evenly to 2 processes; set rollout.lanes to a multiple of 2\.$"
    ):
        learner_for(override(preset("laptop", "mlp"), ["rollout.lanes=9"]), team=Team(0, 2))
    with pytest.raises(RunError, match=r"needs all lanes in one process; start it without torchrun\.$"):
        learner_for(preset("laptop", "mlp", bonus="icm"), team=Team(0, 2))
