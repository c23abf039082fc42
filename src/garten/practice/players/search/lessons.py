"""Lessons: what a player knows as Markdown for any reader, and as data for the next search player."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from garten.practice.percepts import color_word
from garten.practice.players.search.evidence import Evidence, Outcome, Record
from garten.practice.players.search.grammar import Candidate, read_candidate
from garten.practice.players.search.knowledge import Knowledge, merge
from garten.practice.players.search.words import hue, say, say_steps
from garten.records import Brief, Lesson, Playbook

SKILL, FAILED, SURROUNDINGS = "search-skill", "search-failed", "search-surroundings"
"""Values of ``data["kind"]``."""


@dataclass
class Inheritance:
    """What a playbook tells a search player."""

    evidence: Evidence = field(default_factory=Evidence)
    parts: list[Knowledge] = field(default_factory=list)  # of the surroundings, one a lesson
    doubts: list[str] = field(default_factory=list)  # lessons that could not be read, and why


def read_lessons(playbook: Playbook, roles: Sequence[str]) -> Inheritance:
    """Everything in a playbook that this kind of player can use; what is malformed becomes a doubt."""
    found = Inheritance()
    for lesson in playbook.lessons:
        kind = lesson.data.get("kind") if isinstance(lesson.data, Mapping) else None
        try:
            if kind == SURROUNDINGS:
                found.parts.append(Knowledge.from_data(lesson.data["knowledge"]))
            elif kind in (SKILL, FAILED):
                entries = [
                    (read_candidate(entry["roles"], roles), [_read_outcome(one) for one in entry["games"]])
                    for entry in lesson.data["candidates"]
                ]
                for candidate, outcomes in entries:
                    found.evidence.add(candidate, outcomes)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            found.doubts.append(f"Lesson {lesson.name} of {lesson.author} cannot be read ({error}).")
    return found


def same_colors(evidence: Evidence, knowledge: Knowledge) -> Evidence:
    """The evidence with every colour replaced by the palette's own, so that equal skills meet."""
    palette = knowledge.palette
    if palette is None:
        return evidence

    @cache
    def nearest(color: tuple[int, ...], backdrop: bool) -> tuple[int, ...]:
        index = palette.nearest(color, backdrop=backdrop)
        return color if index is None else palette.colors[index]

    def change(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {name: change(part, name) for name, part in value.items()}
        return list(nearest(tuple(value), name == "by")) if isinstance(value, list) else value

    joined = Evidence()
    for record in evidence.records.values():
        candidate = {role: [change(step) for step in steps] for role, steps in record.candidate.items()}
        joined.add(candidate, record.outcomes.values())
    return joined


# --- writing -------------------------------------------------------------------------------------


def skill_lesson(
    brief: Brief, record: Record, evidence: Evidence, *, rank: int, games: Mapping[str, str]
) -> Lesson:
    """The lesson of one candidate; `games` maps own game ids to a program played in each."""
    team = next(iter(brief.tasks.values())).team
    own = [game for game in record.outcomes if game in games]
    status = evidence.status(record)
    scores = ", ".join(f"{one.score:.0f}" for one in record.outcomes.values())
    summary = _summary(record.candidate)
    best = max(own, key=lambda game: record.outcomes[game].score, default=None)
    body = [
        f"# {summary[0].upper()}{summary[1:]}",
        "",
        f"Mean score {record.mean:.0f} over {len(record.outcomes)} games ({scores}); all candidates together "
        f"{evidence.common:.0f}.",
        "",
        "## How",
        *[f"- {role}: {say_steps(steps)}" for role, steps in record.candidate.items()],
        "",
        "Look after every few actions, keep a map of what was seen where, and plan again from it:",
        "",
        "```python",
        "\n".join(_sketch(record.candidate)),
        "```",
        "",
        "## Games",
        "| game | layout | score | progress |",
        "| --- | --- | --- | --- |",
        *[
            f"| {one.game} | {one.layout} | {one.score:.1f} | {one.progress:.2f} |"
            for one in record.outcomes.values()
        ],
    ]
    if best is not None:
        body += ["", f"## A program it played in {best}", "```python", games[best].rstrip(), "```"]
    return Lesson(
        name=f"{_slug(record.candidate)}-{rank}",
        description=f"{summary[:200]}; scored {record.mean:.0f} on average in {len(record.outcomes)} games.",
        body="\n".join(body) + "\n",
        status=status,  # type: ignore[arg-type]
        world=next(iter(brief.tasks.values())).world,
        role=team,
        round=brief.round,
        author=brief.name,
        evidence=tuple(own),
        data={"kind": SKILL, "candidates": [_entry(record, own)]},
    )


def failed_lesson(brief: Brief, records: Sequence[Record], games: Iterable[str]) -> Lesson:
    """One lesson for all that was tried and is not worth a lesson of its own."""
    games = set(games)
    task = next(iter(brief.tasks.values()))
    lines = [
        f"- {_summary(record.candidate)}: {', '.join(f'{one.score:.0f}' for one in record.outcomes.values())}"
        for record in records
    ]
    own = sorted(game for record in records for game in record.outcomes if game in games)
    never = all(record.mean == 0.0 for record in records)
    return Lesson(
        name="what-did-not-help",
        description="What was tried in this round and scored little or nothing: look elsewhere first.",
        body="\n".join(["# What did not help", "", "Each with the scores of its games.", "", *lines]) + "\n",
        status="refuted" if never else "claim",
        world=task.world,
        role=task.team,
        round=brief.round,
        author=brief.name,
        evidence=tuple(own),
        data={
            "kind": FAILED,
            "candidates": [_entry(one, [game for game in one.outcomes if game in games]) for one in records],
        },
    )


def surroundings_lesson(brief: Brief, knowledge: Knowledge, found: Knowledge, games: Sequence[str]) -> Lesson:
    """What is known about eye, stride and colours; its data hold only what this round `found`."""
    task = next(iter(brief.tasks.values()))
    palette, lens = knowledge.palette, knowledge.lens
    lines = ["# Eye, stride and surroundings", ""]
    if lens is not None:
        lines += [
            f"- The view is {2 * math.degrees(lens.half_view):.0f} degrees wide; one left turn goes "
            f"{math.degrees(lens.turn):.0f} degrees to the left.",
            "- Lengths are in strides: one stride is the way of one forward action. "
            f"Distance = size in strides x {lens.focal:.0f} / height in pixels.",
        ]
    if palette is not None:
        lines += ["", "| colour | size in strides | moves |", "| --- | --- | --- |"]
        for index in palette.things:
            size = knowledge.sizes.get(index)
            looks, moved = knowledge.shifts.get(index, (0, 0))
            moves = (
                f"{'yes' if index in knowledge.movers else 'no'} ({moved} of {looks} looks)" if looks else "?"
            )
            lines.append(
                f"| {hue(palette.colors[index])} | {f'{size.strides:.2f}' if size else '?'} | {moves} |"
            )
        ground = ", ".join(color_word(palette.colors[index]) for index in palette.backdrop)
        lines += ["", f"Ground, sky and the like: {ground or 'none'}."]
    return Lesson(
        name="eye-stride-and-surroundings",
        description="How wide the view is, how far a turn goes, how large things are, and which move.",
        body="\n".join(lines) + "\n",
        status="tested" if lens is not None and len(games) >= 3 else "claim",
        world=task.world,
        role=task.team,
        round=brief.round,
        author=brief.name,
        evidence=tuple(games),
        data={"kind": SURROUNDINGS, "knowledge": found.to_data()},
    )


def _summary(candidate: Candidate) -> str:
    """A candidate in one line."""
    plans = {role: say_steps(steps) for role, steps in candidate.items()}
    if len(set(plans.values())) == 1:
        return next(iter(plans.values()))
    return "; ".join(f"{role}: {plan}" for role, plan in plans.items())


def _slug(candidate: Candidate) -> str:
    """A name for a candidate's lesson: what its first role does in the end, in a few words."""
    step = next(iter(candidate.values()))[-1]
    colors = [color_word(step[name]) for name in ("a", "towards", "b") if name in step]
    if step["do"] in ("act", "use"):
        colors = [re.sub(r"[^a-z0-9]+", "-", step["action"].lower()).strip("-")]
    joint = {"push": "to", "between": "and"}.get(step["do"], "")
    words = [step["do"].replace("_", "-"), f"-{joint}-".join(colors) if joint else "-".join(colors)]
    return "-".join(word for word in words if word)


def _sketch(candidate: Candidate) -> list[str]:
    """A candidate as Python over named skills."""
    lines: list[str] = []
    for role, steps in candidate.items():
        lines.append(f"def {role.replace('-', '_')}():")
        for step in steps:
            given = ", ".join(
                f"{name}={color_word(value) if isinstance(value, list) else value!r}"
                for name, value in step.items()
                if name not in ("do", "until")
            )
            until = f"  # {say(step).rpartition(' until ')[2]}" if "until" in step else ""
            lines.append(f"    {step['do']}({given}){until}")
    return lines


def _entry(record: Record, games: Sequence[str]) -> dict[str, Any]:
    """A candidate with some of its games in JSON types."""
    chosen = [record.outcomes[game] for game in games]
    return {
        "roles": record.candidate,
        "games": [[one.game, one.round, one.layout, one.score, one.progress] for one in chosen],
    }


def _read_outcome(data: Any) -> Outcome:
    game, number, layout, score, progress = data
    outcome = Outcome(str(game), int(number), int(layout), float(score), float(progress))
    if not (0.0 <= outcome.score <= 100.0 and -1e3 <= outcome.progress <= 1e3):
        raise ValueError("a game has a score or progress that cannot be")
    return outcome


def merged(parts: Sequence[Knowledge]) -> Knowledge:
    """All parts as one, or nothing known."""
    return merge(parts) if parts else Knowledge()
