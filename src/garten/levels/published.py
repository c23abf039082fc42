"""Levels in the published form, a class with methods for JAX, written anew as levels of ours.

Dreaming in Code writes a level as a class that sets `relevant_achievements` and `completed_achievements`,
describes itself in its docstring and builds its world with random keys. The source is read as a syntax tree
and never run as it is: keys and the making of the builder fall away, all else is kept. What used only the
builder becomes a level that runs in the sandbox; code that computes with JAX is refused there.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from garten.errors import LevelError
from garten.parsing import parse

_KEY_MAKERS = {"split", "PRNGKey", "key", "fold_in"}  # of jax.random
_ARRAYS = {"array", "asarray"}  # of jax.numpy
_TABLES = {"Achievement", "BlockType"}


def is_published(source: str) -> bool:
    """Whether this is Python that defines a class with a method `generate_world`."""
    try:
        return _class_of(parse(source)) is not None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def translate(source: str) -> str:
    """A published level as a level of ours; see `garten.levels.level`.

    Raises:
        LevelError: the class lacks a part that a level must have, or its code is nested too deeply.
    """
    found = _class_of(parse(source))
    if found is None:
        raise LevelError(
            "There is no class with a method generate_world; give a level in the published form."
        )
    try:
        return _written_anew(found)
    except RecursionError as error:
        raise LevelError("The level's expressions are nested too deeply; split them up.") from error


def _written_anew(found: ast.ClassDef) -> str:
    methods = {node.name: node for node in found.body if isinstance(node, ast.FunctionDef)}
    description = (ast.get_docstring(found) or found.name).strip()
    objective = re.search(r"^\s*Objective:[ \t]*(.+)$", description, re.MULTILINE)
    lines = [
        f"objective = {(objective[1] if objective else found.name)!r}",
        f"description = {description!r}",
        *_constants(methods.get("__init__")),
    ]
    functions = [_generate(methods["generate_world"])]
    if "get_task_params" in methods:
        functions.insert(0, _without_self(methods["get_task_params"]))
    tree = ast.fix_missing_locations(ast.Module([_Plain().visit(function) for function in functions], []))
    return "\n".join([*lines, "", "", ast.unparse(tree), ""])


def _class_of(tree: ast.Module) -> ast.ClassDef | None:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            if "generate_world" in names:
                return node
    return None


def _constants(constructor: ast.FunctionDef | None) -> list[str]:
    """The lists of achievements that the constructor sets."""
    found = {}
    for node in ast.walk(constructor) if constructor else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            name = node.targets[0].attr
            if name in ("relevant_achievements", "completed_achievements"):
                found[name] = f"{name} = {ast.unparse(_Plain().visit(node.value))}"
    if "relevant_achievements" not in found:
        raise LevelError("The class sets no relevant_achievements; set them in its __init__.")
    return list(found.values())


def _without_self(function: ast.FunctionDef) -> ast.FunctionDef:
    function.args.args = function.args.args[1:]
    function.returns = None
    return function


def _generate(function: ast.FunctionDef) -> ast.FunctionDef:
    """`generate_world(self, rng)` as `generate_world(builder)`, without keys."""
    keys = {argument.arg for argument in function.args.args[1:]}
    builders = set()
    body: list[ast.stmt] = []
    for node in function.body:
        if isinstance(node, ast.Assign) and _is_call_of(node.value, _KEY_MAKERS):
            keys |= {name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)}
        elif isinstance(node, ast.Assign) and _is_call_of(node.value, {"WorldBuilder"}):
            builders |= {name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)}
        elif not isinstance(node, ast.Return):
            body.append(node)
    without = _Without(keys)
    function.args = ast.arguments([], [ast.arg("builder")], None, [], [], None, [])
    function.returns = None
    aliases: list[ast.stmt] = [parse(f"{name} = builder").body[0] for name in sorted(builders - {"builder"})]
    function.body = [*aliases, *(without.visit(node) for node in body)] or [ast.Pass()]
    return function


def _is_call_of(node: ast.expr, names: set[str]) -> bool:
    """Whether this is a call of a function of one of these names, whatever it is an attribute of."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in names


class _Without(ast.NodeTransformer):
    """Takes random keys out of calls."""

    def __init__(self, keys: set[str]) -> None:
        self._keys = keys

    def visit_Call(self, node: ast.Call) -> Any:
        """A call without the arguments that are keys."""
        self.generic_visit(node)
        node.args = [each for each in node.args if not self._is_key(each)]
        node.keywords = [each for each in node.keywords if not self._is_key(each.value)]
        return node

    def _is_key(self, node: ast.expr) -> bool:
        base = node.value if isinstance(node, ast.Subscript) else node
        return isinstance(base, ast.Name) and base.id in self._keys


class _Plain(ast.NodeTransformer):
    """Writes ``BlockType.COAL.value`` as ``BlockType.COAL`` and ``jnp.array(x)`` as ``x``."""

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """An entry of a table without its ``.value`` or ``.name``."""
        self.generic_visit(node)
        inner = node.value
        of_table = isinstance(inner, ast.Attribute) and ast.unparse(inner.value) in _TABLES
        return inner if of_table and node.attr in ("value", "name") else node

    def visit_Call(self, node: ast.Call) -> Any:
        """What an array is made of."""
        self.generic_visit(node)
        if _is_call_of(node, _ARRAYS) and isinstance(node.func, ast.Attribute) and node.args:
            return node.args[0]
        return node
