"""Does practice help? Held-out scores by round over several run seeds: tables, curves and raw numbers.

    python scripts/practice_results.py herding --seeds 5 --held-out 20
    python scripts/practice_results.py bowling racing --games 8 --into docs/results/practice
    python scripts/practice_results.py herding --look neural --runs neural --into docs/results/practice/neural

Plays, for each world, one run of practice a seed; one that is there is resumed, so the script can be stopped
at any time. Prints a Markdown table for each world, a line a seed, with the mean difference between the last
round and the first over pairs of equal layouts. With ``--into`` it also writes ``WORLD.svg``, curves beside
the published figures and the scores of an expert and of careless play, and ``WORLD.json``, every number that
table and curves come from.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from garten.devices import cores
from garten.episodes.looks import look
from garten.errors import without_traceback
from garten.practice.results import Game, RoundResult
from garten.practice.rounds import KIND, Asked, practise
from garten.records import WorldSpec
from garten.report.charts import published_as_score
from garten.report.drawing import OURS, PUBLISHED, QUIET, chart, svg, whole_numbers
from garten.runs.codec import to_json
from garten.runs.resume import begin
from garten.runs.storage import write_atomic
from garten.worlds.find import load, origin
from garten.worlds.world import World

WORLDS = Path(__file__).parents[1] / "docs" / "worlds" / "README.md"
"""The page whose table of worlds ends with the scores of careless play and of an expert."""

_COUNTS = ("seeds", "rounds", "players", "games", "held_out")

Runs = Mapping[int, Sequence[RoundResult]]
"""By run seed, the rounds."""


def main() -> None:
    """Play or resume the runs, print the tables, write what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Asked(world="")
    parser.add_argument("worlds", nargs="+", metavar="WORLD")
    parser.add_argument("--seeds", type=int, default=3, help="run seeds 0, 1, ... (default: 3)")
    for name in _COUNTS[1:]:
        flag, value = f"--{name.replace('_', '-')}", getattr(default, name)
        parser.add_argument(flag, type=int, default=value, help=f"as of garten practice (default: {value})")
    parser.add_argument(
        "--look", default=default.look, help=f"as of garten practice (default: {default.look})"
    )
    parser.add_argument(
        "--runs", type=Path, default=Path("results"), help="where runs are kept (default: results)"
    )
    parser.add_argument("--into", type=Path, help="folder for curves and numbers; none: print only")
    parser.add_argument("--workers", type=int, default=cores(), help="games played side by side")
    options = parser.parse_args()
    for name in _COUNTS:
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")

    for world in [load(name) for name in options.worlds]:
        runs = {seed: played(world, seed, options) for seed in range(options.seeds)}
        name = world.label()
        print(f"{name}\n\n{table(runs)}\n\n{difference(runs)}\n", flush=True)
        if options.into:
            write_atomic(options.into / f"{name}.svg", curves(runs, world.spec).encode())
            write_atomic(options.into / f"{name}.json", json.dumps(numbers(runs, world.spec)).encode())


def played(world: type[World[Any]], seed: int, options: argparse.Namespace) -> Sequence[RoundResult]:
    """The rounds of one run, played now or read back."""
    asked = Asked(
        world=origin(world),
        seed=seed,
        rounds=options.rounds,
        players=options.players,
        games=options.games,
        held_out=options.held_out,
        look=look(options.look).name,
    )
    place = options.runs / f"{world.label()}-{seed}"
    with begin(place, to_json(asked), seeds=[seed], kind=KIND, resume=True) as run:
        return practise(asked, run, workers=options.workers)


def value(game: Game) -> float:
    """A game's score; one without a score counts as 0."""
    return game.score or 0.0


def means(results: Sequence[RoundResult]) -> list[float]:
    """The held-out mean of each round."""
    return [fmean(map(value, result.held_out)) for result in results]


