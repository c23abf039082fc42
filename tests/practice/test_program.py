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
