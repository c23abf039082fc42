"""Rules of the full game one by one, with numbers worked out by hand."""

import numpy as np
import pytest

from garten.craftax.full.tables import FLOORS, SIZE, Achievement, Action, Block, Thing

MIDDLE = SIZE // 2
UP = (MIDDLE - 1, MIDDLE)  # the tile that a new player faces


def test_the_way_down_opens_by_kills_and_entering_gives_experience(hand):
    hand.set(up_ladder=np.full((FLOORS, 2), 7), kills=np.full(FLOORS, 7))
    hand.put((MIDDLE, MIDDLE), Block.PATH, thing=Thing.LADDER_DOWN)
    hand.act(Action.DESCEND)
    assert hand.state["floor"] == 0
    hand.set(kills=np.full(FLOORS, 8))
    assert hand.act(Action.DESCEND) == 3.0
    state = hand.state
    assert (state["floor"], state["experience"], state["player_position"].tolist()) == (1, 1, [7, 7])
    hand.put((7, 7), Block.PATH, thing=Thing.LADDER_UP)
    assert hand.act(Action.ASCEND) == 0.0
    assert (hand.state["floor"], hand.state["experience"]) == (0, 1)


def test_experience_buys_attributes_up_to_their_limit(hand):
    hand.set(experience=2, strength=4)
    hand.act(Action.LEVEL_UP_STRENGTH, Action.LEVEL_UP_STRENGTH)
    assert (hand.state["strength"], hand.state["experience"]) == (5, 1)


def test_iron_armour_is_made_piece_by_piece(hand):
    hand.give(iron=9, coal=9)
    hand.put((MIDDLE + 1, MIDDLE), Block.TABLE)
    assert hand.act(Action.MAKE_IRON_ARMOUR) == 2.0  # for the iron and coal held
    hand.put((MIDDLE, MIDDLE + 1), Block.FURNACE)
    assert hand.act(Action.MAKE_IRON_ARMOUR) == 3.0
    hand.act(Action.MAKE_IRON_ARMOUR)
    assert hand.state["armour"].tolist() == [1, 1, 0, 0]
    assert (hand.has("iron"), hand.has("coal")) == (3, 3)


@pytest.mark.parametrize(
    ("sword", "strength", "enchantment", "intelligence", "left"),
    [(0, 1, 0, 1, 19.0), (4, 1, 0, 1, 12.0), (4, 5, 0, 1, 4.0), (4, 1, 1, 5, 12.0 - 4.0 * 1.2)],
)
def test_a_blow_grows_with_sword_strength_and_enchantment(
    hand, sword, strength, enchantment, intelligence, left
):
    hand.give(sword=sword)
    hand.set(strength=strength, sword_enchantment=enchantment, intelligence=intelligence)
    hand.creature("melee", UP, health=20.0, type=0, cooldown=9)
    hand.act(Action.DO)
    assert hand.state["melee_health"][0, 0] == pytest.approx(left, abs=1e-5)


def test_armour_keeps_a_share_of_each_kind_of_damage_off(hand):
    hand.creature("melee", UP, health=20.0, type=5)  # a troll: 6 physical, 1 fire, 1 ice
    hand.set(armour=[2, 1, 1, 1], armour_enchantments=[1, 1, 2, 0])
    hand.act(Action.NOOP)
    assert hand.state["health"] == pytest.approx(9.0 - 6 * 0.5 - 1 * 0.6 - 1 * 0.8, abs=1e-5)


def test_a_sleeper_suffers_three_and_a_half_times_as_much(hand):
    hand.creature("melee", UP, health=20.0, type=0)
    hand.set(sleeping=True, energy=3)
    assert hand.act(Action.NOOP) == pytest.approx(1.0 - 0.7)
    assert (hand.state["health"], bool(hand.state["sleeping"])) == (2.0, False)


def test_a_fireball_burns_what_it_meets_and_takes_mana(hand):
    hand.set(spells=[True, False], intelligence=3, mana=5)
    hand.creature("ranged", (MIDDLE - 2, MIDDLE), health=20.0, type=7, cooldown=9)  # weak to nothing but fire
    assert hand.act(Action.CAST_FIREBALL) == 5.0
    hand.act(Action.NOOP, Action.NOOP)
    lost = 20.0 - hand.state["ranged_health"][0].max()
    assert hand.state["mana"] <= 4
    assert lost in (0.0, pytest.approx(3.0 * 2.0, abs=1e-4))
    assert hand.act(Action.CAST_ICEBALL) == 0.0


