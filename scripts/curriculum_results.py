"""What curricula teach at equal steps: one table of all methods, curves, and raw numbers.

    python scripts/curriculum_results.py --commands            # what makes the runs, and all of this
    python scripts/curriculum_results.py runs/* --into docs/results/curricula

Runs of a method that differ in nothing but their seed are one row; a method without a run is marked. What is
taken is what the runs hold: quick evaluations on the way, and the published one of the last policy, which
`garten evaluate` makes. `--quick` takes the last quick one for it, to look at runs under way. Writes
`curricula.svg`, curves, and `curricula.json`, every number that the tables come from; prints the tables as
Markdown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from learning_results import Learned, achievements, lengths, numbers, raw, read, seeds, spread, table

from garten.curriculum.archive import read_archive
from garten.errors import without_traceback
from garten.report.curves import compare_svg
from garten.runs.events import read_events
from garten.runs.folder import RunFolder
from garten.runs.storage import write_atomic
from garten.training.config import Config, override, preset
from garten.training.curricula import DiCodeSettings
from garten.training.results import PUBLISHED, QUICK, standings
from garten.training.stored import evaluate_random

STEPS, POLICY = 2_000_000, "gru"
"""Of the comparison."""


@dataclass(frozen=True)
class Method:
    """A row of the table.

    Attributes:
        name: of it.
        curriculum: as `garten train` has it.
        changes: of settings, as its ``--set`` has them.
        seeds: how many runs there are to be.
        published: percent of the maximum return after two billion steps (Dreaming in Code); None if it is
            told in figures only.
    """

    name: str
    curriculum: str
    changes: tuple[str, ...] = ()
    seeds: int = 1
    published: float | None = None

    def config(self, policy: str) -> Config:
        """Settings of its runs."""
        return override(preset("laptop", policy, curriculum=self.curriculum), self.changes)

    def commands(self, seed: int) -> tuple[str, str]:
        """What trains a run, and what evaluates it."""
        name = f"{self.name.replace(',', '').replace(' ', '-')}-{seed}"
        options = " ".join(f"--set {change}" for change in self.changes)
        asked = f"--policy {POLICY} --curriculum {self.curriculum} --steps {STEPS} --seed {seed}"
        return (
            f"garten train craftax {asked} --name {name} {options}".rstrip(),
            f"garten evaluate runs/{name}",
        )


METHODS = (
    Method("none", "none", seeds=3, published=18.4),
    Method("dr", "dr", seeds=3),
    Method("plr", "plr", seeds=3),
    Method("sfl", "sfl", seeds=3),
    Method("dicode", "dicode", seeds=3, published=21.5),
    Method("plr-robust", "plr-robust"),
    Method("accel", "accel"),
    Method("dicode, random parents", "dicode", ("curriculum.parents=random",), published=20.5),
    Method("dicode, highest scores as parents", "dicode", ("curriculum.parents=top",)),
    Method("dicode, open loop", "dicode", ("curriculum.parents=none",), published=18.2),
    Method("dicode, goals only", "dicode", ("curriculum.goals_only=true",), published=18.9),
    Method("dicode, simple seeds", "dicode", ("curriculum.simple_seeds=true",), published=20.9),
    Method(
        "dicode, parents as published",
        "dicode",
        ("curriculum.keep=0", "curriculum.failing=0", "curriculum.nothing=0"),
    ),
    Method("dicode, twice the return as bonus", "dicode", ("curriculum.bonus_factor=2",)),
    Method("dicode, half of the lanes in the target game", "dicode", ("curriculum.target=0.5",)),
)
"""All rows, in their order. Published ones are PPO-GTrXL's, without a curriculum in the first."""


AFTERWARDS = (
    "python scripts/curriculum_results.py runs/* --into docs/results/curricula",
    "python scripts/curriculum_gallery.py runs/{dr,plr,sfl,accel}-0 --into docs/results/curricula",
)
"""Tables and pictures of all runs."""


