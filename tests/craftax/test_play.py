"""A game as a person meets it: what it tells is what the engine does."""

import numpy as np
import pytest

from garten.craftax import make
from garten.craftax.full.tables import Action
from garten.craftax.play import Game, again, frames
from support import python


@pytest.mark.parametrize("name", ["Craftax", "Craftax-Classic"])
def test_a_game_goes_as_the_environment_does(name):
    game, env = Game(name, seed=7, tile=10), make(name, obs="pixels", tile=10, auto_reset=False)
    env.reset(seed=7)
    actions = np.random.default_rng(0).integers(0, game.num_actions, 40).tolist()
    total = 0.0
    for action in actions:
        game.act(action)
        total += float(env.step(np.array([action])).reward[0])
    assert game.actions == actions
    assert game.total == total
    assert np.array_equal(game.picture(), env.observation[0])
    assert np.array_equal(game.observation.cells, env.engine.cells.numpy())
    state = env.state(0)
    assert game.stats["food"] == state["food"]
    assert game.achieved == sorted(set(game.achieved), key=game.achieved.index)
    assert len(game.achieved) == state["achievements"].sum()


def test_equal_seeds_and_actions_give_equal_games_in_fresh_processes():
    code = """
import hashlib, sys
from garten.craftax.play import Game, again, frames
digest = hashlib.sha256()
game = Game("Craftax", seed=11, tile=8)
for picture in frames(game, again([1, 1, 3, 5, 5, 4, 2, 5, 17, 0])):
    digest.update(picture.tobytes())
print(digest.hexdigest(), game.total, game.achieved)
"""
    done = [python(code) for _ in range(2)]
    assert done[0].stdout == done[1].stdout != ""
    assert [one.returncode for one in done] == [0, 0]


def test_the_news_are_what_changed():
    game = Game("Craftax", seed=0)
    assert game.news == []
    game.act(Action.MAKE_STONE_PICKAXE)
    assert game.news == ["cannot make stone pickaxe now: costs 1 wood, 1 stone; beside a table"]
    game.act(Action.LEFT)
    assert game.news == []
    game._env.set_state(0, {"inventory": [5] + [0] * 13})
    game.act(Action.NOOP)
    assert "achieved: collect wood" in game.news
    game.act(Action.PLACE_TABLE)
    assert {"achieved: place table", "-2 wood"} <= set(game.news)
    assert game.achieved[-1] == "place table"
    assert game.held == ["3 wood"]
    game.act(Action.MAKE_WOOD_PICKAXE)
    assert {"achieved: make wood pickaxe", "-1 wood", "+1 pickaxe"} <= set(game.news)
    assert game.held == ["wood pickaxe", "2 wood"]


def test_the_tiles_are_those_of_the_view():
    game = Game("Craftax-Classic", seed=3)
    rows, columns = game.view
    assert [len(row) for row in game.tiles] == [columns] * rows
    game.act(Action.RIGHT)
    assert game.facing == ("right", game.tiles[rows // 2][columns // 2 + 1])
    assert game.scene(tile=8).shape == (rows * 8, columns * 8, 3)
    assert game.picture().shape == ((rows + 2) * 8, columns * 8, 3)
    assert game.place == ""
    assert Game("Craftax", seed=3).place == "floor 0, overworld"


@pytest.mark.parametrize(
    ("name", "state", "ending"),
    [
        ("Craftax", {"health": 0.0}, "You died"),
        ("Craftax-Classic", {"health": 0}, "You died"),
        ("Craftax", {"timestep": 99_999}, "The time is up"),
        ("Craftax", {"floor": 8, "boss_progress": 8}, "You won"),
    ],
)
def test_the_end_is_told_and_final(name, state, ending):
    game = Game(name, seed=1)
    assert game.ending == ""
    game._env.set_state(0, state)
    game.act(Action.NOOP)
    assert (game.over, game.ending) == (True, ending)
    with pytest.raises(RuntimeError, match="begin another"):
        game.act(Action.NOOP)
    game.begin(2)
    assert (game.over, game.ending, game.actions, game.total, game.achieved) == (False, "", [], 0.0, [])


def test_sleepers_are_asleep():
    game = Game("Craftax", seed=1)
    game._env.set_state(0, {"energy": 3})
    game.act(Action.SLEEP)
    assert game.asleep
    game.act(Action.PLACE_TABLE)
    assert game.news == []


def test_anybody_can_act():
    seen = []

    def actor(observation):
        seen.append(observation.cells.copy())
        return int(Action.LEFT) if len(seen) < 4 else None

    game = Game("Craftax", seed=1, tile=8)
    pictures = list(frames(game, actor))
    assert game.actions == [Action.LEFT] * 3
    assert [picture.shape for picture in pictures] == [(13 * 8, 11 * 8, 3)] * 4
    other = Game("Craftax", seed=1, tile=8)
    assert all(map(np.array_equal, frames(other, again(game.actions)), pictures))
    assert np.array_equal(seen[0], Game("Craftax", seed=1).observation.cells)


def test_frames_end_with_the_game():
    game = Game("Craftax", seed=1, tile=8)
    game._env.set_state(0, {"health": 0.0})
    assert len(list(frames(game, again([0] * 5)))) == 2


def test_gods_play_craftax_only():
    assert "diamond sword" in Game("Craftax", seed=1, god_mode=True).held
    with pytest.raises(ValueError, match="god_mode"):
        Game("Craftax-Classic", seed=1, god_mode=True)
    with pytest.raises(ValueError, match="no environment 'chess'"):
        Game("chess", seed=1)
