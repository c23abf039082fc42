"""When to call an endpoint again, and how long to wait before."""

from __future__ import annotations

import email.utils
import math
import random
from dataclasses import dataclass
from datetime import UTC

RETRIED = frozenset({408, 409, 429}) | frozenset(range(500, 600))
"""HTTP statuses that may pass: time-outs, conflicts, rate limits, trouble on the server's side."""


@dataclass(frozen=True)
class Limits:
    """The limits of one call; times are seconds of wall time."""

    attempt: float = 120.0  # for one attempt, from connecting to the reply's last byte
    total: float = 600.0  # for all attempts and the waits between them
    retries: int = 5  # attempts after the first
    backoff: float = 1.0  # the first wait; each later one is twice as long
    longest_wait: float = 60.0  # no wait is longer, and a server that asks for more is given up
    reply_tokens: int = 8192  # the longest reply asked for
    reply_bytes: int = 4 * 1024 * 1024  # the longest reply body read


def backoff(limits: Limits, retry: int, rng: random.Random) -> float:
    """Seconds to wait before retry number `retry` (from 0): half fixed, half drawn from `rng`.

    The drawn half keeps many players that failed together from returning together.
    """
    wait = min(limits.backoff * 2.0**retry, limits.longest_wait)
    return wait * (0.5 + 0.5 * rng.random())


def retry_after(header: str | None, now: float) -> float | None:
    """Seconds that a ``Retry-After`` header asks for, as a number or an HTTP date; None if unreadable.

    `now` is in seconds since the epoch.
    """
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = email.utils.parsedate_to_datetime(header)
        except ValueError:
            return None
        seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now
    return max(0.0, seconds) if math.isfinite(seconds) else None
