"""The numbers of the race, each with its unit and the reason for it."""

from garten.records import Constant

TICK = Constant(0.05, "s", "how often what the drivers hold is read")
STEP = Constant(0.005, "s", "step of the simulation")
TIME_LIMIT = Constant(120.0, "s", "given by the task; a clean race takes about a minute")
LAPS = Constant(3, "laps", "given by the task")

TOP_SPEED = Constant(9.0, "m/s", "too fast for the bends, right for the straights")
REVERSE_SPEED = Constant(3.0, "m/s", "to get away from a wall")
TIGHTEST = Constant(4.5, "m", "radius of the tightest bend the wheels can steer")
PUSH = Constant(2_200.0, "N", "five metres a second squared, speeding up and braking")
GRIP = Constant(1.0, "share", "friction of the tyres: at top speed they hold bends of 8 m and wider")
BODY_FRICTION = Constant(
    0.1, "share", "smooth bodies slide off each other; on a wall, the wall's friction counts"
)
WHEELBASE = Constant(1.7, "m", "a small single-seater")
TRACK = Constant(1.3, "m", "between the middles of left and right wheels")
WHEEL_RADIUS = Constant(0.32, "m", "of a wheel")
WHEEL_WIDTH = Constant(0.26, "m", "of a tyre")
WHEEL_MASS = Constant(12.0, "kg", "each")
CAR_MASS = Constant(380.0, "kg", "without wheels")

HALF_WIDTH = Constant(4.0, "m", "half the road's width: two cars side by side and room to pass")
WALL_HEIGHT = Constant(0.8, "m", "lower than the driver's eye, so that the bend ahead shows")
WALL_FRICTION = Constant(1.5, "share", "tyre stacks: leaning on the wall does not carry a car round")
BASE_RADIUS = Constant(20.0, "m", "mean radius of the ring that a track is bent from")
STRETCH = Constant(1.35, "share", "how much longer than wide a track is")
BENDS_MOST = Constant(0.16, "share", "by which each of its waves bends a track in or out")
BEND_LEAST = Constant(7.5, "m", "the tightest bend of a track, on its middle line")
PIECES = Constant(72, "pieces", "straight pieces of road and wall")
GRID_GAP = Constant(1.7, "m", "the cars start this far left and right of the middle line")
GRID_BACK = Constant(2.0, "m", "and this far before the line")

EYE_HEIGHT = Constant(1.12, "m", "the driver's eye, above the nose and the walls")
EYE_BACK = Constant(0.25, "m", "behind the middle of the wheels")
EYE_PITCH = Constant(-6.0, "deg", "a little down, onto the road")
EYE_HEIGHT_OF_VIEW = Constant(60.0, "deg", "height of the view")

PROGRESS_POINTS = Constant(80.0, "points", "for the share of the race a car has driven")
FIRST_POINTS = Constant(20.0, "points", "for finishing, which only the first does")

ALL: dict[str, Constant] = {
    name.lower(): value for name, value in dict(globals()).items() if isinstance(value, Constant)
}
