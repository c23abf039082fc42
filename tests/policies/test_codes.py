"""The code encoder beside the dense layer on the symbolic observation, as the engine's kernel writes it."""

import numpy as np
import pytest
import torch

from garten.craftax.env import make
from garten.policies.encoders.codes import CodeEncoder
from garten.policies.policy import Observation
from garten.policies.shape import shape_of

GAMES = ("Craftax", "Craftax-Classic")


def seen(game, *, lanes=16, steps=120):
    """Codes and symbolic observations of random play, on the surface and below."""
    env = make(game, num_envs=lanes, obs="symbolic")
    env.reset(seed=3)
    if game == "Craftax":
        for lane in range(lanes):
            env.set_state(lane, {"floor": lane % 9, "player_position": np.array([4 + lane, 40 - lane])})
    rng = np.random.default_rng(0)
    cells, numbers, symbolic = [], [], []
    for step in range(steps):
        env.step(rng.integers(0, env.num_actions, lanes))
        if step % 20 == 0:
            cells.append(env.engine.cells.numpy().copy())
            numbers.append(env.engine.numbers.numpy().copy())
            symbolic.append(env.observation.copy())
    return Observation(*(torch.from_numpy(np.stack(part)) for part in (cells, numbers)), torch.zeros(0)), (
        torch.from_numpy(np.stack(symbolic))
    )


@pytest.mark.parametrize("game", GAMES)
def test_gathering_equals_the_dense_layer(game):
    torch.manual_seed(0)
    observation, symbolic = seen(game)
    encoder = CodeEncoder(shape_of(game), 32)
    dense = torch.cat([encoder.tiles, encoder.rest]).detach().double().requires_grad_()
    expected = symbolic.double() @ dense
    result = encoder(observation)
    assert result.shape == (*symbolic.shape[:-1], 32)
    torch.testing.assert_close(result.double(), expected, atol=1e-5, rtol=1e-5)

    direction = torch.randn(result.shape)
    (result * direction).sum().backward()
    (expected * direction).sum().backward()
    gradient = torch.cat([encoder.tiles.grad, encoder.rest.grad]).double()
    torch.testing.assert_close(gradient, dense.grad, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(encoder.bias.grad, direction.sum((0, 1)), atol=1e-4, rtol=1e-5)


def test_play_has_met_darkness_things_and_creatures():
    """Else the comparison above would not have tried them."""
    cells = seen("Craftax")[0].cells.numpy()
    assert 0.05 < (cells[..., 0] == 0).mean() < 0.95
    assert (cells[..., 2] > 0).any()
    assert [(cells[..., 3 + kind] > 0).any() for kind in range(3)] == [True] * 3


def test_a_goal_is_part_of_the_observation():
    observation, _ = seen("Craftax-Classic", steps=1)
    encoder = CodeEncoder(shape_of("Craftax-Classic", tell_goal=True), 8)
    goal = torch.zeros(1, 16, 22)
    without = encoder(observation._replace(goal=goal))
    goal[..., 5] = 1
    with_goal = encoder(observation._replace(goal=goal))
    torch.testing.assert_close(with_goal - without, encoder.rest[22 + 5].expand(1, 16, 8))


def test_codes_that_are_not_contiguous_give_the_same():
    observation, _ = seen("Craftax-Classic")
    encoder = CodeEncoder(shape_of("Craftax-Classic"), 8)
    torch.testing.assert_close(
        encoder(Observation(*(part[:, ::2] for part in observation[:2]), observation.goal)),
        encoder(observation)[:, ::2],
        rtol=0,
        atol=0,
    )
