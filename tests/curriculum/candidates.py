"""Levels as authors might hand them in, each labelled by what must become of it: good, broken or hostile.

A broken or hostile one comes with the check that it must fail and with words of the sentence. One would write
a file, whose path stands in for `OUTSIDE`.
"""

OUTSIDE = "{outside}"

HEAD = 'objective = "A test."\ndescription = "A test."\n'
COAL = 'relevant_achievements = ["COLLECT_COAL"]\n'
WORLD = "def generate_world(builder):\n    "


def _level(goal: str, *lines: str, dials: str = "") -> str:
    params = f"def get_task_params():\n    return TaskParams({dials})\n" if dials else ""
    body = WORLD + "\n    ".join(lines) if lines else ""
    return f"{HEAD}relevant_achievements = {goal!r}.split()\n{params}{body}\n"


GOOD = {
    "plain": HEAD + COAL,
    "drawing": _level(
        "COLLECT_IRON",
        "builder.set_player_inventory({'pickaxe': builder.randint(2, 3), 'wood': builder.randint(1, 9)})",
        "if builder.chance(0.5):",
        "    builder.place_randomly_near(0, 'IRON', builder.player_position, 2, 6, n=3)",
    ),
    "random-module": "import random\n"
    + _level(
        "COLLECT_STONE",
        "builder.set_player_inventory({'pickaxe': 1})",
        "for _ in range(random.randint(2, 5)):",
        "    builder.place_randomly_near(0, 'STONE', builder.player_position, 2, 9)",
    ),
    "beside-a-tree": _level(
        "MAKE_WOOD_PICKAXE",
        "tree = builder.find_block(0, 'TREE')",
        "builder.place_randomly_near(0, 'TABLE', tree, 1, 2)",
    ),
    "by-count": _level(
        "COLLECT_COAL",
        "builder.set_player_inventory({'pickaxe': 1})",
        "coal = builder.count_blocks(0, 'COAL', max_dist=10)",
        "builder.place_randomly_near(0, 'COAL', builder.player_position, 3, 9, n=coal + 2)",
    ),
    "walled-garden": _level(
        "EAT_PLANT",
        "start = builder.player_position",
        "builder.fill_area(0, 'STONE', start - 5, start + 5)",
        "builder.fill_area(0, 'GRASS', start - 4, start + 4)",
        "builder.place_block(0, 'RIPE_PLANT', start + (0, 3))",
        dials="melee_spawn_multiplier=0, needs_depletion_multiplier=0.5",
    ),
    "sapling": _level("PLACE_PLANT EAT_PLANT", dials="growing_plants_age=30, melee_spawn_multiplier=0.0"),
    "workshop": _level(
        "MAKE_IRON_PICKAXE",
        "start = builder.player_position",
        "builder.set_player_inventory({'wood': 4, 'stone': 4, 'coal': 2, 'pickaxe': 2})",
        "builder.place_block(0, 'TABLE', start + (1, 1))",
        "builder.place_block(0, 'FURNACE', start + (1, -1))",
        "builder.place_randomly_near(0, 'IRON', start, 2, 6, n=3)",
    ),
    "dungeon": _level(
        "OPEN_CHEST",
        "builder.set_starting_floor(1)",
        "builder.set_player_inventory({'sword': 3, 'torches': 9, 'armour': [1, 1, 1, 1]})",
        "builder.set_player_stats(strength=3)",
        dials="mob_damage_multiplier=0.5",
    ),
    "mines": _level(
        "DEFEAT_GNOME_WARRIOR COLLECT_DIAMOND",
        "builder.set_starting_floor(2)",
        "builder.set_player_inventory({'sword': 4, 'pickaxe': 3, 'torches': 20, 'wood': 5, 'stone': 5})",
        "builder.add_mobs_randomly_near(2, 'melee', 'gnome warrior', n=1, min_dist=3, max_dist=8)",
        "builder.place_randomly_near(2, 'DIAMOND', builder.player_position, 2, 9, n=3)",
        dials="mob_damage_multiplier=0.2",
    ),
    "descent": _level(
        "ENTER_DUNGEON",
        "builder.set_monsters_killed(0, 8)",
        dials="melee_spawn_multiplier=0.5, monsters_killed_to_clear_level=0",
    ),
    "archery": _level(
        "FIRE_BOW DEFEAT_ZOMBIE",
        "builder.set_player_inventory({'bow': 1, 'arrows': 20})",
        "builder.add_mobs_randomly_near(0, 'melee', 'zombie', n=2, min_dist=5, max_dist=9)",
        dials="mob_damage_multiplier=0.2",
    ),
    "spells": _level(
        "CAST_FIREBALL",
        "builder.set_learned_spells(fireball=True).set_player_stats(intelligence=3)",
        dials="mana_recover_multiplier=2.0",
    ),
    "long-shopping-list": _level(
        "COLLECT_WOOD PLACE_TABLE MAKE_WOOD_PICKAXE COLLECT_STONE PLACE_STONE WAKE_UP"
    ),
    "helpers": _level(
        "COLLECT_DRINK",
        "for place in ring(3):",
        "    builder.place_block(0, 'WATER', builder.player_position + place)",
    )
    + "\ndef ring(size):\n"
    + "    return [(row, column) for row in (-size, size) for column in range(-size, size + 1)]\n",
    "dials-beyond": _level("EAT_COW", dials="melee_spawn_multiplier=-3, melee_trigger_distance=0"),
    "published-names": HEAD
    + "relevant_achievements = [Achievement.PLACE_TORCH]\n"
    + WORLD
    + "builder.set_player_inventory({'torches': 1})\n"
    + "    builder.place_block(0, BlockType.CRAFTING_TABLE, builder.player_position + (2, 2))\n",
    "published-form": '''
class Env(BaseTask):
    """Objective: Collect coal."""

    def __init__(self, static_params, params):
        self.relevant_achievements = [Achievement.COLLECT_COAL.value]
        self.completed_achievements = []
        self.label = "coal"

    def get_task_params(self):
        return TaskParams(melee_spawn_multiplier=0.2)

    def generate_world(self, rng):
        rng, key = jax.random.split(rng)
        builder = WorldBuilder(rng, self.static_params, self.params)
        builder.set_player_inventory({"pickaxe": 1})
        builder.place_randomly(key, 0, BlockType.COAL.value, n=5)
        return builder.build(rng)
''',
}

