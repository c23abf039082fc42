"""``--look neural`` on the command line; what it shows is held in tests/renderer/test_look.py."""

import json

import pytest

from garten.cli._options import LookName
from garten.renderer import look
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import save_renderer
from support import LANTERN, one_sentence

WORDS = ("--rounds", 1, "--players", 1, "--games", 1, "--held-out", 0, "--size", "48x27", "--workers", 1)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A current folder, and no renderer that comes along."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(look, "DEFAULT", tmp_path / "none.safetensors")
    return tmp_path


def test_a_renderer_is_kept_by_its_place_and_what_is_in_it(place):
    save_renderer(build(TINY, seed=0), place / "tiny.safetensors")
    name = LookName().convert("neural:tiny.safetensors", None, None)
    assert name == look.Neural(place / "tiny.safetensors").name
    assert LookName().convert(name, None, None) == name


@pytest.mark.slow  # a whole game, frame by frame, and its clip
def test_practice_under_it_and_a_film_of_it(cli, place):
    save_renderer(build(TINY, seed=0), place / "tiny.safetensors")
    ended = cli("practice", LANTERN, "--look", "neural:tiny.safetensors", "--name", "n", *WORDS)
    assert ended.code == 0
    (file,) = (place / "runs/n").rglob("episode.json")
    seen = json.loads(file.read_text())["look"]
    assert seen.startswith(f"neural:{place / 'tiny.safetensors'}@")
    asked = json.loads((place / "runs/n/run.json").read_text())["asked"]
    assert asked["look"] == seen
    save_renderer(build(TINY, seed=1), place / "tiny.safetensors")
    ended = cli("report", "runs/n")
    assert ended.code == 1
    assert "is another renderer now" in ended.err
    assert one_sentence(ended.err)


@pytest.mark.parametrize(
    "words",
    [("practice", LANTERN), ("reshoot", "runs/n", "r01-p1-g00"), ("worlds", "--contact-sheet", "a.png")],
)
def test_without_a_renderer_it_is_wrong_usage(cli, place, words):
    (place / "runs/n").mkdir(parents=True)
    for name, told in (
        ("neural", "No trained renderer comes with this version; name one's file"),
        ("neural:none.safetensors", "There is no renderer none.safetensors; give one"),
    ):
        ended = cli(*words, "--look", name)
        assert (ended.code, ended.out) == (2, "")
        assert told in " ".join(ended.err.split())
