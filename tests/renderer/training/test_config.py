"""Settings of training: presets that can be trained by, published values, what is refused."""

from dataclasses import replace

import pytest

from garten.errors import RunError
from garten.renderer.training.config import STAGES, Source, checked
from garten.renderer.training.presets import PRESETS, preset
from garten.runs.changes import changed
from garten.runs.codec import from_json, to_json

FILE = Source("file", "digest")


def with_sources(config):
    origin = None if config.stage == "ae" else FILE
    return replace(config, origin=origin, teacher=FILE if config.stage == "adversarial" else None)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_trained_by_and_kept(name, stage):
    config = checked(with_sources(preset(name, stage)))
    assert from_json(type(config), to_json(config)) == config


def test_the_published_values():
    """Of the release's recipes: rates, moments, clips of 81 frames, one clip at a time."""
    for stage, accumulate in (("bidirectional", 4), ("causal", 2), ("adversarial", 2)):
        config = preset("paper", stage)
        learning, data = config.learning, config.data
        assert 1 + (config.clip_frames - 1) * config.renderer.codec.step == 81
        assert (data.batch, data.accumulate, data.silent) == (1, accumulate, 0.1)
        assert (learning.epsilon, learning.weight_decay, learning.clip) == (1e-8, 0.0, 1.0)
        assert (learning.warm_up, learning.final, learning.average) == (100, 1.0, 0.0)
    learning = preset("paper", "causal").learning
    assert (learning.rate, learning.betas, learning.learns) == (3e-5, (0.9, 0.99), "adapted")
    config = preset("paper", "adversarial")
    assert (config.learning.rate, config.learning.betas, config.learning.learns) == (2e-6, (0, 0.999), "all")
    distill = config.distill
    assert (distill.fake_rate, distill.judge_rate, distill.fakes, distill.warm_up) == (4e-7, 2e-7, 5, 10)
    assert (distill.guidance, distill.adversarial, distill.gamma) == (6.0, 0.01, 0.075)


@pytest.mark.parametrize(
    ("stage", "change", "said"),
    [
        ("ae", "data.batch=0", "data.batch is 0; give at least 1."),
        ("ae", "learning.average=1.5", "learning.average is 1.5; give 0 to 1."),
        ("ae", "learning.betas=[0.9, 1]", "learning.betas are [0.9, 1.0]; give numbers from 0 to below 1."),
        ("ae", "renderer.block=0", "renderer.block is 0; give at least 1."),
        ("ae", "renderer.network.kv_heads=0", "renderer.network.kv_heads is 0; give at least 1."),
        ("causal", "data.blocks=9", "set data.blocks to 4 or less."),
        ("causal", "renderer.width=100", "choose multiples of 16."),
        (
            "causal",
            'teacher={"file": "a", "sha256": "b"}',
            "Stage causal has no teacher; leave out",
        ),
    ],
)
def test_what_cannot_be_trained_by_is_refused(stage, change, said):
    with pytest.raises(RunError) as caught:
        checked(changed(with_sources(preset("tiny", stage)), [change]))
    assert said in str(caught.value)


def test_there_is_no_other_preset():
    with pytest.raises(RunError, match="There is no renderer 'xxl'; choose one of tiny, xs, s, m, paper"):
        preset("xxl", "ae")
