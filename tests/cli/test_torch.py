"""Commands that need PyTorch say so where it is missing, and before they load it."""

import logging
import sys

import pytest

from garten.cli._torch import require_torch

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


def test_who_waits_for_torch_is_told(monkeypatch, tmp_path, caplog):
    (tmp_path / "torch.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "torch", None)  # so that what is there now comes back
    monkeypatch.delitem(sys.modules, "torch")
    with caplog.at_level(logging.INFO, "garten"):
        require_torch("Training")
        require_torch("Training")
    assert caplog.messages == ["Loading PyTorch…"]


@pytest.mark.parametrize(
    "words",
    [
        ("play", "craftax", "--agent", "nope"),
        ("report", "nope"),
        ("reshoot", "RUN", "5000"),
        ("train", "craftax", "--name", "nope", "--resume"),
        ("train", "craftax", "--resume", "--steps", "5"),
    ],
    ids=" ".join,
)
def test_what_is_wrong_anyway_is_told_before_torch_is_loaded(cli, trained, monkeypatch, words):
    monkeypatch.setitem(sys.modules, "torch", None)
    ended = cli(*[trained if word == "RUN" else word for word in words])
    assert ended.code in (1, 2)
    assert "PyTorch" not in ended.err
    assert ended.err
