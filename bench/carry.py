"""How near to the truth frames stay that are carried to the next view by exact motion, in decibels.

    python bench/carry.py [--json]

Clips of `garten render data` in every world, 160x96, with each kind of camera: one step on what was visible
before, nine steps in a row with the truth only where there are holes, and what copying a frame would give.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from shared.measure import report

from garten.renderer.data.clip import Clip
from garten.renderer.data.recipe import Recipe, plan
from garten.renderer.data.shoot import shoot
from garten.worlds import find

STEPS = 9
"""Frames that are carried on from the first."""

CLIPS = 6
"""Clips of each world."""


def clips() -> Iterator[Clip]:
    """The clips to measure on."""
    for world in find.names():
        recipe = Recipe((world,), frames=STEPS + 1, seed=2026)
        yield from (shoot(plan(recipe, number)) for number in range(CLIPS))


def measured(clip: Clip) -> dict[str, float]:
    """Squared errors and the share of holes, means over the clip's frames."""
    frames = clip.frames.astype(np.float32)
    chain, one, copied, share = frames[0], [], [], []
    for t in range(1, len(clip)):
        carried, holes = clip.carry(t).apply(frames[t - 1])
        one.append(_error(carried[~holes], frames[t][~holes]) if not holes.all() else 0.0)
        copied.append(_error(frames[t - 1], frames[t]))
        share.append(float(holes.mean()))
        chain, holes = clip.carry(t).apply(chain)
        chain[holes] = frames[t][holes]
    return {
        "carry_one_db": float(np.mean(one)),
        "carry_nine_db": _error(chain, frames[-1]),
        "copy_one_db": float(np.mean(copied)),
        "copy_nine_db": _error(frames[0], frames[-1]),
        "holes": float(np.mean(share)),
    }


def _error(given: NDArray[np.float32], truth: NDArray[np.float32]) -> float:
    return float(np.mean((given - truth) ** 2))


def _decibels(errors: list[float]) -> float:
    """The median over clips; a mean would be that of the clips that stand still."""
    return float(np.median(10.0 * np.log10(255.0**2 / np.maximum(errors, 1.0 / 12.0))))


if __name__ == "__main__":
    found = [measured(clip) for clip in clips()]
    values = {name: [one[name] for one in found] for name in found[0]}
    holes = values.pop("holes")
    report(
        "carry",
        {
            **{name: _decibels(errors) for name, errors in values.items()},
            "holes_percent": 100.0 * np.mean(holes),
        },
    )
