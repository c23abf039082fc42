"""Craftax as authors and curricula see it."""

import math

import pytest

from garten.domain import Domain
from garten.errors import LevelError
from garten.levels.domain import CraftaxDomain
from garten.levels.level import DRAWS
from garten.levels.params import DEFAULTS, checked_dials
from garten.levels.reference import PARTS

COAL = """
objective = "Collect coal."
description = "Coal."
relevant_achievements = ["COLLECT_COAL"]
"""

PUBLISHED = '''
class Env(BaseTask):
    """Objective: Collect coal."""

    def __init__(self, static_params, params):
        self.relevant_achievements = [Achievement.COLLECT_COAL.value]
        self.completed_achievements = []
        self.label = "coal"

    def generate_world(self, rng):
        builder = WorldBuilder(rng, self.static_params, self.params)
        builder.set_player_inventory({"pickaxe": 1})
        return builder.build(rng)
'''


@pytest.fixture(scope="module")
def domain(sandbox) -> Domain:
    return CraftaxDomain(sandbox)


def test_it_says_what_there_is(domain):
    assert domain.name == "Craftax"
    assert len(domain.goals) == len(set(domain.goals)) == 67
    assert set(domain.needs) == set(domain.goals)
    assert {name: dial.default for name, dial in domain.dials.items()} == DEFAULTS
    for name, dial in domain.dials.items():  # the bounds are those to which levels are held
        for value in (dial.low, dial.high):
            assert checked_dials({name: value}) == (DEFAULTS | {name: value}, ())
        beyond = math.nextafter(dial.high, math.inf) if not dial.whole else dial.high + 1
        assert checked_dials({name: beyond})[0][name] == dial.high
    assert set(domain.knowledge) == {"contract", "rules", *PARTS}
    assert all(len(text) > 400 for text in domain.knowledge.values())


def test_seeds_have_their_goals_in_the_plain_game_too(domain):
    assert set(domain.seeds) == set(domain.bare_seeds) == {"combat", "crafting", "gathering", "survival"}
    for name, source in domain.seeds.items():
        seed, bare = domain.read(source), domain.read(domain.bare_seeds[name])
        assert seed.goal == bare.goal == domain.read(domain.bare(seed)).goal
        assert dict(bare.dials) == DEFAULTS != dict(seed.dials)


def test_reading(domain):
    reading = domain.read(
        COAL + "completed_achievements = ['EAT_COW']\ndef get_task_params():\n    return {}"
    )
    assert (reading.objective, reading.description) == ("Collect coal.", "Coal.")
    assert (reading.goal, reading.completed) == (("COLLECT_COAL",), ("EAT_COW",))
    assert domain.read(COAL).digest != reading.digest
    assert domain.read(COAL) == domain.read(COAL)
    with pytest.raises(LevelError, match="relevant_achievements holds 'COAL', which is no achievement"):
        domain.read(COAL.replace("COLLECT_", ""))


def test_levels_in_the_published_form_are_written_anew(domain):
    reading = domain.read(PUBLISHED)
    assert reading.goal == ("COLLECT_COAL",)
    assert "class" not in reading.source
    assert domain.read(reading.source).digest == reading.digest
    assert domain.check(PUBLISHED).passed


def test_verdicts(domain):
    sound = domain.check(domain.seeds["gathering"])
    assert (sound.passed, sound.reason) == (True, "")
    assert sound.reading == domain.read(domain.seeds["gathering"])
    broken = domain.check(COAL + "while True: pass")
    assert (broken.passed, broken.reading) == (False, None)
    assert "ran for more than 2 s" in broken.reason
    met = domain.check(COAL + "def generate_world(b):\n    b.set_player_inventory({'coal': 1})")
    assert not met.passed
    assert met.reading is not None
    assert met.reason.startswith("The goal is met in 8 of 8 starts")
    assert [finding.name for finding in met.findings][:3] == ["contract", "effort", "goal"]


def test_levels_are_remembered(domain):
    drawing = COAL + "def generate_world(b):\n    b.set_player_inventory({'pickaxe': b.randint(0, 4)})"
    assert domain.level(drawing) is domain.level(drawing)
    assert len(domain.level(drawing).variants) == DRAWS
