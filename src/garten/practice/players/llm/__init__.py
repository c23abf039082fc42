"""The language-model player: any OpenAI-compatible endpoint that sees frames and writes programs."""

from garten.practice.players.llm.player import LlmPlayer

PLAYER = LlmPlayer

__all__ = ["PLAYER", "LlmPlayer"]
