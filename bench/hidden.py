"""What a renderer draws of what history does not tell, in decibels to the true frames.

    python bench/hidden.py [RENDERER] [--json]

The first block after a true reference, in layouts that training never shows: pixels that were seen before
(``known``), those that come into view (``new``), and a half of the picture of which the past is hidden
(``half``), while the reference is seen. ``_filled`` is history with its holes filled from around, ``_codec``
true frames through the codec, ``_drawn`` what is decoded, before any resolve.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import numpy as np
import torch
from numpy.typing import NDArray
from shared.measure import report

from garten.devices import torch_threads
from garten.records import Frame
from garten.renderer.data.clip import Clip
from garten.renderer.data.recipe import HELD_OUT, Recipe, plan
from garten.renderer.data.shoot import shoot
from garten.renderer.history import filled, past_images
from garten.renderer.look import DEFAULT
from garten.renderer.pictures import to_frames
from garten.renderer.quality.evaluate import through_codec
from garten.renderer.quality.measures import psnr_where
from garten.renderer.renderer import Renderer
from garten.renderer.saved import load_renderer
from garten.renderer.session import Session, draw_together

WORLDS = ("companion-dog", "crate-vault", "herding", "hide-and-seek", "living-room", "one-lane-bridge")
CLIPS = 30
SEED = 7


def clips(frames: int) -> Iterator[Clip]:
    """Clips of layouts that are held out."""
    recipe = Recipe(WORLDS, clips=CLIPS * HELD_OUT, frames=frames, seed=SEED)
    return (shoot(plan(recipe, number)) for number in range(HELD_OUT - 1, recipe.clips, HELD_OUT))


def drawn(
    renderer: Renderer, clip: Clip, hidden: NDArray[np.bool_]
) -> tuple[Frame, Frame, NDArray[np.bool_]]:
    """The first block decoded; history, its holes filled; where that is known."""
    session, block = Session(renderer, caption=clip.about.caption), range(1, len(clip))
    conditions = [clip.condition(t) for t in block]
    session.start(clip.frames[0], clip.condition(0))
    session.hide(hidden)
    images, known = past_images(session._past(conditions), torch.device("cpu"))
    known = known * torch.from_numpy(~hidden).float()
    made = draw_together([session], [conditions]).images
    return to_frames(made[0]), to_frames(filled(images, known)[0]), known[0, :, 0].bool().numpy()


def measure(renderer: Renderer) -> dict[str, float]:
    """Means over clips; where nothing comes into view a clip does not count."""
    found: dict[str, list[float]] = {}
    for number, clip in enumerate(clips(1 + renderer.settings.block_frames)):
        true, coded = clip.frames[1:], through_codec(renderer, clip.frames)[1:]
        half = np.zeros(clip.depth.shape[1:], np.bool_)
        middle = half.shape[1] // 2
        half[:, slice(0, middle) if number % 2 else slice(middle, None)] = True
        for hidden in (np.zeros_like(half), half):
            made, history, known = drawn(renderer, clip, hidden)
            parts = (
                {"half": np.broadcast_to(half, known.shape)}
                if hidden.any()
                else {"known": known, "new": ~known}
            )
            for part, where in parts.items():
                for name, frames in (("filled", history), ("codec", coded), ("drawn", made)):
                    value = psnr_where(frames, true, where)
                    found.setdefault(f"{part}_{name}", []).extend([] if value is None else [value])
    return {name: fmean(values) for name, values in found.items()}


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if not word.startswith("-")]
    renderer = load_renderer(Path(given[0]) if given else DEFAULT)
    if renderer.settings.network.history == "attention":
        sys.exit("This renderer carries no frames that could be hidden; give one with another history.")
    with torch_threads(1):
        report("hidden", measure(renderer))
