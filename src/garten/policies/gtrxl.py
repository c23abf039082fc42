"""A gated transformer that remembers the last steps of its episode: GTrXL.

"Stabilizing Transformers for Reinforcement Learning" (Parisotto et al., 2020), on Transformer-XL (Dai et al.,
2019). What a lane remembers are the inputs of each layer at the last `span` steps, with no gradient into
them. Keys and values follow from these by weights that training changes: a rollout works them out once, at
its first step, and then adds those of each new step. `settle` drops them again.

Shapes: B lanes, T steps of a stretch or a window of it, W the width, S the span, K keys, H heads, D numbers
of a head.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from garten.policies.attention import RelativeAttention
from garten.policies.encoders.layers import tower
from garten.policies.gates import Gate
from garten.policies.policy import Memory, Observation, Output, Policy
from garten.policies.series import Series

SecondGate = Literal["paper", "released"]


class Layer(nn.Module):
    """A layer of GTrXL: attention, then a small network, both normalised before and gated after.

    Parisotto et al. (2020), section 3. The second gate of the paper lets the stream through and changes it by
    the network's output. The one in the code behind the published results on Craftax has them the other way
    round: it lets the network's output through, and changes it by the stream.
    """

    def __init__(
        self, width: int, *, heads: int, span: int, gate_bias: float, second_gate: SecondGate
    ) -> None:
        """A layer over vectors of `width` numbers."""
        super().__init__()
        self.second_gate = second_gate
        self.attention_norm = nn.LayerNorm(width, eps=1e-6)
        self.attention = RelativeAttention(width, heads=heads, span=span)
        self.attention_gate = Gate(width, bias=gate_bias)
        self.network = nn.Sequential(
            nn.LayerNorm(width, eps=1e-6),
            nn.Linear(width, width),
            nn.GELU(approximate="tanh"),
            nn.Linear(width, width),
        )
        self.network_gate = Gate(width, bias=gate_bias)

    def forward(self, x_BTW: Tensor, past_BSW: Tensor, hidden_BTK: Tensor) -> Tensor:
        """Go over a window: its inputs, those of the `span` steps before it, and what is hidden from it."""
        seen = self.attention_norm(torch.cat([past_BSW, x_BTW], 1))
        y = self.attention(seen[:, past_BSW.shape[1] :], seen, hidden_BTK)
        return self._after_attention(x_BTW, y)

    def keys_values(self, x_BTW: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [B, H, T, D] of inputs."""
        return self.attention.keys_values(self.attention_norm(x_BTW))

    def step(
        self, x_BW: Tensor, keys: Series, values: Series, hidden_BK: Tensor
    ) -> tuple[Tensor, Series, Series]:
        """Go over one step: its output, and keys and values with its own added to those before it."""
        normed = self.attention_norm(x_BW)
        key, value = self.attention.keys_values(normed[:, None])
        keys, values = keys.add(key), values.add(value)
        y = self.attention.step(normed, keys, values, hidden_BK)
        return self._after_attention(x_BW, y), keys, values

    def _after_attention(self, x: Tensor, attended: Tensor) -> Tensor:
        stream = self.attention_gate(x, torch.relu(attended))
        change = self.network(stream)
        let_through, changes_it = (change, stream) if self.second_gate == "released" else (stream, change)
        result: Tensor = self.network_gate(let_through, torch.relu(changes_it))
        return result


