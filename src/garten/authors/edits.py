"""How one level becomes another: four kinds of change, each a function from a plan to plans that may follow.

A change says in words what it did. It draws what it leaves open from `rng`; where nothing can be changed in
its way there is None.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from garten.authors.kit import Aid, Kit
from garten.authors.plan import Plan
from garten.domain import Dial

MOST_GOALS = 4
"""Achievements that a goal may have: each more makes success rarer."""

MADE_ANEW = 0.5
"""How often what is no longer given becomes part of the goal."""

BUILDING_ON = 3.0
"""How much more often the goal grows by what builds on it than by something else."""

AT_TIMES = 12.0
"""How much more often by what is met at times in the target game, times p (1 - p)."""

MORE_AIDS = 0.75
"""How often help is an aid rather than a gentler dial, where there is one."""

_START = "start"  # key of the aid that says where the player starts

NEAR_DEFAULT = 1.3
"""A dial so near its default, as a factor, takes its default."""


@dataclass(frozen=True)
class Case:
    """What changes go by: the domain's goals, dials and needs, its kit, and how far learning has come.

    Attributes:
        goals: all achievements, easy ones first.
        needs: for each those that lead to it.
        dials: all, by name.
        kit: what helps with what.
        rates: share of episodes of the level that meet each achievement.
        known: achievements met often enough to build on, in the level or in the target game.
        mastered: achievements met nearly always in the target game.
        profile: share of episodes of the target game that meet each achievement.
        asked: how many levels have each achievement in their goal.
    """

    goals: tuple[str, ...]
    needs: Mapping[str, tuple[str, ...]]
    dials: Mapping[str, Dial]
    kit: Kit
    rates: Mapping[str, float]
    known: frozenset[str]
    mastered: frozenset[str]
    profile: Mapping[str, float]
    asked: Mapping[str, int]


@dataclass(frozen=True)
class Changed:
    """A plan that follows from another.

    Attributes:
        plan: it.
        words: what was changed, in a sentence.
    """

    plan: Plan
    words: str


def extend(plan: Plan, case: Case, rng: random.Random) -> Changed | None:
    """Let the goal grow by an achievement next on the technology tree, and give what helps with it."""
    known = case.known | case.kit.unlocked(plan.aids) | {*plan.completed, *plan.goal}
    goal = _next_goal(plan, known, case, rng)
    if goal is None:
        return None
    help_with = case.kit.help_with(goal, plan.aids, rng)
    home = case.kit.start(plan.aids) if help_with.home is None else help_with.home
    kept = _goals_kept(plan, goal, home, case, rng)
    carried = _carried(plan, kept, case, moves=home != case.kit.start(plan.aids))
    dials = dict(plan.dials)
    for name, value in help_with.dials.items():
        dials[name] = _gentler(case, name, dials.get(name, case.dials[name].default), value)
    aids = _withheld(_better(carried, help_with.aids), {goal}, case.kit)
    grown = _finished(replace(plan, goal=(*kept, goal), aids=aids, dials=dials), case)
    if grown is None:
        return None
    return Changed(grown, f"The goal grows by {goal}, and what helps with it is given.")


def restore(plan: Plan, case: Case, rng: random.Random, *, steps: int) -> Changed | None:
    """Give less and bring dials nearer to the plain game, in so many steps."""
    said = []
    for _ in range(steps):
        changes = [
            *((f"less of {aid.key}", _less(plan, aid, case, rng)) for aid in plan.aids),
            *((f"{name} nearer to its default", _restored(plan, name, case)) for name in plan.dials),
            *((f"without {line.splitlines()[0]}", _without(plan, line)) for line in _droppable(plan)),
        ]
        rng.shuffle(changes)
        for words, changed in changes:
            if finished := _finished(changed, case):
                plan = finished
                said.append(words)
                break
    return Changed(plan, f"Less help: {'; '.join(said)}.") if said else None


def ease(plan: Plan, case: Case, rng: random.Random, *, steps: int) -> Changed | None:
    """Give more where success is rare, in so many steps: help with the achievement that is met least."""
    hard = min(plan.goal, key=lambda each: (case.rates.get(each, 0.0), case.goals.index(each)))
    said = []
    for _ in range(steps):
        dials = _gentler_dials(plan, case)
        if len(plan.goal) > 1 and hard in plan.goal:
            fewer = tuple(each for each in plan.goal if each != hard)
            dials.append((f"{hard} is no longer asked for", replace(plan, goal=fewer)))
        aids = _more_help(plan, hard, case, rng)
        for changes in (aids, dials):
            rng.shuffle(changes)
        for words, changed in [*aids, *dials] if rng.random() < MORE_AIDS else [*dials, *aids]:
            # What the help meets of the goal's other parts is given from now on.
            withheld = replace(changed, aids=_withheld(changed.aids, {hard}, case.kit))
            finished = _finished(withheld, case)
            if finished is not None and finished != plan:
                plan = finished
                said.append(words)
                break
    return Changed(plan, f"{hard} is hardest, so help is given: {'; '.join(said)}.") if said else None


def vary(plan: Plan, case: Case, rng: random.Random) -> Changed | None:
    """Keep the goal and give about as much, by other numbers."""
    changed = _finished(replace(plan, aids=tuple(aid.redrawn(rng) for aid in plan.aids)), case)
    if changed is None or changed == plan:
        return None
    return Changed(changed, "The same goal with other numbers.")


# --- goals -----------------------------------------------------------------------------------------


def _carried(plan: Plan, goals: Collection[str], case: Case, *, moves: bool) -> list[Aid]:
    """The aids of a plan that help with these achievements or with whatever comes."""
    helps = (case.kit.help_with(goal, plan.aids, random.Random(0)) for goal in goals)
    wanted = {aid.key for each in helps for aid in each.aids} - {_START}
    wanted |= set() if moves else {_START}
    return [aid for aid in plan.aids if aid.key in wanted or case.kit.lasting(aid)]


def _next_goal(plan: Plan, known: Collection[str], case: Case, rng: random.Random) -> str | None:
    """An achievement not known yet.

    Rather one whose needs are known, that builds on the plan, that the policy gets at times, on which much
    rests, that few levels ask for, and that is easy. What else it needs is given by what helps with it, so it
    is enough if one of its needs is known.
    """
    weights: dict[str, float] = {}
    resting = _resting(case.needs)
    for goal in case.goals:
        needs = case.needs.get(goal, ())
        ready = sum(each in known for each in needs) / len(needs) if needs else 1.0
        if goal not in known and ready > 0.0:
            bonus = BUILDING_ON if _builds_on(plan, goal, case) else 1.0
            rate = case.profile.get(goal, 0.0)
            at_times = 1.0 + AT_TIMES * rate * (1.0 - rate)
            ease_of_it = (1 + len(weights)) ** -0.75
            rarity = (1 + case.asked.get(goal, 0)) ** -0.5
            worth = 1.0 + math.log2(1 + resting[goal])
            weights[goal] = bonus * at_times * worth * ready**3 * ease_of_it * rarity
    return rng.choices(list(weights), list(weights.values()))[0] if weights else None


def _resting(needs: Mapping[str, tuple[str, ...]]) -> Counter[str]:
    """How many achievements need each one, directly or by what they need."""
    counts: Counter[str] = Counter()
    for goal in needs:
        found: set[str] = set()
        waiting = [*needs[goal]]
        while waiting:
            step = waiting.pop()
            if step not in found:
                found.add(step)
                waiting += needs.get(step, ())
        counts.update(found)
    return counts


def _builds_on(plan: Plan, goal: str, case: Case) -> bool:
    """Whether an achievement needs something of a plan's goal, or that the plan gives."""
    return bool({*plan.goal, *case.kit.unlocked(plan.aids)} & {*case.needs.get(goal, ())})


