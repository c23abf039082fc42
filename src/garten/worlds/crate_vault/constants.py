"""The numbers of the crate vault, each with its unit and the reason for it."""

from garten.records import Constant

TICK = Constant(0.1, "s", "ten pictures of each step")
FRAME_RATE = Constant(10.0, "1/s", "every tick is a frame")
TIME_LIMIT = Constant(300.0, "s", "given by the task: three times what the hardest levels take")

ROOMS = Constant(3, "rooms", "one behind the other, each harder than the one before")
ROOM_SIDE = Constant(5, "squares", "room to push a crate along and across, few enough to prove every level")
SQUARE = Constant(1.0, "m", "one step")
STEP_TICKS = Constant(10, "ticks", "a step or a quarter turn takes one action")

EASY = Constant(4, "moves", "fewest moves through the first room, at least")
MEDIUM = Constant(11, "moves", "through the second, at least")
HARD = Constant(18, "moves", "through the third, which has two crates, at least")
SPREAD = Constant(10, "moves", "and at most so many more")

EYE_HEIGHT = Constant(1.7, "m", "looks over crates and inner walls")
EYE_PITCH = Constant(-16.0, "deg", "shows the floor from two squares ahead on, and the far end")
CRATE_SIDE = Constant(0.8, "m", "lower than the eye, narrower than a square")
WALL_HEIGHT = Constant(1.0, "m", "inner walls, low enough to look over")
HALL_HEIGHT = Constant(2.6, "m", "outer walls")
DOOR_HEIGHT = Constant(2.0, "m", "posts and beam show from every room")
DOOR_SPEED = Constant(2.0, "1/s", "the bars sink in half a second; seen, without effect on the rules")

PLATE_POINTS = Constant(8.0, "points", "for each of the four plates held at the end")
DOOR_POINTS = Constant(6.0, "points", "for each of the three doors that was ever open")
VAULT_POINTS = Constant(40.0, "points", "for reaching the vault")
TIME_POINTS = Constant(10.0, "points", "for the whole time limit left, once it is reached")

ALL = {name.lower(): value for name, value in globals().items() if isinstance(value, Constant)}
"""Every constant above by its name in lower case, in the order above."""
