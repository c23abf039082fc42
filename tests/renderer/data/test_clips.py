"""Clips of worlds: made alike every time, kept and read back, split so that tests stay apart."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from garten.errors import RenderError, RunError
from garten.renderer.data import shards
from garten.renderer.data.clip import ARRAYS, Clip, pack, unpack
from garten.renderer.data.reader import Clips
from garten.renderer.data.recipe import KIND, Plan, Recipe, plan
from garten.renderer.data.shoot import shoot
from garten.runs.codec import to_json
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.scene import NO_ID
from support import same_run

RECIPE = Recipe(worlds=("herding",), held_out=("one-lane-bridge",), clips=10, frames=4, size=(40, 24), seed=3)


def make(place: Path, maker: Callable[[int], Clip] | None = None, *, workers: int = 1) -> Path:
    """The clips of the recipe; a folder that has some of them is gone on with."""
    maker = maker or (lambda number: shoot(plan(RECIPE, number)))
    with begin(place, to_json(RECIPE), seeds=[RECIPE.seed], kind=KIND, resume=True) as run:
        shards.make(maker, RECIPE.clips, run, workers=workers)
    return place


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("clips") / "whole")


@pytest.fixture(scope="module")
def walk() -> Clip:
    """A clip of herding seen by a camera that walks."""
    return shoot(planned(camera="walk", style="noon", palette=4))


def planned(**changes: object) -> Plan:
    return dataclasses.replace(
        plan(dataclasses.replace(RECIPE, frames=10, size=(160, 96)), 0),
        **changes,  # type: ignore[arg-type]
    )


# --- what a clip holds -----------------------------------------------------------------------------


def test_the_parts_of_a_clip_fit_together(walk: Clip) -> None:
    count, height, width = 10, 96, 160
    assert walk.frames.shape == walk.normals.shape == (count, height, width, 3)
    assert walk.depth.shape == walk.ids.shape == walk.taps.shape == (count, height, width)
    unseen = walk.ids == NO_ID
    np.testing.assert_array_equal(np.isinf(walk.depth), unseen)
    np.testing.assert_allclose(np.linalg.norm(walk.normals[~unseen], axis=-1), 1.0, atol=1e-4)
    assert np.isnan(walk.motion[0]).all()
    assert not walk.taps[0].any()
    assert walk.about.caption.endswith("at noon under a clear sky")
    assert " grass" in walk.about.caption


def test_frames_carry_over_as_the_facts_say(walk: Clip) -> None:
    """Bare carrying: 34.9 dB on what was visible, 31 dB after nine, in the probe that led here."""
    image, one = walk.frames[0].astype(np.float32), []
    for t in range(1, len(walk)):
        truth = walk.frames[t].astype(np.float32)
        carried, holes = walk.carry(t).apply(walk.frames[t - 1])
        one.append(np.mean((carried - truth)[~holes] ** 2))
        image, holes = walk.carry(t).apply(image)
        image[holes] = truth[holes]
    assert 10.0 * np.log10(255.0**2 / np.mean(one)) > 34.0
    assert 10.0 * np.log10(255.0**2 / np.mean((image - truth) ** 2)) > 31.0


@pytest.mark.parametrize("camera", ["role", "chase", "orbit", "walk"])
@pytest.mark.parametrize("world", ["herding", "one-lane-bridge"])
def test_every_camera_sees_something_change(camera: str, world: str) -> None:
    clip = shoot(planned(world=world, camera=camera, frames=12, size=(40, 24)))
    assert (clip.ids != NO_ID).mean() > 0.1
    assert np.abs(np.diff(clip.frames.astype(int), axis=0)).mean() > 0.1


def test_clips_have_no_cuts() -> None:
    """The shootout's roles see through cameras that change places between kicks."""
    for number in range(3):
        clip = shoot(
            planned(world="penalty-shootout", camera="role", layout=number, frames=12, size=(40, 24))
        )
        holes = [clip.carry(t).apply(clip.depth[t - 1])[1].mean() for t in range(1, len(clip))]
        assert max(holes) < 0.6


