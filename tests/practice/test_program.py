from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from garten.errors import ModelError
from garten.practice.program import EMPTY_LIMIT, ProgramAgent
from garten.records import Action, ActionSpec, Argument, Observation, Reply, Task
from garten.sandbox import Sandbox

ACTIONS = (
    ActionSpec("wait", 1.0, "do nothing"),
    ActionSpec("forward", 2.0, "drive on"),
    ActionSpec(
        "turn",
        1.0,
        "turn in place",
        arguments=(
            Argument("angle", "float", -90.0, 90.0, None, "degrees, left is positive"),
            Argument("steps", "int", 1, 5, 1, "how often"),
        ),
    ),
)
TASK = Task("yard", "Reach the gate.", "dog", "dogs", (), ACTIONS, 60.0, (16, 9))


class Script:
    """A seat that hands in prepared programs and keeps the replies."""

    def __init__(self, *programs: str | None) -> None:
        self.programs = list(programs)
        self.replies: list[Reply] = []

    def program(self, reply: Reply) -> str | None:
        self.replies.append(reply)
        return self.programs.pop(0) if self.programs else None

    def notes(self) -> dict[str, int]:
        return {"replies": len(self.replies)}


class Dead:
    """A seat whose model does not answer."""

    def program(self, reply: Reply) -> str | None:
        raise ModelError("The endpoint is down; try again later.")

    def notes(self) -> dict[str, int]:
        return {}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def view(number: int) -> Observation:
    return Observation(f"o{number}", "dog", float(number), "", lambda: np.zeros((9, 16, 3), np.uint8))


def play(agent: ProgramAgent, actions: int) -> list[Action | None]:
    """Ask for `actions` actions, then end the episode."""
    taken = [agent.act(view(n), time_left=60.0 - n) for n in range(actions)]
    agent.finish(view(actions))
    return taken


def test_a_batch_is_taken_action_by_action_and_answered_with_a_view_of_each(sandbox: Sandbox) -> None:
    seat = Script("forward()\nturn(-30)\nprint('hello')\nturn(angle=5, steps=2)", "wait()")
    agent = ProgramAgent(seat, TASK, sandbox, seed=1)
    assert play(agent, 4) == [
        Action("forward"),
        Action("turn", {"angle": -30.0, "steps": 1.0}),
        Action("turn", {"angle": 5.0, "steps": 2.0}),
        Action("wait"),
    ]
    opening, first, last = seat.replies
    assert [seen.id for seen in opening.observations] == ["o0"]
    assert (opening.printed, opening.error, opening.time_left, opening.over) == ("", "", 60.0, False)
    assert [seen.id for seen in first.observations] == ["o1", "o2", "o3"]
    assert (first.printed, first.error, first.time_left, first.over) == ("hello\n", "", 57.0, False)
    assert [seen.id for seen in last.observations] == ["o4"]
    assert (last.time_left, last.over) == (0.0, True)
    assert [(s.role, s.first, s.count, s.printed, s.error) for s in agent.submissions] == [
        ("dog", 0, 3, "hello\n", ""),
        ("dog", 3, 1, "", ""),
    ]
    assert agent.notes == {"replies": 3}


