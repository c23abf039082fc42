"""Training runs on disk: stopped and taken up again in another process they end with the same bytes."""

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import torch

from garten.devices import torch_threads
from garten.errors import RunError
from garten.policies.bonuses import E3BSettings, RNDSettings
from garten.policies.settings import GRUSettings, GTrXLSettings, MLPSettings
from garten.runs.checkpoint import checkpoint_numbers
from garten.runs.codec import to_json
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.training.config import BonusLearning, Config, PPOSettings, RolloutSettings
from garten.training.names import KIND
from garten.training.saved import load_policy, policy_steps
from garten.training.train import BROKEN, asked, train
from support import command, python, same_run

CONFIGS = {
    "mlp": Config(
        game="Craftax-Classic",
        network=MLPSettings(width=16, hidden=(16,)),
        rollout=RolloutSettings(lanes=8, steps=16, episode_steps=20),
        ppo=PPOSettings(epochs=1, minibatches=2),
        steps=8 * 16 * 5,
        checkpoints=2,
    ),
    "gru": Config(
        network=GRUSettings(width=8, memory=8, hidden=(8,)),
        rollout=RolloutSettings(lanes=4, steps=16),
        ppo=PPOSettings(epochs=1, minibatches=2),
        bonus=E3BSettings(width=8, features=4),
        bonus_learning=BonusLearning(epochs=1, minibatches=2),
        steps=4 * 16 * 5,
        checkpoints=2,
    ),
    "gtrxl": Config(
        game="Craftax-Classic",
        network=GTrXLSettings(width=8, heads=2, span=12, window=8, hidden=(8,)),
        rollout=RolloutSettings(lanes=4, steps=16, episode_steps=25),
        ppo=PPOSettings(epochs=1, minibatches=2),
        bonus=RNDSettings(width=8, outputs=4, critic_width=8),
        bonus_learning=BonusLearning(epochs=1, minibatches=2),
        steps=4 * 16 * 5,
        checkpoints=2,
    ),
}

GO_ON = """
import json, sys
from garten.runs.codec import from_json
from garten.runs.resume import begin
from garten.training.config import Config
from garten.training.names import KIND
from garten.training.train import asked, train
config = from_json(Config, json.loads(sys.argv[2]))
with begin(sys.argv[1], asked(config), seeds=[config.seed], kind=KIND, resume=True) as run:
    assert train(config, run)
"""


def trained(config, path, *, updates=None):
    """A run, stopped after so many updates."""
    done = []
    with begin(path, asked(config), seeds=[config.seed], kind=KIND) as run:
        finished = train(config, run, watch=done.append, stop=lambda: len(done) == updates)
    assert finished == (updates is None)
    return path


@pytest.mark.parametrize("name", CONFIGS)
def test_a_run_taken_up_in_another_process_ends_with_the_same_bytes(tmp_path, name):
    config = CONFIGS[name]
    whole = trained(config, tmp_path / "whole")
    stopped = trained(config, tmp_path / "stopped", updates=2)
    done = python(GO_ON, stopped, json.dumps(to_json(config)))
    assert (done.returncode, done.stderr) == (0, "")
    for path in (whole, stopped):
        shutil.rmtree(path / "tensorboard")
    assert same_run(whole, stopped) == []
    events = [event.data for event in read_events(whole) if event.kind == "update"]
    assert [event["update"] for event in events] == list(range(5))
    assert events[-1]["steps"] == config.steps


def test_what_is_learned_does_not_depend_on_the_threads_that_torch_was_left_with(tmp_path):
    with torch_threads(1):
        one = trained(CONFIGS["gtrxl"], tmp_path / "one")
    with torch_threads(2):
        two = trained(CONFIGS["gtrxl"], tmp_path / "two")
        assert torch.get_num_threads() == 2
    for path in (one, two):
        shutil.rmtree(path / "tensorboard")
    assert same_run(one, two) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["mlp", "gtrxl"])
def test_a_compiled_policy_learns_the_same(tmp_path, name):
    plain = replace(CONFIGS[name], bonus=None, steps=CONFIGS[name].steps * 2 // 5)
    compiled = replace(plain, ppo=replace(plain.ppo, compile=True))
    one, other = (
        load_policy(RunFolder.open(trained(config, tmp_path / str(config.ppo.compile)))).policy
        for config in (plain, compiled)
    )
    for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, atol=1e-5, rtol=1e-4)


def test_it_keeps_policies_evenly_spaced_and_one_state_to_go_on_from(tmp_path):
    config = CONFIGS["mlp"]
    with begin(tmp_path / "run", asked(config), seeds=[0], kind=KIND) as run:
        assert train(config, run)
    assert policy_steps(run.folder) == [256, 640]
    assert checkpoint_numbers(run.folder) == [640]
    saved = load_policy(run.folder)
    assert (saved.steps, saved.config) == (640, config)
    with pytest.raises(RunError, match=r"kept no policy at step 3; choose one of \[256, 640\]\.$"):
        load_policy(run.folder, steps=3)
    with begin(tmp_path / "run", asked(config), seeds=[0], kind=KIND, resume=True) as again:
        assert train(config, again)  # there is nothing left to do


def test_a_stop_keeps_the_policy_as_it_is_then(tmp_path):
    folder = RunFolder.open(trained(CONFIGS["mlp"], tmp_path / "run", updates=1))
    assert policy_steps(folder) == [128]
    assert load_policy(folder).steps == 128


def test_a_loss_that_is_no_number_stops_the_run_with_its_state_saved(tmp_path):
    config = CONFIGS["mlp"]
    config = replace(config, ppo=replace(config.ppo, learning_rate=1e30))
    with (
        pytest.raises(RunError, match=r"^The loss or its gradient is no longer finite; .*\.$"),
        begin(tmp_path / "run", asked(config), seeds=[0], kind=KIND) as run,
    ):
        train(config, run)
    assert len(checkpoint_numbers(run.folder, kind=BROKEN)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_command_stops_at_ctrl_c_and_goes_on(tmp_path):
    words = ("train", "craftax", "--game", "craftax-classic", "--name", "run", "--steps", "1500")
    small = (
        "rollout.lanes=4",
        "rollout.steps=16",
        "network.width=8",
        "ppo.epochs=1",
        "ppo.minibatches=1",
        "evaluations=0",
    )
    options = [word for change in small for word in ("--set", change)]
    process = subprocess.Popen(
        command(*words, *options), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    log = tmp_path / "runs" / "run" / "events.jsonl"
    while process.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 2):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert out.startswith("Stopped: runs/run, ")
    assert "Go on with: garten train craftax --name run --resume\n" in err
    refused = subprocess.run(
        command("train", "craftax", "--resume", "--set", "seed=1"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert "A resumed run keeps its settings; leave out --set, or begin a new one." in refused.stderr
    done = subprocess.run(
        command("train", "craftax", "--resume"), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Trained: runs/run, 1,536 steps")
