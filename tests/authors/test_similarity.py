"""Likeness by words against a hand-made case, by vectors against a server of this machine."""

from dataclasses import replace

import pytest

from authors.learners import known
from authors.toys import ToyDomain
from chat_server import error, serve
from garten.authors.similarity import Embedded, Lexical
from garten.llm.embeddings import Embedder
from garten.llm.endpoint import Endpoint

DOMAIN = ToyDomain()
BLANK = replace(known(DOMAIN.read(DOMAIN.seeds["first"])), goal=())


def level(name, description):
    return replace(BLANK, name=name, objective="", description=description)


LEVELS = [
    level("coal", "coal near the start, a wooden pickaxe"),
    level("iron", "iron near the start, a stone pickaxe"),
    level("cow", "cows near the start"),
    level("night", "zombies in the dark"),
]


def names(levels):
    return [each.name for each in levels]


def test_common_words_count_and_rare_ones_count_more():
    assert names(Lexical().nearest("iron and a stone pickaxe", LEVELS, 4))[:2] == ["iron", "coal"]
    assert names(Lexical().nearest("zombies near the start", LEVELS, 1)) == ["night"]
    assert names(Lexical().nearest("Cows!", LEVELS, 1)) == ["cow"]


def test_of_equally_near_ones_the_first_come_first():
    assert names(Lexical().nearest("nothing of it", LEVELS[:3], 2)) == ["coal", "iron"]
    assert Lexical().nearest("iron", [], 3) == []


def vectors(request):
    assert request.path.endswith("/embeddings")
    ways = ("coal", "iron", "cow", "zombie")
    return {
        "object": "list",
        "model": request.body["model"],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
        "data": [
            {"object": "embedding", "index": index, "embedding": [float(way in text) + 0.01 for way in ways]}
            for index, text in enumerate(request.body["input"])
        ],
    }


def test_vectors_of_an_endpoint_are_asked_for_once_a_level():
    with serve(vectors) as server:
        similarity = Embedded(Embedder(Endpoint(server.url, "small")))
        assert names(similarity.nearest("zombie", LEVELS, 1)) == ["night"]
        assert names(similarity.nearest("cow", LEVELS, 1)) == ["cow"]
        assert [len(request.body["input"]) for request in server.requests] == [5, 1]


@pytest.mark.parametrize("reply", [error(404, "no such model"), {"data": []}, "no vectors"])
def test_without_vectors_words_decide(reply, caplog):
    with serve([reply]) as server:
        similarity = Embedded(Embedder(Endpoint(server.url, "small")))
        assert names(similarity.nearest("iron and a stone pickaxe", LEVELS, 1)) == ["iron"]
    assert "levels are compared by their words" in caplog.text