def over_seeds(runs: Runs) -> list[tuple[float, float]]:
    """By round, the mean over seeds of the held-out means, and its standard error."""
    columns = zip(*map(means, runs.values()), strict=True)
    return [(fmean(one), stdev(one) / len(one) ** 0.5 if len(one) > 1 else 0.0) for one in columns]


def table(runs: Runs) -> str:
    """Held-out means by seed and round, and over the seeds."""
    rounds = [f"round {result.round}" for result in next(iter(runs.values()))]
    lines = ["| seed | " + " | ".join(rounds) + " | last − first |", "|" + " --- |" * (len(rounds) + 2)]
    for seed, results in runs.items():
        row = means(results)
        lines.append(
            f"| {seed} | " + " | ".join(f"{one:.1f}" for one in row) + f" | {row[-1] - row[0]:+.1f} |"
        )
    if len(runs) > 1:
        cells = [f"{mean:.1f} ± {error:.1f}" for mean, error in over_seeds(runs)]
        changes = [means(results)[-1] - means(results)[0] for results in runs.values()]
        error = stdev(changes) / len(changes) ** 0.5
        lines.append("| mean | " + " | ".join(cells) + f" | {fmean(changes):+.1f} ± {error:.1f} |")
    return "\n".join(lines)


def difference(runs: Runs) -> str:
    """The mean difference of score on equal layouts between the last round and the first, in a sentence."""
    pairs: list[float] = []
    for results in runs.values():
        first, last = results[0].held_out, results[-1].held_out
        assert [game.seed for game in first] == [game.seed for game in last]
        pairs += [value(after) - value(before) for before, after in zip(first, last, strict=True)]
    error = stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 0.0
    count = "1 pair" if len(pairs) == 1 else f"{len(pairs)} pairs"
    return f"Last round less first: {fmean(pairs):+.1f} ± {error:.1f} over {count} of equal layouts."


def references(name: str) -> dict[str, float | None]:
    """The scores of careless play and of an expert in a world; None for worlds that the page doesn't list."""
    row = re.search(
        rf"^\| \[{re.escape(name)}\].* \| ([\d.]+) \| ([\d.]+) \|$", WORLDS.read_text(), re.MULTILINE
    )
    return dict(zip(("careless", "expert"), map(float, row.groups()) if row else (None, None), strict=True))


def curves(runs: Runs, spec: WorldSpec) -> str:
    """The held-out score by round: each seed, their mean, and what to compare with; SVG text."""
    figure, axes = chart()
    for index, results in enumerate(runs.values()):
        label = "held-out, each run" if index == 0 else None
        axes.plot([one.round for one in results], means(results), color=QUIET, linewidth=1, label=label)
    rounds = [one.round for one in next(iter(runs.values()))]
    middle, errors = zip(*over_seeds(runs), strict=True)
    axes.errorbar(
        rounds, middle, errors, color=OURS, marker="o", capsize=4, label=f"mean of {len(runs)} ± SE"
    )
    for label, level in references(spec.name).items():
        if level is not None:
            axes.axhline(level, color=QUIET, linestyle=":", label=f"{label} {level:g}")
    if spec.published and published_as_score(spec):
        places = range(1, len(spec.published) + 1)
        axes.plot(places, spec.published, color=PUBLISHED, marker="s", linestyle="--", label="published")
    axes.set_ylim(-4, 104)
    whole_numbers(axes)
    return svg(figure, axes, xlabel="round", ylabel=f"{spec.name}, score of 100")


def numbers(runs: Runs, spec: WorldSpec) -> dict[str, Any]:
    """The score of every game of all runs, and what they are compared with."""
    return {
        "world": spec.name,
        **references(spec.name),
        "published": {"measure": spec.measure.name, "by_round": list(spec.published)},
        "runs": {seed: [scores(result) for result in results] for seed, results in runs.items()},
    }


def scores(result: RoundResult) -> dict[str, list[float | None]]:
    """A round's scores, of the games learned from and of those held out."""
    return {
        "games": [game.score for game in result.games],
        "held_out": [game.score for game in result.held_out],
    }


if __name__ == "__main__":
    with without_traceback():
        main()
