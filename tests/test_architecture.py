"""The shape of the package: who may import whom, what stays light, which names are public."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import garten
from support import python

ROOT = Path(garten.__file__).parent

# Lowest first: a module imports only from places before its own, and from its own.
ORDER = [
    *(
        "errors",
        "seeds",
        "parsing",
        "scene",
        "records",
        "runs",
        "devices",
        "sandbox",
        "llm",
        "domain",
        "craftax",
    ),
    *("levels", "sight", "worlds", "renderer", "episodes", "policies", "training", "practice", "authors"),
    *("curriculum", "worth", "report", "studio", "doctor", "cli", "__main__"),
]

# Heavy libraries, and the places that may import them when they are imported themselves.
OWNERS = {
    "warp": {"craftax", "sight", "policies"},
    "mujoco": {"worlds"},
    "torch": {"renderer", "policies", "training"},
    "triton": {"renderer"},
    "openai": {"llm"},
    "fastapi": {"studio"},
    "uvicorn": {"studio"},
    "av": {"sight"},
    "matplotlib": {"report"},
    "scipy": {"worlds", "sight", "practice"},
    "gymnasium": {"craftax", "episodes"},
    "pettingzoo": {"episodes"},
    "pydantic_monty": {"sandbox"},
    "click": {"cli"},
    "rich": {"cli"},
}

FILES = sorted(ROOT.rglob("*.py"))
MODULES = {path: ".".join(["garten", *path.relative_to(ROOT).with_suffix("").parts]) for path in FILES}


def place(module: str) -> str:
    """The part of garten a module lies in, e.g. "runs" for "garten.runs.lock"; "" for garten itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__init__" else ""


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The modules imported anywhere below a node of the syntax tree, and the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the whole name of the module"
            # "from garten import x" may mean the module x.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from ((name, node.lineno) for name in names)


def imports_at_once(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The modules that are imported when the module itself is: outside functions and type checking."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ClassDef):
            body = [item for item in node.body if not isinstance(item, ast.FunctionDef)]
            yield from imports(ast.Module(body, []))
        else:
            yield from imports(node)


@pytest.mark.parametrize("path", FILES, ids=MODULES.values())
def test_imports_point_down(path):
    own = place(MODULES[path])
    assert own == "" or own in ORDER, f"give {own} its place in the order"
    for module, line in imports(ast.parse(path.read_text())):
        other = place(module)
        if module.split(".")[0] != "garten" or other in ("", "__version__", own):
            continue
        assert own != "", f"line {line}: garten itself imports nothing of its own"
        assert ORDER.index(other) < ORDER.index(own), f"line {line}: {own} may not import {other}"


@pytest.mark.parametrize("path", FILES, ids=MODULES.values())
def test_heavy_libraries_stay_at_home(path):
    for module, line in imports_at_once(ast.parse(path.read_text())):
        owners = OWNERS.get(module.split(".")[0])
        assert owners is None or place(MODULES[path]) in owners, (
            f"line {line}: import {module} where it is used"
        )


ENGINES = {"craftax", "levels", "worlds"}

BLIND = [
    *(f"garten.curriculum.{name}" for name in ("node", "archive", "tables", "lineage")),
    *(f"garten.curriculum.{name}" for name in ("parents", "active", "progress", "gate")),
    *(f"garten.curriculum.{name}" for name in ("dicode", "stage", "workshop", "generation", "background")),
    *(f"garten.curriculum.{name}" for name in ("tally", "sampler", "scores")),
    *(f"garten.training.{name}" for name in ("arena", "learner", "ppo", "rollout", "sources")),
    *(f"garten.authors.{name}" for name in ("edits", "plan", "kit", "llm", "describe", "code", "similarity")),
]
"""What sees engines through `garten.domain` only."""


@pytest.mark.parametrize("name", ["garten.domain", *BLIND])
def test_archive_authors_choice_and_learning_see_no_engine(name):
    (path,) = (path for path, module in MODULES.items() if module == name)
    used = {place(module) for module, _ in imports(ast.parse(path.read_text()))}
    assert not used & ENGINES


def test_code_is_parsed_in_one_place():
    """Elsewhere it could meet another thread that parses; see there."""
    calls = ("ast.parse(", "literal_eval(", "PyCF_ONLY_AST")
    found = {MODULES[path] for path in FILES if any(each in path.read_text() for each in calls)}
    of_nodes = {"garten.authors.plan", "garten.authors.craftax.reading"}
    assert found == {"garten.parsing", *of_nodes}


def test_the_reading_of_imports():
    code = """
import a.b
from garten import runs as r
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import c
try:
    import d
except ImportError:
    from e.f import g
class K:
    import h
    def method(self):
        import i
def function():
    import j
"""
    tree = ast.parse(code)
    at_once = ["a.b", "garten.runs", "typing.TYPE_CHECKING", "d", "e.f.g", "h"]
    assert [name for name, _ in imports_at_once(tree)] == at_once
    assert {name for name, _ in imports(tree)} == {*at_once, "c", "i", "j"}
    assert place("garten.runs.lock") == place("garten.runs") == "runs"
    assert place("garten") == place("garten.__init__") == ""


HEAVY = [
    "warp",
    "mujoco",
    "torch",
    "openai",
    "fastapi",
    "uvicorn",
    "av",
    "matplotlib",
    "scipy",
    "gymnasium",
    "pettingzoo",
    "pydantic_monty",
]


@pytest.mark.parametrize(
    ("modules", "absent"),
    [
        ("garten", [*HEAVY, "numpy", "click"]),
        ("garten.records, garten.scene, garten.devices, garten.runs.resume, garten.runs.index", HEAVY),
        ("garten.doctor", HEAVY),
    ],
)
def test_importing_is_light(modules, absent):
    code = f"import sys, {modules}\nprint(*sorted(set({absent!r}) & sys.modules.keys()))"
    done = python(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def test_every_package_says_what_it_is():
    for path in FILES:
        text = ast.get_docstring(ast.parse(path.read_text()))
        assert text, f"{MODULES[path]} has no docstring"
        assert len(text) > 10, f"{MODULES[path]} does not say what it is"


def public_names(tree: ast.Module, *, package: bool) -> set[str]:
    """What a module offers by its looks: names of its own without underscore; a package's imports too."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif package and isinstance(node, ast.ImportFrom) and (node.module or "").startswith("garten"):
            names |= {alias.asname or alias.name for alias in node.names}
    return {name for name in names if not name.startswith("_")}


def listed(path: Path) -> list[str] | None:
    """The literal value of ``__all__``, if the module has one."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return None


LISTING = [path for path in FILES if listed(path) is not None]


@pytest.mark.parametrize("path", LISTING, ids=[MODULES[path] for path in LISTING])
def test_public_names_are_real_and_complete(path):
    names = listed(path) or []
    module = importlib.import_module(MODULES[path].removesuffix(".__init__"))
    assert len(names) == len(set(names)), "a name is listed twice"
    assert [name for name in names if not hasattr(module, name)] == [], "listed but not there"
    expected = public_names(ast.parse(path.read_text()), package=path.name == "__init__.py")
    dunders = {name for name in names if name.startswith("__")}
    assert set(names) == expected | dunders
