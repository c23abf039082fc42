import pytest

from garten.craftax.tutorial import tutorial
from support import python


@pytest.mark.parametrize(
    ("words", "game"),
    [([], "Craftax"), (["Craftax"], "Craftax"), (["Craftax-Classic"], "Craftax-Classic")],
)
def test_the_tutorial_of_a_game_is_told(cli, words, game):
    ended = cli("craftax", "tutorial", *words)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == tutorial(game) + "\n"


def test_other_games_are_wrong_usage(cli):
    ended = cli("craftax", "tutorial", "chess")
    assert (ended.code, ended.out) == (2, "")
    assert "'craftax-classic'" in ended.err


def test_reading_loads_no_engine():
    done = python("import sys, garten.cli.craftax\nprint(*{'warp', 'gymnasium'} & sys.modules.keys())")
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")
