"""Reading levels: the contract, draws, dials, hostile code."""

import math
import re

import numpy as np
import pytest

from garten.craftax.full.tables import Achievement
from garten.errors import LevelError
from garten.levels import find
from garten.levels.level import DRAWS, mask, read_level
from garten.levels.params import BY_NAME, DEFAULTS, checked_dials


@pytest.mark.parametrize("name", find.names())
def test_the_levels_of_the_package_can_be_read(sandbox, name):
    level = read_level(find.source_of(f"level:{name}"), sandbox)
    assert level.goal
    assert level.notes == ()
    if name.endswith("_goal"):
        scaffolded = read_level(find.source_of(f"level:{name.removesuffix('_goal')}"), sandbox)
        assert level.goal == scaffolded.goal
        assert level.dials == DEFAULTS != scaffolded.dials
        assert level.variants[0].size == 0


def test_all_that_a_level_says_is_kept(sandbox):
    source = '''
"""A level."""
objective: str = "Craft."
description = "Much " + "wood."
relevant_achievements = [Achievement.MAKE_WOOD_SWORD, "place_table", "PLACE_TABLE"]
completed_achievements = ("DEFEAT_ORC_SOLIDER",)


def get_task_params():
    return TaskParams(growing_plants_age=7, mob_damage_multiplier=0)
'''
    level = read_level(source, sandbox)
    assert (level.objective, level.description) == ("Craft.", "Much wood.")
    assert level.goal == (Achievement.MAKE_WOOD_SWORD, Achievement.PLACE_TABLE)
    assert level.initial == (Achievement.DEFEAT_ORC_SOLDIER,)
    assert level.dials == DEFAULTS | {"growing_plants_age": 7, "mob_damage_multiplier": 0.0}
    assert len(level.digest) == 64
    assert read_level(source + "\n", sandbox).digest != level.digest
    assert mask(level.goal).nonzero()[0].tolist() == [Achievement.PLACE_TABLE, Achievement.MAKE_WOOD_SWORD]


def test_code_that_draws_gives_variants_the_same_each_time(built):
    lines = (
        "for _ in range(builder.randint(1, 3)):",
        "    builder.place_randomly(0, builder.choice(['COAL', 'IRON']))",
        "if builder.chance(0.5):",
        "    builder.set_starting_floor(2)",
    )
    level, again = built(*lines), built(*lines)
    assert len(level.variants) == DRAWS
    assert {len(rows) for rows in level.variants} == {1, 2, 3, 4}
    assert all(np.array_equal(one, other) for one, other in zip(level.variants, again.variants, strict=True))


@pytest.mark.parametrize("body", ["import random", "import random as r", "from random import randint"])
def test_the_random_module_draws_too(read, body):
    assert len(read(body).variants) == DRAWS


def test_all_dials_have_their_published_defaults():
    published = (1.0, 1.0, 1.0, 1.0, 1.0, 10, 8, 1.0, 1.0, 1.0, 1.0, 600)
    assert tuple(DEFAULTS.values()) == published
    assert checked_dials({}) == (DEFAULTS, ())


@pytest.mark.parametrize("name", BY_NAME)
def test_dials_are_moved_to_their_bounds_and_that_is_said(name):
    field = BY_NAME[name]
    for value, bound in ((-3, field.low), (1e9, field.high)):
        dials, notes = checked_dials({name: value})
        assert dials[name] == bound
        assert len(notes) == 1
        assert name in notes[0]
    for value in (math.nan, math.inf, "1", None, True):
        with pytest.raises(LevelError, match="give a finite number"):
            checked_dials({name: value})


