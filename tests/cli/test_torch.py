"""Commands that need PyTorch say so where it is missing."""

import sys

import pytest

NEEDING = [
    ("evaluate", "random", "--protocol", "quick"),
    ("play", "craftax", "--agent", "default"),
    ("train", "craftax"),
    ("report", "RUN"),
    ("reshoot", "RUN"),
]


@pytest.mark.parametrize("words", NEEDING, ids=lambda words: words[0])
def test_a_missing_torch_is_one_sentence(cli, trained, monkeypatch, words):
    monkeypatch.setitem(sys.modules, "torch", None)
    ended = cli(*[trained if word == "RUN" else word for word in words])
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("Error: ")
    assert ended.err.endswith(" needs PyTorch; install it with pip install 'garten[learn]'.\n")
