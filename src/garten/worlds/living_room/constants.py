"""The numbers of the flat, each with its unit and the reason for it.

The flat's frame has its origin in the middle of the living room's floor, x towards the kitchen and y towards
the sofa before a seed mirrors it.
"""

from garten.records import Constant

TICK = Constant(0.05, "s", "how often the hand gets a new target on its way")
FRAME_RATE = Constant(10.0, "1/s", "every second tick is a frame")
STEP = Constant(0.005, "s", "step of the simulation; what is held moves slowly")
TIME_LIMIT = Constant(240.0, "s", "given by the task")
SETTLING = Constant(0.5, "s", "time for things to come to rest before an episode begins")

WALK_SPEED = Constant(1.0, "m/s", "at ease, indoors")
TURN_SPEED = Constant(60.0, "deg/s", "a twelfth of a circle in an action")
LOOK_SPEED = Constant(40.0, "deg/s", "20 degrees in an action")
LOOK_LOWEST = Constant(-75.0, "deg", "the floor before one's feet")
LOOK_HIGHEST = Constant(25.0, "deg", "the top of a wall")
LOOK_START = Constant(-15.0, "deg", "tables and seats are in sight without looking down")
EYE_HEIGHT = Constant(1.5, "m", "of a person who is not tall; looks into drawers and over tables")
EYE_AHEAD = Constant(0.14, "m", "the eyes are in front of the head, which they never see")
BODY_RADIUS = Constant(0.2, "m", "passes a door with 0.25 m on either side")
BODY_MASS = Constant(60.0, "kg", "of a person")
BODY_PUSH = Constant(300.0, "N", "walks and stops within a quarter of a second; pushes a door, no wall")
BLOCKED_TIME = Constant(0.25, "s", "how long one must walk in vain before it is told")
BLOCKED_SHARE = Constant(0.25, "share", "of the walking speed; slower is in vain")

ARM_LEAST = Constant(0.25, "m", "the hand stays outside the body")
ARM_DRAWN = Constant(0.36, "m", "the arm swings only when it is drawn in: what it holds leaves as it came")
ARM_GIVES = Constant(0.1, "m", "how much further than it reaches by itself the arm can be pulled")
ARM_MOST = Constant(0.95, "m", "from the middle of the body to the hand, leaning forward")
ARM_SWING = Constant(60.0, "deg", "how far the arm swings to either side")
HAND_LOWEST = Constant(0.04, "m", "things on the floor are taken by bending down")
HAND_HIGHEST = Constant(1.7, "m", "above the eyes")
HAND_SPEED = Constant(2.5, "m/s", "to the floor or a shelf within one action")
HAND_SWING_SPEED = Constant(360.0, "deg/s", "likewise")
HAND_LIFT = Constant(0.16, "m", "the hand goes this much higher than where it takes or puts something")
HAND_FORCE = Constant(60.0, "N", "lifts everything here; opens doors with ease")
HAND_TORQUE = Constant(25.0, "N m", "likewise, to the side")
HAND_OFF = Constant(0.08, "m", "a hand that is further from where it should be is held up by something")
CARRY_OUT = Constant(0.55, "m", "where the hand is when it does nothing else: ahead,")
CARRY_SWING = Constant(-18.0, "deg", "a little to the right,")
CARRY_HEIGHT = Constant(1.22, "m", "and below the eyes, so that what it holds is seen")
TOUCH = Constant(0.06, "m", "what is nearer to the hand than this can be taken hold of")
GAP = Constant(0.015, "m", "what is put down is let go so high above what it will lie on")
PULL = Constant(0.06, "m", "how far ahead of itself the hand pulls or pushes what it opens or closes")
SLIP = Constant(0.12, "m", "a hand whose handle is this far out of reach lets it go")

SHUT_ANGLE = Constant(1.5, "deg", "a door that is open by less is shut, and latches")
SHUT_WAY = Constant(0.03, "m", "a drawer that is open by less is shut")

LOST = Constant(0.3, "m", "what is held up by so much while the hand goes on slips out of it")

DONE_TIME = Constant(1.0, "s", "how long all must be done, with an empty hand, to end the game")
ALL_POINTS = Constant(90.0, "points", "for all that the errand asks for")
TIME_POINTS = Constant(10.0, "points", "for the whole time limit left, once it is all done")

ALL: dict[str, Constant] = {
    name.lower(): value for name, value in dict(globals()).items() if isinstance(value, Constant)
}
"""Every constant above by its name in lower case, in the order above."""
