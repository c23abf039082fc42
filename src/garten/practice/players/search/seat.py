"""A place in one game: after each program it looks once, updates its map, and writes the next program."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from garten.practice.mapping import EgoMap, Lens
from garten.practice.percepts import Palette, find_palette, regions_of
from garten.practice.players.search.calibration import Look, Size, find_lens, find_sizes, guess_lens
from garten.practice.players.search.effects import Effect, asides, find_effects
from garten.practice.players.search.knowledge import Knowledge, sentence
from garten.practice.players.search.motor import Handle, Move, read_motor
from garten.practice.players.search.skills import Sense, next_moves, until_met
from garten.practice.players.search.words import say
from garten.records import Frame, Observation, Reply, Task

SURVEY_TURNS = 12
"""Turns of a first look round, while the angle of one is still unknown."""

_OWN = 0.5  # share of a colour's pixels that never change from which it is part of the viewer
_TRIALS = 20  # uses of actions with numbers in a survey
_GENTLE = 0.3  # of a speed's range around which it is varied, so as not to run into things at once
_OFFSETS = (0.15, -0.15, 0.1, -0.1, 0.0)  # of a number from its middle, in shares of its range

_MOST_TURNS = 36  # turns after which a look round ends even if the circle does not close
_VISIT = 20.0  # seconds a survey gives to each colour at most


class SearchSeat:
    """Plays one role by a list of skills; without a palette it surveys the place first."""

    def __init__(self, task: Task, knowledge: Knowledge, steps: Sequence[Mapping[str, Any]]) -> None:
        """`steps` are skills with the conditions that end them; without any the role only looks round."""
        self._motor = read_motor(task.actions)
        self._steps = list(steps) or [{"do": "look_round"}]
        self._survey: list[Frame] | None = None if knowledge.palette else []
        self._needs_asides = any(step["do"] == "use" and step["gain"] for step in self._steps)
        walks = self._motor.steers and not self._motor.handles  # what they see is worth noting in any case
        self._needs_map = walks or any(_goes_by_things(step) for step in self._steps)
        lens = knowledge.lens.sized(*task.size) if knowledge.lens else guess_lens(*task.size)
        self._sense = Sense(EgoMap(lens), knowledge.palette or Palette((), ()), self._motor)
        first = min([task.role, *task.mates])
        self._sense.side = 1 if task.role == first else -1
        self._step, self._since = 0, 0.0
        self._moves: list[Move] = []  # of the program under way
        self._unseen = 0.0  # radians turned since the last look
        self._looks: list[Look] = []
        self._trials: list[tuple[str, list[float]]] = []  # actions and their numbers tried in a survey
        self._effects: tuple[Effect, ...] = ()
        self._told: dict[str, int] = {}  # what was said, and how often

    # --- the game --------------------------------------------------------------------------------

    def program(self, reply: Reply) -> str | None:
        """Take in what happened and write the next program."""
        self._take_in(reply)
        if self._survey is not None and self._motor.handles:
            return self._trial(over=reply.over)
        if reply.over:
            return None
        if self._survey is not None:
            return self._survey_program()
        self._advance_steps()
        skill = self._steps[self._step]
        self._moves = next_moves(skill, self._sense)
        return _source(self._moves, say(skill))

    def notes(self) -> Mapping[str, Any]:
        """What was found out about eye, stride and surroundings, in JSON types."""
        lens, palette = self._sense.map.lens, self._sense.palette
        sizes = find_sizes(self._looks, lens) if lens.measured else {}
        return Knowledge(
            palette=palette if palette.shades else None,
            lens=lens if lens.measured else None,
            sizes=sizes,
            shifts=self._shifts(sizes),
            effects=self._effects,
            told=self._told,
        ).to_data()

    # --- taking in -------------------------------------------------------------------------------

    def _take_in(self, reply: Reply) -> None:
        """Follow each action that took place, looking where the view has changed much and at the end."""
        done = list(reply.observations)
        moves: list[Move | None] = list(self._moves[: len(done)])
        if not self._moves:  # the opening view
            moves = [None] * len(done)
        for index, (move, seen) in enumerate(zip(moves, done, strict=False)):
            self._follow(move, seen)
            last = index == len(done) - 1
            if last or self._survey is not None or self._unseen > 1.2 * self._sense.map.lens.half_view:
                self._look(seen)
        self._moves = []

    def _follow(self, move: Move | None, seen: Observation) -> None:
        """Move the own pose by one action."""
        here = self._sense.map
        self._sense.now = seen.time
        self._sense.told = told = sentence(seen.feedback)
        if told:
            self._told[told] = self._told.get(told, 0) + 1
        if move is None:
            return
        if move.turn:
            here.turn(move.turn * here.lens.turn)
            self._unseen += abs(here.lens.turn)
        if move.walk:
            if seen.feedback:  # a walk that went well is passed over in silence
                here.bump(float(move.walk))
            else:
                here.walk(float(move.walk))

    def _look(self, seen: Observation) -> None:
        self._unseen = 0.0
        if self._survey is not None:
            self._survey.append(seen.frame)
            return
        if not self._needs_asides and not self._needs_map:
            return  # so that the frame is never drawn
        palette = self._sense.palette
        labels = palette.labels(seen.frame)
        if self._needs_asides:
            self._sense.asides = asides(labels, len(palette.colors))
        if not self._needs_map:
            return
        regions = regions_of(labels, palette.things)
        self._sense.areas = {one.color: one.area for one in reversed(regions)}
        here = self._sense.map
        here.see(regions, now=self._sense.now)
        self._keep(Look(self._sense.now, here.x, here.y, here.heading, tuple(regions)))

    def _keep(self, look: Look) -> None:
        """Keep a look for `find_sizes`, unless it is from where the one before it was."""
        last = self._looks[-1] if self._looks else None
        if last is None or (last.x, last.y, last.heading) != (look.x, look.y, look.heading):
            self._looks.append(look)

    # --- choosing --------------------------------------------------------------------------------

    def _advance_steps(self) -> None:
        """Go on to the next skill once the condition of this one holds; after the last, to the first."""
        until = self._steps[self._step].get("until", {})
        if until_met(until, self._sense, since=self._since):
            self._step, self._since = (self._step + 1) % len(self._steps), self._sense.now
            self._sense.memory = {}

    def _trial(self, *, over: bool) -> str | None:
        """Use actions with numbers, varied; at the end find the palette and what the numbers move."""
        assert self._survey is not None
        count = len(self._trials)
        if over or count == _TRIALS:
            frames, self._survey = self._survey, None
            if not frames:
                return None
            self._sense.palette = find_palette(frames)
            self._effects = self._found_effects(frames)
            return None
        handles = self._motor.handles
        handle = handles[count % len(handles)]
        shares = _trial_of(handle, count // len(handles))
        self._trials.append((handle.name, shares))
        self._moves = [handle.move(shares)]
        return _source(self._moves, "vary the numbers, to learn what they move")

    def _found_effects(self, frames: Sequence[Frame]) -> tuple[Effect, ...]:
        """What the trials moved, from the frames before and after each; not the viewer's own parts."""
        palette = self._sense.palette
        labels = np.stack([palette.labels(frame) for frame in frames])
        steady = (labels == labels[0]).all(0)
        seen = [asides(one, len(palette.colors)) for one in labels]
        for color in range(len(palette.colors)):
            own = labels == color
            if own[:, steady].sum() >= _OWN * own.sum():
                for one in seen:
                    one[color] = np.nan
        found: list[Effect] = []
        for handle in self._motor.handles:
            uses = [
                (shares, before, after)
                for (name, shares), before, after in zip(self._trials, seen, seen[1:], strict=False)
                if name == handle.name
            ]
            found += find_effects(handle.name, uses)
        return tuple(found)

    def _survey_program(self) -> str | None:
        """Turn round once; when the circle is closed, find palette and lens and take up the visits."""
        assert self._survey is not None
        turned = len(self._survey) - 1
        lens = self._sense.map.lens
        if self._motor.left is None and self._motor.right is None:
            need = 0
        elif turned < SURVEY_TURNS:
            need = SURVEY_TURNS - turned
        else:
            lens = find_lens(self._survey)
            need = min(math.ceil(math.tau / abs(lens.turn) - 0.01), _MOST_TURNS) - turned
        if need > 0:
            self._moves = [self._motor.left or self._motor.right or self._motor.pause] * need
            return _source(self._moves, "look round, to learn the colours and how far one turn goes")
        frames, self._survey = self._survey, None
        self._settle(frames, lens)
        return self.program(Reply((), "", "", math.inf, False))

    def _settle(self, frames: Sequence[Frame], lens: Lens) -> None:
        """End the survey: take over palette and lens, place what was seen, plan visits to all of it."""
        sense = self._sense
        sense.palette = find_palette(frames)
        sense.map = EgoMap(lens)
        now = sense.now
        for frame in frames:
            regions = sense.palette.regions(frame)
            sense.map.see(regions, now=now)
            self._keep(Look(now, sense.map.x, sense.map.y, sense.map.heading, tuple(regions)))
            sense.map.turn(lens.turn)
        sense.map.turn(-lens.turn)
        things = sense.palette.things[:: sense.side] or ()
        colors = [list(sense.palette.colors[index]) for index in things]
        visits = [
            {"do": "go_to", "a": color, "at": 1.0, "until": {"seconds": _VISIT, "near": color}}
            for color in colors
        ]
        self._steps = [*visits, *visits, {"do": "look_round"}]

    def _shifts(self, sizes: Mapping[int, Size]) -> dict[int, tuple[int, int]]:
        """By colour: sightings of things that had been seen before, and how many of them had moved.

        The looks are gone through again now that sizes are known: without them distances mean little.
        """
        known = {**self._sense.map.lens.sizes, **{color: size.strides for color, size in sizes.items()}}
        again = EgoMap(replace(self._sense.map.lens, sizes=known))
        for look in self._looks:
            again.x, again.y, again.heading = look.x, look.y, look.heading
            again.see(look.regions, now=look.time)
        return {color: counts for color, counts in sorted(again.counts.items()) if color in known}