BROKEN = {
    "prose": ("contract", "no Python", "Here is a level in which the agent collects coal:\n\n" + HEAD),
    "fenced": ("contract", "no Python", f"```python\n{HEAD}{COAL}```"),
    "cut-short": ("contract", "no Python", HEAD + COAL + WORLD + "builder.place_block(0, 'STO"),
    "no-objective": ("contract", "does not define objective", 'description = "x"\n' + COAL),
    "unknown-goal": ("contract", "which is no achievement", _level("COLLECT_GOLD")),
    "goal-is-text": ("contract", "make it a list", HEAD + "relevant_achievements = 'COLLECT_COAL'"),
    "no-goal": ("goal", "relevant_achievements is empty", HEAD + "relevant_achievements = []"),
    "goal-done": (
        "goal",
        "in completed_achievements",
        HEAD + COAL + "completed_achievements = ['COLLECT_COAL']",
    ),
    "goal-held": (
        "goal",
        "The goal is met",
        _level("COLLECT_COAL", "builder.set_player_inventory({'coal': 1})"),
    ),
    "goal-entered": ("goal", "The goal is met", _level("ENTER_DUNGEON", "builder.set_starting_floor(1)")),
    "unknown-dial": ("contract", "There is no dial 'gravity'", _level("EAT_COW", dials="gravity=9.8")),
    "nan-dial": ("contract", "finite", _level("EAT_COW", dials="mob_damage_multiplier=float('nan')")),
    "half-dial": ("contract", "whole number", _level("EAT_COW", dials="growing_plants_age=30.5")),
    "unknown-method": (
        "contract",
        "the builder has no method 'place_items'",
        _level("EAT_COW", "builder.place_items()"),
    ),
    "unknown-block": (
        "contract",
        "which is no block",
        _level("EAT_COW", "builder.place_block(0, 'GOLD', (3, 3))"),
    ),
    "unknown-item": (
        "contract",
        "there is no item",
        _level("EAT_COW", "builder.set_player_inventory({'axe': 1})"),
    ),
    "too-few-arguments": (
        "contract",
        "missing 1 required positional argument",
        _level("EAT_COW", "builder.place_block(0, 'TREE')"),
    ),
    "half-a-cow": (
        "contract",
        "whole number",
        _level("EAT_COW", "builder.add_mobs_randomly_near(0, 'passive', 0, n=1.5)"),
    ),
    "off-the-map": (
        "contract",
        "lies off the map",
        _level("EAT_COW", "builder.place_block(0, 'TREE', (48, 3))"),
    ),
    "branching": (
        "contract",
        "known only when a world is made",
        _level("EAT_COW", "if builder.player_position.row > 20:", "    builder.place_randomly(0, 'TREE')"),
    ),
    "numpy": ("contract", "levels have no module 'numpy'", "import numpy as np\n" + HEAD + COAL),
    "crowded": (
        "room",
        "found no room",
        _level("DEFEAT_ZOMBIE", "builder.add_mobs_randomly_near(0, 'melee', 0, n=9)"),
    ),
    "buried": (
        "player",
        "The player starts inside STONE",
        _level("COLLECT_STONE", "builder.place_block(0, 'STONE', builder.player_position)"),
    ),
    "ladder-buried": (
        "ladders",
        "A ladder of floor 1 (dungeon) is built over",
        _level("EAT_COW", "builder.fill_area(1, 'WALL', (0, 0), (47, 47))"),
    ),
    "out-of-reach": (
        "solvable",
        "WAKE_UP, which lacks a body that tires",
        _level("WAKE_UP", dials="needs_depletion_multiplier=0"),
    ),
    "deadly": (
        "idle",
        "dead within 30 steps",
        _level(
            "DEFEAT_FROST_TROLL",
            "for place in ((0, 1), (1, 0)):",
            "    builder.add_mob(0, 'melee', 'frost troll', builder.player_position + place)",
        ),
    ),
}

