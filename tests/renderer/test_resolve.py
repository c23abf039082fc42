"""The last step before a frame is shown: what it does untrained, what it learns, who has one."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from garten.errors import RunError
from garten.renderer.history import Carried, brought, carried_on, past_images
from garten.renderer.pictures import to_images
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.resolve import Resolve
from garten.renderer.saved import load_renderer, save_renderer
from garten.renderer.session import Session, draw_together, shown_together
from garten.renderer.settings import check
from garten.renderer.texels import Texels
from garten.renderer.training.config import checked
from garten.renderer.training.presets import preset
from garten.renderer.training.saved import kept_renderer
from garten.renderer.window import Window
from garten.runs.changes import changed
from renderer.training.sets import clips_run, config_for, made
from renderer.training.test_train import run_of

CARRYING = replace(TINY, network=replace(TINY.network, history="reprojected"))


def test_at_first_known_pixels_are_blended_and_the_others_are_decoded():
    decoded, carried = torch.rand(2, 1, 3, 3, 4, 6)
    known = torch.zeros(1, 3, 1, 4, 6)
    known[..., :3] = 1.0
    with torch.no_grad():
        truth = torch.full_like(known, 0.5)
        shown, truer = Resolve(8)(decoded, torch.rand(1, 3, 4, 4, 6), carried, truth, known)
    share = 1 / (1 + np.exp(-3.0))
    torch.testing.assert_close(truer, share * truth * known)
    torch.testing.assert_close(shown[..., :3], ((1 - share) * decoded + share * carried)[..., :3])
    torch.testing.assert_close(shown[..., 3:], decoded[..., 3:])


def test_what_is_carried_where_nothing_is_known_has_no_effect():
    network = Resolve(8)
    for part in network.parameters():
        torch.nn.init.normal_(part)
    decoded, carried = torch.rand(2, 1, 2, 3, 8, 8)
    known = (torch.rand(1, 2, 1, 8, 8) > 0.5).float()
    other, geometry = torch.where(known > 0, carried, torch.rand_like(carried)), torch.rand(1, 2, 4, 8, 8)
    truth = torch.rand_like(known)
    untold = torch.where(known > 0, truth, torch.rand_like(truth))
    with torch.no_grad():
        same = (
            network(decoded, geometry, carried, truth, known),
            network(decoded, geometry, other, untold, known),
        )
    assert all(torch.equal(*pair) for pair in zip(*same, strict=True))


def test_carried_frames_as_images():
    images = np.zeros((2, 4, 6, 3), np.float32)
    images[1, 2, 3] = 255.0
    known = np.zeros((2, 4, 6), np.bool_)
    known[1, 2, 3] = True
    made_, where = past_images([Carried(images[0], images, known)], torch.device("cpu"))
    assert (made_.shape, where.shape) == ((1, 2, 3, 4, 6), (1, 2, 1, 4, 6))
    assert where.nonzero().tolist() == [[0, 1, 0, 2, 3]]
    assert made_[0, 1, :, 2, 3].tolist() == [1.0, 1.0, 1.0]
    assert float(made_[0, 0].max()) == -1.0


def test_an_image_is_brought_along_as_a_frame_is_with_gradients_to_it():
    clip, rng = made(1, frames=2), np.random.default_rng(0)
    motion = rng.uniform(-5, 5, clip.motion.shape).astype(np.float32)
    taps = rng.integers(0, 16, clip.taps.shape, np.uint8)
    clip = replace(clip, motion=motion, taps=taps)
    condition, frame = clip.condition(1), clip.frames[0]
    last = to_images([frame[None]], torch.device("cpu"))[0, 0]
    last = torch.cat([last, torch.rand_like(last[:1])]).requires_grad_()
    image, known = brought(last, condition, Texels())
    expected = carried_on(frame, [condition], Texels())
    expected_image, expected_known = past_images([expected], torch.device("cpu"))
    assert torch.equal(known, expected_known[0, 0])
    assert 0.0 < known.mean() < 1.0
    torch.testing.assert_close((image * known)[:3], (expected_image * expected_known)[0, 0])
    (image * image.detach()).sum().backward()  # linear: the gradient is what brings it back
    torch.testing.assert_close((last.grad * last.detach()).sum(), (image.detach() ** 2).sum())
    hidden = rng.random(known.shape[1:]) < 0.5
    _, less = brought(last, condition, Texels(), hidden=hidden)
    assert torch.equal(less[0], known[0] * torch.from_numpy(~hidden))


def test_what_is_shown_teaches_through_the_frames_before_it_in_its_block():
    renderer, clip = build(replace(CARRYING, resolve=4), seed=0).eval(), textured(0, frames=5)
    session = Session(renderer)
    session.start(clip.frames[0], clip.condition(0))
    drawn = draw_together([session], [[clip.condition(t) for t in range(1, 5)]])
    drawn.images.requires_grad_()
    shown_together([session], drawn)[0][:, 2].sum().backward()
    reached = drawn.images.grad[0].abs().sum((1, 2, 3))
    assert (reached[:3] > 0.0).all()
    assert reached[3] == 0.0


def textured(number, *, frames=17):
    """A clip in which nothing moves, painted finer than latents are."""
    clip = made(number, frames=frames)
    rng = np.random.default_rng(number)
    still = rng.integers(0, 256, clip.frames.shape[1:], np.uint8)
    return replace(
        clip,
        frames=np.broadcast_to(still, clip.frames.shape).copy(),
        motion=np.zeros_like(clip.motion),
        taps=np.full_like(clip.taps, 15),
    )


def test_the_reference_is_shown_as_it_is_and_texture_is_carried_on():
    renderer, clip = build(replace(CARRYING, resolve=4), seed=0).eval(), textured(0)
    with torch.no_grad():
        renderer.resolve.leave.bias[:4] = 20.0  # all of what is known
    session, plain = Session(renderer), Session(build(CARRYING, seed=0).eval())
    conditions = [clip.condition(t) for t in range(9)]
    assert np.array_equal(session.start(clip.frames[0], conditions[0]), clip.frames[0])
    assert not np.array_equal(plain.start(clip.frames[0], conditions[0]), clip.frames[0])
    early = session.peek(conditions[1:3])
    for first in (1, 5):
        block = session.advance(conditions[first : first + 4])
        assert np.array_equal(block, clip.frames[first : first + 4])
        assert not np.array_equal(plain.advance(conditions[first : first + 4]), block)
    assert np.array_equal(early, clip.frames[1:3])
    assert session._truth.min() == session._truth.max() == pytest.approx(1.0)


def test_what_is_hidden_is_decoded_and_no_longer_true():
    """Of the next block alone; what stays in sight is carried on."""
    renderer, clip = build(replace(CARRYING, resolve=4), seed=0).eval(), textured(0)
    with torch.no_grad():
        renderer.resolve.leave.bias[:4] = 20.0  # all of what is known
    conditions = [clip.condition(t) for t in range(9)]
    session = Session(renderer)
    session.start(clip.frames[0], conditions[0])
    side = np.zeros(clip.depth.shape[1:], np.bool_)
    side[:, 40:] = True
    session.hide(side)
    for first in (1, 5):
        block = session.advance(conditions[first : first + 4])
        assert np.array_equal(block[:, ~side], clip.frames[first : first + 4][:, ~side])
        assert (block[-1] != clip.frames[0])[side].mean() > 0.9
        np.testing.assert_allclose(session._truth, ~side, atol=1e-6)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A renderer of stage causal, one of stage resolve from it, and what that told."""
    folder = tmp_path_factory.mktemp("resolve")
    clips = clips_run(folder / "clips", shoot=textured)
    file = save_renderer(
        build(CARRYING, seed=0), folder / "causal.safetensors", half=False, about={"stage": "causal"}
    )
    config = config_for("resolve", [clips], origin=file, steps=30)
    finished, told = run_of(config, folder / "run")
    assert finished
    return load_renderer(file), load_renderer(kept_renderer(folder / "run")), told, clips


