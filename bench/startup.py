"""CPU milliseconds until Garten is there: ``import garten`` and ``garten --help``, each in fresh processes.

    python bench/startup.py [--json]

What Python itself needs to start is part of both figures, and stands beside them.
"""

import os
import statistics
import subprocess
import sys

from shared.measure import report

REPEATS = 15


def cpu_ms(*arguments: str) -> float:
    """CPU time of a fresh Python process with these arguments, in milliseconds: the median over `REPEATS`."""
    times = []
    for _ in range(REPEATS + 1):
        process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        times.append(1e3 * (used.ru_utime + used.ru_stime))
    return statistics.median(times[1:])  # the first process reads the files from the disk


if __name__ == "__main__":
    report(
        "startup",
        {
            "python_cpu_ms": cpu_ms("-c", ""),
            "import_garten_cpu_ms": cpu_ms("-c", "import garten"),
            "help_cpu_ms": cpu_ms("-m", "garten", "--help"),
        },
    )
