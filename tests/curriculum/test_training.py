"""Training by curricula: stopped and taken up again in another process it ends with the same bytes."""

import json
import shutil
from dataclasses import replace

import pytest

from garten.curriculum.build import build
from garten.errors import RunError
from garten.policies.settings import GRUSettings
from garten.runs.codec import from_json, to_json
from garten.runs.events import read_events
from garten.runs.resume import begin
from garten.training.config import Config, PPOSettings, RolloutSettings, override, preset
from garten.training.curricula import (
    CURRICULA,
    ACCELSettings,
    BufferSettings,
    DRSettings,
    PLRSettings,
    SFLSettings,
)
from garten.training.names import KIND
from garten.training.train import asked, train
from support import python, same_run

# Episodes are short enough for each to end in its period.
BASE = Config(
    network=GRUSettings(width=8, memory=8, hidden=(8,)),
    rollout=RolloutSettings(lanes=4, steps=16, episode_steps=12),
    ppo=PPOSettings(epochs=1, minibatches=2),
    steps=4 * 16 * 12,
    checkpoints=1,
)
SMALL = BufferSettings(capacity=8)

CURRICULA_TRIED = {
    "dr": DRSettings(rollouts=2),
    "robust": PLRSettings(rollouts=2, learn_new=False, buffer=SMALL),
    "noise": ACCELSettings(rollouts=2, replay=0.9, buffer=SMALL),
    "swap": ACCELSettings(rollouts=2, replay=0.9, mutation="swap", edits=5, buffer=SMALL),
    "sfl": SFLSettings(rollouts=2, refresh=2, candidates=4, kept=2, attempts=2, attempt_steps=10),
}

GO_ON = """
import json, sys
from garten.curriculum.build import build
from garten.runs.codec import from_json
from garten.runs.resume import begin
from garten.training.config import Config
from garten.training.names import KIND
from garten.training.train import asked, train
config = from_json(Config, json.loads(sys.argv[2]))
with begin(sys.argv[1], asked(config), seeds=[config.seed], kind=KIND, resume=True) as run:
    assert train(config, run, source=build(config))
"""


def trained(config, path, *, updates=None):
    """A run, stopped after so many updates."""
    done = []
    with begin(path, asked(config), seeds=[config.seed], kind=KIND) as run:
        train(config, run, source=build(config), watch=done.append, stop=lambda: len(done) == updates)
    return path


@pytest.mark.parametrize("name", CURRICULA_TRIED)
def test_a_run_taken_up_in_another_process_ends_with_the_same_bytes(tmp_path, name):
    config = replace(BASE, curriculum=CURRICULA_TRIED[name])
    whole = trained(config, tmp_path / "whole")
    stopped = trained(config, tmp_path / "stopped", updates=7)  # in the middle of a period
    done = python(GO_ON, stopped, json.dumps(to_json(config)))
    assert (done.returncode, done.stderr) == (0, "")
    for path in (whole, stopped):
        shutil.rmtree(path / "tensorboard")
    for policy in (stopped / "policies").iterdir():
        if not (whole / "policies" / policy.name).exists():
            policy.unlink()  # that of the stop
    assert same_run(whole, stopped) == []
    updates = [event.data for event in read_events(whole) if event.kind == "update"]
    origins = {origin for update in updates for origin in update["levels"]}
    if name == "robust":
        for update in updates:
            assert ("learning_rate" in update["metrics"]) == ("replayed" in update["levels"])
    if name in ("noise", "swap"):
        assert {"new", "replayed", "edited"} <= origins


def test_a_curriculum_asked_for_is_not_forgotten(tmp_path):
    config = replace(BASE, curriculum=DRSettings())
    with (
        pytest.raises(ValueError, match=r"ask for a curriculum; give source=.*\.$"),
        begin(tmp_path / "run", asked(config), seeds=[0], kind=KIND) as run,
    ):
        train(config, run)


@pytest.mark.parametrize("name", CURRICULA["laptop"])
@pytest.mark.parametrize("sizes", CURRICULA)
def test_presets_know_all_curricula_and_survive_a_file(name, sizes):
    config = preset(sizes, "gru", curriculum=name)
    assert from_json(Config, to_json(config)) == config == override(config, [])
    assert (config.curriculum is None) == (name == "none")
    if name == "dicode":
        with pytest.raises(ValueError, match=r"keeps its levels in a run; give one\.$"):
            build(config)
    else:
        build(config)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("plr", "curriculum.replay=2", r"^curriculum.replay is 2.0; give 0 to 1\.$"),
        ("accel", "curriculum.edits=0", r"^curriculum.edits is 0; give at least 1\.$"),
        ("sfl", "curriculum.kept=1000", r"^curriculum.kept is 1000; give 1 to 160\.$"),
        ("plr", "curriculum.buffer.capacity=0", r"^curriculum.buffer.capacity is 0; give at least 1\.$"),
        ("dicode", "curriculum.new=16", r"^curriculum.new is 16; give 0 to 15\.$"),
        ("none", "curriculum.replay=0.5", r"^There is no setting 'curriculum.replay'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name, change, message):
    with pytest.raises(RunError, match=message):
        override(preset("laptop", "gru", curriculum=name), [change])


def test_swaps_need_craftax():
    config = replace(BASE, game="Craftax-Classic", curriculum=ACCELSettings(mutation="swap"))
    with pytest.raises(RunError, match=r"no swaps of tiles; set curriculum.mutation=noise\.$"):
        override(config, [])


def test_levels_need_craftax():
    with pytest.raises(RunError, match=r"Craftax-Classic has no levels; .*\.$"):
        override(replace(preset("laptop", "gru", curriculum="dicode"), game="Craftax-Classic"), [])
