"""Levels are taken apart and put together again without a change of what they do."""

import random

import numpy as np
import pytest

from garten.authors.craftax.kit import CraftaxKit
from garten.authors.plan import Plan, read_plan, write_plan
from garten.craftax.env import make
from garten.craftax.full.tables import Achievement
from garten.levels.find import PREFIX, names, source_of
from garten.levels.lanes import assign

KIT = CraftaxKit()

BY_HAND = '''
"""A level with much that is no plain call."""
from random import randint

objective = "Mine iron."
description = "A quarry."
goals = ["COLLECT_IRON"]
relevant_achievements = goals
completed_achievements = ["PLACE_TABLE", "MAKE_STONE_PICKAXE"]
SIDES = ((0, 3), (3, 0))


def ring(b, block):
    for side in SIDES:
        b.place_block(0, block, b.player_position + side)


def get_task_params():
    dials = {"mob_damage_multiplier": 0.5}
    dials["melee_trigger_distance"] = 4
    return dials


def generate_world(b):
    """Build it."""
    here = b.player_position
    b.set_player_inventory({"pickaxe": 2, "wood": 3, "potions": [0, 1, 0, 0, 2, 0]})
    b.fill_area(0, BlockType.PATH, here - 2, here + 2)
    ring(b, "STONE")
    b.place_randomly_near(0, BlockType.IRON, here, 3, 8, n=4)
    b.place_randomly_near(0, "COAL", here + (0, 5), 3, 8, n=2)
    b.place_randomly(1, "chest", n=3, on_blocks=["PATH"])
    b.add_mobs_randomly_near(0, "passive", 0, n=2, max_dist=9)
    if b.chance(0.0):
        b.set_starting_floor(3)
'''


def written(plan: Plan) -> str:
    return write_plan(plan, KIT, title="A test.", objective="Test.", description="A test.")


def rows(level) -> list[set[tuple[int, ...]]]:
    return [{tuple(row) for row in variant.tolist()} for variant in level.variants]


@pytest.mark.parametrize("source", [*map(source_of, (PREFIX + name for name in names())), BY_HAND])
def test_what_is_read_and_written_again_does_the_same(domain, source):
    before = domain.level(source)
    plan = read_plan(domain.read(source), KIT, domain.dials)
    after = domain.level(written(plan))
    assert (after.goal, after.dials) == (before.goal, before.dials)
    held = {Achievement[name] for name in KIT.unlocked(plan.aids)}
    assert {*after.initial} == {*before.initial} | held
    assert rows(after) == rows(before)
    assert read_plan(domain.read(after.source), KIT, domain.dials) == plan


def test_seed_levels_are_understood_whole_and_what_is_no_aid_is_kept(domain):
    plans = [read_plan(domain.read(source), KIT, domain.dials) for source in domain.seeds.values()]
    assert not any(plan.kept or plan.outside for plan in plans)
    plan = read_plan(domain.read(BY_HAND), KIT, domain.dials)
    assert [aid.key for aid in plan.aids] == [
        *("held pickaxe", "held wood", "held potions", "block IRON 0", "block CHEST 1", "creature cow 0")
    ]
    assert [line.split("(")[0] for line in plan.kept] == [
        *("here = builder.player_position", "builder.fill_area", "ring", "builder.place_randomly_near"),
        "if builder.chance",
    ]
    assert plan.completed == ("PLACE_TABLE",)


def test_what_aids_unlock_is_what_a_start_with_them_has(domain):
    levels, unlocked = [], []
    for number, goal in enumerate(domain.goals):
        aids = KIT.settled(KIT.help_with(goal, (), random.Random(number)).aids)
        levels.append(domain.level(written(Plan(("DEFEAT_NECROMANCER",), aids=aids))))
        unlocked.append(KIT.unlocked(aids))
    env = make("Craftax", num_envs=len(levels))
    assign(env, levels, np.arange(len(levels)), bonus=0.0)
    env.reset(seed=0)
    state = env.engine.state.read("achievements")
    found = [{each.name for each in Achievement if state[lane, each]} for lane in range(len(levels))]
    assert found == [set(names) for names in unlocked]
