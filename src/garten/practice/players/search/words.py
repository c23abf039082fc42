"""Skills in plain words, for programs, lessons and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from garten.practice.percepts import color_word
from garten.practice.players.search.tuning import PLACES

_MARKS = {"far": "the one farthest from there", "near": "the nearest one", "middle": "the middle of them"}


def say(skill: Mapping[str, Any]) -> str:
    """One line that says what a skill does, e.g. "go to white until 20 s have passed"."""
    line = _SAY[skill["do"]](skill)
    return f"{line} until {_until(skill['until'])}" if skill.get("until") else line


def say_steps(steps: Sequence[Mapping[str, Any]]) -> str:
    """A sequence of skills in one line."""
    return ", then ".join(say(step) for step in steps)


def hue(color: Sequence[float]) -> str:
    """A colour as a word with its sRGB values, e.g. "red (186, 17, 17)"."""
    return f"{color_word(color)} ({', '.join(str(round(value)) for value in color)})"


def _push(skill: Mapping[str, Any]) -> str:
    way = "between the two things of" if skill["how"] == "through" else "to"
    return (
        f"push {color_word(skill['a'])} {way} {color_word(skill['towards'])} "
        f"and {skill['beyond']:g} strides on: "
        f"line up {skill['stand_off']:g} behind {_MARKS[skill['mark']]}, close in to {skill['press']:g}, "
        f"{skill['offset']:g} rad to the own side"
    )


def _use(skill: Mapping[str, Any]) -> str:
    shares = ", ".join(f"{skill[place]:.0%}" for place in PLACES)
    line = f"{skill['action']} with its numbers, as many as it has, at {shares} of their ranges"
    if not skill["gain"]:
        return line
    often = "for good after each use" if skill["keeps"] == "yes" else "anew each time"
    return (
        f"{line}, the {skill['tunes']} corrected {often} by {skill['gain']:g} of its range for each width "
        f"that {color_word(skill['by'])} ({skill['rows']} rows) is right of {0.5 + skill['at']:.0%}"
    )


_SAY = {
    "act": lambda skill: f"repeat {skill['action']}",
    "look_round": lambda skill: "look round once, then wait",
    "go_to": lambda skill: f"go to {color_word(skill['a'])}",
    "avoid": lambda skill: f"keep {skill['at']:g} strides away from {color_word(skill['a'])}",
    "follow": lambda skill: f"follow {color_word(skill['a'])} at {skill['at']:g} strides",
    "between": lambda skill: f"stand between {color_word(skill['a'])} and {color_word(skill['b'])}",
    "push": _push,
    "use": _use,
}


def _until(until: Mapping[str, Any]) -> str:
    parts = []
    if "seconds" in until:
        parts.append(f"{until['seconds']:g} s have passed")
    if "told" in until:
        parts.append(f'"{until["told"]}" was said')
    parts += [f"{word} {color_word(until[key])}" for key, word in _SEEN.items() if key in until]
    return " or ".join(parts)


_SEEN = {
    "near": "near",
    "sees": "in sight of",
    "lost": "out of sight of",
    "grows": "there is more of",
    "shrinks": "there is less of",
}
