"""The look `neural`: frames of worlds through a renderer, whoever asks for them and whenever."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from garten.episodes import looks
from garten.episodes.faces.gymnasium import WorldEnv
from garten.episodes.faces.pettingzoo import WorldParallelEnv
from garten.episodes.reshoot import observations, reshoot
from garten.episodes.run import play
from garten.errors import RenderError
from garten.records import Action, Moment
from garten.renderer import look as neural_look
from garten.renderer.framing import Framing
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import save_renderer
from garten.renderer.view import NeuralView
from garten.scene import NO_ID
from garten.sight import video
from garten.sight.looks import Photo, see
from garten.sight.probe import probe_camera, probe_scene
from garten.worlds.find import load

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "worlds" / "toy.py"  # frames 0.2 s apart, actions of 0.3, 0.4 and 0.5 s
LANTERN = ROOT / "examples" / "worlds" / "lantern"
SIZE = (48, 27)
SCENE = probe_scene()
BLOCK = TINY.block_frames


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Untrained, but with marks that are not zero and a codec that is not nearly blind."""
    renderer = build(TINY, seed=0)
    for last in (renderer.codec.encoder.leave, renderer.codec.decoder.leave):
        last.weight.data.mul_(20)
    renderer.network.is_geometry.data.normal_()
    return save_renderer(renderer, tmp_path_factory.mktemp("look") / "tiny.safetensors")


@pytest.fixture
def look(file):
    return looks.look(f"neural:{file}")


@pytest.fixture(scope="module")
def moments():
    """Two cameras that go round the probe scene."""
    return [
        Moment(round(0.2 * t, 1), SCENE, {"zed": probe_camera(3.0), "amy": probe_camera(0.05 * t)})
        for t in range(10)
    ]


def view(look, moments=(), *, seed=1, size=SIZE):
    made = look.view(lambda moment: moment.cameras["amy"], role="amy", size=size, seed=seed)
    for moment in moments:
        made.follow(moment)
    return made


def test_frames_do_not_depend_on_which_others_were_looked_at(look, moments):
    at_once = view(look)
    seen = []
    for moment in moments[:7]:
        at_once.follow(moment)
        seen.append(at_once.frame(moment))
    later = view(look, moments)
    backwards = [later.frame(moment) for moment in moments[6::-2]]
    assert all(np.array_equal(*pair) for pair in zip(seen[6::-2], backwards, strict=True))
    assert np.array_equal(view(look, moments).frame(moments[5]), seen[5])
    assert all(frame.shape == (27, 48, 3) for frame in seen)
    assert len({frame.tobytes() for frame in seen}) == len(seen)


def test_a_moment_between_two_of_the_clock_is_the_next_frame_so_far(look, moments):
    """An action may end between frames; what the clock brings afterwards is not known yet."""
    between = replace(moments[6], time=moments[6].time - 0.1)
    here = view(look, moments[:6])
    assert np.array_equal(here.frame(between), view(look, moments).frame(between))
    shifted = view(look, [*moments[:6], between])
    assert np.array_equal(here.frame(between), shifted.frame(between))
    with pytest.raises(RenderError, match="let it follow the episode first"):
        view(look).frame(moments[0])
    with pytest.raises(RenderError, match=r"come to 1 s cannot go on to 0\.8 s; fork it"):
        here.follow(moments[4])


def test_a_film_has_whole_blocks(look, moments):
    filmed = list(view(look).film(moments))
    seen = view(look, moments)
    assert len(filmed) == len(moments)
    for number in range(0, len(moments), BLOCK):  # the last frame of a block is the same at its instant
        assert np.array_equal(filmed[number], seen.frame(moments[number]))
    assert not np.array_equal(filmed[1], seen.frame(moments[1]))
    thinned = list(view(look).film(moments, every=3))
    assert all(np.array_equal(*pair) for pair in zip(thinned, filmed[::3], strict=True))


