"""Many sessions of one renderer: order, bounded queues, what is late, and that they do not meet."""

import numpy as np
import pytest

from garten.errors import RenderError
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.server import Server
from garten.renderer.session import Session
from renderer.test_session import conditions, started


@pytest.fixture(scope="module")
def renderer():
    return build(TINY, seed=0).eval()


class Watch:
    """A clock that moves on when told."""

    now = 0.0

    def __call__(self):
        return self.now


def test_blocks_come_in_order_and_only_once(renderer):
    server = Server(batch=2)
    for name in "abc":
        server.join(name, started(renderer, seed=ord(name)))
    for name in "cab":
        assert server.offer(name, conditions(4))
    assert [served.name for served in server.serve()] == ["c", "a"]
    assert [served.name for served in server.serve()] == ["b"]
    assert server.serve() == []


def test_a_world_that_runs_ahead_is_refused(renderer):
    server = Server(queue=2)
    server.join("a", started(renderer))
    assert [server.offer("a", conditions(4, seed=seed)) for seed in range(4)] == [True, True, False, False]
    assert server.waiting("a") == 2
    server.serve()
    assert server.offer("a", conditions(4))


def test_what_is_late_is_rendered_and_says_so(renderer):
    """A block is due its own duration after it was offered: 4 frames at 15 a second."""
    watch = Watch()
    server = Server(clock=watch)
    server.join("a", started(renderer))
    block = conditions(4)
    server.offer("a", block)
    watch.now = 0.2
    assert server.serve()[0].wall_late == 0.0
    server.offer("a", block)
    watch.now += 4 / 15 + 0.5
    late = server.serve()[0]
    assert late.wall_late == pytest.approx(0.5)
    other = started(renderer)
    other.advance(block)
    assert np.array_equal(late.frames, other.advance(block))


def test_served_sessions_do_not_meet(renderer):
    """Whatever another session is shown, a session's frames are the same, to the bit."""
    shown = []
    for seed in (1, 2):
        server = Server()
        server.join("mine", started(renderer, seed=5))
        server.join("other", started(renderer, seed=6))
        server.offer("mine", conditions(4))
        server.offer("other", conditions(4, seed=seed))
        shown.append({served.name: served.frames for served in server.serve()})
    assert np.array_equal(shown[0]["mine"], shown[1]["mine"])


def test_wrong_calls_are_refused(renderer):
    server = Server()
    server.join("a", started(renderer))
    with pytest.raises(RenderError, match="choose another name"):
        server.join("a", started(renderer))
    with pytest.raises(RenderError, match="give whole blocks"):
        server.offer("a", conditions(3))
    with pytest.raises(RenderError, match="start it before it joins"):
        server.join("b", Session(renderer))
    with pytest.raises(RenderError, match="start another server"):
        server.join("b", started(build(TINY, seed=1).eval()))
    server.leave("a")
    server.join("a", started(renderer))