def main() -> None:
    """Read the runs, write curves and numbers, print the tables; or print commands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="*", metavar="RUN")
    parser.add_argument("--into", type=Path, help="folder for curves and numbers")
    parser.add_argument("--quick", action="store_true", help="take the last quick evaluation of each run")
    parser.add_argument("--commands", action="store_true", help="print what makes the runs, and end")
    options = parser.parse_args()
    if options.commands:
        print("\n".join([*(one for seed in range(3) for one in commands(seed)), *AFTERWARDS]))
        return
    if not options.runs or options.into is None:
        parser.error("give runs, and a folder with --into")

    protocol = QUICK if options.quick else PUBLISHED
    found = [(folder, read(folder, protocol)) for folder in map(RunFolder.open, options.runs)]
    baseline = evaluate_random(found[0][0], protocol, game=found[0][1].config.game)
    rows = by_method([learned for _, learned in found])
    dreams = {learned.name: dreamt(folder) for folder, learned in found if is_dream(learned)}
    curves = {name: standings([run.curve for run in family]) for name, family in rows.items() if family}
    told = {
        "random": numbers(baseline),
        "runs": [
            {**raw(run), "method": name, **dreams.get(run.name, {})}
            for name, family in rows.items()
            for run in family
        ],
        "unrun": [name for name, family in rows.items() if not family],
    }
    write_atomic(options.into / "curricula.svg", compare_svg(curves, baseline).encode())
    write_atomic(options.into / "curricula.json", json.dumps(told, indent=1).encode())
    ran = {name: family for name, family in rows.items() if family}
    print(f"{protocol.name} evaluation\n\n{returns(rows)}\n")
    if dreams:
        print(f"{levels(dreams)}\n")
    print(achievements(found[0][1].config.game, ran, baseline))


def commands(seed: int) -> list[str]:
    """What makes the runs of a seed."""
    return [one for method in METHODS if seed < method.seeds for one in method.commands(seed)]


def by_method(runs: Sequence[Learned]) -> dict[str, list[Learned]]:
    """Runs by the name of their method, in the table's order; they differ in their curriculum and seed alone.

    Raises:
        SystemExit: a run is of no method of the table, two are one run, or something else differs.
    """
    rows: dict[str, list[Learned]] = {method.name: [] for method in METHODS}
    common = {plain(run.config) for run in runs}
    if len(common) > 1:
        raise SystemExit("Runs differ in more than curriculum and seed; give those of one network and steps.")
    for run in sorted(runs, key=lambda run: run.config.seed):
        policy = run.config.network.kind
        names = [one.name for one in METHODS if one.config(policy).curriculum == run.config.curriculum]
        if not names:
            raise SystemExit(f"The curriculum of {run.name} is none of the table's; leave it out.")
        if run.config.seed in [other.config.seed for other in rows[names[0]]]:
            raise SystemExit(f"There are two runs of {names[0]} with the seed of {run.name}; leave one out.")
        rows[names[0]].append(run)
    return rows


def plain(config: Config) -> Config:
    """What runs of the table have in common."""
    return replace(config, seed=0, curriculum=None, tell_goal=False)


def returns(rows: Mapping[str, Sequence[Learned]]) -> str:
    """One row a method: over its seeds, each of them, and what was published."""
    lines = []
    for method in METHODS:
        family = rows[method.name]
        published = "" if method.published is None else f"{method.published:g}"
        if not family:
            lines.append([method.name, "not run", "", "", "", "", published])
            continue
        finals = [run.final for run in family]
        percents = [one.summary.percent_of_maximum for one in finals]
        lines.append(
            [
                method.name,
                seeds(family),
                spread([one.summary.mean_return for one in finals]),
                spread(percents),
                ", ".join(f"{percent:.2f}" for percent in percents),
                lengths(finals),
                published,
            ]
        )
    head = ["method", "seeds", "return", "% of maximum", "by seed", "steps of an episode"]
    return table([*head, "published, after 2 billion steps"], lines)


def is_dream(run: Learned) -> bool:
    """Whether a run dreams in code."""
    return isinstance(run.config.curriculum, DiCodeSettings)


def dreamt(folder: RunFolder) -> dict[str, Any]:
    """What a run of Dreaming in Code tells of its cycles and levels."""
    nodes = read_archive(folder).values()
    trained = [node for node in nodes if node.trainings]
    told = [event.data for event in read_events(folder.path) if event.kind == "generation"]
    successes = [
        training.performance.success
        for node in trained
        for training in node.trainings
        if training.performance.success is not None
    ]
    return {
        "cycles": 1 + max(training.cycle for node in trained for training in node.trainings),
        "asked": sum(each["asked"] for each in told),
        "admitted": sum(each["admitted"] for each in told),
        "trained": sum(node.origin == "generated" for node in trained),
        "goals": len({node.goal for node in trained}),
        "success": fmean(successes),
        "uncertain": fmean(0.25 <= one <= 0.75 for one in successes),
        "waited": sum(each["wall_waited"] for each in told),
    }


def levels(dreams: Mapping[str, Mapping[str, Any]]) -> str:
    """One row a run that dreams: its cycles, its levels, and how often those succeed."""
    head = ["run", "cycles", "levels asked for", "admitted", "trained", "different goals"]
    lines = [
        [
            name,
            *(str(told[key]) for key in ("cycles", "asked", "admitted", "trained", "goals")),
            f"{told['success']:.0%}",
            f"{told['uncertain']:.0%}",
            f"{told['waited']:.0f}",
        ]
        for name, told in dreams.items()
    ]
    return table([*head, "success in them", "of these 25 to 75%", "seconds waited"], lines)


if __name__ == "__main__":
    with without_traceback():
        main()
