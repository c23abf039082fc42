"""What the benchmarks share: CPU time of repeated runs, and the one JSON object they print."""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from garten.devices import cores, cuda


def per_cpu_second(work: Callable[[], object], *, repeats: int = 7, seconds: float = 0.4) -> float:
    """How often `work` runs in one second of this process's CPU time: the median over `repeats`.

    It runs a few times before the clock starts, and then as often as fills about `seconds` in each repeat.
    """
    work()
    start = time.process_time()
    for _ in range(5):
        work()
    count = max(1, round(5.0 * seconds / max(time.process_time() - start, 1e-6)))
    rates = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(count):
            work()
        rates.append(count / (time.process_time() - start))
    return statistics.median(rates)


def per_second(work: Callable[[], object], *, count: int) -> float:
    """How often `work` runs in one second by the clock on the wall, from `count` runs."""
    start = time.perf_counter()
    for _ in range(count):
        work()
    return count / (time.perf_counter() - start)


def report(bench: str, metrics: Mapping[str, float]) -> None:
    """Print the results: a line for each metric, or one JSON object with ``--json``."""
    if "--json" not in sys.argv:
        for name, value in metrics.items():
            print(f"{name:34} {value:12.1f}")
        return
    rounded = {name: float(f"{value:.4g}") for name, value in metrics.items()}
    print(json.dumps({"bench": bench, "commit": _commit(), "machine": _machine(), "metrics": rounded}))


def _commit() -> str:
    """The commit of the checkout, "" outside one."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _machine() -> dict[str, object]:
    return {
        "cpu": _cpu(),
        "cores": cores(),
        "cuda": cuda(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _cpu() -> str:
    """The processor's name, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()
