"""Runs of training: they learn, stop, go on to the bit, and stop for good when a loss is no number."""

import json
from dataclasses import replace

import pytest
import torch

from garten.errors import RunError
from garten.renderer.pictures import to_images
from garten.renderer.saved import about_renderer, load_renderer, save_renderer
from garten.renderer.training.autoencoding import picture_loss
from garten.renderer.training.config import checked
from garten.renderer.training.saved import KIND, kept_renderer
from garten.renderer.training.train import train
from garten.runs.codec import to_json
from garten.runs.events import read_events
from garten.runs.resume import begin
from renderer.training.sets import clips_run, config_for, made
from support import python, same_run


def run_of(config, path, *, resume=False, **options):
    with begin(path, to_json(config), seeds=[config.seed], kind=KIND, resume=resume) as run:
        finished = train(config, run, **options)
    return finished, [event.data for event in read_events(path)]


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    return clips_run(tmp_path_factory.mktemp("sets") / "clips")


@pytest.fixture(scope="module")
def coded(clips, tmp_path_factory):
    """A run of the first stage."""
    torch.set_num_threads(1)
    path = tmp_path_factory.mktemp("coded") / "ae"
    config = config_for("ae", [clips], steps=25)
    faster = replace(config, learning=replace(config.learning, rate=4e-3))
    return path, run_of(faster, path)[1]


def test_the_autoencoder_learns(coded):
    path, told = coded
    losses = [data["metrics"]["loss"] for data in told]
    assert len(losses) == 25
    assert losses[-1] < 0.6 * losses[0]
    renderer = load_renderer(kept_renderer(path))
    assert about_renderer(kept_renderer(path))[1] == {"stage": "ae", "steps": 25}
    frames = to_images([made(number).frames for number in range(4)], torch.device("cpu"))
    with torch.no_grad():
        latents, _ = renderer.codec.encode(frames)
        made_again, _ = renderer.codec.decode(latents)
    assert float(picture_loss(made_again, frames, edges=1.0)) < losses[0]
    assert float(latents.std()) == pytest.approx(1.0, abs=0.2)
    assert abs(float(latents.mean())) < 0.2


def test_picture_loss_is_that_of_pixels_and_of_edges():
    true, made_ = torch.zeros(1, 3, 4, 4), torch.zeros(1, 3, 4, 4)
    made_[..., 2:] = 0.5  # half of the pixels, and one of three steps along rows
    assert float(picture_loss(made_, true, edges=0.0)) == pytest.approx(0.25)
    assert float(picture_loss(made_, true, edges=2.0)) == pytest.approx(0.25 + 2 * 0.5 / 3)


def test_causal_learning_begins_from_the_codec_and_leaves_it_alone(clips, coded, tmp_path):
    config = config_for("causal", [clips], origin=coded[0], steps=3)
    _, told = run_of(config, tmp_path / "run")
    before, after = (load_renderer(kept_renderer(path)) for path in (coded[0], tmp_path / "run"))
    for name, value in before.codec.state_dict().items():
        assert torch.equal(after.codec.state_dict()[name], value)
    assert not torch.equal(before.network.tokens_in.weight, after.network.tokens_in.weight)
    assert not torch.equal(before.captions.table.weight, after.captions.table.weight)
    assert told[0]["metrics"]["loss"] == pytest.approx(2.0, abs=0.7)  # a network that says nothing pays 2


def test_nothing_is_hidden_where_nothing_is_carried(clips, coded):
    for stage, history in (("causal", "attention"), ("bidirectional", "reprojected"), ("ae", "attention")):
        config = config_for(stage, [clips], origin=coded[0])
        network = replace(config.renderer.network, history=history)
        config = replace(config, renderer=replace(config.renderer, network=network))
        with pytest.raises(RunError, match=r"^data\.forget hides what is carried .*; leave it at 0 here"):
            checked(replace(config, data=replace(config.data, forget=0.5)))


def test_a_renderer_that_was_trained_without_dense_geometry_is_given_it(clips, coded, tmp_path):
    """It begins as it was, to the bit; a first step tells the same loss, and then the new weights learn."""
    for history in ("reprojected", "attention"):
        folder, config = tmp_path / history, config_for("causal", [clips], origin=coded[0], steps=1)
        network = replace(config.renderer.network, history=history)
        config = replace(config, renderer=replace(config.renderer, network=network))
        run_of(config, folder / "plain")
        plain = load_renderer(kept_renderer(folder / "plain"))
        config = config_for("causal", [clips], origin=folder / "plain", steps=2)
        dense = replace(config.renderer, geometry=replace(config.renderer.geometry, dense=2))
        _, told = run_of(config, folder / "on")
        _, more = run_of(replace(config, renderer=dense), folder / "dense")
        assert told[0]["metrics"]["loss"] == more[0]["metrics"]["loss"]
        after = load_renderer(kept_renderer(folder / "dense"))
        added = dense.dense * network.patch**2
        assert after.settings.geometry.dense == 2
        assert after.network.extra_in.weight[:, :added].abs().max() > 0.0
        if history == "reprojected":
            old = plain.network.extra_in.weight
            assert (after.network.extra_in.weight[:, added:] - old).abs().max() < 0.1 * old.abs().max() + 0.01
        again = config_for("causal", [clips], origin=folder / "dense", steps=2)
        assert again.renderer == after.settings


