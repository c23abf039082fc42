"""Is a level sound: `garten check LEVEL` asks, and so does the gate before training.

The level is read, put on the lanes of an environment and started many times; then it is played for a short
while, by doing nothing and at random. Each check is one function whose docstring says in a line what it
checks. It returns a detail worth reading, or raises `Fault` with what is wrong, in a sentence that its
author, a model or a person, can act on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from garten.craftax.env import Env, make
from garten.craftax.full.ops import ARGUMENTS, Op, Rows
from garten.craftax.full.tables import FLOOR_NAMES, SOLID, TILES, Block, Thing
from garten.errors import LevelError
from garten.levels.effort import MOST_VISITS, visits
from garten.levels.lanes import assign
from garten.levels.level import Level, mask, read_level
from garten.levels.reach import out_of_reach
from garten.sandbox import Sandbox

IDLE_STEPS = 30
PLAY_STEPS = 100
"""Steps that a start is played."""

SEARCHED = 8
"""Starts from which a way to the goal is searched at most; it takes long, so that half of them must do."""

_UNFIT = np.isin(np.arange(len(Block)), [*SOLID, Block.WATER, Block.LAVA])
"""By block: whether a player could not have walked there."""

T = TypeVar("T")

Lanes = npt.NDArray[np.bool_]
"""Marks some of the starts, [starts]."""


class Fault(LevelError):  # noqa: N818 - what a check finds
    """What is wrong with a level."""


@dataclass(frozen=True)
class Result:
    """What one check found."""

    name: str
    passed: bool
    detail: str  # what is wrong, or what was measured; may be empty
    explanation: str  # one line: what the check is about


@dataclass(frozen=True)
class Starts:
    """A level on its lanes, started; the arrays are copies of how it started.

    Attributes:
        level: it.
        env: where; checks may play it.
        seed: of the starts.
        state: fields of the lanes' states, [starts, ...].
        misplaced: int [starts], placements that found no room.
    """

    level: Level
    env: Env
    seed: int
    state: dict[str, npt.NDArray[Any]]
    misplaced: npt.NDArray[np.int32]

    def many(self, which: Lanes) -> str:
        """How many of the starts, in words."""
        return f"in {int(which.sum())} of {len(which)} starts"

    def restart(self) -> None:
        """Start all lanes as they were started."""
        self.env.reset(seed=self.seed)


def check_level(
    source: str, sandbox: Sandbox, env: Env, *, seed: int = 0
) -> tuple[Level | None, list[Result]]:
    """Check a level.

    Args:
        source: its code.
        sandbox: where to read it.
        env: of Craftax, its lanes as many as there are to be starts; they are given to the level.
        seed: of the starts and of the random play.

    Returns:
        The level, or None if it cannot be read, and what each check found, as far as it came.
    """
    name, explanation = "contract", "The code runs within limits and says what a level must say."
    try:
        level = read_level(source, sandbox)
    except LevelError as error:
        return None, [Result(name, False, str(error), explanation)]
    return level, [Result(name, True, _size(level), explanation), *check_read(level, env, seed=seed)]


def check_read(level: Level, env: Env, *, seed: int = 0) -> list[Result]:
    """Check a level that was read, by all but its contract; the arguments are those of `check_level`.

    A level whose worlds take too long to build is not started.
    """
    first = _run(effort, level)
    if not first.passed:
        return [first]
    starts = _start(level, env, seed)
    return [first, *(_run(one, starts) for one in CHECKS)]


def _size(level: Level) -> str:
    lengths = sorted({len(rows) for rows in level.variants})
    return f"{len(level.variants)} x {' to '.join(map(str, lengths[:: max(len(lengths) - 1, 1)]))} operations"


def make_env(starts: int) -> Env:
    """An environment in which to check levels."""
    return make("Craftax", num_envs=starts)


def _start(level: Level, env: Env, seed: int) -> Starts:
    assign(env, [level], np.zeros(env.num_envs, int), bonus=1.0)
    env.reset(seed=seed)
    names = ("blocks", "things", "floor", "player_position", "achievements", "floor_made", "down_ladder")
    state = {name: env.engine.state.read(name).copy() for name in names}
    return Starts(level, env, seed, state, np.array(env.buffer("misplaced")))


def _run(one: Callable[[T], str], subject: T) -> Result:
    name, explanation = one.__name__.replace("_", "-"), str(one.__doc__)
    try:
        return Result(name, True, one(subject), explanation)
    except Fault as fault:
        return Result(name, False, str(fault), explanation)


def effort(level: Level) -> str:
    """A new world takes no longer to build than training can wait for."""
    most = max(visits(rows) for rows in level.variants)
    if most > MOST_VISITS:
        raise Fault(
            f"Building a world looks at {most} tiles, {most // TILES} times the map; "
            f"place fewer things, or nearer, to stay within {MOST_VISITS // TILES} times."
        )
    return ""


def goal(starts: Starts) -> str:
    """There is a goal, and it is not met from the start."""
    level = starts.level
    if not level.goal:
        raise Fault("relevant_achievements is empty; name what the level is to teach.")
    if set(level.goal) <= set(level.initial):
        raise Fault("All of the goal is in completed_achievements; ask for something that is not done yet.")
    wanted = mask(level.goal)
    met = np.logical_and.reduce(starts.state["achievements"][:, wanted], axis=1)
    if met.any():
        raise Fault(
            f"The goal is met {starts.many(met)} by what the player holds or where it starts; give less."
        )
    return ", ".join(each.name for each in level.goal)


def dials(starts: Starts) -> str:
    """The dials are numbers; those past their bounds are moved to them."""
    return " ".join(starts.level.notes)


def room(starts: Starts) -> str:
    """What is placed finds room, in most starts at least."""
    crowded = starts.misplaced > 0
    if not crowded.any():
        return ""
    most = int(starts.misplaced.max())
    found = f"{starts.many(crowded)} up to {most} placements found no room"
    if crowded.mean() > 0.5:
        raise Fault(f"{found.capitalize()}; place fewer, farther, or on more kinds of block.")
    return found


def player(starts: Starts) -> str:
    """The player stands on open ground, as far from a ladder as was asked for."""
    lanes = np.arange(starts.env.num_envs)
    row, column = starts.state["player_position"].T
    ladder = starts.state["down_ladder"][lanes, starts.state["floor"]]
    too_near = (starts.state["player_position"] == ladder).all(axis=1)
    if all(map(_asks_for_distance, starts.level.variants)) and too_near.mean() > 0.5:
        raise Fault(
            f"No free tile is so far from the ladder as start_near_ladder asks {starts.many(too_near)}; "
            "lower min_dist or raise max_dist."
        )
    blocks = starts.state["blocks"][lanes, starts.state["floor"]]
    buried = _UNFIT[blocks[lanes, row, column]]
    if buried.any():
        name = Block(blocks[lanes, row, column][buried][0]).name
        raise Fault(f"The player starts inside {name} {starts.many(buried)}; leave its tile free.")
    padded = np.pad(blocks, ((0, 0), (1, 1), (1, 1)), constant_values=Block.OUT_OF_BOUNDS)
    unfit = _UNFIT | (np.arange(len(Block)) == Block.OUT_OF_BOUNDS)
    steps = ((0, 1), (2, 1), (1, 0), (1, 2))
    beside = [unfit[padded[lanes, row + down, column + across]] for down, across in steps]
    shut_in = np.logical_and.reduce(beside)
    return f"{starts.many(shut_in)} it cannot take a step before it digs" if shut_in.any() else ""


def _asks_for_distance(rows: Rows) -> bool:
    """Whether the player is to start a step or more from a ladder, by a number known beforehand."""
    where = [one for one in rows if one[0] in (Op.START, Op.START_NEAR)]
    if not where or where[-1][0] != Op.START_NEAR:
        return False
    index = [argument.name for argument in ARGUMENTS[Op.START_NEAR]].index("least")
    register, least = where[-1][1 + 2 * index : 3 + 2 * index]
    return bool(register == 0 and least > 0)


def ladders(starts: Starts) -> str:
    """The ladders of the floors that the level works on are not built over."""
    things, blocks = starts.state["things"], starts.state["blocks"]
    over = np.isin(things, (Thing.LADDER_DOWN, Thing.LADDER_UP)) & _UNFIT[blocks]
    over &= starts.state["floor_made"][:, :, None, None]
    for floor in np.flatnonzero(over.any(axis=(0, 2, 3))):
        which = over[:, floor].any(axis=(1, 2))
        raise Fault(
            f"A ladder of floor {floor} ({FLOOR_NAMES[floor]}) is built over {starts.many(which)}; "
            "leave ladders free."
        )
    return ""


def solvable(starts: Starts) -> str:
    """The goal is within reach of the technology tree and the map, in most starts at least."""
    starts.restart()
    lanes = range(min(-(-starts.env.num_envs // 2), SEARCHED))
    level = starts.level
    lacks = [out_of_reach(starts.env.state(lane), level.dials, level.goal) for lane in lanes]
    failed = [each for each in lacks if each]
    if not failed:
        return ""
    achievement, lack = next(iter(failed[0].items()))
    found = f"in {len(failed)} of {len(lacks)} starts, as in {achievement.name}, which lacks {lack}"
    if 2 * len(failed) > len(lacks):
        raise Fault(f"The goal is out of reach {found}; provide it or ask for less.")
    return f"out of reach {found}"


def idle(starts: Starts) -> str:
    """Who does nothing neither meets the goal nor dies at once."""
    met, dead = _play(starts, np.zeros((IDLE_STEPS, starts.env.num_envs), np.int32))
    if met.mean() > 0.5:
        raise Fault(f"The goal is met by doing nothing {starts.many(met)}; ask for something to be done.")
    if dead.mean() > 0.5:
        raise Fault(
            f"Who does nothing is dead within {IDLE_STEPS} steps {starts.many(dead)}; "
            "put monsters farther away or make them weaker."
        )
    return f"dead {starts.many(dead)}" if dead.any() else ""


def play(starts: Starts) -> str:
    """Random play runs: rewards and states stay within bounds."""
    random = np.random.default_rng(starts.seed)
    actions = random.integers(0, starts.env.num_actions, (PLAY_STEPS, starts.env.num_envs))
    met, dead = _play(starts, actions.astype(np.int32))
    require_bounds(starts.env)
    return f"{PLAY_STEPS} steps; goal met {starts.many(met)}, dead {starts.many(dead)}"


def require_finite(reward: npt.NDArray[np.float32]) -> None:
    """Raise `Fault` if a lane's reward is no number."""
    if not np.isfinite(reward).all():
        raise Fault("A reward is not finite; bring the dials back to reasonable numbers.")


def require_bounds(env: Env) -> None:
    """Raise `Fault` if the state of a lane is out of the engine's bounds."""
    state = env.engine.state
    try:
        state.check(state.take(np.ones(env.num_envs, bool)), rows=env.num_envs)
    except ValueError as error:
        raise Fault(f"Play leaves the bounds of the engine: {error}") from error


def _play(starts: Starts, actions: npt.NDArray[np.int32]) -> tuple[Lanes, Lanes]:
    """Play all starts; in which ones the first episode met the goal, and in which the player died in it."""
    starts.restart()
    playing = np.ones(starts.env.num_envs, bool)
    met, dead = np.zeros_like(playing), np.zeros_like(playing)
    for step_actions in actions:
        step = starts.env.step(step_actions)
        require_finite(step.reward)
        succeeded = starts.env.buffer("succeeded")
        met |= playing & succeeded
        dead |= playing & step.terminated & ~succeeded
        playing &= ~(step.terminated | step.truncated)
    return met, dead


CHECKS: tuple[Callable[[Starts], str], ...] = (
    goal,
    dials,
    room,
    player,
    ladders,
    solvable,
    idle,
    play,
)
"""The checks of a level that was started, in the order in which they run."""
