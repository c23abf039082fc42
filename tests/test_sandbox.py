from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import pytest

from garten.sandbox import Call, Failed, Finished, Limits, Program, Sandbox, clash

SAFETY = Path(__file__).parents[1] / "docs" / "safety.md"


def signature(*names: str, **defaults: Any) -> Signature:
    kind = Parameter.POSITIONAL_OR_KEYWORD
    required = [Parameter(name, kind) for name in names]
    return Signature([*required, *(Parameter(name, kind, default=defaults[name]) for name in defaults)])


FUNCTIONS = {"step": signature(), "put": signature("x", y=0)}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(Limits(seconds=0.25)) as opened:
        yield opened


def start(sandbox: Sandbox, source: str, **more: Any) -> Program:
    return sandbox.start(source, functions=FUNCTIONS, **{"seed": "1", **more})


def run(sandbox: Sandbox, source: str, **more: Any) -> Finished | Failed:
    """Run to the end, answering every call with None."""
    program = start(sandbox, source, **more)
    while isinstance(program.state, Call):
        program.resume()
    return program.state


# --- a suspended call ----------------------------------------------------------------------------


def test_a_program_stops_at_each_call_and_goes_on_with_the_answer(sandbox: Sandbox) -> None:
    program = start(sandbox, "a = put(1, y=2)\nb = put(x=a)\nprint('sum', a + b)\n[a, b]")
    assert program.state == Call("put", {"x": 1, "y": 2})
    assert program.resume(10) == Call("put", {"x": 10})
    assert program.printed == ""
    assert program.resume(20) == Finished([10, 20])
    assert program.printed == "sum 30\n"


def test_a_call_may_fail(sandbox: Sandbox) -> None:
    program = start(sandbox, "try:\n  put(1)\nexcept ValueError as error:\n  print(error)\nput(2)")
    assert program.fail("too far") == Call("put", {"x": 2})
    assert program.printed == "too far\n"
    assert program.fail("no") == Failed("line 5: put(2)\nValueError: no")


def test_plain_data_crosses_unchanged(sandbox: Sandbox) -> None:
    value = {"a": [1, -2.5, None, True], "é": "x\ny", "t": (1, (2,)), "n": 2**63 - 1}
    program = start(sandbox, f"put({value!r})")
    assert isinstance(program.state, Call)
    assert program.state.arguments == {"x": value}
    assert start(sandbox, "put(put(1))").resume(value) == Call("put", {"x": value})


def test_errors_name_the_players_own_lines(sandbox: Sandbox) -> None:
    source = "def inner():\n  return 1 / 0\n\ndef outer():\n  inner()\n\nouter()\n"
    assert run(sandbox, source) == Failed(
        "line 7: outer()\n"
        "line 5, in outer: inner()\n"
        "line 2, in inner: return 1 / 0\n"
        "ZeroDivisionError: division by zero"
    )
    failed = run(sandbox, "x = 1\nx = = 2")
    assert isinstance(failed, Failed)
    assert failed.error.startswith("line 2: x = = 2\nSyntaxError: ")


def test_an_ended_program_takes_no_answer(sandbox: Sandbox) -> None:
    program = start(sandbox, "1")
    with pytest.raises(ValueError, match="has ended"):
        program.resume()


def test_waiting_for_an_answer_costs_no_time(sandbox: Sandbox) -> None:
    program = start(sandbox, "step()\n7")
    time.sleep(2 * sandbox.limits.seconds)
    assert program.resume() == Finished(7)


def test_many_programs_are_suspended_side_by_side(sandbox: Sandbox) -> None:
    programs = [start(sandbox, f"put({n})\n{n}") for n in range(12)]
    assert [program.state for program in programs] == [Call("put", {"x": n}) for n in range(12)]
    assert [program.resume() for program in programs] == [Finished(n) for n in range(12)]


def test_a_program_can_be_dropped_where_it_stands(sandbox: Sandbox) -> None:
    for _ in range(300):  # more than a pool has workers
        with start(sandbox, "step()\nstep()") as program:
            assert program.state == Call("step", {})


# --- what a program finds ------------------------------------------------------------------------


def test_an_entry_is_called_if_nothing_else_was(sandbox: Sandbox) -> None:
    assert start(sandbox, "def policy():\n  put(1)").state == Call("put", {"x": 1})
    assert run(sandbox, "def policy():\n  1 / 0") == Failed(
        "line 2, in policy: 1 / 0\nZeroDivisionError: division by zero"
    )
    called = start(sandbox, "def policy():\n  put(1)\nput(2)")
    assert called.state == Call("put", {"x": 2})
    assert isinstance(called.resume(), Finished)


def test_functions_of_a_library_can_be_called(sandbox: Sandbox) -> None:
    library = {"one": "def first(x):\n  put(x)\n  return 1 / 0", "two": "def second(x):\n  first(2 * x)"}
    program = start(sandbox, "\nsecond(4)", library=library)
    assert program.state == Call("put", {"x": 8})
    assert program.resume() == Failed(
        "line 2: second(4)\n"
        "two line 2, in second: first(2 * x)\n"
        "one line 3, in first: return 1 / 0\n"
        "ZeroDivisionError: division by zero"
    )


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("kept = 1\nput(1)", "NameError: name 'put' is not defined"),
        ("kept = 1\nwhile True: pass", "TimeoutError"),
        ("kept = 1\nwhile True:\n  try: put(1)\n  except BaseException: pass", "suspension limit"),
        ("kept = 1\nprint('x' * 100)\n[0] * 10**10", "MemoryError"),
        ("kept = 1\ndef f(:", "line 2: def f(:\nSyntaxError"),
        ("#" * 60_000, "more than 50000 characters"),
        ("kept = 1\ndef put(x): pass", "It redefines put"),
        ("kept = put = 1", "It redefines put"),
        ("kept = 1\nprint = None", "It redefines print"),
    ],
)
def test_a_bad_piece_of_a_library_is_left_out(code: str, why: str, sandbox: Sandbox) -> None:
    library = {"good": "def f(): return 5", "bad": code, "after": "def g(): return f() + 1"}
    program = start(sandbox, "try: kept\nexcept NameError: print('gone')\n[f(), g()]", library=library)
    assert program.state == Finished([5, 6])
    assert program.printed == "gone\n"
    assert list(program.rejected) == ["bad"]
    assert why in program.rejected["bad"]


