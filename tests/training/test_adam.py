"""Adam by rows beside PyTorch's."""

import torch

from garten.training.adam import Adam


def parameters():
    generator = torch.Generator().manual_seed(0)
    return [
        torch.nn.Parameter(torch.randn(*shape, generator=generator)) for shape in ((2000, 16), (16, 5), (5,))
    ]


def give_gradients(parts, step):
    """Some rows of the table get one, more of them with each step."""
    generator = torch.Generator().manual_seed(step)
    for part in parts:
        part.grad = torch.randn(part.shape, generator=generator)
    met = torch.randint(0, 100 + 200 * step, (300,), generator=generator)
    parts[0].grad[torch.isin(torch.arange(2000), met, invert=True)] = 0.0


def test_it_equals_that_of_pytorch_with_gradients_cut_back_and_when_taken_up_again():
    mine, theirs = parameters(), parameters()
    made = Adam(mine, 1e-2, epsilon=1e-5)
    reference = torch.optim.Adam(theirs, 1e-2, eps=1e-5, fused=True)
    for step in range(8):
        made.zero_grad()
        give_gradients(mine, step)
        give_gradients(theirs, step)
        limit = 1e9 if step % 2 else 3.0
        norm = torch.nn.utils.clip_grad_norm_(theirs, limit)
        torch.testing.assert_close(made.norm(), norm)
        made.step(max_norm=limit)
        reference.step()
        for one, other in zip(mine, theirs, strict=True):
            torch.testing.assert_close(one, other, atol=1e-6, rtol=1e-6)
        if step == 3:
            kept = {name: part.clone() for name, part in made.state().items()}
            made = Adam(mine, 1e-2, epsilon=1e-5)
            made.restore(kept)
    untouched = (made.state()["0.rows"][:, None] == torch.arange(2000)).any(0).logical_not()
    assert 0 < untouched.sum() < 2000
    assert torch.equal(mine[0][untouched], parameters()[0][untouched])
