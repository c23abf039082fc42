"""What is in reach of a start and what not, on levels whose answer is known by their construction."""

from collections.abc import Callable

import numpy as np
import pytest

from garten.craftax.env import Env
from garten.craftax.full.tables import Achievement
from garten.levels.check import check_level, make_env
from garten.levels.lanes import assign
from garten.levels.level import Level
from garten.levels.params import DEFAULTS
from garten.levels.reach import out_of_reach

ARENA = (
    "builder.fill_area(0, 'WALL', (0, 0), (47, 47))",
    "builder.fill_area(0, 'GRASS', (19, 19), (29, 29))",
)
SEALED = (
    "builder.fill_area(0, 'WALL', builder.player_position - 1, builder.player_position + 1)",
    "builder.place_block(0, 'PATH', builder.player_position)",
)
MOAT = (
    "builder.fill_area(0, 'WATER', (19, 19), (29, 29))",
    "builder.fill_area(0, 'GRASS', (22, 22), (26, 26))",
    "builder.fill_area(0, 'COAL', (19, 19), (19, 19))",
)
PEACE = {f"{kind}_spawn_multiplier": 0.0 for kind in ("passive", "melee", "ranged")}


def put(*blocks: str) -> tuple[str, ...]:
    return tuple(f"builder.place_block(0, '{block}', (20, {20 + i}))" for i, block in enumerate(blocks))


def hold(**items: int) -> tuple[str, ...]:
    return (f"builder.set_player_inventory({items})",)


TREES = ("TREE",) * 3
IRON_TOOL = hold(wood=1, stone=1, coal=1, iron=1)

# goal, lines of generate_world, dials, whether it is in reach
CASES = [
    ("COLLECT_WOOD", (*ARENA, *put("TREE")), {}, True),
    ("COLLECT_WOOD", ARENA, {}, False),
    ("COLLECT_WOOD", SEALED, {}, False),
    ("PLACE_TABLE", (*ARENA, *put("TREE", "TREE")), {}, True),
    ("PLACE_TABLE", (*ARENA, *put("TREE")), {}, False),
    ("PLACE_TABLE", (*SEALED, *hold(wood=5)), {}, False),
    ("MAKE_WOOD_PICKAXE", (*ARENA, *put(*TREES)), {}, True),
    ("MAKE_WOOD_PICKAXE", (*ARENA, *put("TREE", "TREE")), {}, False),
    ("MAKE_WOOD_PICKAXE", (*ARENA, *put("TREE", "TABLE")), {}, True),
    ("MAKE_WOOD_SWORD", (*SEALED, *hold(wood=5)), {}, False),
    ("COLLECT_STONE", (*ARENA, *put("STONE")), {}, False),
    ("COLLECT_STONE", (*ARENA, *put("STONE"), *hold(pickaxe=1)), {}, True),
    ("COLLECT_STONE", (*ARENA, *put("STONE", *TREES)), {}, True),
    ("MAKE_STONE_SWORD", (*ARENA, *put("STONE", *TREES, "TREE")), {}, True),
    ("MAKE_STONE_SWORD", (*ARENA, *put(*TREES, "TREE")), {}, False),
    ("COLLECT_IRON", (*ARENA, *put("IRON"), *hold(pickaxe=1)), {}, False),
    ("COLLECT_IRON", (*ARENA, *put("IRON"), *hold(pickaxe=2)), {}, True),
    ("COLLECT_IRON", (*ARENA, *put("IRON", "STONE", *TREES, "TREE")), {}, True),
    ("COLLECT_IRON", (*ARENA, *put("STONE", "CHEST")), {}, True),
    ("COLLECT_DIAMOND", (*ARENA, *put("DIAMOND"), *hold(pickaxe=3)), {}, True),
    ("COLLECT_DIAMOND", (*ARENA, *put("DIAMOND"), *hold(pickaxe=2)), {}, False),
    ("COLLECT_RUBY", (*ARENA, *put("RUBY"), *hold(pickaxe=3)), {}, False),
    ("MAKE_IRON_PICKAXE", (*ARENA, *put("TABLE", "FURNACE"), *IRON_TOOL), {}, True),
    ("MAKE_IRON_PICKAXE", (*ARENA, *put("TABLE"), *IRON_TOOL), {}, False),
    ("MAKE_IRON_PICKAXE", (*ARENA, *put("TABLE", "FURNACE"), *hold(wood=1, stone=1, iron=1)), {}, False),
    ("MAKE_IRON_ARMOUR", (*ARENA, *put("TABLE", "FURNACE"), *hold(iron=3, coal=3)), {}, True),
    ("MAKE_IRON_ARMOUR", (*ARENA, *put("TABLE", "FURNACE"), *hold(iron=2, coal=3)), {}, False),
    ("COLLECT_DRINK", (*ARENA, *put("WATER")), {}, True),
    ("COLLECT_DRINK", (*ARENA, *put("FOUNTAIN")), {}, True),
    ("COLLECT_DRINK", ARENA, {}, False),
    ("EAT_COW", ARENA, {}, True),
    ("EAT_COW", ARENA, PEACE, False),
    ("EAT_COW", (*ARENA, "builder.add_mob(0, 'passive', 'cow', (20, 20))"), PEACE, True),
    ("EAT_COW", SEALED, {}, False),
    ("EAT_SNAIL", ARENA, {}, False),
    ("DEFEAT_ZOMBIE", ARENA, {}, True),
    ("DEFEAT_ZOMBIE", ARENA, PEACE, False),
    ("DEFEAT_TROLL", ARENA, {}, False),
    ("DEFEAT_TROLL", ("builder.set_starting_floor(5)",), {}, True),
    ("DEFEAT_TROLL", (), {}, True),
    ("WAKE_UP", ARENA, {}, True),
    ("WAKE_UP", ARENA, {"needs_depletion_multiplier": 0.0}, False),
    ("WAKE_UP", ("builder.set_player_stats(dexterity=2)",), {"needs_depletion_multiplier": 0.0}, True),
    ("COLLECT_SAPLING", ARENA, {}, True),
    ("EAT_PLANT", SEALED, {}, False),
    ("EAT_PLANT", (*ARENA, *put("RIPE_PLANT")), {}, True),
    ("COLLECT_COAL", (*ARENA, *MOAT, *hold(pickaxe=1)), {}, False),
    ("COLLECT_COAL", (*ARENA, *MOAT, *hold(pickaxe=1, stone=1)), {}, True),
    ("PLACE_TORCH", (*ARENA, *hold(torches=1)), {}, True),
    ("PLACE_TORCH", (*ARENA, *put("TABLE"), *hold(wood=1, coal=1)), {}, True),
    ("PLACE_TORCH", (*ARENA, *put("TABLE"), *hold(wood=1)), {}, False),
    ("ENCHANT_SWORD", (*ARENA, *put("FIRE_TABLE"), *hold(sword=1, ruby=1)), {}, True),
    ("ENCHANT_SWORD", (*ARENA, *put("ICE_TABLE"), *hold(sword=1, ruby=1)), {}, False),
    ("DRINK_POTION", (*ARENA, *put("CHEST")), {}, True),
    ("DRINK_POTION", ARENA, {}, False),
    ("OPEN_CHEST", (*ARENA, "builder.place_block(0, 'CHEST', (5, 5))"), {}, False),
    ("FIRE_BOW", (*ARENA, *hold(bow=1, arrows=1)), {}, True),
    ("FIRE_BOW", (*ARENA, *hold(bow=1)), {}, False),
    ("ENTER_DUNGEON", ARENA, {}, False),
    ("ENTER_DUNGEON", (), {}, True),
    ("ENTER_GNOMISH_MINES", (), {"monsters_killed_to_clear_level": 11, **PEACE}, False),
    ("DEFEAT_NECROMANCER", (), {}, True),
]


