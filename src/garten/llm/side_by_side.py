"""Calls side by side in threads that nobody has to wait for.

The threads of `concurrent.futures` keep a program from ending until their calls are over, and a call of a
language model may take minutes. These do not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import TypeVar

R = TypeVar("R")


def side_by_side(calls: Sequence[Callable[[], R]], *, most: int) -> list[R]:
    """The results of calls, in their order; the first error in that order is raised once all are over.

    Args:
        calls: each made once.
        most: threads at a time.
    """
    waiting: SimpleQueue[int] = SimpleQueue()
    for number in range(len(calls)):
        waiting.put(number)
    results: dict[int, R] = {}
    errors: dict[int, BaseException] = {}

    def work() -> None:
        while True:
            try:
                number = waiting.get_nowait()
            except Empty:
                return
            try:
                results[number] = calls[number]()
            except BaseException as error:
                errors[number] = error

    threads = [
        threading.Thread(target=work, name=f"side-by-side-{number}", daemon=True)
        for number in range(min(most, len(calls)))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[min(errors)]
    return [results[number] for number in range(len(calls))]
