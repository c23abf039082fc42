"""World seeds on lanes, and what edits change of them."""

import numpy as np
import pytest

from garten.craftax.env import make
from garten.craftax.full.tables import SIZE, Block, Thing
from garten.curriculum import edits
from garten.curriculum.worlds import CHANGE, WorldSeed, angles_of, first_floors, new_world, other_noise, put
from garten.runs.codec import from_json, to_json

RANDOM = 0
MIDDLE = (SIZE // 2, SIZE // 2)


def random(seed=RANDOM):
    return np.random.default_rng(seed)


def floors(levels, game="Craftax"):
    return first_floors(game, levels)


def test_a_lane_begins_every_episode_in_the_world_of_its_key():
    levels = [WorldSeed((1, 2)), WorldSeed((3, 4)), WorldSeed((1, 2))]
    env = make("Craftax", num_envs=3)
    put(env, levels)
    seen = []
    for seed in (0, 1):
        env.reset(seed=seed)
        seen.append(env.engine.state.read("blocks")[:, 0].copy())
    assert np.array_equal(*seen)
    assert np.array_equal(seen[0][0], seen[0][2])
    assert not np.array_equal(seen[0][0], seen[0][1])
    plain = make("Craftax", num_envs=1)
    plain.set(pinned=True, pinned_key=np.array([1, 2], np.uint32))
    plain.reset(seed=5)
    assert np.array_equal(plain.engine.state.read("blocks")[0, 0], seen[0][0])


@pytest.mark.parametrize("game", ["Craftax", "Craftax-Classic"])
def test_noise_turns_all_directions_a_little(game):
    level = new_world(random(), noise=True)
    other = other_noise(other_noise(level, random(1)), random(2))
    nodes = sum(make(game).engine.nodes)
    before, after = angles_of(level, nodes), angles_of(other, nodes)
    assert ((after >= 0) & (after <= 1)).all()
    turned = np.abs(after - before)
    assert CHANGE < turned.max() <= 2 * CHANGE + 1e-6
    assert (before == angles_of(from_json(WorldSeed, to_json(level)), nodes)).all()
    plain = WorldSeed(level.key)
    shown = floors([level, other, plain, level], game)
    assert np.array_equal(shown[0], shown[3])
    assert all(not np.array_equal(shown[0], each) for each in shown[1:3])


def test_lanes_with_and_without_changes_stand_side_by_side_and_can_be_put_anew():
    key = (7, 8)
    tiled = WorldSeed(key, tiles=((20, 21, int(Block.DIAMOND)), (22, 23, int(Block.LAVA))))
    plain, changed = floors([WorldSeed(key), tiled])
    where = np.argwhere(plain != changed).tolist()
    assert set(map(tuple, where)) <= {(20, 21), (22, 23)}
    assert (changed[20, 21], changed[22, 23]) == (Block.DIAMOND, Block.LAVA)
    env = make("Craftax", num_envs=1)
    for levels in ([tiled], [new_world(random(), noise=True)], [WorldSeed(key)]):
        put(env, levels)
    env.reset(seed=0)
    assert np.array_equal(env.engine.state.read("blocks")[0, 0], plain)


def test_classic_has_no_changed_tiles():
    with pytest.raises(ValueError, match=r"in Craftax only; .*\.$"):
        put(make("Craftax-Classic"), [WorldSeed((1, 2), tiles=((1, 1, 2),))])


@pytest.mark.parametrize("restricted", [False, True])
def test_swaps_change_few_tiles_and_neither_start_nor_ladder(restricted):
    levels = [new_world(random(seed)) for seed in range(4)]
    swap = edits.Swaps(count=30, restricted=restricted)
    children = swap(levels, random())
    assert children == edits.Swaps(count=30, restricted=restricted)(levels, random())
    grandchildren = swap(children, random(1))
    for level, child, before, after in zip(levels, children, floors(levels), floors(children), strict=True):
        changed = np.argwhere(before != after)
        assert child.key == level.key
        assert 10 < len(changed) <= 60
        assert {(row, column) for row, column, _ in child.tiles} == set(map(tuple, changed.tolist()))
        assert MIDDLE not in set(map(tuple, changed.tolist()))
        if restricted:
            counts = [np.bincount(floor.ravel(), minlength=len(Block)) for floor in (before, after)]
            assert np.array_equal(*counts)
            for row, column in changed:
                assert Block(after[row, column]) in edits.ALIKE[Block(before[row, column])] or (
                    Block(before[row, column]) in edits.ALIKE  # swapped more than once
                )
    assert all(len(old.tiles) < len(new.tiles) for old, new in zip(children, grandchildren, strict=True))
    env = make("Craftax", num_envs=4)
    put(env, levels)
    env.reset(seed=0)
    ladders = env.engine.state.read("things")[:, 0] != Thing.NONE
    for lane, child in enumerate(grandchildren):
        assert not any(ladders[lane, row, column] for row, column, _ in child.tiles)


def test_a_swap_of_any_tiles_brings_a_block_to_the_middle_and_loses_none():
    start = np.full((SIZE, SIZE), Block.GRASS, np.uint8)
    start[0, :9] = edits.ANY
    for seed in range(30):
        blocks = start.copy()
        edits.swap_any(blocks, np.ones_like(blocks, bool), random(seed))
        assert sorted(blocks.ravel()) == sorted(start.ravel())
        changed = np.argwhere(blocks != start)
        assert len(changed) in (0, 2)
        assert all(max(abs(row - 24), abs(column - 24)) <= 8 for row, column in changed[1:])


def test_a_block_that_is_nowhere_is_new():
    blocks = np.full((SIZE, SIZE), Block.PATH, np.uint8)
    edits.swap_any(blocks, np.ones_like(blocks, bool), random())
    assert (blocks != Block.PATH).sum() == 1
    edits.swap_alike(bare := np.full((SIZE, SIZE), Block.PATH, np.uint8), np.ones_like(bare, bool), random())
    assert (bare == Block.PATH).all()
    edits.swap_any(bare, np.zeros_like(bare, bool), random())
    assert (bare == Block.PATH).all()
