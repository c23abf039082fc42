"""Fused kernels against the network's own code: by Triton's interpreter, by its compiler, and on a GPU."""

import json
import os

import pytest
import torch

from garten.renderer.presets import preset
from garten.renderer.serving.calls import Recorded
from garten.renderer.serving.choice import PLAIN, Serving, suited
from garten.renderer.serving.kernels import EAGER
from renderer.serving.compare import differences, streamed
from renderer.small import network
from support import python

TOLERANCE = {"float32": 1e-6, "bfloat16": 2**-5}
"""Of the largest number. Triton's interpreter cuts bfloat16 off where hardware rounds."""

NEEDS_CUDA = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")

INTERPRETED = """
import json, sys, torch
sys.path.insert(0, "tests")
torch.set_num_threads(1)
from garten.renderer.serving.fused import Fused
from renderer.serving.compare import differences
kinds = ("float32", "bfloat16")
print(json.dumps({kind: differences(Fused(), dtype=getattr(torch, kind)) for kind in kinds}))
"""


def test_the_interpreter_agrees_with_the_network():
    """Each operation, and a whole stream beyond its window with what it remembers."""
    pytest.importorskip("triton")
    done = python(INTERPRETED, env=os.environ | {"TRITON_INTERPRET": "1"})
    assert done.returncode == 0, done.stderr
    for kind, found in json.loads(done.stdout).items():
        assert len(found) > 30
        assert max(found.values()) <= TOLERANCE[kind], (kind, found)


@pytest.mark.parametrize("name", ["tiny", "m", "paper"])
def test_the_compiler_makes_code_for_an_h100(name, tmp_path, monkeypatch):
    """Machine code of compute capability 9.0, which needs no GPU to be made."""
    pytest.importorskip("triton")
    from renderer.serving.compiled import machine_code

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    made = machine_code(preset(name).network)
    assert set(made) == {"norm_rows", "gate_rows", "turn_heads"}
    assert all(code.startswith(b"\x7fELF") for code in made.values())


@pytest.mark.gpu
@NEEDS_CUDA
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 2**-6)])
def test_a_gpu_agrees_with_the_network(dtype, tolerance):
    pytest.importorskip("triton")
    from garten.renderer.serving.fused import Fused

    found = differences(Fused(), dtype=dtype, device="cuda")
    assert max(found.values()) <= tolerance, found


@pytest.mark.gpu
@NEEDS_CUDA
@pytest.mark.parametrize("fused", [False, True])
def test_a_gpu_repeats_blocks(fused):
    """Graphs give what the calls gave that they were recorded from."""
    from garten.renderer.serving.cuda import Graphs

    kernels = EAGER
    if fused:
        pytest.importorskip("triton")
        from garten.renderer.serving.fused import Fused

        kernels = Fused()
    graphs, kept = Graphs(), []

    def record(work, inputs):
        kept.append(graphs(work, inputs))
        return kept[-1]

    kind = {"dtype": torch.float32, "device": "cuda", "blocks": 12}
    plain = streamed(Serving(kernels), **kind)
    repeated = streamed(Serving(kernels, Recorded(record)), **kind)
    assert len(kept) == 2
    for name, x in plain.items():
        torch.testing.assert_close(repeated[name], x, rtol=1e-5, atol=1e-5)


@pytest.mark.gpu
@NEEDS_CUDA
def test_what_suits_a_gpu():
    net = network().cuda()
    assert isinstance(suited(net).calls, Recorded)
    assert suited(net) is suited(net) is not suited(network().cuda())
    assert suited(network()) is PLAIN
