"""What training keeps, as the arrays of checkpoints: PyTorch's tensors by group and name, and back.

PyTorch is loaded by whoever has tensors to keep, not by this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch
    from torch import Tensor


def array_of(tensor: Tensor) -> NDArray[Any]:
    """A copy of a tensor."""
    return np.array(tensor.detach().cpu().numpy())


def arrays_of(groups: Mapping[str, Mapping[str, Tensor]]) -> dict[str, NDArray[Any]]:
    """Copies of groups of tensors, by ``group.name``."""
    return {
        f"{group}.{name}": array_of(part) for group, parts in groups.items() for name, part in parts.items()
    }


def group_of(arrays: Mapping[str, NDArray[Any]], group: str) -> dict[str, NDArray[Any]]:
    """The arrays of a group by their own names."""
    return {
        name.removeprefix(f"{group}."): part for name, part in arrays.items() if name.startswith(f"{group}.")
    }


def tensors(arrays: Mapping[str, NDArray[Any]], group: str) -> dict[str, Tensor]:
    """A group of arrays as tensors."""
    import torch

    return {name: torch.from_numpy(np.array(part)) for name, part in group_of(arrays, group).items()}


def optimiser_state(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """What Adam keeps of each parameter, by number and name."""
    kept = optimiser.state_dict()["state"]
    return {f"{number}.{name}": part for number, parts in kept.items() for name, part in parts.items()}


def restore_optimiser(optimiser: torch.optim.Optimizer, kept: Mapping[str, Tensor]) -> None:
    """Give an optimiser back what `optimiser_state` returned."""
    state: dict[int, dict[str, Tensor]] = {}
    for place, part in kept.items():
        number, _, name = place.partition(".")
        state.setdefault(int(number), {})[name] = part
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
