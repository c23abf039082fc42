"""Work beside training: results where they are due, failures that stop nobody, slow work left behind."""

import threading

import pytest

from garten.curriculum.background import Background


@pytest.fixture
def background():
    made = Background()
    yield made
    made.close(patience=10.0)


def test_a_result_is_fetched_once_it_is_there(background):
    go = threading.Event()
    background.begin(lambda: go.wait(10.0) and 7)
    go.set()
    assert background.fetch(patience=10.0).result == 7
    background.begin(lambda: 8)
    assert background.fetch(patience=10.0).result == 8


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), MemoryError()])
def test_whatever_goes_wrong_comes_back_as_a_problem(background, error):
    def fail():
        raise error

    background.begin(fail)
    fetched = background.fetch(patience=10.0)
    assert fetched.result is None
    assert fetched.problem.startswith(type(error).__name__)


def test_slow_work_is_left_behind_and_nothing_begun_beside_it(background):
    go, over, ran = threading.Event(), threading.Event(), []

    def slow():
        go.wait(10.0)
        ran.append("slow")
        over.set()

    background.begin(slow)
    assert background.fetch(patience=0.0).problem == "Nothing was ready after 0 s of waiting."
    background.begin(lambda: ran.append("beside"))
    assert "not over yet" in background.fetch(patience=10.0).problem
    go.set()
    assert over.wait(10.0)
    for _ in range(1000):  # the thread may still be ending
        background.begin(lambda: 9)
        if background.fetch(patience=10.0).result == 9:
            break
    else:
        pytest.fail("the background never recovered")
    assert ran == ["slow"]
