"""Orders and what comes of them: each answer stays with the parent that it was written from."""

from garten.curriculum.gate import judge
from garten.curriculum.generation import Generation, Order, generate
from garten.domain import Draft, Known, Refusal
from garten.runs.codec import from_json, to_json

PARENTS = tuple(Known(name, "", "", "", ("EAT_COW",), None) for name in ("a", "b", "c"))
ORDER = Order(3, (*PARENTS, None), {"EAT_COW": 0.5}, (), 7)


class Author:
    """Answers with these."""

    def __init__(self, answers):
        self.answers = answers

    def write(self, requests):
        self.requests = requests
        return self.answers


def refusing(answers):
    """A gate that knows only what was handed in."""
    return judge(answers, Unreadable(), known=())


class Unreadable:
    """A domain whose checks all fail."""

    def check(self, source):
        raise KeyError(source)


def test_each_level_of_an_order_is_asked_for_with_its_own_seed():
    author = Author([Refusal("no")] * 4)
    generate(ORDER, author, refusing)
    assert [request.parent for request in author.requests] == [*PARENTS, None]
    assert len({request.seed for request in author.requests}) == 4
    assert author.requests == ORDER.requests


def test_an_unusable_answer_moves_no_other():
    answers = [Draft("1", "", ""), Refusal("The reply was empty."), Draft("3", "", ""), Draft("4", "", "")]
    made = generate(ORDER, Author(answers), refusing)
    told = [one.draft.source if one.draft else one.reason for one in made.judgements]
    assert told == ["1", "The reply was empty.", "3", "4"]
    assert not any(one.admitted for one in made.judgements)


def test_answers_that_belong_to_nobody_are_not_guessed_at():
    made = generate(ORDER, Author([Draft("1", "", "")]), refusing)
    assert made.judgements == ()
    assert made.problem == "There were 1 answers to 4 requests."


def test_both_survive_a_file():
    made = generate(ORDER, Author([Draft("1", "", "")] * 4), refusing)
    assert from_json(Generation, to_json(made)) == made
    assert from_json(Order, to_json(ORDER)) == ORDER
