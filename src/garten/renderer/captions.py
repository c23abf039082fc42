"""The encoder of captions that comes with a renderer: hashed words, a small transformer, keys and values."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import torch
from torch import nn

from garten.renderer.layers import Norm
from garten.renderer.prefix import Prefix
from garten.renderer.settings import CaptionSettings, NetworkSettings

EMPTY = 0
"""The row of the table that stands where a caption has no more words."""


class CaptionEncoder(nn.Module):
    """Words in their order as a prefix of a few tokens.

    A word is a row of a table by its hash, so that no word is unknown; words beyond the settings' number are
    not read. The last state of each token gives keys and values for every layer of the renderer.
    """

    def __init__(self, settings: CaptionSettings, network: NetworkSettings) -> None:
        """An encoder with random weights for a network."""
        super().__init__()
        self.settings = settings
        self.layers, self.heads, self.head = network.layers, network.kv_heads, network.head
        self.table = nn.Embedding(settings.words, settings.width)
        self.places = nn.Parameter(torch.randn(settings.tokens, settings.width))
        self.mixers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                settings.width,
                nhead=max(1, settings.width // 32),
                dim_feedforward=2 * settings.width,
                dropout=0.0,
                batch_first=True,
                norm_first=True,
            )
            for _ in range(settings.layers)
        )
        self.norm = Norm(settings.width)
        self.keys_values = nn.Linear(settings.width, 2 * self.layers * self.heads * self.head)
        self.key_norm = Norm(self.head)

    def forward(self, captions: Sequence[str]) -> Prefix:
        """The prefix of a batch of captions."""
        rows = [word_rows(caption, self.settings) for caption in captions]
        x_BNW = self.table(torch.tensor(rows, device=self.places.device)) + self.places
        for mixer in self.mixers:
            x_BNW = mixer(x_BNW)
        shape = (2, self.layers, self.heads, self.head)
        k_BNLGD, v_BNLGD = self.keys_values(self.norm(x_BNW)).unflatten(-1, shape).unbind(2)
        return Prefix(self.key_norm(k_BNLGD).unbind(2), v_BNLGD.unbind(2))


def word_rows(caption: str, settings: CaptionSettings) -> list[int]:
    """The rows of a caption's words, filled up with `EMPTY`."""
    words = re.findall(r"\w+", caption.lower())[: settings.tokens]
    rows = [1 + _hash(word) % (settings.words - 1) for word in words]
    return rows + [EMPTY] * (settings.tokens - len(rows))


def _hash(word: str) -> int:
    return int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
