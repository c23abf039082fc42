"""GTrXL beside a plain reference in loops, and what its memory may and may not do."""

import math

import pytest
import torch
from torch import nn

from garten.policies.gtrxl import GTrXL
from garten.policies.policy import Observation
from garten.policies.series import FOLD
from garten.policies.settings import GTrXLSettings, build
from garten.policies.shape import shape_of

WIDTH, HEADS, SPAN, WINDOW = 12, 3, 7, 5
ACTIONS, NUMBERS = 4, 6


class OfNumbers(nn.Module):
    """An encoder of the numbers alone."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(NUMBERS, WIDTH)

    def forward(self, observation):
        return self.linear(observation.numbers)


def made(*, second_gate="paper", span=SPAN, window=WINDOW, dtype=torch.float32):
    torch.manual_seed(1)
    policy = GTrXL(
        OfNumbers(),
        ACTIONS,
        width=WIDTH,
        layers=2,
        heads=HEADS,
        span=span,
        window=window,
        hidden=(8,),
        gate_bias=2.0,
        second_gate=second_gate,
    )
    scramble(policy)
    return policy.to(dtype)


def scramble(policy, *, by=0.2, seed=3):
    """Change all weights: zero biases would hide mistakes."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in policy.parameters():
        parameter.data += by * torch.randn(parameter.shape, generator=generator)


def played(*, steps, lanes=3, seed=2, ends=0.1, dtype=torch.float32):
    """Observations of a stretch, and where episodes begin."""
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.randn(steps, lanes, NUMBERS, generator=generator).to(dtype)
    begun = torch.rand(steps, lanes, generator=generator) < ends
    return of_numbers(numbers), begun


def of_numbers(numbers):
    return Observation(numbers.new_zeros(*numbers.shape[:-1], 0), numbers, numbers.new_zeros(0))


def acted(policy, seen, begun, memory, *, recompute=False):
    """Outputs step by step, and the memory after; if `recompute`, each step works out all keys and values."""
    logits, values = [], []
    for numbers, first in zip(seen.numbers, begun, strict=True):
        if recompute:
            memory = policy.settle(memory)
        output, memory = policy.step(of_numbers(numbers), memory, first)
        logits.append(output.logits)
        values.append(output.value)
    return torch.stack(logits), torch.stack(values), memory


