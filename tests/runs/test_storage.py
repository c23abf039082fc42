import errno
import os
import shutil
import subprocess
import sys

import pytest

from garten.errors import RunError
from garten.runs.storage import remove_leftovers, write_atomic
from support import python

# Fills what room there is, then shows that the sentence is right and that the run is as it was.
FILL = """
import resource, signal, sys
from pathlib import Path
from garten.errors import RunError
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.resume import begin

path, limit = Path(sys.argv[1]), int(sys.argv[2])
written = 0
try:
    with begin(path, {}, seeds=[1], kind="test") as run:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        for number in range(10000):
            if sys.argv[3] == "files":
                run.once(f"{number}.json", lambda: "x" * 100 * number)
            else:
                run.event("line", {"text": "x" * 1000})
            written += 1
except RunError as error:
    print(error)
folder = RunFolder.open(path)
assert written > 3, written
if sys.argv[3] == "files":
    assert [len(folder.read_json(f"{n}.json")) for n in range(written)] == [100 * n for n in range(written)]
    assert not folder.exists(f"{written}.json")
else:
    assert len(list(read_events(path))) == written
    assert (path / "events.jsonl").read_bytes().endswith(b"\\n")
assert not list(path.rglob("*.tmp"))
"""


@pytest.mark.parametrize("kind", ["files", "events"])
def test_a_full_disk_is_one_sentence_and_the_run_stays_readable(tmp_path, kind):
    done = python(FILL, tmp_path / "run", 20_500, kind)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("There is no room on the disk for")
    assert done.stdout.endswith("; free some space and go on with --resume.\n")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("kind", ["files", "events"])
def test_a_disk_that_is_really_full(tmp_path, kind):
    # A small file system of its own, in a namespace that only this command sees.
    unshare = [shutil.which("unshare") or "unshare", "-rm", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=200k none {tmp_path}"
    try:
        allowed = subprocess.run([*unshare, mount], capture_output=True, check=False).returncode == 0
    except OSError:
        allowed = False
    if not allowed:
        pytest.skip("this user may not mount a file system")
    command = [
        *unshare,
        f'{mount} && exec "$@"',
        "sh",
        sys.executable,
        "-c",
        FILL,
        f"{tmp_path}/run",
        "0",
        kind,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("There is no room on the disk for")
    assert done.stdout.count("\n") == 1


def test_a_failed_write_leaves_the_file_before_it(tmp_path, monkeypatch):
    target = tmp_path / "a.json"
    write_atomic(target, b"old")

    def fail(descriptor):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RunError, match=r"a\.json could not be written \(input/output error\)"):
        write_atomic(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_leftovers_are_removed_and_nothing_else(tmp_path):
    kept = ["a.json", ".hidden", "b.tmp", "deep/c.txt"]
    for name in [*kept, ".a.json.0123.tmp", "deep/.c.txt.99.tmp"]:
        write_atomic(tmp_path / name, b"")
    remove_leftovers(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(found) == sorted(kept)
