import json

from garten.doctor import diagnose


def test_every_finding_is_shown_with_its_remedy(cli):
    ended = cli("doctor")
    assert ended.err == ""
    for finding in diagnose():
        assert finding.name in ended.out
        assert finding.remedy in ended.out


def test_json_is_one_value(cli):
    ended = cli("doctor", "--json")
    found = json.loads(ended.out)
    assert [item["name"] for item in found] == [finding.name for finding in diagnose()]
    assert ended.code == int(any(item["ok"] is False for item in found))


def test_a_problem_gives_status_1(cli, monkeypatch):
    monkeypatch.setenv("GARTEN_LLM_BASE_URL", "ftp://nowhere")
    ended = cli("doctor")
    assert ended.code == 1
    assert "problem" in ended.out
