"""The gate admits good levels and refuses broken and hostile ones, each with a sentence about its fault."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from curriculum.candidates import BROKEN, GOOD, HOSTILE, OUTSIDE
from garten.craftax.full.tables import Action
from garten.curriculum.gate import AUTHOR, SAME, Judgement, judge, yield_of
from garten.curriculum.tryout import LANES, agent_trial
from garten.domain import Draft, Finding, Reading, Refusal
from garten.errors import LevelError
from garten.levels.domain import CraftaxDomain
from garten.levels.level import LIMITS
from garten.sandbox import Sandbox
from garten.training.agents import Agent, Uniform

CANDIDATES = {
    **GOOD,
    **{name: source for name, (_, _, source) in BROKEN.items()},
    **{name: source for name, (_, _, source) in HOSTILE.items()},
}


@pytest.fixture(scope="module")
def domain() -> Iterator[CraftaxDomain]:
    with Sandbox(replace(LIMITS, seconds=0.5)) as sandbox:
        yield CraftaxDomain(sandbox, starts=8)


@pytest.fixture(scope="module")
def agent() -> Agent:
    return Agent("uniform", Uniform(len(Action)), "Craftax")


@pytest.fixture(scope="module")
def outside(tmp_path_factory) -> Path:
    """A file that no level may write."""
    return tmp_path_factory.mktemp("outside") / "written"


@pytest.fixture(scope="module")
def judged(domain, agent, outside) -> dict[str, Judgement]:
    """All candidates, handed in at once."""
    sources = {name: source.replace(OUTSIDE, str(outside)) for name, source in CANDIDATES.items()}
    drafts = [Draft(source, name, "") for name, source in sources.items()]
    trial = agent_trial(agent, domain.level, seed=0, steps=16)
    return dict(zip(CANDIDATES, judge(drafts, domain, known=(), trial=trial), strict=True))


def test_there_are_many_candidates():
    assert len(CANDIDATES) == len(GOOD) + len(BROKEN) + len(HOSTILE) >= 60


@pytest.mark.parametrize("name", GOOD)
def test_good_levels_are_admitted(judged, name):
    one = judged[name]
    assert (one.admitted, one.failed, one.reason) == (True, "", "")
    assert one.reading is not None
    assert one.draft is not None
    assert one.draft.description == name


@pytest.mark.parametrize("name", [*BROKEN, *HOSTILE])
def test_others_are_refused_in_a_sentence(judged, name):
    failed, says, _ = {**BROKEN, **HOSTILE}[name]
    one = judged[name]
    assert (one.admitted, one.failed) == (False, failed)
    assert says in one.reason
    assert "\n" not in one.reason
    assert 20 < len(one.reason) < 600


def test_nothing_happened_outside(judged, outside):
    assert str(outside) in judged["system"].draft.source
    assert not outside.exists()


def test_the_yield_is_counted(judged):
    counted = yield_of(list(judged.values()))
    assert (counted.asked, counted.written) == (len(CANDIDATES), len(CANDIDATES))
    assert counted.admitted == len(GOOD)
    assert sum(counted.failed.values()) == len(BROKEN) + len(HOSTILE)
    assert counted.share == len(GOOD) / len(CANDIDATES)
    assert yield_of([]).share == 0.0


def test_answers_keep_their_places(domain):
    drafts = [Draft(domain.seeds[name], name, "") for name in ("combat", "survival")]
    answers = [Refusal("The endpoint is dead."), drafts[0], Draft("", "", ""), drafts[0], drafts[1]]
    known = {domain.read(drafts[1].source).digest}
    judged = judge(answers, domain, known=known)
    assert [one.draft for one in judged] == [None, *answers[1:]]
    assert [one.failed for one in judged] == [AUTHOR, "", "contract", SAME, SAME]
    assert judged[0].reason == "The endpoint is dead."
    counted = yield_of(judged)
    assert (counted.asked, counted.written, counted.admitted) == (5, 4, 1)
    assert counted.failed == {AUTHOR: 1, "contract": 1, SAME: 2}


def test_a_trial_that_breaks_costs_the_level_only(domain):
    broken = domain.read(domain.seeds["combat"]).digest

    def trial(readings: Sequence[Reading]) -> list[Finding]:
        if any(reading.digest == broken for reading in readings):
            raise LevelError("The world ends; do not do that.")
        return [Finding("trial", True, "") for _ in readings]

    judged = judge([Draft(source, "", "") for source in domain.seeds.values()], domain, known=(), trial=trial)
    assert [one.failed for one in judged] == ["trial", "", "", ""]
    assert judged[0].reason == "The world ends; do not do that."


def test_whatever_breaks_in_a_check_is_a_refusal(domain, caplog):
    class Breaking(CraftaxDomain):
        def check(self, source):
            raise MemoryError

    (one,) = judge([Draft(domain.seeds["combat"], "", "")], Breaking(domain._sandbox), known=())
    assert one.reason == "The check failed (MemoryError); write the level simpler."
    assert "MemoryError" in caplog.text


def test_the_agent_plays_each_level_by_its_goal(domain, agent):
    near = domain.read(
        'objective = "Eat."\ndescription = "Cows."\nrelevant_achievements = ["COLLECT_SAPLING"]\n'
        "def generate_world(b):\n    b.fill_area(0, 'GRASS', (10, 10), (38, 38))"
    )
    far = domain.read(domain.seeds["gathering"])
    found = agent_trial(agent, domain.level, seed=0, steps=300)([near, far])
    assert [finding.passed for finding in found] == [True, True]
    assert not found[0].detail.startswith("goal met 0")
    assert found[1].detail.startswith("goal met 0")
    assert all(finding.detail.endswith(f"in {LANES} starts") for finding in found)
    assert agent_trial(agent, domain.level, seed=0, steps=300)([near, far]) == found
