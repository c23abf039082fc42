"""What levels and curricula cost: lanes with many different levels, the gate, Dreaming in Code as a whole.

    python bench/curricula.py [--json]

`mixed_N_over_1_ratio` compares 1,024 lanes that play N levels with lanes that all play one, the mean of
four, in CPU time; all levels have as many rows, and episodes are as short as in training, so that new worlds
are part of it. Figures of Dreaming in Code are of the laptop GRU's runs and of whole cycles, in turn with the
plain game's; its time ratio is by the clock on the wall, for levels are written in a second thread.
"""

import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from shared.measure import per_cpu_second, report

from garten import devices
from garten.authors.rules import RulesAuthor
from garten.craftax.env import Env, make
from garten.craftax.full.tables import Achievement
from garten.curriculum.build import dreaming
from garten.curriculum.gate import judge
from garten.curriculum.tryout import agent_trial
from garten.domain import Author, Draft, Known, Performance, Reading, Refusal, Request
from garten.levels.domain import CraftaxDomain
from garten.levels.lanes import assign
from garten.levels.level import LIMITS, Level
from garten.runs.events import read_events
from garten.runs.resume import begin
from garten.sandbox import Sandbox
from garten.training.agents import agent_of
from garten.training.config import Config, preset
from garten.training.curricula import DiCodeSettings
from garten.training.names import KIND
from garten.training.sources import FreshWorlds, LevelSource
from garten.training.train import asked, learner_for

LANES = 1024
EPISODE_STEPS = 300

GENERATIONS, CANDIDATES = 6, 12
"""Of the rules author's levels."""

PERIODS = 2
"""Times that both runs train from one generation to the next."""

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


def gate_ms(domain: CraftaxDomain) -> float:
    """Milliseconds of CPU time that the gate takes for a level of the rules author's.

    The levels are of several generations, beginning with the seeds. Nothing is trained: how levels went is
    drawn, and they are tried by an untrained GRU of the laptop preset.
    """
    config = preset("laptop", "gru")
    learner, _ = learner_for(config)
    agent = agent_of(learner.policy, config, name="bench", steps=0)
    author, random = RulesAuthor(domain), np.random.default_rng(0)
    nodes = [_node(domain.read(source), random) for source in domain.seeds.values()]
    spent, judged = 0.0, 0
    for generation in range(GENERATIONS):
        requests = [
            Request(nodes[random.integers(len(nodes))], {}, tuple(nodes), seed=100 * generation + number)
            for number in range(CANDIDATES)
        ]
        answers = author.write(requests)
        start = time.process_time()
        trial = agent_trial(agent, domain.level, seed=generation)
        judgements = judge(answers, domain, known={node.name for node in nodes}, trial=trial)
        spent += time.process_time() - start
        judged += len(judgements)
        nodes += [_node(one.reading, random) for one in judgements if one.admitted and one.reading]
    return 1000.0 * spent / judged


def _node(reading: Reading, random: np.random.Generator) -> Known:
    """A level that went somehow."""
    success = float(random.uniform(0.3, 1.0))
    went = Performance(success, dict.fromkeys(reading.goal, success), 50, 150.0, 3.0)
    return Known(reading.digest, reading.source, reading.objective, reading.description, reading.goal, went)


class Side:
    """One training run, of which updates are made in turn with another one's."""

    def __init__(self, config: Config, source: LevelSource[Env]) -> None:
        """Prepare the first update."""
        self._learner, self._lanes = learner_for(config)
        self._source = source

    def updates(self, count: int) -> tuple[float, float]:
        """Make so many updates; seconds by the clock and of CPU time that each took."""
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(count):
            self._update()
        return (time.perf_counter() - wall) / count, (time.process_time() - cpu) / count

    def _update(self) -> None:
        learner = self._learner
        plan = self._source.begin(self._lanes.env, learner.done, policy=learner.policy)
        if plan.reset.any():
            self._lanes.env.reset(seed=learner.done, lanes=plan.reset)
            learner.collector.begin(plan.reset)
        self._source.report(learner.update(learn=plan.learn).report)


