"""The numbers of the one-lane bridge, each with its unit and the reason it was chosen."""

from garten.records import Constant

# --- the clock -----------------------------------------------------------------------------------

TICK = Constant(0.1, "s", "a car moves 0.2 m in it, far less than its own size, so that nothing is jumped")
FRAME_RATE = Constant(10.0, "1/s", "every tick is a frame")
TIME_LIMIT = Constant(120.0, "s", "published")

# --- cars ----------------------------------------------------------------------------------------

CAR_LENGTH = Constant(3.6, "m", "a small car")
CAR_WIDTH = Constant(1.6, "m", "a small car; one slanted forward action takes it out of the way of another")
CAR_SPEED = Constant(2.0, "m/s", "low and fixed: one forward action is 4 m, about a car's length")
TURN_SPEED = Constant(45.0, "deg/s", "one turn action is an eighth of a circle, so two face across the road")
EYE_AHEAD = Constant(0.2, "m", "the driver sits just before the middle of the car")
EYE_HEIGHT = Constant(1.2, "m", "eye height in a small car")

# --- the road ------------------------------------------------------------------------------------

GOAL_DISTANCE = Constant(
    68.0, "m", "17 forward actions: taking turns costs about 70 s, the published first round"
)
GOAL_RADIUS = Constant(2.5, "m", "more than half a forward action, so that every car can stop on its disk")
ROAD_BEYOND_GOAL = Constant(5.0, "m", "room to turn round on the disk")
BANK_HALF_WIDTH = Constant(6.5, "m", "a lane in the middle and a pullout on either side")
DECK_HALF_WIDTH = Constant(1.3, "m", "one car wide, with half a metre to spare on either side")
BRIDGE_LENGTH_MIN = Constant(8.0, "m", "two forward actions")
BRIDGE_LENGTH_MAX = Constant(12.0, "m", "three forward actions")
BRIDGE_SHIFT_MIN = Constant(
    4.0, "m", "off the middle of the road, so that one car always has the shorter way"
)
BRIDGE_SHIFT_MAX = Constant(7.0, "m", "leaves the shorter bank room for two pullouts")

# --- pullouts ------------------------------------------------------------------------------------

PULLOUT_LENGTH = Constant(7.0, "m", "two car lengths, so that a car can slant in and out")
PULLOUT_INNER_EDGE = Constant(1.8, "m", "leaves a lane of 3.6 m free in the middle of the road")
PULLOUT_OUTER_EDGE = Constant(6.2, "m", "a car that parks across it fits inside")
PULLOUT_FROM_GOAL = Constant(
    6.0, "m", "the outer pullout of a bank: where its middle lies before the goal disk"
)
PULLOUT_FROM_BRIDGE = Constant(
    7.0, "m", "the inner pullout of a bank: where its middle lies before the bridge"
)

# --- score ---------------------------------------------------------------------------------------

POINTS_PER_CAR = Constant(40.0, "points", "arrived cars make up most of the score")
POINTS_FOR_TIME = Constant(20.0, "points", "a small bonus for time left, on success only")
PROGRESS_BEFORE_PASSING = Constant(
    0.5, "1", "way made good counts half until the cars have passed each other"
)

ALL = {name.lower(): value for name, value in globals().items() if isinstance(value, Constant)}
"""Every constant above by its name in lower case, in the order above."""
