"""Where generations of levels are made, in a thread beside training: an author, and the gate behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from garten import seeds
from garten.curriculum.gate import Judgement, judge
from garten.curriculum.generation import Generation, Order, generate
from garten.curriculum.stage import Trials, Weights
from garten.domain import Author, Domain, Draft, Refusal
from garten.errors import LevelError


class Workshop:
    """Makes one generation at a time, with nothing that training uses."""

    def __init__(self, author: Author, domain: Domain, trials: Trials, *, goals_only: bool = False) -> None:
        """Set it up.

        Args:
            author: who writes.
            domain: that reads and checks levels; nobody else may use it.
            trials: by which a policy tries them.
            goals_only: whether of what is written only the goal is kept, in the plain game.
        """
        self._author, self._domain, self._trials = author, domain, trials
        self._goals_only = goals_only

    def make(self, order: Order, weights: Weights, *, known: Collection[str]) -> Generation:
        """Have an order's levels written and judged.

        Args:
            order: what is asked for.
            weights: of the policy that tries them.
            known: names of levels that are no news.
        """
        trial = self._trials(weights, seeds.derive(order.seed, "trial"))

        def gate(answers: Sequence[Draft | Refusal]) -> list[Judgement]:
            kept = [self._bare(answer) for answer in answers] if self._goals_only else answers
            return judge(kept, self._domain, known=known, trial=trial)

        return generate(order, self._author, gate)

    def _bare(self, answer: Draft | Refusal) -> Draft | Refusal:
        """The same goal in the plain game; what cannot be read is left to the gate."""
        if isinstance(answer, Refusal):
            return answer
        try:
            return replace(answer, source=self._domain.bare(self._domain.read(answer.source)))
        except LevelError:
            return answer