def test_a_policy_is_called_once(sandbox: Sandbox) -> None:
    for source in ("def policy():\n  forward()\n  wait()", "def policy():\n  forward()\n  wait()\npolicy()"):
        seat = Script(source)
        assert play(ProgramAgent(seat, TASK, sandbox, seed=1), 3) == [Action("forward"), Action("wait"), None]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("[forward() for _ in range(3)]", 3),
        ("import functools\nfunctools.reduce(lambda done, angle: turn(angle), [0, 1, 2])", 2),
        ("class A:\n  def __init__(self): forward()\nA()", 1),
        ("try: 1 / 0\nexcept ZeroDivisionError: forward()\nfinally: wait()", 2),
        ("try: turn(500)\nexcept ValueError: forward()", 1),
        ("moves = {'left': forward, 'right': wait}\nfor name in moves: moves[name]()", 2),
        ("def again(move, times=2):\n  for _ in range(times): move()\nagain(forward)", 2),
        ("x = forward() or wait()", 2),
        ("exec('forward()')", 1),
        ("import asyncio\nasync def f(): forward()\nasyncio.run(f())", 1),
    ],
)
def test_actions_may_be_called_from_anywhere(source: str, count: int, sandbox: Sandbox) -> None:
    seat = Script(source)
    taken = play(ProgramAgent(seat, TASK, sandbox, seed=1), count + 1)
    assert None not in taken[:count]
    assert taken[count] is None
    assert seat.replies[1].error == ""


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("turn(91)", "ValueError: turn: 'angle' must lie between -90.0 and 90.0, got 91."),
        ("turn()", "TypeError: turn(): missing a required argument: 'angle'"),
        ("turn(1, 2, 3)", "TypeError: turn(): too many positional arguments"),
        ("turn(1, 2.5)", "ValueError: turn: 'steps' must be a whole number, got 2.5."),
        ("turn(True)", "ValueError: turn: 'angle' must be a number, got bool."),
        ("jump()", "NameError: name 'jump' is not defined; the functions are wait, forward, turn"),
    ],
)
def test_a_wrong_call_is_feedback_and_the_episode_goes_on(line: str, error: str, sandbox: Sandbox) -> None:
    seat = Script(f"forward()\n{line}\nforward()", "wait()")
    agent = ProgramAgent(seat, TASK, sandbox, seed=1)
    assert play(agent, 2) == [Action("forward"), Action("wait")]
    assert seat.replies[1].error == f"line 2: {line}\n{error}"
    assert agent.submissions[0].error == seat.replies[1].error


def test_programs_without_an_action_make_the_role_rest(sandbox: Sandbox) -> None:
    empty = ["x = 1"] * EMPTY_LIMIT
    seat = Script("x = 1", "forward()", *empty, "forward()")
    agent = ProgramAgent(seat, TASK, sandbox, seed=1)
    assert play(agent, 4) == [Action("forward"), None, None, None]
    assert [submission.count for submission in agent.submissions] == [0, 1, *[0] * EMPTY_LIMIT]
    assert "the role rests from now on" in agent.submissions[-1].error
    assert all("rests" not in submission.error for submission in agent.submissions[:-1])
    assert seat.programs == []  # the last reply asked for one more, and did not run it


def test_a_seat_may_let_its_role_rest(sandbox: Sandbox) -> None:
    seat = Script("forward()", None, "forward()")
    assert play(ProgramAgent(seat, TASK, sandbox, seed=1), 3) == [Action("forward"), None, None]


def test_the_end_of_the_episode_drops_the_rest_of_the_program(sandbox: Sandbox) -> None:
    seat = Script("try:\n  print('a')\n  forward()\n  wait()\nfinally:\n  print('b')\n  turn(1)")
    agent = ProgramAgent(seat, TASK, sandbox, seed=1)
    play(agent, 1)
    last = seat.replies[-1]
    assert ([seen.id for seen in last.observations], last.printed, last.error) == (["o1"], "a\n", "")
    assert [(s.first, s.count, s.error) for s in agent.submissions] == [(0, 1, "")]


def test_a_running_program_is_on_record(sandbox: Sandbox) -> None:
    agent = ProgramAgent(Script("forward()\nwait()"), TASK, sandbox, seed=1)
    agent.act(view(0), time_left=60.0)
    assert [(s.first, s.count, s.error) for s in agent.submissions] == [(0, 1, "")]


def test_a_dead_model_is_no_move(sandbox: Sandbox) -> None:
    with pytest.raises(ModelError, match="endpoint is down"):
        ProgramAgent(Dead(), TASK, sandbox, seed=1).act(view(0), time_left=60.0)


def test_programs_call_functions_of_lessons(sandbox: Sandbox) -> None:
    library = {"back-and-forth": "def swing():\n  turn(9)\n  turn(-9)", "broken": "def f(:"}
    seat = Script("swing()", "swing()")
    taken = play(ProgramAgent(seat, TASK, sandbox, seed=1, library=library), 4)
    assert [action.arguments["angle"] for action in taken if action] == [9, -9, 9, -9]
    told = [reply.printed for reply in seat.replies[1:]]
    assert told[0].startswith("[broken was left out: line 1: def f(:\nSyntaxError")
    assert told[1] == ""  # said once


def test_chance_comes_from_the_seed(sandbox: Sandbox) -> None:
    source = "import random\nturn(random.uniform(-90, 90))"

    def draws(seed: int) -> list[float]:
        taken = play(ProgramAgent(Script(source, source), TASK, sandbox, seed=seed), 2)
        return [action.arguments["angle"] for action in taken if action]

    assert draws(1) == draws(1)
    assert len({*draws(1), *draws(2)}) == 4