def _goals_kept(plan: Plan, new: str, home: int, case: Case, rng: random.Random) -> tuple[str, ...]:
    """Achievements of the goal that stay in it beside a new one: none mastered, all met where it begins."""

    def fits(goal: str) -> bool:
        place = case.kit.help_with(goal, plan.aids, random.Random(0)).home
        return goal not in case.mastered and place in (None, home)

    staying = [goal for goal in plan.goal if fits(goal)]
    most = min(len(staying), MOST_GOALS - 1)
    count = rng.randint(min(most, 1) if _builds_on(plan, new, case) else 0, most)
    return tuple(staying[len(staying) - count :])


def _finished(plan: Plan, case: Case) -> Plan | None:
    """A plan whose parts go together; None if nothing is left to achieve."""
    aids = case.kit.settled(plan.aids)
    unlocked = case.kit.unlocked(aids) | {*plan.completed}
    goal = tuple(dict.fromkeys(each for each in plan.goal if each not in unlocked))
    dials = {name: value for name, value in plan.dials.items() if value != case.dials[name].default}
    return replace(plan, goal=goal, aids=aids, dials=dials) if goal else None


# --- aids ------------------------------------------------------------------------------------------


def _more_help(plan: Plan, goal: str, case: Case, rng: random.Random) -> list[tuple[str, Plan]]:
    """Plans with one more aid for an achievement, or more of one there is, and what was changed."""
    held = {aid.key: aid for aid in plan.aids}
    changes = []
    for aid in case.kit.help_with(goal, plan.aids, rng).aids:
        if aid.key not in held and aid.key != _START:
            changes.append((f"{aid.key} is new", replace(plan, aids=(*plan.aids, aid))))
        elif aid.key in held and (more := held[aid.key].stronger()):
            aids = tuple(more if each.key == aid.key else each for each in plan.aids)
            changes.append((f"more of {aid.key}", replace(plan, aids=aids)))
    return changes


