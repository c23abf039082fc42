"""Evaluation: the episodes are those that a plain loop plays, whatever the lanes; held-out means held out."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from garten.craftax import host_keys, make
from garten.errors import RunError
from garten.policies.policy import Observation
from garten.policies.settings import GRUSettings, GTrXLSettings, MLPSettings, build
from garten.policies.shape import shape_of
from garten.training.agents import Agent, Mind, Uniform
from garten.training.evaluate import episode_result, evaluate, luck_keys, play, world_keys
from garten.training.results import PUBLISHED, QUICK, Protocol, achievement_rewards
from training.policies import Fixed, Wanderer

SMALL = Protocol("small", worlds=8, steps=220, seed=3)
GAMES = {"Craftax": 43, "Craftax-Classic": 17}


def wanderer(game):
    return Agent("wanderer", Wanderer(GAMES[game]), game)


def plain_loop(agent, protocol, world):
    """One episode by itself, with none of the machinery: (return, length, achievements)."""
    env = make(agent.game, auto_reset=False, settings={"max_timesteps": protocol.steps})
    env.reset(keys=world_keys(protocol)[world : world + 1])
    memory, luck = agent.policy.initial_memory(1), luck_keys(protocol)[world]
    rewards, over = [], False
    while not over:
        seen = Observation(*map(torch.from_numpy, env.observation), torch.zeros(1, 0))
        with torch.no_grad():
            output, memory = agent.policy.step(seen, memory, torch.tensor([not rewards]))
        reached = np.cumsum(torch.softmax(output.logits[0].double(), -1).numpy())
        luck, now = host_keys.split(luck)
        draw = host_keys.uniform(now, 1)[0] * reached[-1]
        step = env.step(np.array([np.searchsorted(reached, draw, "right")]))
        rewards.append(step.reward[0])
        over = step.terminated[0] or step.truncated[0]
    names = np.array(list(achievement_rewards(agent.game)))
    total = np.add.accumulate(np.array(rewards, np.float32))[-1]
    return total, len(rewards), tuple(names[env.buffer("final_achievements")[0]])


@pytest.mark.parametrize("game", GAMES)
def test_episodes_are_those_of_a_plain_loop(game):
    found = evaluate(wanderer(game), SMALL, lanes=3)
    assert [episode.world for episode in found.episodes] == list(range(8))
    assert len({episode.length for episode in found.episodes}) > 1
    for episode in found.episodes[:3] + found.episodes[-3:]:
        total, length, unlocked = plain_loop(wanderer(game), SMALL, episode.world)
        assert (episode.length, episode.achievements) == (length, unlocked)
        assert episode.episode_return == pytest.approx(float(total), abs=1e-6)


@pytest.mark.parametrize("options", [{"lanes": 1}, {"lanes": 8}, {"lanes": 99}, {"lanes": 5, "threads": 2}])
def test_neither_lanes_nor_threads_matter(options):
    expected = evaluate(wanderer("Craftax-Classic"), SMALL, lanes=3)
    found = evaluate(wanderer("Craftax-Classic"), SMALL, **options)
    assert found.episodes == expected.episodes
    assert replace(found, wall_seconds=0.0) == replace(expected, wall_seconds=0.0)


NETWORKS = [
    MLPSettings(width=8, hidden=(8,)),
    GRUSettings(width=8, memory=8, hidden=(8,)),
    GTrXLSettings(width=16, layers=1, heads=2, span=8, hidden=(8,)),
]


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.kind)
def test_nor_do_they_for_policies_that_are_trained(network):
    """Weights are scaled up so that what a policy remembers shows in what it does."""
    torch.manual_seed(3)
    policy = build(network, shape_of("Craftax-Classic"))
    with torch.no_grad():
        for part in policy.parameters():
            part.mul_(3.0)
    agent, few = Agent(network.kind, policy, "Craftax-Classic"), replace(SMALL, steps=60)
    assert evaluate(agent, few, lanes=3).episodes == evaluate(agent, few, lanes=8).episodes


def test_a_longer_protocol_begins_with_the_same_episodes():
    fewer = evaluate(wanderer("Craftax-Classic"), replace(SMALL, worlds=4))
    more = evaluate(wanderer("Craftax-Classic"), SMALL)
    assert more.episodes[:4] == fewer.episodes


def test_another_seed_is_other_worlds_and_other_luck():
    one, other = SMALL, replace(SMALL, seed=4)
    keys = [tuple(key) for make_keys in (world_keys, luck_keys) for p in (one, other) for key in make_keys(p)]
    assert len(set(keys)) == 4 * SMALL.worlds


def test_what_the_step_limit_cuts_short_is_told_apart():
    found = evaluate(Agent("random", Uniform(43), "Craftax"), replace(SMALL, steps=20)).summary
    assert found.ends == {"died": 0, "won": 0, "step limit": 8}
    assert found.unfinished == tuple(range(8))
    assert found.mean_length == 20.0


def test_death_and_victory_are_told_apart():
    env = make("Craftax", num_envs=2, auto_reset=False)
    env.reset(seed=0)
    env.set_state(0, {"boss_progress": 8})
    env.set_state(1, {"health": 0.05, "food": 0, "recover": -15.0})
    env.step(np.zeros(2, np.int64))
    ends = [episode_result(env, lane, world=lane, game="Craftax").end for lane in (0, 1)]
    assert ends == ["won", "died"]


def test_each_episode_is_told_of():
    counts = []
    evaluate(Agent("random", Uniform(17), "Craftax-Classic"), SMALL, watch=counts.append)
    assert counts == list(range(1, 9))


# --- held out --------------------------------------------------------------------------------------


def test_the_worlds_are_those_of_the_published_evaluation():
    """By jax 0.10.2: the reset key of the evaluation, its batch, and the world's half of each of these."""
    keys = world_keys(PUBLISHED)
    assert keys.shape == (1024, 2)
    assert keys[0].tolist() == [605027470, 892903299]
    assert keys[1].tolist() == [3764384500, 1946563400]
    assert keys[1023].tolist() == [1804246727, 3624170078]
    assert np.array_equal(world_keys(QUICK), keys[:128])


