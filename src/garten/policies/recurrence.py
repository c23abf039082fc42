"""The recurrence of a GRU over a stretch, with its gradient worked out by hand.

PyTorch's own bookkeeping of so many small operations costs more than they do, and it adds up the gradient of
the weights step by step. Here that gradient is one product over all steps.

Shapes: T steps, B lanes, W the width; 3W are the gates reset, update and candidate, in this order.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class Recurrence(torch.autograd.Function):
    """`Recurrence.apply(gates, kept, hidden, weight, bias)`: what a GRU remembers after each step, [T, B, W].

    gates: [T, B, 3W], what the inputs add to the gates. kept: [T, B, 1], 0 where the memory is forgotten
    before the step, else 1. hidden: [B, W], the memory before the first step. weight: [3W, W] and bias: [3W],
    by which the memory adds to the gates. The equations are those of `torch.nn.GRU`.
    """

    @staticmethod
    def forward(
        ctx: Any, gates: Tensor, kept: Tensor, hidden: Tensor, weight: Tensor, bias: Tensor
    ) -> Tensor:
        """Go through the steps."""
        steps, lanes, width = len(gates), len(hidden), hidden.shape[1]
        before = gates.new_empty(steps, lanes, width)  # what is remembered when a step begins
        opened = gates.new_empty(steps, lanes, 2 * width)  # reset and update
        own = gates.new_empty(steps, lanes, 3 * width)  # what the memory adds to the gates
        candidates = gates.new_empty(steps, lanes, width)
        result = gates.new_empty(steps, lanes, width)
        for step in range(steps):
            torch.mul(hidden, kept[step], out=before[step])
            torch.addmm(bias, before[step], weight.T, out=own[step])
            torch.add(gates[step, :, : 2 * width], own[step, :, : 2 * width], out=opened[step]).sigmoid_()
            reset, update = opened[step].chunk(2, -1)
            candidate = candidates[step]
            torch.addcmul(
                gates[step, :, 2 * width :], reset, own[step, :, 2 * width :], out=candidate
            ).tanh_()
            hidden = torch.lerp(candidate, before[step], update, out=result[step])
        ctx.save_for_backward(kept, weight, before, opened, own[..., 2 * width :], candidates)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, Tensor, Tensor, Tensor]:
        """Go back through them."""
        kept, weight, before, opened, own, candidates = ctx.saved_tensors
        steps, lanes, width = gradient.shape
        reset, update = opened.chunk(2, -1)
        # How a gate's input changes with what comes out of the step, but for the gradient that comes back.
        to_candidate = (1 - update) * (1 - candidates.square())
        to_update = (before - candidates) * update * (1 - update)
        to_reset = own * reset * (1 - reset)
        of_inputs = gradient.new_empty(steps, lanes, 3 * width)
        of_own = gradient.new_empty(steps, lanes, 3 * width)
        later = torch.zeros_like(gradient[0])
        for step in range(steps - 1, -1, -1):
            later = later + gradient[step]
            candidate = torch.mul(later, to_candidate[step], out=of_inputs[step, :, 2 * width :])
            torch.mul(candidate, to_reset[step], out=of_own[step, :, :width])
            torch.mul(later, to_update[step], out=of_own[step, :, width : 2 * width])
            torch.mul(candidate, reset[step], out=of_own[step, :, 2 * width :])
            later = torch.addmm(later * update[step], of_own[step], weight).mul_(kept[step])
        of_inputs[..., : 2 * width] = of_own[..., : 2 * width]
        of_weight = of_own.flatten(0, 1).T @ before.flatten(0, 1)
        return of_inputs, None, later, of_weight, of_own.sum((0, 1))
