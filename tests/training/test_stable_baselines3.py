"""Somebody else's PPO learns through the Gymnasium face; needs ``pip install stable-baselines3``."""

import importlib.util
import re
from pathlib import Path

import pytest

from support import python

EXAMPLE = Path(__file__).parents[2] / "examples" / "stable_baselines3_ppo.py"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("stable_baselines3") is None, reason="stable-baselines3 is not installed"
    ),
]


def test_the_example_learns():
    code = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    done = python(code, EXAMPLE, "--steps", 60_000)
    assert done.returncode == 0, done.stderr
    steps, last = re.match(r"(\d+) steps; the last 100 episodes returned (-?[\d.]+)\n", done.stdout).groups()
    assert int(steps) >= 60_000
    assert float(last) > 2.0  # uniform actions return 1.5
