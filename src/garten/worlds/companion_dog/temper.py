"""What a dog feels about what a hand does, tick by tick. There is no chance in it.

A dog carries *trust*, which grows with comfortable contact; a *load*, which grows with all handling and falls
with rest; and for each activity how *overdone* it is. From these follows whether an activity is welcome. An
unwelcome hand is refused; one that goes on reaching drives the dog to its bed, where it recovers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from garten.worlds.companion_dog import constants as c
from garten.worlds.companion_dog.individual import ACTIVITIES, INVITING, Individual


class Mode(IntEnum):
    """What the dog is up to."""

    IDLE = 0  # stands where it is and looks at the person
    ENGAGED = 1  # comes near and stays
    REFUSING = 2  # turns aside and steps away
    RESTING = 3  # goes to its bed and lies there


@dataclass
class Mood:
    """How the dog feels now; `feel` changes it in place."""

    mode: Mode = Mode.IDLE
    trust: float = 0.4  # 0 to 1
    load: float = 0.0  # 0 rested, 1 tired
    tired: bool = False  # has had too much, and not yet rested from it
    overdone: list[float] = field(default_factory=lambda: [0.0] * len(ACTIVITIES))  # 0 to 1 by activity
    since: float = 0.0  # seconds of what the mode counts: hands refused, calm, or rest
    pleasure: float = 0.0  # points so far
    avoidance: float = 0.0  # seconds so far in which it avoided the person

    def appetite(self, dog: Individual, activity: int) -> float:
        """How much it would like an activity now, leaving aside how much it has had; at most 1."""
        missing = max(0.0, dog.needs[activity] - self.trust)
        return dog.likes[activity] - c.SHY_OF_TRUST * missing

    def welcomes(self, dog: Individual, activity: int, gap: float) -> bool:
        """Whether it takes to an activity of a person `gap` metres away."""
        if self.appetite(dog, activity) <= 0.0 or self.tired or self.overdone[activity] >= 1.0:
            return False
        return ACTIVITIES[activity] in INVITING or gap <= c.ARM


def feel(
    mood: Mood,
    dog: Individual,
    activity: int | None,
    *,
    gap: float,
    contact: bool,
    roomy: bool,
    seconds: float,
) -> None:
    """Change the mood by one tick.

    Args:
        mood: How the dog feels before the tick; changed in place.
        dog: Its nature.
        activity: What the hand does, an index into `ACTIVITIES`; None: nothing.
        gap: How far the dog's middle is from the person, metres.
        contact: Whether the hand is at the dog, or the dog at the hand.
        roomy: Whether the person leans back to give room.
        seconds: Length of the tick.
    """
    for index in range(len(ACTIVITIES)):
        if index != activity:
            mood.overdone[index] = max(0.0, mood.overdone[index] - seconds / c.BORED_EASE)
    if activity is None or mood.mode is Mode.RESTING:
        ease = c.WITHDRAW_EASE if roomy else 1.0
        mood.load = max(0.0, mood.load - ease * seconds / dog.rest)
    mood.tired = mood.load >= 1.0 or (mood.tired and mood.load > c.RESTED)
    if mood.mode is Mode.RESTING:
        _rest(mood, disturbed=activity is not None, seconds=seconds)
    elif activity is None:
        _quiet(mood, seconds)
    elif mood.welcomes(dog, activity, gap):
        _enjoy(mood, dog, activity, contact=contact, near=gap <= c.ARM, seconds=seconds)
    elif gap <= c.NOTICE or ACTIVITIES[activity] not in INVITING:
        _refuse(mood, dog, seconds)
    if mood.mode in (Mode.REFUSING, Mode.RESTING):
        mood.avoidance += seconds


def _rest(mood: Mood, *, disturbed: bool, seconds: float) -> None:
    """On the bed, or on the way to it: it stays the longer, the more somebody reaches out."""
    mood.since += seconds * (c.DISTURBED if disturbed else 1.0)
    if mood.since >= c.REST_LEAST and not mood.tired:
        mood.mode, mood.since = Mode.IDLE, 0.0


def _quiet(mood: Mood, seconds: float) -> None:
    """No hand: a dog that refused calms down, one that was engaged stays where it is."""
    if mood.mode is not Mode.REFUSING:
        mood.mode, mood.since = Mode.IDLE, 0.0
        return
    mood.since = min(mood.since, 0.0) - seconds  # calm counts downwards, refused hands upwards
    if mood.since <= -c.CALM:
        mood.mode, mood.since = Mode.IDLE, 0.0


def _enjoy(mood: Mood, dog: Individual, activity: int, *, contact: bool, near: bool, seconds: float) -> None:
    mood.mode, mood.since = Mode.ENGAGED, 0.0
    if near:
        mood.load = min(1.0, mood.load + dog.efforts[activity] * seconds / dog.patience)
        mood.overdone[activity] = min(1.0, mood.overdone[activity] + seconds / dog.enough[activity])
    if contact:
        openness = c.OPENNESS + (1.0 - c.OPENNESS) * mood.trust
        mood.pleasure += mood.appetite(dog, activity) * openness * seconds
        mood.trust = min(1.0, mood.trust + c.TRUST_GAIN * seconds)


def _refuse(mood: Mood, dog: Individual, seconds: float) -> None:
    mood.mode, mood.since = Mode.REFUSING, max(mood.since, 0.0) + seconds
    if mood.since >= dog.warning:
        mood.mode, mood.since = Mode.RESTING, 0.0
        mood.trust = max(0.0, mood.trust - c.TRUST_LOSS)
