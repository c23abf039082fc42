"""Filming an agent shows the very episode that was evaluated."""

import numpy as np
import pytest

from garten.craftax import make
from garten.training.agents import Agent
from garten.training.evaluate import evaluate, world_keys
from garten.training.film import frames
from garten.training.results import Protocol
from training.policies import Fixed, Wanderer

SMALL = Protocol("small", worlds=3, steps=60)
AGENTS = [
    Agent("codes", Wanderer(43), "Craftax"),
    Agent("codes", Wanderer(17), "Craftax-Classic"),
    Agent("pictures", Fixed(np.zeros(17)), "Craftax-Classic", tile=4),
]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: f"{agent.game} {agent.name}")
def test_a_film_has_a_picture_for_each_step_of_the_episode(agent):
    found = evaluate(agent, SMALL)
    shots = list(frames(agent, SMALL, 2, tile=6))
    assert len(shots) == found.episodes[2].length + 1
    opening = make(agent.game, obs="pixels", tile=6)
    assert np.array_equal(shots[0], opening.reset(keys=world_keys(SMALL)[2:3])[0])
    assert not np.array_equal(shots[0], shots[-1])


def test_there_are_no_other_worlds():
    with pytest.raises(ValueError, match=r"no world 3; worlds are 0 to 2\."):
        next(frames(AGENTS[0], SMALL, 3, tile=6))
