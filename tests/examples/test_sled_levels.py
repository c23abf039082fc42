"""Levels of the sled: their form, their gate, and what the rules author makes of them."""

import pytest

from garten.authors.plan import read_plan, write_plan
from garten.authors.rules import RulesAuthor
from garten.curriculum.gate import judge
from garten.domain import Draft, Known, Performance, Request
from garten.errors import LevelError
from garten.sandbox import Sandbox
from sled.domain import SledDomain
from sled.game import DIALS, NAMES
from sled.kit import Low, Near, SledKit
from sled.level import LIMITS

HEAD = 'objective = "Roll."\ndescription = "Ground."\n'
CLIMB = f"""{HEAD}relevant_achievements = ["CLIMB_HILL"]

def get_task_params():
    return TaskParams(gain=6.0)

def generate_world(builder):
    builder.bring("HILL", 3.0)
    builder.lower("HILL", 0.5)
"""


@pytest.fixture(scope="module")
def domain():
    with Sandbox(LIMITS) as sandbox:
        yield SledDomain(sandbox)


def known(domain, source, *, success=None, episodes=50, met=()):
    reading = domain.read(source)
    rates = dict.fromkeys((*reading.goal, *met), success)
    went = None if success is None else Performance(success, rates, episodes, 40.0, 1.0)
    return Known(reading.digest, source, reading.objective, reading.description, reading.goal, went)


def test_a_level_is_read(domain):
    level = domain.level(CLIMB)
    assert level.goal == ("CLIMB_HILL",)
    assert level.dials == {"friction": 0.1, "gravity": 9.81, "gain": 6.0}
    assert (level.near, level.share) == ({"HILL": 3.0}, {"HILL": 0.5})


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("objective = 'x'", "does not define description"),
        (f"{HEAD}relevant_achievements = ['FLY']", "holds 'FLY', which is no achievement; choose from LEAVE"),
        (f"{HEAD}relevant_achievements = 'FLY'", "make it a list"),
        (f"{HEAD}relevant_achievements = [", "is no Python"),
        (
            CLIMB.replace("gain=6.0", "speed=6.0"),
            "There is no dial 'speed'; choose from friction, gravity, gain.",
        ),
        (CLIMB.replace("gain=6.0", "gain='much'"), "The dial gain has 'much'; give a finite number."),
        (CLIMB.replace("gain=6.0", "gain=float('inf')"), ""),
        (CLIMB.replace('bring("HILL"', 'bring("SEA"'), "There is no landmark 'SEA'; choose from MEADOW"),
        (CLIMB.replace("builder.bring", "builder.fly"), "failed"),
        (CLIMB.replace("builder.bring", "builder.calls.append"), ""),
        (f"{CLIMB}\nwhile True:\n    pass", "failed"),
        (f"{CLIMB}\nimport os\nos.remove('x')", "failed"),
        (f"{CLIMB}\n_collect = lambda *parts: 3", "changed the builder"),
        ("x" * 30_000, "shorten it"),
    ],
)
def test_bad_levels_are_refused_in_a_sentence(domain, code, told):
    with pytest.raises(LevelError) as caught:
        domain.read(code)
    assert told in str(caught.value)
    assert str(caught.value).endswith(".") or "failed" in str(caught.value)
    verdict = domain.check(code)
    assert not verdict.passed
    assert verdict.failure.name == "contract"


def test_numbers_are_kept_within_bounds(domain):
    wild = CLIMB.replace("6.0", "1e9").replace("3.0", "0.0").replace("0.5", "-4")
    level = domain.level(wild)
    assert level.dials["gain"] == DIALS["gain"].high
    assert (level.near, level.share) == ({"HILL": 1.5}, {"HILL": 0.1})
    assert domain.check(wild).passed


@pytest.mark.parametrize(
    ("code", "failed"),
    [
        (f"{HEAD}relevant_achievements = []", "goal"),
        (f"{HEAD}relevant_achievements = ['LEAVE_HOME']\ncompleted_achievements = ['LEAVE_HOME']", "goal"),
        (f"{HEAD}relevant_achievements = ['RETURN_HOME']\ncompleted_achievements = ['CLIMB_SUMMIT']", "idle"),
    ],
)
def test_the_check_finds_what_is_wrong(domain, code, failed):
    verdict = domain.check(code)
    assert verdict.failure.name == failed
    assert verdict.reason.endswith(".")


def test_the_seeds_are_sound_and_bare_ones_are_plain(domain):
    assert list(domain.seeds) == ["hill", "hollow", "leave", "meadow"]
    for name, source in domain.seeds.items():
        assert domain.check(source).passed, name
        bare = domain.level(domain.bare_seeds[name])
        assert bare.goal == domain.level(source).goal
        assert bare.dials == {dial.name: dial.default for dial in DIALS.values()}
        assert not bare.near
        assert not bare.share


def test_the_order_of_achievements_follows_their_needs(domain):
    for name, needs in domain.needs.items():
        assert all(NAMES.index(each) < NAMES.index(name) for each in needs)


def test_a_plan_is_read_back_as_it_was_written(domain):
    kit = SledKit()
    plan = read_plan(domain.read(CLIMB), kit, domain.dials)
    assert plan.aids == (Near("HILL", 3.0), Low("HILL", 0.5))
    assert dict(plan.dials) == {"gain": 6.0}
    written = write_plan(plan, kit, title="A level.", objective="Roll.", description="Ground.")
    assert read_plan(domain.read(written), kit, domain.dials) == plan


@pytest.mark.parametrize("aid", [Near("HILL", 3.0), Low("SUMMIT", 0.4)])
def test_aids_fade_step_by_step_and_can_be_had_again(aid):
    faded = [aid]
    while weaker := faded[-1].weaker():
        faded.append(weaker[0])
        assert len(faded) < 12
    assert len(faded) > 2
    assert all(each.key == aid.key for each in faded)
    while stronger := aid.stronger():
        aid = stronger


def test_the_rules_author_eases_what_fails_and_extends_what_succeeds(domain):
    author = RulesAuthor(domain, SledKit())
    lost = known(domain, CLIMB, success=0.0)
    won = known(domain, CLIMB, success=1.0, met=("LEAVE_HOME", "REACH_MEADOW"))
    eased, grown = 0, 0
    for seed in range(6):
        (easy,) = author.write([Request(lost, {}, (lost,), seed)])
        (hard,) = author.write([Request(won, {"REACH_MEADOW": 1.0}, (won,), seed)])
        assert domain.check(easy.source).passed
        assert domain.check(hard.source).passed
        before, easier, harder = (domain.level(each) for each in (CLIMB, easy.source, hard.source))
        eased += easier.near["HILL"] < 3.0 or easier.share["HILL"] < 0.5 or easier.dials != before.dials
        grown += set(harder.goal) > {"CLIMB_HILL"} or bool({*harder.goal} - {"CLIMB_HILL"})
    assert eased >= 4
    assert grown >= 2


def test_the_gate_takes_what_the_author_writes_and_refuses_the_rest(domain):
    seeds = [known(domain, source) for source in domain.seeds.values()]
    requests = [Request(seeds[number % 4], {}, tuple(seeds), number) for number in range(8)]
    written = RulesAuthor(domain, SledKit()).write(requests)
    broken = [Draft("objective = 1", "", ""), Draft(f"{HEAD}relevant_achievements = []", "", "")]
    judged = judge([*written, *broken], domain, known=[seed.name for seed in seeds])
    assert [one.admitted for one in judged] == [True] * 8 + [False] * 2
    assert len({one.reading.digest for one in judged[:8]}) == 8
