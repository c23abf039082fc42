"""The twelve dials one by one, with consequences worked out by hand; test_golden.py plays their defaults."""

import numpy as np
import pytest

from garten.craftax.full.tables import FLOORS, SIZE, Achievement, Action, Block, Item, Thing

MIDDLE = SIZE // 2
UP = (MIDDLE - 1, MIDDLE)
SAPLING = np.arange(67) == Achievement.PLACE_PLANT


def chances(*, passive=0.0, melee=0.0, ranged=0.0, night=0.0):
    return np.array([(passive, melee, ranged, night)] * FLOORS)


@pytest.mark.parametrize(
    ("kind", "chance"),
    [("passive", {"passive": 0.1}), ("melee", {"melee": 0.05, "night": 0.05}), ("ranged", {"ranged": 0.1})],
)
def test_spawning_is_multiplied_night_included(make_hand, kind, chance):
    dial = f"{kind}_spawn_multiplier"
    sure = make_hand(settings={dial: 10.0}, spawn_chances=chances(**chance))
    never = make_hand(settings={dial: 0.0}, spawn_chances=chances(**dict.fromkeys(chance, 1.0)))
    for hand in (sure, never):
        hand.set(light=0.0)
        hand.act(Action.NOOP)
    assert sure.state[f"{kind}_alive"][0].sum() == 1
    assert never.state[f"{kind}_alive"][0].sum() == 0


@pytest.mark.parametrize(("kind", "health"), [("passive", 3.0), ("melee", 5.0), ("ranged", 3.0)])
def test_new_creatures_have_more_health_but_not_those_put_there(make_hand, kind, health):
    hand = make_hand(
        settings={"mob_health_multiplier": 2.5, "mob_despawn_distance": 90},
        spawn_chances=chances(**{kind: 1.0}),
    )
    hand.creature(kind, (5, 5), slot=1, health=4.0)
    hand.act(Action.NOOP)
    assert hand.state[f"{kind}_health"][0, :2].tolist() == [2.5 * health, 4.0]


def test_blows_and_shots_hurt_more(make_hand):
    hand = make_hand(settings={"mob_damage_multiplier": 1.5})
    hand.creature("melee", UP, health=5.0)
    hand.act(Action.NOOP)
    assert hand.state["health"] == 9.0 - 1.5 * 2.0
    hand.set(sleeping=True, energy=3, health=9.0)
    hand.creature("melee", UP, health=5.0, cooldown=0)
    hand.act(Action.NOOP)
    assert hand.state["health"] == 0.0  # 1.5 * 3.5 * 2 are more than 9
    hand.set(health=9.0, melee_alive=np.zeros((FLOORS, 3), bool))
    hand.creature("mob_shot", (MIDDLE, MIDDLE - 1), direction=(0, 1), type=0)
    hand.act(Action.NOOP)
    assert hand.state["health"] == 9.0 - 1.5 * 2.0


def test_melee_creatures_chase_from_nearer_than_the_trigger(make_hand):
    def steps(trigger):
        hand = make_hand(settings={"melee_trigger_distance": trigger}, chase_chance=1.0)
        hand.creature("melee", (MIDDLE - 4, MIDDLE), health=5.0)
        taken = set()
        for _ in range(8):
            hand.creature("melee", (MIDDLE - 4, MIDDLE), health=5.0)
            hand.act(Action.NOOP)
            taken.add(tuple(hand.state["melee_position"][0, 0].tolist()))
            hand.set(occupied=np.zeros((FLOORS, SIZE, SIZE), bool))
        return taken

    assert steps(5) == {(MIDDLE - 3, MIDDLE)}
    assert len(steps(4)) > 1


def test_the_way_down_opens_by_as_many_kills_as_set_while_the_observation_says_eight(make_hand):
    hand = make_hand(settings={"monsters_killed_to_clear_level": 2})
    hand.put((MIDDLE, MIDDLE), Block.PATH, thing=Thing.LADDER_DOWN)
    hand.set(kills=np.full(FLOORS, 1))
    hand.act(Action.DESCEND)
    assert hand.state["floor"] == 0
    hand.set(kills=np.full(FLOORS, 2))
    hand.env.engine.run("codes")
    assert hand.env.observation.numbers[0, 49] == 0.0
    hand.act(Action.DESCEND)
    assert hand.state["floor"] == 1


def test_monsters_come_three_times_as_often_until_as_many_kills_as_set(make_hand):
    def arrivals(kills_to_clear):
        dial = {"monsters_killed_to_clear_level": kills_to_clear}
        hand = make_hand(settings=dial, spawn_chances=chances(melee=1.0 / 3.0))
        hand.set(kills=np.full(FLOORS, 5))
        counts = []
        for _ in range(10):
            hand.set(melee_alive=np.zeros((FLOORS, 3), bool))
            hand.act(Action.NOOP)
            counts.append(int(hand.state["melee_alive"][0].sum()))
        return counts

    assert arrivals(6) == [1] * 10
    assert 0 < sum(arrivals(5)) < 10


def test_needs_grow_faster_but_sleep_restores_as_before(make_hand):
    hand = make_hand(settings={"needs_depletion_multiplier": 2.0})
    hand.set(dexterity=3)
    hand.act(Action.NOOP)
    state = hand.state
    assert [float(state[need]) for need in ("hunger", "thirst", "fatigue")] == [1.5, 1.5, 1.5]
    hand.set(sleeping=True, energy=3, hunger=0.0, fatigue=0.0)
    hand.act(Action.NOOP)
    assert (float(hand.state["hunger"]), float(hand.state["fatigue"])) == (0.75, -1.0)


@pytest.mark.parametrize(("food", "recover"), [(9, 3.0), (0, -0.5)])
def test_recovery_and_decline_have_a_dial_each(make_hand, food, recover):
    hand = make_hand(settings={"health_recover_multiplier": 3.0, "health_loss_multiplier": 0.5})
    hand.set(food=food)
    hand.act(Action.NOOP)
    assert float(hand.state["recover"]) == recover


@pytest.mark.parametrize(("intelligence", "gathered"), [(1, 1.0), (3, 2.0)])
def test_the_dial_of_mana_is_that_of_what_intelligence_adds(make_hand, intelligence, gathered):
    hand = make_hand(settings={"mana_recover_multiplier": 2.0})
    hand.set(intelligence=intelligence, mana=0)
    hand.act(Action.NOOP)
    assert float(hand.state["recover_mana"]) == gathered


def test_saplings_ripen_at_the_age_set(make_hand):
    hand = make_hand(settings={"growing_plants_age": 3})
    hand.put(UP, Block.GRASS)
    hand.set(inventory=np.arange(len(Item)) == Item.SAPLING, achievements=SAPLING)
    hand.act(Action.PLACE_PLANT, Action.NOOP)
    assert hand.block(UP) == Block.PLANT
    hand.act(Action.NOOP)
    assert hand.block(UP) == Block.RIPE_PLANT
