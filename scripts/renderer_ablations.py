"""What each part of the renderer's training is worth at equal compute: one table by part.

    python scripts/renderer_ablations.py --commands --data clips --ae ae    # what makes the runs
    python scripts/renderer_ablations.py runs --data runs/clips --into docs/results/renderer

Two questions. How a block knows what was shown before: `network.history` attention, reprojected or both, in
stage causal. And what stage adversarial adds to a causal renderer: distribution matching with history taken
as given, the same with gradients through it (exact replay), and a judge beside it. Steps are set so that the
rows of a question cost equal CPU time, the last of them measured; the runs tell the seconds. Each renderer
streams the held-out clips of --data, with as many steps of denoising as --steps says. Writes
`ablations.json`, every number that the tables come from; prints the tables as Markdown, means over seeds
with their standard error. A row without a run is marked.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from learning_results import spread, table

from garten.devices import torch_threads
from garten.errors import without_traceback
from garten.renderer.data.reader import Clips
from garten.renderer.quality.evaluate import evaluate
from garten.renderer.quality.rollout import whole_frames
from garten.renderer.saved import load_renderer
from garten.renderer.training.saved import kept_renderer
from garten.runs.codec import to_json
from garten.runs.events import read_events
from garten.runs.folder import is_run
from garten.runs.storage import write_atomic

SEEDS = range(3)
PRESET = "xs"
SPLITS = ("layouts", "worlds")
SHOWN = ("psnr", "gain", "mask_share", "motion", "drift", "seams", "checkerboard")
"""Measures of the tables."""


@dataclass(frozen=True)
class Variant:
    """A row of a table.

    Attributes:
        name: of it, and of its runs.
        stage: that it trains.
        steps: of the stage, for as much CPU time as the other rows of its question take.
        changes: of settings, as ``--set`` has them.
    """

    name: str
    stage: str
    steps: int
    changes: tuple[str, ...] = ()

    def run(self, seed: int) -> str:
        """The name of its run."""
        return f"{self.name}-{seed}"


HISTORY = tuple(
    Variant(name, "causal", steps, (f"renderer.network.history={name}", "data.augment=false"))
    for name, steps in {"attention": 310, "reprojected": 252, "both": 214}.items()
)
"""How a block knows what was shown before: five minutes each."""

CAUSAL, TEACHER = Variant("causal", "causal", 630), Variant("teacher", "bidirectional", 720)
"""What stage adversarial begins from, ten minutes each: the published form of history, of a seed's own."""

ADVERSARIAL = (
    Variant("causal-longer", "causal", 190),
    Variant(
        "detached", "adversarial", 350, ("data.batch=1", "distill.history=false", "distill.adversarial=0")
    ),
    Variant("replay", "adversarial", 330, ("data.batch=1", "distill.adversarial=0")),
    Variant("replay-judge", "adversarial", 130, ("data.batch=1",)),
)
"""What learning from own frames adds to more of the causal stage: three minutes each."""

QUESTIONS = {"history": HISTORY, "adversarial": (CAUSAL, *ADVERSARIAL)}


def main() -> None:
    """Measure the runs, write the numbers, print the tables; or print commands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="?", help="folder of the runs")
    parser.add_argument("--data", required=True, help="run of clips: its name with --commands, else its path")
    parser.add_argument("--ae", help="with --commands: run of the autoencoder that all begin from")
    parser.add_argument("--clips", type=int, default=12, help="at most so many of each split")
    parser.add_argument("--steps", type=int, default=2, help="of denoising")
    parser.add_argument("--into", type=Path, help="folder for the numbers")
    parser.add_argument("--commands", action="store_true", help="print what makes the runs, and end")
    options = parser.parse_args()
    if options.commands:
        if options.ae is None:
            parser.error("give the autoencoder with --ae")
        print("\n".join(commands(options.data, options.ae)))
        return
    if options.runs is None or options.into is None:
        parser.error("give the folder of the runs, and a folder with --into")
    with torch_threads(1):
        rows = {
            question: [row(variant, options) for variant in variants]
            for question, variants in QUESTIONS.items()
        }
    write_atomic(options.into / "ablations.json", json.dumps(rows, indent=1).encode())
    for question, told in rows.items():
        for split in SPLITS:
            print(f"{question}, held-out {split}\n\n{shown(told, split)}\n")


def commands(data: str, ae: str) -> Iterator[str]:
    """What makes all runs, in an order in which each has what it begins from."""
    for seed in SEEDS:
        for variant in (*HISTORY, CAUSAL, TEACHER):
            yield command(variant, seed, data, f"--from {ae}")
        for variant in ADVERSARIAL:
            teacher = f" --teacher {TEACHER.run(seed)}" if variant.stage == "adversarial" else ""
            yield command(variant, seed, data, f"--from {CAUSAL.run(seed)}{teacher}")


def command(variant: Variant, seed: int, data: str, origin: str) -> str:
    """What makes one run."""
    asked = f"--preset {PRESET} --stage {variant.stage} --steps {variant.steps} --seed {seed}"
    changes = "".join(f" --set {change}" for change in variant.changes)
    return f"garten render train {asked} --data {data} {origin} --name {variant.run(seed)}{changes}"


def row(variant: Variant, options: argparse.Namespace) -> dict[str, Any]:
    """All that is known of a variant: by seed, its seconds and its quality by split."""
    found = [
        measured(options.runs / variant.run(seed), options)
        for seed in SEEDS
        if is_run(options.runs / variant.run(seed))
    ]
    return {"name": variant.name, "steps": variant.steps, "runs": found}


def measured(run: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What one run took, and how good its renderer is."""
    renderer = load_renderer(kept_renderer(run))
    seconds = sum(event.data["wall_seconds"] for event in read_events(run) if event.kind == "step")
    told: dict[str, Any] = {"run": run.name, "seconds": seconds}
    for split in SPLITS:
        place = [Path(options.data)]
        frames = whole_frames(Clips(place, frames=1, split=split).shortest, renderer.settings)
        clips = Clips(place, frames=frames, split=split)
        told[split] = to_json(evaluate(renderer, islice(clips, options.clips), steps=options.steps))
    return told


def shown(rows: Sequence[dict[str, Any]], split: str) -> str:
    """The table of a question on a split."""
    lines = []
    for told in rows:
        runs = told["runs"]
        if not runs:
            lines.append([told["name"], "not run", *[""] * (1 + len(SHOWN))])
            continue
        cells = [spread([run[split][name] for run in runs]) for name in SHOWN]
        minutes = fmean(run["seconds"] for run in runs) / 60.0
        lines.append([told["name"], str(len(runs)), f"{minutes:.0f}", *cells])
    return table(["", "seeds", "minutes of the stage", *(name.replace("_", " ") for name in SHOWN)], lines)


if __name__ == "__main__":
    with without_traceback():
        main()
