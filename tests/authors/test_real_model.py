"""The whole path of the author with one real model: each answer becomes a draft or a reason."""

import pytest

from authors.learners import known
from garten.authors.llm import LlmAuthor
from garten.authors.settings import AuthorSettings
from garten.curriculum.gate import judge, yield_of
from garten.domain import Request
from real_model import real_model

pytestmark = pytest.mark.slow

COUNT = 3


@pytest.mark.timeout(1500)
def test_a_real_model_writes_levels_or_there_is_a_reason(domain, tmp_path, record_property):
    level = known(domain.read(domain.seeds["gathering"]), 0.6)
    requests = [Request(level, {"COLLECT_WOOD": 0.5}, (), seed) for seed in range(COUNT)]
    with real_model(context=8192) as url:
        given = {"base_url": url, "model": "smollm2", "parallel": 1, "reply_tokens": 600}
        answers = LlmAuthor(domain, AuthorSettings.of(given), tmp_path).write(requests)
    judgements = judge(answers, domain, known=[level.name])
    for judgement in judgements:
        record_property("level", judgement.failed or "passed")
        assert judgement.admitted or judgement.reason.endswith(".")
    assert yield_of(judgements).asked == COUNT
