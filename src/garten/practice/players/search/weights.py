"""Which colours are worth trying: those the task names, those that move, those that paid before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from statistics import fmean

from garten.practice.percepts import Color, color_word
from garten.practice.players.search.evidence import Record
from garten.practice.players.search.grammar import Space
from garten.practice.players.search.knowledge import Knowledge
from garten.practice.players.search.motor import read_motor
from garten.practice.players.search.tuning import Tools
from garten.records import Task

_NAMED = 20.0  # weight of a colour that the task names, against 1
_MOVING = 2.0  # weight of a colour whose things were seen to move, as something to push or follow
_PAID = 3.0  # points of credit that double a colour's weight
_TIRED = 0.1  # how fast a colour that pays nothing is drawn less, a candidate
_NEAR_GOAL = 30.0  # points of credit for full progress: a guide for drawing, not for crowning


def space_of(tasks: Iterable[Task], knowledge: Knowledge, records: Iterable[Record]) -> Space:
    """The space to draw candidates from, with what is known so far."""
    tasks, records = list(tasks), list(records)
    motor = read_motor(tasks[0].actions)
    palette = knowledge.palette
    things = [palette.colors[index] for index in palette.things] if palette else []
    moving = [palette.colors[index] for index in knowledge.movers] if palette else []
    # A colour that is also the name of a role is one of the players, hardly what the task is about.
    words = set(re.findall(r"[a-z]+", tasks[0].text.lower())) - {tasks[0].role, *tasks[0].mates}
    base = {color: _NAMED if color_word(color) in words else 1.0 for color in things}
    return Space(
        roles=tuple(sorted(task.role for task in tasks)),
        colors={color: weight * _pay(color, ("towards", "b"), records) for color, weight in base.items()},
        movers={
            color: weight * (_MOVING if color in moving else 1.0) * _pay(color, ("a",), records)
            for color, weight in base.items()
        },
        actions=(*motor.names, *(move.call.partition("(")[0] for move in filter(None, [motor.wait]))),
        steers=motor.steers,
        told={line: times**0.5 for line, times in sorted(knowledge.told.items())},
        tools=Tools(motor.handles, knowledge.effects, palette.colors if palette else ()),
    )


def _pay(color: Color, slots: tuple[str, ...], records: Iterable[Record]) -> float:
    """How much more or less often a colour should be drawn, by how candidates did that used it so."""
    credits = [
        record.mean + _NEAR_GOAL * record.progress
        for record in records
        if record.outcomes
        and any(
            step.get(slot) == list(color)
            for steps in record.candidate.values()
            for step in steps
            for slot in slots
        )
    ]
    if not credits:
        return 1.0
    return (1.0 + fmean(credits) / _PAID) / (1.0 + _TIRED * len(credits))
