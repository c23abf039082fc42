"""Untrusted Python under limits: a program is a suspended call that stops at every host function it calls.

Programs run in pydantic-monty, an interpreter of a Python subset that has no files, processes, sockets or
environment to begin with. It runs in worker processes of its own, never inside this one: no interpreter can
promise to survive its own stack or allocator, so a hostile program may take down a worker, and the pool
starts another. Time and memory are limited inside the worker; a deadline out here kills one that overruns.

    with Sandbox() as sandbox, sandbox.start(source, functions=functions, seed="7") as program:
        while isinstance(program.state, Call):
            program.resume(do(program.state.name, program.state.arguments))

A program sees the functions it was given, harmless built-ins and a few pure modules (`math`, `random`, `re`,
`json` ...). The clock stands still, sleep is free, `random` starts from the seed: same source, same answers,
same result. What the boundary covers and what not is in ``docs/safety.md``.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from inspect import Signature
from types import TracebackType
from typing import Any, Literal, Self

from pydantic_monty import (
    Frame,
    FunctionSnapshot,
    Monty,
    MontyComplete,
    MontyCrashedError,
    MontyError,
    MontySession,
    NameLookupSnapshot,
    SyncSnapshot,
)

NOW = datetime(2000, 1, 1, tzinfo=UTC)
"""What every program reads on the clock."""

ENTRY = "policy"
"""A program that defines this function, and has called no host function by its end, has it called."""

PLAIN_SIZE = 100_000
"""Values (numbers, texts, lists ...) that may cross the boundary at once; shared ones count each time."""

PLAIN_DEPTH = 20
"""How deep such values may be nested."""

MESSAGE_LENGTH = 500
"""Characters of an error message that reach the player."""

_SUSPENDED = 256  # programs that may be suspended at once in one sandbox; each holds a worker
_CHECKOUT_SECONDS = 60.0  # wait for a worker of an exhausted pool
_DEADLINE_SECONDS = 5.0  # past its own time limit a worker is killed from out here
_FRAMES = 4  # innermost lines of a traceback that reach the player

_ENTRY_DEFINED = re.compile(rf"^[ \t]*def {ENTRY}\b", re.MULTILINE)

_opened_by: int | None = None  # the process that first opened a pool here; see `Sandbox`


@dataclass(frozen=True)
class Limits:
    """What one program may use up."""

    seconds: float = 2.0  # of running; time spent waiting for answers does not count
    memory: int = 32_000_000  # bytes
    depth: int = 200  # calls inside calls
    calls: int = 1_000  # host functions called and unknown names looked up
    printed: int = 10_000  # characters
    source: int = 50_000  # characters


@dataclass(frozen=True)
class Call:
    """The program waits for the result of a host function."""

    name: str
    arguments: Mapping[str, Any]  # by parameter name; plain data, numbers finite and within 64 bits


@dataclass(frozen=True)
class Finished:
    """The program ran to its end."""

    value: Any  # of its last line if that is an expression of plain data, else None


@dataclass(frozen=True)
class Failed:
    """The program was refused, raised an exception or ran past a limit."""

    error: str  # for the player, with its own line numbers


State = Call | Finished | Failed


class Program:
    """A running program, suspended at a call or ended; `Sandbox.start` makes it.

    Close it when it is no longer wanted, as a context manager or with `close`: it holds a worker until then.
    """

    state: State
    rejected: Mapping[str, str]  # library pieces that could not be loaded, and why

    def __init__(
        self,
        session: MontySession,
        functions: Mapping[str, Signature],
        *,
        limits: Limits,
        library: tuple[str, ...],
        rejected: Mapping[str, str],
        release: Callable[[], None],
    ) -> None:
        self._session = session
        self._functions = functions
        self._limits = limits
        self._library = library
        self._release = release
        self._output = _Output(limits.printed)
        self._suspensions = 0
        self._called = False
        self._entered = False
        self.rejected = rejected
        self.state = Failed("The program has not started.")

    @property
    def printed(self) -> str:
        """What the program printed so far."""
        return "".join(self._output.parts)

    def resume(self, value: Any = None) -> State:
        """Return `value` (plain data) from the call the program waits in, and run on to the next state."""
        return self._answer({"return_value": value})

    def fail(self, message: str) -> State:
        """Raise a `ValueError` from the call the program waits in, and run on to the next state."""
        return self._answer({"exc_type": "ValueError", "message": message})

    def close(self) -> None:
        """Drop the program where it stands; harmless when repeated."""
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------

    def begin(self, source: str) -> None:
        """Run `source` to its first state; `Sandbox.start` calls this once."""
        if len(source) > self._limits.source:
            self.state = Failed(
                f"The program has {len(source)} characters; shorten it to {self._limits.source} or fewer."
            )
            self.close()
            return
        self._source = source
        self._run(lambda: self._feed(source))

    def _feed(self, source: str) -> SyncSnapshot:
        return self._session.feed_start(source, print_callback=self._output)

    def _answer(self, result: Any) -> State:
        if not isinstance(self.state, Call):
            raise ValueError("The program has ended; start another one.")
        call = self._snapshot
        return self._run(lambda: call.resume(result))

    def _run(self, step: Callable[[], SyncSnapshot]) -> State:
        """Let the program run to its next state."""
        try:
            self.state = self._drive(step())
        except MontyError as error:
            self.state = Failed(self._explain(error))
        if not isinstance(self.state, Call):
            self.close()
        return self.state

    def _drive(self, snapshot: SyncSnapshot) -> State:
        """Answer what needs no caller: unknown names, wrong arguments, the operating system."""
        while True:
            if isinstance(snapshot, MontyComplete):
                if not self._entry_due:
                    return Finished(_plain_or_none(snapshot))
                self._entered = True
                snapshot = self._feed(f"{ENTRY}()")
                continue
            self._suspensions += 1
            if self._suspensions > self._limits.calls:
                return Failed(f"The program called functions more than {self._limits.calls} times.")
            if isinstance(snapshot, NameLookupSnapshot):
                snapshot = self._look_up(snapshot)
            elif not isinstance(snapshot, FunctionSnapshot):
                return Failed("The program waits for something that never happens.")
            elif snapshot.is_os_function:
                snapshot = snapshot.resume_not_handled()
            else:
                call = self._read(snapshot)
                if isinstance(call, Call):
                    self._called = True
                    self._snapshot = snapshot
                    return call
                kind, message = call
                snapshot = snapshot.resume({"exc_type": kind, "message": message})

    @property
    def _entry_due(self) -> bool:
        """The program has ended without a call, and it may define a function to be called for it."""
        return not self._called and not self._entered and bool(_ENTRY_DEFINED.search(self._source))

    def _look_up(self, snapshot: NameLookupSnapshot) -> SyncSnapshot:
        """Hand out a host function as a value, as in ``for move in (left, right): move()``."""
        name = snapshot.variable_name
        if name not in self._functions:
            return snapshot.resume()
        return snapshot.resume(value=_handle(name))

    def _read(self, snapshot: FunctionSnapshot) -> Call | tuple[Literal["NameError", "TypeError"], str]:
        """The host call a snapshot stands for, or the exception to raise in its place."""
        name = snapshot.function_name
        signature = self._functions.get(name)
        if signature is None:
            known = ", ".join(self._functions) or "none"
            return "NameError", f"name '{name}' is not defined; the functions are {known}"
        if not _is_plain([list(snapshot.args), snapshot.kwargs]):
            return "TypeError", f"{name}() takes finite numbers, text, lists and dicts of moderate size only"
        try:
            return Call(name, signature.bind(*snapshot.args, **snapshot.kwargs).arguments)
        except TypeError as error:
            return "TypeError", f"{name}(): {error}"

    def _explain(self, error: MontyError) -> str:
        """What went wrong, for the player: its own lines, then the exception."""
        if self._output.full:
            return f"The program printed more than {self._limits.printed} characters; print less."
        if isinstance(error, MontyCrashedError):
            return "The program broke the interpreter it ran in and was stopped; write it another way."
        return _describe_error(error, limits=self._limits, library=self._library, program=len(self._library))


class Sandbox:
    """A pool of interpreter processes; keep one for a whole run.

    The pool opens with the first program and closes with `close`, at the end of a ``with`` block, or with the
    process. Programs of one sandbox share nothing. A sandbox belongs to the process that opened its pool, and
    a process forked after that cannot open another (the pool's threads are dead in it): start processes with
    multiprocessing's ``spawn``.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._pool: Monty | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the pool and whatever still runs in it; the next program opens it anew."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.__exit__(None, None, None)

    def start(
        self,
        source: str,
        *,
        functions: Mapping[str, Signature],
        seed: str,
        library: Mapping[str, str] | None = None,
    ) -> Program:
        """Start a program and run it to its first state.

        Args:
            source: Python, as the player wrote it.
            functions: the host functions it may call, by name; arguments are checked against the signature.
            seed: what the program's `random` starts from.
            library: code by name, run before the program, whose functions it can call. It can call none of
                the host functions itself. A piece that fails is left out and named in `Program.rejected`.
        """
        pieces = dict(library or {})
        rejected: dict[str, str] = {}
        while True:
            held = ExitStack()
            session = held.enter_context(self._checkout(seed))
            try:
                self._load(session, pieces)
                break
            except _LibraryError as error:
                held.close()
                rejected[error.piece] = str(error)
                del pieces[error.piece]
        program = Program(
            session,
            functions,
            limits=self.limits,
            library=tuple(pieces),
            rejected=rejected,
            release=held.close,
        )
        program.begin(source)
        return program

    def _open(self) -> Monty:
        """The pool of this process, opened if need be."""
        global _opened_by
        if _opened_by not in (None, os.getpid()):
            raise RuntimeError(
                "This process was forked after a sandbox was opened; start it with multiprocessing's 'spawn'."
            )
        if self._pool is None:
            _opened_by = os.getpid()
            self._pool = Monty(
                max_processes=_SUSPENDED,
                checkout_timeout=_CHECKOUT_SECONDS,
                request_timeout=self.limits.seconds + _DEADLINE_SECONDS,
            ).__enter__()
        return self._pool

    def _checkout(self, seed: str) -> MontySession:
        return self._open().checkout(
            script_name="program",
            limits={
                "max_feed_duration_secs": self.limits.seconds,
                "max_memory": self.limits.memory,
                "max_recursion_depth": self.limits.depth,
                # `Program` counts and explains; this one only ends library code that swallows its errors.
                "max_suspensions": 2 * self.limits.calls,
            },
            os_policy={"datetime": NOW, "sleep": "zero", "random_start": {"seed": seed}},
        )

    def _load(self, session: MontySession, pieces: Mapping[str, str]) -> None:
        """Run library pieces in order; none of them can call a host function or print."""
        for index, (name, source) in enumerate(pieces.items()):
            if len(source) > self.limits.source:
                raise _LibraryError(name, f"It has more than {self.limits.source} characters; shorten it.")
            try:
                session.feed_run(source, external_lookup={}, print_callback=_ignore)
            except MontyCrashedError as error:
                raise _LibraryError(name, "It broke the interpreter it ran in.") from error
            except MontyError as error:
                text = _describe_error(error, limits=self.limits, library=(), program=index)
                raise _LibraryError(name, text) from error


class _LibraryError(Exception):
    """A piece of a library cannot be used."""

    def __init__(self, piece: str, text: str) -> None:
        super().__init__(text)
        self.piece = piece


class _Output:
    """Keeps what a program prints, up to a number of characters; printing more ends the program."""

    def __init__(self, room: int) -> None:
        self.parts: list[str] = []
        self.full = False
        self._room = room

    def __call__(self, stream: str, text: str) -> None:
        kept = text[: self._room]
        self.parts.append(kept)
        self._room -= len(kept)
        self.full = len(kept) < len(text)
        if self.full:
            raise OverflowError("printed too much")


def _describe_error(error: MontyError, *, limits: Limits, library: tuple[str, ...], program: int) -> str:
    """An interpreter's error as the player should read it: a few of its lines, then the exception.

    Args:
        error: what the interpreter raised.
        limits: named in the text where one was exceeded.
        library: names of the pieces of code fed before the program.
        program: the program's place in the order of feeds; later feeds are not the player's.
    """
    names = {f"<python-input-{index}>": f"{name} line" for index, name in enumerate(library)}
    names |= {"program": "line", f"<python-input-{program}>": "line", "<string>": "text line"}
    frames: list[Frame] = error.traceback() if hasattr(error, "traceback") else []
    lines = [_describe_frame(frame, names[frame.filename]) for frame in frames if frame.filename in names]
    return "\n".join([*lines[-_FRAMES:], _describe_exception(error, limits, bool(frames))])


def _describe_frame(frame: Frame, where: str) -> str:
    function = frame.function_name
    inside = f", in {function}" if function and function != "<module>" else ""
    code = (frame.source_line or "").strip()[:MESSAGE_LENGTH]
    return f"{where} {frame.line}{inside}: {code}"


def _describe_exception(error: MontyError, limits: Limits, traced: bool) -> str:
    """The exception's name and message; limits in our words, without figures that differ between machines."""
    exception = error.exception()
    if isinstance(exception, TimeoutError) and not traced:
        return f"TimeoutError: the program ran for more than {limits.seconds:g} s"
    if isinstance(exception, MemoryError):
        return f"MemoryError: the program needs more than {limits.memory / 1e6:g} MB"
    text = exception.msg if isinstance(exception, SyntaxError) else str(exception)
    name = type(exception).__name__
    return f"{name}: {text[:MESSAGE_LENGTH]}" if text else name


def _plain_or_none(complete: MontyComplete) -> Any:
    value = complete.output
    return value if _is_plain(value) else None


def _is_plain(value: Any) -> bool:
    """Whether a value is made of None, bool, int, float, str, list, tuple and dict, finite, not too big."""
    waiting, seen = [(value, 0)], 0
    while waiting:
        item, depth = waiting.pop()
        seen += 1
        if seen + len(waiting) > PLAIN_SIZE or depth > PLAIN_DEPTH:
            return False
        kind = type(item)
        if kind in (list, tuple):
            waiting.extend((part, depth + 1) for part in item)
        elif kind is dict:
            waiting.extend((part, depth + 1) for pair in item.items() for part in pair)
        elif kind is int:
            if not -(2**63) <= item < 2**63:
                return False
        elif kind is float:
            if not math.isfinite(item):
                return False
        elif kind not in (str, bool, type(None)):
            return False
    return True


def _handle(name: str) -> Callable[[], None]:
    """An empty function that stands for a host function of that name when it is passed around as a value."""

    def stand_in() -> None: ...

    stand_in.__name__ = name
    return stand_in


def _ignore(stream: str, text: str) -> None:
    """Where library code prints to."""
