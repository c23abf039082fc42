import json

import pytest

from garten.errors import RunError
from garten.runs.events import EVENTS, EventLog, read_events
from support import read_only


def write(run, *texts, opened=None):
    log = opened or EventLog(run)
    for text in texts:
        log.append("said", {"text": text})
    log.close()


def texts(run):
    return [event.data["text"] for event in read_events(run)]


def test_events_are_numbered_lines(tmp_path):
    write(tmp_path, "a", "b\n\r\u2028é\ud800")
    lines = (tmp_path / EVENTS).read_bytes().split(b"\n")
    assert lines[-1] == b""
    assert [json.loads(line)["number"] for line in lines[:-1]] == [0, 1]
    assert [(event.number, event.kind) for event in read_events(tmp_path)] == [(0, "said"), (1, "said")]
    assert texts(tmp_path) == ["a", "b\n\r\u2028é\ud800"]


def test_a_run_without_events_has_none(tmp_path):
    assert list(read_events(tmp_path)) == []


def test_readers_see_each_event_as_soon_as_it_is_said(tmp_path):
    log = EventLog(tmp_path)
    for count in range(3):
        assert len(texts(tmp_path)) == count
        log.append("said", {"text": ""})
    log.close()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_left_out_and_dropped_on_opening(tmp_path, cut):
    write(tmp_path, "a", "b", "c")
    log = tmp_path / EVENTS
    whole = log.read_bytes()
    log.write_bytes(whole[:-cut])
    assert texts(tmp_path) == ["a", "b"]
    write(tmp_path, "a", "b", "c")
    assert texts(tmp_path) == ["a", "b", "c"]
    assert log.read_bytes().count(b"\n") == 3


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b'{"number": 7, "kind": "x", "data": {}}'])
@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_damaged_line_is_named(tmp_path, line, damage):
    write(tmp_path, "a", "b", "c")
    log = tmp_path / EVENTS
    lines = log.read_bytes().split(b"\n")
    lines[line] = damage
    log.write_bytes(b"\n".join(lines))
    for use in (lambda: list(read_events(tmp_path)), lambda: EventLog(tmp_path)):
        with pytest.raises(RunError, match=rf"^Line {line + 1} of .*events\.jsonl is damaged; restore"):
            use()


def test_a_missing_line_is_named(tmp_path):
    write(tmp_path, "a", "b", "c")
    log = tmp_path / EVENTS
    lines = log.read_bytes().split(b"\n")
    log.write_bytes(b"\n".join(lines[:1] + lines[2:]))
    with pytest.raises(RunError, match="Line 2 of"):
        list(read_events(tmp_path))


def test_what_was_said_before_is_taken_as_read(tmp_path):
    write(tmp_path, "a", "b")
    before = (tmp_path / EVENTS).read_bytes()
    log = EventLog(tmp_path)
    again = log.append("said", {"text": "a"})
    assert again == next(read_events(tmp_path))
    write(tmp_path, "b", "c", opened=log)
    assert (tmp_path / EVENTS).read_bytes().startswith(before)
    assert texts(tmp_path) == ["a", "b", "c"]


def test_clocks_may_differ_when_said_again_but_nothing_else(tmp_path):
    log = EventLog(tmp_path)
    log.append("took", {"wall_seconds": 1.0, "games": [{"time": 5, "score": 1}]})
    log.close()
    log = EventLog(tmp_path)
    event = log.append("took", {"wall_seconds": 2.0, "games": [{"time": 6, "score": 1}]})
    assert event.data["wall_seconds"] == 1.0
    log.close()
    for kind, score in (("took", 2), ("gave", 1)):
        log = EventLog(tmp_path)
        with pytest.raises(RunError, match=r"Event 0 of .* comes out differently than before; resume with"):
            log.append(kind, {"wall_seconds": 1.0, "games": [{"time": 5, "score": score}]})
        log.close()


def test_a_read_only_log_is_one_sentence(tmp_path):
    write(tmp_path, "a")
    with read_only(tmp_path):
        with pytest.raises(RunError, match=r"events\.jsonl cannot be written \(permission denied\)"):
            EventLog(tmp_path)
        assert texts(tmp_path) == ["a"]