def test_a_potion_does_what_this_episode_says(hand):
    hand.set(potions=[0, 2, 0, 0, 0, 0], potion_effects=[1, 0, 2, 3, 4, 5], health=1.0, strength=5)
    assert hand.act(Action.DRINK_POTION_GREEN) == pytest.approx(3.0 + 0.8)
    assert hand.act(Action.DRINK_POTION_RED) == 0.0
    assert hand.state["potions"].tolist() == [0, 1, 0, 0, 0, 0]


def test_books_teach_what_is_not_known(hand):
    hand.give(books=2)
    hand.act(Action.READ_BOOK, Action.READ_BOOK)
    assert hand.state["spells"].tolist() == [True, True]
    assert hand.has("books") == 0


def test_enchanting_takes_a_gem_and_mana_at_its_table(hand):
    hand.give(sapphire=1, ruby=0, sword=1)
    hand.set(mana=9)
    hand.put(UP, Block.ICE_TABLE)
    assert hand.act(Action.ENCHANT_SWORD) == 6.0  # 1 of it for the sword held
    assert (hand.state["sword_enchantment"], hand.has("sapphire"), hand.state["mana"]) == (2, 0, 0)


def test_the_first_chest_of_the_dungeon_holds_a_bow(hand):
    hand.set(floor=1, achievements=np.arange(67) == Achievement.ENTER_DUNGEON)
    hand.put(UP, Block.CHEST)
    hand.act(Action.DO)
    assert hand.block(UP) == Block.PATH
    assert hand.has("bow") == 1
    assert hand.state["chest_opened"].tolist() == [False, True, *[False] * 7]


def test_torches_light_the_dark(hand):
    hand.set(light_map=np.zeros((FLOORS, SIZE, SIZE)))
    hand.give(torches=1)
    hand.act(Action.PLACE_TORCH)
    light = hand.state["light_map"][0]
    assert light[UP] == 1.0
    assert light[MIDDLE + 2, MIDDLE] == pytest.approx(0.4)
    assert light[MIDDLE + 4, MIDDLE] == 0.0
    assert (light[:, :10] == 0.0).all()


def test_the_necromancer_falls_at_the_eighth_blow(hand):
    done = np.isin(np.arange(67), [Achievement.ENTER_GRAVEYARD, Achievement.DAMAGE_NECROMANCER])
    hand.set(floor=8, boss_progress=7, boss_timer=1, achievements=done)
    hand.put(UP, Block.NECROMANCER)
    hand.act(Action.DO)
    assert hand.state["boss_progress"] == 7
    step = hand.env.step(np.array([Action.DO]))
    assert step.terminated[0]
    assert step.reward[0] == 8.0


def test_dexterity_slows_needs(hand):
    hand.set(dexterity=5)
    hand.act(Action.NOOP)
    assert hand.state["hunger"] == 0.5


def test_gods_have_everything_and_walk_through_walls(make_hand):
    hand = make_hand(settings={"god_mode": True})
    hand.env.reset(seed=1)
    assert hand.has("diamond") == 99
    hand.put(UP, Block.WALL)
    hand.act(Action.UP, Action.DESCEND)
    assert hand.state["floor"] == 1
    hand.set(health=1.0)
    hand.act(Action.NOOP)
    assert hand.state["health"] == 9.0


def test_play_goes_on_in_bounds_after_the_victory(hand):
    hand.set(floor=8, boss_progress=8, boss_timer=-1)
    hand.give(sword=4)
    hand.put(UP, Block.NECROMANCER)
    for _ in range(20):
        hand.act(Action.DO)
    assert hand.state["boss_progress"] > 8
    assert set(hand.state["melee_type"][8].tolist()) == {0}
    hand.put(UP, Block.PATH)
    hand.creature("melee", UP, health=20.0, type=0, cooldown=99)
    hand.act(Action.DO)
    assert hand.state["melee_health"][8, 0] == 12.0
