"""Hostile programs: each is handed in for a role, contained, answered with feedback; the episode goes on."""

from __future__ import annotations

import os
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from garten.practice.program import ProgramAgent
from garten.records import Action, ActionSpec, Argument, Observation, Reply, Task
from garten.sandbox import Limits, Sandbox

LIMITS = Limits(seconds=0.25, memory=16_000_000, depth=100, calls=200, printed=2_000, source=20_000)
SECRET = "garten-attack-secret-5b1f"
OUTSIDE = "{outside}"  # stands for the path of a file that an attack would write

ACTIONS = (
    ActionSpec("forward", 1.0, "drive on"),
    ActionSpec("turn", 1.0, "turn", arguments=(Argument("angle", "float", -90.0, 90.0, None, "degrees"),)),
)
TASK = Task("yard", "Reach the gate.", "dog", "dogs", (), ACTIONS, 60.0, (16, 9))

TIME = r"ran for more than 0\.25 s"
MEMORY = "needs more than 16 MB"
EITHER = rf"{TIME}|{MEMORY}"  # whichever comes first on this machine
RECURSION = "RecursionError: maximum recursion depth exceeded"
CALLS = "called functions more than 200 times"
PRINTED = "printed more than 2000 characters"
NESTED = "SyntaxError: Source is too deeply nested"
REFUSED = r"takes finite numbers, text, lists and dicts of moderate size only"
UNSUSPENDED = "cannot suspend in this synchronous context"
NOTHING = r"^The program took no action"  # it ran to its end and got nothing out of it

LOOPS = {
    "endless-loop": ("while True: pass", TIME),
    "long-sum": ("sum(range(10**12))", TIME),
    "long-search": ("10**11 in iter(range(10**12))", TIME),
    "endless-repeat": ("import itertools\nfor _ in itertools.repeat(1): pass", TIME),
    "endless-comprehension": ("any(False for _ in iter(int, 1))", EITHER),
    "swallowed-timeout": ("while True:\n  try:\n    while True: pass\n  except BaseException: pass", TIME),
    "timeout-in-finally": ("try:\n  while True: pass\nfinally:\n  while True: pass", TIME),
    "timeout-then-act": ("try:\n  while True: pass\nexcept BaseException: pass\nforward()", TIME),
    "timeout-in-handler": (
        "def spin():\n  while True: pass\n"
        "for _ in range(99):\n  try: spin()\n  except TimeoutError: forward()",
        TIME,
    ),
    "loop-in-policy": ("def policy():\n  while True: pass", TIME),
    "loop-in-sort-key": ("def key(x):\n  while True: pass\nsorted([2, 1], key=key)", TIME),
    "loop-in-repr": (
        "class A:\n  def __repr__(self):\n    while True: pass\nrepr(A())",
        TIME,
    ),
    "loop-in-exec": ("exec('while True: pass')", TIME),
    "loop-in-async": (
        "import asyncio\nasync def f():\n  while True: await asyncio.sleep(0)\nasyncio.run(f())",
        TIME,
    ),
    "sleep-for-ever": ("import time\ntime.sleep(10**9)", NOTHING),
    "wait-for-the-clock": ("import time\nend = time.time() + 1\nwhile time.time() < end: pass", TIME),
}

MEMORY_BOMBS = {
    "list": ("x = [0] * 10**9", MEMORY),
    "growing-list": ("x = []\nwhile True: x.append(x[:])", MEMORY),
    "doubling-list": ("x = [0]\nwhile True: x += x", MEMORY),
    "text": ("'a' * 10**10", MEMORY),
    "doubling-text": ("x = 'a'\nwhile True: x += x", MEMORY),
    "joined-text": ("' '.join(['a' * 1000] * 10**6)", MEMORY),
    "replaced-text": ("x = ('a' * 10**6).replace('a', 'b' * 10**4)", MEMORY),
    "padded-text": ("'a'.ljust(10**10)", MEMORY),
    "bytes": ("bytes(10**10)", MEMORY),
    "dict": ("x = {}\nfor i in range(10**9): x[i] = i", MEMORY),
    "set": ("set(range(10**9))", MEMORY),
    "tuple-product": (
        "import itertools\nlist(itertools.product(range(1000), repeat=3))",
        MEMORY,
    ),
    "swallowed": ("while True:\n  try: x = [0] * 10**9\n  except BaseException: pass", MEMORY),
    "in-an-argument": ("forward('a' * 15_000_000)", MEMORY),
    "wide-argument": ("turn([[]] * 500_000)", REFUSED),
    "shared-argument": ("x = [1]\nfor _ in range(60): x = [x, x]\nturn(x)", REFUSED),
    "deep-argument": ("x = []\nfor _ in range(20_000): x = [x]\nturn(x)", REFUSED),
    "cyclic-argument": ("x = []\nx.append(x)\nturn(x)", "must be a number"),
    "shared-result": ("x = [1]\nfor _ in range(60): x = [x, x]\nx", NOTHING),
    "repr-of-shared": ("x = [1]\nfor _ in range(60): x = [x, x]\nrepr(x)", EITHER),
    "json-of-shared": (
        "import json\nx = [1]\nfor _ in range(60): x = [x, x]\njson.dumps(x)",
        EITHER,
    ),
}

