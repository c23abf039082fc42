"""Errors that are raised on purpose."""

import pytest

from garten.errors import RunError, without_traceback


def test_a_script_ends_with_the_sentence_of_its_error():
    with pytest.raises(SystemExit) as stopped, without_traceback():
        raise RunError("There is no run; begin one.")
    assert stopped.value.code == "Error: There is no run; begin one."


def test_other_errors_keep_their_traceback():
    with pytest.raises(KeyError), without_traceback():
        raise KeyError("a fault of ours")