@pytest.mark.parametrize("known", [3, 8])
def test_a_fork_goes_on_as_its_origin_would_have(look, moments, known):
    """From a moment its origin has just come to, or has long left behind; neither reaches the other."""
    origin = view(look, moments[: known + 1])
    origin.frame(moments[known])
    fork = origin.fork(moments[min(known, 5)])
    other = [replace(moments[0], time=moment.time) for moment in moments[6:8]]
    for one, way in ((fork, other), (origin, moments[known + 1 :])):
        for moment in way:
            one.follow(moment)
            one.frame(moment)
    assert np.array_equal(origin.frame(moments[9]), view(look, moments).frame(moments[9]))
    straight = view(look, [*moments[: min(known, 5) + 1], *other])
    assert np.array_equal(fork.frame(other[-1]), straight.frame(other[-1]))


def test_seeds_and_roles_have_noise_of_their_own(look, moments):
    one = view(look, moments).frame(moments[4])
    assert not np.array_equal(one, view(look, moments, seed=2).frame(moments[4]))
    same_camera = look.view(lambda moment: moment.cameras["amy"], role="zed", size=SIZE, seed=1)
    for moment in moments:
        same_camera.follow(moment)
    assert not np.array_equal(one, same_camera.frame(moments[4]))


class Pusher:
    """Pushes, and reads every so many frames."""

    def __init__(self, every):
        self.every, self.calls, self.seen = every, 0, {}

    def act(self, observation, *, time_left):
        self.calls += 1
        if self.calls % self.every == 0:
            self.seen[observation.id] = observation.frame
        return Action("shove" if self.calls % 2 else "push")


def test_an_episode_shows_its_players_generated_frames_and_the_same_ones_again(look):
    agents = {"zed": Pusher(2), "amy": Pusher(1)}
    episode = play(load(TOY)(), agents, seed=5, look=look, size=SIZE)
    again = observations(episode, world=load(TOY)())
    seen = agents["zed"].seen | agents["amy"].seen
    assert len(seen) > 6
    assert all(np.array_equal(frame, again[name].frame) for name, frame in reversed(seen.items()))
    raw = observations(episode, world=load(TOY)(), look=looks.look("raw"))
    assert not any(np.array_equal(frame, raw[name].frame) for name, frame in seen.items())
    careless = {"zed": Pusher(99), "amy": Pusher(99)}
    assert play(load(TOY)(), careless, seed=5, look=look, size=SIZE) == episode


def test_a_recorded_episode_is_filmed_through_a_renderer(look, tmp_path):
    episode = play(
        load(TOY)(),
        {"zed": Pusher(99), "amy": Pusher(99)},
        seed=5,
        look=looks.look("raw"),
        size=SIZE,
    )
    made = [
        reshoot(episode, tmp_path / name, camera=camera, look=look, size=(64, 36), world=load(TOY)())
        for name, camera in (("one.webp", "amy"), ("two.webp", "amy"), ("top.webp", "overview"))
    ]
    assert made[0].read_bytes() == made[1].read_bytes() != made[2].read_bytes()
    assert len(list(video.frames(made[0]))) == 11


def test_other_libraries_agents_see_the_same_frames(look):
    env = WorldEnv(LANTERN, look=look, size=SIZE)
    frame, _ = env.reset(seed=4)
    frames = [frame, *(env.step({"action": 0, "walk.turn": 0.2})[0] for _ in range(2))]
    again, _ = env.reset(seed=4)
    assert np.array_equal(again, frames[0])
    assert not np.array_equal(frames[0], frames[2])
    both = WorldParallelEnv(TOY, look=look, size=SIZE)
    both.reset(seed=4)
    chosen = {"action": 0, "drive.speed": 0.0, "drive.gear": 1}
    for _ in range(3):
        seen, *_ = both.step(dict.fromkeys(both.agents, chosen))
    world = load(TOY)()
    world.reset(4)
    for role in world.idle:
        world.start(role, Action("push"))
    known = view(look, [world.moment()], seed=4)
    for _ in range(3):
        world.tick()
        if world.frame_due:
            known.follow(world.moment())
    assert np.array_equal(seen["amy"], known.frame(world.moment()))


