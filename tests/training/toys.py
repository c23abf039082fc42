"""Small worlds for learners: no engine, a few numbers to see."""

import numpy as np
import torch

from garten.policies.policy import Observation
from garten.policies.shape import Shape
from garten.training.lanes import Outcome, Results


class Recall:
    """Each episode shows one of two signs, then nothing for `delay` steps, then asks which sign it was.

    Numbers: sign 0, sign 1, "answer now". The answer is worth 1 or -1 and ends the episode; actions before
    it do nothing. Without memory no policy gets more than 0 on average.
    """

    shape = Shape(None, numbers=3, actions=2)

    def __init__(self, count: int, *, delay: int, seed: int = 0, limit: int | None = None) -> None:
        self.count, self.delay, self.limit = count, delay, limit
        self._random = np.random.default_rng(seed)
        self._sign = self._random.integers(0, 2, count)
        self._time = np.zeros(count, np.int64)
        self._last = np.zeros((2, count), np.float32)  # return and length
        self._final = torch.zeros(count, 3)

    def observe(self) -> Observation:
        numbers = np.zeros((self.count, 3), np.float32)
        numbers[np.arange(self.count), self._sign] = self._time == 0
        numbers[:, 2] = self._time == self.delay
        return Observation(
            torch.zeros(self.count, 0, dtype=torch.uint8),
            torch.from_numpy(numbers),
            torch.zeros(self.count, 0),
        )

    def final(self) -> Observation:
        return self.observe()._replace(numbers=self._final)

    def step(self, actions: torch.Tensor) -> Outcome:
        answered = self._time == self.delay
        reward = np.where(answered, np.where(actions.numpy() == self._sign, 1.0, -1.0), 0.0)
        self._time += 1
        truncated = ~answered & (self._time == self.limit)
        over = answered | truncated
        self._final = torch.where(torch.from_numpy(over)[:, None], self.observe().numbers, self._final)
        self._last[:, over] = reward[over], self._time[over]
        self._time[over] = 0
        self._sign[over] = self._random.integers(0, 2, over.sum())
        return Outcome(*(torch.from_numpy(part) for part in (reward.astype(np.float32), answered, truncated)))

    def results(self) -> Results:
        no = np.zeros((self.count, 1), np.bool_)
        return Results(self._last[0], self._last[1].astype(np.int64), no, no[:, 0])

    def state(self):
        raise NotImplementedError

    def restore(self, state):
        raise NotImplementedError


class Lock:
    """A combination lock: the right action of each place leads on; at the last it pays 1, and all is over.

    A wrong action leads back to the first place, or ends the episode if `fatal`. By chance one in
    ``actions ** places`` tries opens the lock. What is seen is the place, one-hot.
    """

    def __init__(self, count: int, *, places: int, actions: int, fatal: bool) -> None:
        self.count, self.fatal = count, fatal
        self.shape = Shape(None, numbers=places, actions=actions)
        self._right = torch.randint(0, actions, (places,), generator=torch.Generator().manual_seed(7))
        self._place, self._time, self._length = torch.zeros(3, count, dtype=torch.int64)
        self._opened = torch.zeros(count)

    def observe(self) -> Observation:
        seen = torch.nn.functional.one_hot(self._place, self.shape.numbers).float()
        return Observation(torch.zeros(self.count, 0, dtype=torch.uint8), seen, torch.zeros(self.count, 0))

    def final(self) -> Observation:
        raise AssertionError("no time limit ends an episode here")

    def step(self, actions: torch.Tensor) -> Outcome:
        self._time += 1
        right = actions == self._right[self._place]
        opened = right & (self._place == len(self._right) - 1)
        over = opened | (~right & self.fatal) | (self._time == 2 * len(self._right))
        self._opened[over], self._length[over] = opened[over].float(), self._time[over]
        self._place = torch.where(right & ~over, self._place + 1, 0)
        self._time[over] = 0
        return Outcome(opened.float(), over, torch.zeros_like(over))

    def results(self) -> Results:
        no = np.zeros((self.count, 1), np.bool_)
        return Results(self._opened.numpy().copy(), self._length.numpy().copy(), no, self._opened.numpy() > 0)

    def state(self):
        raise NotImplementedError

    def restore(self, state):
        raise NotImplementedError
