"""A level in words."""

import pytest

from garten.craftax.env import make
from garten.craftax.full import ops
from garten.craftax.full.ops import Op, at, blocks_low_high, row
from garten.craftax.full.tables import Block
from garten.levels.show import differences, in_words, starts


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            row(Op.ADD_NEAR, kind=ops.MELEE, type=5, count=2, row=at(1, -3), column=7, most=4, high=1),
            "ADD_NEAR: troll; on ice_table; floor 0; count 2; row the player's row -3; column 7; least 0; "
            "most 4",
        ),
        (
            row(Op.SCATTER, block=Block.COAL, count=at(3), **blocks_low_high([Block.SAND])),
            "SCATTER: on sand; floor 0; block coal; count number 3",
        ),
        (row(Op.HOLD, slot=ops.ARMOUR_SLOT, count=2), "HOLD: slot helmet; count 2"),
        (row(Op.HOLD, slot=ops.POTION_SLOT + 5, count=2), "HOLD: slot yellow potion; count 2"),
        (row(Op.ENCHANT, piece=ops.BOW, element=1), "ENCHANT: piece bow; element 1"),
        (row(Op.LEARN, spell=1, known=1), "LEARN: spell iceball; known 1"),
    ],
)
def test_rows_in_words(line, words):
    assert in_words(line) == words


@pytest.mark.parametrize("op", Op)
def test_every_operation_has_words(op):
    assert in_words(row(op)).startswith(op.name)


def test_the_plain_game_differs_by_its_goal_only(read):
    assert differences(read("")) == ["The goal is COLLECT_COAL."]


def test_all_differences_are_listed(read):
    level = read(
        "completed_achievements = ['EAT_COW']\n"
        "def get_task_params(): return {'growing_plants_age': 7}\n"
        "def generate_world(builder): builder.set_starting_floor(builder.randint(3, 3))"
    )
    assert differences(level) == [
        "The goal is COLLECT_COAL.",
        "EAT_COW is unlocked from the start.",
        "growing_plants_age is 7, not 600.",
        "START: floor 3.",
        "Or what one of 15 other runs of its code gives.",
    ]


def test_starts_are_drawn_with_the_player_in_the_middle(built):
    level = built("builder.place_block(0, 'RUBY', builder.player_position + (0, 1))")
    for lines in starts(level, make("Craftax", num_envs=2), seed=0):
        assert lines[8][20:27] == "you rub"
        assert any(line.startswith("Body: health 9") for line in lines)
