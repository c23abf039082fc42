"""``garten practice`` killed, interrupted, started twice: nothing is lost, nothing is left running."""

import json
import logging
import os
import random
import shutil
import signal
import time
from collections import Counter

import pytest

from cli.processes import Practice, on_linux
from garten.runs.events import read_events
from support import one_sentence, same_run

pytestmark = on_linux


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An uninterrupted run: its folder, what it printed, and how many seconds it took."""
    place = tmp_path_factory.mktemp("whole")
    start = time.monotonic()
    practice = Practice(place)
    code, out, err = practice.end()
    assert code == 0, err
    return practice.run, out, time.monotonic() - start


@pytest.mark.parametrize("kills", [5, pytest.param(60, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
def test_killed_at_any_moment_and_resumed_it_equals_an_uninterrupted_run(tmp_path, whole, kills):
    """Runs are killed again and again on their way, until there were so many kills."""
    whole_run, whole_out, seconds = whole
    rng = random.Random(kills)
    reached = []
    finished = 0
    while len(reached) < kills:
        place = tmp_path / f"place{finished}"
        place.mkdir()
        places, out = practise_under_fire(place, rng, seconds)
        reached += places
        finished += 1
        assert json.loads(out) == json.loads(whole_out)
        assert same_run(whole_run, place / "runs" / "run") == []
        shutil.rmtree(place)
    spread = sorted(Counter(reached).items())
    logging.getLogger(__name__).info("%d kills in %d runs, by events: %s", len(reached), finished, spread)
    if kills >= 50:  # where fewer kills fall depends on the machine's speed
        assert len(spread) >= 8


def practise_under_fire(place, rng, seconds):
    """Begin or resume a run and kill it at a random moment, until it gets through.

    Returns how many events the log had at each kill, and what the last process printed.
    """
    reached, patience = [], 1.0
    run = place / "runs" / "run"
    while True:
        practice = Practice(place, *["--resume"] * (run / "run.json").exists())
        if rng.random() < 0.1:
            practice.sleep(rng.uniform(0.0, 0.1 * seconds))  # while it starts
        elif practice.wait_for_lock():
            practice.sleep(rng.uniform(0.0, 0.2 * seconds * patience))
        practice.process.kill()
        code, out, err = practice.end()
        if code == 0:
            return reached, out
        assert code == -signal.SIGKILL, err
        events = len(list(read_events(run))) if run.exists() else 0
        # On a slow machine a process may need longer than this to get anywhere.
        patience = 1.3 * patience if events in reached[-1:] else 1.0
        reached.append(events)


@pytest.mark.parametrize("reached", ["rounds/01/episodes/*/episode.json", "rounds/02/round.json"])
def test_an_interrupt_stops_it_at_once_without_loss(tmp_path, whole, reached):
    practice = Practice(tmp_path)
    assert practice.wait_until(lambda: list(practice.run.glob(reached)))
    practice.interrupt()
    code, out, err = practice.end()
    assert (code, out) == (130, "")
    *_, hint, _, last = err.splitlines()
    assert last == "Stopped."
    assert hint.startswith("Go on with: garten practice ")
    assert hint.endswith(" --name run --resume")
    assert "Traceback" not in err
    assert Practice(tmp_path, "--resume").end()[0] == 0
    assert same_run(whole[0], practice.run) == []


def test_a_second_process_on_the_run_is_refused_and_harmless(tmp_path):
    first = Practice(tmp_path)
    assert first.wait_for_lock()
    for words in ([], ["--resume"]):
        code, out, err = Practice(tmp_path, *words).end()
        assert (code, out) == (1, "")
        assert one_sentence(err.splitlines(keepends=True)[-1])
    assert f"in use by process {first.process.pid} on" in err
    assert first.wait_until(lambda: list(first.run.glob("rounds/01/episodes/*/episode.json")))  # undisturbed
    first.process.kill()
    first.end()


def test_a_killed_helper_stops_it_in_one_sentence_and_resuming_goes_on(tmp_path, whole):
    practice = Practice(tmp_path)
    assert practice.wait_until(lambda: list(practice.run.glob("rounds/*/episodes/*/episode.json")))
    os.kill(practice.players()[0], signal.SIGKILL)
    code, out, err = practice.end()
    assert (code, out) == (1, "")
    assert one_sentence(err.splitlines(keepends=True)[-1])
    assert "fewer --workers" in err
    assert Practice(tmp_path, "--resume").end()[0] == 0
    assert same_run(whole[0], practice.run) == []
