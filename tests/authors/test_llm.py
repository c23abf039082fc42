"""The language-model author against a real server: what it asks, makes of answers, and refuses."""

import re
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from authors.learners import known
from authors.toys import ToyDomain
from chat_server import Request as Asked
from chat_server import completion, error, serve
from garten.authors.code import read_code
from garten.authors.describe import read_description
from garten.authors.llm import LlmAuthor
from garten.authors.settings import AuthorSettings
from garten.authors.wording import performance_words
from garten.domain import Draft, Performance, Refusal, Request
from garten.errors import LevelError, ModelError
from garten.levels.find import PREFIX, source_of
from garten.llm.tape import spent

CODE = source_of(f"{PREFIX}gathering")
DESCRIPTION = "<reasoning>It mines.</reasoning>\n<description>\nObjective: {}\n</description>"


def is_description(asked: Asked) -> bool:
    return "You do not write code now" in asked.text


def told_by(asked: Asked) -> str:
    """The number that a request carries from its parent through the description into the code."""
    return re.findall(r"Level number (\d+)", asked.text)[-1]


def well(asked: Asked) -> str:
    """Answers as it should."""
    number = told_by(asked)
    if is_description(asked):
        return DESCRIPTION.format(f"Level number {number}.")
    return f"Here it is.\n```python\n# Level number {number}\n{CODE}```\n"


def requests(domain, count: int) -> list[Request]:
    level = known(domain.read(CODE), 0.6)
    parents = [replace(level, name=f"{n:064x}", objective=f"Level number {n}.") for n in range(count)]
    return [Request(parent, {"COLLECT_WOOD": 0.4, "EAT_COW": 0.0}, (), n) for n, parent in enumerate(parents)]


@pytest.fixture
def author(domain, tmp_path) -> Callable[..., LlmAuthor]:
    def make(url: str, **settings: object) -> LlmAuthor:
        given = {"base_url": url, "model": "scripted", "timeout": 20.0, **settings}
        return LlmAuthor(domain, AuthorSettings.of(given), tmp_path / "author")

    return make


def numbers(answers) -> list[str]:
    """Which request each draft was written for, by its code and by its description."""
    found = []
    for answer in answers:
        assert isinstance(answer, Draft)
        (by_code,) = re.findall(r"# Level number (\d+)", answer.source)
        (by_text,) = re.findall(r"Level number (\d+)", answer.description)
        assert by_code == by_text
        found.append(by_code)
    return found


def test_twelve_are_written_side_by_side_each_in_its_place(domain, author):
    together = threading.Barrier(12, timeout=15)

    def script(asked):
        if is_description(asked):
            together.wait()  # no answer before all have asked
        return well(asked)

    with serve(script) as server:
        answers = author(server.url).write(requests(domain, 12))
    assert numbers(answers) == [str(number) for number in range(12)]
    assert all(domain.read(answer.source).goal == ("COLLECT_COAL",) for answer in answers)
    assert {answer.reasoning for answer in answers} == {"It mines."}


def test_what_is_asked(domain, author):
    with serve(well) as server:
        author(server.url).write(requests(domain, 1))
        first, second = server.requests
    assert first.body["temperature"] == second.body["temperature"] == 0.6
    assert first.body["top_p"] == 0.95
    assert first.body["max_tokens"] == 32_768
    for told in ("set_player_inventory", "needs_depletion_multiplier", "MAKE_IRON_PICKAXE: after", "zombie"):
        assert told in first.text
    for told in ("Level number 0.", "60% met the goal", "- COLLECT_WOOD: 40%", "place_randomly_near"):
        assert told in first.text
    assert "EAT_COW: 0%" not in first.text
    assert "{%" not in first.text + second.text
    for told in ("def generate_world(builder)", "Objective: Level number 0.", "# Levels that work"):
        assert told in second.text
    assert CODE.strip() in second.text


def test_from_nothing_no_parent_is_told(domain, author):
    reply = f"<description>Level number 0.</description>\n```python\n{CODE}```"
    with serve([reply]) as server:
        (answer,) = author(server.url).write([Request(None, {}, (), 3)])
        assert "There is no level to start from." in server.requests[0].text
        assert "in the whole game" not in server.requests[0].text.split("How to answer")[1]
        assert "# Levels that work" not in server.requests[1].text
    assert isinstance(answer, Draft)


def test_the_nearest_examples_are_shown(domain, author):
    levels = [known(domain.read(source)) for source in domain.seeds.values()]
    (request,) = requests(domain, 1)
    with serve(well) as server:
        author(server.url, examples=2).write([replace(request, examples=tuple(levels))])
        shown = server.requests[1].text.split("# Levels that work")[1]
    assert shown.count("relevant_achievements") == 2


