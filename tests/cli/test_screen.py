"""The screen fits its terminal and shows what a player needs."""

import pytest

from cli.terminals import plain
from garten.cli._screen import Word, draw, wrapped
from garten.craftax.full.tables import Action
from garten.craftax.keyboard import groups
from garten.craftax.play import Game
from garten.craftax.session import Session

SIZES = [(80, 24), (81, 25), (100, 40), (200, 60)]


def session(name: str = "Craftax", **options: bool) -> Session:
    return Session(Game(name, seed=4_294_967_295, **options))


def text(session: Session, size: tuple[int, int] = (80, 24), *, colours: int = 0) -> list[str]:
    return [plain(line) for line in draw(session, size, colours=colours)]


@pytest.mark.parametrize("name", ["Craftax", "Craftax-Classic"])
@pytest.mark.parametrize("colours", [0, 256, 2**24])
@pytest.mark.parametrize("size", SIZES)
def test_it_fits_with_all_keys(name, colours, size):
    playing = session(name)
    lines = text(playing, size, colours=colours)
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= size[0]
    words = " ".join(" ".join(lines).split())
    for keys in groups(playing.game.num_actions).values():
        for key in keys:
            assert f"{key.key.replace(' ', 'space')} {key.label}" in words
    assert "q leave seed 4294967295" in words
    assert "health 9 food 9 drink 9 energy 9" in words
    assert f"achieved 0 of {playing.game.num_achievements}" in words


def test_larger_terminals_have_larger_tiles():
    playing = session()
    widths = []
    for size in SIZES:
        lines = text(playing, size, colours=256)
        widths.append(lines[0].index("move") - 1)
    assert widths == [44, 44, 44, 132]


def test_small_terminals_are_told_the_least():
    assert text(session(), (79, 24)) == ["79 x 24 is too small; make this window 80 x 24 or larger."]
    assert text(session("Craftax-Classic"), (80, 19))[0].endswith("make this window 72 x 20 or larger.")
    assert text(session(), (10, 3)) == ["10 x 3 is "]


def test_it_tells_of_what_happens():
    playing = session()
    assert "facing grass" in text(playing)[20]
    playing.press("i")
    assert text(playing)[20].split("  ")[1].startswith("cannot make iron pickaxe now: costs 1 wood")
    playing.press("q")
    assert text(playing)[20].startswith("Leave this game? q again leaves")
    playing.press("w")
    playing.game._env.set_state(0, {"sleeping": True, "energy": 3, "food": 2})
    playing.press("w")
    assert text(playing)[20].startswith("Asleep")
    playing.game._env.set_state(0, {"health": 0.0})
    playing.press("w")
    assert text(playing)[20].startswith("You died. Press n for a new game, q to leave.")


def test_what_the_player_has_and_has_done_is_listed():
    playing = session(god_mode=True)
    playing.game.act(Action.NOOP)
    words = " ".join(text(playing, (80, 60)))
    assert all(f"  {name}" in words for name in playing.game.held)
    assert all(name in words for name in playing.game.achieved)
    assert len(text(playing)) == 24


def test_the_body_alarms_when_it_lacks():
    playing = session()
    assert "\x1b[1;31m" not in "".join(draw(playing, (80, 24), colours=256)[18:])
    playing.game._env.set_state(0, {"food": 3})
    playing.press("p")
    assert "food \x1b[1;31m3" in draw(playing, (80, 24), colours=256)[18]
    assert "food \x1b[1m3" in draw(playing, (80, 24), colours=0)[18]


def test_phrases_stay_together():
    phrases = [[Word("one")], [Word("two", "1"), Word("2")], [Word("three"), Word("3")]]
    assert wrapped([phrases, phrases[:1]], 9) == ["one", "  \x1b[1mtwo\x1b[0m 2", "  three 3", "one"]
    assert wrapped([phrases], 12) == ["one  \x1b[1mtwo\x1b[0m 2", "  three 3"]
    assert wrapped([[[Word("longer than the line")]]], 5) == ["longer than the line"]
