"""Renderers as files to give away."""

import pytest
import torch

from garten.errors import RunError
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import about_renderer, load_renderer, save_renderer
from garten.renderer.training.exported import export_renderer


def test_a_renderer_is_exported_at_half_precision(tmp_path):
    made = build(TINY, seed=0)
    file = save_renderer(
        made, tmp_path / "whole.safetensors", half=False, about={"stage": "causal", "steps": 7}
    )
    out = export_renderer(file, tmp_path / "half.safetensors", steps=2)
    assert out.stat().st_size < 0.6 * file.stat().st_size
    settings, about = about_renderer(out)
    assert settings.endpoints == TINY.endpoints[:2]
    assert about == {"stage": "causal", "steps": 7}
    found = load_renderer(out).state_dict()
    for name, part in made.state_dict().items():
        torch.testing.assert_close(found[name], part, rtol=1e-3, atol=1e-6)
    whole = export_renderer(file, tmp_path / "all.safetensors")
    assert about_renderer(whole)[0] == TINY


def test_what_cannot_be_exported_is_refused(tmp_path):
    file = save_renderer(build(TINY, seed=0), tmp_path / "r.safetensors")
    with pytest.raises(RunError, match=r"denoises in up to 4 steps, not 5; give 1 to 4\.$"):
        export_renderer(file, tmp_path / "out.safetensors", steps=5)
    with pytest.raises(RunError, match=r"would take 0\.\d MB, more than 0\.0; train a smaller preset\.$"):
        export_renderer(file, tmp_path / "out.safetensors", largest=1000)
    with pytest.raises(RunError, match="There is no renderer"):
        export_renderer(tmp_path / "none", tmp_path / "out.safetensors")
    assert not (tmp_path / "out.safetensors").exists()
