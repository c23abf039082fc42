"""Clips as the network takes them: latents of frames, latents of augmented geometry, captions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from garten.errors import RunError
from garten.renderer import blocks
from garten.renderer.augment import augmented, draw_modality
from garten.renderer.codec import Codec
from garten.renderer.data.clip import About, Clip
from garten.renderer.geometry import BLACK, depth_images, normal_images, pooled, stretched, with_noise
from garten.renderer.history import CarryTo
from garten.renderer.pictures import to_images
from garten.renderer.settings import Modality, RendererSettings
from garten.renderer.training.extras import Extra


@dataclass(frozen=True)
class Batch:
    """What a step learns from."""

    clip: blocks.Clip
    captions: tuple[str, ...]  # some are "", which says nothing
    carries: tuple[CarryTo, ...]  # the exact motion of each


def geometry_of(
    clip: Clip, settings: RendererSettings, *, generator: torch.Generator | None = None
) -> Tensor:
    """The geometry of a clip as images [M, T, 3, h, w] of the size that is encoded.

    M is 2 where the network takes the average of both modalities, else 1.

    Args:
        clip: of the renderer's size.
        settings: of the renderer.
        generator: of augmentation and of the modality; None for geometry as it is, as in use.
    """
    if generator is None:
        return torch.stack(
            [_prepared(image, settings) for image in _images(clip, settings.geometry.modality)]
        )
    kept = draw_modality(generator)
    average = settings.geometry.modality == "average"
    images = _images(clip, "average" if average else kept or "depth")
    seed, above, left = (int(n) for n in torch.randint(2**31, (3,), generator=generator))
    split = (above / 2**31, left / 2**31)
    done = []
    for image in images:
        same = torch.Generator().manual_seed(seed)  # both modalities are bent in the same way
        image = pooled(image, settings)
        image = torch.full_like(image, BLACK) if kept is None else augmented(image, generator=same)
        done.append(stretched(image, settings, split=split))
    return torch.stack(done)


def _images(clip: Clip, modality: Modality) -> list[Tensor]:
    """The modalities of a clip as images [T, 3, H, W]."""
    images = []
    if modality != "normals":
        images.append(depth_images(clip.depth, clip.about.depth_scale))
    if modality != "depth":
        images.append(normal_images(clip.normals))
    return images


def _prepared(image: Tensor, settings: RendererSettings) -> Tensor:
    return stretched(pooled(image, settings), settings)


@torch.no_grad()
def latents_of(
    clips: Sequence[Clip],
    settings: RendererSettings,
    codec: Codec,
    *,
    generator: torch.Generator,
    augment: bool = True,
    extra: Extra | None = None,
    spoil: bool = True,
) -> blocks.Clip:
    """Clips of equal length in latents.

    Args:
        clips: of the renderer's size.
        settings: of the renderer.
        codec: frozen.
        generator: of augmentation and noise, on the CPU.
        augment: whether geometry is augmented.
        extra: makes the further conditions.
        spoil: whether history among them is spoiled.
    """
    device = next(codec.parameters()).device
    rgb, _ = codec.encode(to_images([clip.frames for clip in clips], device))
    images = [geometry_of(clip, settings, generator=generator if augment else None) for clip in clips]
    geometry, _ = codec.encode(torch.cat(images).to(device))
    geometry = torch.unflatten(geometry, 0, (len(clips), -1)).mean(1)
    seeds = torch.randint(2**62, (len(clips),), generator=generator).tolist()
    geometry = with_noise(geometry, settings.geometry.noise, seeds)
    more = (
        None
        if extra is None
        else torch.stack(
            [
                extra(clip, own, generator=generator if spoil else None)
                for clip, own in zip(clips, rgb, strict=True)
            ]
        )
    )
    return blocks.Clip(rgb, geometry, more)


def captions_of(clips: Sequence[Clip], *, silent: float, generator: torch.Generator) -> tuple[str, ...]:
    """The captions of clips, a share of them dropped."""
    drawn = torch.rand(len(clips), generator=generator).tolist()
    return tuple("" if u < silent else clip.about.caption for u, clip in zip(drawn, clips, strict=True))


def check_size(clips: Iterable[About], settings: RendererSettings) -> None:
    """Refuse clips of another size than the renderer's.

    Raises:
        RunError: there is one.
    """
    wanted = (settings.width, settings.height)
    for about in clips:
        if about.size != wanted:
            size, given = ("{}x{}".format(*pair) for pair in (wanted, about.size))
            raise RunError(
                f"The renderer is for frames of {size}, and a clip of {about.source} has {given}; make "
                f"clips by garten render data --size {size}."
            )
