"""What language models may use: a limit on tokens or money, and a forecast before any is spent."""

from __future__ import annotations

from dataclasses import dataclass

from garten.errors import ModelError
from garten.llm.messages import Usage

PRICED = 1_000_000
"""Tokens that a price is for."""


@dataclass(frozen=True)
class Budget:
    """Limits on what a run may use; None is no limit. Cost and prices are in one currency of your choice."""

    tokens: int | None = None  # prompt and completion together
    cost: float | None = None
    price_in: float = 0.0  # for a million prompt tokens
    price_out: float = 0.0  # for a million completion tokens

    def __post_init__(self) -> None:
        numbers = (self.tokens, self.cost, self.price_in, self.price_out)
        if any(number is not None and number < 0 for number in numbers):
            raise ModelError("A budget or price is negative; give 0 or more.")
        if self.cost is not None and self.price_in == self.price_out == 0.0:
            raise ModelError("A cost limit needs prices; give those of a million tokens in and out.")

    def price(self, usage: Usage) -> float:
        """What the usage costs at these prices."""
        return (usage.prompt * self.price_in + usage.completion * self.price_out) / PRICED

    def check(self, spent: Usage, ahead: Usage) -> None:
        """Refuse a call that might go over.

        Args:
            spent: what all calls so far have used.
            ahead: the most that the next call may use.

        Raises:
            ModelError: `spent` and `ahead` together are above a limit.
        """
        total = spent + ahead
        if self.tokens is not None and total.tokens > self.tokens:
            raise ModelError(
                f"The token budget is used up: {spent.tokens:,} of {self.tokens:,} are spent and the next "
                f"call may take {ahead.tokens:,}; raise the budget or play fewer games."
            )
        if self.cost is not None and self.price(total) > self.cost:
            raise ModelError(
                f"The cost budget is used up: {self.price(spent):.4f} of {self.cost:.4f} is spent and the "
                f"next call may cost {self.price(ahead):.4f}; raise the budget or play fewer games."
            )
