"""The rules author: writes levels from evidence, without a language model. It is the default.

It takes the parent's code apart, changes it in one of four ways, and writes the code of the child:

- success is usual: the goal grows along the technology tree, help is taken away and dials go back to the
  plain game, step by step and the faster the surer success is;
- success is rare: more help with what is met least;
- in between: the same with other numbers.

Which way is drawn by `WAYS`, everything from the request's seed. The examples of a request tell what was
asked for and learned elsewhere: goals grow by what few levels ask for, and build on what any level taught.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from garten.authors.craftax.kit import CraftaxKit
from garten.authors.edits import Case, Changed, ease, extend, restore, vary
from garten.authors.kit import Kit
from garten.authors.plan import Plan, read_plan, write_plan
from garten.domain import Answered, Domain, Draft, Known, Performance, Refusal, Request
from garten.errors import LevelError
from garten.seeds import derive

WAYS: tuple[tuple[float, Mapping[str, float]], ...] = (
    (0.9, {"extend": 0.7, "restore": 0.25, "vary": 0.05}),
    (0.75, {"extend": 0.6, "restore": 0.35, "vary": 0.05}),
    (0.5, {"extend": 0.4, "restore": 0.4, "vary": 0.2}),
    (0.25, {"ease": 0.5, "vary": 0.4, "restore": 0.1}),
    (0.0, {"ease": 0.9, "vary": 0.1}),
)
"""From which success on a way is taken how often; the bounds are those of an archive's statuses."""

UNTRIED: Mapping[str, float] = {"extend": 0.4, "vary": 0.2, "restore": 0.2, "ease": 0.2}
"""The same for a parent that was never trained."""

KNOWN, MASTERED = 0.5, 0.75
"""Share of episodes from which on an achievement is built on, and from which on it is no aim of its own."""

AT_TIMES = 0.1
"""Share of the target game's episodes from which on an achievement needs no help, only a gentle game."""

_TRIES = 16
"""Draws for a child unlike its parent and its siblings."""

_KITS: Mapping[str, type[Kit]] = {"Craftax": CraftaxKit}


def kit_for(domain: Domain) -> Kit:
    """The kit of a domain; one that knows nothing where there is none."""
    return _KITS.get(domain.name, Kit)()


