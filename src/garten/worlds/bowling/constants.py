"""The numbers of bowling, each with its unit and the reason for it."""

from garten.records import Constant

TICK = Constant(0.1, "s", "the ball moves less than its lane is wide")
FRAME_RATE = Constant(10.0, "1/s", "every tick is a frame")
TIME_LIMIT = Constant(90.0, "s", "twice what the most balls take")
STEP = Constant(0.004, "s", "of the physics: pins are light, and hit hard")
FRAMES = Constant(3, "frames", "given by the task")
BOWL = Constant(5.0, "s", "the slowest ball, and time for pins to fall")

LANE_LENGTH = Constant(
    10.0, "m", "foul line to head pin: shorter than the real 18.3, so that pins can be told apart"
)
LANE_HALF_WIDTH = Constant(0.525, "m", "half of a real lane's 1.05")
GUTTER_WIDTH = Constant(0.24, "m", "a little wider than the ball")
GUTTER_DEPTH = Constant(0.16, "m", "deep enough to carry the ball past the pins")
PIN_SPACING = Constant(0.3048, "m", "of real pins, middle to middle")
PIN_MASS = Constant(1.5, "kg", "a real pin")
BALL_RADIUS = Constant(0.108, "m", "a real ball")
BALL_MASS = Constant(6.5, "kg", "a medium ball")

RELEASE_MOST = Constant(0.40, "m", "from the middle of the lane at position 1: the ball on its edge")
ANGLE_MOST = Constant(5.0, "deg", "at angle 1: across the lane from edge to edge and beyond")
SLOWEST = Constant(5.0, "m/s", "speed 0")
FASTEST = Constant(9.0, "m/s", "speed 1")
SPIN_MOST = Constant(20.0, "rad/s", "about the way of the ball at spin 1")
ROLLING = Constant(0.6, "share", "of pure rolling that the ball begins with")

PIT_ROLLING = Constant(0.05, "m", "friction of the pit against rolling: a ball stays where it came in")

PULL_LEAST = Constant(
    1.5, "deg", "how far the arm pulls aside, at least: a straight aim misses the middle pins"
)
PULL_MOST = Constant(2.6, "deg", "and at most")
OIL_LEAST = Constant(4.5, "m", "how far the oil reaches, at least: behind it balls curve")
OIL_MOST = Constant(7.5, "m", "and at most")
OIL_FRICTION = Constant(0.04, "1", "on the oil balls slide")
WOOD_FRICTION_LEAST = Constant(0.16, "1", "on dry wood they grip, at least so much")
WOOD_FRICTION_MOST = Constant(0.24, "1", "and at most")

UPRIGHT_LEAST = Constant(0.9, "1", "a pin counts as standing while its axis is that near to upright (cosine)")
POINTS = Constant(90.0, "points", "score 100: three strikes and two more")

ALL = {name.lower(): value for name, value in globals().items() if isinstance(value, Constant)}
"""Every constant above by its name in lower case, in the order above."""
