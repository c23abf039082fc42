"""Exploration bonuses against closed forms and plain loops."""

import pytest
import torch

from garten.policies.bonus import Stretch, Transitions
from garten.policies.bonuses import E3BSettings, ICMSettings, RNDSettings, build_bonus
from garten.policies.policy import Observation
from garten.policies.shape import Shape, shape_of

NUMBERS, ACTIONS, LANES, STEPS = 5, 3, 4, 12
SHAPE = Shape(None, NUMBERS, ACTIONS)
SETTINGS = {
    "rnd": RNDSettings(width=16, outputs=7, critic_width=8),
    "icm": ICMSettings(width=16, features=6),
    "e3b": E3BSettings(width=16, features=6),
}


def made(name, **changes):
    torch.manual_seed(0)
    kind = SETTINGS[name]
    bonus = build_bonus(type(kind)(**{**vars(kind), **changes}), SHAPE, lanes=LANES)
    for parameter in bonus.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    return bonus


def of_numbers(numbers):
    return Observation(numbers.new_zeros(*numbers.shape[:-1], 0), numbers, numbers.new_zeros(0))


def stretch(*, seed=1, ends=0.2, steps=STEPS):
    generator = torch.Generator().manual_seed(seed)
    return Stretch(
        of_numbers(torch.randn(steps + 1, LANES, NUMBERS, generator=generator)),
        torch.randint(0, ACTIONS, (steps, LANES), generator=generator),
        torch.rand(steps + 1, LANES, generator=generator).index_fill(0, torch.tensor(0), 1.0) < ends,
    )


def transitions(played):
    """All of a stretch, in a mixed order."""
    order = torch.randperm(played.ended.numel(), generator=torch.Generator().manual_seed(2))
    numbers = played.observations.numbers
    return Transitions(
        of_numbers(numbers[:-1].flatten(0, 1)[order]),
        played.actions.flatten()[order],
        of_numbers(numbers[1:].flatten(0, 1)[order]),
        played.ended.flatten()[order],
        order,
    )


@pytest.mark.parametrize("name", SETTINGS)
def test_an_episode_s_end_earns_and_teaches_nothing(name):
    bonus, played = made(name), stretch()
    assert played.ended.any()
    reward = bonus.reward(played)
    assert reward.shape == (STEPS, LANES)
    assert not reward.requires_grad
    assert (reward[played.ended] == 0).all()
    assert (reward[~played.ended] > 0).all()

    everything = stretch(ends=1.1)
    if bonus.advantage(everything, bonus.reward(everything)) is not None:
        bonus.value = 0.0  # the critic does learn there, that values go on
    assert bonus.loss(transitions(everything)) == 0


@pytest.mark.parametrize("name", SETTINGS)
def test_bonuses_fit_the_games(name):
    bonus = build_bonus(SETTINGS[name], shape_of("Craftax-Classic"), lanes=2)
    cells = torch.randint(0, 16, (4, 2, 7, 9, 2)).byte()
    seen = Observation(cells, torch.rand(4, 2, 22), torch.zeros(4, 2, 0))
    played = Stretch(seen, torch.zeros(3, 2, dtype=torch.int64), torch.zeros(4, 2, dtype=torch.bool))
    assert torch.isfinite(bonus.reward(played)).all()


def test_e3b_is_the_form_with_the_explicit_inverse():
    bonus = made("e3b", ridge=0.25, scale=2.0).double()
    first, second = stretch(steps=40, seed=3), stretch(steps=40, seed=4)
    matrices = [[torch.zeros(6, 6, dtype=torch.float64)] for _ in range(LANES)]
    for played in (first, second):
        played = played._replace(observations=of_numbers(played.observations.numbers.double()))
        features = bonus.icm.features(played.observations).detach()[1:]
        expected = torch.zeros(40, LANES, dtype=torch.float64)
        for lane, outer in enumerate(matrices):
            for step in range(40):
                if played.ended[step, lane]:
                    outer[:] = [torch.zeros(6, 6, dtype=torch.float64)]
                    continue
                phi = features[step, lane]
                covariance = sum(outer) + 0.25 * torch.eye(6, dtype=torch.float64)
                expected[step, lane] = 2.0 * phi @ torch.linalg.inv(covariance) @ phi
                outer.append(torch.outer(phi, phi))
        torch.testing.assert_close(bonus.reward(played), expected, atol=1e-9, rtol=1e-9)


