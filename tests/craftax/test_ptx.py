"""The kernels compile for a GPU (sm_75) on a machine that has none."""

import importlib
import re
from pathlib import Path

import pytest

from garten import craftax, devices
from garten.craftax import streams

SOURCES = Path(craftax.__file__).parent

MODULES = {
    ".".join(("garten.craftax", *path.relative_to(SOURCES).with_suffix("").parts)): kernels
    for path in sorted(SOURCES.rglob("*.py"))
    if (kernels := re.findall(r"^@wp\.kernel.*\ndef (\w+)", path.read_text(), re.MULTILINE))
}
"""Modules with kernels, and the kernels."""


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("module", MODULES)
def test_the_kernels_compile_to_ptx(module: str, tmp_path: Path) -> None:
    wp = devices.init_warp()
    for name in MODULES[module]:
        kernel = getattr(importlib.import_module(module), name)
        if kernel.is_generic:  # it draws, and is compiled for a stream
            streams.compiled_for(kernel, "partitionable")
    [ptx] = wp.compile_aot_module(module, arch=75, use_ptx=True, module_dir=tmp_path)
    code = Path(ptx).read_text()
    assert ".target sm_75" in code
    for name in MODULES[module]:
        assert f".visible .entry {name}_" in code
