"""The recurrence's gradient, written by hand, against finite differences and PyTorch's own."""

import torch

from garten.policies.recurrence import Recurrence


def given(steps=5, lanes=3, width=4):
    torch.manual_seed(0)
    shapes = {"gates": (steps, lanes, 3 * width), "hidden": (lanes, width), "weight": (3 * width, width)}
    parts = {name: torch.randn(shape, dtype=torch.float64) for name, shape in shapes.items()}
    kept = torch.ones(steps, lanes, 1, dtype=torch.float64)
    kept[2, 0] = kept[0, 1] = kept[4, 2] = 0
    return parts["gates"], kept, parts["hidden"], parts["weight"], torch.randn(3 * width, dtype=torch.float64)


def test_the_gradient_is_that_of_finite_differences():
    inputs = [part.requires_grad_(index != 1) for index, part in enumerate(given())]
    assert torch.autograd.gradcheck(Recurrence.apply, inputs)


def test_it_is_the_gru_of_torch():
    gates, kept, hidden, weight, bias = given()
    kept[...] = 1
    reference = torch.nn.GRU(12, 4, dtype=torch.float64)
    reference.weight_ih_l0.data = torch.eye(12, dtype=torch.float64)
    reference.bias_ih_l0.data.zero_()
    reference.weight_hh_l0.data, reference.bias_hh_l0.data = weight, bias
    torch.testing.assert_close(
        Recurrence.apply(gates, kept, hidden, weight, bias), reference(gates, hidden[None])[0]
    )
