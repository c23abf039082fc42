"""The numbers of the companion dog, each with its unit and the reason for it.

What differs from dog to dog is in `individual`.
"""

from garten.records import Constant

TICK = Constant(0.1, "s", "the dog moves 5 cm in it")
FRAME_RATE = Constant(10.0, "1/s", "every tick is a frame")
TIME_LIMIT = Constant(60.0, "s", "given by the task")

EYE_HEIGHT = Constant(1.05, "m", "eyes of a person on a low stool")
EYE_PITCH = Constant(-20.0, "deg", "looks down at the dog; wall and bed stay in sight")
LOOK_ASIDE = Constant(50.0, "deg", "turn of the view at lookX = 1")
LOOK_UP = Constant(25.0, "deg", "turn of the view at lookY = 1")
LOOK_SPEED = Constant(
    180.0, "deg/s", "a quick turn of the head; any look is reached within the shortest action"
)

STROKE = Constant(3.0, "s", "given by the task: reaching out, contact, drawing back")
REACHING = Constant(0.5, "s", "of it until contact, and again from contact until the hand is back")
ARM = Constant(1.35, "m", "how far the middle of the dog may be for a hand to touch it")
NOTICE = Constant(2.0, "m", "a dog nearer than this takes a hand that reaches out as meant for it")

NEAR = Constant(1.15, "m", "where the middle of an engaged dog stands: its head within easy reach")
ASIDE = Constant(1.75, "m", "where a refusing dog stands: one step out of reach")
STEP_SPEED = Constant(0.5, "m/s", "small steps")
WALK_SPEED = Constant(0.9, "m/s", "on the way to its bed")
TURN_SPEED = Constant(200.0, "deg/s", "a dog turns in a second")
AVERTED = Constant(100.0, "deg", "how far a refusing dog turns away from the person: shows its side")
LIE_SPEED = Constant(1.5, "1/s", "lying down and getting up take two thirds of a second")

BED_NEAREST = Constant(2.5, "m", "the bed is out of reach")
BED_FARTHEST = Constant(2.9, "m", "and within the room")
BED_ASIDE_LEAST = Constant(22.0, "deg", "angle between straight ahead and the bed, to either side, at least")
BED_ASIDE_MOST = Constant(34.0, "deg", "and at most: in sight without looking aside")
START_LEAST = Constant(1.9, "m", "the dog starts at least this far away: it must be invited")
START_MOST = Constant(2.5, "m", "and at most this far")
TRUST_LEAST = Constant(0.35, "share", "trust at the start, at least")
TRUST_MOST = Constant(0.5, "share", "and at most")
LOAD_MOST = Constant(0.3, "share", "how much the dog has had already at the start, at most")

SHY_OF_TRUST = Constant(1.5, "1", "liking lost for each unit of trust that is missing")
OPENNESS = Constant(0.4, "share", "of the pleasure that a dog takes in contact without any trust")
TRUST_GAIN = Constant(0.03, "1/s", "of comfortable contact: from wary to trusting takes half a session")
TRUST_LOSS = Constant(0.15, "1", "each time the dog is driven to its bed")
WITHDRAW_EASE = Constant(1.6, "1", "room given rests the dog this many times as fast as sitting still")
BORED_EASE = Constant(16.0, "s", "until an activity that was overdone is welcome as ever")
CALM = Constant(1.5, "s", "without a hand after which a dog that refused faces the person again")
REST_LEAST = Constant(4.0, "s", "a dog that went to its bed stays there at least this long")
RESTED = Constant(0.4, "share", "a tired dog welcomes nothing until it has recovered to this")
DISTURBED = Constant(0.3, "1", "rest counts so little while a hand reaches out")

AVOIDANCE = Constant(0.4, "1/s", "points lost while the dog avoids the person: less than contact brings")
FULL = Constant(
    22.0, "points", "score 100: what a session comes to that has no second to spare; published ones got 19"
)

ALL = {name.lower(): value for name, value in globals().items() if isinstance(value, Constant)}
"""Every constant above by its name in lower case, in the order above."""
