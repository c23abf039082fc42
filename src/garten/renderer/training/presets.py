"""Settings of training by name and stage.

Sources, as the comments name them: [code] the recipes of the published renderer's release; [paper] its
report; [SGF] the recipe of Self Gradient Forcing, a near relative; [here] found on two cores.
"""

from __future__ import annotations

from dataclasses import replace

from garten.errors import RunError
from garten.renderer.presets import PRESETS as RENDERERS
from garten.renderer.training.config import (
    Config,
    DataSettings,
    DistillSettings,
    LearningSettings,
    Stage,
)

PRESETS = tuple(RENDERERS)
"""The names of presets, those of renderers."""

_AE = Config(
    "ae",
    # A reference and one block: 9 frames, enough for all that the codec remembers. [here]
    data=DataSettings(blocks=1, batch=4),
    learning=LearningSettings(rate=1e-3, average=0.999),  # [here]
    steps=6000,  # [here]
)

_FORCED = LearningSettings(
    rate=1.5e-3,  # 50 times the published rate, for networks that are small and begin at random [here]
    final=0.1,  # [here]; constant as published
    betas=(0.9, 0.99),  # [code]
    average=0.999,  # [here]
)

_BIDIRECTIONAL = Config("bidirectional", data=DataSettings(blocks=2), learning=_FORCED, steps=6000)  # [here]

_CAUSAL = Config("causal", data=DataSettings(blocks=2), learning=_FORCED, steps=6000)  # [here]

_ADVERSARIAL = Config(
    "adversarial",
    data=DataSettings(blocks=3, batch=4),  # [here]
    learning=LearningSettings(
        rate=1e-4,  # 50 times the published rate [here]
        final=1.0,  # [paper]
        warm_up=20,  # [here]; 100 as published
        betas=(0.0, 0.999),  # [code]
        average=0.99,  # [SGF]
    ),
    distill=DistillSettings(
        fake_rate=1e-4,  # [here]
        judge_rate=1e-4,  # [here]
        fakes=2,  # [here]; 5 as published
        guidance=1.0,  # [here]: small captions leave little to guide by; 6 as published
    ),
    steps=600,  # [here]
)

_RESOLVE = Config(
    "resolve",
    data=DataSettings(
        blocks=4, batch=2
    ),  # as far as the blur of frames carried on and on is to be met [here]
    learning=LearningSettings(rate=2e-3, warm_up=20, average=0.98),  # [here]
    steps=400,  # [here]
)

_HERE = {
    "ae": _AE,
    "bidirectional": _BIDIRECTIONAL,
    "causal": _CAUSAL,
    "adversarial": _ADVERSARIAL,
    "resolve": _RESOLVE,
}

_ADAPTING = LearningSettings(
    rate=3e-5,  # [code]
    final=1.0,  # [paper]
    warm_up=100,  # [code]
    betas=(0.9, 0.99),  # [code]
    epsilon=1e-8,  # [code]
    weight_decay=0.0,  # [code]
    clip=1.0,  # [code]
    recompute=True,  # [code]
    learns="adapted",  # [paper]
)

_PAPER = {
    # The published autoencoder comes trained; ours is trained as the small ones are. [here]
    "ae": _AE,
    "bidirectional": Config(
        "bidirectional",
        data=DataSettings(blocks=5, batch=1, accumulate=4),  # 81 frames [code]
        learning=_ADAPTING,
        steps=10_000,  # [code]
    ),
    "causal": Config(
        "causal",
        data=DataSettings(blocks=5, batch=1, accumulate=2),  # [code]
        learning=_ADAPTING,
        steps=10_000,  # [code]
    ),
    "adversarial": Config(
        "adversarial",
        data=DataSettings(blocks=5, batch=1, accumulate=2),  # [code]; runs of 15 s have 15 blocks
        learning=replace(_ADAPTING, rate=2e-6, betas=(0.0, 0.999), learns="all"),  # [code], [paper]
        distill=DistillSettings(
            fake_rate=4e-7,  # [code]
            judge_rate=2e-7,  # [code]
            fakes=5,  # [code]
            warm_up=10,  # [code]
            guidance=6.0,  # [code]
            adversarial=0.01,  # [code]
            gamma=0.075,  # [code]
            heads=32,  # [code]
        ),
        steps=10_000,  # [code]
    ),
    "resolve": _RESOLVE,  # nothing of the kind was published
}


def preset(name: str, stage: Stage) -> Config:
    """The settings of that name for a stage.

    Raises:
        RunError: there are none.
    """
    if name not in PRESETS:
        raise RunError(f"There is no renderer '{name}'; choose one of {', '.join(PRESETS)}.")
    renderer = RENDERERS[name]
    if stage == "resolve":
        carrying = replace(renderer.network, history="reprojected")
        renderer = replace(renderer, network=carrying, resolve=4 if name == "tiny" else 32)  # [here]
    config = replace((_PAPER if name == "paper" else _HERE)[stage], renderer=renderer)
    if name == "tiny":  # for tests
        learning = replace(config.learning, warm_up=5, average=0.9)
        data = replace(config.data, batch=2)
        distill = replace(config.distill, warm_up=1, heads=3)
        config = replace(config, data=data, learning=learning, distill=distill, steps=60, checkpoints=1)
    return config
