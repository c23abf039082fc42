"""The levels that a run's curriculum likes best, and how far resources lie from their start.

    python scripts/curriculum_gallery.py runs/plr runs/accel --into gallery

Writes ``gallery/NAME.png`` for each run of Craftax, with the start in red, and prints a Markdown table: the
mean distance in tiles and its standard error, beside that in as many new worlds (domain randomisation).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from garten.craftax.env import make
from garten.curriculum.build import build
from garten.curriculum.gallery import RESOURCES, favourites, mean_distances, picture
from garten.curriculum.periods import Periodic
from garten.curriculum.worlds import first_floors, new_world
from garten.errors import without_traceback
from garten.runs.checkpoint import latest_checkpoint
from garten.runs.folder import RunFolder
from garten.training.curricula import DiCodeSettings
from garten.training.saved import restore_source
from garten.training.sources import FreshWorlds
from garten.training.stored import config_of


def main() -> None:
    """Draw the runs' favourites and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--into", type=Path, default=Path("gallery"))
    parser.add_argument("--count", type=int, default=32, help="levels of each run (default: 32)")
    asked = parser.parse_args()
    if asked.count < 1:
        parser.error(f"--count is {asked.count}; give at least 1")
    found = [(run.name, liked(run, asked.count)) for run in asked.runs]
    asked.into.mkdir(parents=True, exist_ok=True)
    names = [block.name.lower() for block in RESOURCES]
    print(f"| levels of | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}")
    random = np.random.default_rng(0)
    fresh = [new_world(random) for _ in range(asked.count)]
    for name, levels in [("new worlds", fresh), *found]:
        floors = first_floors("Craftax", levels)
        drawn = Image.fromarray(picture(floors)).quantize()  # two dozen colours: nothing is lost
        drawn.save(asked.into / f"{name.replace(' ', '-')}.png", optimize=True)
        told = mean_distances(floors)
        cells = ["{:.1f} ± {:.1f}".format(*told[each]) if each in told else "none" for each in names]
        print(f"| {name} | {' | '.join(cells)} |")


def liked(run: Path, count: int) -> list[object]:
    """The levels that a run likes best."""
    folder = RunFolder.open(run)
    config, found = config_of(folder), latest_checkpoint(folder)
    of_files = config.levels or isinstance(config.curriculum, DiCodeSettings)
    source = FreshWorlds() if of_files else build(config)
    if config.game != "Craftax" or found is None or not isinstance(source, Periodic):
        raise SystemExit(
            f"{run} has no worlds to show; give a run of Craftax whose curriculum has world seeds, once kept."
        )
    restore_source(found, source, make("Craftax", num_envs=config.rollout.lanes))
    return favourites(source, count)


if __name__ == "__main__":
    with without_traceback():
        main()
