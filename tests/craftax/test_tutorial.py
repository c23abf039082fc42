"""The tutorial tells all there is, and what it says of mining is what the engine does."""

import numpy as np
import pytest

from garten.craftax import env
from garten.craftax.classic import tables as classic
from garten.craftax.full import tables as full
from garten.craftax.tutorial import GAMES, MINED, tutorial
from garten.craftax.words import plain

TABLES = {"Craftax": full, "Craftax-Classic": classic}


@pytest.mark.parametrize("name", GAMES)
def test_every_action_achievement_and_number_is_told(name):
    text, tables = tutorial(name), TABLES[name]
    for action in tables.Action:
        assert f"* {action.value} {plain(action)}" in text
    for achievement in tables.Achievement:
        assert plain(achievement) in text
    assert "{" not in text
    assert "np." not in text


def test_numbers_are_those_of_the_rules():
    text = tutorial("Craftax")
    assert "* 20 make diamond pickaxe: costs 1 wood, 3 diamond; beside a table\n" in text
    assert "* 22 make iron armour: costs 3 iron, 3 coal; beside a table and a furnace\n" in text
    assert "* 2 gnomish mines: bat (4 health), gnome warrior (7 health, 4/0/0 damage), gnome archer" in text
    assert "* 8: enter fire realm, " in text
    assert "zombie: 5 health, 2 damage, 7 to sleepers" in tutorial("Craftax-Classic")
    with pytest.raises(ValueError, match="choose Craftax or Craftax-Classic"):
        tutorial("Craftax-Modern")


@pytest.mark.parametrize("name", GAMES)
def test_mining_is_as_told(name):
    tables = TABLES[name]
    game = env.make(name, auto_reset=False)
    for block, item, level in MINED:
        if block.name not in tables.Block.__members__:
            continue
        for owned in {level, level - 1} - {-1}:
            game.reset(seed=0)
            state = game.state(0)
            row, column = state["player_position"]
            inventory = np.zeros(len(tables.Item), int)
            if name == "Craftax":
                state["blocks"][0, row - 1, column] = block
                inventory[full.Item.PICKAXE] = owned
            else:
                state["blocks"][row - 1, column] = block
                inventory[classic.Item.WOOD_PICKAXE : classic.Item.WOOD_PICKAXE + owned] = 1
            fields = {"blocks": state["blocks"], "inventory": inventory}
            game.set_state(0, fields | {"player_direction": tables.Action.UP})
            game.step(np.array([tables.Action.DO]))
            assert game.state(0)["inventory"][tables.Item[item.name]] == (owned == level), (block, owned)
