"""Each method of the builder becomes the rows it should, and each wrong call a sentence."""

import numpy as np
import pytest

from garten.craftax.full import ops
from garten.craftax.full.ops import Op, at, blocks_low_high, row
from garten.craftax.full.tables import Block, Item
from garten.errors import LevelError
from garten.levels.builder import methods, rows_of

PLAYER = {"row": at(1), "column": at(2)}
MEADOW = blocks_low_high([Block.GRASS, Block.PATH, Block.FIRE_GRASS, Block.ICE_GRASS])
GROUND = blocks_low_high([Block.GRASS, Block.PATH, Block.SAND])
COAL = {"floor": 0, "block": Block.COAL}

TRANSLATED = {
    "builder.set_starting_floor(3)": [row(Op.START, floor=3)],
    "builder.start_near_ladder(2, max_dist=6)": [row(Op.START_NEAR, floor=2, least=0, most=6)],
    "builder.set_player_stats(strength=4)": [row(Op.ATTRIBUTES, dexterity=1, strength=4, intelligence=1)],
    "builder.set_player_inventory({'pickaxe': 2, 'armour': [0, 1, 2, 0]})": [
        row(Op.HOLD, slot=Item.PICKAXE, count=2),
        *[row(Op.HOLD, slot=ops.ARMOUR_SLOT + i, count=c) for i, c in enumerate((0, 1, 2, 0))],
    ],
    "builder.set_player_inventory({'potions': [0, 0, 5, 0, 0, 0]})": [
        row(Op.HOLD, slot=ops.POTION_SLOT + i, count=5 * (i == 2)) for i in range(6)
    ],
    "builder.set_weapon_enchantments(bow=2)": [
        row(Op.ENCHANT, piece=ops.SWORD, element=0),
        row(Op.ENCHANT, piece=ops.BOW, element=2),
    ],
    "builder.set_armour_enchantments(1, 0, 2)": [
        row(Op.ENCHANT, piece=ops.HELMET + i, element=e) for i, e in enumerate((1, 0, 2, 0))
    ],
    "builder.set_learned_spells(iceball=True)": [
        row(Op.LEARN, spell=0, known=0),
        row(Op.LEARN, spell=1, known=1),
    ],
    "builder.set_monsters_killed(2, 8)": [row(Op.KILLS, floor=2, count=8)],
    "builder.place_block(0, 'coal', (3, 4))": [row(Op.PLACE, **COAL, row=3, column=4)],
    "builder.place_block(0, BlockType.CRAFTING_TABLE, builder.player_position + (1, -2))": [
        row(Op.PLACE, floor=0, block=Block.TABLE, row=at(1, 1), column=at(2, -2))
    ],
    "builder.fill_area(0, 'COAL', (3, 4), builder.player_position - 1)": [
        row(Op.FILL, **COAL, top=3, left=4, bottom=at(1, -1), right=at(2, -1))
    ],
    "builder.add_mob(1, 'ranged', 7, (5, 6))": [
        row(Op.ADD, floor=1, kind=ops.RANGED, type=7, row=5, column=6, health=-1)
    ],
    "builder.add_mobs_randomly_near(0, 'passive', 'snail', n=2)": [
        row(Op.ADD_NEAR, floor=0, kind=ops.PASSIVE, type=2, count=2, **PLAYER, least=0, most=5, **GROUND)
    ],
    "builder.place_randomly(0, 'COAL', n=7)": [row(Op.SCATTER, **COAL, count=7, **MEADOW)],
    "builder.place_randomly_near(0, 'COAL', (9, 9), 2, 5, on_blocks=['GRASS', 'PATH', 'SAND'])": [
        row(Op.SCATTER_NEAR, **COAL, count=1, row=9, column=9, least=2, most=5, **GROUND)
    ],
    "builder.place_adjacent_to_existing(0, 'COAL', 'TREE')": [
        row(Op.ADJOIN, **COAL, target=Block.TREE, **MEADOW)
    ],
    "r, c = builder.find_block(0, 'TREE') + (0, 1); builder.place_block(0, 'COAL', (r, 5 + c))": [
        row(Op.NEAREST, floor=0, block=Block.TREE, **PLAYER, to=3),
        row(Op.PLACE, **COAL, row=at(3), column=at(4, 6)),
    ],
    "n = builder.count_blocks(0, 'COAL', max_dist=4); builder.place_randomly(0, 'COAL', 5 - n)": [
        row(Op.COUNT, **COAL, **PLAYER, most=4, to=3),
        row(Op.SUBTRACT, to=4, one=5, other=at(3)),
        row(Op.SCATTER, **COAL, count=at(4), **MEADOW),
    ],
    "n = builder.count_blocks(0, 'COAL'); builder.place_randomly(0, 'COAL', 1 + n + n)": [
        row(Op.COUNT, **COAL, **PLAYER, most=96, to=3),
        row(Op.ADD_UP, to=4, one=at(3, 1), other=at(3)),
        row(Op.SCATTER, **COAL, count=at(4), **MEADOW),
    ],
}


