"""What practice leaves on a machine: the run, nothing else; and it asks nothing of the network."""

import os

import pytest

from support import LANTERN, garten, python

GUARD = """
import os
import socket


def refuse(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6):
        with open(os.environ["GARTEN_TEST_CALLS"], "a") as file:
            print(address, file=file)
        raise OSError("there is no network in this test")
    return connect(self, address)


connect, socket.socket.connect = socket.socket.connect, refuse
"""
"""Python imports a module named sitecustomize when it starts: so do the processes that play games."""

COMMANDS = [
    ("practice", LANTERN, "--rounds", 2, "--games", 2, "--players", 1, "--held-out", 1, "--size", "64x36"),
    ("report", "runs/lantern"),
    ("reshoot", "runs/lantern", "r01-p1-g00", "--size", "64x36", "--fps", 5, "--out", "runs/film.mp4"),
    ("worlds",),
    ("doctor",),
]


@pytest.fixture
def places(tmp_path):
    names = ("home", "tmp", "here", "guard")
    made = {name: tmp_path / name for name in names}
    for path in made.values():
        path.mkdir()
    (made["guard"] / "sitecustomize.py").write_text(GUARD)
    return made


def test_nothing_is_written_outside_the_run_and_nobody_is_called(places, tmp_path):
    calls = tmp_path / "calls.txt"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MPL"))}
    environment = {
        **kept,
        "HOME": str(places["home"]),
        "TMPDIR": str(places["tmp"]),
        "PYTHONPATH": str(places["guard"]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "GARTEN_TEST_CALLS": str(calls),
        "GARTEN_CACHE": str(tmp_path / "cache"),
    }
    told = []
    for words in COMMANDS:
        done = garten(*words, cwd=places["here"], env=environment)
        assert done.returncode == 0, done.stderr
        told += [line for line in done.stderr.splitlines() if not line.startswith("report:")]  # if it is slow
    begins, compiling, *rounds = told  # a cold compile is announced once, before the first game
    assert begins.startswith("Practising in runs/lantern: ")
    assert compiling.startswith("Compiling kernels of garten.sight.kernels, once per machine (about ")
    assert list(dict.fromkeys(line.partition(":")[0] for line in rounds)) == ["round 1/2", "round 2/2"]
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == ["kernels", "matplotlib"]
    assert not calls.exists(), calls.read_text()
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {*places, "cache"}
    assert list(places["home"].rglob("*")) == []
    assert list(places["tmp"].rglob("*")) == []
    assert [path.name for path in places["here"].iterdir()] == ["runs"]
    assert sorted(path.name for path in (places["here"] / "runs").iterdir()) == ["film.mp4", "lantern"]


def test_the_guard_of_this_test_is_awake(places, tmp_path):
    code = "import socket; socket.create_connection(('127.0.0.1', 9))"
    environment = {
        **os.environ,
        "PYTHONPATH": str(places["guard"]),
        "GARTEN_TEST_CALLS": str(tmp_path / "calls.txt"),
    }
    assert python(code, env=environment).returncode == 1
    assert (tmp_path / "calls.txt").read_text() == "('127.0.0.1', 9)\n"