@pytest.mark.parametrize("seed", [0, 1])
def test_no_training_world_is_held_out(seed):
    """Lanes that reset themselves, from the very seed of the protocol too, never meet its worlds."""
    env = make("Craftax", num_envs=64, settings={"max_timesteps": 2})
    env.reset(seed=seed)
    met = set()
    for _ in range(40):
        met |= set(map(tuple, env.engine.state.read("world_key").tolist()))
        env.step(np.zeros(64, np.int64))
    held_out = set(map(tuple, world_keys(PUBLISHED).tolist()))
    assert len(met) >= 64 * 15
    assert not met & held_out


# --- the agent -------------------------------------------------------------------------------------


def test_actions_are_as_likely_as_the_policy_says():
    chances = np.array([0.5, 0.25, 0.0, 0.125, 0.125])
    with np.errstate(divide="ignore"):
        policy = Fixed(np.log(chances))
    mind = Mind(Agent("fixed", policy, "Craftax-Classic"), host_keys.split(host_keys.key_of(5), 4000))
    seen = make("Craftax-Classic").reset(seed=0)
    many = type(seen)(*(np.repeat(part, 4000, axis=0) for part in seen))
    counts = np.bincount(np.concatenate([mind.act(many) for _ in range(5)]), minlength=5)
    expected = chances * 20_000
    assert counts[2] == 0
    likely = expected > 0
    assert (
        (counts - expected)[likely] ** 2 / expected[likely]
    ).sum() < 16.3  # chi-square, 3 degrees, p 0.001


@pytest.mark.parametrize(("told", "width"), [(False, 0), (True, 67)])
def test_a_goal_is_told_to_those_who_listen(told, width):
    policy = Fixed(torch.zeros(43))
    evaluate(Agent("fixed", policy, "Craftax", told_goal=told), replace(SMALL, worlds=2, steps=3))
    assert {tuple(seen.goal.shape) for seen in policy.observed} == {(2, width)}
    assert all((seen.goal == 1.0).all() for seen in policy.observed)


def test_pictures_are_shown_to_those_who_look():
    policy = Fixed(torch.zeros(17))
    agent = Agent("fixed", policy, "Craftax-Classic", tile=5)
    evaluate(agent, replace(SMALL, worlds=2, steps=3))
    assert {tuple(seen.cells.shape) for seen in policy.observed} == {(2, 45, 45, 3)}
    assert {tuple(seen.numbers.shape) for seen in policy.observed} == {(2, 0)}


def test_a_policy_that_gives_no_numbers_is_refused():
    agent = Agent("broken", Fixed([float("nan")] * 17), "Craftax-Classic")
    with pytest.raises(RunError, match=r"broken gives no numbers; use an earlier checkpoint\."):
        next(play(agent, SMALL))
