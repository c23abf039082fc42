"""The work that levels make for each new world, counted by hand."""

import pytest

from garten.craftax.full.tables import SIZE, TILES
from garten.levels.effort import MOST_VISITS, visits

WORK = {
    "builder.place_block(0, 'TREE', (3, 3))": 1,
    "builder.set_player_inventory({'wood': 3, 'stone': 2})": 2,
    "builder.fill_area(0, 'TREE', (3, 3), (4, 7))": 10,
    "builder.fill_area(0, 'TREE', (4, 7), (3, 3))": 10,
    "builder.fill_area(0, 'TREE', builder.player_position - 2, builder.player_position + 2)": 25,
    "builder.fill_area(0, 'TREE', (3, 3), builder.player_position)": TILES,
    "builder.place_randomly(0, 'TREE', n=900)": TILES,
    "builder.place_randomly_near(0, 'TREE', (9, 9), 1, 3, n=4)": 49,
    "builder.place_randomly_near(0, 'TREE', (9, 9), 1, 60)": TILES,
    "builder.place_randomly_near(0, 'TREE', (9, 9), 1, builder.count_blocks(0, 'COAL', max_dist=1))": TILES
    + 9,
    "builder.add_mobs_randomly_near(0, 'passive', 0, max_dist=5)": 121,
    "builder.start_near_ladder(1, max_dist=3)": 49,
    "builder.place_adjacent_to_existing(0, 'COAL', 'TREE')": TILES,
    "builder.place_block(0, 'TREE', builder.find_block(0, 'TREE') + 1)": TILES + 1,
}


@pytest.mark.parametrize("line", WORK)
def test_visits(built, line):
    (rows,) = built(line).variants
    assert visits(rows) == WORK[line]


def test_the_plain_game_is_no_work(read):
    assert visits(read("").variants[0]) == 0
    assert MOST_VISITS > 20 * SIZE * SIZE