def _goes_by_things(step: Mapping[str, Any]) -> bool:
    """Whether a step needs to know what things are where."""
    return step["do"] not in ("act", "use") or bool(set(step.get("until", ())) - {"seconds", "told"})


def _trial_of(handle: Handle, count: int) -> list[float]:
    """The numbers of a trial: those that must be given (of two numbers both) are off their middles."""
    varied = len(handle.tuned) if len(handle.tuned) <= 2 else handle.needed
    shares = list(handle.rest)
    for index in range(varied):
        least, middle = handle.least(index), _GENTLE if handle.paces(index) else 0.5
        offset = _OFFSETS[(count + count // len(_OFFSETS) * index) % len(_OFFSETS)]
        shares[index] = least + (1.0 - least) * (middle + offset)
    return shares


def _source(moves: Sequence[Move], words: str) -> str:
    """The program that makes these moves, runs of equal ones as a loop."""
    lines = [f"# {' '.join(words.split())}"]
    index = 0
    while index < len(moves):
        count = 1
        while index + count < len(moves) and moves[index + count].call == moves[index].call:
            count += 1
        if count > 2:
            lines += [f"for _ in range({count}):", f"    {moves[index].call}"]
        else:
            lines += [moves[index].call] * count
        index += count
    return "\n".join(lines) + "\n"
