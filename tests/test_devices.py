"""Devices: cheap to import, quiet, one kernel cache, cold compiles announced once."""

import os
from pathlib import Path

import pytest

from garten import devices
from support import python

KERNELS = """
import warp as wp
from garten import devices
devices.init_warp()
wp.set_module_options(devices.KERNEL_OPTIONS)

@wp.kernel
def double(values: wp.array(dtype=float)):
    i = wp.tid()
    values[i] = 2.0 * values[i]
"""

USE = """
import logging
logging.basicConfig(level=logging.INFO, format="log: %(message)s", force=True)
import kernels_for_test as kernels
from garten import devices
devices.on_compile(lambda text: print("said:", text))
for _ in range(2):
    devices.load_kernels(kernels.__name__, seconds=3)
wp = devices.init_warp()
values = wp.array([1.0, 2.5], dtype=float, device="cpu")
wp.launch(kernels.double, dim=2, inputs=[values], device="cpu")
print(values.numpy().tolist())
"""


def test_cores_are_those_we_may_use() -> None:
    assert 1 <= devices.cores() <= (os.cpu_count() or 1)


def test_the_cache_folder_is_chosen_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARTEN_CACHE", str(tmp_path / "here"))
    assert devices.cache_folder() == tmp_path / "here"
    monkeypatch.delenv("GARTEN_CACHE")
    assert devices.cache_folder().name == "garten"
    assert not (tmp_path / "here").exists()


READ_ONLY = """
import sys
from pathlib import Path
from garten import devices
from support import read_only
import kernels_for_test
with read_only(Path(sys.argv[1])):
    devices.load_kernels("kernels_for_test", seconds=1)
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_cache_that_cannot_be_written_is_one_sentence(tmp_path: Path, kind: str) -> None:
    (tmp_path / "kernels_for_test.py").write_text(KERNELS)
    cache = tmp_path / "cache"
    if kind == "file":
        cache.write_text("")
    else:
        (cache / "kernels").mkdir(parents=True)
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parent)])
    done = python(READ_ONLY, cache, env={**os.environ, "PYTHONPATH": paths, "GARTEN_CACHE": str(cache)})
    assert done.returncode == 1
    assert f"RenderError: The kernel cache {cache} cannot be written (" in done.stderr.splitlines()[-1]


def test_importing_it_loads_no_warp() -> None:
    code = "import sys, garten.devices, garten.sight; print('warp' in sys.modules, 'numpy' in sys.modules)"
    assert python(code).stdout.split()[0] == "False"


def test_setting_up_warp_says_nothing() -> None:
    done = python("from garten import devices; devices.cuda(); devices.init_warp()")
    assert done.stdout == ""
    assert done.stderr == ""


def test_a_cold_compile_is_announced_once_and_stays_in_the_cache(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "kernels_for_test.py").write_text(KERNELS)
    for name in ("cache", "home", "temporary"):
        (tmp_path / name).mkdir()
    environment = {
        **os.environ,
        "GARTEN_CACHE": str(tmp_path / "cache"),
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "temporary"),
        "PYTHONPATH": str(tmp_path / "code"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    cold = python(USE, env=environment)
    assert cold.stdout.count("said: Compiling kernels") == 1
    assert cold.stderr.count("log: Compiling kernels") == 1
    assert "[2.0, 5.0]" in cold.stdout
    assert any((tmp_path / "cache").rglob("*.o"))
    warm = python(USE, env=environment)
    assert "Compiling" not in warm.stdout + warm.stderr
    assert "[2.0, 5.0]" in warm.stdout
    assert list((tmp_path / "home").rglob("*")) == []
    assert list((tmp_path / "temporary").rglob("*")) == []
