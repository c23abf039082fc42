"""Recorded episodes seen again: the same events, the same frames, and a refusal when they differ."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from garten.episodes import cameras
from garten.episodes.reshoot import frame_of, observations, replay, reshoot
from garten.episodes.run import play
from garten.errors import ModelError, RenderError, WorldError
from garten.records import Action
from garten.runs.codec import dump, from_json
from garten.scene import Camera, Kind, SceneBuilder, turn_z
from garten.sight import video
from garten.sight.looks import look
from garten.worlds.find import load

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "worlds" / "toy.py"
LANTERN = ROOT / "examples" / "worlds" / "lantern"
SIZE = (48, 27)


class Wanderer:
    """Random actions of one world; keeps what it saw, reading every frame."""

    def __init__(self, world, seed, actions=99):
        self.rng = np.random.default_rng(seed)
        self.specs = world.spec.actions
        self.left = actions
        self.seen = {}

    def act(self, observation, *, time_left):
        self.finish(observation)
        self.left -= 1
        if self.left < 0:
            return None
        spec = self.specs[int(self.rng.integers(len(self.specs)))]
        return Action(
            spec.name, {one.name: float(round(self.rng.uniform(one.low, one.high))) for one in spec.arguments}
        )

    def finish(self, observation):
        self.seen[observation.id] = (observation.time, observation.feedback, observation.frame)


def recorded(place, *, seed=2, actions=99, breaks_at=None, size=SIZE):
    """An episode of random play, as it comes back from disk, and everything its agents saw."""
    world = load(place)()
    agents = {
        role.name: Wanderer(world, [seed, number], actions) for number, role in enumerate(world.spec.roles)
    }
    if breaks_at is not None:
        role, call = breaks_at
        act, calls = agents[role].act, iter(range(99))

        def failing(observation, *, time_left):
            if next(calls) == call:
                raise ModelError("gone; try again.")
            return act(observation, time_left=time_left)

        agents[role].act = failing
    episode = play(world, agents, seed=seed, look=look("raw"), size=size, name="g")
    seen = {key: value for agent in agents.values() for key, value in agent.seen.items()}
    return from_json(type(episode), json.loads(dump(episode))), seen


# --- the same events -------------------------------------------------------------------------------


def test_replay_yields_moments_at_the_frame_rate_from_the_opening_to_the_end():
    episode, _ = recorded(TOY)
    moments = list(replay(episode, world=load(TOY)()))
    times = [moment.time for moment in moments]
    assert times == pytest.approx([0.2 * n for n in range(episode.ticks // 2 + 1)])
    again = list(replay(episode, world=load(TOY)()))
    assert all(
        np.array_equal(a.scene.positions, b.scene.positions) for a, b in zip(moments, again, strict=True)
    )


def test_a_built_in_world_is_found_by_the_name_on_the_record():
    episode, _ = recorded("herding", actions=3, size=(8, 5))
    *_, last = replay(episode)
    assert last.time == pytest.approx(180.0)


@pytest.mark.parametrize("place", [TOY, LANTERN], ids=["toy", "lantern"])
@pytest.mark.parametrize("actions", [99, 2])
def test_every_observation_comes_back_byte_for_byte(place, actions):
    episode, seen = recorded(place, actions=actions)
    again = observations(episode, name="g", world=load(place)())
    assert set(again) == set(seen)
    assert {one.observation for one in episode.taken} <= set(seen)
    for key, (time, feedback, frame) in seen.items():
        assert (again[key].time, again[key].feedback) == (time, feedback)
        assert np.array_equal(again[key].frame, frame)
        assert again[key].frame.shape == (27, 48, 3)


def test_one_frame_as_evidence():
    episode, seen = recorded(TOY)
    world = load(TOY)()
    assert np.array_equal(frame_of(episode, "g-amy-002", name="g", world=world), seen["g-amy-002"][2])
    with pytest.raises(WorldError, match=r"no observation 'g-amy-099'; its ids run from g-amy-000 to g-zed-"):
        frame_of(episode, "g-amy-099", name="g", world=world)


@pytest.mark.parametrize("breaks_at", [("amy", 0), ("amy", 2), ("zed", 1)])
def test_an_episode_that_ended_in_an_error_is_seen_up_to_there(breaks_at):
    episode, seen = recorded(TOY, breaks_at=breaks_at)
    assert episode.error
    again = observations(episode, name="g", world=load(TOY)())
    assert {one.observation for one in episode.taken} <= set(again)
    assert all(np.array_equal(again[key].frame, frame) for key, (_, _, frame) in seen.items())
    *_, last = replay(episode, world=load(TOY)())
    assert last.time <= episode.ticks * 0.1 + 1e-9


def test_another_state_or_version_is_refused():
    episode, _ = recorded(TOY)
    world = load(TOY)()
    with pytest.raises(WorldError, match="ends in another state than recorded, both in toy version 3"):
        list(replay(replace(episode, seed=3), world=world))
    with pytest.raises(WorldError, match="another state"):
        frame_of(replace(episode, state_hash="0" * 64), "g-amy-000", name="g", world=world)
    with pytest.raises(WorldError, match="recorded in toy version 2, this is toy version 3; install"):
        list(replay(replace(episode, version=2), world=world))
    with pytest.raises(WorldError, match="this is lantern version 1"):
        list(replay(episode, world=load(LANTERN)()))


# --- filmed anew -----------------------------------------------------------------------------------


def film(monkeypatch, episode, **options):
    """The frames that a re-shooting hands to the video writer, and their rate."""
    shot = {}

    def write(path, frames, *, fps):
        shot.update(frames=list(frames), fps=fps)
        return path

    monkeypatch.setattr(video, "write", write)
    options = {"look": look("raw"), "size": SIZE, "world": load(TOY)()} | options
    reshoot(episode, Path("film.mp4"), **options)
    return shot["frames"], shot["fps"]


@pytest.mark.parametrize(
    ("camera", "name"), [("overview", "depth"), ("amy", "raw"), ("chase-zed", "normals")]
)
def test_a_film_is_a_playable_file_in_any_size_look_and_camera(tmp_path, camera, name):
    episode, _ = recorded(TOY)
    out = tmp_path / "film.mp4"
    made = reshoot(episode, out, camera=camera, look=look(name), size=(40, 24), world=load(TOY)())
    assert made == out
    frames = video.read(out)
    assert len(frames) == episode.ticks // 2 + 1
    assert frames[0].shape == (24, 40, 3)
    assert frames[0].std() > 0


def test_the_frames_of_a_film_are_those_of_the_moments(monkeypatch):
    episode, _ = recorded(TOY)
    frames, fps = film(monkeypatch, episode, camera="zed")
    raw, moments = look("raw"), replay(episode, world=load(TOY)())
    drawn = [raw.frame(one, one.cameras["zed"], role="zed", width=48, height=27) for one in moments]
    assert fps == 5
    assert all(np.array_equal(a, b) for a, b in zip(frames, drawn, strict=True))


def test_fewer_frames_a_second_skip_moments(monkeypatch):
    episode, _ = recorded(TOY)
    every, _ = film(monkeypatch, episode, camera="top")
    fifth, fps = film(monkeypatch, episode, camera="top", fps=1)
    assert fps == 1
    assert all(np.array_equal(a, b) for a, b in zip(every[::5], fifth, strict=True))
    for wrong in (2, 10):
        with pytest.raises(RenderError, match=f"{wrong} frames per second do not divide the world's 5"):
            film(monkeypatch, episode, camera="top", fps=wrong)


def test_a_faster_film_skips_moments_and_shows_as_many_a_second(monkeypatch):
    episode, _ = recorded(TOY)
    every, rate = film(monkeypatch, episode, camera="top")
    third, fps = film(monkeypatch, episode, camera="top", speed=3, fps=5)
    assert fps == rate == 5
    assert all(np.array_equal(a, b) for a, b in zip(every[::3], third, strict=True))
    _, fps = film(monkeypatch, episode, camera="top", speed=3)
    assert fps == 5


def test_an_unknown_camera_is_refused_with_the_list(monkeypatch):
    episode, _ = recorded(TOY)
    with pytest.raises(RenderError, match="no camera 'side'; choose one of zed, amy, overview, top, chase-"):
        film(monkeypatch, episode, camera="side")


# --- free cameras ----------------------------------------------------------------------------------


def inside(camera, points, aspect):
    """Whether all world points project into the image of that aspect."""
    w, x, y, z = camera.rotation
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    seen = (points - np.array(camera.position)) @ turn
    limit = math.tan(0.5 * camera.fov_y)
    ahead = -seen[:, 2]
    return bool(
        (ahead > 0).all()
        and (abs(seen[:, 1]) <= limit * ahead).all()
        and (abs(seen[:, 0]) <= aspect * limit * ahead).all()
    )


@pytest.mark.parametrize("aspect", [16 / 9, 0.75])
@pytest.mark.parametrize("camera", ["overview", "top"])
@pytest.mark.parametrize("place", ["herding", "one-lane-bridge", LANTERN])
def test_fixed_cameras_see_every_corner_of_the_bounds(place, camera, aspect):
    world = load(place)()
    world.reset(0)
    moment = world.moment()
    low, high = cameras.bounds(moment.scene)
    corners = np.array([[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)])
    view = cameras.shot(camera, moment, aspect=aspect)(moment)
    assert inside(view, corners, aspect=aspect + 1e-6)


def test_bounds_hold_the_solid_shapes_and_leave_the_ground_out():
    builder = SceneBuilder()
    paint = builder.material((1.0, 0.0, 0.0))
    builder.add(Kind.PLANE, (500.0, 500.0), material=paint)
    builder.add(Kind.SPHERE, (2.0,), position=(3.0, 0.0, 1.0), material=paint)
    builder.add(
        Kind.BOX, (1.0, 2.0, 2.0), position=(-4.0, 0.0, 0.0), rotation=turn_z(0.5 * math.pi), material=paint
    )
    builder.add(Kind.CYLINDER, (0.5, 1.5), position=(0.0, -4.0, 0.0), material=paint)
    builder.add(Kind.BOX, (300.0, 300.0, 1.0), position=(0.0, 0.0, -2.0), material=paint)
    low, high = cameras.bounds(builder.build())
    assert low == pytest.approx([-6.0, -4.5, -2.0])
    assert high == pytest.approx([5.0, 2.0, 3.0])
    low, high = cameras.bounds(SceneBuilder().build())
    assert (high > low).all()


@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5])
def test_the_chase_camera_is_behind_and_above_and_sees_the_role_in_the_middle(heading):
    eyes = Camera.at((3.0, -2.0, 0.8), heading, pitch=-0.2)
    view = cameras.chase(eyes)
    back = np.array(eyes.position) - np.array(view.position)
    assert back[2] < 0
    assert math.atan2(back[1], back[0]) == pytest.approx(heading)
    narrow = replace(view, fov_y=1e-3)
    assert inside(narrow, np.array([eyes.position]), aspect=1.0)