REFUSED = {
    "relevant_achievements = ['COLLECT_GOLD']": "'COLLECT_GOLD', which is no achievement; the closest is",
    "relevant_achievements = 'COLLECT_COAL'": "make it a list of achievements",
    "completed_achievements = [3]": "holds 3, which is no achievement",
    "objective = ' '": "objective is ' '; make it text",
    "description = 7": "description is 7; make it text",
    "description = 'x' * 5000": "use at most 4000",
    "def get_task_params(): return {'gravity': 1}": "There is no dial 'gravity'",
    "def get_task_params(): return {'mob_damage_multiplier': float('inf')}": "inf is no number that",
    "def get_task_params(): return {'growing_plants_age': 2.5}": "give a whole number",
    "def get_task_params(): return 3": "return a dict or TaskParams",
    "get_task_params = 3": "The level's code failed",
    "def generate_world(): pass": "The level's code failed",
    "def generate_world(builder): builder.hop()": "has no method 'hop'; ",
    "def generate_world(builder)": "The level is no Python",
    "def generate_world(builder): builder.place_blok()": "no method 'place_blok'; the closest is place_block",
    "def generate_world(builder): builder.count_blocks(0, 'COAL') > 3": "line [0-9]+: counts and places",
    "def generate_world(builder): builder.count_blocks(0, 'COAL') == 3": "line [0-9]+: counts and places",
    "def generate_world(builder): builder.player_position != (24, 24)": "line [0-9]+: counts and places",
    "def generate_world(builder): builder.player_position in [(1, 2)]": "line [0-9]+: counts and places",
    "import numpy": "levels have no module 'numpy'; draw with",
    "import jax": "The level's code failed",
    "import os\nos.system('true')": "The level's code failed",
    "open('/etc/passwd').read()": "The level's code failed",
    "while True: pass": "The level's code failed",
    "x = [0] * 10**9": "The level's code failed",
    "def f(): return f()\nf()": "The level's code failed",
    "def policy(): return 1": "define no function called policy",
    "_collect = print": "did not end as a level's",
    "_collect = lambda *a: {'calls': []}": "leave names that begin with _ alone",
    "def generate_world(builder): _book.calls = [['x', 3]]": "leave names that begin with _ alone",
    "def generate_world(builder): _book.calls = 7": "leave names that begin with _ alone",
    "#" * 60_000: "more than 50000 characters",
    "(" * 20_000: "The level is no Python",
    "x = '\\0'; y = \x00": "The level is no Python",
}


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body[:40].replace("\x00", "nul"))
def test_broken_and_hostile_levels_are_refused_in_a_sentence(read, body):
    with pytest.raises(LevelError, match=REFUSED[body]):
        read(body)


@pytest.mark.parametrize("name", ["objective", "description", "relevant_achievements"])
def test_what_is_missing_is_named(sandbox, name):
    source = find.source_of("level:gathering").replace(f"{name} =", "other =")
    with pytest.raises(LevelError, match=f"does not define {name}"):
        read_level(source, sandbox)


def test_levels_are_found_by_name_and_path(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("x = 1")
    assert find.source_of(str(path)) == "x = 1"
    with pytest.raises(LevelError, match=r"There is no level 'gathring'; the closest is gathering"):
        find.source_of("level:gathring")
    with pytest.raises(LevelError, match=r"There is no level at .*; give the path of one"):
        find.source_of(str(tmp_path / "other.py"))
    with pytest.raises(LevelError, match="cannot be read"):
        find.source_of(str(tmp_path))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "def _collect(*said): return {'constants': 5, 'dials': {}, 'calls': [], 'drew': False}",
            "begin with _",
        ),
        ("if True:\n    def generate_world(builder): pass", "generate_world is not seen where it stands"),
        ("async def get_task_params(): return {}", "get_task_params is not seen where it stands"),
        ("x = '\0'", "The level is no Python (source code string"),
        ("objective = '\\x1b[2J'", "objective holds characters that steer a screen; use plain text."),
        ("description = 'abc\\u202e'", "description holds characters that steer a screen"),
    ],
)
def test_code_that_misleads_is_refused(read, body, message):
    with pytest.raises(LevelError, match=re.escape(message)):
        read(body)


@pytest.mark.parametrize(
    "body",
    [
        "relevant_achievements = ['x' * 5_000_000]",
        "def get_task_params(): return {'growing_plants_age': 'x' * 5_000_000}",
        "def generate_world(builder): builder.place_block(0, 'x' * 5_000_000, (1, 1))",
        "def generate_world(builder): builder.set_player_inventory({'x' * 5_000_000: 1})",
    ],
)
def test_errors_stay_short_whatever_the_code_says(read, body):
    with pytest.raises(LevelError, match="xxx") as raised:
        read(body)
    assert len(str(raised.value)) < 1500


def test_errors_do_not_steer_the_screen(read):
    with pytest.raises(LevelError) as raised:
        read("raise ValueError('\\x1b[2J\\u202e')")
    assert str(raised.value).endswith(r"ValueError: \x1b[2J\u202e")
