"""A level as the rules author sees it: goal, dials, and the aids that its code gives; read and written.

What the code does beyond known aids is kept as it was written: statements of `generate_world` that are no
plain call of a known method, and whatever else stands at the top of the code.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import indent, wrap
from typing import Any

from garten.authors.kit import Aid, Kit
from garten.domain import Dial, Reading
from garten.parsing import parse

WORLD = "generate_world"
_OWN = {"objective", "description", "relevant_achievements", "completed_achievements"}
_FUNCTIONS = {WORLD, "get_task_params"}
_BUILDER = "builder"
WIDTH = 100
"""Characters of a line of code."""


class Code(str):
    """An expression that stands in code as it is, such as a place that only a new world knows."""

    __slots__ = ()


HERE = Code("builder.player_position")


def literal(value: Any) -> str:
    """Data as code, text in double quotes."""
    match value:
        case Code():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{literal(key)}: {literal(part)}' for key, part in value.items())}}}"
    return repr(value)


@dataclass(frozen=True)
class Plan:
    """A level, taken apart.

    Attributes:
        goal: achievements that end the episode.
        dials: those that differ from the plain game.
        aids: what it gives; each `Aid.key` once.
        kept: other statements of its `generate_world`, in order.
        outside: other code beside its constants and functions, in order.
        completed: achievements that count as met by its own word, beyond those that its aids meet.
    """

    goal: tuple[str, ...]
    dials: Mapping[str, float] = field(default_factory=dict)
    aids: tuple[Aid, ...] = ()
    kept: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()


def read_plan(reading: Reading, kit: Kit, dials: Mapping[str, Dial]) -> Plan:
    """Take a level apart.

    Args:
        reading: what it says; its source is one that the domain has read, so it parses.
        kit: of its domain.
        dials: of its domain.
    """
    tree = parse(reading.source)
    statements = _world(tree)
    aids: list[Aid] = []
    kept = []
    places = {str(HERE)}
    for statement in statements:
        name = _named_place(statement, places)
        if name:
            places.add(name)
            continue
        found = _aids_of(statement, kit, places)
        if found is None:
            kept.append(statement)
        else:
            aids += found
    settled = kit.settled(aids)
    unlocked = kit.unlocked(settled)
    return Plan(
        goal=reading.goal,
        dials={name: value for name, value in reading.dials.items() if value != dials[name].default},
        aids=settled,
        kept=(*_assigned(places, kept), *map(ast.unparse, kept)),
        outside=tuple(ast.unparse(node) for node in tree.body if _is_outside(node)),
        completed=tuple(name for name in reading.completed if name not in unlocked),
    )


def write_plan(plan: Plan, kit: Kit, *, title: str, objective: str, description: str) -> str:
    """The code of a plan.

    Args:
        plan: what the level is.
        kit: of its domain.
        title: first line of the code.
        objective: a sentence.
        description: sentences.
    """
    unlocked = kit.unlocked(plan.aids)
    completed = sorted({*plan.completed, *unlocked} - {*plan.goal})
    parts = [
        f'"""{title}"""',
        "\n".join(
            [
                f"objective = {literal(objective)}",
                _assignment("description", description),
                f"relevant_achievements = {literal(plan.goal)}",
                *([f"completed_achievements = {literal(completed)}"] if completed else []),
            ]
        ),
    ]
    if plan.outside:
        parts.append("\n\n".join(plan.outside))
    if plan.dials:
        lines = "\n".join(f"{name}={value!r}," for name, value in sorted(plan.dials.items()))
        body = f"return TaskParams(\n{indent(lines, '    ')}\n)"
        parts.append(f"\ndef get_task_params():\n{indent(body, '    ')}")
    player, world = kit.code(plan.aids)
    statements = [*player, *plan.kept, *world]
    if statements:
        parts.append(f"\ndef {WORLD}({_BUILDER}):\n" + indent("\n".join(statements), "    "))
    return "\n\n".join(parts) + "\n"


def _assignment(name: str, text: str) -> str:
    """A text constant, broken into lines."""
    lines = wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False)
    if len(lines) < 2:
        return f"{name} = {literal(text)}"
    broken = [f"{line} " for line in lines[:-1]] + [lines[-1]]
    return "\n".join([f"{name} = (", *(f"    {literal(line)}" for line in broken), ")"])


def _world(tree: ast.Module) -> list[ast.stmt]:
    """The statements of `generate_world`, its builder called `builder`."""
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == WORLD:
            body = node.body[1:] if ast.get_docstring(node) else node.body
            name = node.args.args[0].arg if node.args.args else _BUILDER
            renamed = [_Renamed(name).visit(statement) for statement in body]
            return [each for each in renamed if not isinstance(each, ast.Pass)]
    return []


class _Renamed(ast.NodeTransformer):
    """Calls the builder `builder`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name, `builder` if it is the builder's."""
        return ast.copy_location(ast.Name(_BUILDER, node.ctx), node) if node.id == self._name else node


def _named_place(statement: ast.stmt, places: set[str]) -> str:
    """The name that a statement gives to the player's place; "" if it does something else."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if ast.unparse(value) in places:
            return name
    return ""


def _assigned(places: set[str], kept: Sequence[ast.stmt]) -> list[str]:
    """Assignments of the names of the player's place that statements use."""
    used = {node.id for statement in kept for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return [f"{name} = {HERE}" for name in sorted(places & used)]


def _aids_of(statement: ast.stmt, kit: Kit, places: set[str]) -> tuple[Aid, ...] | None:
    """The aids that a statement gives, if it is one plain call of the builder that the kit knows."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id="builder"), attr=method),
                args=arguments,
                keywords=keywords,
            )
        ) if all(keyword.arg for keyword in keywords):
            try:
                values = [_value(argument, places) for argument in arguments]
                named = {str(keyword.arg): _value(keyword.value, places) for keyword in keywords}
            except (ValueError, TypeError):
                return None
            return kit.read(method, values, named)
    return None


def _value(node: ast.expr, places: set[str]) -> Any:
    """An argument as data; raises ValueError where only running the code would tell."""
    if ast.unparse(node) in places:
        return HERE
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(part, places) for part in node.elts]
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "BlockType":
        return node.attr
    return ast.literal_eval(node)


def _is_outside(node: ast.stmt) -> bool:
    """Whether a statement at the top of a level is none that `write_plan` writes itself."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.FunctionDef(name=name):
            return name not in _FUNCTIONS
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name not in _OWN
    return True