@pytest.fixture(scope="module")
def env() -> Env:
    return make_env(4)


@pytest.mark.parametrize(
    ("goal", "lines", "dials", "within"), CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)]
)
def test_the_answer_is_right(env, built, goal, lines, dials, within):
    level: Level = built(*lines, "pass")
    assign(env, [level], np.zeros(4, int), bonus=0.0)
    env.reset(seed=12)  # no ladder near the middle
    wanted = Achievement[goal]
    answers = [out_of_reach(env.state(lane), DEFAULTS | dials, [wanted]) for lane in range(4)]
    assert [wanted not in answer for answer in answers] == [within] * 4
    assert all(lack for answer in answers for lack in answer.values())


def test_there_are_as_many_of_either_kind_as_it_takes():
    within = [case[3] for case in CASES]
    assert len(CASES) >= 60
    assert min(sum(within), len(CASES) - sum(within)) >= 25


def test_all_of_the_plain_game_is_within_reach(env):
    env.set(program=-1)
    env.reset(seed=5)
    for lane in range(4):
        assert out_of_reach(env.state(lane), DEFAULTS, list(Achievement)) == {}


def test_what_is_unlocked_already_is_not_asked_for(env, built: Callable[..., Level]):
    assign(env, [built(*SEALED)], np.zeros(4, int), bonus=0.0)
    env.set(initial_achievements=np.ones(len(Achievement), bool))
    env.reset(seed=0)
    assert out_of_reach(env.state(0), DEFAULTS, list(Achievement)) == {}


def test_the_check_says_what_is_lacking(env, sandbox):
    source = "objective = description = 'x'\nrelevant_achievements = ['COLLECT_IRON']\n"
    lines = "\n    ".join((*ARENA, *put("IRON"), *hold(pickaxe=1)))
    results = check_level(source + f"def generate_world(builder):\n    {lines}", sandbox, env)[1]
    details = {result.name: result.detail for result in results if not result.passed}
    assert details["solvable"] == (
        "The goal is out of reach in 2 of 2 starts, as in COLLECT_IRON, which lacks iron within reach and a "
        "stone pickaxe; provide it or ask for less."
    )
