"""A level: code that configures a world of Craftax, read in the sandbox and turned into data.

A level is one Python source with

    objective = "Collect coal."
    description = "Coal lies near the start; a wooden pickaxe is in hand."
    relevant_achievements = ["COLLECT_COAL"]      # the goal: all of them end the episode
    completed_achievements = ["MAKE_WOOD_PICKAXE"]  # what counts as done from the start; optional

    def get_task_params():                        # the dials; optional
        return {"needs_depletion_multiplier": 0.5}

    def generate_world(builder):                  # what is different in each new world; optional
        builder.set_player_inventory({"pickaxe": 1})
        builder.place_randomly_near(0, "COAL", builder.player_position, 4, 8, n=5)

It runs before training, never in it: the calls of the builder are written down as rows, which the engine runs
on each new world with fresh places. Code that draws (`builder.randint`, `random`) is run `DRAWS` times, and
each new world runs the rows of one of them.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from garten.craftax.full.ops import Rows
from garten.craftax.full.tables import Achievement
from garten.errors import LevelError
from garten.levels.builder import prelude, rows_of
from garten.levels.faults import fault
from garten.levels.params import checked_dials
from garten.levels.words import achievements, closest, prelude_names, shown
from garten.parsing import parse
from garten.sandbox import Failed, Finished, Limits, Sandbox

DRAWS = 16
"""Variants of a level whose code draws."""

LIMITS = Limits(seconds=2.0, memory=32_000_000, source=50_000)
"""What one run of a level's code may use up."""

CONSTANTS = ("objective", "description", "relevant_achievements", "completed_achievements")
"""The names of text and lists that a level defines."""

FUNCTIONS = {"get_task_params", "generate_world"}
"""The names of its functions."""

_TEXT_LENGTH = 4000


@dataclass(frozen=True, eq=False)
class Level:
    """A level as data.

    Attributes:
        source: its code.
        digest: SHA-256 of the source, hexadecimal: the level's name in archives.
        objective: what to achieve, in a sentence.
        description: what the world is like.
        goal: achievements that, all unlocked, end the episode.
        initial: achievements that count as unlocked from the start, unrewarded.
        dials: all twelve, by name.
        variants: the rows of each variant; see `garten.craftax.full.ops`.
        notes: what was moved to its bounds, in sentences.
    """

    source: str
    digest: str
    objective: str
    description: str
    goal: tuple[Achievement, ...]
    initial: tuple[Achievement, ...]
    dials: Mapping[str, float]
    variants: tuple[Rows, ...]
    notes: tuple[str, ...]


def read_level(source: str, sandbox: Sandbox) -> Level:
    """Run a level's code and keep what it says.

    Args:
        source: the code.
        sandbox: where to run it, with `LIMITS` for example.

    Raises:
        LevelError: the code breaks the contract, fails or runs past a limit; the message is for its author.
    """
    refuse_long(source)
    outline = _outline(source)
    first = _run(source, sandbox, outline, draw=0)
    constants = first["constants"]
    goal = _achievements("relevant_achievements", constants)
    initial = _achievements("completed_achievements", constants)
    dials, notes = checked_dials(_mapping(first["dials"]))
    runs = [first]
    if first["drew"] is not False or outline.draws:
        runs += [_run(source, sandbox, outline, draw=draw) for draw in range(1, DRAWS)]
    return Level(
        source=source,
        digest=hashlib.sha256(source.encode()).hexdigest(),
        objective=_text("objective", constants),
        description=_text("description", constants),
        goal=goal,
        initial=initial,
        dials=dials,
        variants=tuple(rows_of(run["calls"]) for run in runs),
        notes=notes,
    )


def refuse_long(source: str) -> None:
    """Refuse code so long that looking at it takes long.

    Raises:
        LevelError: it is.
    """
    if len(source) > LIMITS.source:
        raise LevelError(f"The level has more than {LIMITS.source} characters; shorten it.")


def mask(unlocked: Collection[Achievement]) -> npt.NDArray[np.bool_]:
    """Achievements as bool [67]."""
    out = np.zeros(len(Achievement), bool)
    out[[int(each) for each in unlocked]] = True
    return out


@dataclass(frozen=True)
class _Outline:
    """What a look at a level's code tells: the names it defines, and whether it imports `random`."""

    defined: frozenset[str]
    draws: bool


def _outline(source: str) -> _Outline:
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        raise LevelError(f"The level is no Python ({where}{error}); correct it.") from error
    defined: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign):
            defined |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            defined.add(node.target.id)
    for name in ("objective", "description", "relevant_achievements"):
        if name not in defined:
            raise LevelError(f"The level does not define {name}; define it at the top of its code.")
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name in FUNCTIONS - defined:
            raise LevelError(f"{part.name} is not seen where it stands; define it at the top of the code.")
    return _Outline(frozenset(defined), draws=any(_imports_random(node) for node in ast.walk(tree)))


def _imports_random(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "random"
    return isinstance(node, ast.Import) and any(alias.name == "random" for alias in node.names)


def _run(source: str, sandbox: Sandbox, outline: _Outline, *, draw: int) -> dict[str, Any]:
    """Run the code once, chance starting from `draw`, and return what the prelude's `collect` gives."""
    told = ", ".join(f"{name!r}: {name}" for name in CONSTANTS if name in outline.defined)
    functions = [name if name in outline.defined else "None" for name in sorted(FUNCTIONS, reverse=True)]
    ending = f"\n\n_collect({{{told}}}, {', '.join(functions)})\n"
    library = {"the builder": prelude(), "names": prelude_names()}
    with sandbox.start(source + ending, functions={}, seed=f"level {draw}", library=library) as program:
        if program.rejected:
            raise RuntimeError(f"The level's library was refused: {dict(program.rejected)}.")
        state = program.state
    if isinstance(state, Failed):
        raise LevelError(fault(state.error))
    if not isinstance(state, Finished) or not isinstance(state.value, dict):
        raise LevelError("The level's code did not end as a level's; define no function called policy.")
    told_all = state.value.keys() == {"constants", "dials", "calls", "drew"}
    if not told_all or not isinstance(state.value["constants"], dict):
        raise LevelError("The level's code changed the builder; leave names that begin with _ alone.")
    return state.value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise LevelError(f"get_task_params gives {shown(value)}; return a dict or TaskParams(...).")
    return value


def _text(name: str, constants: Mapping[str, Any]) -> str:
    value = constants.get(name)
    if not isinstance(value, str) or not value.strip():
        raise LevelError(f"{name} is {shown(value)}; make it text.")
    if len(value) > _TEXT_LENGTH:
        raise LevelError(f"{name} has {len(value)} characters; use at most {_TEXT_LENGTH}.")
    if not all(character.isprintable() or character in "\n\t" for character in value):
        raise LevelError(f"{name} holds characters that steer a screen; use plain text.")
    return value


def _achievements(name: str, constants: Mapping[str, Any]) -> tuple[Achievement, ...]:
    """The achievements of a constant, each once."""
    value = constants.get(name, [])
    if not isinstance(value, list):
        raise LevelError(f"{name} is {shown(value)}; make it a list of achievements.")
    known = achievements()
    for entry in value:
        if not isinstance(entry, str) or entry.upper() not in known:
            raise LevelError(
                f"{name} holds {shown(entry)}, which is no achievement; {closest(entry, known)}."
            )
    return tuple(dict.fromkeys(known[entry.upper()] for entry in value))
