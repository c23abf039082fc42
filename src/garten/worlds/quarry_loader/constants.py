"""The numbers of the quarry, each with its unit and the reason for it.

The yard's frame has x to the east, y to the north and its origin south of the cross-wall's middle.
"""

from garten.records import Constant

TICK = Constant(0.1, "s", "how often what the driver holds down is read")
STEP = Constant(0.005, "s", "step of the simulation; bodies are heavy and slow")
TIME_LIMIT = Constant(360.0, "s", "given by the task")

FORWARD_SPEED = Constant(1.4, "m/s", "about a wheel loader's first gear; half its own length a second")
BACKWARD_SPEED = Constant(1.2, "m/s", "a little slower than ahead")
ARC_SPEED = Constant(1.0, "m/s", "slow in bends, ahead and back")
ARC_RADIUS = Constant(2.8, "m", "a bend as tight as the front wheels can turn; no pivot on the spot")
STILL = Constant(0.05, "m/s", "slower than this the loader has stopped")
STILL_TIME = Constant(1.0, "s", "how long it must have stopped in the bay")
STUCK_TIME = Constant(0.5, "s", "how long it must push in vain before the driver is told")
STUCK_SHARE = Constant(0.2, "share", "of its speed; slower than this it is stuck")

WHEELBASE = Constant(1.9, "m", "a small loader")
TRACK = Constant(1.5, "m", "between the middles of left and right wheels")
WHEEL_RADIUS = Constant(0.45, "m", "large wheels, as loaders have")
WHEEL_WIDTH = Constant(0.36, "m", "of a tyre")
CHASSIS_MASS = Constant(2100.0, "kg", "heavy enough that a full scoop does not lift the rear")
WHEEL_MASS = Constant(70.0, "kg", "each")
PUSH = Constant(18_000.0, "N", "the most the wheels push: a rock at ease, a wall in vain")
CHASSIS_LENGTH = Constant(2.9, "m", "between the ends of the wheels and the counterweight")
CHASSIS_WIDTH = Constant(1.9, "m", "over the wheels")

ARM_LENGTH = Constant(1.75, "m", "from the chassis to the scoop's hinge; past the front wheels")
ARM_HEIGHT = Constant(1.0, "m", "of the arm's hinge on the chassis")
ARM_LOW = Constant(-22.0, "deg", "the scoop's floor is then just above the ground")
ARM_HIGH = Constant(40.0, "deg", "a rock is then above the bunker's walls, far below the cross-wall's top")
ARM_RATE = Constant(15.5, "deg/s", "four actions from the ground to the top")
ARM_FORCE = Constant(16_000.0, "N m", "lifts a rock, does not lift the loader off its front wheels")
CURL_MOST = Constant(40.0, "deg", "the scoop's floor points up and keeps a rock in")
TIP_MOST = Constant(60.0, "deg", "the scoop's floor points down and a rock slides off")
CURL_RATE = Constant(20.0, "deg/s", "two actions from level to curled, three to tipped")
SCOOP_FORCE = Constant(6_000.0, "N m", "holds a rock level")
SCOOP_DEPTH = Constant(0.95, "m", "a rock fits")
SCOOP_WIDTH = Constant(1.6, "m", "a rock fits without being aimed at to a hand's breadth")
SCOOP_FRICTION = Constant(0.2, "share", "worn steel: a rock slides off a tipped scoop, and never sticks")

ROCK_RADIUS = Constant(0.46, "m", "mean radius of a rock")
ROCK_UNEVEN = Constant(0.12, "share", "by which the corners of a rock lie further in or out")
ROCK_MASS = Constant(220.0, "kg", "light for its size, so that a small loader can carry it")
ROCK_FRICTION = Constant(0.7, "share", "rock on gravel")
LYING = Constant(0.1, "m", "a rock whose lowest point is lower than this lies on the ground")

HALF_WIDTH = Constant(14.0, "m", "from the middle of the yard to its rim, east and west")
SOUTH = Constant(-11.0, "m", "the rim in the south")
NORTH = Constant(15.5, "m", "the rim in the north; room for a loader to turn behind the wall")
RIM_HEIGHT = Constant(1.6, "m", "rock face around the yard")
WALL_Y = Constant(4.0, "m", "the cross-wall's middle line")
WALL_HEIGHT = Constant(2.8, "m", "taller than the lip of a raised scoop: no rock gets over it")
WALL_THICKNESS = Constant(0.5, "m", "of the cross-wall")
WALL_GAP = Constant(7.0, "m", "the open end; two bends of the loader fit beside the wall")

PAD_X = Constant(10.5, "m", "the staging pads' middles are this far to either side")
PAD_Y = Constant(-3.0, "m", "and this far south")
PAD_HALF = Constant(1.8, "m", "half the side of a pad; a rock has over a metre to spare")
BUNKER_AWAY = Constant(3.5, "m", "the bunker's middle, beyond the yard's middle line seen from the open end")
BUNKER_Y = Constant(10.0, "m", "behind the cross-wall, with room on both sides")
BUNKER_HALF = Constant(1.8, "m", "half the side of the bunker's floor")
BUNKER_HEIGHT = Constant(1.1, "m", "of its three walls")
BUNKER_THICKNESS = Constant(0.3, "m", "of its three walls")
BAY_HALF = Constant(2.2, "m", "half the parking bay's width: the chassis and 1.2 m on either side")
BAY_MOUTH = Constant(-5.2, "m", "the bay reaches from the rim in the south to the arch here")
BAY_WALL = Constant(0.7, "m", "height of the bay's side walls")
ARCH_HEIGHT = Constant(3.6, "m", "above a raised scoop")

ROCK_X_LEAST = Constant(4.0, "m", "rocks start at least this far to either side")
ROCK_X_MOST = Constant(7.0, "m", "and at most this far: none is on a pad")
ROCK_Y_LEAST = Constant(-6.0, "m", "and south of the wall with room to get behind them")
ROCK_Y_MOST = Constant(0.0, "m", "likewise")
START_Y = Constant(-2.5, "m", "the loader starts north of the arch")
START_X_MOST = Constant(1.0, "m", "and at most this far from the middle")
START_TURN = Constant(30.0, "deg", "and faces north, at most this far to either side")
SETTLING = Constant(2.0, "s", "time for rocks to come to rest before an episode begins")

CAMERA_BACK = Constant(9.5, "m", "the camera is this far south of the loader")
CAMERA_HEIGHT = Constant(11.5, "m", "and this high, so that it looks over the cross-wall")
CAMERA_PITCH = Constant(-46.0, "deg", "and looks down this far; it never turns")
CAMERA_FOV = Constant(56.0, "deg", "height of the view")

STAGED_POINTS = Constant(30.0, "points", "published: both rocks on the pads at once")
BUNKER_POINTS = Constant(35.0, "points", "published: a rock in the bunker")
PARKED_POINTS = Constant(25.0, "points", "published: the loader parked")
TIME_POINTS = Constant(10.0, "points", "published: for the whole time limit left")

ALL: dict[str, Constant] = {
    name.lower(): value for name, value in dict(globals()).items() if isinstance(value, Constant)
}