class SlowAuthor:
    """The rules author, if it took long."""

    def __init__(self, domain: CraftaxDomain, *, seconds: float) -> None:
        """Wait for so many seconds before each answer."""
        self._author, self._seconds = RulesAuthor(domain), seconds

    def write(self, requests: Sequence[Request]) -> Sequence[Draft | Refusal]:
        """See `Author.write`."""
        time.sleep(self._seconds)
        return self._author.write(requests)


@contextmanager
def dreaming_side(config: Config, author: Author | None = None) -> Iterator[tuple[Side, Path]]:
    """Dreaming in Code, and the folder of its run, which is gone afterwards."""
    with ExitStack() as held:
        place = Path(held.enter_context(tempfile.TemporaryDirectory())) / "run"
        run = held.enter_context(begin(place, asked(config), seeds=[config.seed], kind=KIND))
        source = held.enter_context(closing(dreaming(config, run, author=author)))
        yield Side(config, source), place


def generations(place: Path) -> list[dict[str, Any]]:
    """What a run told of its generations."""
    return [event.data for event in read_events(place) if event.kind == "generation"]


def schedule(config: Config) -> tuple[int, int]:
    """Updates before the first generation is sent for, and from one generation to the next."""
    assert isinstance(config.curriculum, DiCodeSettings)
    return config.curriculum.rollouts, config.curriculum.rollouts * config.curriculum.every


def dicode_over_plain() -> dict[str, float]:
    """How many times longer an update of Dreaming in Code takes than one in the plain game.

    Both train in turn from one generation to the next; what the author and the gate do meanwhile in their
    thread is part of it.
    """
    config = preset("laptop", "gru", curriculum="dicode")
    first, period = schedule(config)
    heard: list[str] = []
    plain = Side(preset("laptop", "gru"), FreshWorlds())
    with dreaming_side(config) as (dream, place):
        plain.updates(1)
        dream.updates(first)
        devices.on_compile(heard.append)
        compiled = set(devices.cache_folder().rglob("*"))
        spent = [(plain.updates(period), dream.updates(period)) for _ in range(PERIODS)]
        heard += [str(path) for path in set(devices.cache_folder().rglob("*")) - compiled]
        dream.updates(1)  # gathers the last generation
        told = generations(place)
    wall, cpu = (
        statistics.median(slow[part] for _, slow in spent)
        / statistics.median(fast[part] for fast, _ in spent)
        for part in range(2)
    )
    return {
        "dicode_over_plain_time_ratio": wall,
        "dicode_over_plain_cpu_ratio": cpu,
        "compiles_after_start": float(len(heard)),
        "rules_author_yield": sum(each["admitted"] for each in told) / sum(each["asked"] for each in told),
    }


def blocked_s(*, seconds: float) -> float:
    """Seconds that training waits for a generation of an author that takes so many more; the mean."""
    config = preset("laptop", "gru", curriculum="dicode")
    first, period = schedule(config)
    with Sandbox(LIMITS) as sandbox:
        author = SlowAuthor(CraftaxDomain(sandbox), seconds=seconds)
        with dreaming_side(config, author) as (dream, place):
            dream.updates(first + period * PERIODS + 1)
            return statistics.mean(each["wall_waited"] for each in generations(place))


def main() -> None:
    """Measure and print."""
    torch.set_num_threads(1)
    with Sandbox(LIMITS) as sandbox:
        domain = CraftaxDomain(sandbox)
        metrics = {**mixed_ratios(domain), "gate_ms_per_level": gate_ms(domain)}
    metrics |= dicode_over_plain()
    report("curricula", metrics | {"blocked_s_with_30s_author": blocked_s(seconds=30.0)})


if __name__ == "__main__":
    main()
