import os
import signal
import subprocess
import sys

import pytest

from garten.errors import RunError
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.lock import RunLock
from garten.runs.resume import begin
from support import python, read_only

HOLD = """
import sys, time
from pathlib import Path
from garten.runs.lock import RunLock
lock = RunLock(Path(sys.argv[1]))
print("held", flush=True)
{then}
"""


def hold(run, then="time.sleep(60)"):
    """A process that holds the lock of a run and has said so."""
    command = [sys.executable, "-c", HOLD.format(then=then), str(run)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def end(process):
    process.kill()
    process.communicate()


def test_a_second_process_is_refused_in_one_sentence_and_can_still_read(tmp_path):
    with begin(tmp_path / "run", {}, seeds=[1], kind="test") as run:
        run.event("said", {})
    process = hold(tmp_path / "run")
    try:
        with (
            pytest.raises(
                RunError, match=rf"is in use by process {process.pid} on .*; wait until it ends or"
            ),
            begin(tmp_path / "run", {}, seeds=[1], kind="test", resume=True),
        ):
            pass
        assert len(list(read_events(RunFolder.open(tmp_path / "run").path))) == 1
    finally:
        end(process)


def test_a_second_writer_in_this_process_is_refused(tmp_path):
    lock = RunLock(tmp_path)
    with pytest.raises(RunError, match=f"is in use by process {os.getpid()} on"):
        RunLock(tmp_path)
    lock.release()
    RunLock(tmp_path).release()


def test_the_kernel_lets_go_when_the_holder_is_killed(tmp_path):
    process = hold(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    RunLock(tmp_path).release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_workers_do_not_keep_the_lock_of_a_dead_holder(tmp_path):
    # The child outlives its parent, which holds the lock and dies.
    fork = "import os\nif not os.fork(): print(os.getpid(), flush=True)\ntime.sleep(60)"
    process = hold(tmp_path, fork)
    child = int(process.stdout.readline())
    try:
        with pytest.raises(RunError, match="is in use by"):
            RunLock(tmp_path)
        process.kill()
        process.wait()
        RunLock(tmp_path).release()
        os.kill(child, 0)  # it is still there
    finally:
        os.kill(child, signal.SIGKILL)
        end(process)


def test_the_holder_is_told_also_after_a_refusal(tmp_path):
    lock = RunLock(tmp_path)
    code = HOLD.format(then="")
    for _ in range(2):
        refused = python(code, tmp_path)
        assert refused.returncode == 1
        assert f"is in use by process {os.getpid()} on" in refused.stderr
    lock.release()


def test_an_unreadable_holder_is_another_process(tmp_path):
    lock = RunLock(tmp_path)
    (tmp_path / ".lock.json").write_text("{}")
    with pytest.raises(RunError, match="is in use by another process; wait"):
        RunLock(tmp_path)
    lock.release()


def test_a_read_only_folder_is_one_sentence(tmp_path):
    with read_only(tmp_path), pytest.raises(RunError, match=r"cannot be written \(permission denied\)"):
        RunLock(tmp_path)
    RunLock(tmp_path).release()
    with read_only(tmp_path), pytest.raises(RunError, match=r"cannot be written \(permission denied\)"):
        RunLock(tmp_path)
