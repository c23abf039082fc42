"""A debug build of the kernels checks every read and write of an array; the rules pass in it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import python

HERE = Path(__file__).parent

PAST_THE_END = """
import warp as wp
from garten import devices
devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

@wp.kernel
def write(values: wp.array(dtype=int), index: int):
    values[index] = 1
"""

LAUNCH = """
import sys
import kernels_for_test as kernels
from garten import devices
wp = devices.init_warp()
wp.launch(kernels.write, dim=1, inputs=[wp.zeros(4, dtype=int, device="cpu"), int(sys.argv[1])], device="cpu")
"""


def test_a_debug_build_catches_a_write_past_the_end(tmp_path: Path) -> None:
    (tmp_path / "kernels_for_test.py").write_text(PAST_THE_END)
    environment = {**os.environ, "GARTEN_KERNELS": "debug"}
    assert python(LAUNCH, 3, env=environment, cwd=tmp_path).returncode == 0
    caught = python(LAUNCH, 4, env=environment, cwd=tmp_path)
    assert caught.returncode != 0
    assert "Assertion failed: 'i >= -arr.shape[0] && i < arr.shape[0]'" in caught.stderr


def test_an_unknown_build_is_one_sentence() -> None:
    code = "from garten import devices; devices.init_warp()"
    done = python(code, env={**os.environ, "GARTEN_KERNELS": "fast"})
    sentence = "There is no build of kernels 'fast'; set GARTEN_KERNELS to release or debug."
    assert done.stderr.splitlines()[-1] == f"garten.errors.RenderError: {sentence}"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("tests", ["test_bounds.py", "test_golden.py", "classic", "full"])
def test_the_suite_passes_in_a_debug_build(tests: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-o", "timeout=3000", str(HERE / tests)],
        env={**os.environ, "GARTEN_KERNELS": "debug"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
