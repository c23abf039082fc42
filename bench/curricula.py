"""What levels and curricula cost: lanes with many different levels, the gate, Dreaming in Code as a whole.

    python bench/curricula.py [--json]

`mixed_N_over_1_ratio` compares 1,024 lanes that play N levels with lanes that all play one, the mean of
four, in CPU time; all levels have as many rows, and episodes are as short as in training, so that new worlds
are part of it.
"""

import itertools
import statistics
import time

import numpy as np
import torch
from shared.measure import per_cpu_second, report

from garten.authors.rules import RulesAuthor
from garten.craftax.env import Env, make
from garten.craftax.full.tables import Achievement
from garten.curriculum.gate import judge, yield_of
from garten.curriculum.tryout import agent_trial
from garten.domain import Known, Performance, Reading, Request
from garten.levels.domain import CraftaxDomain
from garten.levels.lanes import assign
from garten.levels.level import LIMITS, Level
from garten.sandbox import Sandbox
from garten.training.agents import agent_of
from garten.training.config import preset
from garten.training.train import learner_for

LANES = 1024
EPISODE_STEPS = 300

GENERATIONS, CANDIDATES = 6, 12
"""Of the rules author's levels."""

LEVEL = """
objective = "Level {number}."
description = "One of many."
relevant_achievements = ["{goal}"]

def get_task_params():
    return TaskParams(melee_spawn_multiplier={share}, needs_depletion_multiplier={share})

def generate_world(builder):
    builder.set_player_inventory({{"{item}": {count}}})
    builder.place_randomly_near(0, "{block}", builder.player_position, 2, {far}, n={count})
    builder.add_mobs_randomly_near(0, "passive", "cow", n=2, min_dist=2, max_dist={far})
    builder.place_block(0, "TABLE", builder.player_position + (2, {count} % 3))
"""


def sources(count: int) -> list[str]:
    """Code of so many different levels, all of equally many rows."""
    choices = itertools.product(
        [each.name for each in Achievement if each > Achievement.PLACE_TORCH],  # beyond random play
        ["wood", "stone", "torches", "sapling"],
        ["COAL", "IRON", "TREE", "WATER"],
    )
    random = np.random.default_rng(0)
    return [
        LEVEL.format(
            number=number,
            goal=goal,
            item=item,
            block=block,
            share=round(random.uniform(0.1, 1.0), 3),
            count=random.integers(1, 9),
            far=8,
        )
        for number, (goal, item, block) in enumerate(itertools.islice(itertools.cycle(choices), count))
    ]


def playing(levels: list[Level]) -> Env:
    """Lanes some steps into their episodes, the levels spread over them."""
    env = make("Craftax", num_envs=LANES, settings={"max_timesteps": EPISODE_STEPS})
    assign(env, levels, np.arange(LANES) % len(levels), bonus=20.0)
    env.reset(seed=0)
    return env


def mixed_ratios(domain: CraftaxDomain) -> dict[str, float]:
    """How many times longer steps take with many levels than with one."""
    actions = itertools.cycle(np.random.default_rng(0).integers(0, 43, (64, LANES)).astype(np.int32))
    levels = [domain.level(source) for source in sources(1000)]

    def rate(some: list[Level]) -> float:
        env = playing(some)
        for _ in range(EPISODE_STEPS):
            env.step(next(actions))
        return per_cpu_second(lambda: env.step(next(actions)), repeats=5, seconds=0.5)

    alone = statistics.mean(rate([level]) for level in levels[:: len(levels) // 4])
    return {f"mixed_{count}_over_1_ratio": alone / rate(levels[:count]) for count in (16, 1000)}


def gate_and_yield(domain: CraftaxDomain) -> dict[str, float]:
    """Milliseconds of CPU time that the gate takes for a level, and how many of the rules author's pass it.

    The levels are of several generations, beginning with the seeds. Nothing is trained: how levels went is
    drawn, and tried by an untrained GRU of the laptop preset.
    """
    config = preset("laptop", "gru")
    learner, _ = learner_for(config)
    agent = agent_of(learner.policy, config, name="bench", steps=0)
    author, random = RulesAuthor(domain), np.random.default_rng(0)
    nodes = [_node(domain.read(source), random) for source in domain.seeds.values()]
    judgements, spent = [], 0.0
    for generation in range(GENERATIONS):
        known = tuple(nodes)
        requests = [
            Request(nodes[random.integers(len(nodes))], {}, known, seed=100 * generation + number)
            for number in range(CANDIDATES)
        ]
        answers = author.write(requests)
        start = time.process_time()
        trial = agent_trial(agent, domain.level, seed=generation)
        judged = judge(answers, domain, known={node.name for node in nodes}, trial=trial)
        spent += time.process_time() - start
        nodes += [_node(one.reading, random) for one in judged if one.admitted and one.reading]
        judgements += judged
    return {
        "gate_ms_per_level": 1000.0 * spent / len(judgements),
        "rules_author_yield": yield_of(judgements).share,
    }


def _node(reading: Reading, random: np.random.Generator) -> Known:
    """A level that went somehow."""
    success = float(random.uniform(0.3, 1.0))
    went = Performance(success, dict.fromkeys(reading.goal, success), 50, 150.0, 3.0)
    return Known(reading.digest, reading.source, reading.objective, reading.description, reading.goal, went)


def main() -> None:
    """Measure and print."""
    torch.set_num_threads(1)
    with Sandbox(LIMITS) as sandbox:
        domain = CraftaxDomain(sandbox)
        metrics = {**mixed_ratios(domain), **gate_and_yield(domain)}
    report("curricula", metrics)


if __name__ == "__main__":
    main()
