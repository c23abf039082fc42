"""A renderer's quality on a set of clips: means of measures beside what the truth gives, and targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch

from garten.records import Frame
from garten.renderer.data.clip import Clip
from garten.renderer.pictures import to_frames, to_images
from garten.renderer.quality import measures
from garten.renderer.quality.rollout import roll
from garten.renderer.renderer import Renderer


@dataclass(frozen=True)
class Quality:
    """Means over clips; None where no clip tells."""

    clips: int
    frames: int  # of each, the reference among them
    psnr: float | None  # dB, of the frames after the reference
    psnr_copy: float | None  # of the reference in place of each
    psnr_codec: float | None  # of true frames through the codec: without a resolve more cannot be had
    gain: float | None  # dB above copying the reference
    new: float | None  # share of pixels that show what the reference did not
    psnr_new: float | None  # dB of these
    psnr_new_codec: float | None  # of true frames through the codec
    mask_overlap: float | None  # see `measures.mask_overlap`
    mask_overlap_true: float | None
    mask_share: float | None  # of what true frames give
    motion: float | None  # motion energy by the truth's
    edges: float | None  # see `measures.edge_scores`
    edges_true: float | None
    drift: float | None  # what edges lack in the last 5 s by what they lack in the first
    drift_true: float | None
    growth: float | None  # of what edges lack, in 10 s, as a share of it; None for clips shorter than that
    growth_true: float | None
    seams: float | None  # seam ratio by the truth's
    checkerboard: float | None
    palette_error: float | None
    palette_error_codec: float | None


TARGETS: dict[str, tuple[float, float]] = {
    "gain": (3.0, np.inf),
    "mask_share": (0.7, np.inf),
    "motion": (0.7, 1.3),
    "drift": (0.0, 1.25),
    "seams": (0.0, 1.15),
    "checkerboard": (0.0, 1.5),
}
"""What is wanted of a renderer on worlds and layouts that training never showed."""


@dataclass(frozen=True)
class Measured:
    """What was measured of one clip."""

    source: str  # the clip's
    frames: int
    values: dict[str, float | None]  # by the names of `Quality`


def evaluate(
    renderer: Renderer,
    clips: Iterable[Clip],
    *,
    seed: int = 0,
    steps: int | None = None,
    watch: Callable[[int], None] = lambda done: None,
) -> Quality:
    """Measure a renderer on clips: the means of what `measure` finds."""
    return mean_of(measure(renderer, clips, seed=seed, steps=steps, watch=watch))


def measure(
    renderer: Renderer,
    clips: Iterable[Clip],
    *,
    seed: int = 0,
    steps: int | None = None,
    watch: Callable[[int], None] = lambda done: None,
) -> list[Measured]:
    """Measure a renderer on each of some clips.

    Args:
        renderer: on any device.
        clips: of its size.
        seed: of all noise.
        steps: of denoising; None for those of the settings.
        watch: told how many clips are done.

    Raises:
        RenderError: a clip has another size, or is too short.
    """
    found: list[Measured] = []
    for clip in clips:
        made = roll(renderer, clip, seed=seed, steps=steps)
        values = _values(renderer, clip.part(0, len(made)), made)
        found.append(Measured(clip.about.source, len(made), values))
        watch(len(found))
    return found


def mean_of(found: Sequence[Measured]) -> Quality:
    """The means over clips of equal length, at least one."""
    means = {}
    for name in found[0].values:
        told = [value for one in found if (value := one.values[name]) is not None]
        means[name] = float(np.mean(told)) if told else None
    return Quality(clips=len(found), frames=found[0].frames, **means)


def _values(renderer: Renderer, clip: Clip, made: Frame) -> dict[str, float | None]:
    """All measures of one clip and the frames made for it."""
    settings, true = renderer.settings, clip.frames
    block, scale = settings.block_frames, settings.codec.scale
    coded = through_codec(renderer, true)
    psnr, copy = (
        measures.psnr(made[1:], true[1:]),
        measures.psnr(np.broadcast_to(true[:1], true[1:].shape), true[1:]),
    )
    overlap, best = (measures.mask_overlap(frames, clip) for frames in (made, true))
    edges, edges_true = (measures.edge_scores(frames, clip) for frames in (made, true))
    lacking = [[1.0 - score for score in scores] for scores in (edges, edges_true)]
    drift, drift_true = (measures.last_over_first(errors, fps=clip.about.fps) for errors in lacking)
    growth, growth_true = (measures.growth(errors, fps=clip.about.fps) for errors in lacking)
    new = measures.come_into_view(clip)
    seams, seams_true = (measures.seam_ratio(frames, clip, block=block) for frames in (made, true))
    return {
        "psnr": psnr,
        "psnr_copy": copy,
        "psnr_codec": measures.psnr(coded[1:], true[1:]),
        "gain": psnr - copy,
        "new": float(new[1:].mean()),
        "psnr_new": measures.psnr_where(made, true, new),
        "psnr_new_codec": measures.psnr_where(coded, true, new),
        "mask_overlap": overlap,
        "mask_overlap_true": best,
        "mask_share": _share(overlap, best),
        "motion": _share(measures.motion_energy(made[1:]), measures.motion_energy(true[1:])),
        "edges": float(np.mean(edges)),
        "edges_true": float(np.mean(edges_true)),
        "drift": drift,
        "drift_true": drift_true,
        "growth": growth,
        "growth_true": growth_true,
        "seams": _share(seams, seams_true),
        "checkerboard": measures.checkerboard(made, true, periods=(2, scale, scale * settings.network.patch)),
        "palette_error": measures.palette_error(made, clip),
        "palette_error_codec": measures.palette_error(coded, clip),
    }


def _share(value: float | None, whole: float | None) -> float | None:
    return None if value is None or not whole else value / whole


@torch.no_grad()
def through_codec(renderer: Renderer, frames: Frame) -> Frame:
    """True frames as the codec gives them back."""
    codec = renderer.codec
    latents, _ = codec.encode(to_images([frames], codec.mean.device))
    made, _ = codec.decode(latents)
    return to_frames(made[0])


def verdicts(quality: Quality) -> dict[str, bool | None]:
    """Which targets are met; None where no clip tells."""
    told = {item.name: getattr(quality, item.name) for item in fields(quality)}
    return {
        name: None if told[name] is None else low <= told[name] <= high
        for name, (low, high) in TARGETS.items()
    }
