"""The aids of Craftax as code for the builder, and in words."""

from __future__ import annotations

from collections.abc import Sequence

from garten.authors.craftax.aids import (
    Attributes,
    ByLadder,
    Creatures,
    Enchanted,
    Held,
    Near,
    Open,
    Scattered,
    Spells,
    Start,
    Worn,
)
from garten.authors.kit import Aid
from garten.authors.plan import HERE, WIDTH, literal
from garten.craftax.full.tables import FLOOR_NAMES

_USUAL_GROUND = {
    "place_randomly_near": ("GRASS", "PATH", "FIRE_GRASS", "ICE_GRASS"),
    "place_randomly": ("GRASS", "PATH", "FIRE_GRASS", "ICE_GRASS"),
    "add_mobs_randomly_near": ("GRASS", "PATH", "SAND"),
}
"""Where the builder puts things that are told no ground."""


def code_of(aids: Sequence[Aid]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Statements that give these aids: first to the player, then to the world around."""
    held: dict[str, object] = {aid.item: aid.count for aid in aids if isinstance(aid, Held)}
    held |= {aid.item: list(aid.counts) for aid in aids if isinstance(aid, Worn)}
    by_ladder = [aid for aid in aids if isinstance(aid, ByLadder)]
    player = [_call("start_near_ladder", aid.floor, max_dist=aid.most) for aid in by_ladder] or [
        _call("set_starting_floor", aid.floor) for aid in aids if isinstance(aid, Start)
    ]
    if held:
        player.append(_call("set_player_inventory", held))
    world = []
    for aid in aids:
        match aid:
            case Attributes(levels=levels):
                names = ("dexterity", "strength", "intelligence")
                player.append(_call("set_player_stats", **dict(zip(names, levels, strict=True))))
            case Spells(fireball=fireball, iceball=iceball):
                player.append(_call("set_learned_spells", fireball=fireball, iceball=iceball))
            case Enchanted(sword=sword, bow=bow):
                player.append(_call("set_weapon_enchantments", sword=sword, bow=bow))
            case Open(floor=floor, count=count):
                player.append(_call("set_monsters_killed", floor, count))
            case Near(block=block, count=count):
                where = (aid.floor, block, HERE, aid.least, aid.most)
                world.append(_placing("place_randomly_near", aid.on, *where, n=count))
            case Scattered(block=block, count=count):
                world.append(_placing("place_randomly", aid.on, aid.floor, block, n=count))
            case Creatures(kind=kind, type=name, count=count):
                ring = {"n": count, "min_dist": aid.least, "max_dist": aid.most}
                world.append(_placing("add_mobs_randomly_near", aid.on, aid.floor, kind, name, **ring))
    return tuple(player), tuple(world)


def _placing(method: str, on: tuple[str, ...], *arguments: object, **named: object) -> str:
    """A call that places things on blocks, which are named where they are not the usual ones."""
    told = {} if set(on) == set(_USUAL_GROUND[method]) else {"on_blocks": list(on)}
    return _call(method, *arguments, **named, **told)


def _call(method: str, *arguments: object, **named: object) -> str:
    parts = [*map(literal, arguments), *(f"{name}={literal(value)}" for name, value in named.items())]
    line = f"builder.{method}({', '.join(parts)})"
    return line if len(line) <= WIDTH else f"builder.{method}(\n    {', '.join(parts)}\n)"


def words_of(aids: Sequence[Aid]) -> str:
    """What these aids are, in sentences."""
    start = next((aid.floor for aid in aids if isinstance(aid, Start)), 0)
    held = [aid.words for aid in aids if isinstance(aid, Held | Worn)]
    sentences = [f"The player starts in the {FLOOR_NAMES[start]} with {listed(held)}."]
    near, elsewhere = [], []
    for aid in aids:
        match aid:
            case Attributes(levels=(dexterity, strength, intelligence)):
                sentences.append(
                    f"Its dexterity is {dexterity}, its strength {strength}, its intelligence {intelligence}."
                )
            case ByLadder(most=most):
                where = f"within {most} steps of" if most else "on"
                sentences.append(f"That is {where} the ladder down.")
            case Spells():
                known = [name for name in ("fireball", "iceball") if getattr(aid, name)]
                sentences.append(f"It can cast {listed(known)}.")
            case Enchanted(sword=sword) if sword:
                sentences.append(f"Its sword is enchanted with {('fire', 'ice')[sword - 1]}.")
            case Open(floor=floor, count=count):
                sentences.append(f"{count} monsters of the {FLOOR_NAMES[floor]} count as killed.")
            case Near(block=block, count=count):
                near.append(f"{_words(block)} ({count}, {aid.least} to {aid.most} steps away)")
            case Creatures(type=name, count=count):
                near.append(f"{name} ({count}, {aid.least} to {aid.most} steps away)")
            case Scattered(block=block, count=count):
                elsewhere.append(f"{_words(block)} ({count}, in the {FLOOR_NAMES[aid.floor]})")
    sentences += [f"Near it: {', '.join(near)}."] if near else []
    sentences += [f"Somewhere: {', '.join(elsewhere)}."] if elsewhere else []
    return " ".join(sentences)


def _words(name: str) -> str:
    return name.lower().replace("_", " ")


def listed(names: Sequence[str]) -> str:
    """Names in a row, the last after an "and"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nothing"
