"""Adversarial Forcing in a run: turns, figures of health, exact replay, exact resume."""

import math
from dataclasses import replace

import pytest
import torch

from garten.errors import RunError
from garten.renderer.distill import student_loss
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import load_renderer, save_renderer
from garten.renderer.training.figures import of_pull, share_beyond
from garten.renderer.training.origin import check_teacher
from garten.renderer.training.presets import preset
from garten.renderer.training.saved import kept_renderer
from garten.renderer.training.stages import recipe_for
from garten.renderer.window import Window
from garten.runs.tensors import arrays_of, tensors
from renderer.training.sets import clips_run, config_for
from renderer.training.test_train import run_of

OF_STUDENT = {
    *("student_loss", "matching_rms", "matching_norm", "judge_share", "replay_error", "history_share"),
    *("student_gradient", "student_learning_rate"),
}
OF_JUDGE = {
    *("judge_loss", "judge_accuracy", "judge_margin", "r1", "r2", "judge_gradient", "judge_learning_rate"),
}
OF_FAKE = {"fake_loss", "fake_gradient", "fake_learning_rate"}


def pair_in(folder, *, student="attention", teacher="attention", dense=0):
    """The files of a student and a teacher with such histories and one codec."""
    geometry = replace(TINY.geometry, dense=dense)
    for name, history, seed in (("student", student, 0), ("teacher", teacher, 1)):
        own = replace(TINY, network=replace(TINY.network, history=history), geometry=geometry)
        renderer = build(own, seed=seed)
        renderer.codec.load_state_dict(build(TINY, seed=0).codec.state_dict())
        if renderer.network.extra_in is not None:
            torch.nn.init.normal_(renderer.network.extra_in.weight, std=0.1)
        about = {"stage": "causal" if name == "student" else "bidirectional"}
        save_renderer(renderer, folder / f"{name}.safetensors", half=False, about=about)
    return folder / "student.safetensors", folder / "teacher.safetensors"


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """Clips, and two renderers with one codec: a student and its teacher."""
    folder = tmp_path_factory.mktemp("given")
    return clips_run(folder / "clips", frames=13), *pair_in(folder)


def settings(given, **changes):
    clips, student, teacher = given
    config = config_for("adversarial", [clips], origin=student, teacher=teacher, **changes)
    return replace(config, data=replace(config.data, batch=1))


def test_each_turn_teaches_whose_it_is_and_tells_of_it(given, tmp_path):
    """The judge warms up; then one turn of the student to two of its critics. Replay is exact in each."""
    _, told = run_of(settings(given, steps=5), tmp_path / "run")
    turns = [data["metrics"] for data in told]
    assert [set(turn) for turn in turns[:3]] == [OF_JUDGE, OF_STUDENT, OF_FAKE | OF_JUDGE]
    assert set(turns[4]) == OF_STUDENT - {"history_share"}
    assert all(turn["replay_error"] == 0.0 for turn in turns if "replay_error" in turn)
    assert 0.0 < turns[1]["history_share"] < 1.0
    assert turns[1]["judge_share"] == 1.0  # the fake score is still the teacher: nothing to match
    assert 0.0 < turns[4]["judge_share"] < 1.0
    assert min(turns[2][name] for name in ("r1", "r2", "fake_loss")) > 0.0
    before, after = load_renderer(given[1]), load_renderer(kept_renderer(tmp_path / "run"))
    changed = {
        name for name, part in after.state_dict().items() if not torch.equal(part, before.state_dict()[name])
    }
    assert changed
    assert all(name.startswith("network.") for name in changed)


@pytest.mark.parametrize(
    ("student", "teacher", "dense"),
    [("reprojected", "attention", 0), ("both", "both", 2), ("attention", "reprojected", 4)],
)
def test_students_and_teachers_with_exact_history(given, student, teacher, dense, tmp_path):
    """Each is told of the past in its own way; a student that carries what it showed is replayed exactly."""
    pair = pair_in(tmp_path, student=student, teacher=teacher, dense=dense)
    recipe = recipe_for(settings((given[0], *pair), steps=5))
    turns = [recipe.learn(step) for step in range(5)]
    assert [turn["replay_error"] for turn in (turns[1], turns[4])] == [0.0, 0.0]
    assert min(turn["student_gradient"] for turn in (turns[1], turns[4])) > 0.0
    rolled = recipe._roll(4, 4)
    carries = recipe.renderer.settings.network.history != "attention"
    assert (rolled.rollout.carried is not None) == carries
    if student == "reprojected":
        assert rolled.window == Window(sink=1, recent=0)


