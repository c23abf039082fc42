"""``garten practice --player llm`` against a scripted endpoint on this machine."""

import json

import pytest

from chat_server import error, serve
from practice.test_llm_rounds import vision
from support import LANTERN, one_sentence

KEY = "sk-very-secret-4711"
WORDS = ("--player", "llm", "--rounds", 2, "--size", "96x54", "--programs", 24, "--workers", 1)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARTEN_LLM_API_KEY", KEY)
    return tmp_path


def settings(place):
    return json.loads((place / "runs/lantern/run.json").read_text())["asked"]["settings"]


def test_a_model_practises_and_the_run_remembers_its_settings_but_no_key(cli, place, monkeypatch):
    with serve(vision) as server:
        monkeypatch.setenv("GARTEN_LLM_BASE_URL", server.url)
        ended = cli("practice", LANTERN, *WORDS, "--model", "scripted", "--json")
        assert ended.code == 0, ended.err
        asked = len(server.requests)
        monkeypatch.delenv("GARTEN_LLM_BASE_URL")
        again = cli("practice", LANTERN, "--resume", "--json")
        assert len(server.requests) == asked  # everything is on the tapes
    printed = json.loads(ended.out)
    assert json.loads(again.out) == printed
    assert [len(scores) for scores in printed["scores"]] == [1, 1]  # the defaults of this kind of player
    assert max(printed["scores"][1]) > max(printed["scores"][0])
    told = settings(place)
    assert (told["base_url"], told["model"], told["programs"]) == (server.url, "scripted", 24)
    files = [path for path in place.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert KEY not in ended.out + ended.err


def test_a_dead_endpoint_is_one_sentence_and_resuming_goes_on(cli, place):
    with serve([error(401, "unknown key")]) as server:
        flags = ("--base-url", server.url, "--model", "scripted", "--rounds", 1)
        ended = cli("practice", LANTERN, *WORDS, *flags)
        assert (ended.code, ended.out) == (1, "")
        assert one_sentence(ended.err.splitlines(keepends=True)[-1])
        assert "answers 401 (unknown key); check the key in GARTEN_LLM_API_KEY" in ended.err
        assert cli("report", "runs/lantern").code == 0
        server.script = vision
        again = cli("practice", LANTERN, "--resume", *flags)
        assert again.code == 0, again.err
