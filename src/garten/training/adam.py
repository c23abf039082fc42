"""Adam that leaves alone what has never had a gradient.

Most weights of the first layer belong to features that a run has not met yet: a kind of block on a tile where
it never lay. Their gradient has been 0 all along, so Adam would not change them; going over them, at every
minibatch, is most of its work. Here such a parameter is gone over by the rows that ever had a gradient. The
equations are those of `torch.optim.Adam`, and so is what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

_TABLE = 1024
"""Parameters of so many rows are gone over by rows; smaller ones as a whole."""


class Adam:
    """Adam (Kingma and Ba, 2015), with betas 0.9 and 0.999.

    For each minibatch: `zero_grad`, the gradients, `norm`, `step`.

    Attributes:
        learning_rate: of the next steps.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], learning_rate: float, *, epsilon: float) -> None:
        """Prepare to change parameters."""
        self.learning_rate = learning_rate
        self._epsilon = epsilon
        self._kept = [_Moments(part) for part in parameters if part.requires_grad]
        self._norm = torch.zeros(())

    def zero_grad(self) -> None:
        """Forget all gradients."""
        for kept in self._kept:
            kept.parameter.grad = None

    def norm(self) -> Tensor:
        """The norm of all gradients as one vector, a scalar."""
        self._norm = torch.stack([kept.take_gradient() for kept in self._kept]).norm()
        return self._norm

    def step(self, *, max_norm: float) -> None:
        """Change the parameters by the gradients that `norm` went over, cut back to `max_norm`."""
        parts = [kept for kept in self._kept if kept.gradient is not None]
        gradients = [kept.gradient for kept in parts if kept.gradient is not None]
        if self._norm > max_norm:
            torch._foreach_mul_(gradients, max_norm / (self._norm + 1e-6))
        values = [kept.values() for kept in parts]
        counts = [kept.steps for kept in parts]
        torch._foreach_add_(counts, 1)
        torch._fused_adam_(
            values,
            gradients,
            [kept.mean for kept in parts],
            [kept.square for kept in parts],
            [],
            counts,
            lr=self.learning_rate,
            beta1=0.9,
            beta2=0.999,
            weight_decay=0.0,
            eps=self._epsilon,
            amsgrad=False,
            maximize=False,
        )
        for kept, changed in zip(parts, values, strict=True):
            kept.write(changed)

    def state(self) -> dict[str, Tensor]:
        """What is kept of each parameter, by its number and name."""
        return {
            f"{number}.{name}": part
            for number, kept in enumerate(self._kept)
            for name, part in kept.state().items()
        }

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on from what `state` returned."""
        for number, kept in enumerate(self._kept):
            kept.restore({name: state[f"{number}.{name}"] for name in kept.state()})


class _Moments:
    """What Adam keeps of one parameter.

    Attributes:
        parameter: to be changed.
        rows: int64 [rows], those that ever had a gradient, in the order in which they did; None for a
            parameter that is gone over as a whole.
        mean: [rows, ...], running mean of the gradient.
        square: [rows, ...], running mean of its square.
        steps: float32 scalar, how often it was changed.
        gradient: [rows, ...], of the minibatch at hand.
    """

    def __init__(self, parameter: nn.Parameter) -> None:
        self.parameter = parameter
        data = parameter.data
        table = data.dim() == 2 and len(data) >= _TABLE
        self.rows = torch.zeros(0, dtype=torch.int64, device=data.device) if table else None
        self._moved = torch.zeros(len(data) if table else 0, dtype=torch.bool, device=data.device)
        self.mean = torch.zeros_like(data[:0] if table else data)
        self.square = torch.zeros_like(self.mean)
        self.steps = torch.zeros((), device=data.device)
        self.gradient: Tensor | None = None

    def take_gradient(self) -> Tensor:
        """Take in the gradient of a minibatch, and return its norm, a scalar."""
        self.gradient = self.parameter.grad
        if self.gradient is None:
            return torch.zeros_like(self.steps)
        norm: Tensor
        if self.rows is None:
            norm = torch.linalg.vector_norm(self.gradient)
            return norm
        norms = torch.linalg.vector_norm(self.gradient, dim=1)
        new = ((norms != 0) & ~self._moved).nonzero().squeeze(1)
        if len(new):
            self._moved[new] = True
            self.rows = torch.cat([self.rows, new])
            more = self.mean.new_zeros(len(new), self.mean.shape[1])
            self.mean, self.square = torch.cat([self.mean, more]), torch.cat([self.square, more])
        self.gradient = self.gradient[self.rows]
        norm = torch.linalg.vector_norm(norms)
        return norm

    def values(self) -> Tensor:
        """What of the parameter is gone over."""
        return self.parameter.data if self.rows is None else self.parameter.data[self.rows]

    def write(self, values: Tensor) -> None:
        """Put them back, changed."""
        if self.rows is not None:
            self.parameter.data[self.rows] = values

    def state(self) -> dict[str, Tensor]:
        """All but the gradient."""
        kept = {"mean": self.mean, "square": self.square, "steps": self.steps}
        return kept if self.rows is None else {**kept, "rows": self.rows}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on from what `state` returned."""
        device = self.parameter.device
        self.mean, self.square, self.steps = (state[name].to(device) for name in ("mean", "square", "steps"))
        if self.rows is not None:
            self.rows = state["rows"].to(device)
            self._moved[self.rows] = True