BIG_NUMBERS = {
    "power": ("10 ** 10 ** 9", MEMORY),
    "modest-powers": ("x = 3\nwhile True: x = x * x", EITHER),
    "pow": ("pow(3, 10**9)", MEMORY),
    "modular-pow": ("pow(3, 10**4000, 10**4000 + 7)", rf"{EITHER}|{NOTHING}"),
    "shift": ("1 << 10**11", MEMORY),
    "factorial": ("import math\nmath.factorial(10**7)", EITHER),
    "digits": ("str(10**100_000)", "ValueError: Exceeds the limit"),
    "parsing": ("int('9' * 10**6)", "ValueError: Exceeds the limit"),
    "huge-argument": ("turn(2**100_000)", REFUSED),
    "infinite-argument": ("turn(float('inf'))", REFUSED),
    "not-a-number": ("turn(float('nan'))", REFUSED),
    "decimal": ("import decimal\ndecimal.Decimal(10) ** 10**9", "Overflow"),
    "format-width": ("f'{1:>10000000000}'", MEMORY),
    "percent-width": ("'%10000000000d' % 1", MEMORY),
}

RECURSIONS = {
    "function": ("def f(): f()\nf()", RECURSION),
    "policy": ("def policy(): policy()", RECURSION),
    "mutual": ("def f(): g()\ndef g(): f()\nf()", RECURSION),
    "swallowed": (
        "def f():\n  try: f()\n  except BaseException: f()\nf()",
        TIME,
    ),
    "repr": ("class A:\n  def __repr__(self): return repr(self)\nrepr(A())", RECURSION),
    "deep-json": ("import json\nx = []\nfor _ in range(20_000): x = [x]\njson.dumps(x)", "RecursionError"),
    "deep-json-text": ("import json\njson.loads('[' * 100_000)", "JSONDecodeError: recursion limit exceeded"),
    "deep-compare": (
        "x, y = [], []\nfor _ in range(20_000): x, y = [x], [y]\nx == y",
        RECURSION,
    ),
}

SOURCES = {
    "brackets": ("[" * 10_000, NESTED),
    "signs": ("-" * 10_000 + "1", NESTED),
    "nots": ("not " * 4_000 + "1", NESTED),
    "sums": ("+".join("1" for _ in range(9_000)), NESTED),
    "attributes": ("a" + ".b" * 9_000, NESTED),
    "blocks": ("".join(" " * n + "if 1:\n" for n in range(140)) + " " * 140 + "[" * 70 + "]" * 70, NESTED),
    "arguments": ("forward(" + "1," * 9_000 + ")", "more than 255 positional arguments"),
    "nested-in-eval": ("eval('(' * 5000 + ')' * 5000)", NESTED),
    "format-nesting": ("f'" + "{x:" * 2_000 + "'", "SyntaxError"),
    "enormous": ("x = 1\n" * 10_000, "more than 20000 characters"),
    "nul-bytes": ("forward()\x00\nimport os", "SyntaxError"),
    "lone-surrogate": ("x = '\\ud800'\nprint(x)", NOTHING),
    "raw-surrogate": ("x = '\ud800'", "SyntaxError: source code is not valid UTF-8"),
    "right-to-left": ("x = 1 \u202e# ;os tropmi\nforward(x)", "SyntaxError"),
    "look-alike-name": ("fоrward()", "NameError"),  # the first o is Cyrillic
    "full-width-name": ("ｏｐｅｎ('/etc/passwd')", "PermissionError|NameError"),
    "form-feeds": ("\f" * 10_000 + "1/0", "^line 1: 1/0\nZeroDivisionError"),
    "empty": ("", NOTHING),
}