_DEEP = "x = " + "[" * 5000 + "]" * 5000 + "\n"

HOSTILE = {
    "endless-loop": ("contract", "ran for more than", "while True: pass\n" + HEAD + COAL),
    "endless-world": ("contract", "ran for more than", _level("EAT_COW", "while True: builder.chance(0.5)")),
    "endless-dials": (
        "contract",
        "ran for more than",
        HEAD + COAL + "def get_task_params():\n    while True: pass",
    ),
    "swallowing": (
        "contract",
        "ran for more than",
        HEAD + COAL + "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
    ),
    "memory": ("contract", "needs more than 32 MB", HEAD + COAL + "x = [0] * 10**9"),
    "huge-number": ("contract", "needs more than 32 MB", HEAD + COAL + "x = 10 ** 10 ** 9"),
    "recursion": ("contract", "RecursionError", HEAD + COAL + "def f(): f()\nf()"),
    "deep-source": ("contract", "", _DEEP + HEAD + COAL),
    "huge-source": ("contract", "more than 50000 characters", HEAD + COAL + "x = 1\n" * 20_000),
    "shell": ("contract", "no module 'subprocess'", "import subprocess\n" + HEAD + COAL),
    "system": ("contract", "", f"import os\nos.system('touch {OUTSIDE}')\n" + HEAD + COAL),
    "file": ("contract", "", HEAD + COAL + "open('/etc/passwd').read()"),
    "environment": (
        "contract",
        "",
        "import os\n" + HEAD + COAL + "description = str(dict(os.environ)['PATH'])",
    ),
    "socket": ("contract", "no module 'socket'", "import socket\n" + HEAD + COAL),
    "hidden-import": ("contract", "", HEAD + COAL + "__import__('os').system('true')"),
    "exit": ("contract", "", "import sys\n" + HEAD + COAL + "sys.exit(0)"),
    "raising": ("contract", "KeyboardInterrupt", HEAD + COAL + "raise KeyboardInterrupt"),
    "forged-calls": (
        "contract",
        "bottom_right is 'x'",
        _level("EAT_COW", "_book.calls = [['fill_area', [0, 'TREE', [0, 0], 'x']]]"),
    ),
    "forged-names": (
        "contract",
        "leave names that begin with _ alone",
        _level("EAT_COW", "_book.calls = [['no_method', [0, 10**9]]]"),
    ),
    "forged-registers": (
        "contract",
        "",
        _level("EAT_COW", "_book.write('count_blocks', 0, 'COAL', (0, 0), 1, 10**6)"),
    ),
    "forged-result": ("contract", "", HEAD + COAL + "def _collect(*a): return {'constants': 1}"),
    "many-calls": (
        "contract",
        "",
        _level("EAT_COW", "for _ in range(10**5): builder.place_randomly(0, 'TREE')"),
    ),
    "slow-worlds": (
        "effort",
        "times the map",
        _level("EAT_COW", "for _ in range(200): builder.place_randomly(0, 'TREE', n=0)"),
    ),
    "huge-count": (
        "contract",
        "keep it within",
        _level("EAT_COW", "builder.place_randomly(0, 'TREE', n=10**12)"),
    ),
    "steered-screen": (
        "contract",
        "characters that steer a screen",
        'objective = "A test."\ndescription = "\\x1b[2J"\n' + COAL,
    ),
    "no-text": ("contract", "no Python", HEAD + COAL + "x = '\ud800'"),
    "null-bytes": ("contract", "no Python", HEAD + COAL + "\0"),
    "flood": ("contract", "printed more than", HEAD + COAL + "while True: print('x' * 1000)"),
}
