"""Two processes that deal the batches of a step do what one does alone."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from garten.errors import RunError
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import load_renderer, save_renderer
from garten.renderer.training.saved import kept_renderer
from garten.renderer.training.stages import recipe_for
from garten.renderer.training.train import require_whole
from garten.runs.codec import to_json
from garten.runs.events import read_events
from garten.runs.team import Team
from renderer.training.sets import clips_run, config_for

TOGETHER = """
import json, sys, torch
from garten.renderer.training.config import Config
from garten.renderer.training.stages import recipe_for
from garten.runs import team as teams
from garten.runs.codec import from_json
torch.set_num_threads(1)
config = from_json(Config, json.loads(sys.argv[1]))
with teams.joined() as team:
    recipe = recipe_for(config, team=team)
    told = [recipe.learn(step) for step in range(3)]
    parts = recipe.renderer.network.parameters()
    own = [part.to_local() if hasattr(part, "to_local") else part for part in parts]
    with recipe.finished() as renderer:
        found = told, renderer.state_dict(), sum(part.numel() for part in own)
        torch.save(found, f"{sys.argv[2]}-{team.rank}.pt")
"""


def torchrun(*words, cwd):
    launcher = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    done = subprocess.run([*launcher, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given")
    file = save_renderer(build(TINY, seed=0), folder / "r.safetensors", half=False)
    return clips_run(folder / "clips", frames=13), file


def require_alike(alone, told, found):
    """Both processes have the renderer of one that worked alone, and told the same of each step."""
    (first, weights, _), (second, same, _) = found
    with alone.finished() as renderer:
        for name, part in renderer.state_dict().items():
            assert torch.equal(weights[name], same[name])
            torch.testing.assert_close(weights[name], part, atol=1e-5, rtol=0)
    assert first == second
    for mine, theirs in zip(told, first, strict=True):
        assert theirs == pytest.approx(mine, rel=1e-3, abs=1e-6)


def settings(given, stage):
    clips, file = given
    config = config_for(stage, [clips], origin=file, teacher=file if stage == "adversarial" else None)
    return replace(config, data=replace(config.data, accumulate=2, batch=1))


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["ae", "causal", "adversarial"])
def test_two_processes_learn_what_one_does(given, stage, tmp_path):
    config = settings(given, stage)
    alone = recipe_for(config)
    told = [alone.learn(step) for step in range(3)]
    (tmp_path / "together.py").write_text(TOGETHER)
    torchrun("together.py", json.dumps(to_json(config)), tmp_path / "found", cwd=tmp_path)
    require_alike(alone, told, [torch.load(tmp_path / f"found-{rank}.pt") for rank in range(2)])


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["causal", "adversarial"])
def test_dealt_weights_learn_what_whole_ones_do(given, stage, tmp_path):
    """Each of two processes keeps a part of the weights: to 1e-5 what one process learns that has them all.

    Replay stays exact, and the gathered renderer is the same in both.
    """
    config = settings(given, stage)
    alone = recipe_for(config)
    told = [alone.learn(step) for step in range(3)]
    dealt = replace(config, learning=replace(config.learning, deal=True))
    (tmp_path / "together.py").write_text(TOGETHER)
    torchrun("together.py", json.dumps(to_json(dealt)), tmp_path / "found", cwd=tmp_path)
    found = [torch.load(tmp_path / f"found-{rank}.pt") for rank in range(2)]
    require_alike(alone, told, found)
    (first, _, parts), (_, _, others) = found
    assert all(turn.get("replay_error", 0.0) == 0.0 for turn in first)
    whole = sum(part.numel() for part in alone.renderer.network.parameters())
    assert parts + others == whole  # by the sizes of what each has of the network
    assert max(parts, others) < 0.6 * whole


@pytest.mark.slow
@pytest.mark.parametrize("deal", [False, True])
def test_the_first_process_writes_the_run(given, deal, tmp_path):
    clips, file = given
    words = ("-m", "garten", "render", "train", "--preset", "tiny", "--stage", "causal", "--steps", 2)
    words += ("--data", clips, "--from", file, "--set", "data.accumulate=2", "--name", "run")
    words += ("--set", f"learning.deal={str(deal).lower()}")
    torchrun(*words, cwd=tmp_path)
    assert [event.kind for event in read_events(tmp_path / "runs/run")] == ["step", "step"]
    assert load_renderer(kept_renderer(tmp_path / "runs/run")).settings == TINY


@pytest.mark.slow
def test_a_team_goes_on_to_the_same_bytes_and_one_process_goes_on_alone(given, tmp_path):
    clips, file = given
    words = ("-m", "garten", "render", "train")
    asked = ("--preset", "tiny", "--stage", "causal", "--steps", 3, "--data", clips, "--from", file)
    asked += ("--set", "data.accumulate=2", "--set", "learning.average=0")
    for name, more in {"whole": (), "team": ("--minutes", 1e-6), "alone": ("--minutes", 1e-6)}.items():
        torchrun(*words, *asked, "--name", name, *more, cwd=tmp_path)
    assert len(list(read_events(tmp_path / "runs/team"))) == 1  # stopped after a step
    torchrun(*words, "--name", "team", "--resume", cwd=tmp_path)
    command = [sys.executable, *words, "--name", "alone", "--resume"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    files = {name: kept_renderer(tmp_path / "runs" / name) for name in ("whole", "team", "alone")}
    assert files["whole"].name == files["team"].name == files["alone"].name
    assert files["whole"].read_bytes() == files["team"].read_bytes()
    whole, alone = (load_renderer(files[name]).state_dict() for name in ("whole", "alone"))
    for name, part in whole.items():
        torch.testing.assert_close(alone[name], part, atol=1e-5, rtol=0)
    for run in ("whole", "team", "alone"):
        assert [event.data["steps"] for event in read_events(tmp_path / "runs" / run)] == [1, 2, 3]


def test_a_run_whose_weights_were_dealt_is_not_gone_on_with(given):
    config = settings(given, "causal")
    dealt = replace(config, learning=replace(config.learning, deal=True))
    require_whole(dealt, Team())
    with pytest.raises(RunError, match=r"keeps no state to resume from; go on from its latest renderer"):
        require_whole(dealt, Team(0, 2))


def test_batches_that_cannot_be_dealt_are_refused(given):
    config = replace(settings(given, "causal"), steps=1)
    with pytest.raises(RunError, match=r"2 batches of a step cannot be dealt evenly to 3 .*data.accumulate"):
        recipe_for(config, team=Team(0, 3)).learn(0)
