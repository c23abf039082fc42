"""Small policies whose behaviour a test can follow."""

import torch

from garten.policies.policy import Output, Policy


class Wanderer(Policy):
    """A random recurrent policy: what it does depends on all it has seen in the episode."""

    def __init__(self, actions, *, width=16, seed=0):
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.actions, self.width = actions, width
        self.seen = torch.nn.Parameter(torch.randn(64, width, generator=random))
        self.kept = torch.nn.Parameter(torch.randn(width, width, generator=random) / width**0.5)
        self.said = torch.nn.Parameter(torch.randn(width, actions, generator=random))

    def initial_memory(self, lanes):
        return {"thought": torch.full((lanes, self.width), 0.5)}

    def step(self, observation, memory, begun):
        thought = torch.where(begun[:, None], torch.tensor(0.5), memory["thought"])
        picture = observation.cells.flatten(1)[:, :32].float() / 8.0
        body = torch.nn.functional.pad(observation.numbers, (0, 32))[:, :32]
        thought = torch.tanh(torch.cat([picture, body], 1) @ self.seen + thought @ self.kept)
        return Output(thought @ self.said, thought[:, 0]), {"thought": thought}

    def unroll(self, observations, memory, begun):
        raise NotImplementedError


class Fixed(Policy):
    """Says the same logits everywhere, and notes what it observed."""

    def __init__(self, logits):
        super().__init__()
        self.logits = torch.nn.Parameter(torch.as_tensor(logits, dtype=torch.float32))
        self.observed = []

    def initial_memory(self, lanes):
        return {}

    def step(self, observation, memory, begun):
        self.observed.append(observation)
        lanes = len(observation.cells)
        return Output(self.logits.expand(lanes, -1), torch.zeros(lanes)), memory

    def unroll(self, observations, memory, begun):
        raise NotImplementedError
