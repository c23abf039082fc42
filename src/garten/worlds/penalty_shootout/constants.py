"""The numbers of the penalty shootout, each with its unit and the reason for it."""

from garten.records import Constant

TICK = Constant(0.1, "s", "balls and dives are computed in closed form, so that a tick may be long")
FRAME_RATE = Constant(10.0, "1/s", "every tick is a frame")
TIME_LIMIT = Constant(120.0, "s", "more than ten kicks can take")
KICKS = Constant(5, "kicks", "given by the task: for each of the two")

PATIENCE = Constant(6.0, "s", "a kick not begun by then is lost")
RUN_UP = Constant(1.5, "s", "long enough for a keeper to wait for what it shows")
TELL = Constant(0.6, "s", "the last part of the run-up, which shows the side: in time for a dive")
AFTER = Constant(1.5, "s", "from the end of a kick to the next turn")

GOAL_HALF_WIDTH = Constant(3.66, "m", "half of 7.32, from the laws of the game")
GOAL_HEIGHT = Constant(2.44, "m", "from the laws of the game")
SPOT = Constant(11.0, "m", "from the laws of the game")
BALL_RADIUS = Constant(0.11, "m", "a football")
RUN_LENGTH = Constant(3.0, "m", "where the run-up begins, behind the ball")

SLOWEST = Constant(12.0, "m/s", "a ball kicked with power 0: 0.9 s to the goal")
FASTEST = Constant(28.0, "m/s", "with power 1: 0.4 s")
WIDEST = Constant(4.3, "m", "where aim 1 goes: wide of the post, which is at aim 0.85")
LOWEST = Constant(0.15, "m", "height at the goal with lift 0")
HIGHEST = Constant(3.1, "m", "with lift 1: over the bar, which is at lift 0.78")
RISE = Constant(1.3, "m", "what a shot of full power rises above that; half power does not")
WIND_MOST = Constant(2.5, "m/s^2", "sideways pull on the ball: up to a metre on the slowest")

STRETCH = Constant(0.6, "s", "until a dive has its full reach")
DIVE_WIDTH = Constant(3.3, "m", "where the hands are at side 1: a ball's width inside the post")
DIVE_LOW = Constant(0.3, "m", "height of the hands at lift 0")
DIVE_HIGH = Constant(2.1, "m", "and at lift 1")
REACH = Constant(0.45, "m", "a ball nearer than this to the keeper's body or arms is saved")

GOAL_POINTS = Constant(16.0, "points", "for each own goal: five make 80")
SAVE_POINTS = Constant(4.0, "points", "for each kick of the other's that is no goal: five make 20")

ALL = {name.lower(): value for name, value in globals().items() if isinstance(value, Constant)}
"""Every constant above by its name in lower case, in the order above."""
