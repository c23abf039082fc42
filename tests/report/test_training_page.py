"""The report of a real run of training: complete, true, self-contained."""

import re
import shutil
from base64 import b64decode

import pytest

from garten.report.page import write_report
from garten.report.published import CRAFTAX
from garten.runs.folder import RunFolder
from garten.sight import video
from garten.training.results import QUICK, Evaluation, place_of
from garten.training.stored import evaluate_random
from report.pages import Page


@pytest.fixture(scope="module")
def run(trained, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "small"
    shutil.copytree(trained, folder)
    run = RunFolder.open(folder)
    evaluate_random(run, QUICK, game="Craftax-Classic")
    return run


@pytest.fixture(scope="module")
def page(run):
    return Page(write_report(run))


def kept(run, name):
    return run.read_record(Evaluation, name)


def row(name, evaluation):
    found = evaluation.summary
    return [
        name,
        f"{evaluation.trained_steps:,}",
        f"{found.mean_return:.2f} ± {found.standard_error:.2f}",
        f"{found.percent_of_maximum:.2f} ± {found.percent_error:.2f}",
        f"{found.mean_length:.0f}",
        *(str(found.ends[end]) for end in ("died", "won", "step limit")),
    ]


def test_the_evaluations_stand_beside_the_baseline(run, page):
    random, ours = kept(run, "evaluations/quick-random.json"), kept(run, place_of(QUICK, 2048))
    assert page.rows(8) == [row("uniform actions", random), row("small", ours)]


def test_the_achievements(run, page):
    random, ours = kept(run, "evaluations/quick-random.json"), kept(run, place_of(QUICK, 2048))
    shares = [one.summary.achievements for one in (random, ours)]
    expected = {
        name.replace("_", " "): ["1", *(f"{100 * share[name]:.1f}" for share in shares)]
        for name in shares[0]
        if any(share[name] for share in shares)
    }
    assert {name: rest for name, *rest in page.rows(4)} == expected


def test_charts_of_return_and_speed(page):
    first, second, third = page.all("svg")
    assert all(part in first.text for part in ("% of maximum", "episodes of training", "quick evaluation"))
    assert "steps a second" in second.text
    assert all(part in third.text for part in ("engine", "inference", "learning", "seconds for 1000 steps"))


def test_the_clip_is_the_middle_episode(run, page, tmp_path):
    episodes = kept(run, place_of(QUICK, 2048)).episodes
    (clip,) = page.all("video")
    (caption,) = [tag.text for tag in page.all("figcaption")]
    world = int(re.search(r"world (\d+)", caption)[1])
    returns = sorted(episode.episode_return for episode in episodes)
    assert episodes[world].episode_return == returns[len(returns) // 2]
    (tmp_path / "clip.mp4").write_bytes(b64decode(clip.attributes["src"].partition(",")[2]))
    assert len(video.read(tmp_path / "clip.mp4")) == episodes[world].length + 1


def test_settings_are_told_and_classic_has_no_published_figures(page):
    settings = dict(page.rows(2))
    assert (settings["rollout.lanes"], settings["network.kind"]) == ("8", "mlp")
    assert not any(one.source in page.text for one in CRAFTAX)


def test_it_is_one_file_that_loads_nothing(page):
    assert all(item.startswith(("data:", "#")) for item in page.loaded)
    assert not {tag.name for tag in page.tags} & {"script", "iframe", "link", "object", "form"}


def test_craftax_stands_beside_published_figures(run, tmp_path):
    shutil.copytree(run.path, tmp_path / "full")
    shutil.rmtree(tmp_path / "full" / "evaluations")
    manifest = (tmp_path / "full" / "run.json").read_text()
    (tmp_path / "full" / "run.json").write_text(manifest.replace('"Craftax-Classic"', '"Craftax"'))
    page = Page(write_report(RunFolder.open(tmp_path / "full")))
    assert "It was not evaluated yet" in page.text
    rows = [[one.method, f"{one.steps:,}", str(one.percent), one.source] for one in CRAFTAX]
    assert page.rows(4) == rows


def test_a_run_that_has_just_begun(trained, tmp_path):
    (tmp_path / "begun").mkdir()
    shutil.copy(trained / "run.json", tmp_path / "begun")
    page = Page(write_report(RunFolder.open(tmp_path / "begun")))
    assert "Nothing is learned yet." in page.text