class GTrXL(Policy):
    """An actor-critic over layers of gated attention to the last steps of the episode."""

    def __init__(
        self,
        encoder: nn.Module,
        actions: int,
        *,
        width: int,
        layers: int,
        heads: int,
        span: int,
        window: int,
        hidden: tuple[int, ...],
        gate_bias: float,
        second_gate: SecondGate,
    ) -> None:
        """Put a transformer, an actor and a critic on an encoder.

        Args:
            encoder: maps an `Observation` to [..., width].
            actions: to choose from.
            width: of the encoder and all layers, an even multiple of `heads`.
            layers: of the transformer.
            heads: of each layer's attention.
            span: how many steps back a layer sees.
            window: steps over which gradients flow in `unroll`.
            hidden: widths of the hidden layers of actor and critic each.
            gate_bias: how far the gates begin towards letting the stream through.
            second_gate: which way round the second gate of a layer is; see `Layer`.
        """
        super().__init__()
        self.span = span
        self.window = window
        self.encoder = encoder
        self._layers = [
            Layer(width, heads=heads, span=span, gate_bias=gate_bias, second_gate=second_gate)
            for _ in range(layers)
        ]
        self.layers = nn.ModuleList(self._layers)
        self.actor = tower((width, *hidden, actions), act="relu", gain=2**0.5, last=0.01)
        self.critic = tower((width, *hidden, 1), act="relu", gain=2**0.5, last=1.0)
        for part in self.layers.modules():
            if isinstance(part, nn.Linear):
                nn.init.normal_(part.weight, std=part.in_features**-0.5)
                if part.bias is not None:
                    nn.init.zeros_(part.bias)

    def initial_memory(self, lanes: int) -> Memory:
        """Nothing seen yet."""
        weights = self._layers[0].attention.query.weight
        memory: Memory = {"seen": torch.zeros(lanes, dtype=torch.int64, device=weights.device)}
        for i in range(len(self._layers)):
            memory[f"inputs{i}"] = weights.new_zeros(lanes, self.span, weights.shape[1])
        return memory

    def settle(self, memory: Memory) -> Memory:
        """How many steps were seen, and the inputs of each layer there."""
        inputs = {f"inputs{i}": _series(memory, f"inputs{i}").joined() for i in range(len(self._layers))}
        return {"seen": memory["seen"], **inputs}

    @torch.no_grad()
    def step(self, observation: Observation, memory: Memory, begun: Tensor) -> tuple[Output, Memory]:
        """Act; see `Policy.step`."""
        before_B = memory["seen"].masked_fill(begun, 0)
        distance_K = torch.arange(self.span, -1, -1, device=begun.device)
        x_BW = self.encoder(observation)
        hidden_BK = _hidden(distance_K <= before_B[:, None], like=x_BW)
        after: Memory = {"seen": (before_B + 1).clamp(max=self.span)}
        for i, layer in enumerate(self._layers):
            inputs = _series(memory, f"inputs{i}")
            if f"keys{i}" in memory:
                keys, values = _series(memory, f"keys{i}"), _series(memory, f"values{i}")
            else:
                keys, values = map(Series.begin, layer.keys_values(inputs.joined()))
            inputs = inputs.add(x_BW[:, None])
            x_BW, keys, values = layer.step(x_BW, keys, values, hidden_BK)
            for name, series in (("inputs", inputs), ("keys", keys), ("values", values)):
                after[f"{name}{i}"], after[f"new_{name}{i}"] = series
        return self._judge(x_BW), after

    def unroll(self, observations: Observation, memory: Memory, begun: Tensor) -> Output:
        """Go over a stretch, a window after the other; see `Policy.unroll`.

        Windows remember those before them as they come out here, from the present weights.
        """
        x_BTW = self.encoder(observations).transpose(0, 1)
        before_BT = _steps_before(begun, memory["seen"]).T.clamp(max=self.span)
        pasts = [_series(memory, f"inputs{i}").joined() for i in range(len(self._layers))]
        windows = []
        for first in range(0, len(begun), self.window):
            x, before = x_BTW[:, first : first + self.window], before_BT[:, first : first + self.window]
            place = torch.arange(self.span + x.shape[1], device=x.device)
            distance_TK = place[self.span :, None] - place
            hidden_BTK = _hidden((distance_TK >= 0) & (distance_TK <= before[..., None]), like=x)
            for i, layer in enumerate(self._layers):
                past, inputs = pasts[i], x
                pasts[i] = torch.cat([past, inputs.detach()], 1)[:, -self.span :]
                x = layer(inputs, past, hidden_BTK)
            windows.append(x)
        return self._judge(torch.cat(windows, 1).transpose(0, 1))

    def _judge(self, x: Tensor) -> Output:
        return Output(self.actor(x), self.critic(x).squeeze(-1))


def _series(memory: Memory, name: str) -> Series:
    """A series of the memory, which may have no new entries."""
    if f"new_{name}" in memory:
        return Series(memory[name], memory[f"new_{name}"])
    return Series.begin(memory[name])


def _hidden(visible: Tensor, *, like: Tensor) -> Tensor:
    """What to add to scores: 0 where a key is visible, minus infinity where not."""
    return like.new_zeros(visible.shape).masked_fill_(~visible, -torch.inf)


def _steps_before(begun_TB: Tensor, seen_B: Tensor) -> Tensor:
    """How many steps of its episode lie before each step of a stretch, int64 [T, B].

    Args:
        begun_TB: whether a step is the first of its episode.
        seen_B: how many lie before the stretch.
    """
    step = torch.arange(len(begun_TB), device=begun_TB.device)[:, None]
    first = torch.where(begun_TB, step, -1).cummax(0).values
    return torch.where(first < 0, seen_B + step, step - first)