class RulesAuthor:
    """A `garten.domain.Author` that needs no model."""

    def __init__(self, domain: Domain, kit: Kit | None = None, *, answered: Answered | None = None) -> None:
        """Write levels of a domain.

        Args:
            domain: used by one thread at a time.
            kit: to go by; the domain's own by default.
            answered: told each answer when it is there.
        """
        self._domain = domain
        self._answered = answered or (lambda number, answer: None)
        self._kit = kit_for(domain) if kit is None else kit

    def write(self, requests: Sequence[Request]) -> Sequence[Draft | Refusal]:
        """One answer for each request; no two drafts are the same code."""
        written = {known.source for request in requests for known in request.examples}
        asked: Counter[str] = Counter()  # goals of this batch
        answers: list[Draft | Refusal] = []
        for number, request in enumerate(requests):
            answer = self._answer(request, written, asked)
            if isinstance(answer, Draft):
                written.add(answer.source)
            answers.append(answer)
            self._answered(number, answer)
        return answers

    def _answer(self, request: Request, written: set[str], asked: Counter[str]) -> Draft | Refusal:
        parent = request.parent
        try:
            plan = self._plan(request)
        except LevelError as error:
            return Refusal(f"The parent cannot be read: {error}")
        except RecursionError:
            return Refusal("The parent's code is nested too deeply to be changed; choose another parent.")
        evidence = _evidence(parent)
        case = self._case(request, asked)
        for draw in range(_TRIES):
            rng = random.Random(derive(request.seed, "rules", draw))
            changed = self._changed(plan, case, parent.performance if parent else None, rng)
            if changed is None:
                continue
            source, description = self._written(changed.plan)
            new = source not in written and (parent is None or source != parent.source)
            if new and self._is_sound(changed.plan, source):
                asked.update(changed.plan.goal)
                return Draft(source, description, f"{evidence} {changed.words}")
        return Refusal("Every change that was tried is written already or unsound; choose another parent.")

    def _is_sound(self, plan: Plan, source: str) -> bool:
        """Whether a level passes its checks, which are run only where the rules do not make sure of it."""
        doubtful = bool(plan.kept) or self._kit.is_doubtful(plan.aids)
        return not doubtful or self._domain.check(source).passed

    def _plan(self, request: Request) -> Plan:
        if request.parent is None:
            return Plan(goal=())
        return read_plan(self._domain.read(request.parent.source), self._kit, self._domain.dials)

    def _case(self, request: Request, asked: Mapping[str, int]) -> Case:
        performances = [known.performance for known in request.examples if known.performance]
        own = request.parent.performance if request.parent else None
        seen = [each.achievements for each in (*performances, *([own] if own else []))]
        if request.parent is None and request.profile:
            seen = []  # what only levels taught, with their help, the target game has yet to see
        return Case(
            goals=self._domain.goals,
            needs=self._domain.needs,
            dials=self._domain.dials,
            kit=self._kit,
            rates=own.achievements if own else {},
            known=_met(KNOWN, request.profile, *seen),
            mastered=_met(MASTERED, request.profile),
            profile=request.profile,
            asked=Counter(goal for known in request.examples for goal in known.goal) + Counter(asked),
        )

    def _changed(
        self, plan: Plan, case: Case, performance: Performance | None, rng: random.Random
    ) -> Changed | None:
        """The plan changed in one of the ways drawn, the first that leads anywhere."""
        if not plan.goal:
            return self._begun(plan, case, rng)
        success = _success(performance)
        for way in _drawn(success, rng):
            changed = self._went(way, plan, case, success, rng)
            if changed is not None:
                return changed
        return None

    def _went(
        self, way: str, plan: Plan, case: Case, success: float | None, rng: random.Random
    ) -> Changed | None:
        """The plan changed in one way, if that leads anywhere."""
        if way == "vary":
            return vary(plan, case, rng)
        if way == "ease":
            return ease(plan, case, rng, steps=_steps(None if success is None else 1.0 - success))
        if way == "restore":
            return restore(plan, case, rng, steps=_steps(success))
        changed = extend(plan, case, rng)
        if changed is None or _steps(success) == 1:
            return changed
        further = restore(changed.plan, case, rng, steps=_steps(success) - 1)
        return Changed(further.plan, f"{changed.words} {further.words}") if further else changed

    def _begun(self, plan: Plan, case: Case, rng: random.Random) -> Changed | None:
        """A level from nothing: an achievement whose needs are known, in a gentle game.

        What the target game meets at times is asked for without further help.
        """
        changed = extend(plan, case, rng)
        if changed is None:
            return None
        goal = changed.plan.goal[-1]
        gentle = {
            name: value
            for name in sorted(self._kit.gentle_for(goal))
            if (value := self._kit.gentle[name]) and rng.random() < 0.5
        }
        if case.profile.get(goal, 0.0) >= AT_TIMES:
            return Changed(Plan((goal,), dials=gentle), f"The target game meets {goal} at times.")
        return replace(changed, plan=replace(changed.plan, dials={**gentle, **changed.plan.dials}))

    def _written(self, plan: Plan) -> tuple[str, str]:
        """Code and description of a plan."""
        asked = [each.lower().replace("_", " ") for each in plan.goal]
        objective = f"{', '.join(asked[:-1])}{' and ' if asked[1:] else ''}{asked[-1]}.".capitalize()
        dials = [
            f"{name.replace('_', ' ')} {value:g} (plain: {self._domain.dials[name].default:g})"
            for name, value in sorted(plan.dials.items())
        ]
        mechanics = f"Different from the plain game: {', '.join(dials)}." if dials else "The plain dynamics."
        parts = [
            self._kit.words(plan.aids),
            "More is built by code of its forebears." * bool(plan.kept),
            mechanics,
        ]
        description = " ".join(filter(None, parts))
        title = "A level by the rules author."
        source = write_plan(plan, self._kit, title=title, objective=objective, description=description)
        return source, description


def _met(least: float, *tables: Mapping[str, float]) -> frozenset[str]:
    """Achievements that at least one table says are met so often."""
    return frozenset(name for rates in tables for name, rate in rates.items() if rate >= least)


def _success(performance: Performance | None) -> float | None:
    """Success as few episodes allow to judge it (Laplace's rule of succession); None if none finished."""
    if performance is None or performance.success is None:
        return None
    return (performance.success * performance.episodes + 1.0) / (performance.episodes + 2.0)


def _steps(sureness: float | None) -> int:
    """Steps to go at once where success, or failure, is so sure."""
    return 1 if sureness is None or sureness < 0.75 else 2 if sureness < 0.9 else 3


def _drawn(success: float | None, rng: random.Random) -> list[str]:
    """Ways in an order drawn by how often each is to be taken."""
    weights = UNTRIED if success is None else next(ways for least, ways in WAYS if success >= least)
    left, order = dict(weights), []
    while left:
        way = rng.choices(list(left), list(left.values()))[0]
        order.append(way)
        del left[way]
    return order


def _evidence(parent: Known | None) -> str:
    """What is known of the parent, in a sentence."""
    if parent is None:
        return "There is no parent."
    performance = parent.performance
    if performance is None or performance.success is None:
        return "The parent was not trained."
    rates = ", ".join(f"{name} in {performance.achievements.get(name, 0.0):.0%}" for name in parent.goal)
    return f"Of {performance.episodes} episodes {performance.success:.0%} met the parent's goal ({rates})."