def assert_same(output, logits, values):
    torch.testing.assert_close(output.logits, logits, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(output.value, values, atol=1e-5, rtol=1e-5)


def reference(policy, numbers, begun):
    """Logits and values of one lane from an empty memory, by the papers' formulas, one query at a time."""

    def gate(part, x, y):
        w_r, w_z, w_h = part.of_y.weight.chunk(3)
        u_r, u_z = part.of_x.weight.chunk(2)
        r = torch.sigmoid(w_r @ y + u_r @ x)
        z = torch.sigmoid(w_z @ y + u_z @ x - part.bias)
        h = torch.tanh(w_h @ y + part.of_reset_x.weight @ (r * x))
        return (1 - z) * x + z * h

    def place(distance):
        angles = [distance / 10_000 ** (2 * i / WIDTH) for i in range(WIDTH // 2)]
        waves = [*map(math.sin, angles), *map(math.cos, angles)]
        return torch.tensor(waves, dtype=numbers.dtype)

    def attend(part, query, keys):
        size = WIDTH // HEADS
        heads = []
        for h in range(HEADS):
            own = slice(h * size, (h + 1) * size)
            q = part.query(query)[own]
            scores = []
            for distance, key in keys:
                content = (q + part.content_bias[h]) @ part.key(key)[own]
                position = (q + part.position_bias[h]) @ part.position(place(distance))[own]
                scores.append((content + position) / math.sqrt(size))
            weights = torch.softmax(torch.stack(scores), 0)
            heads.append(sum(w * part.value(key)[own] for w, (_, key) in zip(weights, keys, strict=True)))
        return part.output(torch.cat(heads))

    past = [[] for _ in policy.layers]
    logits, values = [], []
    for number, first in zip(numbers, begun, strict=True):
        x = policy.encoder.linear(number)
        for layer, inputs in zip(policy.layers, past, strict=True):
            if first:
                inputs.clear()
            inputs.append(x)
            recent = [layer.attention_norm(e) for e in inputs[-policy.span - 1 :]]
            keys = [(len(recent) - 1 - i, e) for i, e in enumerate(recent)]
            stream = gate(layer.attention_gate, x, torch.relu(attend(layer.attention, recent[-1], keys)))
            change = layer.network(stream)
            if layer.second_gate == "paper":
                x = gate(layer.network_gate, stream, torch.relu(change))
            else:
                x = gate(layer.network_gate, change, torch.relu(stream))
        logits.append(policy.actor(x))
        values.append(policy.critic(x)[0])
    return torch.stack(logits), torch.stack(values)


@pytest.mark.parametrize("second_gate", ["paper", "released"])
def test_both_forms_equal_the_reference(second_gate):
    policy = made(second_gate=second_gate, dtype=torch.float64)
    seen, begun = played(steps=24, lanes=2, dtype=torch.float64)
    assert begun.any()
    output = policy.unroll(seen, policy.initial_memory(2), begun)
    logits, values, _ = acted(policy, seen, begun, policy.initial_memory(2))
    for lane in range(2):
        expected, worth = reference(policy, seen.numbers[:, lane], begun[:, lane])
        for found, by in (
            (output.logits, expected),
            (output.value, worth),
            (logits, expected),
            (values, worth),
        ):
            torch.testing.assert_close(found[:, lane], by, atol=1e-6, rtol=1e-6)


def test_the_second_gate_matters():
    seen, begun = played(steps=3)
    values = [
        policy.unroll(seen, policy.initial_memory(3), begun).value
        for policy in (made(second_gate="paper"), made(second_gate="released"))
    ]
    assert (values[0] - values[1]).abs().min() > 1e-4


@pytest.mark.parametrize("first", [None, 0, 1, WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW])
def test_a_stretch_equals_its_steps_wherever_an_episode_begins(first):
    policy = made()
    before, before_begun = played(steps=SPAN + 4, seed=7)
    _, _, memory = acted(policy, before, before_begun, policy.initial_memory(3))
    seen, begun = played(steps=2 * WINDOW + 2, ends=0)
    if first is not None:
        begun[first, 1] = True
    memory = policy.settle(memory)
    logits, values, _ = acted(policy, seen, begun, memory)
    assert_same(policy.unroll(seen, memory, begun), logits, values)


def test_a_stretch_equals_its_steps_with_many_ends_and_a_memory_that_is_not_settled():
    policy = made()
    before, before_begun = played(steps=SPAN + 4, seed=7, ends=0.3)
    _, _, memory = acted(policy, before, before_begun, policy.initial_memory(3))
    seen, begun = played(steps=31, ends=0.3)
    logits, values, _ = acted(policy, seen, begun, memory)
    assert_same(policy.unroll(seen, memory, begun), logits, values)


@pytest.mark.parametrize("span", [3, FOLD - 1, FOLD + 5])
def test_kept_keys_and_values_equal_those_worked_out_anew(span):
    policy = made(span=span)
    seen, begun = played(steps=3 * FOLD + 2, ends=0.05)
    logits, values, memory = acted(policy, seen, begun, policy.initial_memory(3))
    again, worth, recomputed = acted(policy, seen, begun, policy.initial_memory(3), recompute=True)
    torch.testing.assert_close(logits, again, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(values, worth, atol=1e-5, rtol=1e-5)
    for name, part in policy.settle(recomputed).items():
        torch.testing.assert_close(policy.settle(memory)[name], part, atol=1e-5, rtol=1e-5)


def test_after_the_weights_change_a_settled_memory_goes_on_with_the_new_ones():
    policy = made()
    seen, begun = played(steps=SPAN + 4)
    _, _, memory = acted(policy, seen, begun, policy.initial_memory(3))
    scramble(policy, seed=9)
    memory = policy.settle(memory)
    assert set(memory) == {"seen", "inputs0", "inputs1"}
    seen, begun = played(steps=WINDOW + 3, seed=11, ends=0)
    logits, values, _ = acted(policy, seen, begun, memory)
    assert_same(policy.unroll(seen, memory, begun), logits, values)


def test_a_step_leaves_the_memory_it_was_given_as_it_was():
    policy = made()
    memory = policy.initial_memory(3)
    for steps in (1, 1, FOLD + 3):
        copy = {name: part.clone() for name, part in memory.items()}
        seen, begun = played(steps=steps)
        _, _, after = acted(policy, seen, begun, memory)
        assert all(torch.equal(part, copy[name]) for name, part in memory.items())
        memory = after


def test_a_memory_of_chosen_lanes_is_theirs():
    policy = made()
    seen, begun = played(steps=9)
    _, _, memory = acted(policy, seen, begun, policy.initial_memory(3))
    lanes = torch.tensor([2, 0])
    some = {name: part[lanes] for name, part in memory.items()}
    seen, begun = played(steps=4, seed=5)
    logits, _, _ = acted(policy, seen, begun, memory)
    chosen, _, _ = acted(policy, of_numbers(seen.numbers[:, lanes]), begun[:, lanes], some)
    torch.testing.assert_close(chosen, logits[:, lanes])


def test_nothing_is_seen_across_the_beginning_of_an_episode():
    policy = made()
    seen, begun = played(steps=14, ends=0)
    begun[6, 0] = True
    numbers = seen.numbers.clone()
    numbers[:6] += 1
    old = policy.unroll(seen, policy.initial_memory(3), begun).value
    new = policy.unroll(of_numbers(numbers), policy.initial_memory(3), begun).value
    torch.testing.assert_close(new[6:, 0], old[6:, 0], rtol=0, atol=0)
    assert ((new - old)[:, 1].abs() > 1e-6).all()


def test_two_layers_see_twice_the_span_and_no_further():
    policy = made(window=50)
    seen, begun = played(steps=2 * SPAN + 3, lanes=1, ends=0)
    seen.numbers.requires_grad_()
    policy.unroll(seen, policy.initial_memory(1), begun).value[-1].backward()
    felt = seen.numbers.grad.abs().sum((1, 2)) > 0
    assert felt.tolist() == [False] * 2 + [True] * (2 * SPAN + 1)


def test_gradients_stay_in_their_window_but_reach_the_keys_of_the_memory():
    policy = made()
    seen, begun = played(steps=2 * WINDOW, lanes=1, ends=0)
    seen.numbers.requires_grad_()
    output = policy.unroll(seen, policy.initial_memory(1), begun)
    output.value[WINDOW].backward()
    felt = seen.numbers.grad.abs().sum((1, 2)) > 0
    assert felt.tolist() == [False] * WINDOW + [True] + [False] * (WINDOW - 1)

    # The only other keys of the window's first step are those of the memory.
    alone = policy.unroll(of_numbers(seen.numbers[WINDOW:]), policy.initial_memory(1), begun[WINDOW:]).value[
        0
    ]
    of_key = policy.layers[0].attention.key.weight
    assert torch.autograd.grad(alone, of_key)[0].abs().max() < 1e-12
    remembered = policy.unroll(seen, policy.initial_memory(1), begun).value[WINDOW]
    assert torch.autograd.grad(remembered, of_key)[0].abs().max() > 1e-4


def test_gradients_are_those_of_finite_differences():
    policy = made(dtype=torch.float64)
    before, before_begun = played(steps=4, lanes=2, dtype=torch.float64)
    _, _, memory = acted(policy, before, before_begun, policy.initial_memory(2))
    # One window: over more, what is remembered without gradient would count in the differences.
    seen, begun = played(steps=WINDOW, lanes=2, ends=0.2, dtype=torch.float64)
    direction = torch.randn(ACTIONS, dtype=torch.float64, generator=torch.Generator().manual_seed(1))

    def loss():
        output = policy.unroll(seen, policy.settle(memory), begun)
        return (output.logits @ direction).sum() + output.value.square().sum()

    loss().backward()
    for name, parameter in policy.named_parameters():
        index = parameter.numel() // 2
        flat = parameter.data.view(-1)
        around = []
        for change in (1e-6, -2e-6):
            flat[index] += change
            around.append(loss().item())
        flat[index] += 1e-6
        slope = (around[0] - around[1]) / 2e-6
        assert parameter.grad.view(-1)[index].item() == pytest.approx(slope, rel=1e-5, abs=1e-7), name


def test_the_published_shape_has_as_many_weights_as_published():
    policy = build(GTrXLSettings(), shape_of("Craftax"))
    weights = sum(parameter.numel() for parameter in policy.parameters())
    assert 4.85e6 < weights < 4.95e6
