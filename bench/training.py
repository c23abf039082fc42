"""Speed of training: whole updates of the laptop presets, and where their time goes.

    python bench/training.py [--json]

Everything runs on one thread and is measured in CPU time: new worlds, acting, learning and all between. The
first-layer ratio compares the layer that gathers weight rows with the dense product on the symbolic
observation, forward and gradient, on one minibatch. GTrXL at the paper's shape learns from a sixteenth of the
paper's lanes. Its cache ratio compares rollout steps that keep keys and values with steps that work all of
them out.
"""

import statistics
import time

import torch
from shared.measure import per_cpu_second, report

from garten.craftax.env import make
from garten.policies.encoders.codes import CodeEncoder
from garten.policies.policy import Observation
from garten.policies.shape import shape_of
from garten.training.clock import Clock
from garten.training.config import Config, override, preset
from garten.training.learner import Learner
from garten.training.train import learner_for

UPDATES = 8

PARTS = ("engine", "inference", "learning")


def rates(config: Config, *, updates: int = UPDATES) -> tuple[float, dict[str, float]]:
    """Steps per CPU second, the median over updates, and the share of each part of the time."""
    clock = Clock(time.process_time)
    learner, _ = learner_for(config, clock=clock)
    warm_up(learner)
    clock.seconds.clear()
    spent = []
    for _ in range(updates):
        start = time.process_time()
        learner.update()
        spent.append(time.process_time() - start)
    shares = {f"share_{part}": clock.seconds[part] / sum(spent) for part in PARTS}
    shares["share_other"] = 1.0 - sum(shares.values())
    return config.rollout.lanes * config.rollout.steps / statistics.median(spent), shares


def warm_up(learner: Learner) -> None:
    """Make an update or two: memory is allocated, and not all episodes are in their first steps."""
    for _ in range(2):
        learner.update()


def dense_first_layer_ratio(*, views: int = 4096, width: int = 256) -> float:
    """How many times faster gathering is than the dense product, forward and gradient."""
    env = make("Craftax", num_envs=views, obs="symbolic")
    symbolic = torch.from_numpy(env.reset(seed=0))
    engine = env.engine
    encoder = CodeEncoder(shape_of("Craftax"), width)
    dense = torch.cat([encoder.tiles, encoder.rest]).detach().requires_grad_()
    observation = Observation(
        torch.from_numpy(engine.cells.numpy()),
        torch.from_numpy(engine.numbers.numpy()),
        torch.zeros(views, 0),
    )
    direction = torch.randn(views, width)

    def gathered() -> None:
        encoder.zero_grad()
        encoder(observation).backward(direction)

    def multiplied() -> None:
        dense.grad = None
        (symbolic @ dense).backward(direction)

    return per_cpu_second(gathered, repeats=5) / per_cpu_second(multiplied, repeats=5)


def kv_cache_ratio(*, lanes: int = 64) -> float:
    """How many times faster a step is with keys and values kept than with all of them worked out anew."""
    config = override(preset("paper", "gtrxl"), [f"rollout.lanes={lanes}"])
    learner, playing = learner_for(config)
    policy, seen, begun = learner.policy, playing.observe(), torch.zeros(lanes, dtype=torch.bool)
    memory = policy.initial_memory(lanes)

    def kept() -> None:
        nonlocal memory
        _, memory = policy.step(seen, memory, begun)

    per_step = per_cpu_second(kept, repeats=5)
    settled = policy.settle(memory)
    return per_step / per_cpu_second(lambda: policy.step(seen, settled, begun), repeats=5)


def main() -> None:
    """Measure and print."""
    torch.set_num_threads(1)
    mlp, shares = rates(preset("laptop", "mlp"))
    gru, _ = rates(preset("laptop", "gru"), updates=4)
    small, _ = rates(preset("laptop", "gtrxl"), updates=3)
    large, _ = rates(override(preset("paper", "gtrxl"), ["rollout.lanes=64"]), updates=1)
    metrics = {
        "mlp_steps_per_cpu_s": mlp,
        "gru_steps_per_cpu_s": gru,
        "gtrxl_laptop_steps_per_cpu_s": small,
        "gtrxl_paper_steps_per_cpu_s": large,
        "dense_first_layer_ratio": dense_first_layer_ratio(),
        "kv_cache_ratio": kv_cache_ratio(),
        **shares,
    }
    report("training", metrics)


if __name__ == "__main__":
    main()