def test_colours_say_nothing_of_geometry() -> None:
    """With another palette a clip has the same geometry, and other frames."""
    one, other = (shoot(planned(palette=number, frames=3, size=(40, 24))) for number in (1, 2))
    for name in ("depth", "normals", "ids", "taps"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert np.abs(one.frames.astype(int) - other.frames).mean() > 10.0


def test_clips_longer_than_episodes_are_refused() -> None:
    with pytest.raises(RenderError, match="end before a clip of 5000 frames is full"):
        shoot(planned(world="one-lane-bridge", frames=5000))


# --- shards ----------------------------------------------------------------------------------------


def test_a_shard_gives_its_clip_back(tmp_path: Path, walk: Clip) -> None:
    path = tmp_path / "clip.npz"
    path.write_bytes(pack(walk))
    read = unpack(walk.about, path)
    for name in ("frames", "ids", "taps"):
        np.testing.assert_array_equal(getattr(read, name), getattr(walk, name))
    seen = walk.ids != NO_ID
    np.testing.assert_allclose(read.depth[seen], np.minimum(walk.depth[seen], 65504.0), rtol=1e-3)
    np.testing.assert_array_equal(np.isinf(read.depth), ~seen)
    np.testing.assert_allclose(read.normals, walk.normals, atol=0.01)
    np.testing.assert_allclose(read.motion, walk.motion, rtol=1e-3, atol=1e-3)
    assert len(pack(walk)) < 0.5 * sum(getattr(walk, name).nbytes for name in ARRAYS)


def test_motion_from_very_far_off_is_kept_as_far_off(tmp_path: Path, walk: Clip) -> None:
    """What lies beside the camera's plane moved by more pixels than half precision counts."""
    far = walk.part(0, 2)
    far.motion[1, 0, 0] = 1e9, -1e9
    path = tmp_path / "far.npz"
    path.write_bytes(pack(far))
    assert unpack(far.about, path).motion[1, 0, 0].tolist() == [65504.0, -65504.0]


def test_damaged_shards_are_told_in_a_sentence(tmp_path: Path, walk: Clip) -> None:
    path = tmp_path / "clip.npz"
    content = pack(walk.part(0, 2))
    about = dataclasses.replace(walk.about, frames=2)
    wrong = dataclasses.replace(about, size=(16, 16))
    for written, of in ((content[:-200], about), (b"", about), (content, wrong)):
        path.write_bytes(written)
        with pytest.raises(RenderError, match="delete it and make it again"):
            unpack(of, path)
    path.unlink()
    with pytest.raises(RenderError, match="delete it"):
        unpack(about, path)


def test_a_run_that_was_cut_short_goes_on_to_the_same_bytes(tmp_path: Path, made: Path) -> None:
    """Stopped in the fourth clip, it keeps the three before; threads change nothing either."""
    calls: list[int] = []

    def stopping(number: int) -> Clip:
        calls.append(number)
        if number == 3:
            raise KeyboardInterrupt
        return shoot(plan(RECIPE, number))

    place = tmp_path / "cut"
    with pytest.raises(KeyboardInterrupt):
        make(place, stopping)
    assert len(list((place / "clips").glob("*.npz"))) == 3

    def counting(number: int) -> Clip:
        calls.append(number)
        return shoot(plan(RECIPE, number))

    calls.clear()
    make(place, counting, workers=2)
    assert sorted(calls) == list(range(3, 10))
    assert same_run(place, made) == []


def test_an_error_in_a_thread_ends_the_run_and_keeps_what_is_done(tmp_path: Path) -> None:
    def failing(number: int) -> Clip:
        if number == 4:
            raise RenderError("There is no such clip.")
        return shoot(plan(RECIPE, number))

    with pytest.raises(RenderError, match="no such clip"):
        make(tmp_path / "failed", failing, workers=2)
    assert same_run(make(tmp_path / "failed"), make(tmp_path / "other")) == []


# --- splits and reading ----------------------------------------------------------------------------


def test_held_out_layouts_and_worlds_are_never_trained_on() -> None:
    plans = [plan(dataclasses.replace(RECIPE, clips=400), number) for number in range(400)]
    by_split = {split: [p for p in plans if p.split == split] for split in ("train", "layouts", "worlds")}
    assert {split: len(found) for split, found in by_split.items()} == {
        "train": 320,
        "layouts": 40,
        "worlds": 40,
    }
    layouts = {split: {p.layout for p in found} for split, found in by_split.items()}
    assert not layouts["train"] & layouts["layouts"]
    assert {p.world for p in by_split["worlds"]} == {"one-lane-bridge"}
    assert {p.world for p in by_split["train"] + by_split["layouts"]} == {"herding"}


def test_batches_follow_from_seed_and_step(made: Path) -> None:
    clips = Clips([made], frames=3, seed=5)
    assert len(clips) == 8
    first, again = clips.batch(7, 6), Clips([made], frames=3, seed=5).batch(7, 6)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.frames, other.frames)
        assert one.frames.shape == (3, 24, 40, 3)
        assert one.about.frames == 3
        assert not one.taps[0].any()
    assert any(
        not np.array_equal(one.frames, other.frames)
        for one, other in zip(first, clips.batch(8, 6), strict=True)
    )


def test_a_part_begins_anew(made: Path) -> None:
    whole = Clips([made], frames=4).clip(0)
    part = Clips([made], frames=2).clip(0, start=1)
    np.testing.assert_array_equal(part.frames, whole.frames[1:3])
    np.testing.assert_array_equal(part.taps[1], whole.taps[2])
    assert np.isnan(part.motion[0]).all()


def test_splits_are_read_apart(made: Path) -> None:
    assert {clip.about.source for clip in Clips([made], frames=4, split="layouts")} == {"herding"}
    assert {clip.about.source for clip in Clips([made], frames=4, split="worlds")} == {"one-lane-bridge"}


def test_the_depth_scale_is_jittered_within_bounds(made: Path) -> None:
    scales = [clip.about.depth_scale for clip in Clips([made], frames=1, scale_jitter=0.2).batch(0, 30)]
    assert len(set(scales)) > 20
    assert np.exp(-0.2) <= min(scales) <= max(scales) <= np.exp(0.2)


def test_sets_without_a_fitting_clip_are_refused(made: Path, tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "other", {}, seeds=[0], kind="practice")
    with pytest.raises(RenderError, match="no clip of 5 frames or more of the split 'train'"):
        Clips([made], frames=5)
    with pytest.raises(RunError, match="is a run of practice"):
        Clips([tmp_path / "other"], frames=2)
    with pytest.raises(RunError, match="There is no run"):
        Clips([tmp_path / "none"], frames=2)
