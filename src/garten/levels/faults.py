"""What went wrong in a level's code, in a sentence its author can act on."""

from __future__ import annotations

import re

from garten.levels.builder import methods
from garten.levels.words import closest, shown

_LINE = re.compile(r"line (\d+)(?!.*: _collect\()")
"""Where in the level's own code the fault lies; its last line, `_collect(...)`, is ours."""


def fault(error: str) -> str:
    """The sentence for a failure that the sandbox tells of in lines, as a traceback."""
    *trace, what = error.splitlines() or [""]
    lines = [int(found[1]) for line in trace if (found := _LINE.match(line))]
    where = f" in line {lines[-1]}" if lines else ""
    return f"The level's code failed{where}: {_remedy(what)}"


def _remedy(what: str) -> str:
    if "_Number" in what or "_Position" in what:
        return (
            "counts and places are known only when a world is made; add to them, subtract from them and hand "
            "them on, and branch on builder.randint, choice or chance instead."
        )
    if found := re.search(r"No module named '(\w+)", what):
        return f"levels have no module {shown(found[1])}; draw with builder.randint, choice and chance."
    if found := re.search(r"'Builder' object has no attribute '(\w+)'", what):
        return f"the builder has no method {shown(found[1])}; {closest(found[1], methods())}."
    return what
