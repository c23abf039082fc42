"""What authors of levels look up, written from the code: methods, dials, blocks, creatures, achievements.

The page ``docs/levels/README.md`` holds it between markers; prompts for language models are made of it too.
"""

from __future__ import annotations

from collections.abc import Callable

from garten.craftax.full import ops
from garten.craftax.full.tables import FLOOR_NAMES, Achievement, Block
from garten.craftax.settings import DIALS
from garten.levels.builder import methods
from garten.levels.words import CREATURES, KINDS


def method_table() -> str:
    """The builder's methods, in the order in which it defines them."""
    rows = [f"| `{each.name}({each.signature})` | {each.meaning} |" for each in methods().values()]
    return "\n".join(["| method | what it does |", "| --- | --- |", *rows])


def dial_table() -> str:
    """The twelve dials with their defaults and bounds."""
    rows = [
        f"| `{dial.name}` | {dial.default} | {dial.low} to {dial.high} | {dial.meaning} |" for dial in DIALS
    ]
    return "\n".join(["| dial | default | bounds | what it does |", "| --- | --- | --- | --- |", *rows])


def name_lists() -> str:
    """The names that levels use."""
    creatures = {
        kind: ", ".join(f"{name} ({index})" for index, name in enumerate(CREATURES[number]))
        for kind, number in KINDS.items()
    }
    floors = ", ".join(f"{name} ({index})" for index, name in enumerate(FLOOR_NAMES))
    blocks = ", ".join(block.name for block in Block if block in ops.PLACEABLE)
    return "\n\n".join(
        [
            f"**Floors** (`level`): {floors}.",
            f"**Blocks**: {blocks}. Published names, as CRAFTING_TABLE, work too.",
            *(f"**Creatures, {kind}** (`type_id`): {names}." for kind, names in creatures.items()),
            f"**Achievements**: {', '.join(each.name for each in Achievement)}.",
        ]
    )


PARTS: dict[str, Callable[[], str]] = {"methods": method_table, "dials": dial_table, "names": name_lists}
"""The parts of the page that are written from the code, by marker."""


def refreshed(page: str) -> str:
    """A page with what stands between its markers written anew."""
    for name, write in PARTS.items():
        begins, ends = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = page.partition(begins)
        _, _, after = rest.partition(ends)
        page = f"{before}{begins}\n{write()}\n\n{ends}{after}"
    return page