def test_e3b_pays_less_and_less_for_the_same_place_and_anew_after_an_end():
    """With one direction only, n visits before leave phi.phi / (ridge + n phi.phi)."""
    bonus = made("e3b")
    played = stretch(steps=6)
    played.observations.numbers[:] = 1.0
    played.ended[:] = False
    played.ended[3] = True
    phi = bonus.icm.features(played.observations)[0, 0].detach()
    square = phi @ phi
    visits = [0, 1, 2, None, 0, 1]
    expected = torch.stack([square * 0 if n is None else square / (0.1 + n * square) for n in visits])
    torch.testing.assert_close(bonus.reward(played)[:, 0], expected, atol=1e-5, rtol=1e-4)


def test_e3b_begins_anew_in_lanes_that_were_given_new_worlds():
    played = stretch(ends=0)
    fresh, used = made("e3b"), made("e3b")
    expected = fresh.reward(played)
    used.reward(stretch(ends=0, seed=5))
    played.begun[0, 1] = True
    reward = used.reward(played)
    torch.testing.assert_close(reward[:, 1], expected[:, 1])
    assert (reward[:, 0] < expected[:, 0]).any()


def test_rnd_reward_and_gradient_are_those_of_the_mean_squared_error():
    bonus, played = made("rnd", value=0.0), stretch()
    reached = of_numbers(played.observations.numbers[1:])
    target, predicted = bonus.target(reached), bonus.predictor(reached)
    going_on = ~played.ended
    error = ((predicted - target) ** 2).sum(-1) / 7
    reward = bonus.reward(played)
    torch.testing.assert_close(reward, (error * going_on).detach())

    bonus.advantage(played, reward)
    bonus.loss(transitions(played)).backward()
    # By hand, for the last layer: the mean over transitions of 2 / 7 (g - f) h^T, times the loss's weight.
    hidden = bonus.predictor.layers[:-1](torch.relu(bonus.predictor.encoder(reached)))
    slope = 2 / 7 * (predicted - target)[going_on].T @ hidden[going_on] / going_on.sum()
    torch.testing.assert_close(bonus.predictor.layers[-1].weight.grad, 0.01 * slope, atol=1e-7, rtol=1e-4)
    assert all(parameter.grad is None for parameter in bonus.target.parameters())


def test_rnd_advantages_are_the_sums_of_discounted_errors_over_episode_ends():
    bonus, played = made("rnd", gamma=0.9, gae_lambda=0.7, scale=0.5), stretch()
    reward = bonus.reward(played)
    values = bonus.critic(played.observations).squeeze(-1).detach()
    errors = reward + 0.9 * values[1:] - values[:-1]
    expected = torch.stack(
        [sum((0.9 * 0.7) ** (k - t) * errors[k] for k in range(t, STEPS)) for t in range(STEPS)]
    )
    torch.testing.assert_close(bonus.advantage(played, reward), 0.5 * expected)

    bonus.distillation = 0.0
    loss = bonus.loss(transitions(played))
    torch.testing.assert_close(loss, 0.5 * 0.5 * expected.square().mean())  # targets less values
    loss.backward()
    assert bonus.critic.layers[-1].bias.grad.item() == pytest.approx(-0.5 * expected.mean().item(), rel=1e-4)


def test_icm_learns_which_action_was_taken_and_what_it_does():
    """Actions move a point on a line; the rest of the observation is noise that no action explains."""
    bonus = made("icm")
    generator = torch.Generator().manual_seed(0)

    def moves(n):
        numbers, after = torch.randn(2, n, NUMBERS, generator=generator)
        action = torch.randint(0, ACTIONS, (n,), generator=generator)
        after[:, 0] = numbers[:, 0] + (action - 1.0)
        return Transitions(
            of_numbers(numbers), action, of_numbers(after), torch.zeros(n, dtype=torch.bool), torch.arange(n)
        )

    optimiser = torch.optim.Adam(bonus.parameters(), 3e-3)
    losses = []
    for _ in range(300):
        loss = bonus.loss(moves(128))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    held_out = moves(500)
    pair = torch.cat([bonus.features(held_out.observation), bonus.features(held_out.following)], -1)
    assert (bonus.inverse_model(pair).argmax(-1) == held_out.action).float().mean() > 0.9
    assert losses[-1] < 0.5 * losses[0]


def test_icm_features_learn_nothing_from_the_forward_model():
    bonus, played = made("icm"), stretch()
    for parameter in bonus.inverse_model.parameters():
        parameter.data.zero_()
    bonus.loss(transitions(played)).backward()
    assert all((layer.weight.grad == 0).all() for layer in bonus.features.layers[::2])
    assert all((layer.weight.grad != 0).any() for layer in bonus.forward_model[::2])


def test_a_bonus_goes_on_from_its_saved_state():
    first, played = made("e3b"), stretch(ends=0)
    first.reward(played)
    second = made("e3b")
    second.load_state_dict(first.state_dict())
    torch.testing.assert_close(second.reward(played), first.reward(played), rtol=0, atol=0)
