"""The legend tells the truth, index by index, and so does the text."""

import numpy as np

from garten.craftax.classic.observe.legend import BODY, codes_legend, symbolic_legend
from garten.craftax.classic.tables import SIZE, SYMBOLIC, VIEW_COLUMNS, VIEW_ROWS, Action, Block, Item

MIDDLE = SIZE // 2


def test_every_block_lights_the_number_that_names_it(make_hand):
    hand = make_hand(obs="symbolic")
    legend = symbolic_legend()
    assert len(legend) == len(set(legend)) == SYMBOLIC
    rng = np.random.default_rng(0)
    hand.set(blocks=rng.integers(0, len(Block), (SIZE, SIZE)))
    hand.env.engine.run("codes", "symbolic")
    lit = {legend[index] for index in np.flatnonzero(hand.env.observation[0] == 1.0)}
    blocks = hand.state["blocks"]
    for down in range(-(VIEW_ROWS // 2), VIEW_ROWS // 2 + 1):
        for right in range(-(VIEW_COLUMNS // 2), VIEW_COLUMNS // 2 + 1):
            block = Block(int(blocks[MIDDLE + down, MIDDLE + right]))
            lit.remove(f"1 if {block.name.lower()} at {down:+d} down, {right:+d} right")
    assert lit == {"1 facing up"}


def test_every_creature_lights_the_number_that_names_it(make_hand):
    hand = make_hand(obs="symbolic")
    legend = symbolic_legend()
    hand.env.engine.run("codes", "symbolic")
    before = hand.env.observation[0].copy()
    for index, kind in enumerate(codes_legend()["creatures"]):
        hand.creature(kind, (MIDDLE - 2, MIDDLE + index))
        hand.env.engine.run("codes", "symbolic")
        changed = np.flatnonzero(hand.env.observation[0] != before)
        assert [legend[index] for index in changed] == [f"1 if {kind} at -2 down, +{index} right"]
        before = hand.env.observation[0].copy()


def test_the_body_s_numbers_are_those_named(make_hand):
    hand = make_hand(obs="symbolic")
    hand.set(inventory=np.arange(12) % 10, health=1, food=2, drink=3, energy=4, sleeping=True, light=0.25)
    hand.set(player_direction=Action.DOWN)
    hand.env.engine.run("codes", "symbolic")
    body = dict(zip(BODY, hand.env.observation[0, -22:].tolist(), strict=True))
    for item in Item:
        counted = body[f"a tenth of the {item.name.lower().replace('_', ' ')} count"]
        assert abs(counted - item % 10 / 10) < 1e-3
    stats = [body[f"a tenth of {name}"] for name in ("health", "food", "drink", "energy")]
    assert np.allclose(stats, [0.1, 0.2, 0.3, 0.4], atol=1e-3)
    assert [body[f"1 facing {way}"] for way in ("left", "right", "up", "down")] == [0, 0, 0, 1]
    assert (body["daylight"], body["1 asleep"]) == (0.25, 1.0)


def test_text_names_what_is_there(hand):
    hand.put((MIDDLE - 1, MIDDLE), Block.TABLE)
    hand.creature("zombie", (MIDDLE, MIDDLE - 4))
    hand.give(wood=3, iron_sword=1)
    hand.set(sleeping=True)
    hand.env.engine.run("codes")
    lines = hand.env.text(0).splitlines()
    assert lines[2].split(", ")[4] == "table"
    assert lines[3].split(", ")[0] == "zombie on grass"
    assert lines[7:10] == [
        "You are in the middle, facing up: table.",
        "Body: health 9, food 9, drink 9, energy 9.",
        "Inventory: 3 wood, 1 iron sword.",
    ]
    assert lines[-1] == "You are asleep."
