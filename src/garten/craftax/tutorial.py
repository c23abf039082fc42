"""How to play, with the numbers and names of the rules' own tables, so that these cannot disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from garten.craftax.classic import rulebook as classic_rules
from garten.craftax.classic import tables as classic
from garten.craftax.columns import Field
from garten.craftax.full import rulebook as full_rules
from garten.craftax.full import tables as full
from garten.craftax.words import plain

GAMES = ("Craftax", "Craftax-Classic")

MINED: tuple[tuple[full.Block, full.Item, int], ...] = (
    *((full.Block.TREE, full.Item.WOOD, 0), (full.Block.STONE, full.Item.STONE, 1)),
    *((full.Block.COAL, full.Item.COAL, 1), (full.Block.IRON, full.Item.IRON, 2)),
    (full.Block.DIAMOND, full.Item.DIAMOND, 3),
    *((full.Block.FIRE_TREE, full.Item.WOOD, 0), (full.Block.ICE_SHRUB, full.Item.WOOD, 0)),
    *((full.Block.STALAGMITE, full.Item.STONE, 1), (full.Block.SAPPHIRE, full.Item.SAPPHIRE, 4)),
    (full.Block.RUBY, full.Item.RUBY, 4),
)
"""What blocks give, and the level of pickaxe that it takes; blocks of both games first."""

_PICKAXES = ("bare hands", "a wood pickaxe", "a stone pickaxe", "an iron pickaxe", "a diamond pickaxe")

_EXPLAINED = {
    "NOOP": "do nothing",
    "LEFT": "face left and step there if it is free; so do right, up and down",
    "DO": "use what you face: strike, mine, drink, eat, open",
    "SLEEP": "sleep until energy is full; monsters still come",
    "REST": "rest until you are healed, hungry or thirsty",
    "PLACE_STONE": "put a stone on the free tile or water you face",
    "PLACE_TABLE": "costs {table_wood} wood",
    "PLACE_FURNACE": "costs {furnace_stone} stone",
    "PLACE_PLANT": "plant a sapling on grass; it is ripe to eat after {growing_plants_age} steps",
    "PLACE_TORCH": "put a torch before you; it lights the dark",
    "DESCEND": "take the ladder you stand on, once {monsters_killed_to_clear_level} of its monsters are dead",
    "ASCEND": "take the ladder you stand on",
    "SHOOT_ARROW": "needs a bow and an arrow",
    "CAST_FIREBALL": "costs {spell_mana} mana; learn it first",
    "CAST_ICEBALL": "costs {spell_mana} mana; learn it first",
    "DRINK_POTION_RED": "what each colour does, good or bad, changes from world to world",
    "READ_BOOK": "learn a spell",
    "ENCHANT_SWORD": "at a fire table for a ruby, at an ice table for a sapphire, and {enchanting_mana} mana",
    "LEVEL_UP_DEXTERITY": "costs 1 experience, that each new floor gives; less need, better arrows",
    "LEVEL_UP_STRENGTH": "the same; harder blows, more health",
    "LEVEL_UP_INTELLIGENCE": "the same; more mana, stronger spells",
}
"""What actions do, where no recipe says it; names of rules and settings stand for their numbers."""


def tutorial(name: str) -> str:
    """How to play a game.

    Args:
        name: one of `GAMES`.

    Raises:
        ValueError: there is no such game.
    """
    if name not in GAMES:
        raise ValueError(f"There is no game {name!r}; choose {' or '.join(GAMES)}.")
    parts = _full() if name == "Craftax" else _classic()
    return "\n\n".join([f"# {name}", *parts])


def explained(name: str) -> dict[str, str]:
    """What the actions of a game take and do, by name as in its `Action`; nothing of those that need no word.

    Args:
        name: one of `GAMES`.
    """
    if name == "Craftax":
        actions: type[IntEnum] = full.Action
        rules = _numbers(full_rules.RULES) | _numbers(full_rules.SETTINGS)
        recipes = {action.name: _cost(cost, furnace=furnace) for action, cost, furnace in full.RECIPES}
    else:
        actions, rules = classic.Action, _numbers(classic_rules.RULES)
        recipes = {
            f"MAKE_{item.name}": _cost(cost, furnace="IRON" in item.name)
            for item, (cost, _) in classic.RECIPES.items()
        }
    told = {
        action: text.format_map(rules) for action, text in _EXPLAINED.items() if action in actions.__members__
    }
    return told | recipes


def _classic() -> list[str]:
    rules, settings = _numbers(classic_rules.RULES), _numbers(classic_rules.SETTINGS)
    creatures = [
        f"cow: {settings['cow_health']} health, {rules['cow_food']} food",
        f"zombie: {settings['zombie_health']} health, {rules['zombie_damage']} damage, "
        f"{rules['zombie_damage_asleep']} to sleepers",
        f"skeleton, in caves: {settings['skeleton_health']} health, arrows of {rules['arrow_damage']} damage",
    ]
    swords = ", ".join(map(str, (rules["bare_damage"], *rules["sword_damage"])))
    return [
        f"One map of {classic.SIZE} x {classic.SIZE} tiles, of which you see {classic.VIEW_ROWS} x "
        f"{classic.VIEW_COLUMNS}. {_ends(settings, rules, 'die')}",
        _list("Actions", _actions(classic.Action, explained("Craftax-Classic"))),
        _list("Mining", _mining(classic.Block)),
        _list("Body", _body(rules)),
        _list(
            "Creatures", [*creatures, f"your blows: {swords} damage by bare hands, wood, stone, iron sword"]
        ),
        _list("Achievements", _achievements(classic.Achievement, rules)),
    ]


def _full() -> list[str]:
    rules, settings = _numbers(full_rules.RULES), _numbers(full_rules.SETTINGS)
    swords = ", ".join(f"{damage:g}" for damage in rules["sword_damage"])
    strike = f"your blows: {swords} damage by bare hands, wood, stone, iron, diamond sword"
    return [
        f"{full.FLOORS} floors of {full.SIZE} x {full.SIZE} tiles, of which you see {full.VIEW_ROWS} x "
        f"{full.VIEW_COLUMNS}. {_ends(settings, rules, 'die, beat the necromancer on the last floor')} "
        "Floors below the first are dark in places: take torches.",
        _list("Actions", _actions(full.Action, explained("Craftax"))),
        _list("Mining", _mining(full.Block)),
        _list("Body", [*_body(rules), f"mana: comes back by 1 in {rules['mana_limit']:g} steps"]),
        _list("Floors", [_floor(floor, rules) for floor in range(full.FLOORS)]),
        _list("Fighting", [strike, "damage of monsters is given as physical, fire, ice"]),
        _list("Achievements", _achievements(full.Achievement, rules)),
    ]


def _numbers(fields: Sequence[Field]) -> dict[str, Any]:
    return {field.name: field.default for field in fields}


def _list(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"## {title}", "", *(f"* {line}" for line in lines)])


def _ends(settings: Mapping[str, Any], rules: Mapping[str, Any], ending: str) -> str:
    return (
        f"An episode is over when you {ending}, or after {settings['max_timesteps']} steps. Each achievement "
        f"counts once; health gained counts {rules['health_reward']:g} a point, health lost as much the "
        "other way."
    )


def _cost(cost: Mapping[Any, int], *, furnace: bool) -> str:
    items = ", ".join(f"{count} {plain(item)}" for item, count in cost.items())
    return f"costs {items}; beside a table{' and a furnace' if furnace else ''}"


def _actions(actions: type[IntEnum], said: Mapping[str, str]) -> list[str]:
    return [
        f"{action.value} {plain(action)}" + (f": {said[action.name]}" if action.name in said else "")
        for action in actions
    ]


def _mining(blocks: type[IntEnum]) -> list[str]:
    known = [row for row in MINED if row[0].name in blocks.__members__]
    return [f"{plain(block)}: {plain(item)}, by {_PICKAXES[level]}" for block, item, level in known]


def _body(rules: Mapping[str, Any]) -> list[str]:
    return [
        f"food: falls by 1 in {rules['hunger_limit']:g} steps; eat animals and ripe plants",
        f"drink: falls by 1 in {rules['thirst_limit']:g} steps; drink water",
        f"energy: falls by 1 in {rules['fatigue_limit']:g} steps; sleep in a shelter of stones",
        f"health: rises by 1 in {rules['recover_limit']:g} steps while nothing lacks, "
        f"falls by 1 in {-rules['decline_limit']:g} if anything does",
    ]


def _floor(floor: int, rules: Mapping[str, Any]) -> str:
    passive, melee, ranged = rules["floor_types"][floor]
    shot = full.SHOT_OF_RANGED[ranged]
    met = [
        f"{full.PASSIVE_CREATURES[passive]} ({rules['healths'][0][passive]:g} health)",
        _monster(full.MELEE_CREATURES[melee], rules["healths"][1][melee], rules["melee_damage"][melee]),
        _monster(full.RANGED_CREATURES[ranged], rules["healths"][2][ranged], rules["shot_damage"][shot]),
    ]
    if floor == full.FLOORS - 1:
        return (
            f"{floor} {full.FLOOR_NAMES[floor]}: the necromancer, who calls monsters of all floors in waves"
        )
    return f"{floor} {full.FLOOR_NAMES[floor]}: {', '.join(met)}"


def _monster(name: str, health: float, damage: Sequence[float]) -> str:
    return f"{name} ({health:g} health, {'/'.join(f'{part:g}' for part in damage)} damage)"


def _achievements(achievements: type[IntEnum], rules: Mapping[str, Any]) -> list[str]:
    given = rules["achievement_reward"]
    rewards = [given] * len(achievements) if isinstance(given, float) else list(given)
    worths = sorted(set(rewards))
    return [
        f"{worth:g}: " + ", ".join(plain(one) for one in achievements if rewards[one] == worth)
        for worth in worths
    ]