BROKEN = {
    "no description": ("I would rather not.", "holds no description"),
    "empty": ("<description> </description>", "holds no description"),
    "too long": (f"<description>{'coal ' * 4000}</description>", "more than 8000 characters"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_answer_without_a_description_is_asked_for_again_then_refused(domain, author, name):
    reply, says = BROKEN[name]

    def script(asked):
        return reply if told_by(asked) == "1" else well(asked)

    with serve(script) as server:
        answers = author(server.url, parallel=1).write(requests(domain, 3))
        again = [asked for asked in server.requests if "That cannot be used" in asked.text]
    assert numbers([answers[0], answers[2]]) == ["0", "2"]
    assert isinstance(answers[1], Refusal)
    assert says in answers[1].reason
    assert len(again) == 1
    assert says in again[0].text


def test_code_that_cannot_be_read_is_put_right(domain, author):
    def script(asked):
        if is_description(asked) or "That cannot be used" in asked.text:
            return well(asked)
        return "```python\nrelevant_achievements = ['FLY']\n```"

    with serve(script) as server:
        answers = author(server.url).write(requests(domain, 1))
        assert "does not define" in server.requests[2].text
    assert numbers(answers) == ["0"]


def test_code_that_stays_wrong_is_left_to_the_gate(domain, author):
    wrong = "relevant_achievements = ['FLY']\n"
    with serve(lambda asked: well(asked) if is_description(asked) else f"```python\n{wrong}```") as server:
        (answer,) = author(server.url).write(requests(domain, 1))
    assert isinstance(answer, Draft)
    assert answer.source == wrong
    assert not domain.check(answer.source).passed


FAILURES = {
    "refused": (error(401, "bad key"), "answers 401"),
    "garbage": ({"hello": 1}, "not a chat completion"),
    "cut off": (completion("<description>", finish="length"), "cut off"),
    "no code": ("<description>Level number 0.</description>", "no block of Python"),
    "two levels": (
        f"<description>Level number 0.</description>\n```python\n{CODE}```\n```python\n{CODE}```",
        "holds 2 levels",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_what_cannot_be_used_is_a_refusal_with_its_reason(domain, author, name):
    reply, says = FAILURES[name]
    with serve([reply]) as server:
        answers = author(server.url).write(requests(domain, 2))
    assert all(isinstance(answer, Refusal) for answer in answers)
    assert all(says in answer.reason for answer in answers)


def test_who_waits_is_told_of_each_answer(domain, tmp_path):
    told = []
    with serve(well) as server:
        settings = AuthorSettings.of({"base_url": server.url, "model": "scripted"})
        author = LlmAuthor(domain, settings, tmp_path, answered=lambda *pair: told.append(pair))
        answers = author.write(requests(domain, 3))
    assert sorted(told, key=lambda pair: pair[0]) == list(enumerate(answers))


def test_a_dead_endpoint_is_a_refusal(domain, author):
    with serve(well) as server:
        url = server.url
    answers = author(url, timeout=0.1).write(requests(domain, 3))
    assert [type(answer) for answer in answers] == [Refusal] * 3
    assert all("cannot be reached" in answer.reason for answer in answers)


def test_tapes_give_the_same_drafts_without_an_endpoint(domain, author):
    with serve(well) as server:
        url = server.url
        first = author(url).write(requests(domain, 4))
        asked = len(server.requests)
        assert author(url).write(requests(domain, 4)) == first
        assert len(server.requests) == asked
    assert author(url, playback=True).write(requests(domain, 4)) == first
    (missing,) = author(url, playback=True).write(requests(domain, 5)[4:])
    assert "ends before call 1" in missing.reason


def test_equal_requests_of_one_call_do_not_share_a_tape(domain, author, tmp_path):
    with serve(well) as server:
        answers = author(server.url).write(requests(domain, 1) * 3)
        assert len(server.requests) == 6
    assert numbers(answers) == ["0"] * 3
    assert len(list((tmp_path / "author").glob("*.tape.jsonl"))) == 3


def test_no_call_is_made_past_the_budget(domain, author, tmp_path):
    used = {"prompt_tokens": 5000, "completion_tokens": 0, "total_tokens": 5000}
    with serve(lambda asked: completion(well(asked), usage=used)) as server:
        made = author(server.url, tokens=14_000, reply_tokens=100, parallel=1)
        answers = made.write(requests(domain, 3))
        assert len(server.requests) == 2
    assert [type(answer) for answer in answers] == [Draft, Refusal, Refusal]
    assert all("token budget is used up" in answer.reason for answer in answers[1:])
    assert spent(tmp_path / "author").tokens == 10_000


def test_settings_that_cannot_be_are_refused(domain, tmp_path):
    with pytest.raises(ModelError, match="The llm author has no setting 'temprature'"):
        AuthorSettings.of({"temprature": 1.0})
    with pytest.raises(ModelError, match="'asks' is 0"):
        AuthorSettings.of({"asks": 0})
    with pytest.raises(ModelError, match="No model endpoint is set"):
        LlmAuthor(domain, AuthorSettings(), tmp_path)


def test_another_domain_is_described_by_its_own_words(tmp_path):
    domain = ToyDomain()
    code = domain.code(("hop",))
    reply = f"<description>Hop.</description>\n```python\n{code}```"
    with serve([reply]) as server:
        settings = AuthorSettings.of({"base_url": server.url, "model": "scripted"})
        (answer,) = LlmAuthor(domain, settings, tmp_path).write(
            [Request(known(domain.read(domain.seeds["first"])), {}, (), 0)]
        )
        assert "Walk, hop, fly." in server.requests[0].text
        assert "- hop: after walk" in server.requests[0].text
        assert "Craftax" not in server.requests[0].text + server.requests[1].text
    assert answer == Draft(code, "Hop.", "")


def test_performance_in_words():
    assert performance_words(None) == "It was never trained."
    assert "No episode was finished" in performance_words(Performance(None, {}, 0, None, None))
    told = performance_words(Performance(0.25, {"EAT_COW": 0.5, "WAKE_UP": 0.0}, 8, 100.0, 1.0))
    assert told.splitlines() == [
        "Of 8 episodes 25% met the goal. They took 100 steps on average. "
        "Share of episodes that got each achievement:",
        "- EAT_COW: 50%",
    ]


def test_thoughts_are_no_part_of_an_answer():
    answer = "<think>```python\nrelevant_achievements = []\n```</think>```py\nrelevant_achievements = 1\n```"
    assert read_code(answer) == "relevant_achievements = 1\n"
    described = read_description("<think><description>A</description></think><description>B</description>")
    assert (described.text, described.reasoning) == ("B", "")
    with pytest.raises(LevelError, match="no block of Python"):
        read_code("<think>```python\nrelevant_achievements = []\n```</think> none")
