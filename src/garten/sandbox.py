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

import builtins
import math
import os
import re
import symtable
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from inspect import Signature
from typing import Any, Self

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

MESSAGE_LENGTH = 300
"""Characters of an error message, and of a line of code in it, that reach the player."""

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


@dataclass(frozen=True)
class _Loaded:
    """A worker that has run the library and waits for the program."""

    session: MontySession
    library: tuple[str, ...]  # names of the pieces it ran, in order
    rejected: Mapping[str, str]  # pieces left out, and why
    held: ExitStack  # gives the worker back when closed


class Program:
    """A running program, suspended at a call or ended; `Sandbox.start` makes it.

    It holds a worker until it ends or is closed, by `close` or at the end of a ``with`` block.
    """

    state: State

    def __init__(
        self, source: str, loaded: _Loaded, *, functions: Mapping[str, Signature], limits: Limits
    ) -> None:
        self._source = source
        self._loaded = loaded
        self._functions = functions
        self._limits = limits
        self._output = _Output(limits.printed)
        self._suspensions = 0
        self._called = False  # some host function
        self._entered = False  # ENTRY was called on the program's behalf
        if len(source) > limits.source:
            self.state = Failed(f"The program has more than {limits.source} characters; shorten it.")
            self.close()
        else:
            self._run(lambda: self._feed(source))

    @property
    def printed(self) -> str:
        """What the program printed so far."""
        return "".join(self._output.parts)

    @property
    def rejected(self) -> Mapping[str, str]:
        """By name: pieces of the library that were left out, and why."""
        return self._loaded.rejected

    def resume(self, value: Any = None) -> State:
        """Return `value` (plain data) from the call the program waits in, and run on to the next state."""
        return self._answer({"return_value": value})

    def fail(self, message: str) -> State:
        """Raise a `ValueError` from the call the program waits in, and run on to the next state."""
        return self._answer({"exc_type": "ValueError", "message": message})

    def close(self) -> None:
        """Drop the program where it stands; harmless when repeated."""
        self._loaded.held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------

    def _answer(self, result: Any) -> State:
        if not isinstance(self.state, Call):
            raise ValueError("The program has ended; start another one.")
        waiting = self._waiting
        return self._run(lambda: waiting.resume(result))

    def _feed(self, source: str) -> SyncSnapshot:
        return self._loaded.session.feed_start(source, print_callback=self._output)

    def _run(self, step: Callable[[], SyncSnapshot]) -> State:
        """Let the program run to its next state; a worker is given back as soon as it has ended."""
        try:
            self.state = self._drive(step())
        except MontyError as error:
            self.state = Failed(self._explain(error))
        if not isinstance(self.state, Call):
            self.close()
        return self.state

    def _drive(self, snapshot: SyncSnapshot) -> State:
        """Answer whatever needs no caller until the program calls a host function properly, or ends."""
        while True:
            if isinstance(snapshot, MontyComplete):
                if not self._entry_due:
                    return Finished(_plain_or_none(snapshot.output))
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
                try:
                    call = self._read(snapshot)
                except (NameError, TypeError) as error:
                    snapshot = snapshot.resume({"exception": error})
                else:
                    self._called, self._waiting = True, snapshot
                    return call

    @property
    def _entry_due(self) -> bool:
        return not self._called and not self._entered and bool(_ENTRY_DEFINED.search(self._source))

    def _look_up(self, snapshot: NameLookupSnapshot) -> SyncSnapshot:
        """Hand out a host function as a value, as in ``for move in (left, right): move()``."""
        name = snapshot.variable_name
        return snapshot.resume(value=_handle(name)) if name in self._functions else snapshot.resume()

    def _read(self, snapshot: FunctionSnapshot) -> Call:
        """The host call a snapshot stands for, or the exception to raise in the program instead."""
        name = snapshot.function_name
        if name not in self._functions:
            known = ", ".join(self._functions) or "none"
            raise NameError(f"name '{name}' is not defined; the functions are {known}")
        if not _is_plain([list(snapshot.args), snapshot.kwargs]):
            raise TypeError(f"{name}() takes finite numbers, text, lists and dicts of moderate size only")
        try:
            return Call(name, self._functions[name].bind(*snapshot.args, **snapshot.kwargs).arguments)
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None

    def _explain(self, error: MontyError) -> str:
        if self._output.full:
            return f"The program printed more than {self._limits.printed} characters; print less."
        return _describe(error, limits=self._limits, library=self._loaded.library)


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

    def __exit__(self, *_: object) -> None:
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
                the host functions itself. A piece that fails, or that redefines a host function or a
                built-in, is left out and named in `Program.rejected`.
        """
        rejected = {name: why for name, code in (library or {}).items() if (why := clash(code, functions))}
        pieces = {name: code for name, code in (library or {}).items() if name not in rejected}
        while True:
            held = ExitStack()
            session = held.enter_context(self._checkout(seed))
            failure = self._load(session, pieces)
            if failure is None:
                break
            held.close()  # a failed piece may have left half of itself behind
            name, rejected[name] = failure
            del pieces[name]
        loaded = _Loaded(session, tuple(pieces), rejected, held)
        return Program(source, loaded, functions=functions, limits=self.limits)

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

    def _load(self, session: MontySession, pieces: Mapping[str, str]) -> tuple[str, str] | None:
        """Run library pieces in order; the name of the first that fails, and why."""
        for index, (name, source) in enumerate(pieces.items()):
            if len(source) > self.limits.source:
                return name, f"It has more than {self.limits.source} characters; shorten it."
            try:
                session.feed_run(source, external_lookup={}, print_callback=_ignore)
            except MontyError as error:
                return name, _describe(error, limits=self.limits, library=tuple(pieces)[:index])
        return None


def clash(source: str, functions: Collection[str]) -> str:
    """Why this code may not be a library: it gives another meaning to one of `functions` or to a built-in.

    It would change what other people's programs do. An empty string if it may, or is no Python.
    """
    try:
        bound = _bound_names(symtable.symtable(source, "library", "exec"), everywhere=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    taken = sorted(bound & {*functions, *dir(builtins)})
    return f"It redefines {taken[0]}, which other programs use; take another name." if taken else ""


def _bound_names(table: symtable.SymbolTable, *, everywhere: bool) -> set[str]:
    """The global names that code binds; inside functions, `everywhere` False, those declared ``global``."""
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if (everywhere or symbol.is_declared_global()) and (symbol.is_assigned() or symbol.is_imported())
    }
    return names.union(*(_bound_names(inner, everywhere=False) for inner in table.get_children()))


# --- errors, as the player reads them ----------------------------------------------------------------


def _describe(error: MontyError, *, limits: Limits, library: tuple[str, ...]) -> str:
    """The player's own lines, innermost last, then the exception; `library` was fed before the program."""
    if isinstance(error, MontyCrashedError) and error.timed_out:
        return _too_slow(limits)
    if isinstance(error, MontyCrashedError):
        return "The code broke the interpreter it ran in and was stopped; write it another way."
    places = {f"<python-input-{index}>": f"{name} line" for index, name in enumerate(library)}
    places |= {f"<python-input-{len(library)}>": "line", "program": "line", "<string>": "string line"}
    frames: list[Frame] = error.traceback() if hasattr(error, "traceback") else []
    lines = [_describe_frame(frame, places[frame.filename]) for frame in frames if frame.filename in places]
    told = "\n".join([*lines[-_FRAMES:], _describe_exception(error, limits, traced=bool(frames))])
    return "".join(map(_visible, told))


def _visible(character: str) -> str:
    """A character as it is, or its escape if it would steer the screen that it is shown on."""
    return character if character.isprintable() or character in "\n\t" else ascii(character)[1:-1]


def _describe_frame(frame: Frame, place: str) -> str:
    function = frame.function_name
    inside = f", in {function}" if function and function != "<module>" else ""
    return f"{place} {frame.line}{inside}: {(frame.source_line or '').strip()[:MESSAGE_LENGTH]}"


def _describe_exception(error: MontyError, limits: Limits, *, traced: bool) -> str:
    """The exception's name and message; limits in our words, without figures that differ between machines."""
    exception = error.exception()
    if isinstance(exception, TimeoutError) and not traced:
        return _too_slow(limits)
    if isinstance(exception, MemoryError):
        return f"MemoryError: the program needs more than {limits.memory / 1e6:g} MB"
    text: str = error.display("type-msg") if hasattr(error, "display") else str(error)
    return text[:MESSAGE_LENGTH]


def _too_slow(limits: Limits) -> str:
    return f"TimeoutError: the program ran for more than {limits.seconds:g} s"


# --- what crosses the boundary -----------------------------------------------------------------------


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


def _plain_or_none(value: Any) -> Any:
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
