"""A role that acts through programs: its player hands in one, it runs to its end, the player gets a reply.

A program is a batch of actions, or defines ``policy()`` which calls them. Each action is a function named as
in the task that returns nothing: inside one submission nothing is seen. The sandboxed program is suspended in
each action while the world moves, and the time limit drops whatever is left of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

from garten.errors import WorldError
from garten.records import Action, ActionSpec, Observation, Reply, Seat, Submission, Task
from garten.sandbox import Call, Failed, Program, Sandbox
from garten.worlds.given import check_arguments

EMPTY_LIMIT = 3
"""Programs in a row without an action after which a role rests, so that no game goes on for ever."""


class ProgramAgent:
    """An `Agent` that runs the programs of one seat in a sandbox."""

    def __init__(
        self,
        seat: Seat,
        task: Task,
        sandbox: Sandbox,
        *,
        seed: int,
        library: Mapping[str, str] | None = None,
    ) -> None:
        """Take the seat's role in one episode.

        Args:
            seat: hands in programs.
            task: names the role and its actions.
            sandbox: runs the programs.
            seed: what the programs' `random` starts from.
            library: Python by lesson name, whose functions every program can call.
        """
        self._seat = seat
        self._sandbox = sandbox
        self._role = task.role
        self._specs = {spec.name: spec for spec in task.actions}
        self._functions = {spec.name: _signature(spec) for spec in task.actions}
        self._seed = seed
        self._library = dict(library or {})
        self._seen: list[Observation] = []  # since the last reply
        self._submissions: list[Submission] = []  # of programs that have ended
        self._taken = 0  # actions so far
        self._empty = 0  # programs without an action, in a row
        self._resting = False
        self._program: Program | None = None  # the running one, and about it:
        self._source = ""
        self._first = 0  # actions taken before it
        self._remarks = ""  # lessons left out of it

    @property
    def submissions(self) -> tuple[Submission, ...]:
        """The programs handed in, in order; the last may still be running."""
        running = [] if self._program is None else [self._submission(self._program)]
        return (*self._submissions, *running)

    @property
    def notes(self) -> Mapping[str, Any]:
        """What the player wants back in review."""
        return self._seat.notes()

    def act(self, observation: Observation, *, time_left: float) -> Action | None:
        """The next action, asking the seat for programs as they run out; None once the role rests.

        Raises:
            ModelError: the seat's model failed; the episode cannot go on.
        """
        if self._resting:
            return None
        self._seen.append(observation)
        if self._program is not None:
            self._program.resume()
        while (action := self._next_action()) is None:
            reply = self._reply(time_left=time_left)
            source = None if self._empty == EMPTY_LIMIT else self._seat.program(reply)
            if source is None:
                self._resting = True
                return None
            self._start(source)
        self._taken += 1
        return action

    def finish(self, observation: Observation) -> None:
        """Drop the rest of the program and give the seat its last reply, with what is seen at the end."""
        self._seen.append(observation)
        self._seat.program(self._reply(time_left=0.0, over=True))

    # --- inside ------------------------------------------------------------------------------------

    def _start(self, source: str) -> None:
        self._source, self._first = source, self._taken
        self._program = self._sandbox.start(
            source,
            functions=self._functions,
            seed=f"{self._seed}/{len(self._submissions)}",
            library=self._library,
        )
        rejected = self._program.rejected
        self._remarks = "".join(f"[{name} was left out: {why}]\n" for name, why in rejected.items())
        self._library = {name: code for name, code in self._library.items() if name not in rejected}

    def _next_action(self) -> Action | None:
        """The action the running program waits in; None if it has ended or there is none."""
        while self._program is not None and isinstance(call := self._program.state, Call):
            try:
                return Action(call.name, check_arguments(self._specs[call.name], call.arguments))
            except WorldError as error:
                self._program.fail(str(error))
        return None

    def _reply(self, *, time_left: float, over: bool = False) -> Reply:
        """The reply to the running program, which is dropped and put on record, or to none."""
        printed = error = ""
        if self._program is not None:
            self._program.close()
            submission = self._submission(self._program)
            printed, error = submission.printed, submission.error
            self._empty = 0 if submission.count else self._empty + 1
            self._submissions.append(submission)
            self._program = None
        seen, self._seen = tuple(self._seen), []
        return Reply(seen, printed, error, time_left, over)

    def _submission(self, program: Program) -> Submission:
        """The running program as it stands, for the record."""
        count = self._taken - self._first
        error = program.state.error if isinstance(program.state, Failed) else ""
        if not count:
            error = error or "The program took no action; call at least one."
            if self._empty + 1 == EMPTY_LIMIT:
                error += f"\n{EMPTY_LIMIT} programs in a row took no action: the role rests from now on."
        printed = self._remarks + program.printed
        return Submission(self._role, self._source, self._first, count, printed, error)


def _signature(spec: ActionSpec) -> Signature:
    """How a program calls the action: its arguments by position or by name."""
    return Signature(
        [
            Parameter(
                argument.name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=Parameter.empty if argument.default is None else argument.default,
            )
            for argument in spec.arguments
        ]
    )
