"""The search player: a round of few, well-spent games over skills, colours and parameters.

A round's games go in batches, all of a batch on one layout, each smaller than the one before: new and varied
candidates beside the most hopeful inherited ones first, then mostly the better ones again. What all earlier
players found is pooled, so that later rounds vary what is good and test it again.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from garten.practice.players.search.belief import Belief, hopeful, trusted
from garten.practice.players.search.evidence import Outcome, Record
from garten.practice.players.search.grammar import Candidate, key_of
from garten.practice.players.search.knowledge import Knowledge
from garten.practice.players.search.lessons import (
    failed_lesson,
    merged,
    read_lessons,
    same_colors,
    skill_lesson,
    surroundings_lesson,
)
from garten.practice.players.search.motor import read_motor
from garten.practice.players.search.seat import SearchSeat
from garten.practice.players.search.weights import space_of
from garten.practice.players.search.words import say_steps
from garten.records import Brief, Note, Plan, Review, Writing

_SHARE = 0.34  # of the games left that a batch takes, so that each is smaller than the one before
_SURVEYS_OF_NUMBERS = 2  # first games that only vary the numbers of actions ...
_MANY = 6  # ... where there are at least so many games
_LESSONS = 3  # skills that get a lesson of their own in one round
_POOL = 60  # variations drawn, of which the most hopeful are played
_PARENTS = 6  # most trusted candidates that are varied
_BOLDNESS = 2.0  # standard deviations of hope in choosing what to play
_CAUTION = 1.0  # standard deviations of caution in choosing what to trust
_DRAWN = 0.15  # share of new candidates that are no variations
_FRESH_FIRST = 0.75  # share of a round's first batch that was never played before
_FRESH_LATER = 0.3  # of its later batches


class SearchPlayer:
    """A `Player` without a language model."""

    def __init__(self, brief: Brief) -> None:
        self._brief = brief
        self._rng = random.Random(brief.seed)
        self._roles = sorted(brief.tasks)
        inherited = read_lessons(brief.playbook, self._roles)
        self._doubts = inherited.doubts
        self._parts = inherited.parts  # knowledge, the inherited first
        self._found: list[Knowledge] = []  # knowledge of this round's games
        self._knowledge = merged(self._parts)
        self._evidence = same_colors(inherited.evidence, self._knowledge)
        self._layouts = 0  # used so far, counted from a first one of the player's own
        self._first_layout = self._rng.randrange(max(1, brief.layouts))
        self._games: dict[str, str] = {}  # own games: a program of each
        self._own: dict[str, None] = {}  # keys of candidates played this round, in order
        self._errors: list[str] = []
        self._surveys: list[str] = []

    # --- playing ---------------------------------------------------------------------------------

    def propose(self, left: int) -> Sequence[Plan]:
        """A survey if nothing is known yet, else the next batch on a layout of its own."""
        if self._knowledge.palette is None and not self._surveys:
            numbers = any(read_motor(task.actions).handles for task in self._brief.tasks.values())
            count = _SURVEYS_OF_NUMBERS if numbers and left >= _MANY else 1
            return [Plan(self._next_layout(), self._data({})) for _ in range(count)]
        first = self._layouts <= len(self._surveys)
        count = left if left <= 2 else max(1, round(_SHARE * left))
        chosen = self._choose(count, fresh=_FRESH_FIRST if first else _FRESH_LATER)
        layout = self._next_layout()
        return [Plan(layout, self._data(candidate)) for candidate in chosen]

    def review(self, games: Sequence[Review]) -> None:
        """Put the games on record."""
        for game in games:
            episode = game.episode
            self._games[game.game] = _telling_program(game)
            for role in sorted(episode.notes):
                self._learn(episode.notes[role], game.game)
            steps = game.plan.data["steps"]
            if not steps:
                self._surveys.append(game.game)
            if episode.score is None:
                self._errors.append(game.game)
            elif steps:
                score = episode.score
                outcome = Outcome(game.game, self._brief.round, game.plan.layout, score.value, score.progress)
                self._evidence.add(steps, [outcome])
                self._own[key_of(steps)] = None
        self._knowledge = merged([*self._parts, *self._found])

    def best(self) -> Mapping[str, Any]:
        """The most trusted candidate; without any, a survey."""
        ranked = self._crowned()
        return self._data(ranked[0].candidate if ranked else {})

    @staticmethod
    def seat(brief: Brief, role: str, plan: Mapping[str, Any], *, seed: int, folder: str) -> SearchSeat:
        """A seat that plays a candidate with what is known of the surroundings."""
        knowledge = Knowledge.from_data(plan["knowledge"])
        steps = plan["steps"].get(role, [])
        return SearchSeat(brief.tasks[role], knowledge, steps)

    # --- choosing --------------------------------------------------------------------------------

    def _choose(self, count: int, *, fresh: float) -> list[Candidate]:
        """New candidates until something scores; then played ones again, beside variations and some new.

        `fresh` is the share of the batch that was never played before. Who cannot walk has only cycles of
        plain actions to go through, so many that progress must lead to the first score.
        """
        records = self._evidence.played
        space = space_of(self._brief.tasks.values(), self._knowledge, records)
        belief = Belief(records)
        scored = [one for one in trusted(belief, self._evidence.records, caution=0.0) if one.mean > 0.0]
        if not scored and space.plain:
            scored = [
                one for one in trusted(belief, self._evidence.records, caution=0.0) if one.progress > 0.0
            ]
        if not scored:
            return [space.draw(self._rng) for _ in range(count)]
        untried = round(fresh * count) if count > 2 else 0
        drawn = round(_DRAWN * untried)
        again = hopeful(belief, [one.candidate for one in scored], count - untried, boldness=_BOLDNESS)
        parents = [one.candidate for one in scored[:_PARENTS]]
        pool = [space.vary(self._rng.choice(parents), self._rng) for _ in range(_POOL)]
        new = {key_of(one): one for one in pool if key_of(one) not in self._evidence.records}
        wanted = count - len(again) - drawn
        varied = hopeful(belief, list(new.values()), wanted, boldness=_BOLDNESS)
        return again + varied + [space.draw(self._rng) for _ in range(count - len(again) - len(varied))]

    def _crowned(self) -> list[Record]:
        """Played candidates, the most trusted first; none on the strength of one lucky game, if it can be."""
        ranked = trusted(Belief(self._evidence.played), self._evidence.records, caution=_CAUTION)
        return sorted(ranked, key=lambda one: len(one.outcomes) < 2 or one.mean == 0.0)

    def _next_layout(self) -> int:
        layout = (self._first_layout + self._layouts) % self._brief.layouts
        self._layouts += 1
        return layout

    def _data(self, candidate: Candidate) -> dict[str, Any]:
        return {"steps": candidate, "knowledge": self._knowledge.to_data()}

    def _learn(self, note: Any, game: str) -> None:
        """Take over what a seat found out."""
        try:
            self._found.append(Knowledge.from_data(note))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self._doubts.append(f"What a seat noted in {game} cannot be read ({error}).")

    # --- writing ---------------------------------------------------------------------------------

    def write(self) -> Writing:
        """Lessons on the best skills, on what did not help, and on the surroundings; and the note."""
        played = [record for record in self._crowned() if set(record.outcomes) & set(self._games)]
        good = [record for record in played if record.mean > 0.0][:_LESSONS]
        rest = [record for record in played if record not in good]
        lessons = [
            skill_lesson(self._brief, record, self._evidence, rank=rank, games=self._games)
            for rank, record in enumerate(good, start=1)
        ]
        if rest:
            lessons.append(failed_lesson(self._brief, rest, self._games))
        if self._found:
            found = merged(self._found)
            lessons.append(surroundings_lesson(self._brief, self._knowledge, found, list(self._games)))
        return Writing(tuple(lessons), self._note(good, rest))

    def _note(self, good: Sequence[Record], rest: Sequence[Record]) -> Note:
        observed = [
            f"{_line(record)} scored {record.mean:.0f} on average ({', '.join(record.outcomes)})."
            for record in good
        ]
        if not good:
            observed.append("Nothing scored.")
        movers = self._knowledge.movers
        doubts = [f"{_line(record)} rests on one game." for record in good if len(record.outcomes) == 1]
        doubts += [f"Game {game} ended in an error." for game in self._errors]
        doubts += self._doubts
        test_next = [f"{_line(record)} on more layouts." for record in good[:1]]
        test_next += ["Variations of its parameters."] if good else ["Other colours and other skills."]
        return Note(
            author=self._brief.name,
            round=self._brief.round,
            tried=f"{len(self._own)} candidates in {len(self._games)} games; {len(rest)} did not help.",
            observed=" ".join(observed) + (f" {len(movers)} colours move." if movers else ""),
            doubts=" ".join(doubts) or "None beyond the small number of games.",
            test_next=" ".join(test_next),
        )


def _telling_program(game: Review) -> str:
    """The longest program of a game: the one that shows most."""
    sources = [submission.source for submission in game.episode.submissions]
    return max(sources, key=len, default="")


def _line(record: Record) -> str:
    plans = [say_steps(steps) for steps in record.candidate.values()]
    line = plans[0] if len(set(plans)) == 1 else " / ".join(plans)
    return line[0].upper() + line[1:]
