"""The whole path of the author with one real model: each answer becomes a draft or a reason."""

import pytest

from authors.learners import known
from authors.toys import ToyDomain
from garten.authors.llm import LlmAuthor
from garten.authors.settings import AuthorSettings
from garten.curriculum.gate import judge, yield_of
from garten.domain import Request
from real_model import real_model

pytestmark = pytest.mark.slow


def path(domain, folder, *, count):
    """Judgements of so many levels that a small model wrote; what they say is theirs."""
    level = known(domain.read(next(iter(domain.seeds.values()))), 0.6)
    requests = [Request(level, {}, (), seed) for seed in range(count)]
    with real_model(context=8192) as url:
        given = {"base_url": url, "model": "smollm2", "parallel": 1, "reply_tokens": 300, "timeout": 900.0}
        answers = LlmAuthor(domain, AuthorSettings.of(given), folder).write(requests)
    judgements = judge(answers, domain, known=[level.name])
    for judgement in judgements:
        print(judgement.failed or "passed", judgement.reason, judgement.draft)  # noqa: T201 - to be looked at
        assert judgement.admitted or judgement.reason.endswith(".")
    assert yield_of(judgements).asked == count


@pytest.mark.timeout(900)
def test_levels_of_a_toy(tmp_path):
    path(ToyDomain(), tmp_path, count=3)


@pytest.mark.timeout(3600)
def test_a_level_of_craftax(domain, tmp_path):
    path(domain, tmp_path, count=1)