def test_the_published_subset_learns_and_nothing_else(clips, coded, tmp_path):
    config = config_for("bidirectional", [clips], origin=coded[0], steps=2)
    config = replace(config, learning=replace(config.learning, learns="adapted", average=0.0))
    run_of(config, tmp_path / "run")
    again = replace(config, steps=1)
    run_of(again, tmp_path / "less")
    more, less = (load_renderer(kept_renderer(tmp_path / name)).state_dict() for name in ("run", "less"))
    changed = {name for name in more if not torch.equal(more[name], less[name])}
    assert changed
    words = ("queries_keys_values", "attention_out", "query_norm", "key_norm", "is_geometry", "is_reference")
    assert all(any(word in name for word in words) for name in changed)


GO_ON = """
import json, sys
from pathlib import Path
from garten.renderer.training.config import Config
from garten.renderer.training.saved import KIND
from garten.renderer.training.train import train
from garten.runs.codec import from_json, to_json
from garten.runs.resume import begin

config = from_json(Config, json.loads(sys.argv[1]))
with begin(Path("parts"), to_json(config), seeds=[0], kind=KIND, resume=True) as run:
    assert train(config, run)
"""


def test_a_stopped_run_goes_on_to_the_same_bytes_in_a_fresh_process(clips, coded, tmp_path):
    config = config_for("causal", [clips], origin=coded[0], steps=4)
    assert run_of(config, tmp_path / "whole")[0]
    second = iter([False, True])
    assert not run_of(config, tmp_path / "parts", stop=lambda: next(second))[0]
    done = python(GO_ON, json.dumps(to_json(config)), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    differing = same_run(tmp_path / "whole", tmp_path / "parts")
    stopped = "renderers/000000002.safetensors"  # kept when it was stopped
    assert [name for name in differing if "tensorboard" not in name] == [f"{stopped} is in one run only"]


def test_a_killed_run_goes_on_from_the_state_it_kept_last(clips, coded, tmp_path, monkeypatch):
    """State is kept every few minutes, here after each step; what came after it is done again, the same."""
    config = config_for("causal", [clips], origin=coded[0], steps=4)
    run_of(config, tmp_path / "whole")
    monkeypatch.setattr("garten.renderer.training.train.STATE_EVERY", 0.0)

    def killed(event):
        if event.data["steps"] == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_of(config, tmp_path / "parts", watch=killed)
    assert [place.name for place in (tmp_path / "parts/checkpoints").iterdir()] == ["000000002.safetensors"]
    assert run_of(config, tmp_path / "parts", resume=True)[0]
    assert [
        name for name in same_run(tmp_path / "whole", tmp_path / "parts") if "tensorboard" not in name
    ] == []


def test_a_loss_that_is_no_number_ends_the_run(clips, coded, tmp_path):
    """In one sentence, with the state kept for a look at it, and the renderer as it was before."""
    spoiled = load_renderer(kept_renderer(coded[0]))
    with torch.no_grad():
        spoiled.codec.mean[0] = float("nan")
    file = save_renderer(spoiled, tmp_path / "spoiled.safetensors", half=False, about={"stage": "ae"})
    config = config_for("causal", [clips], origin=file, steps=3)
    with pytest.raises(RunError, match=r"^The loss or its gradient is no longer finite; .*rate=\.\.\.$"):
        run_of(config, tmp_path / "run")
    assert (tmp_path / "run/broken/000000000.safetensors").is_file()


def test_clips_of_another_size_are_refused(coded, tmp_path):
    other = clips_run(tmp_path / "other", count=1, size=(80, 48))
    with pytest.raises(RunError, match="frames of 64x32, and a clip of field has 80x48"):
        run_of(config_for("causal", [other], origin=coded[0]), tmp_path / "run")


def test_a_run_knows_its_origin_again(clips, coded, tmp_path):
    file = tmp_path / "ae.safetensors"
    save_renderer(load_renderer(kept_renderer(coded[0])), file, about={"stage": "ae"})
    config = config_for("causal", [clips], origin=file, steps=2)
    save_renderer(load_renderer(kept_renderer(coded[0])), file, half=False, about={"stage": "ae"})
    with pytest.raises(RunError, match="no longer the renderer that the run was begun with"):
        run_of(config, tmp_path / "run")
