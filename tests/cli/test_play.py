"""``garten play``: at a terminal and without, with a video or not."""

import os
import re
import shlex
import signal
import subprocess
import sys
import termios
from pathlib import Path

import numpy as np
import pytest

from cli.terminals import Person
from garten.cli._terminal import decode
from garten.craftax.play import Game
from garten.craftax.session import Session, film
from garten.sight import video
from support import garten, one_sentence, python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")

SEEN = "step 0"


@pytest.fixture
def sit(tmp_path):
    """Sit down at a terminal in which ``garten play craftax`` runs with these words."""
    people = []

    def sit(*words: object, **options: object) -> Person:
        people.append(Person("play", "craftax", *words, cwd=tmp_path, **options))
        return people[-1]

    yield sit
    for person in people:
        person.close()


def filmed(keys: str, *, seed: int, tile: int = 8) -> list[np.ndarray]:
    """Pictures of a session with these keys."""
    session = Session(Game("Craftax", seed=seed, tile=tile))
    for key in keys:
        session.press(key)
    return list(film(Game("Craftax", seed=seed, tile=tile), session.played))


def test_a_session_at_a_terminal(sit):
    person = sit("--seed", 5)
    first = person.sees(SEEN)
    assert "q leave  seed 5" in first
    assert "▄" in first or "▀" in first or "▌" in first or "▐" in first
    person.type("w")
    person.sees("step 1")
    person.type("\x1b[D\x1bOA")
    person.sees("step 3")
    person.type("q")
    person.sees("Leave this game")
    person.type("q")
    assert person.leaves() == 0
    assert person.seen.endswith("Craftax, seed 5: 3 steps, return 0.0, 0 of 67 achievements\r\n")
    assert termios.tcgetattr(person.master) == person.modes
    after = person.seen.rpartition("\x1b[?1049l")
    assert "\x1b[?25h" in after[0][-20:]
    assert "\x1b" not in after[2]


def test_an_idle_game_waits_in_the_kernel(sit):
    """No processor time passes while nobody presses a key."""
    person = sit("--seed", 5)
    person.sees(SEEN)
    stat = Path(f"/proc/{person.process.pid}/stat")
    if not stat.exists():
        pytest.skip("looks into /proc")

    def ticks() -> int:
        fields = stat.read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    begin = ticks()
    for _ in range(10):
        person._read(0.1)
    assert ticks() - begin < 0.2 * os.sysconf("SC_CLK_TCK")
    assert stat.read_text().rpartition(")")[2].split()[0] == "S"


def test_another_size_is_another_screen(sit):
    person = sit("--seed", 5, size=(70, 24))
    person.sees("70 x 24 is too small")
    person.resize(80, 24)
    person.sees(SEEN)


def test_without_colours_there_are_letters(sit):
    person = sit("--seed", 5, NO_COLOR="1")
    shown = person.sees(SEEN)
    assert "you" in shown
    assert "▄" not in shown
    person.type("\x03")
    assert person.leaves() == 0


@pytest.mark.parametrize("how", ["keys", "interrupt", "terminate", "hang up"])
def test_however_it_ends_the_recording_is_whole(sit, tmp_path, how):
    person = sit("--seed", 6, "--record", "game.webp", "--tile", 8)
    person.sees(SEEN)
    person.type("wa p")
    person.sees("step 4")
    if how == "keys":
        person.type("qq")
    elif how == "interrupt":
        person.type("\x03")
    elif how == "terminate":
        person.process.send_signal(signal.SIGTERM)
    else:
        person.hang_up()
    code = person.leaves()
    assert how == "hang up" or code == 0  # nobody is left to be told anything
    frames = video.read(tmp_path / "game.webp")
    assert len(frames) == 5
    assert all(map(np.array_equal, frames, filmed("wa p", seed=6)))
    assert [path.name for path in tmp_path.iterdir()] == ["game.webp"]