# --- which renderer ----------------------------------------------------------------------------------


def test_a_look_is_of_one_file_as_it_was(file, look, tmp_path):
    assert look.name.startswith(f"neural:{file}@")
    assert looks.look(look.name).name == look.name
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(file.read_bytes())
    name = looks.look(f"neural:{copy}").name
    save_renderer(build(TINY, seed=1), copy)
    with pytest.raises(RenderError, match=r"is another renderer now .* put that one back"):
        looks.look(name)
    copy.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(RenderError, match="holds no whole renderer"):
        looks.prepare(f"neural:{copy}")


def test_the_renderer_that_comes_along_is_taken_up_once_it_is_there(file, monkeypatch, tmp_path):
    monkeypatch.setattr(neural_look, "DEFAULT", tmp_path / "default.safetensors")
    with pytest.raises(RenderError, match=r"No trained renderer comes with this version; name one's file"):
        looks.look("neural")
    (tmp_path / "default.safetensors").write_bytes(file.read_bytes())
    made = looks.look("neural")
    assert made.name == f"neural@{made.mark}" == looks.look(made.name).name
    assert made.load().settings == TINY


@pytest.mark.parametrize(
    "name", ["neural:", "neural:none.safetensors", "neuralx", "neural@123", "neural@x:y"]
)
def test_names_of_no_renderer_are_refused(name):
    with pytest.raises(RenderError, match=r"There is no (look|renderer) .*; (choose|give) "):
        looks.look(name)


# --- how views lie in a renderer's -------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "box"), [((160, 90), (0, 3, 160, 93)), ((96, 96), (32, 0, 128, 96))])
def test_the_view_asked_for_is_a_part_of_the_renderers(moments, asked, box):
    framing, camera = Framing(asked, (160, 96)), moments[0].cameras["amy"]
    assert framing.box == box
    left, top, right, bottom = box
    whole = framing.condition(moments[0], camera, "amy")
    part = see(moments[0], camera, role="amy", width=asked[0], height=asked[1])
    seen = np.isfinite(part.depth)
    assert seen.any()
    np.testing.assert_array_equal(whole.ids[top:bottom, left:right], part.ids)
    np.testing.assert_allclose(whole.depth[top:bottom, left:right][seen], part.depth[seen], rtol=1e-4)
    frame = framing.photo(Photo(), moments[0], camera, "amy")
    same = Photo().frame(moments[0], camera, role="amy", width=asked[0], height=asked[1])
    assert np.abs(framing.cut(frame).astype(int) - same).mean() < 1.0


def test_frames_of_any_size_are_cut(moments):
    for asked in ((320, 180), (16, 16), (400, 3)):
        framing = Framing(asked, (64, 32))
        frame = framing.photo(Photo(), moments[0], moments[0].cameras["amy"], "amy")
        assert framing.cut(frame).shape == (asked[1], asked[0], 3)
        assert math.isclose(
            (framing.box[2] - framing.box[0]) * asked[1], (framing.box[3] - framing.box[1]) * asked[0]
        )


def test_an_engine_that_draws_for_itself_is_asked_for_what_it_can(look, moments):
    """Only its roles' own views; beside them nothing is seen."""

    def drawing(role, width, height):
        return see(moments[0], moments[0].cameras[role], role=role, width=width, height=height)

    drawn = replace(moments[0], drawing=drawing)
    condition = Framing((160, 80), (160, 96)).condition(drawn, drawn.cameras["amy"], "amy")
    assert condition.depth.shape == (96, 160)
    assert (condition.ids[:8] == NO_ID).all()
    np.testing.assert_array_equal(condition.ids[8:88], drawing("amy", 160, 80).ids)
    shown = view(look, [drawn, replace(drawn, time=0.2)])
    assert shown.frame(replace(drawn, time=0.2)).shape == (27, 48, 3)
    assert isinstance(shown, NeuralView)
