"""What hide-and-seek is, for each way to play it: roles, actions, keys, task."""

from __future__ import annotations

from garten.records import (
    ActionSpec,
    Appearance,
    Argument,
    Key,
    Measure,
    RoleSpec,
    Setting,
    WorldSpec,
)
from garten.worlds.hide_and_seek import constants as c
from garten.worlds.world import read_task

HIDERS, SEEKERS = "hiders", "seekers"
"""The teams."""

MOST = 3
"""The most people in a team."""

_BEAT = float(c.BEAT)
_GOTO = (
    Argument(
        "heading_deg",
        "float",
        -180.0,
        180.0,
        None,
        "which way to go from where you face, degrees to the right",
        times=1.0 / (c.TURN_RATE * c.BEAT),
    ),
    Argument(
        "metres", "float", 0.0, float(c.GOTO_MOST), None, "how far to go", times=1.0 / (c.SPEED * c.BEAT)
    ),
)
_STEP = (
    Argument("forward", "float", -1.0, 1.0, 0.0, "share of full speed ahead; less than 0 goes back"),
    Argument("strafe", "float", -1.0, 1.0, 0.0, "share of full speed to the right; less than 0 to the left"),
    Argument("turn", "float", -1.0, 1.0, 0.0, "share of full turning to the right; less than 0 to the left"),
    Argument("steps", "int", 1.0, float(c.MOST_STEPS), 1.0, "how many times", times=1.0),
)
_ON = (Argument("on", "int", 0.0, 1.0, 1.0, "1 does it, 0 undoes it"),)

ACTIONS = (
    ActionSpec("step", _BEAT, "Move and turn at the same time, for so many steps.", (), _STEP),
    ActionSpec("goto", _BEAT, "Turn, then go straight ahead.", (), _GOTO),
    ActionSpec("pull", _BEAT, "Grab what is in reach ahead, or let go of it.", ("pull",), _ON),
    ActionSpec("lock", _BEAT, "Lock what you hold or is in reach ahead, or unlock it.", ("lock",), _ON),
    ActionSpec(
        "look",
        _BEAT,
        "Raise or lower your eyes, and keep them so.",
        (),
        (Argument("pitch", "float", -1.0, 1.0, None, "1 is far up, -1 far down, 0 level"),),
    ),
)

KEYS = (
    *(Key("w", "forward", 1.0), Key("s", "forward", -1.0), Key("a", "strafe", -1.0), Key("d", "strafe", 1.0)),
    *(Key("ArrowLeft", "turn", -1.0), Key("ArrowRight", "turn", 1.0)),
    *(Key("ArrowUp", "pitch", 0.6), Key("ArrowDown", "pitch", -0.6), Key("c", "pitch", 0.0)),
    *(Key("e", "pull"), Key("r", "lock"), Key("Shift", "on", 0.0)),
)

SETTINGS = (
    Setting("together", 0, 1, 0, "1: hiders go on acting while seekers seek; 0: they have stopped by then"),
    Setting("hiders", 1, MOST, 1, "how many hide"),
    Setting("seekers", 1, MOST, 1, "how many seek"),
)

_TURNS = (
    "Then the hiders have done what they could: they stay where they are, and only the seekers act.",
    "Then the seekers begin as well, and hiders and seekers act at the same time.",
)


def roles_of(team: str, count: int) -> tuple[str, ...]:
    """The names of the roles of a team: hider, or hider1, hider2, ..."""
    one = team.removesuffix("s")
    return (one,) if count == 1 else tuple(f"{one}{number}" for number in range(1, count + 1))


def make_spec(*, together: bool, hiders: int, seekers: int) -> WorldSpec:
    """The spec for these settings."""
    limit = float(c.PREPARATION + c.SEEKING)
    return WorldSpec(
        name="hide-and-seek",
        version=1,
        title="Hiders move boxes, panels and ramps and hide; seekers look for them.",
        roles=(
            *(RoleSpec(name, HIDERS, "One in blue, who hides.") for name in roles_of(HIDERS, hiders)),
            *(RoleSpec(name, SEEKERS, "One in red, who seeks.") for name in roles_of(SEEKERS, seekers)),
        ),
        actions=ACTIONS,
        tick=float(c.TICK),
        frame_rate=8.0,
        time_limit=limit,
        measure=Measure("seeking time in which no hider was seen", "%", "higher"),
        appearance=Appearance(
            style="playroom",
            text="A bright playroom of pale walls and tiles, with wooden crates, green screens and yellow "
            "ramps, in which little people in blue hide from little people in red.",
        ),
        task=read_task(__file__).replace("(turns)", _TURNS[together]),
        constants=c.ALL,
        keys=KEYS,
        settings=SETTINGS,
    )
