"""Evaluations as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from garten.training.results import ENDS, Evaluation, Standing, achievement_rewards

_LISTED = 20
"""Unfinished worlds that are named; the JSON names all."""


def page(evaluations: Sequence[Evaluation]) -> str:
    """Everything that was found, side by side.

    Args:
        evaluations: of one game by one protocol, at least one.
    """
    tables = (_returns(evaluations), _yields(evaluations), _achievements(evaluations))
    cut_short = "\n".join(filter(None, map(_unfinished, evaluations)))
    return "\n\n".join(filter(None, [_protocol(evaluations[0]), *tables, cut_short]))


def families(lines: Mapping[str, Sequence[Standing]]) -> str:
    """How well runs do that differ in nothing but their seed; empty without such runs."""
    rows = [
        (name, f"{one.trained_steps:,}", _with_error(one.percent_of_maximum, one.percent_error))
        for name, line in lines.items()
        for one in line
        if one.runs > 1
    ]
    return _table(("over seeds", "steps", "% of maximum"), rows) if rows else ""


def label(evaluation: Evaluation) -> str:
    """What was evaluated, in few letters."""
    steps = evaluation.trained_steps
    return f"{evaluation.agent} @{steps:,}" if steps else evaluation.agent


def _protocol(evaluation: Evaluation) -> str:
    asked, maximum = evaluation.protocol, sum(row.maximum for row in evaluation.summary.yields)
    return (
        f"{evaluation.game}, {asked.name} protocol: one episode in each of {asked.worlds:,} held-out worlds, "
        f"at most {asked.steps:,} steps. All achievements together give {maximum:g}."
    )


def _returns(evaluations: Sequence[Evaluation]) -> str:
    head = ("", "return", "% of maximum", "median", "length", *ENDS)
    return _table(
        head,
        [
            (
                label(one),
                _with_error(one.summary.mean_return, one.summary.standard_error),
                _with_error(one.summary.percent_of_maximum, one.summary.percent_error),
                f"{one.summary.median_return:.1f}",
                f"{one.summary.mean_length:.0f}",
                *(str(one.summary.ends[end]) for end in ENDS),
            )
            for one in evaluations
        ],
    )


def _yields(evaluations: Sequence[Evaluation]) -> str:
    """What each tier yielded of what it could, in rewards."""
    tiers = (f"{row.tier} (of {row.maximum:g})" for row in evaluations[0].summary.yields)
    rows = [(label(one), *(f"{row.reward:.2f}" for row in one.summary.yields)) for one in evaluations]
    return _table(("yield", *tiers), rows)


def _achievements(evaluations: Sequence[Evaluation]) -> str:
    """Shares of the episodes, of what at least one agent unlocked."""
    shares = [one.summary.achievements for one in evaluations]
    names = achievement_rewards(evaluations[0].game)
    unlocked = [name for name in names if any(share[name] for share in shares)]
    rows = [(name.replace("_", " "), *(f"{share[name]:.1%}" for share in shares)) for name in unlocked]
    return _table(("achievement", *map(label, evaluations)), rows)


def _unfinished(evaluation: Evaluation) -> str:
    """Which episodes the step limit cut short."""
    worlds = evaluation.summary.unfinished
    if not worlds:
        return ""
    more = f" and {len(worlds) - _LISTED} more" if len(worlds) > _LISTED else ""
    listed = ", ".join(map(str, worlds[:_LISTED]))
    return f"Cut short by the step limit, {label(evaluation)}: worlds {listed}{more}"


def _with_error(value: float, error: float | None) -> str:
    return f"{value:.2f}" if error is None else f"{value:.2f} ± {error:.2f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns, the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for first, *others in (head, *rows):
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)
