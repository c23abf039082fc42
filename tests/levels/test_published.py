"""Levels in the published form become levels of ours."""

import numpy as np
import pytest

from garten.craftax.full.ops import Op, at, blocks_low_high, row
from garten.craftax.full.tables import Achievement, Block, Item
from garten.errors import LevelError
from garten.levels import find
from garten.levels.level import read_level
from garten.levels.params import DEFAULTS
from garten.levels.published import is_published, translate

LEVEL = '''
import jax
import jax.numpy as jnp
from craftax.craftax.constants import Achievement, BlockType
from minicraftax.tasks.base_task import BaseTask
from minicraftax.world_builder import WorldBuilder


class Env(BaseTask):
    """Objective: Mine iron.
    Description: Iron lies to the right.
    """

    def __init__(self, static_params, params):
        super().__init__(static_params, params)
        self.relevant_achievements = [Achievement.COLLECT_IRON]
        self.completed_achievements = [Achievement.MAKE_WOOD_PICKAXE, Achievement.COLLECT_WOOD]
        self.label = "COLLECT_IRON"

    def get_task_params(self) -> "TaskParams":
        return TaskParams(melee_spawn_multiplier=0.5)

    def generate_world(self, rng: jax.Array):
        rng, build_rng, place_rng = jax.random.split(rng, 3)
        keys = jax.random.split(rng, 2)
        wb = WorldBuilder(build_rng, self.static_params, self.params)
        wb.set_player_inventory({"pickaxe": 2})
        start = wb.player_position
        for i in range(2):
            wb.place_randomly_near(
                keys[i], level=0, block_type=BlockType.IRON, target_pos=start, min_dist=2, max_dist=6,
                on_blocks=[BlockType.GRASS],
            )
        wb.place_adjacent_to_existing(
            rng=place_rng, level=0, block_to_place=BlockType.CRAFTING_TABLE, target_block_type=BlockType.TREE,
            on_blocks=[BlockType.GRASS],
        )
        wb.place_block(0, BlockType.COAL, start + jnp.array([0, 2]))
        return wb.build(rng)
'''


def test_a_published_level_does_the_same(sandbox, tmp_path):
    path = tmp_path / "iron.py"
    path.write_text(LEVEL)
    assert find.is_level(str(path))
    level = read_level(find.source_of(str(path)), sandbox)
    assert level.objective == "Mine iron."
    assert "Iron lies to the right." in level.description
    assert level.goal == (Achievement.COLLECT_IRON,)
    assert level.initial == (Achievement.MAKE_WOOD_PICKAXE, Achievement.COLLECT_WOOD)
    assert level.dials == DEFAULTS | {"melee_spawn_multiplier": 0.5}
    grass = blocks_low_high([Block.GRASS])
    here = {"row": at(1), "column": at(2)}
    iron = row(Op.SCATTER_NEAR, floor=0, block=Block.IRON, count=1, **here, least=2, most=6, **grass)
    expected = [
        row(Op.HOLD, slot=Item.PICKAXE, count=2),
        iron,
        iron,
        row(Op.ADJOIN, floor=0, block=Block.TABLE, target=Block.TREE, **grass),
        row(Op.PLACE, floor=0, block=Block.COAL, row=at(1), column=at(2, 2)),
    ]
    assert len(level.variants) == 1
    assert np.array_equal(level.variants[0], expected)


def test_code_that_computes_with_jax_is_refused_in_the_sandbox(sandbox):
    source = LEVEL.replace("for i in range(2)", "for i in range(int(jax.random.uniform(rng) * 3))")
    with pytest.raises(LevelError, match="name 'jax' is not defined"):
        read_level(translate(source), sandbox)


def test_nothing_of_it_runs_here(tmp_path):
    witness = tmp_path / "witness"
    hostile = LEVEL.replace("import jax\n", f"import jax\nopen({str(witness)!r}, 'w')\n", 1)
    translate(hostile)
    assert not witness.exists()


def test_what_is_missing_is_named():
    with pytest.raises(LevelError, match="sets no relevant_achievements"):
        translate(LEVEL.replace("self.relevant_achievements", "self.goal"))
    with pytest.raises(LevelError, match="no class with a method generate_world"):
        translate("x = 1")


def test_levels_of_ours_are_not_taken_for_published_ones():
    assert is_published(LEVEL)
    assert not any(is_published(find.source_of(f"level:{name}")) for name in find.names())
    assert not is_published("class K:")


def test_code_nested_too_deeply_is_refused():
    deep = LEVEL.replace("keys = jax.random.split(rng, 2)", "x = " + "+".join(["1"] * 600))
    assert is_published(deep)
    with pytest.raises(LevelError, match="nested too deeply"):
        translate(deep)
