"""The numbers of herding, each with its unit and the reason for it."""

from garten.records import Constant

TICK = Constant(0.1, "s", "fine enough that nothing crosses a fence between two ticks")
TIME_LIMIT = Constant(180.0, "s", "given by the task")
HOLD = Constant(5.0, "s", "given by the task: how long all sheep stay inside before it ends")

DOGS = Constant(2, "dogs", "given by the task")
DOG_SPEED = Constant(1.6, "m/s", "a trot; one action covers about two dog lengths")
DOG_TURN = Constant(30.0, "deg/s", "twelve turns make a full look round")
DOG_RADIUS = Constant(0.55, "m", "keeps the dog's eye out of fences and other bodies")
EYE_HEIGHT = Constant(0.6, "m", "a dog's eye: lower than a sheep's back, so sheep hide what is behind them")
EYE_AHEAD = Constant(0.38, "m", "the eye sits in front of the dog's own body")
EYE_WIDTH = Constant(90.0, "deg", "width of the view at 16:9; a turn leaves two thirds of it in sight")

SHEEP = Constant(4, "sheep", "given by the task")
SHEEP_RADIUS = Constant(0.5, "m", "half a sheep's length")
SHEEP_SPEED = Constant(2.6, "m/s", "a sheep under full pressure outruns a dog, so pushing needs distance")
BOLT_SPEED = Constant(3.0, "m/s", "a scattering sheep is faster still")
FLEE_RANGE = Constant(
    6.0, "m", "a dog nearer than this presses a sheep; pressure grows evenly to 1 at contact"
)
SCATTER_RANGE = Constant(1.5, "m", "a dog nearer than this makes a sheep bolt away from the flock")
GATHER = Constant(0.35, "share", "pull towards the other sheep, of the pressure: weaker than flight")
GATHER_GAP = Constant(1.2, "m", "sheep that near to the middle of the others feel no pull")
HEDGE_SHY = Constant(2.5, "m", "sheep run along the hedge at this distance, so a dog can get behind them")
SHEEP_TURN = Constant(
    240.0, "deg/s", "how fast a running sheep's body turns; seen, without effect on the rules"
)

FIELD_HALF = Constant(15.0, "m", "half the side of the square field; small enough to herd across in a minute")
PEN_HALF = Constant(3.5, "m", "half the side of the square pen: roomy for four sheep")
GATE_WIDTH = Constant(4.0, "m", "wide enough for the flock, too narrow to find by accident")
HEDGE_HEIGHT = Constant(1.9, "m", "hides the land behind it, not the barn and the trees to steer by")
FENCE_HEIGHT = Constant(1.15, "m", "low enough to show the sheep inside")
GATE_HEIGHT = Constant(2.4, "m", "shows above fence and sheep from all over the field")

PEN_BACK_LEAST = Constant(6.5, "m", "the pen stands at least this far back from the middle of the field")
PEN_BACK_MOST = Constant(8.5, "m", "and at most this far, which leaves room to walk behind it")
PEN_ASIDE = Constant(5.0, "m", "and at most this far to either side")
FLOCK_AHEAD_LEAST = Constant(7.5, "m", "the flock starts at least this far from the gate: it must be driven")
FLOCK_AHEAD_MOST = Constant(11.0, "m", "and at most this far, so that there is room behind it")
FLOCK_ASIDE = Constant(35.0, "deg", "largest angle at the gate between straight ahead and the flock")
FLOCK_ROOM = Constant(4.0, "m", "least distance from the middle of the flock to the hedge at the start")
FLOCK_SPREAD = Constant(2.2, "m", "sheep start within this distance of the middle of the flock")
SHEEP_GAP = Constant(1.3, "m", "least distance between two sheep at the start")
DOG_AWAY_LEAST = Constant(8.5, "m", "dogs start this far from the middle of the flock, pressing no sheep")
DOG_AWAY_MOST = Constant(11.0, "m", "and at most this far, a short walk")
DOG_GAP = Constant(2.5, "m", "least distance from a dog to the other, the fence and the hedge at the start")

PENNED_POINTS = Constant(80.0, "points", "published score formula: shared evenly among the sheep")
TIME_POINTS = Constant(20.0, "points", "published score formula: for the whole time limit left")

ALL: dict[str, Constant] = {
    name.lower(): value for name, value in dict(globals()).items() if isinstance(value, Constant)
}
