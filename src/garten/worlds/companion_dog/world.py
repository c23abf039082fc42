"""The companion dog's world: spec, tick and score. `temper` holds what a dog feels, `body` how it moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import (
    ActionSpec,
    Appearance,
    Argument,
    Control,
    Key,
    Measure,
    RoleSpec,
    Score,
    Setting,
    WorldSpec,
)
from garten.scene import Camera, Scene
from garten.worlds.companion_dog import constants as c
from garten.worlds.companion_dog.body import Stance, hand_at, reach, stepped
from garten.worlds.companion_dog.individual import ACTIVITIES, INVITING, individual
from garten.worlds.companion_dog.scenery import Scenery
from garten.worlds.companion_dog.temper import Mode, Mood, feel
from garten.worlds.world import World, read_task

TICK = float(c.TICK)
ROLE = "person"
REACHING_FOR = [index for index, name in enumerate(ACTIVITIES) if name not in INVITING]
OUT_OF_REACH = "Your hand does not reach the dog."

LOOK = (
    Argument("lookX", "float", -1.0, 1.0, 0.0, "turns the eyes aside, 1: to the right"),
    Argument("lookY", "float", -1.0, 1.0, 0.0, "turns the eyes up or down, 1: up"),
)


def _action(name: str, seconds: float, text: str) -> ActionSpec:
    buttons = () if name == "wait" else (name,)
    return ActionSpec(name, seconds, text, buttons, LOOK)


SPEC = WorldSpec(
    name="companion-dog",
    version=1,
    title="Keep a dog company in a way it enjoys.",
    roles=(RoleSpec(ROLE, "person", "A person on a low stool, with one hand free."),),
    actions=(
        _action("wait", 1.0, "Sit still."),
        _action("offer", 3.0, "Hold out an open hand, low."),
        _action("pet_chest", 3.0, "Stroke the dog's chest."),
        _action("pet_head", 3.0, "Stroke the top of the dog's head."),
        _action("play", 3.0, "Move an orange ball about in the hand."),
        _action("withdraw", 2.0, "Lean back and give the dog room."),
    ),
    tick=TICK,
    frame_rate=float(c.FRAME_RATE),
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("engagement", "points", "higher"),
    appearance=Appearance(
        style="living-room",
        text="A bright living room with a wooden floor, seen by somebody on a low stool; a friendly dog.",
    ),
    task=read_task(__file__),
    published=(13.0, 14.0, 19.0, 19.0),
    constants=c.ALL,
    keys=(
        Key("o", "offer"),
        Key("c", "pet_chest"),
        Key("h", "pet_head"),
        Key("p", "play"),
        Key("b", "withdraw"),
        Key("ArrowLeft", "lookX", -1.0),
        Key("ArrowRight", "lookX", 1.0),
        Key("ArrowUp", "lookY", 1.0),
        Key("ArrowDown", "lookY", -1.0),
    ),
    settings=(Setting("individual", 0, 999_999, 0, "which dog lives here; 0 is Juno"),),
)


@dataclass
class Session:
    """All that changes in an episode."""

    stance: NDArray[np.float64]  # [6] the fields of `Stance`
    mode: NDArray[np.int64]  # [1] a `Mode`
    mood: NDArray[np.float64]  # [6] trust, load, tired, since, pleasure, avoidance: see `Mood`
    overdone: NDArray[np.float64]  # [4] by activity
    hand: NDArray[np.int64]  # [2] activity or -1, and the ticks for which it has gone on
    look: NDArray[np.float64]  # [2] turn of the view to the right and up, radians


class CompanionDog(World[Session]):
    """One person, one dog, one minute."""

    spec = SPEC

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> Session:
        self.dog = individual(self.setting("individual"))
        side = float(rng.choice((-1, 1)))
        self.bed = _polar(
            rng.uniform(c.BED_NEAREST, c.BED_FARTHEST),
            side * rng.uniform(c.BED_ASIDE_LEAST, c.BED_ASIDE_MOST),
        )
        x, y = _polar(rng.uniform(c.START_LEAST, c.START_MOST), rng.uniform(-16.0, 16.0))
        heading = math.atan2(-y, -x) + math.radians(rng.uniform(-70.0, 70.0))
        trust, load = rng.uniform(c.TRUST_LEAST, c.TRUST_MOST), rng.uniform(0.0, c.LOAD_MOST)
        self._scenery = Scenery(self.bed, self.dog.coat, rng)
        return Session(
            stance=np.array([x, y, heading, 0.0, 0.3, 0.0]),
            mode=np.array([Mode.IDLE], np.int64),
            mood=np.array([trust, load, 0.0, 0.0, 0.0, 0.0]),
            overdone=np.zeros(len(ACTIVITIES)),
            hand=np.array([-1, 0], np.int64),
            look=np.zeros(2),
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        control = controls[ROLE]
        self._turn_view(control.axes)
        activity = self._move_hand(control.buttons)
        stance, mood = self.stance, self.mood
        out = activity is not None and reach(self._phase) >= 1.0
        if out and stance.gap > c.ARM and activity in REACHING_FOR:
            self._say(ROLE, OUT_OF_REACH)
        feel(
            mood,
            self.dog,
            activity,
            gap=stance.gap,
            contact=out and stance.gap <= c.ARM,
            roomy="withdraw" in control.buttons,
            seconds=TICK,
        )
        self.state.stance[:] = stepped(stance, mood.mode, self.bed, TICK)
        self.state.mode[0] = mood.mode
        self.state.mood[:] = (
            *(mood.trust, mood.load, float(mood.tired)),
            *(mood.since, mood.pleasure, mood.avoidance),
        )
        self.state.overdone[:] = mood.overdone
        return False

    def _move_hand(self, buttons: frozenset[str]) -> int | None:
        """Go on with the activity whose button is held, or begin it; of several the first counts."""
        held = next((index for index, name in enumerate(ACTIVITIES) if name in buttons), -1)
        before, ticks = self.state.hand.tolist()
        self.state.hand[:] = held, ticks + 1 if held == before else 1
        return None if held < 0 else held

    def _turn_view(self, axes: Mapping[str, float]) -> None:
        most = math.radians(c.LOOK_SPEED) * TICK
        for index, (axis, widest) in enumerate((("lookX", c.LOOK_ASIDE), ("lookY", c.LOOK_UP))):
            wanted = math.radians(widest) * min(max(axes.get(axis, 0.0), -1.0), 1.0)
            self.state.look[index] += min(max(wanted - self.state.look[index], -most), most)

    # --- reading the state -------------------------------------------------------------------------

    @property
    def stance(self) -> Stance:
        """Where the dog is and how it holds itself."""
        return Stance(*self.state.stance.tolist())

    @property
    def mood(self) -> Mood:
        """How the dog feels; a copy."""
        trust, load, tired, since, pleasure, avoidance = self.state.mood.tolist()
        mode, overdone = Mode(int(self.state.mode[0])), self.state.overdone.tolist()
        return Mood(mode, trust, load, bool(tired), overdone, since, pleasure, avoidance)

    @property
    def _phase(self) -> float:
        """Seconds for which the hand's activity has gone on."""
        return int(self.state.hand[1]) * TICK

    def _score(self) -> Score:
        mood = self.mood
        lost = c.AVOIDANCE * mood.avoidance
        engagement = mood.pleasure - lost
        return Score(
            value=100.0 * min(max(engagement / c.FULL, 0.0), 1.0),
            measure=engagement,
            parts={"comfort": mood.pleasure, "avoidance": -lost},
            progress=min(mood.pleasure / c.FULL, 1.0),
        )

    # --- what can be seen --------------------------------------------------------------------------

    def _scene(self) -> Scene:
        held = int(self.state.hand[0])
        activity = None if held < 0 else held
        stance = self.stance
        return self._scenery.at(
            stance,
            hand_at(activity, self._phase, stance),
            palm_up=activity == ACTIVITIES.index("offer"),
            holds_ball=activity == ACTIVITIES.index("play"),
            seconds=self.time,
        )

    def _camera(self, role: str) -> Camera:
        right, up = self.state.look.tolist()
        return Camera.at((0.0, 0.0, c.EYE_HEIGHT), -right, pitch=math.radians(c.EYE_PITCH) + up)


def _polar(distance: float, degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return distance * math.cos(angle), distance * math.sin(angle)
