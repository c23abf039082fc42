"""Levels as authors see them, and a scripted learner that becomes better at what it meets."""

import random
from collections import Counter

from garten.authors.plan import read_plan
from garten.authors.rules import kit_for
from garten.domain import Domain, Known, Performance, Reading


def known(reading: Reading, success: float | None = None, **rates: float) -> Known:
    """A level, untrained or met in so many of 100 episodes; its goals as often if not told otherwise."""
    performance = None
    if success is not None:
        told = dict.fromkeys(reading.goal, success) | rates
        performance = Performance(success, told, 100, 200.0, 1.0)
    return Known(
        reading.digest, reading.source, reading.objective, reading.description, reading.goal, performance
    )


class Learner:
    """Meets an achievement by skill, or by the help that a level gives; whatever is neither given nor known
    on the way to it stands in the way. What it meets it becomes better at."""

    def __init__(self, domain: Domain) -> None:
        self.domain, self.kit = domain, kit_for(domain)
        self.skill: Counter[str] = Counter()

    def train(self, source: str) -> Known:
        """Train on a level; returns it as it went."""
        reading = self.domain.read(source)
        plan = read_plan(reading, self.kit, self.domain.dials)
        given = {*self.kit.unlocked(plan.aids), *reading.completed}
        rates = {goal: self._rate(goal, given, {aid.key for aid in plan.aids}) for goal in reading.goal}
        success = 1.0
        for goal, rate in rates.items():
            success *= rate
            self.skill[goal] += 0.5 * (1.0 - self.skill[goal]) * rate
        return known(reading, success, **rates)

    def _rate(self, goal: str, given: set[str], aids: set[str]) -> float:
        helpful = {aid.key for aid in self.kit.help_with(goal, (), random.Random(0)).aids}
        help_share = len(helpful & aids) / len(helpful) if helpful else 0.3
        rate = 1.0 - (1.0 - self.skill[goal]) * (1.0 - 0.7 * help_share)
        for step in self._missing(goal, given):
            rate *= self.skill[step]
        return rate

    def _missing(self, goal: str, given: set[str]) -> set[str]:
        """What is on the way to an achievement and not given."""
        found: set[str] = set()
        waiting = [*self.domain.needs[goal]]
        while waiting:
            step = waiting.pop()
            if step not in given | found:
                found.add(step)
                waiting += self.domain.needs[step]
        return found
