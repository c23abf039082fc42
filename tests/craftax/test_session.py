"""A session goes by its keys alone."""

import numpy as np

from garten.craftax.play import Game
from garten.craftax.session import Session, film
from support import python


def pressed(session: Session, keys: str) -> Session:
    for key in keys:
        session.press(key)
    return session


def dead(session: Session) -> Session:
    session.game._env.set_state(0, {"health": 0.0})
    return pressed(session, "p")


def test_keys_are_actions_and_others_are_nothing():
    session = pressed(Session(Game("Craftax", seed=1)), "wé!A\n d")
    assert session.game.actions == [3, 5, 2]
    assert not session.left


def test_leaving_a_game_asks_first():
    session = pressed(Session(Game("Craftax", seed=1)), "q")
    assert session.asking
    pressed(session, "w")
    assert not session.asking
    assert session.game.actions == []
    pressed(session, "wqq")
    assert session.left
    assert pressed(session, "wwn").game.actions == [3]


def test_after_the_end_there_is_a_new_game_or_leaving():
    session = dead(Session(Game("Craftax", seed=2**32 - 1)))
    pressed(session, "wd ")
    assert session.game.actions == [0]
    pressed(session, "nw")
    assert not session.game.over
    assert (session.game.seed, session.game.actions) == (0, [3])
    assert [(one.seed, one.actions, one.over) for one in session.played] == [
        (2**32 - 1, (0,), True),
        (0, (3,), False),
    ]
    assert pressed(dead(session), "q").left


def test_the_film_shows_every_step_of_every_game():
    session = pressed(Session(Game("Craftax-Classic", seed=4)), "wa p")
    last = session.game.scene(tile=7)
    pictures = list(film(Game("Craftax-Classic", seed=0, tile=7), session.played * 2))
    assert len(pictures) == 10
    assert np.array_equal(pictures[4][: 7 * 7], last)
    assert all(map(np.array_equal, pictures[:5], pictures[5:]))
    assert not np.array_equal(pictures[0], pictures[4])


def test_equal_seeds_and_keys_give_equal_sessions_in_fresh_processes():
    code = """
from garten.craftax.columns import digest
from garten.craftax.play import Game
from garten.craftax.session import Session
session = Session(Game("Craftax", seed=9, god_mode=True))
for key in "wwd  2yu>>fgtRdwbx7zppprpqqw":
    session.press(key)
engine = session.game._env.engine
print(session.played, digest(engine.state.fields, engine.state.row(0)))
"""
    done = [python(code) for _ in range(2)]
    assert done[0].stdout == done[1].stdout != ""
    assert [one.returncode for one in done] == [0, 0]
