"""What the published presets cost here at their full size: a few updates of each, in a process of its own.

    python bench/presets.py [--json] [NAME ...]

Names are `preset_policy` or `preset_policy_bonus`, such as `paper_gtrxl` or `paper_mlp_rnd`; by default those
below. Steps per CPU second of one thread are the median over the updates; memory is the most that the process
ever held. All of them take half an hour of CPU time.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time

from shared.measure import report

from garten.training.config import preset
from garten.training.train import learner_for

UPDATES = 3

MEASURED = (
    "paper_mlp",
    "paper_mlp_rnd",
    "paper_mlp_icm",
    "paper_mlp_e3b",
    "paper_gru",
    "paper_cnn",
    "paper_gtrxl",
    "paper-1m_mlp",
    "paper-1m_gru",
    "paper-1m_cnn",
)


def cost(name: str) -> dict[str, float]:
    """Steps per CPU second and the peak of memory in GB of one preset, measured in this process."""
    words = name.split("_")
    config = preset(words[0], words[1], bonus=words[2] if len(words) > 2 else "none")
    learner, _ = learner_for(config)
    spent = []
    for _ in range(UPDATES):
        start = time.process_time()
        learner.update()
        spent.append(time.process_time() - start)
    rate = config.rollout.lanes * config.rollout.steps / statistics.median(spent)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    label = name.replace("-", "_")
    return {f"{label}_steps_per_cpu_s": rate, f"{label}_peak_gb": peak}


def apart(name: str) -> dict[str, float]:
    """The same, measured in a fresh process."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--only", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["--only"]:
        print(json.dumps(cost(sys.argv[2])))
        return
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    metrics: dict[str, float] = {}
    for name in names or MEASURED:
        metrics |= apart(name)
    report("presets", metrics)


if __name__ == "__main__":
    main()
