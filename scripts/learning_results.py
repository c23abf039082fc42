"""What training runs learned: tables, curves and raw numbers of runs that are there, by kind of agent.

    python scripts/learning_results.py runs/* --into docs/results/learning

Runs that differ in nothing but their seed are one row: mean over the seeds, with its standard error. What is
taken is what the runs hold: the quick evaluations that training made on the way, and the published one of the
last policy, which `garten evaluate` makes. Writes `GAME.svg`, curves, and `GAME.json`, every number that the
tables come from; prints the tables as Markdown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from garten.errors import without_traceback
from garten.report.curves import compare_svg
from garten.runs.folder import RunFolder
from garten.runs.storage import write_atomic
from garten.training.config import Config
from garten.training.results import (
    PUBLISHED,
    QUICK,
    Evaluation,
    Protocol,
    achievement_rewards,
    standings,
)
from garten.training.stored import config_of, evaluate_random, stored


@dataclass(frozen=True)
class Learned:
    """A run: its settings, quick evaluations on the way, the published one of its last policy."""

    name: str
    config: Config
    curve: tuple[Evaluation, ...]
    final: Evaluation


def main() -> None:
    """Read the runs, write curves and numbers, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--into", type=Path, required=True, help="folder for curves and numbers")
    options = parser.parse_args()

    folders = [RunFolder.open(run) for run in options.runs]
    games: dict[str, list[tuple[RunFolder, Learned]]] = {}
    for folder in folders:
        learned = read(folder)
        games.setdefault(learned.config.game, []).append((folder, learned))
    for game, runs in sorted(games.items()):
        baseline = evaluate_random(runs[0][0], PUBLISHED, game=game)
        kinds = by_kind([learned for _, learned in runs])
        lines = {label: standings([run.curve for run in family]) for label, family in kinds.items()}
        write_atomic(options.into / f"{game.lower()}.svg", compare_svg(lines, baseline).encode())
        told = {"random": numbers(baseline), "runs": [raw(learned) for _, learned in runs]}
        write_atomic(options.into / f"{game.lower()}.json", json.dumps(told, indent=1).encode())
        print(f"{game}\n\n{returns(kinds, baseline)}\n\n{achievements(game, kinds, baseline)}\n")


def read(folder: RunFolder, protocol: Protocol = PUBLISHED) -> Learned:
    """What a run holds.

    Raises:
        SystemExit: its last policy was not evaluated by that protocol.
    """
    found = [one for one in stored(folder, protocol) if one.trained_steps]
    if not found:
        raise SystemExit(
            f"{folder.path} has no {protocol.name} evaluation; make it by garten evaluate, or leave it out."
        )
    curve = tuple(one for one in stored(folder, QUICK) if one.trained_steps)
    return Learned(folder.path.name, config_of(folder), curve, found[-1])


def by_kind(runs: Sequence[Learned]) -> Mapping[str, Sequence[Learned]]:
    """Runs that differ in nothing but their seed, by what they are."""
    families: dict[Config, list[Learned]] = {}
    for run in sorted(runs, key=lambda run: run.config.seed):
        families.setdefault(replace(run.config, seed=0), []).append(run)
    names = [
        f"{label(config)}, seed{'s' * (len(family) > 1)} {seeds(family)}"
        for config, family in families.items()
    ]
    if len(set(names)) < len(names):
        raise SystemExit("Runs of one name differ in more than their seed; give those of one kind only.")
    return dict(zip(names, families.values(), strict=True))


def seeds(family: Sequence[Learned]) -> str:
    """Those of some runs, such as `0 to 2` or `4`."""
    numbers = [run.config.seed for run in family]
    whole = numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1
    return f"{numbers[0]} to {numbers[-1]}" if whole else ", ".join(map(str, numbers))


def label(config: Config) -> str:
    """Network, what was added to it, and steps in a few words."""
    bonus = [f"{config.bonus.kind} ({config.bonus.scale:g})"] if config.bonus else []
    added = [*bonus, *([config.curriculum.kind] if config.curriculum else [])]
    return " ".join([" with ".join([config.network.kind, *added]), f"{config.steps / 1e6:g}M"])


def returns(kinds: Mapping[str, Sequence[Learned]], baseline: Evaluation) -> str:
    """One row for each kind of agent: over its seeds, and each of them."""
    summary = baseline.summary
    rows = [
        ["random", f"{summary.mean_return:.2f}", f"{summary.percent_of_maximum:.2f}", "", lengths([baseline])]
    ]
    for name, family in kinds.items():
        finals = [run.final for run in family]
        rows.append(
            [
                name,
                spread([one.summary.mean_return for one in finals]),
                spread([one.summary.percent_of_maximum for one in finals]),
                ", ".join(f"{one.summary.percent_of_maximum:.2f}" for one in finals),
                lengths(finals),
            ]
        )
    return table(["agent", "return", "% of maximum", "by seed", "steps of an episode"], rows)


def achievements(game: str, kinds: Mapping[str, Sequence[Learned]], baseline: Evaluation) -> str:
    """Percent of episodes that unlock each achievement that anybody unlocks, over the seeds."""
    rows = []
    for name, reward in achievement_rewards(game).items():
        percents = [
            [100.0 * run.final.summary.achievements[name] for run in family] for family in kinds.values()
        ]
        if max(map(fmean, percents)) >= 0.05:
            cells = [[100.0 * baseline.summary.achievements[name]], *percents]
            rows.append([name.replace("_", " "), f"{reward:g}", *(spread(one, digits=1) for one in cells)])
    return table(["achievement", "reward", "random", *kinds], rows)


def raw(run: Learned) -> dict[str, Any]:
    """Every number of a run that the tables and curves come from."""
    return {
        "run": run.name,
        "agent": label(run.config),
        "seed": run.config.seed,
        "steps": run.final.trained_steps,
        "curve": [
            [one.trained_steps, one.summary.mean_return, one.summary.standard_error] for one in run.curve
        ],
        **numbers(run.final),
    }


def numbers(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation without its single episodes."""
    summary = evaluation.summary
    return {
        "return": summary.mean_return,
        "standard_error": summary.standard_error,
        "percent": summary.percent_of_maximum,
        "length": summary.mean_length,
        "ends": dict(summary.ends),
        "achievements": {name: share for name, share in summary.achievements.items() if share},
    }


def spread(values: Sequence[float], *, digits: int = 2) -> str:
    """Mean and standard error over seeds; of a single one its value alone."""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return f"{fmean(values):.{digits}f} ± {stdev(values) / len(values) ** 0.5:.{digits}f}"


def lengths(evaluations: Sequence[Evaluation]) -> str:
    """Mean steps of an episode."""
    return f"{fmean(one.summary.mean_length for one in evaluations):.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    with without_traceback():
        main()