def _gentler_dials(plan: Plan, case: Case) -> list[tuple[str, Plan]]:
    """Plans with one gentler dial, of those that make all of the goal easier, and what was changed."""
    changes = []
    for name in sorted(frozenset.intersection(*map(case.kit.gentle_for, plan.goal))):
        value = plan.dials.get(name, case.dials[name].default)
        gentle = _toward(case.dials[name], value, case.kit.gentle[name])
        if gentle != value and _gentler(case, name, value, gentle) == gentle:
            changes.append((f"{name} gentler", replace(plan, dials={**plan.dials, name: gentle})))
    return changes


def _less(plan: Plan, aid: Aid, case: Case, rng: random.Random) -> Plan:
    """A plan with one aid a step weaker; what it no longer gives may become part of the goal."""
    aids = _better([each for each in plan.aids if each != aid], case.kit.weakened(aid, plan.aids, rng))
    lost = case.kit.unlocked(plan.aids) - case.kit.unlocked(aids)
    new = tuple(each for each in case.goals if each in lost and rng.random() < MADE_ANEW)
    return replace(plan, aids=tuple(aids), goal=(*new, *plan.goal)[-MOST_GOALS:])


def _better(aids: Collection[Aid], more: Collection[Aid]) -> list[Aid]:
    """Both sets of aids; of what is in both, that of `more` unless the other is at least as strong."""
    merged = {aid.key: aid for aid in aids}
    for aid in more:
        merged[aid.key] = merged[aid.key] if _is_stronger(merged.get(aid.key), aid) else aid
    return list(merged.values())


def _is_stronger(one: Aid | None, other: Aid) -> bool:
    """Whether an aid becomes another as it is weakened, or is it."""
    seen = 0
    while one is not None and one != other and seen < 50:
        one = next((each for each in one.weaker() if each.key == other.key), None)
        seen += 1
    return one is not None


def _withheld(aids: Collection[Aid], goals: Collection[str], kit: Kit) -> tuple[Aid, ...]:
    """Aids weakened until they meet none of these achievements from the start."""
    left: list[Aid] = []
    waiting = list(aids)
    while waiting:
        aid = waiting.pop(0)
        if kit.unlocked([aid]) & {*goals}:
            waiting[:0] = aid.weaker()
        else:
            left.append(aid)
    return tuple(left)


# --- dials and code --------------------------------------------------------------------------------


def _restored(plan: Plan, name: str, case: Case) -> Plan:
    """A plan with one dial halfway to its default."""
    value = _toward(case.dials[name], plan.dials[name], case.dials[name].default)
    return replace(plan, dials={**plan.dials, name: value})


def _toward(dial: Dial, value: float, aim: float) -> float:
    """A value of a dial on the way to an aim: the geometric mean, or the aim where it is near."""
    low = max(dial.low, 1.0 if dial.whole else 0.05)
    value, aim = max(value, low), max(aim, low)
    if max(value, aim) <= NEAR_DEFAULT * min(value, aim):
        return int(aim) if dial.whole else aim
    middle = (value * aim) ** 0.5
    return round(middle) if dial.whole else float(f"{middle:.2g}")


def _gentler(case: Case, name: str, one: float, other: float) -> float:
    """Of two values of a dial the one that makes the game easier."""
    easy_up = case.kit.gentle[name] > case.dials[name].default
    return max(one, other) if easy_up else min(one, other)


def _droppable(plan: Plan) -> list[str]:
    """Kept statements that only call: no other code rests on them."""
    return [line for line in plan.kept if line.startswith("builder.")]


def _without(plan: Plan, line: str) -> Plan:
    return replace(plan, kept=tuple(each for each in plan.kept if each != line))
