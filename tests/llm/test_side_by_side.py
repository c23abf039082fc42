"""Calls side by side: results in order, all made, and a program that can end without them."""

import threading

import pytest

from garten.llm.side_by_side import side_by_side
from support import python


def test_results_come_in_the_order_of_the_calls():
    together = threading.Barrier(3, timeout=10)
    calls = [lambda number=number: (together.wait(), number)[1] for number in range(3)]
    assert side_by_side(calls, most=3) == [0, 1, 2]
    assert side_by_side([], most=3) == []


def test_no_more_at_a_time_than_asked_for():
    busy, seen, lock = set(), [], threading.Lock()

    def call(number):
        with lock:
            busy.add(number)
            seen.append(len(busy))
        with lock:
            busy.remove(number)
        return number

    assert side_by_side([lambda number=number: call(number) for number in range(50)], most=2) == [*range(50)]
    assert max(seen) <= 2


def test_the_first_error_is_raised_when_all_are_over():
    done = []

    def fail(error):
        raise error

    calls = [lambda: done.append(0), lambda: fail(KeyError("b")), lambda: fail(ValueError("c"))]
    with pytest.raises(KeyError):
        side_by_side([*calls, lambda: done.append(3)], most=1)
    assert done == [0, 3]


def test_a_program_ends_while_calls_are_under_way():
    code = """
import threading, time
from garten.llm.side_by_side import side_by_side
thread = threading.Thread(target=lambda: side_by_side([lambda: time.sleep(60)], most=1), daemon=True)
thread.start()
print("over")
"""
    done = python(code, timeout=30)
    assert (done.returncode, done.stdout) == (0, "over\n")