REACHING = {
    "environment": ("import os\nprint(os.environ)", "not supported"),
    "getenv": ("import os\nprint(os.getenv('GARTEN_SECRET'))", "not supported"),
    "system": ("import os\nos.system('id')", "AttributeError"),
    "listing": ("import os\nprint(os.listdir('/'))", "PermissionError"),
    "password-file": ("print(open('/etc/passwd').read())", "PermissionError"),
    "write-file": (f"open('{OUTSIDE}', 'w').write('x')", "PermissionError"),
    "pathlib": ("from pathlib import Path\nprint(Path('/etc/passwd').read_text())", "PermissionError"),
    "own-file": ("print(open(__file__).read())", "PermissionError"),
    "subprocess": ("import subprocess", "ModuleNotFoundError"),
    "socket": ("import socket", "ModuleNotFoundError"),
    "web": ("import urllib.request", "ModuleNotFoundError"),
    "ctypes": ("import ctypes", "ModuleNotFoundError"),
    "threads": ("import threading", "ModuleNotFoundError"),
    "collector": ("import gc\nprint(gc.get_objects())", "ModuleNotFoundError"),
    "the-world": ("import garten.worlds", "ModuleNotFoundError"),
    "the-sandbox": ("import pydantic_monty", "ModuleNotFoundError"),
    "builtins-module": ("import builtins", "ModuleNotFoundError"),
    "dunder-import": ("__import__('os').system('id')", "NameError"),
    "builtins": ("__builtins__['open']", "NameError"),
    "loaded-modules": ("import sys\nprint(sys.modules)", "AttributeError"),
    "frames": ("import sys\nsys._getframe(1)", "AttributeError"),
    "classes": ("().__class__.__base__.__subclasses__()", "AttributeError"),
    "classes-by-type": ("type(()).__mro__[1].__subclasses__()", "AttributeError"),
    "classes-by-getattr": ("getattr((), '__cla' + 'ss__')", "AttributeError"),
    "globals-of-function": ("def f(): pass\nf.__globals__", "AttributeError"),
    "code-of-function": ("def f(): pass\nf.__code__", "AttributeError"),
    "globals-of-action": ("move = forward\nmove.__globals__", "AttributeError"),
    "self-of-action": ("getattr(forward, '__self__')", "AttributeError"),
    "traceback": ("try: 1/0\nexcept Exception as error: error.__traceback__.tb_frame", "AttributeError"),
    "host-error": (
        "try: turn(999)\nexcept ValueError as error: error.__traceback__.tb_frame.f_globals",
        "AttributeError",
    ),
    "host-error-arguments": (
        "try: turn(999)\nexcept ValueError as error: print(error.args, error.__cause__)",
        "AttributeError",
    ),
    "format-string": ("print('{0.__class__.__init__.__globals__}'.format(forward))", "AttributeError"),
    "format-map": ("print('{x.__class__}'.format_map({'x': 1}))", "AttributeError"),
    "result-of-action": ("forward().__class__", "AttributeError"),
    "coroutine-frame": ("async def f(): pass\nf().cr_frame", "AttributeError"),
    "generator-frame": ("(x for x in [1]).gi_frame", "AttributeError"),
    "yield": ("def f():\n  yield forward()\nlist(f())", "NotImplementedError"),
    "await-action": ("async def f():\n  await forward()\nawait f()", "TypeError"),
    "metaclass": ("class A(metaclass=type): pass", "NotImplementedError"),
    "eval": ("eval('open(\"/etc/passwd\")')", "PermissionError"),
    "exec-import": ("exec('import socket')", "ModuleNotFoundError"),
    "compile": ("compile('1', 'x', 'eval')", "NameError"),
    "input": ("input()", "NameError"),
    "breakpoint": ("breakpoint()", "NameError"),
    "exit": ("raise SystemExit", "SystemExit"),
    "keyboard-interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "pickle": ("import pickle", "ModuleNotFoundError"),
    "score": ("print(score())", "NameError"),
    "world-by-name": ("world.state", "NameError"),
    "observation-by-name": ("observation.frame", "NameError"),
}

FLOODS = {
    "actions": ("while True: forward()", CALLS),
    "wrong-actions": ("while True:\n  try: turn(999)\n  except ValueError: pass", CALLS),
    "unknown-actions": ("while True:\n  try: fly()\n  except NameError: pass", CALLS),
    "unknown-names": ("while True:\n  try: fly\n  except NameError: pass", CALLS),
    "file-calls": ("while True:\n  try: open('/etc/passwd')\n  except OSError: pass", CALLS),
    "imports": ("while True:\n  try: import socket\n  except ImportError: pass", CALLS),
    "swallowing-everything": ("while True:\n  try: fly()\n  except BaseException: pass", CALLS),
    "prints": ("while True: print('x')", PRINTED),
    "one-big-print": ("print('x' * 1_000_000)", PRINTED),
    "swallowed-prints": ("while True:\n  try: print('x')\n  except BaseException: pass", PRINTED),
    "stderr": ("import sys\nwhile True: print('x', file=sys.stderr)", PRINTED),
    "long-error": ("raise ValueError('x' * 1_000_000)", r"^line 1: .{1,400}\nValueError: x{288}$"),
}