@pytest.mark.parametrize(
    "code",
    [
        "def walk(): pass",
        "walk = None",
        "walk: int = 3",
        "a, (b, *walk) = 1, (2, 3)",
        "import math as walk",
        "from math import sin as walk",
        "for walk in []: pass",
        "[walk := 1 for _ in (1,)]",
        "class walk: pass",
        "try: pass\nexcept ValueError as walk: pass",
        "match 1:\n  case walk: pass",
        "def f():\n  global walk\n  walk = 3",
        "def f():\n  def g():\n    global walk\n    import math as walk",
        "def range(n): return []",
    ],
)
def test_code_that_gives_another_meaning_to_what_others_use_clashes(code: str) -> None:
    assert "It redefines" in clash(code, ["walk"])


@pytest.mark.parametrize(
    "code", ["def f(walk): walk()", "def f():\n  walk = 1\n  print = 2", "walk()\nprint()", "def f(:", "x\0"]
)
def test_names_of_its_own_clash_with_nothing(code: str) -> None:
    assert clash(code, ["walk"]) == ""


CHANCE = (
    "import random, time\ntime.sleep(1e9)\n[random.random(), random.randint(0, 99), time.time(), hash('a')]"
)


def test_clock_and_chance_are_fixed(sandbox: Sandbox) -> None:
    first = run(sandbox, CHANCE)
    assert first == run(sandbox, CHANCE)
    assert first != run(sandbox, CHANCE, seed="2")
    assert isinstance(first, Finished)
    assert first.value[2] == 946_684_800  # 2000-01-01 UTC


def test_a_fresh_process_gives_the_same_result(sandbox: Sandbox) -> None:
    code = (
        "import sys\n"
        "from garten.sandbox import Sandbox\n"
        "with Sandbox() as box: print(box.start(sys.argv[1], functions={}, seed='1').state)"
    )
    fresh = subprocess.run([sys.executable, "-c", code, CHANCE], capture_output=True, text=True, check=True)
    assert fresh.stdout == f"{run(sandbox, CHANCE)}\n"


def test_programs_share_nothing(sandbox: Sandbox) -> None:
    run(sandbox, "import math\nleft = 1\nmath.pi = 3\nint.left = 1")
    failed = run(sandbox, "left")
    assert isinstance(failed, Failed)
    assert "NameError" in failed.error
    assert run(sandbox, "import math\nround(math.pi, 2)") == Finished(3.14)


# --- limits and recovery -------------------------------------------------------------------------


def test_a_program_at_a_limit_runs_and_one_past_it_fails() -> None:
    limits = Limits(calls=3, printed=5, source=60)
    with Sandbox(limits) as sandbox:
        assert run(sandbox, "for _ in range(3): step()") == Finished(None)
        assert run(sandbox, "for _ in range(4): step()") == Failed(
            "The program called functions more than 3 times."
        )
        program = start(sandbox, "print('abcd')")
        assert (program.state, program.printed) == (Finished(None), "abcd\n")
        program = start(sandbox, "print('abcde')\nprint('f')")
        assert program.state == Failed("The program printed more than 5 characters; print less.")
        assert program.printed == "abcde"
        assert run(sandbox, "1".ljust(60)) == Finished(1)
        assert run(sandbox, "1".ljust(61)) == Failed("The program has more than 60 characters; shorten it.")


def test_a_lost_worker_fails_its_program_and_no_other(sandbox: Sandbox) -> None:
    lost, other = start(sandbox, "step()\n1"), start(sandbox, "step()\n2")
    pid = lost._loaded.session.worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    failed = lost.resume()
    assert isinstance(failed, Failed)
    assert "stopped" in failed.error
    assert other.resume() == Finished(2)
    assert run(sandbox, "3") == Finished(3)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
def test_workers_hold_no_environment(sandbox: Sandbox) -> None:
    program = start(sandbox, "step()")
    assert Path(f"/proc/{program._loaded.session.worker_pid}/environ").read_bytes() == b""


def test_a_crash_of_the_interpreter_is_contained(sandbox: Sandbox) -> None:
    crash = "class A: pass\nput([A, A(), {1}, 2])"  # panics in pydantic-monty 1.4
    program = start(sandbox, crash)
    assert not isinstance(program.state, Finished)
    program.close()
    assert run(sandbox, "3") == Finished(3)


def test_a_closed_sandbox_opens_again() -> None:
    sandbox = Sandbox()
    assert run(sandbox, "1") == Finished(1)
    sandbox.close()
    sandbox.close()
    assert run(sandbox, "2") == Finished(2)
    sandbox.close()


def test_a_forked_process_is_told_to_spawn(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    run(sandbox, "1")
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="'spawn'"):
        run(sandbox, "1")


def test_the_safety_page_states_the_limits() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|[^|]*\| ([\d ,.]+) \|", SAFETY.read_text(), re.MULTILINE))
    stated = {name: float(number.replace(",", "")) for name, number in rows.items()}
    assert stated == {field.name: float(getattr(Limits(), field.name)) for field in fields(Limits)}
