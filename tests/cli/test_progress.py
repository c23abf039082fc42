"""Progress as a person sees it: a bar in a terminal, a line for each round elsewhere."""

import io
import logging
import re

import pytest
from rich.console import Console

from garten.cli import _StandardError
from garten.cli._progress import DreamProgress, PracticeProgress
from garten.runs.events import Event


def game(score, *, held_out=False):
    return Event(1, "game", {"round": 1, "game": {"score": score, "held_out": held_out}}, "")


def shown(events, *, terminal):
    file = io.StringIO()
    progress = PracticeProgress(Console(file=file, force_terminal=terminal, width=80, soft_wrap=True))
    with progress.shown():
        for event in events:
            progress(event)
    return file.getvalue()


ROUND = [
    Event(0, "round", {"round": 1, "of": 4, "games": 5}, ""),
    *map(game, (10.0, 30.0, None)),
    game(50.0, held_out=True),
    Event(2, "lesson", {"name": "walk"}, ""),
    Event(3, "round-done", {"round": 1}, ""),
]


def test_elsewhere_there_is_a_plain_line_for_the_first_game_and_one_a_round():
    text = shown(
        [*ROUND, Event(4, "round", {"round": 2, "of": 4, "games": 5}, ""), *ROUND[-1:]], terminal=False
    )
    begun, first, second = text.splitlines()
    assert begun == "round 1/4: 1 of 5 games; best 10.0, mean 10.0"
    assert first == "round 1/4: best 30.0, mean 20.0, held-out 50.0, errors 1"
    assert second.strip() == "round 2/4:"  # nothing of the round before
    assert "\x1b" not in text


def test_in_a_terminal_there_are_round_games_scores_and_time_left():
    text = shown(ROUND[:-1], terminal=True)
    assert "round 1/4" in text
    assert "4/20" in text  # games of the whole run
    assert "left; best 30.0, mean 20.0, held-out 50.0, errors 1" in text
    assert "…" not in text


def test_filming_the_report_is_shown_too(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    plain, terminal = io.StringIO(), io.StringIO()
    for console in (Console(file=plain), Console(file=terminal, force_terminal=True, width=80)):
        progress = PracticeProgress(console)
        now[0] = 0.0
        with progress.shown():
            progress(ROUND[0])
            progress.writing_report()
            for now[0], share in ((20.0, 0.1), (31.0, 0.25), (40.0, 0.5), (70.0, 0.75)):
                progress.filmed(share)
    assert [line for line in plain.getvalue().splitlines() if line] == [
        "report: 25% filmed",
        "report: 75% filmed",
    ]
    assert "75/100" in terminal.getvalue()
    assert "filming" in terminal.getvalue()


def test_levels_are_counted_as_they_are_written(monkeypatch):
    terminal, plain = io.StringIO(), io.StringIO()
    shown = DreamProgress(Console(file=terminal, force_terminal=True, width=80), levels=4)
    with shown.shown():
        for passed in (True, False, True):
            shown.add(passed=passed)
    assert "3/4" in terminal.getvalue()
    assert "left; 2 passed" in terminal.getvalue()
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    lines = DreamProgress(Console(file=plain), levels=4)
    for now[0] in (10.0, 30.0, 40.0, 61.0):
        lines.add(passed=True)
    assert plain.getvalue() == "2 of 4 levels written, 2 passed\n4 of 4 levels written, 4 passed\n"


def test_messages_stand_above_the_bar(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr("sys.stderr", terminal)
    progress = PracticeProgress(Console(file=terminal, force_terminal=True, width=80))
    log = logging.getLogger("a test")
    monkeypatch.setattr(log, "handlers", [_StandardError()])
    with progress.shown():
        progress(ROUND[0])
        log.warning("Compiling.")
    assert re.search(r"\x1b\[2KCompiling\.\n", terminal.getvalue())  # a line of its own


@pytest.mark.parametrize("terminal", [True, False])
def test_a_run_without_events_shows_no_scores(terminal):
    assert "mean" not in shown([], terminal=terminal)
