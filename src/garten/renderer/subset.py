"""Which weights of a network learn in which stage, where it starts from one that was trained before.

Published: stages 1 and 2 adapt a large network of plain video to geometry through its attention alone; stage
3 learns all of it. A network that starts from random weights learns all of them in every stage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from torch import nn

from garten.renderer.network import Network

Stage = Literal["bidirectional", "causal", "adversarial"]

ADAPTED = ("queries_keys_values", "attention_out", "query_norm", "key_norm", "is_geometry", "is_reference")
"""Parts that learn in stages 1 and 2: projections of attention, norms of queries and keys, marks. [paper]"""


def adapted_parts(network: Network, stage: Stage) -> Iterator[tuple[str, nn.Parameter]]:
    """The weights, by name, that learn in a stage from a network trained before."""
    for name, part in network.named_parameters():
        if stage == "adversarial" or any(word in ADAPTED for word in name.split(".")):
            yield name, part
