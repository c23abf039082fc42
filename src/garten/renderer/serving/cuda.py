"""Work recorded by CUDA as a graph of launches."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from garten.renderer.serving.calls import Inputs, Work


@dataclass(frozen=True)
class Graph:
    """A `Recording` by CUDA: one launch repeats it."""

    graph: torch.cuda.CUDAGraph
    outputs: tuple[Tensor, ...]

    def repeat(self) -> None:
        """See `Recording.repeat`."""
        self.graph.replay()


class Graphs:
    """A `Recorder` by CUDA, for work that has run before, does not wait and takes nothing from the CPU.

    Its graphs share their memory, so that one runs at a time, and what it gives is to be copied before the
    next one runs, as `Recorded` does.
    """

    def __init__(self) -> None:
        """Of the GPU that is PyTorch's current one."""
        self._pool = torch.cuda.graph_pool_handle()

    def __call__(self, work: Work, inputs: Inputs) -> Graph:
        """See `Recorder`."""
        graph = torch.cuda.CUDAGraph()
        # Other threads may go on using the GPU meanwhile, e.g. to look at worlds.
        with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
            outputs = work(*inputs)
        return Graph(graph, outputs)