def test_the_judges_share_is_that_of_the_gradients_that_students_follow(given):
    """Worked out again from what the loss gives with and without a judge; and 1 says what it says.

    While the fake score is the teacher, matching has nothing to say, unless the teacher is guided.
    """
    recipe = recipe_for(settings(given, steps=5))
    for step in range(4):
        recipe.learn(step)
    rolled = recipe._roll(4, 4)
    x = recipe._replay(rolled, history=True).detach().requires_grad_()
    pull = recipe._pull(rolled, x)
    told = of_pull(pull, adversarial=0.01)
    whole, matched = (
        torch.autograd.grad(student_loss(x, one, adversarial=0.01), x)[0].norm()
        for one in (pull, replace(pull, judged=None))
    )
    judged = torch.autograd.grad(0.01 * (x * pull.judged).sum(), x)[0].norm()
    assert told["judge_share"] == pytest.approx(float(judged / (judged + matched)), rel=1e-4)
    assert float(whole) <= float(judged + matched) * (1 + 1e-6)
    assert told["matching_rms"] == pytest.approx(float(matched) * x.numel() ** 0.5, rel=1e-4)

    guided = settings(given, steps=5)
    guided = recipe_for(replace(guided, distill=replace(guided.distill, guidance=6.0)))
    guided.learn(0)
    assert guided.learn(1)["judge_share"] < 1.0


def test_the_rates_of_all_three_fall_over_their_own_turns(given):
    """Of five turns the student has two, the fake score two and the judge three."""
    learning = replace(preset("tiny", "adversarial").learning, rate=1e-4, final=0.0, warm_up=0)
    recipe = recipe_for(settings(given, steps=5, learning=learning))
    told = [recipe.learn(step) for step in range(5)]
    for who, share in (("student", 1 / 2), ("fake", 1 / 2), ("judge", 2 / 3)):
        rates = [one[f"{who}_learning_rate"] for one in told if f"{who}_learning_rate" in one]
        assert rates[0] == 1e-4
        assert rates[-1] == pytest.approx(1e-4 * 0.5 * (1.0 + math.cos(math.pi * share)))


def test_a_recipe_that_was_kept_goes_on_the_same(given):
    config = settings(given, steps=6)
    whole, first, second = (recipe_for(config) for _ in range(3))
    for step in range(2):
        whole.learn(step), first.learn(step)
    arrays = arrays_of(first.groups())
    second.restore({name: tensors(arrays, name) for name in first.groups()})
    for step in (2, 3):
        assert whole.learn(step) == second.learn(step)
    for name, parts in whole.groups().items():
        for place, part in parts.items():
            assert torch.equal(part, second.groups()[name][place]), (name, place)


def test_without_a_judge_and_with_history_as_given(given):
    """The ablations: distribution matching alone, detached."""
    config = settings(given, steps=3)
    alone = replace(config, distill=replace(config.distill, adversarial=0.0, history=False))
    recipe = recipe_for(alone)
    assert set(recipe.learn(0)) == OF_STUDENT - {"judge_share", "history_share"}
    assert set(recipe.learn(1)) == OF_FAKE


def test_a_teacher_that_does_not_fit_is_refused(given, tmp_path):
    clips, student, teacher = given
    other = save_renderer(build(TINY, seed=5), tmp_path / "other.safetensors", half=False)
    config = config_for("adversarial", [clips], origin=student, teacher=other)
    with pytest.raises(
        RunError,
        match=r"^The teacher .*other\.safetensors has another autoencoder, .*; train both --from one run",
    ):
        check_teacher(config)
    seeing, _ = pair_in(tmp_path, dense=2)
    config = config_for("adversarial", [clips], origin=seeing, teacher=teacher)
    with pytest.raises(
        RunError, match=r"dense 0, and the student .* 2; train a teacher with --set .*dense=2"
    ):
        check_teacher(config)
    config = config_for("adversarial", [clips], origin=student, teacher=teacher)
    check_teacher(config)
    with pytest.raises(
        RunError,
        match=r"^5 heads of the judge cannot share the teacher's width of 48; set distill\.heads to a",
    ):
        recipe_for(replace(config, distill=replace(config.distill, heads=5)))
    with pytest.raises(RunError, match=r"^A teacher comes from stage bidirectional, and .* from causal; "):
        config_for("adversarial", [clips], origin=student, teacher=student)
    with pytest.raises(
        RunError, match=r"^What learns from its own rollouts comes from stage adversarial or "
    ):
        config_for("adversarial", [clips], origin=given[2], teacher=given[2])
    with pytest.raises(RunError, match=r"name them by --from and --teacher\.$"):
        config_for("adversarial", [clips], origin=student)


def test_share_beyond_is_a_share_of_length():
    whole = [torch.tensor([3.0, 0.0]), torch.tensor([4.0])]
    assert share_beyond(whole, [torch.zeros(2), torch.tensor([4.0])]) == pytest.approx(0.6)
    assert share_beyond(whole, whole) == 0.0
