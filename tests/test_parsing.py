"""Syntax trees: the same as Python's, also while other code parses or collects garbage."""

import ast
import gc
import threading
import time
from contextlib import contextmanager

import pytest

from garten.parsing import parse

CODE = "\n".join(
    f"def f{i}(a, b={i}):\n    return [a + {'(' * 20}b{')' * 20}, {{'k': a}}]" for i in range(40)
)


@contextmanager
def collections(then):
    """A collection of garbage every few allocations, each of which does something."""

    def call(phase, _):
        if phase == "start":
            then()

    before = gc.get_threshold()
    gc.set_threshold(10)
    gc.callbacks.append(call)
    try:
        yield
    finally:
        gc.callbacks.remove(call)
        gc.set_threshold(*before)


def test_the_tree_is_pythons():
    assert ast.dump(parse(CODE)) == ast.dump(ast.parse(CODE))
    assert ast.unparse(parse(b"# coding: latin-1\nx = '\xe9'")) == "x = 'é'"


def test_others_may_parse_when_garbage_is_collected():
    with collections(lambda: ast.parse("(1)")):
        for _ in range(5):
            assert len(parse(CODE).body) == 40


def test_threads_parse_at_once():
    found = []

    def work(depth):
        if depth:
            work(depth - 1)
        else:
            found.extend(len(parse(CODE).body) for _ in range(10))

    threads = [threading.Thread(target=work, args=(depth,)) for depth in (0, 5, 40)]
    with collections(lambda: time.sleep(0)):  # lets another thread run
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [40] * 30


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("source", ["x = 1", "x = = 1", "x = '\0'"])
def test_the_collector_is_left_as_it_was(on, source):
    before = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        if source == "x = 1":
            parse(source)
        else:
            with pytest.raises((SyntaxError, ValueError)):
                parse(source)
        assert gc.isenabled() == on
    finally:
        (gc.enable if before else gc.disable)()
