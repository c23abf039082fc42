"""Settings: presets, changes by path, what is refused."""

from dataclasses import replace
from itertools import product

import pytest

from garten.errors import RunError
from garten.policies.settings import GRUSettings, build
from garten.runs.codec import from_json, to_json
from garten.training import names
from garten.training.config import (
    BONUSES,
    LAPTOP_SCALES,
    PRESETS,
    Config,
    override,
    preset,
    with_levels,
    with_steps,
)
from garten.training.curricula import CURRICULA
from garten.training.saved import shape_for


@pytest.mark.parametrize(
    ("name", "policy"),
    [pair for pair in product(PRESETS, names.POLICIES) if pair != ("paper-1m", "gtrxl")],
)
def test_every_preset_survives_json_and_can_be_built(name, policy):
    config = preset(name, policy, bonus="e3b")
    assert config.network.kind == policy
    assert from_json(Config, to_json(config)) == config
    if name == "laptop":
        build(config.network, shape_for(config))


def test_every_name_has_settings():
    assert tuple(PRESETS) == names.PRESETS
    assert tuple(BONUSES) == names.BONUSES
    assert all(tuple(curricula) == names.CURRICULA for curricula in CURRICULA.values())


@pytest.mark.parametrize("curriculum", names.CURRICULA)
def test_runs_are_told_apart_by_their_settings(curriculum):
    """Evaluations and tables gather runs that differ in nothing but their seed."""
    author, llm = ("llm", {"model": "m"}) if curriculum == "dicode" else (None, {})
    made = [
        with_levels(preset("laptop", "gru", curriculum=curriculum), author=author, llm=llm, folder=None)
        for _ in range(2)
    ]
    assert len({*made, replace(made[0], seed=1)}) == 2


def test_pictures_are_not_bootstrapped_from():
    with pytest.raises(RunError, match=r"kept to value it by; set rollout.bootstrap=false\.$"):
        override(preset("laptop", "cnn"), ["rollout.bootstrap=true"])


def test_the_published_shapes():
    """Craftax_Baselines: PPO of 1024 x 64, PPO-RNN of width 512; Dreaming in Code: sessions of 13.1M."""
    weights = {policy: preset("paper", policy) for policy in ("mlp", "gru", "gtrxl")}
    assert weights["gru"].network == GRUSettings(width=512, memory=512, hidden=(512, 512))
    assert (weights["mlp"].rollout.lanes, weights["mlp"].rollout.steps) == (1024, 64)
    assert weights["gtrxl"].rollout.lanes * weights["gtrxl"].rollout.steps * 100 == 13_107_200
    assert not any(config.rollout.bootstrap for config in weights.values())


def test_the_published_settings_for_a_million_steps():
    """Craftax_Baselines: 256 x 16 at 3e-4; networks and all else as for a billion."""
    config, long = preset("paper-1m", "gru", curriculum="plr"), preset("paper", "gru")
    assert (config.rollout.lanes, config.rollout.steps, config.steps) == (256, 16, 1_000_000)
    assert config.ppo == replace(long.ppo, learning_rate=3e-4)
    assert config.network == long.network
    assert config.curriculum == CURRICULA["laptop"]["plr"]
    with pytest.raises(RunError, match=r"no preset 'paper-1m' of gtrxl; choose laptop or paper\.$"):
        preset("paper-1m", "gtrxl")


@pytest.mark.parametrize("bonus", BONUSES)
def test_bonuses_are_chosen_by_name(bonus):
    published, laptop = (preset(name, "mlp", bonus=bonus).bonus for name in ("paper", "laptop"))
    assert published == BONUSES[bonus].bonus
    assert (laptop.kind if laptop else "none") == bonus
    if bonus in LAPTOP_SCALES:
        assert laptop == replace(published, scale=LAPTOP_SCALES[bonus])
    else:
        assert laptop == published


def test_settings_are_changed_by_path():
    changes = ["ppo.learning_rate=3e-4", "network.hidden=[8,8]", "network.activation=relu", "tell_goal=true"]
    config = override(preset("laptop", "mlp"), changes)
    assert config.ppo.learning_rate == 3e-4
    assert (config.network.hidden, config.network.activation, config.tell_goal) == ((8, 8), "relu", True)


def test_pictures_are_the_originals_unless_a_size_is_given():
    paper = preset("paper", "cnn")
    assert shape_for(paper).picture == (130, 110)
    assert shape_for(replace(paper, game="Craftax-Classic")).picture == (63, 63)
    assert shape_for(override(paper, ["tile=6"])).picture == (78, 66)
    assert shape_for(preset("paper", "mlp")).picture is None


@pytest.mark.parametrize(
    ("steps", "evaluations"),
    [(1, 1), (5_000, 1), (199_999, 1), (200_000, 2), (1_000_000, 10), (50_000_000, 10)],
)
def test_short_runs_are_evaluated_less_often(steps, evaluations):
    config = with_steps(preset("laptop", "mlp"), steps)
    assert (config.steps, config.evaluations) == (steps, evaluations)
    assert override(config, ["evaluations=7"]).evaluations == 7
    assert with_steps(Config(), steps).evaluations == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ppo.learning_rate", "changes nothing; write path=value"),
        ("ppo.rate=1", "There is no setting 'ppo.rate'; there are adam_epsilon, "),
        ("ppo.ecpochs=1", "There is no setting 'ppo.ecpochs'; did you mean epochs? There are adam_epsilon, "),
        ("pppo.epochs=1", "There is no setting 'pppo.epochs'; did you mean ppo? There are bonus, "),
        ("step=1", "There is no setting 'step'; did you mean steps? There are bonus, "),
        ("seed.x=1", "There is no setting 'seed.x', for seed is one; set that."),
        ("bonus.width=1", "There is no setting 'bonus.width', for bonus is none; set that first."),
        ("ppo.epochs.x=1", "for ppo.epochs is one; set that."),
        ("ppo.epochs=many", "wanted a whole number, got 'many'"),
        ("network.kind=lstm", "The settings do not fit"),
        ("rollout.lanes=0", "rollout.lanes is 0; give at least 1."),
        ("ppo.minibatches=1000", "cannot be dealt to 1000 minibatches"),
        ("ppo.learning_rate=NaN", "wanted a number that is finite"),
        ("ppo.clip=1e999", "wanted a number that is finite"),
        ("ppo.entropy=1" + "0" * 400, "wanted a number that is finite"),
        ("ppo.learning_rate=-1", "ppo.learning_rate is -1.0; give at least 0."),
        ("ppo.gamma=2", "ppo.gamma is 2.0; give 0 to 1."),
        ("seed=-1", "seed is -1; give at least 0."),
        ("tile=0", "tile is 0; give 4 to 128."),
        ("rollout.episode_steps=0", "rollout.episode_steps is 0; give at least 1."),
        ("rollout.lanes=[64]", "wanted a whole number"),
        ("network.width=0", "network.width is 0; give sizes from 1 to 16384."),
        ("network.width=1000000000", "give sizes from 1 to 16384."),
        ("network.hidden=[8,-8]", "network.hidden is (8, -8); give sizes"),
        ("network.hidden=" + "[" * 100_000, "wanted a list"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(change, message):
    with pytest.raises(RunError) as raised:
        override(preset("laptop", "mlp"), [change])
    assert message in str(raised.value)
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize("change", ["network.heads=3", "network.width=100"])
def test_heads_share_the_width(change):
    with pytest.raises(RunError, match=r"make network\.width an even multiple of network\.heads"):
        override(preset("laptop", "gtrxl"), [change])


def test_sizes_of_a_bonus_are_checked_too():
    with pytest.raises(RunError, match=r"bonus\.features is 0; give sizes"):
        override(preset("laptop", "mlp", bonus="icm"), ["bonus.features=0"])
