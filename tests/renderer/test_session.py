"""Sessions in frames, and renderers as files; acceptance tests 34 and 35 at the level of frames."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from garten.errors import RenderError, RunError
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import load_renderer, save_renderer
from garten.renderer.session import Session, advance_together
from garten.scene import Condition
from support import python

H, W = TINY.height, TINY.width


def conditions(count, *, seed=0):
    """Geometry of so many frames."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        depth = rng.uniform(1, 20, (H, W)).astype(np.float32)
        normals = rng.normal(size=(H, W, 3))
        normals = (normals / np.linalg.norm(normals, axis=-1, keepdims=True)).astype(np.float32)
        made.append(Condition(depth, normals, np.zeros((H, W), np.int32), (1.0, 1.0, 1.0, 1.0)))
    return made


def picture(seed=0):
    return np.random.default_rng(seed).integers(0, 256, (H, W, 3), np.uint8)


def started(renderer, **options):
    session = Session(renderer, **options)
    session.start(picture(), conditions(1)[0])
    return session


@pytest.fixture(scope="module")
def renderer():
    """Untrained, but with marks that are not zero and a codec that is not nearly blind."""
    made = build(TINY, seed=0)
    torch.manual_seed(0)
    with torch.no_grad():
        made.network.is_geometry.normal_()
        for last in (made.codec.encoder.leave, made.codec.decoder.leave):
            last.weight.mul_(20)
    return made.eval()


def test_a_session_makes_frames(renderer):
    session = Session(renderer, caption="a red house", seed=3)
    with pytest.raises(ValueError, match="start it first"):
        session.advance(conditions(4))
    first = session.start(picture(), conditions(1)[0])
    assert (first.shape, first.dtype) == ((H, W, 3), np.uint8)
    for seed in range(7):  # beyond the window
        frames = session.advance(conditions(4, seed=seed))
        assert (frames.shape, frames.dtype) == ((4, H, W, 3), np.uint8)
    assert session.stream.cache.frames == [0, 1, 2, 11, 12, 13, 14]


def test_34_interactive_frames(renderer):
    """Blocks are chosen as they come; equal beginnings give equal frames, whatever follows."""
    one, two = started(renderer), started(renderer)
    assert np.array_equal(one.advance(conditions(4, seed=1)), two.advance(conditions(4, seed=1)))
    assert not np.array_equal(one.advance(conditions(4, seed=2)), two.advance(conditions(4, seed=3)))


def test_35_same_seed_same_bytes(renderer):
    assert np.array_equal(
        started(renderer, seed=1).advance(conditions(4)), started(renderer, seed=1).advance(conditions(4))
    )
    assert not np.array_equal(
        started(renderer, seed=1).advance(conditions(4)), started(renderer, seed=2).advance(conditions(4))
    )


FRESH = """
import hashlib, torch
torch.set_num_threads(1)
from renderer.test_session import TINY, build, conditions, started
session = started(build(TINY, seed=0).eval(), caption="snow", seed=4)
print(hashlib.sha256(session.advance(conditions(4)).tobytes()).hexdigest())
"""


def test_35_same_bytes_in_a_fresh_process():
    done = python("import sys; sys.path.insert(0, 'tests')" + FRESH)
    session = started(build(TINY, seed=0).eval(), caption="snow", seed=4)
    here = hashlib.sha256(session.advance(conditions(4)).tobytes()).hexdigest()
    assert (done.stdout, done.stderr) == (f"{here}\n", "")


def test_an_action_that_ends_inside_a_block(renderer):
    """The observation is the frame of that instant; looking at it changes nothing that follows."""
    session, other = started(renderer), started(renderer)
    block = conditions(4, seed=1)
    seen = session.peek(block[:3])
    assert seen.shape == (3, H, W, 3)
    assert np.array_equal(seen, session.peek(block[:3]))
    with pytest.raises(ValueError, match="denoise one first"):
        session.stream.commit()
    assert np.array_equal(session.advance(block), other.advance(block))
    assert np.array_equal(session.peek(block), other.advance(block))
    for wrong in ([], conditions(5)):
        with pytest.raises(RenderError, match="cut them"):
            session.peek(wrong)


def test_sessions_of_one_batch(renderer):
    """Together as alone, up to rounding; and what one is shown never reaches another."""
    block = conditions(4, seed=1)
    alone = [started(renderer, seed=s, caption=c).advance(block) for s, c in ((1, "a"), (2, "b"))]
    for other in (block, conditions(4, seed=9)):
        pair = [started(renderer, seed=1, caption="a"), started(renderer, seed=2, caption="b")]
        first, second = advance_together(pair, [block, other])
        assert int(np.abs(first.astype(int) - alone[0]).max()) <= 1
        if other is block:
            kept = first
            assert int(np.abs(second.astype(int) - alone[1]).max()) <= 1
    assert np.array_equal(first, kept)


def test_style_can_be_switched(renderer):
    session, other = started(renderer, caption="snow"), started(renderer, caption="snow")
    block = conditions(4, seed=1)
    assert np.array_equal(session.advance(block), other.advance(block))
    session.switch("desert")
    assert not np.array_equal(session.advance(block), other.advance(block))


def test_images_of_another_size_are_refused(renderer):
    with pytest.raises(RenderError, match="takes images of 64x32, not 32x64"):
        Session(renderer).start(np.zeros((64, 32, 3), np.uint8), conditions(1)[0])


def test_a_renderer_as_a_file(renderer, tmp_path):
    """Weights come back to the bit at full precision, and close at half; the settings come with them."""
    path = save_renderer(renderer, tmp_path / "full.safetensors", half=False)
    again = load_renderer(path)
    assert again.settings == TINY
    for name, part in renderer.state_dict().items():
        assert torch.equal(again.state_dict()[name], part)
    half = save_renderer(renderer, tmp_path / "half.safetensors", about={"steps": 3})
    assert half.stat().st_size < 0.6 * path.stat().st_size
    for name, part in renderer.state_dict().items():
        torch.testing.assert_close(load_renderer(half).state_dict()[name], part, rtol=1e-3, atol=1e-5)


def test_files_that_are_no_renderer_are_told_in_a_sentence(renderer, tmp_path):
    path = save_renderer(renderer, tmp_path / "r.safetensors")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RenderError, match="holds no whole renderer of this version; give one"):
        load_renderer(path)
    path.write_bytes(b"no")
    with pytest.raises(RenderError, match="holds no whole renderer"):
        load_renderer(path)
    path.write_bytes(whole)
    weights = load_file(path)
    save_file(weights, path)  # without what tells of the settings
    with pytest.raises(RenderError, match="holds no whole renderer"):
        load_renderer(path)
    other = build(replace(TINY, network=replace(TINY.network, hidden=32)), seed=0)
    other.settings = TINY  # weights of other shapes than the settings say
    with pytest.raises(RenderError, match="holds no whole renderer"):
        load_renderer(save_renderer(other, path))
    with pytest.raises(RunError, match=r"absent\.safetensors"):
        load_renderer(tmp_path / "absent.safetensors")