def test_it_learns_to_hold_what_is_carried_and_nothing_else_learns(trained):
    before, after, told, _ = trained
    assert after.settings == replace(CARRYING, resolve=4)
    weights = after.state_dict()
    for name, part in before.state_dict().items():
        assert torch.equal(weights[name], part)
    losses = [event["metrics"] for event in told]
    assert losses[-1]["loss"] < 0.5 * losses[0]["loss"]
    assert losses[-1]["loss"] < 0.5 * losses[-1]["decoded"]


def test_its_clips_may_be_longer_than_those_of_the_stages_before(tmp_path):
    """It streams, as in use: here for three blocks, of a renderer trained on two, with sides hidden."""
    short = replace(CARRYING, trained_frames=5, window=Window(sink=1, recent=2))
    file = save_renderer(
        build(short, seed=0), tmp_path / "causal.safetensors", half=False, about={"stage": "causal"}
    )
    clips = clips_run(tmp_path / "clips", shoot=textured)
    config = config_for("resolve", [clips], origin=file, steps=2)
    config = checked(replace(config, data=replace(config.data, blocks=3, forget=0.5)))
    finished, told = run_of(config, tmp_path / "run")
    assert finished
    assert all(event["metrics"]["loss"] > 0.0 for event in told)
    with pytest.raises(RunError, match=r"longer than renderer\.trained_frames"):
        checked(replace(config, stage="causal"))


def test_settings_without_carried_frames_are_refused(trained, tmp_path):
    with pytest.raises(ValueError, match=r"there is nothing to resolve; set network\.history to"):
        check(replace(TINY, resolve=4))
    *_, clips = trained
    file = save_renderer(build(TINY, seed=0), tmp_path / "r.safetensors", about={"stage": "causal"})
    with pytest.raises(
        RunError, match=r"carries no frames .*; train one of stage causal with --set renderer"
    ):
        config_for("resolve", [clips], origin=file)
    ae = save_renderer(build(TINY, seed=0), tmp_path / "ae.safetensors", about={"stage": "ae"})
    with pytest.raises(RunError, match=r"^What is to be resolved comes from stage adversarial or causal or "):
        config_for("resolve", [clips], origin=ae)
    with pytest.raises(RunError, match=r"name that by --from, and leave renderer.resolve above 0"):
        checked(changed(preset("tiny", "resolve"), ["renderer.resolve=0"]))
