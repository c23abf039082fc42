"""By which means a stream is served, and which suit a device."""

from __future__ import annotations

import importlib.util
import logging
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import torch
from torch import nn

from garten.renderer.serving.calls import Calls, Recorded, at_once
from garten.renderer.serving.cuda import Graphs
from garten.renderer.serving.kernels import EAGER, Kernels

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Serving:
    """The means; streams of one batch share them."""

    kernels: Kernels = EAGER
    calls: Calls = at_once


PLAIN = Serving()
"""The network's own code as it stands: what training streams with, and the same to the bit everywhere."""

_served: WeakKeyDictionary[nn.Module, tuple[torch.device, Serving]] = WeakKeyDictionary()


def suited(network: nn.Module) -> Serving:
    """What suits the device that a network is on; on a GPU recorded blocks, and fused kernels by Triton.

    Sessions of one network share it, and with it what has been recorded.
    """
    weight = next(network.parameters())
    if weight.device.type != "cuda":
        return PLAIN
    device, serving = _served.get(network, (None, PLAIN))
    if device != weight.device:
        serving = Serving(_kernels(weight), Recorded(Graphs()))
        _served[network] = weight.device, serving
    return serving


def _kernels(weight: torch.Tensor) -> Kernels:
    if weight.dtype == torch.float64:
        return EAGER
    if importlib.util.find_spec("triton") is None:
        _log.info("Triton is not installed; layers run without fused kernels.")
        return EAGER
    from garten.renderer.serving.fused import Fused

    return Fused()