def test_a_killed_session_can_be_filmed_afterwards(sit, tmp_path):
    person = sit("--seed", 6, "--record", "my game.webp", "--tile", 8)
    person.sees(SEEN)
    person.type("wea! p")  # what is no key is not kept
    person.sees("step 4")
    person.process.kill()
    person.leaves()
    kept = tmp_path / "my game.webp.keys"
    line, keys = kept.read_text().split("\n")
    assert keys == "wa p"
    again = sit("--seed", 6, "--record", "my game.webp")
    assert "cut short" in again.sees("delete it")
    assert again.leaves() == 1
    assert kept.read_text().endswith(keys)
    shell = line.replace("garten", f"{shlex.quote(sys.executable)} -m garten", 1)
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "my game.webp"
    assert len(video.read(tmp_path / "my game.webp")) == 5
    assert not kept.exists()


def test_keys_play_without_a_terminal(cli, tmp_path):
    clips = [tmp_path / "one.webp", tmp_path / "two.webp"]
    for clip in clips:
        ended = cli("play", "craftax", "--seed", 5, "--keys", "wd y", "--record", clip, "--tile", 8)
        assert (ended.code, ended.err) == (0, "")
        told, named = ended.out.splitlines()
        assert told.startswith("Craftax, seed 5: 4 steps, return ")
        assert named == str(clip)
    assert clips[0].read_bytes() == clips[1].read_bytes()
    assert len(video.read(clips[0])) == 5


def test_a_fresh_seed_is_told(cli):
    seeds = [re.search(r"seed (\d+): 0 steps", cli("play", "craftax", "--keys", "").out)[1] for _ in range(2)]
    assert seeds[0] != seeds[1]


def test_both_games_can_be_played(cli):
    told = cli("play", "craftax", "--game", "craftax-classic", "--seed", 1, "--keys", "ww").out
    assert told.startswith("Craftax-Classic, seed 1: 2 steps, ")
    told = cli("play", "craftax", "--god-mode", "--seed", 1, "--keys", "p").out
    assert "collect ruby" in told


def test_without_a_terminal_there_is_one_sentence():
    done = garten("play", "craftax", stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert one_sentence(done.stderr)
    assert "--keys" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "chess"], "'chess'"),
        (["--seed", 2**32], "range"),
        (["--tile", 2], "range"),
        (["--god-mode", "--game", "craftax-classic"], "--god-mode"),
        (["--keys", "we"], "'e' in --keys is no key of Craftax; leave it out."),
        (["--keys", "R", "--game", "craftax-classic"], "'R' in --keys is no key of Craftax-Classic"),
        (["--speed", "nan"], "'nan' is no finite number"),
    ],
)
def test_wrong_options_are_wrong_usage(cli, words, said):
    ended = cli("play", "craftax", "--keys", "", *words)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_a_video_that_cannot_be_is_told_before_the_game(cli, tmp_path):
    for name in ("game.txt", "file/game.mp4"):
        (tmp_path / "file").touch()
        ended = cli("play", "craftax", "--keys", "w", "--record", tmp_path / name)
        assert (ended.code, ended.out) == (1, "")
        assert one_sentence(ended.err)


def test_help_of_the_group_loads_no_engine():
    done = python("import sys, garten.cli.play\nprint(*{'warp', 'av', 'gymnasium'} & sys.modules.keys())")
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


@pytest.mark.parametrize(
    ("given", "keys", "rest"),
    [
        ("w A>", "w A>", ""),
        ("\x1b[A\x1b[B\x1bOC\x1bOD", "wsda", ""),
        ("a\x1b[3~b\x1b[1;5Cc", "abc", ""),
        ("a\x1b", "a", "\x1b"),
        ("a\x1b[1;", "a", "\x1b[1;"),
        ("\x1bq", "q", ""),
        ("\t\n\x1a\x7f\xc3\xa9w", "w", ""),
        ("", "", ""),
    ],
)
def test_what_terminals_send_for_keys(given, keys, rest):
    assert decode(given) == (keys, rest)


def test_a_key_may_come_in_pieces():
    keys, rest = decode("w\x1b")
    assert keys + decode(rest + "[A")[0] == "ww"
