"""The space that is searched: skills with their parameters, sequences of them, one sequence a role.

A candidate is data: ``{role: [step, ...]}``, each step a skill and, where another follows, the condition that
ends it. This module draws candidates, varies them, gives each a key, and refuses data that is none.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from garten.practice.players.search.kinds import ACTION, COLOR, SHADE, Kind, Scale, Step
from garten.practice.players.search.tuning import PARAMETERS, Tools

Candidate = dict[str, list[Step]]

MOST_STEPS = 4
"""Skills in one sequence at most."""

SKILLS: dict[str, dict[str, Kind]] = {
    "push": {
        "a": COLOR,
        "towards": COLOR,
        "how": ("at", "through"),
        "mark": ("middle", "far", "near"),
        "beyond": Scale((0.0, 1.0, 2.0, 3.0, 4.0)),
        "stand_off": Scale((1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0)),
        "press": Scale((0.5, 1.0, 1.5, 2.0, 2.5, 3.0)),
        "offset": Scale((-0.6, -0.3, 0.0, 0.3, 0.6, 0.9)),
    },
    "follow": {"a": COLOR, "at": Scale((1.0, 2.0, 3.0, 4.0, 6.0))},
    "go_to": {"a": COLOR, "at": Scale((0.0, 0.5, 1.0, 2.0))},
    "between": {"a": COLOR, "b": COLOR},
    "avoid": {"a": COLOR, "at": Scale((2.0, 3.0, 4.0, 6.0))},
    "act": {"action": ACTION},
    "look_round": {},
    "use": PARAMETERS,
}
"""Every skill and its parameters; `skills` says what they do."""

_SHARES = {"push": 0.6, "follow": 0.1, "go_to": 0.12, "between": 0.08, "avoid": 0.05, "act": 0.02, "use": 3.0}
"""How often each skill is drawn, of those that are possible where a role can walk and turn."""

_PLAIN_SHARES = {"act": 0.3, "use": 0.7}
"""And where it cannot."""

_SECONDS = Scale((2.0, 5.0, 10.0, 20.0, 40.0))
_EACH = 0.5  # chance that a circle is made of all actions with numbers, where there are several
_ONCE = 0.6  # chance that one of them is used just once
_TIMING, _TIMING_PLAIN = 0.06, 0.25  # chance that a variation changes when a skill ends
_BEATS = Scale(
    (1.0, 2.0, 5.0, 10.0)
)  # of plain actions, which go round in a circle: mostly one or two of each
_UNTIL_COLOR = ("near", "sees", "lost")
_HEARING = 0.06  # chance, for each sentence that is known, that something said ends a skill ...
_MOST_HEARING = 0.4  # and in all
_PATIENCE = 20.0  # seconds after which it ends even if nothing is said
_UNTIL_CHANGE = ("grows", "shrinks")  # who cannot walk cannot tell distances, but that things come and go


@dataclass(frozen=True)
class Space:
    """What there is to draw from in one place."""

    roles: tuple[str, ...]
    colors: Mapping[tuple[int, int, int], float]  # things that can be aimed at, with weights
    movers: Mapping[tuple[int, int, int], float]  # things that can be pushed or followed, with weights
    actions: tuple[str, ...]  # plain actions that neither walk nor turn
    steers: bool  # roles can walk and turn
    told: Mapping[str, float] = field(default_factory=dict)  # sentences said in games, with weights
    tools: Tools = field(default_factory=Tools)  # actions with numbers to be found out

    @property
    def plain(self) -> bool:
        """Whether there is nothing to go to, so that sequences of plain actions are all there is."""
        return not self.steers or not self.colors

    def draw(self, rng: random.Random) -> Candidate:
        """A new candidate: mostly one skill for all roles, now and then a sequence or a skill for each."""
        if rng.random() < 0.85:
            steps = self.sequence(rng)
            return {role: [dict(step) for step in steps] for role in self.roles}
        return {role: self.sequence(rng) for role in self.roles}

    def sequence(self, rng: random.Random) -> list[Step]:
        """One or more skills in a row."""
        if self.plain and len(self.tools.handles) > 1 and rng.random() < _EACH:
            steps = [self.tools.draw(rng, handle=handle) for handle in self.tools.handles[:MOST_STEPS]]
        else:
            steps = [self.step(rng) for _ in range(self._length(rng))]
        length = len(steps)
        last = length if self.plain else length - 1  # plain actions go round in a circle
        for step in steps[:last]:
            once = step["do"] == "use" and rng.random() < _ONCE
            step["until"] = {"seconds": _BEATS.values[0]} if once else self.until(rng)
        return steps

    def _length(self, rng: random.Random) -> int:
        """How many skills in a row: with numbers, one may do; plain actions make a circle of several."""
        if not self.plain:
            return rng.choices((1, 2, 3), (0.9, 0.08, 0.02))[0]
        if self.tools.handles:
            return rng.choices((1, 2, 3, 4), (0.4, 0.35, 0.15, 0.1))[0]
        return rng.choice((2, 3, 4))

    def step(self, rng: random.Random) -> Step:
        """One skill with parameters."""
        shares = _PLAIN_SHARES if self.plain else _SHARES
        names = [name for name in shares if self._possible(name)]
        if not names:
            return {"do": "look_round"}
        name = rng.choices(names, [shares[name] for name in names])[0]
        if name == "use":
            return self.tools.draw(rng)
        step: Step = {"do": name}
        for parameter, kind in SKILLS[name].items():
            step[parameter] = self._value(kind, rng, movers=parameter == "a" and name in ("push", "follow"))
        other = {"push": "towards", "between": "b"}.get(name)
        if other and step[other] == step["a"]:
            rest = {color: weight for color, weight in self.colors.items() if list(color) != step["a"]}
            step[other] = list(rng.choices(list(rest), list(rest.values()))[0]) if rest else step["a"]
        return step

    def until(self, rng: random.Random) -> dict[str, Any]:
        """A condition that ends a skill."""
        seconds = _BEATS if self.plain else _SECONDS
        until: dict[str, Any] = {"seconds": rng.choice(seconds.values)}
        if self.plain and self.told and rng.random() < min(_HEARING * len(self.told), _MOST_HEARING):
            told = rng.choices(list(self.told), list(self.told.values()))[0]
            return {"seconds": _PATIENCE, "told": told}
        if self.colors and rng.random() < 0.3:
            until[rng.choice(_UNTIL_COLOR if self.steers else _UNTIL_CHANGE)] = self._value(
                COLOR, rng, movers=False
            )
        return until

    def vary(self, parent: Candidate, rng: random.Random) -> Candidate:
        """A candidate near another one: one or two changes, to all roles alike or to one of them."""
        child: Candidate = json.loads(json.dumps(parent))
        alike = len({json.dumps(steps, sort_keys=True) for steps in child.values()}) == 1
        together = alike and rng.random() < 0.75
        roles = list(self.roles) if together else [rng.choice(self.roles)]
        for _ in range(rng.choice((1, 1, 2))):
            changed = self._changed(child[roles[0]], rng)
            for role in roles:
                child[role] = [dict(step) for step in changed]
        return child

    def _possible(self, name: str) -> bool:
        if name == "act":
            return bool(self.actions)
        if name == "use":
            return bool(self.tools.handles)
        return self.steers and len(self.colors) > (name in ("push", "between"))

    def _value(self, kind: Kind, rng: random.Random, *, movers: bool) -> Any:
        if isinstance(kind, Scale):
            return rng.choice(kind.values)
        if kind == COLOR:
            pool = self.movers if movers and self.movers else self.colors
            return list(rng.choices(list(pool), list(pool.values()))[0])
        return rng.choice(self.actions if kind == ACTION else kind)

    def _changed(self, steps: Sequence[Step], rng: random.Random) -> list[Step]:
        """One change to a sequence: a step less or more, all new numbers for a step, or one of them near by.

        Steps are rather dropped than added, and the last one, which mostly lasts longest, is changed most:
        else sequences grow parts that do nothing, and changes to those change nothing.
        """
        made = [dict(step) for step in steps]
        index = len(made) - 1 if rng.random() < 0.6 else rng.randrange(len(made))
        step, kinds = made[index], SKILLS[made[index]["do"]]
        chance = rng.random()
        timing = 0.26 + (_TIMING_PLAIN if self.plain else _TIMING)
        if chance < 0.06 and len(made) < MOST_STEPS:
            made.insert(index, {**self.step(rng), "until": self.until(rng)})
        elif chance < 0.26 and len(made) > 1:
            del made[rng.randrange(len(made))]
            if self.steers:
                made[-1].pop("until", None)
        elif chance < timing and "until" in step:
            step["until"] = self.until(rng)
        elif step["do"] == "use":
            made[index] = self.tools.vary(step, rng)
        elif not kinds:
            made[index] = {**self.step(rng), **({"until": step["until"]} if "until" in step else {})}
        elif chance < 0.6:
            step |= {
                name: self._value(kind, rng, movers=False) for name, kind in kinds.items() if kind != COLOR
            }
        else:
            names = list(kinds)
            name = rng.choices(names, [0.25 if kinds[one] == COLOR else 1.0 for one in names])[0]
            step[name] = self._neighbour(kinds[name], step[name], rng)
        return made

    def _neighbour(self, kind: Kind, value: Any, rng: random.Random) -> Any:
        if not isinstance(kind, Scale):
            return self._value(kind, rng, movers=False)
        nearest = min(range(len(kind.values)), key=lambda i: abs(kind.values[i] - value))
        index = min(max(nearest + rng.choice((-2, -1, 1, 2)), 0), len(kind.values) - 1)
        return kind.values[index]


def key_of(candidate: Candidate) -> str:
    """A text that is equal for equal candidates."""
    return json.dumps(candidate, sort_keys=True)


def read_candidate(data: Any, roles: Sequence[str]) -> Candidate:
    """A candidate from untrusted data.

    Raises:
        ValueError: the data is no candidate for these roles.
    """
    if not isinstance(data, Mapping) or sorted(data) != sorted(roles):
        raise ValueError("a skill needs one list of steps for each role")
    return {role: [_read_step(step) for step in _listed(data[role])] for role in roles}


def _listed(steps: Any) -> Sequence[Any]:
    if not isinstance(steps, list | tuple) or not 1 <= len(steps) <= MOST_STEPS:
        raise ValueError(f"a role needs 1 to {MOST_STEPS} steps")
    return steps


def _read_step(data: Any) -> Step:
    kinds = SKILLS.get(str(data.get("do"))) if isinstance(data, Mapping) else None
    if kinds is None or set(data) - {"do", "until"} != set(kinds):
        raise ValueError("a step names no known skill, or not its parameters")
    step: Step = {"do": data["do"], **{name: _read_value(kind, data[name]) for name, kind in kinds.items()}}
    if "until" in data:
        step["until"] = _read_until(data["until"])
    return step


def _read_until(data: Any) -> dict[str, Any]:
    if (
        not isinstance(data, Mapping)
        or not data
        or set(data) - {"seconds", "told", *_UNTIL_COLOR, *_UNTIL_CHANGE}
    ):
        raise ValueError("a condition is none that a skill can wait for")
    kinds: dict[str, Kind] = {"seconds": Scale((0.0, 1e4)), "told": ACTION}
    return {name: _read_value(kinds.get(name, COLOR), data[name]) for name in sorted(data)}


def _read_value(kind: Kind, value: Any) -> Any:
    if isinstance(kind, Scale):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError("a parameter is not a number")
        if not kind.values[0] <= value <= kind.values[-1]:
            raise ValueError("a parameter is out of its range")
        return kind.within(float(value))
    if kind in (COLOR, SHADE):
        if not isinstance(value, list | tuple) or len(value) != 3:
            raise ValueError("a colour is not three numbers")
        if not all(isinstance(part, int | float) and 0 <= part <= 255 for part in value):
            raise ValueError("a colour has parts outside 0 to 255")
        return [round(part) for part in value]
    if not isinstance(value, str) or (kind != ACTION and value not in kind):
        raise ValueError("a parameter is not one of its words")
    return value
