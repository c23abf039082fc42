"""The numbers of hide-and-seek, each with its unit and the reason for it."""

from garten.records import Constant

TICK = Constant(
    0.125, "s", "how often what the roles hold is read, and who sees whom; a quarter metre at a run"
)
STEP = Constant(0.0125, "s", "step of the simulation; things slide, few collide, nothing is fast")
PREPARATION = Constant(60.0, "s", "given by the task: hiders only")
SEEKING = Constant(60.0, "s", "given by the task: seekers look")
BEAT = Constant(0.25, "s", "given by the task: one step; every action is a whole number of them")
MOST_STEPS = Constant(8, "steps", "two seconds: about as far as one can see ahead without looking again")

ARENA = Constant(12.0, "m", "given by the task: the side of the arena")
WALL_HEIGHT = Constant(1.5, "m", "given by the task: above all eyes that stand on the ground")
WALL_THICKNESS = Constant(0.2, "m", "of all walls")
FENCE_HEIGHT = Constant(3.5, "m", "nobody gets out of the arena, not even from a ramp")
DOOR = Constant(1.0, "m", "given by the task: clear width of a door")
DOOR_TO_CORNER = Constant(1.6, "m", "middle of a door to the end of its wall; room for a panel across it")
INNER_WALL_MOST = Constant(0.8, "m", "how far from the middle inner walls of random rooms stand")

BOX = Constant(0.8, "m", "given by the task: side of a box; standing eyes look over it")
PANEL_LENGTH = Constant(2.4, "m", "given by the task")
PANEL_HEIGHT = Constant(1.5, "m", "as high as a wall: a panel closes a door to looks too")
PANEL_THICKNESS = Constant(0.14, "m", "thin enough to be carried lengthwise through a door")
RAMP_LENGTH = Constant(1.2, "m", "given by the task")
RAMP_WIDTH = Constant(0.9, "m", "fits through a door")
RAMP_HEIGHT = Constant(1.5, "m", "as high as a wall, so that one gets onto a wall from it")
AFLOAT = Constant(
    0.005, "m", "movable things begin this far above the ground, whose friction is their joints'"
)
BOX_MASS = Constant(15.0, "kg", "pushed at ease")
PANEL_MASS = Constant(14.0, "kg", "likewise")
RAMP_MASS = Constant(16.0, "kg", "likewise")
DRAG = Constant(60.0, "N", "friction of a movable thing on the ground")
DRAG_TURN = Constant(20.0, "N m", "and against turning on it")
GAP = Constant(0.7, "m", "between things at the start: one can walk around each of them")

BODY_RADIUS = Constant(0.28, "m", "of a person; half a door leaves room")
BODY_HEIGHT = Constant(1.2, "m", "of a person, lower than a wall")
BODY_MASS = Constant(30.0, "kg", "of a person")
EYE_HEIGHT = Constant(1.02, "m", "below the top of walls, above boxes")
EYE_AHEAD = Constant(0.25, "m", "before the middle of the body: one does not see oneself")
EYE_FOV = Constant(60.0, "deg", "height of the view; at 16:9 it is 91 wide")
EYE_ASPECT = Constant(16.0 / 9.0, "share", "width over height of the view that counts as seeing")
EYE_PITCH = Constant(40.0, "deg", "how far the eyes can be raised or lowered")
SPEED = Constant(2.0, "m/s", "a run; across the arena in six seconds")
TURN_RATE = Constant(120.0, "deg/s", "thirty degrees a step")
PUSH = Constant(600.0, "N", "walks up a ramp, pushes two things at once, no locked one")
PUSH_GAIN = Constant(4_000.0, "N s/m", "push for each missing m/s")
TWIST = Constant(400.0, "N m", "swings a panel")
TWIST_GAIN = Constant(1_000.0, "N m s/rad", "twist for each missing rad/s")
TWIST_INERTIA = Constant(4.0, "kg m2", "of who turns: at full turning within a thirtieth of a second")
GOTO_MOST = Constant(6.0, "m", "of one goto; half the arena")

REACH = Constant(0.6, "m", "from the body to what can be pulled or locked")
REACH_HEIGHT = Constant(0.25, "m", "of the hands; also meets the low end of a ramp")
REACH_SIDE = Constant(30.0, "deg", "to either side of straight ahead")
CAUGHT = Constant(0.8, "m", "between middles: close enough to touch")
STUCK_SHARE = Constant(0.15, "share", "of the speed asked for; slower than this something is in the way")

FIRST_SIGHT_POINTS = Constant(10.0, "points", "to seekers for seeing a hider at once, less the later it is")
LIDAR_RAYS = Constant(32, "rays", "of the lidar, all around")
LIDAR_HEIGHT = Constant(0.4, "m", "meets boxes and ramps as well as walls")

CLIMBED = Constant(0.3, "m", "above the ground one has begun to climb")
ON_WALL = Constant(1.3, "m", "above the ground one stands on a wall's top or a thing as high")
GRID = Constant(0.1, "m", "cells in which ways are looked for by what reports strategies")

ALL: dict[str, Constant] = {
    name.lower(): value for name, value in dict(globals()).items() if isinstance(value, Constant)
}
