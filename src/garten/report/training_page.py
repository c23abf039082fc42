"""The page of a run of training: what was learned and how fast, beside baseline and published results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from markupsafe import Markup

from garten.report.curves import learning, speed
from garten.report.html import data_url, render
from garten.report.level_charts import time_spent
from garten.report.levels_part import levels_part
from garten.report.published import CRAFTAX, DICODE_ACHIEVEMENTS
from garten.runs.codec import to_json
from garten.runs.folder import RunFolder
from garten.sight import video
from garten.training.film import frames
from garten.training.history import history
from garten.training.results import EVALUATIONS, PROTOCOLS, EpisodeResult, Evaluation, achievement_rewards
from garten.training.stored import config_of, load_agent, stored

CLIP_FPS = 20.0
CLIP_FRAMES = 1200
"""Most frames of the clip: a minute."""

CLIP_TILE = 24
"""Pixels along the side of its tiles."""


@dataclass(frozen=True)
class Row:
    """One achievement as the page shows it, shares of episodes in percent; None where there is no figure."""

    name: str
    reward: float
    random: float | None
    ours: float
    published: tuple[float, float] | None


@dataclass(frozen=True)
class Clip:
    """An episode of the agent, an MP4 as a data URL."""

    url: str
    caption: str


def training_page(run: RunFolder) -> str:
    """The page as HTML; a run under way gets what there is of it.

    Of evaluations it shows those that the run holds: the ones made while it trained, and others that
    ``garten evaluate`` made since.

    Raises:
        RunError: the run is damaged.
        RenderError: the clip could not be made.
    """
    config = config_of(run)
    phases = history(run)
    evaluations = [one for protocol in PROTOCOLS.values() for one in stored(run, protocol)]
    trained = [one for one in evaluations if one.trained_steps]
    latest = max(trained, key=lambda one: (one.trained_steps, one.protocol.worlds), default=None)
    baseline = _baseline(evaluations, latest)
    curve = max(([one for one in trained if one.protocol == kind] for kind in PROTOCOLS.values()), key=len)
    return render(
        "training.html.j2",
        name=run.path.name,
        config=config,
        settings=_flat(to_json(config)),
        manifest=run.manifest,
        last=phases[-1] if phases else None,
        charts=[
            Markup(learning(phases, curve, config.game)),
            Markup(speed(phases)),
            Markup(time_spent(phases)),
        ],
        levels=levels_part(run),
        latest=latest,
        evaluations=[one for one in (baseline, latest) if one is not None],
        rows=_rows(latest, baseline) if latest else [],
        published=CRAFTAX if config.game == "Craftax" else (),
        clip=_clip(run, latest) if latest else None,
    )


def _baseline(evaluations: Sequence[Evaluation], latest: Evaluation | None) -> Evaluation | None:
    """That of the same protocol."""
    same = (one for one in evaluations if latest and one.protocol == latest.protocol)
    return next((one for one in same if not one.trained_steps), None)


def _rows(latest: Evaluation, baseline: Evaluation | None) -> list[Row]:
    """The achievements that somebody unlocked, here or in what was published."""
    rows = []
    for name, reward in achievement_rewards(latest.game).items():
        ours = 100.0 * latest.summary.achievements[name]
        random = 100.0 * baseline.summary.achievements[name] if baseline else None
        published = DICODE_ACHIEVEMENTS.get(name) if latest.game == "Craftax" else None
        if ours or random or published:
            rows.append(Row(name.replace("_", " "), reward, random, ours, published))
    return rows


def _clip(run: RunFolder, latest: Evaluation) -> Clip:
    """The episode in the middle of the returns: what to expect, not the luckiest."""
    episode = _middle(latest.episodes)
    steps, protocol = latest.trained_steps, latest.protocol
    path = run.file(f"{EVALUATIONS}/{protocol.name}-{steps:012d}-world-{episode.world}.mp4")
    if not path.exists():
        shown = frames(load_agent(run, steps=steps), protocol, episode.world, tile=CLIP_TILE)
        video.write(path, islice(shown, CLIP_FRAMES), fps=CLIP_FPS)
    first = f"the first {CLIP_FRAMES:,} steps of " if episode.length >= CLIP_FRAMES else ""
    return Clip(
        data_url("video/mp4", path.read_bytes()),
        f"Held-out world {episode.world} after {steps:,} steps of training, {first}{episode.length:,} steps: "
        f"return {episode.episode_return:.1f}, in the middle of the evaluation's.",
    )


def _middle(episodes: Sequence[EpisodeResult]) -> EpisodeResult:
    ordered = sorted(episodes, key=lambda episode: (episode.episode_return, episode.world))
    return ordered[len(ordered) // 2]


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A tree of settings as one list of paths."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat
