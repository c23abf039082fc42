"""Curves of training: what an update shows on TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping

from garten.training.learner import Update


def curves(update: Update, levels: Mapping[str, float]) -> dict[str, float]:
    """What an update and what was said of its levels have to show."""
    episodes = update.report.episodes
    shown = {f"learning/{name}": value for name, value in update.metrics.items()}
    shown |= {f"levels/{name}": value for name, value in levels.items()}
    if len(episodes.lane):
        shown["episodes/return"] = float(episodes.episode_return.mean())
        shown["episodes/length"] = float(episodes.length.mean())
        shown["episodes/achievements"] = float(episodes.achievements.sum(1).mean())
    return shown
