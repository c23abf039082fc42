"""The command line in this process, as a person meets it: what it printed and how it ended."""

import logging
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from garten.cli import main

LOADING = "Loading PyTorch…\n"
"""Said by the first command of a process that needs it: which one that is, the order of the tests decides."""

_COMPILING = re.compile(r"^Compiling kernels of .*\n", re.MULTILINE)  # so does it here


@dataclass(frozen=True)
class Ended:
    code: object
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """Call it with the words after ``garten``."""

    def run(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["garten", *map(str, words)])
        code: object = 0
        try:
            main()
        except SystemExit as left:
            code = left.code
        printed = capsys.readouterr()
        return Ended(code, printed.out, _COMPILING.sub("", printed.err).removeprefix(LOADING))

    root, own = logging.getLogger(), logging.getLogger("garten")
    handlers, levels = root.handlers[:], (root.level, own.level)
    yield run
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    own.setLevel(levels[1])
