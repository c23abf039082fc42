"""Does practice help? Held-out scores of the last round against the first, over several seeds.

    python scripts/practice_results.py herding --seeds 5 --held-out 20 --into results

Prints one Markdown table, a line a seed, then the mean difference over pairs of equal layouts with its
standard error. Runs are kept below ``--into``; one that is there is resumed, so the script can be stopped at
any time.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean, stdev

from garten.devices import cores
from garten.practice.results import RoundResult
from garten.practice.rounds import Asked, practise
from garten.runs.codec import to_json
from garten.runs.resume import begin


def main() -> None:
    """Run the seeds and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("world")
    parser.add_argument("--seeds", type=int, default=5, help="run seeds 0, 1, ... (default: 5)")
    parser.add_argument("--held-out", type=int, default=20, help="held-out layouts per round (default: 20)")
    parser.add_argument(
        "--into", type=Path, default=Path("results"), help="where runs are kept (default: results)"
    )
    parser.add_argument("--workers", type=int, default=cores(), help="games played side by side")
    options = parser.parse_args()

    rows, differences = [], []
    for seed in range(options.seeds):
        asked = Asked(world=options.world, seed=seed, held_out=options.held_out)
        path = options.into / f"{options.world}-{seed}"
        with begin(path, to_json(asked), seeds=[seed], kind="practice", resume=True) as run:
            results = practise(asked, run, workers=options.workers)
        rows.append((seed, results))
        differences += paired(results[0], results[-1])
    error = stdev(differences) / len(differences) ** 0.5
    print(table(rows))
    print(f"\nLast round less first: {fmean(differences):+.1f} ± {error:.1f} over {len(differences)} pairs")


def paired(first: RoundResult, last: RoundResult) -> list[float]:
    """Differences of score on equal layouts; a game without a score counts as 0."""
    assert [game.seed for game in first.held_out] == [game.seed for game in last.held_out]
    pairs = zip(first.held_out, last.held_out, strict=True)
    return [(after.score or 0.0) - (before.score or 0.0) for before, after in pairs]


def table(rows: list[tuple[int, tuple[RoundResult, ...]]]) -> str:
    """Held-out means by seed and round."""
    rounds = [f"round {result.round}" for result in rows[0][1]]
    lines = ["| seed | " + " | ".join(rounds) + " | last − first |", "|" + " --- |" * (len(rounds) + 2)]
    for seed, results in rows:
        means = [fmean(game.score or 0.0 for game in result.held_out) for result in results]
        cells = [f"{mean:.1f}" for mean in means]
        lines.append(f"| {seed} | " + " | ".join(cells) + f" | {means[-1] - means[0]:+.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
