"""Attention of several heads to the recent past, with relative positions.

Shapes: B lanes, T queries, K keys, H heads, D numbers of a head, W = H * D the width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from garten.policies.series import Series


class RelativeAttention(nn.Module):
    """Each query attends to itself and to the `span` steps before it.

    The scores are those of Transformer-XL (Dai et al., 2019), section 3.3, here for query i and key j::

        ((q_i + u) . k_j + (q_i + v) . (W_R sinusoid(i - j))) / sqrt(D)

    with learned u and v for each head. A query can be at most `span` steps from its keys, so the position
    table W_R sinusoid(.) has span + 1 rows, the most distant first: the order of the keys.
    """

    sinusoids: Tensor

    def __init__(self, width: int, *, heads: int, span: int) -> None:
        """Attention over vectors of `width` numbers, an even multiple of `heads`."""
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.position = nn.Linear(width, width, bias=False)
        self.output = nn.Linear(width, width)
        self.content_bias = nn.Parameter(torch.zeros(heads, width // heads))
        self.position_bias = nn.Parameter(torch.zeros(heads, width // heads))
        self.register_buffer("sinusoids", sinusoids(span, width), persistent=False)

    def forward(self, x_BTW: Tensor, seen_BKW: Tensor, hidden_BTK: Tensor) -> Tensor:
        """Attend from a window of steps.

        Args:
            x_BTW: the steps that ask.
            seen_BKW: what they may see: the `span` steps before the window, then the window itself.
            hidden_BTK: 0 where a query sees a key, minus infinity where not; among the keys that are after
                the query, or more than `span` before it, it sees none.

        Returns:
            [B, T, W].
        """
        B, T, _ = x_BTW.shape
        content_HBTD, position_HBTD = self._queries(x_BTW)
        k_HBKD, v_HBKD = self._split(self.key(seen_BKW)), self._split(self.value(seen_BKW))
        # Rows of zeros stand for keys after the query; their scores are hidden.
        table = nn.functional.pad(self._table(), (0, 0, 0, T))
        by_position = torch.bmm(position_HBTD.flatten(1, 2), table.mT).view(self.heads * B, T, -1)
        scores = torch.baddbmm(_shift(by_position), content_HBTD.flatten(0, 1), k_HBKD.flatten(0, 1).mT)
        weights = torch.softmax(scores.view(self.heads, B, T, -1) + hidden_BTK, -1)
        y_HBTD = torch.bmm(weights.flatten(0, 1), v_HBKD.flatten(0, 1)).view(self.heads, B, T, -1)
        result: Tensor = self.output(y_HBTD.permute(1, 2, 0, 3).flatten(2))
        return result

    def keys_values(self, x_BKW: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of inputs as `step` wants them, both [B, H, K, D]."""
        return self._split(self.key(x_BKW)).transpose(0, 1), self._split(self.value(x_BKW)).transpose(0, 1)

    def step(self, x_BW: Tensor, keys: Series, values: Series, hidden_BK: Tensor) -> Tensor:
        """Attend from one step.

        Args:
            x_BW: the step that asks.
            keys: of the steps up to and with this one, entries [B, H, 1, D].
            values: likewise.
            hidden_BK: 0 where it sees a key, minus infinity where not; K = span + 1, the oldest first.

        Returns:
            [B, W].
        """
        content_HB1D, position_HB1D = self._queries(x_BW[:, None])
        # The two parts of a series are not joined, since that would copy all of it.
        by_content = torch.cat([content_HB1D.transpose(0, 1) @ part.mT for part in keys.parts()], -1)
        by_position = (position_HB1D.squeeze(2) @ self._table().mT).transpose(0, 1)[:, :, None]
        weights_BH1K = torch.softmax(by_content + by_position + hidden_BK[:, None, None], -1)
        old, new = values.parts()
        for_old, for_new = weights_BH1K[..., : old.shape[-2]], weights_BH1K[..., old.shape[-2] :]
        result: Tensor = self.output((for_old @ old + for_new @ new).flatten(1))
        return result

    def _split(self, x_BKW: Tensor) -> Tensor:
        """By heads: [H, B, K, D]."""
        return x_BKW.view(*x_BKW.shape[:2], self.heads, -1).permute(2, 0, 1, 3)

    def _queries(self, x_BTW: Tensor) -> tuple[Tensor, Tensor]:
        """What meets the keys, and what meets the positions, both [H, B, T, D]."""
        q_HBTD = self._split(self.query(x_BTW))
        scale = q_HBTD.shape[-1] ** -0.5
        content = (q_HBTD + self.content_bias[:, None, None]) * scale
        position = (q_HBTD + self.position_bias[:, None, None]) * scale
        return content, position

    def _table(self) -> Tensor:
        """The position table [H, span + 1, D]."""
        return self._split(self.position(self.sinusoids)[None]).squeeze(1)


def sinusoids(span: int, width: int) -> Tensor:
    """Sines, then cosines, of the distances span to 0 at geometric frequencies: [span + 1, width].

    "Attention Is All You Need" (Vaswani et al., 2017), section 3.5; sines and cosines apart.
    """
    distance = torch.arange(span, -1.0, -1.0)
    frequency = 10_000.0 ** (-torch.arange(0.0, width, 2.0) / width)
    angle = distance[:, None] * frequency
    return torch.cat([angle.sin(), angle.cos()], -1)


def _shift(scores: Tensor) -> Tensor:
    """Scores by distance as scores by key: column i + r of query i is column r of what is given.

    Rows one number wider than those asked for, read without a break, lie each one further to the right than
    the row before (Dai et al., 2019, appendix B).

    Args:
        scores: [N, T, K + 1], of which the last T columns fall on keys that their query does not see.

    Returns:
        A view [N, T, K].
    """
    N, T, wide = scores.shape
    return scores.view(N, T * wide)[:, : T * (wide - 1)].view(N, T, wide - 1)
