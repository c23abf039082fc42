"""Weights that are dealt to a team: each process keeps a part of them, their gradients and their moments.

PyTorch calls it fully sharded data parallel. All weights of a network meet in every process while work is
done with it, and stay until its gradients have been added up and dealt: a rollout and its replay, which must
be equal to the bit, have the same weights before them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor

from garten.renderer.renderer import Renderer, build
from garten.runs.team import Team

T = TypeVar("T")


class Meeting(nn.Module):
    """Networks whose weights are all here while work is done with them."""

    def __init__(self, *networks: nn.Module) -> None:
        """Networks of this process alone, until they are dealt."""
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, work: Callable[[], T]) -> T:
        """What the work gives."""
        return work()

    def over(self) -> None:
        """Let each process go on with its part alone, also where no gradients were asked for."""
        if isinstance(self, FSDPModule):
            self.reshard()

    def __call__(self, work: Callable[[], T]) -> T:
        """What the work gives; gradients of what it gives reach the weights."""
        return cast("T", super().__call__(work))


def meeting(*networks: nn.Module, deal: bool, team: Team) -> Meeting:
    """Networks, their weights dealt to a team of more than one if so asked.

    Weights are to be asked for by name only afterwards; they are others then.
    """
    made = Meeting(*networks)
    if deal and team.size > 1:
        device = next(made.parameters()).device.type
        sharded = fully_shard(made, mesh=init_device_mesh(device, (team.size,)), reshard_after_forward=False)
        sharded.set_gradient_divide_factor(1.0)  # gradients are added up, as a team does
        sharded.set_force_sum_reduction_for_comms(True)
    return made


def whole(tensor: Tensor) -> Tensor:
    """All of a tensor, which may be dealt; then every process must ask."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def is_dealt(tensor: Tensor) -> bool:
    """Whether other processes have parts of it."""
    return isinstance(tensor, DTensor)


def gathered(renderer: Renderer) -> Renderer:
    """A renderer with all its weights: itself, or a copy of one that is dealt, for which all must ask."""
    state = renderer.state_dict()
    if not any(is_dealt(part) for part in state.values()):
        return renderer
    copy = build(renderer.settings, seed=0)
    copy.load_state_dict({name: whole(part) for name, part in state.items()})
    return copy
