"""Every policy: acting step by step and going over the same stretch again say the same; nothing leaks."""

import pytest
import torch

from garten.errors import RunError
from garten.policies.policy import Observation, sample
from garten.policies.settings import CNNSettings, GRUSettings, GTrXLSettings, MLPSettings, build
from garten.policies.shape import Shape, shape_of

SETTINGS = {
    "mlp": MLPSettings(width=16, hidden=(16,)),
    "mlp, nothing shared": MLPSettings(width=16, hidden=(16, 16), shared=False),
    "gru": GRUSettings(width=16, memory=12, hidden=(16,)),
    "gtrxl": GTrXLSettings(width=16, heads=2, span=6, window=5, hidden=(16,)),
    "cnn": CNNSettings(width=16, hidden=()),
}


def made(name):
    torch.manual_seed(1)
    settings = SETTINGS[name]
    shape = shape_of("Craftax-Classic", tile=7 if settings.kind == "cnn" else 0)
    policy = build(settings, shape)
    for parameter in policy.parameters():  # zero biases would hide mistakes
        parameter.data += 0.1 * torch.randn_like(parameter)
    return policy, shape


def observations(shape, *, steps, lanes):
    generator = torch.Generator().manual_seed(2)
    if shape.picture:
        cells = torch.randint(0, 256, (steps, lanes, *shape.picture, 3), generator=generator).byte()
    else:
        cells = torch.randint(0, 16, (steps, lanes, 7, 9, 2), generator=generator).byte()
    return Observation(
        cells, torch.rand(steps, lanes, shape.numbers, generator=generator), torch.zeros(steps, lanes, 0)
    )


def acted(policy, seen, begun):
    memory = policy.initial_memory(begun.shape[1])
    outputs = []
    for step, first in enumerate(begun):
        output, memory = policy.step(Observation(*(part[step] for part in seen)), memory, first)
        outputs.append(output)
    return torch.stack([output.logits for output in outputs]), torch.stack([o.value for o in outputs])


@pytest.mark.parametrize("name", SETTINGS)
def test_unroll_equals_steps_across_episode_ends(name):
    policy, shape = made(name)
    seen = observations(shape, steps=12, lanes=3)
    begun = torch.zeros(12, 3, dtype=torch.bool)
    begun[0, 0] = begun[4, 1] = begun[5, 1] = begun[11, 2] = True
    logits, values = acted(policy, seen, begun)
    output = policy.unroll(seen, policy.initial_memory(3), begun)
    torch.testing.assert_close(output.logits, logits, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(output.value, values, atol=1e-5, rtol=1e-5)
    assert output.logits.shape == (12, 3, shape.actions)


def test_an_episode_forgets_the_one_before():
    policy, shape = made("gru")
    seen = observations(shape, steps=8, lanes=2)
    begun = torch.zeros(8, 2, dtype=torch.bool)
    begun[5] = True
    changed = seen._replace(cells=seen.cells.clone())
    changed.cells[:5, 0] = 1
    outputs = [policy.unroll(part, policy.initial_memory(2), begun).value for part in (seen, changed)]
    torch.testing.assert_close(outputs[0][5:], outputs[1][5:], rtol=0, atol=0)
    torch.testing.assert_close(outputs[0][:, 1], outputs[1][:, 1], rtol=0, atol=0)
    assert (outputs[0][:5, 0] != outputs[1][:5, 0]).all()


def test_no_gradient_flows_over_an_episode_end():
    policy, shape = made("gru")
    seen = observations(shape, steps=6, lanes=1)
    begun = torch.zeros(6, 1, dtype=torch.bool)
    begun[3] = True
    memory = {"hidden": torch.ones(1, 12, requires_grad=True)}
    policy.unroll(seen, memory, begun).value[3:].sum().backward()
    assert memory["hidden"].grad is None or (memory["hidden"].grad == 0).all()
    policy.unroll(seen, memory, begun).value[:3].sum().backward()
    assert (memory["hidden"].grad != 0).any()


def test_the_recurrence_is_that_of_torch():
    policy, shape = made("gru")
    seen = observations(shape, steps=5, lanes=2)
    reference = torch.nn.GRU(16, 12)
    for name, parameter in policy.cell.named_parameters():
        getattr(reference, f"{name}_l0").data.copy_(parameter)
    hiddens, _ = reference(torch.relu(policy.encoder(seen)))
    begun = torch.zeros(5, 2, dtype=torch.bool)
    output = policy.unroll(seen, policy.initial_memory(2), begun)
    torch.testing.assert_close(output.logits, policy.actor(hiddens))


def test_a_policy_begins_near_uniform_and_samples_as_it_says():
    torch.manual_seed(0)
    policy = build(MLPSettings(width=16), Shape(None, 3, 5))
    seen = Observation(torch.zeros(4, 0), torch.rand(4, 3), torch.zeros(4, 0))
    chances = torch.softmax(policy.step(seen, {}, torch.zeros(4, dtype=torch.bool))[0].logits, -1)
    torch.testing.assert_close(chances, torch.full((4, 5), 0.2), atol=0.02, rtol=0)
    logits = torch.log(torch.tensor([0.1, 0.2, 0.7])).expand(20_000, 3)
    drawn = torch.bincount(sample(logits, torch.Generator().manual_seed(0))) / 20_000
    torch.testing.assert_close(drawn, torch.tensor([0.1, 0.2, 0.7]), atol=0.015, rtol=0)


def test_a_network_for_pictures_needs_some():
    with pytest.raises(RunError, match="choose the policy mlp, gru or gtrxl"):
        build(CNNSettings(), shape_of("Craftax"))