REGEXES = {
    "nested-stars": ("import re\nre.match('(a+)+$', 'a' * 50 + 'b')", NOTHING),
    "backtracking": (r"import re" + "\n" + r"re.match('(a*)*\\1b', 'a' * 60)", "PatternError"),
    "look-ahead": ("import re\nre.findall('(?=(a+))' * 8, 'a' * 100_000)", EITHER),
    "repeats": (
        "import re\nre.match('((a{1000}){1000}){1000}', 'a' * 10_000)",
        "PatternError: Error compiling regex",
    ),
    "deep-pattern": ("import re\nre.compile('(' * 5000 + ')' * 5000)", "PatternError"),
}

ACTIONS_IN_ODD_PLACES = {
    "redefined": ("forward = 3\nforward()", "TypeError: 'int' object is not callable"),
    "replaced-by-function": ("def forward(): forward()\nforward()", RECURSION),
    "attribute-set": ("setattr(forward, 'x', 1)", "AttributeError"),
    "wrong-type": ("turn('left')", "must be a number"),
    "object-argument": ("class A: pass\nturn(A())", REFUSED),
    "class-argument": ("class A: pass\nturn(A)", "must be a number"),
    "function-argument": ("turn(forward)", "must be a number"),
    "many-arguments": ("turn(*range(200))", "too many positional arguments"),
    "unknown-arguments": ("turn(**{str(n): n for n in range(200)})", "TypeError"),
    "in-sort-key": ("sorted([2, 1], key=turn)", UNSUSPENDED),
    "in-map": ("list(map(turn, [2, 1]))", UNSUSPENDED),
    "in-repr": ("class A:\n  def __repr__(self): return forward() or 'a'\nrepr(A())", UNSUSPENDED),
    "in-comparison": ("class A:\n  def __eq__(self, other): forward()\nA() == 1", UNSUSPENDED),
    "as-decorator": ("@turn\ndef f(): pass", "must be a number"),
    "out-of-range": ("turn(1e308)", "must lie between"),
}

ATTACKS = {
    f"{group}: {name}": attack
    for group, attacks in {
        "loop": LOOPS,
        "memory": MEMORY_BOMBS,
        "number": BIG_NUMBERS,
        "recursion": RECURSIONS,
        "source": SOURCES,
        "reach": REACHING,
        "flood": FLOODS,
        "regex": REGEXES,
        "action": ACTIONS_IN_ODD_PLACES,
    }.items()
    for name, attack in attacks.items()
}


class Attacker:
    """A seat that hands in one hostile program, then a plain one."""

    def __init__(self, source: str) -> None:
        self.programs = [source, "turn(7)"]
        self.replies: list[Reply] = []

    def program(self, reply: Reply) -> str | None:
        self.replies.append(reply)
        return self.programs.pop(0) if self.programs else None

    def notes(self) -> dict[str, str]:
        return {}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    os.environ["GARTEN_SECRET"] = SECRET
    try:
        with Sandbox(LIMITS) as opened:
            yield opened
    finally:
        del os.environ["GARTEN_SECRET"]


def view(number: int) -> Observation:
    return Observation(f"o{number}", "dog", float(number), "", lambda: np.zeros((9, 16, 3), np.uint8))


def play(agent: ProgramAgent) -> list[Action]:
    """Let the agent act until it rests."""
    taken: list[Action] = []
    while (action := agent.act(view(len(taken)), time_left=60.0)) is not None:
        taken.append(action)
    return taken


def peak_memory() -> int:
    """The most this process ever held, in bytes (Linux counts in kB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_there_are_many_attacks() -> None:
    assert len(ATTACKS) >= 60


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_contained_and_the_episode_goes_on(name: str, sandbox: Sandbox, tmp_path: Path) -> None:
    source, expected = ATTACKS[name]
    seat = Attacker(source.replace(OUTSIDE, str(tmp_path / "written")))
    agent = ProgramAgent(seat, TASK, sandbox, seed=0)
    memory = peak_memory()
    taken = play(agent)

    _, after_attack, after_plain = seat.replies
    assert re.search(expected, after_attack.error), after_attack.error
    told = after_attack.error + after_attack.printed
    assert len(told) < 5_000
    for hidden in (SECRET, str(Path.cwd()), sys.prefix, "root:"):
        assert hidden not in told
    assert all(action.name == "forward" for action in taken[:-1])
    assert (taken[-1], after_plain.error) == (Action("turn", {"angle": 7.0}), "")
    assert peak_memory() - memory < 50_000_000
    assert "GARTEN_SECRET" in os.environ
    assert not any(tmp_path.iterdir())
