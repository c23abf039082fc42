"""Every policy learns with every bonus in the game itself."""

import math

import pytest
import torch

from garten.training import names
from garten.training.config import override, preset
from garten.training.train import learner_for

SMALL = {
    "mlp": ["network.width=8", "network.hidden=[8]"],
    "gru": ["network.width=8", "network.hidden=[8]", "network.memory=8"],
    "gtrxl": ["network.width=8", "network.hidden=[8]", "network.heads=2", "network.span=4"],
    "cnn": ["network.width=8", "network.hidden=[8]", "tile=7"],
}


@pytest.mark.parametrize("bonus", names.BONUSES)
@pytest.mark.parametrize("policy", names.POLICIES)
def test_two_updates_change_all_that_learns(policy, bonus):
    changes = ["game=Craftax-Classic", "rollout.lanes=4", "rollout.steps=6", "ppo.minibatches=2"]
    if bonus != "none":
        changes += ["bonus.width=8", "bonus_learning.epochs=1", "bonus_learning.minibatches=2"]
    learner, _ = learner_for(override(preset("laptop", policy, bonus=bonus), [*SMALL[policy], *changes]))
    parts = [part for part in (learner.policy, learner.bonus) if part is not None]
    before = [value.clone() for part in parts for value in part.parameters() if value.requires_grad]
    for _ in range(2):
        update = learner.update()
        assert all(map(math.isfinite, update.metrics.values()))
    assert ("bonus" in update.metrics) == (bonus != "none")
    after = [value for part in parts for value in part.parameters() if value.requires_grad]
    assert not any(torch.equal(old, new) for old, new in zip(before, after, strict=True))
