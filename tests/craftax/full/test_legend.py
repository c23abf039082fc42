"""The legend tells the truth, index by index, and so does the text."""

import numpy as np
import pytest

from garten.craftax.full.observe.legend import BODY, CREATURES, codes_legend, number_highs, symbolic_legend
from garten.craftax.full.observe.symbolic import SYMBOLIC
from garten.craftax.full.tables import FLOORS, SIZE, VIEW_COLUMNS, VIEW_ROWS, Action, Block, Item, Thing

MIDDLE = SIZE // 2
MAP = (FLOORS, SIZE, SIZE)


def test_every_block_and_thing_lights_the_number_that_names_it(make_hand):
    hand = make_hand(obs="symbolic")
    legend = symbolic_legend()
    assert len(legend) == len(set(legend)) == SYMBOLIC
    rng = np.random.default_rng(0)
    blocks, things = rng.integers(0, len(Block), MAP), rng.integers(0, len(Thing), MAP)
    lit = rng.random(MAP) < 0.9
    hand.set(blocks=blocks, things=things, light_map=lit.astype(np.float32))
    hand.env.engine.run("codes", "symbolic")
    seen = {legend[index] for index in np.flatnonzero(hand.env.observation[0]) if " at " in legend[index]}
    expected = set()
    for down in range(-(VIEW_ROWS // 2), VIEW_ROWS // 2 + 1):
        for right in range(-(VIEW_COLUMNS // 2), VIEW_COLUMNS // 2 + 1):
            place = (0, MIDDLE + down, MIDDLE + right)
            if lit[place]:
                names = (Block(blocks[place]).name, f"thing {Thing(things[place]).name}", "lit")
                expected |= {f"1 if {name.lower()} at {down:+d} down, {right:+d} right" for name in names}
    assert seen == expected


@pytest.mark.parametrize(
    ("kind", "index"), [("melee", 0), ("passive", 1), ("ranged", 2), ("mob_shot", 3), ("player_shot", 4)]
)
def test_every_creature_lights_the_number_that_names_it(make_hand, kind, index):
    hand = make_hand(obs="symbolic")
    legend = symbolic_legend()
    hand.env.engine.run("codes", "symbolic")
    before = hand.env.observation[0].copy()
    for type_id, name in enumerate(CREATURES[index]):
        hand.creature(kind, (MIDDLE - 2, MIDDLE + 1), type=type_id)
        hand.env.engine.run("codes", "symbolic")
        changed = np.flatnonzero(hand.env.observation[0] != before)
        assert f"1 if {name} at -2 down, +1 right" in [legend[number] for number in changed]
        assert (hand.env.observation[0, changed] == 1.0).sum() == 1
        assert list(codes_legend().values())[3 + index][type_id] == name


def test_the_body_s_numbers_are_those_named(make_hand):
    hand = make_hand()
    inventory = np.array([1, 4, 9, 16, 25, 36, 4, 2, 1, 49, 64, 81, 0, 2])
    hand.set(
        inventory=inventory,
        potions=np.arange(6) ** 2,
        **{"health": 13.0, "food": 1, "drink": 2, "energy": 3, "mana": 4, "experience": 60},
        **{"dexterity": 2, "strength": 3, "intelligence": 5, "player_direction": Action.LEFT},
        **{"armour": [0, 1, 2, 0], "armour_enchantments": [0, 1, 2, 0], "spells": [False, True]},
        **{"sword_enchantment": 1, "bow_enchantment": 2, "light": 0.25, "sleeping": True, "resting": False},
        **{"boss_timer": 0, "kills": np.full(FLOORS, 8)},
    )
    hand.env.engine.run("codes")
    body = dict(zip(BODY, hand.env.observation.numbers[0].tolist(), strict=True))
    for item in set(Item) - {Item.PICKAXE, Item.SWORD, Item.BOW, Item.BOOKS}:
        counted = body[f"a tenth of the root of the {item.name.lower()} count"]
        assert counted == pytest.approx(inventory[item] ** 0.5 / 10.0)
    for number, colour in enumerate(("red", "green", "blue", "pink", "cyan", "yellow")):
        assert body[f"a tenth of the root of the {colour} potions count"] == pytest.approx(number / 10.0)
    named = {"health": 1.3, "food": 0.1, "drink": 0.2, "energy": 0.3, "mana": 0.4, "experience": 6.0}
    for name, value in (named | {"dexterity": 0.2, "strength": 0.3, "intelligence": 0.5}).items():
        assert body[f"a tenth of {name}"] == pytest.approx(value), name
    assert [body[f"1 facing {way}"] for way in ("left", "right", "up", "down")] == [1, 0, 0, 0]
    assert [body[f"half of the {piece} level"] for piece in ("helmet", "chestplate", "leggings")] == [
        0,
        0.5,
        1,
    ]
    assert [body[f"{piece} enchantment, 1 fire, 2 ice"] for piece in ("sword", "bow", "boots")] == [1, 2, 0]
    assert body["a quarter of the pickaxe level"] == body["half of the books count"] == 1.0
    assert (body["a quarter of the sword level"], body["bow level"]) == (0.5, 1.0)
    assert [body[f"1 {state}"] for state in ("asleep", "resting", "knowing fireball")] == [1, 0, 0]
    assert body["1 knowing iceball"] == body["1 where the way down is open"] == 1.0
    assert body["1 if the necromancer is vulnerable"] == 1.0
    assert (body["daylight"], body["a tenth of the floor"]) == (0.25, 0.0)
    assert (hand.env.observation.numbers[0] <= number_highs(99)).all()


def test_text_names_what_is_there(hand):
    hand.put((MIDDLE - 1, MIDDLE), Block.FIRE_TREE)
    hand.put((MIDDLE, MIDDLE - 5), Block.PATH, thing=Thing.LADDER_DOWN)
    hand.creature("melee", (MIDDLE, MIDDLE - 5), type=3)
    hand.give(wood=3, torches=2, sword=3, bow=1)
    hand.set(potions=[0, 2, 0, 0, 0, 0], armour=[2, 0, 0, 1], armour_enchantments=[0, 0, 0, 2], resting=True)
    light = hand.state["light_map"]
    light[0, MIDDLE + 4] = 0.0
    hand.set(light_map=light, sword_enchantment=1, spells=[True, False], health=7.5, light=0.8)
    hand.env.engine.run("codes")
    lines = hand.env.text(0).splitlines()
    assert lines[3].split(", ")[5] == "fire tree"
    assert lines[4].split(", ")[0] == "lizard and ladder down on path"
    assert lines[8].split(", ") == ["dark"] * 11
    assert lines[9:] == [
        "You are in the middle, facing up: fire tree.",
        "Floor 0: overworld; the way down is open.",
        "Body: health 7.5, food 9, drink 9, energy 9, mana 9.",
        "Attributes: dexterity 1, strength 1, intelligence 1, experience 0.",
        "Tools: fire iron sword, bow.",
        "Armour: diamond helmet, ice iron boots.",
        "Inventory: 3 wood, 2 torches, 2 green potions.",
        "Daylight: 0.80.",
        "You know fireball.",
        "You are resting.",
    ]
