"""Sound levels pass every check; each fault is found by the check it belongs to."""

from collections.abc import Callable

import numpy as np
import pytest

from garten.craftax.env import Env
from garten.levels import find
from garten.levels.check import CHECKS, Result, check_level, make_env

NAMES = ["contract", "effort", *(check.__name__ for check in CHECKS)]
HEAD = 'objective = "A test."\ndescription = "A test."\n'
COAL = 'relevant_achievements = ["COLLECT_COAL"]\n'
PLAIN = COAL + "def generate_world(builder):\n    "


@pytest.fixture(scope="module")
def env() -> Env:
    return make_env(16)


@pytest.fixture
def checked(sandbox, env) -> Callable[[str], list[Result]]:
    return lambda source: check_level(source, sandbox, env)[1]


def failed(results: list[Result]) -> dict[str, str]:
    return {result.name: result.detail for result in results if not result.passed}


@pytest.mark.parametrize("name", find.names())
def test_the_levels_of_the_package_are_sound(checked, name):
    results = checked(find.source_of(f"level:{name}"))
    assert [result.name for result in results] == NAMES
    assert failed(results) == {}
    assert all(result.explanation.endswith(".") for result in results)


FAULTS = {
    "import numpy": ("contract", "The level does not define relevant_achievements"),
    COAL + "import numpy": ("contract", "no module 'numpy'"),
    "relevant_achievements = []": ("goal", "relevant_achievements is empty"),
    COAL + "completed_achievements = ['COLLECT_COAL', 'EAT_COW']": ("goal", "in completed_achievements"),
    PLAIN + "builder.set_player_inventory({'coal': 1})": (
        "goal",
        "The goal is met in 16 of 16 starts by what",
    ),
    PLAIN + "builder.set_player_inventory({'coal': builder.randint(0, 1)})": ("goal", "The goal is met in "),
    "relevant_achievements = ['ENTER_DUNGEON']\ndef generate_world(b):\n    b.set_starting_floor(2)": (
        "goal",
        "by what the player holds or where it starts; give less.",
    ),
    PLAIN + "[builder.place_randomly(0, 'TREE', n=0) for _ in range(200)]": (
        "effort",
        "looks at 460800 tiles, 200 times the map; place fewer things, or nearer, to stay within 100 times.",
    ),
    PLAIN + "builder.add_mobs_randomly_near(0, 'melee', 0, n=4)": (
        "room",
        "In 16 of 16 starts up to 1 placements found no room",
    ),
    PLAIN + "builder.place_adjacent_to_existing(0, 'COAL', 'RUBY')": ("room", "place fewer, farther"),
    PLAIN + "builder.place_block(0, 'STONE', builder.player_position)": (
        "player",
        "The player starts inside STONE in 16 of 16 starts; leave its tile free.",
    ),
    PLAIN + "builder.fill_area(0, 'WATER', (10, 10), (40, 40))": ("player", "starts inside WATER"),
    PLAIN + "builder.start_near_ladder(0, 90, 96)": (
        "player",
        "No free tile is so far from the ladder as start_near_ladder asks in 16 of 16 starts; lower min_dist",
    ),
    PLAIN + "builder.start_near_ladder(1, 3, 9)": (None, ""),
    PLAIN + "builder.start_near_ladder(0, 0, 0)": (None, ""),
    PLAIN + "builder.fill_area(1, 'WALL', (0, 0), (47, 47))": (
        "ladders",
        "A ladder of floor 1 (dungeon) is built over in 16 of 16 starts",
    ),
    PLAIN + "builder.place_block(0, 'STONE', (30, 30)).set_monsters_killed(0, 0)": (None, ""),
    PLAIN
    + "[builder.add_mob(0, 'melee', 'frost troll', builder.player_position + d) for d in ((0, 1), (1, 0))]": (
        "idle",
        "Who does nothing is dead within 30 steps",
    ),
}


@pytest.mark.parametrize("body", FAULTS, ids=lambda body: body[-60:])
def test_faults_are_found(checked, body):
    name, says = FAULTS[body]
    found = failed(checked(HEAD + body))
    if name is None:
        assert found == {}
    else:
        assert next(iter(found)) == name
        assert says in found[name]


def test_what_is_worth_knowing_is_told(checked):
    around = "((0, 1), (1, 0), (0, -1), (-1, 0))"
    walls = f"[builder.place_block(0, 'TREE', builder.player_position + d) for d in {around}]"
    dials = "def get_task_params(): return {'mob_damage_multiplier': -1}\n"
    results = {result.name: result for result in checked(HEAD + dials + PLAIN + walls)}
    assert results["dials"].detail == "The dial mob_damage_multiplier was -1 and is 0, its bound."
    assert results["player"].detail == "in 16 of 16 starts it cannot take a step before it digs"
    assert failed(list(results.values())) == {}


def test_a_level_leaves_nothing_behind_for_the_next(sandbox, env):
    source = find.source_of("level:combat")
    before = check_level(source, sandbox, env)[1]
    check_level(HEAD + PLAIN + "builder.set_starting_floor(builder.randint(1, 8))", sandbox, env, seed=3)
    assert check_level(source, sandbox, env)[1] == before
    assert np.array_equal(env.engine.settings.read("program"), np.zeros(16))