@pytest.mark.parametrize("line", TRANSLATED, ids=[line.split("(")[0][:40] for line in TRANSLATED])
def test_calls_become_rows(built, line):
    level = built(line)
    assert len(level.variants) == 1
    assert np.array_equal(level.variants[0], TRANSLATED[line])


def test_all_methods_are_tried():
    drawn = {"randint", "choice", "chance"}
    assert {name for name in methods() if not any(f".{name}(" in line for line in TRANSLATED)} == drawn


def test_calls_can_be_chained(built):
    assert len(built("builder.set_starting_floor(1).place_block(1, 'COAL', (1, 1))").variants[0]) == 2


REFUSED = {
    "builder.set_starting_floor(9)": "set_starting_floor: level is 9; keep it within 0 to 8.",
    "builder.start_near_ladder(8)": "start_near_ladder: level is 8; keep it within 0 to 7.",
    "builder.start_near_ladder(0, 5)": "min_dist 5 is more than max_dist 4",
    "builder.set_starting_floor(1.0)": "level is 1.0; give a whole number",
    "builder.set_starting_floor(True)": "level is True; give a whole number",
    "builder.set_starting_floor(builder.count_blocks(0, 'TREE'))": "level must be known beforehand",
    "builder.place_block(0, 'COLA', (3, 4))": "block_type is 'COLA', which is no block; the closest is COAL",
    "builder.place_block(0, 8, (3, 4))": "block_type is 8, which is no block",
    "builder.place_block(0, 'OUT_OF_BOUNDS', (3, 4))": "which no level may put",
    "builder.place_block(0, 'COAL', (3, 48))": r"position \(3, 48\) lies off the map",
    "builder.place_block(0, 'COAL', 3)": r"position is 3; give a place \(row, column\)",
    "builder.place_block(0, 'COAL', (3, 'x'))": "position is 'x'; give a whole number",
    "builder.place_randomly(0, 'COAL', n=-1)": "n is -1; keep it within 0 to 2304",
    "builder.place_randomly(0, 'COAL', n=2.5)": "n is 2.5; give a whole number",
    "builder.place_randomly(0, 'COAL', n=float('nan'))": "nan is no number that a level can use",
    "builder.place_randomly(0, 'COAL', n=10**30)": "is no number that a level can use",
    "builder.place_randomly(0, 'COAL', builder)": "a level is made of numbers, text, lists and places",
    "builder.place_randomly(0, 'COAL', on_blocks='GRASS')": "give a list of blocks",
    "builder.place_randomly(0, 'COAL', on_blocks=['GRASSY'])": "the closest is GRASS",
    "builder.place_randomly_near(0, 'COAL', (9, 9), 6, 5)": "min_dist 6 is more than max_dist 5",
    "builder.place_randomly(0, 'COAL', builder.count_blocks(0, 'COAL') + 2000000)": "n is too large",
    "builder.add_mob(0, 'dragon', 0, (3, 4))": "there is no mob_name 'dragon'; choose from passive, melee",
    "builder.add_mob(0, 'passive', 3, (3, 4))": "type_id is 3; keep it within 0 to 2",
    "builder.add_mob(0, 'melee', 'cow', (3, 4))": "there is no 'cow' of that kind",
    "builder.set_player_inventory({'gold': 1})": "there is no item 'gold'",
    "builder.set_player_inventory({'wood': 1.5})": "wood is 1.5; give a whole number",
    "builder.set_player_inventory({'wood': 100})": "wood is 100; keep it within 0 to 99",
    "builder.set_player_inventory({'armour': [1, 2]})": "give a list of 4 numbers",
    "builder.set_player_inventory(3)": "give a dict of items and counts",
    "builder.set_learned_spells(1)": "fireball is 1; give True or False",
    "builder.place_block(0, 'COAL')": "The level's code failed",
    "builder.place_torch(0)": "no method 'place_torch'",
    "if builder.count_blocks(0, 'TREE') < 3: pass": "The level's code failed",
    "[builder.find_block(0, 'TREE') for _ in range(20)]": "The level asks for more numbers and places",
    "[builder.place_block(0, 'COAL', (1, 1)) for _ in range(5000)]": "has 5000 operations; use at most 4096",
}


@pytest.mark.parametrize("line", REFUSED)
def test_wrong_calls_are_refused_in_a_sentence(built, line):
    with pytest.raises(LevelError, match=REFUSED[line]):
        built(line)


@pytest.mark.parametrize(
    "calls",
    [
        3,
        [3],
        [["place_block"]],
        [["place_block", []]],
        [["jump", []]],
        [[["x"], []]],
        [["place_block", [0, "COAL", [{"register": 99, "plus": 0}, 3]]]],
        [["place_block", [0, "COAL", [{"register": True, "plus": 0}, 3]]]],
        [["add_up", [1, 2, 3]]],
        [["find_block", [0, "COAL", [1, 1], 31]]],
    ],
)
def test_forged_calls_are_refused(calls):
    with pytest.raises(LevelError):
        rows_of(calls)
