"""Curricula over level files: the same methods, other levels."""

import json
import shutil
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import torch

from garten.craftax.env import make
from garten.craftax.full.tables import Achievement
from garten.curriculum.build import build
from garten.curriculum.files import KEPT, LevelFile, LevelFiles, given_sources, read_levels
from garten.curriculum.trials import try_levels
from garten.errors import LevelError, RunError
from garten.levels.find import source_of
from garten.policies.settings import GRUSettings
from garten.runs.codec import to_json
from garten.runs.resume import begin
from garten.training.agents import Agent, Uniform
from garten.training.config import Config, PPOSettings, RolloutSettings, override, preset, with_levels
from garten.training.curricula import BufferSettings, LevelFileSettings, PLRSettings
from garten.training.names import KIND
from garten.training.train import asked, train
from support import python, same_run

NAMES = ("combat", "gathering")

CONFIG = Config(
    network=GRUSettings(width=8, memory=8, hidden=(8,)),
    rollout=RolloutSettings(lanes=4, steps=16, episode_steps=12),
    ppo=PPOSettings(epochs=1, minibatches=2),
    curriculum=PLRSettings(rollouts=2, replay=0.7, buffer=BufferSettings(capacity=2)),
    tell_goal=True,
    steps=4 * 16 * 8,
    checkpoints=1,
)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "levels"
    made.mkdir()
    for name in NAMES:
        (made / f"{name}.py").write_text(source_of(f"level:{name}"))
    return made


@pytest.fixture
def levels(folder):
    return read_levels(given_sources(str(folder), None))


def test_lanes_play_the_levels_they_are_given(levels):
    files, env = LevelFiles(levels, bonus=7.0), make("Craftax", num_envs=3)
    drawn = {files.draw(np.random.default_rng(seed)).name for seed in range(20)}
    assert drawn == {level.digest for level in levels}
    combat, gathering = (LevelFile(level.digest) for level in levels)
    files.put(env, [gathering, combat, gathering])
    goals = env.engine.settings.read("goal")
    assert goals[:, Achievement.COLLECT_COAL].tolist() == [True, False, True]
    assert goals[:, Achievement.DEFEAT_ZOMBIE].tolist() == [False, True, False]
    assert (env.engine.settings.read("bonus") == 7.0).all()


class Listening(Uniform):
    """Plays at random and remembers what goals it was told."""

    def __init__(self):
        super().__init__(43)
        self.told = []

    def step(self, observation, memory, begun):
        self.told.append(observation.goal.clone())
        return super().step(observation, memory, begun)


def test_who_tries_levels_is_told_their_goals(levels):
    policy = Listening()
    tried = [LevelFile(level.digest) for level in levels]
    try_levels(
        Agent("listening", policy, "Craftax", told_goal=True),
        LevelFiles(levels, bonus=1.0),
        tried,
        attempts=1,
        steps=3,
        seed=0,
    )
    goals = [[Achievement(int(place)) for place in torch.nonzero(row).flatten()] for row in policy.told[0]]
    assert goals == [[Achievement.DEFEAT_ZOMBIE], [Achievement.COLLECT_COAL]]


GO_ON = """
import json, sys
from contextlib import closing
from garten.curriculum.build import build
from garten.runs.codec import from_json
from garten.runs.resume import begin
from garten.training.config import Config
from garten.training.names import KIND
from garten.training.train import asked, train
config = from_json(Config, json.loads(sys.argv[2]))
with (
    begin(sys.argv[1], asked(config), seeds=[config.seed], kind=KIND, resume=True) as run,
    closing(build(config, run)) as source,
):
    assert train(config, run, source=source)
"""


def trained(config, path, *, updates=None):
    done = []
    with (
        begin(path, asked(config), seeds=[config.seed], kind=KIND) as run,
        closing(build(config, run)) as source,
    ):
        train(config, run, source=source, watch=done.append, stop=lambda: len(done) == updates)
    return path


def test_a_run_goes_on_without_the_folder_it_was_begun_with(tmp_path, folder):
    config = replace(CONFIG, levels=LevelFileSettings(str(folder)))
    whole, stopped = trained(config, tmp_path / "whole"), trained(config, tmp_path / "stopped", updates=3)
    shutil.rmtree(folder)
    done = python(GO_ON, stopped, json.dumps(to_json(config)))
    assert (done.returncode, done.stderr) == (0, "")
    for path in (whole, stopped):
        shutil.rmtree(path / "tensorboard")
    for policy in (stopped / "policies").iterdir():
        if not (whole / "policies" / policy.name).exists():
            policy.unlink()  # that of the stop
    assert same_run(whole, stopped) == []
    assert json.loads((whole / KEPT).read_text()) == {
        f"{name}.py": source_of(f"level:{name}") for name in NAMES
    }


@pytest.mark.parametrize("name", ["dr", "plr", "plr-robust", "sfl"])
def test_curricula_that_choose_take_level_files(folder, name):
    config = with_levels(preset("laptop", "gru", curriculum=name), author=None, llm={}, folder=str(folder))
    assert config.tell_goal
    source = build(override(config, []))
    assert {source.propose(np.random.default_rng(seed), 1)[0].name for seed in range(20)} == {
        level.digest for level in read_levels(given_sources(str(folder), None))
    }


def test_what_cannot_be_is_refused(tmp_path, folder):
    for name, game in (("none", "Craftax"), ("accel", "Craftax"), ("dr", "Craftax-Classic")):
        config = replace(preset("laptop", "gru", curriculum=name), game=game)
        with pytest.raises(RunError, match=r"(are for the curricula|has no levels).*\.$"):
            override(with_levels(config, author=None, llm={}, folder=str(folder)), [])
    with pytest.raises(RunError, match=r"^Only the curriculum dicode has an author; .*\.$"):
        with_levels(preset("laptop", "gru", curriculum="dr"), author="llm", llm={}, folder=None)
    (folder / "broken.py").write_text("objective = ")
    with pytest.raises(LevelError, match=r"^broken\.py: The level is no Python"):
        read_levels(given_sources(str(folder), None))
    with pytest.raises(RunError, match=r"holds no \.py file; give a folder of levels\.$"):
        given_sources(str(tmp_path), None)
