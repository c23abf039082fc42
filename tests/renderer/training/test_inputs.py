"""Clips on their way into the network."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from garten.renderer.geometry import BLACK
from garten.renderer.history import Shown, block_channels
from garten.renderer.pictures import to_frames
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.replay import roll_out
from garten.renderer.session import Session
from garten.renderer.training.batches import Batches
from garten.renderer.training.extras import Dense, extra_for, sides
from garten.renderer.training.inputs import captions_of, geometry_of, latents_of
from renderer.training.sets import clips_run, config_for, made

NOISELESS = replace(TINY, geometry=replace(TINY.geometry, noise=0.0))


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("modality", ["depth", "normals", "average"])
def test_without_augmentation_latents_are_those_of_a_session(modality):
    settings = replace(NOISELESS, geometry=replace(NOISELESS.geometry, modality=modality))
    renderer, clip = build(settings, seed=0), made(0)
    latents = latents_of([clip, made(1)], settings, renderer.codec, generator=generator(), augment=False)
    session = Session(renderer)
    with torch.no_grad():
        geometry, _ = session._geometry([clip.condition(t) for t in range(len(clip))], None)
    torch.testing.assert_close(latents.geometry[:1], geometry, rtol=0, atol=1e-5)
    assert latents.rgb.shape == (2, 5, 4, 4, 8)
    assert latents.extra is None


def test_geometry_is_dropped_bent_and_one_modality_of_two():
    """Of 200 samples a tenth have none; the others depth or normals, not all of them as they are."""
    clip = made(0, frames=5)
    plain = {
        name: geometry_of(clip, replace(TINY, geometry=replace(TINY.geometry, modality=name)))[0, -1]
        for name in ("depth", "normals")
    }
    drawn = [geometry_of(clip, TINY, generator=generator(seed)) for seed in range(200)]
    assert all(images.shape == drawn[0].shape == (1, 5, 3, 16, 32) for images in drawn)
    none = sum(bool((images == BLACK).all()) for images in drawn)
    assert 8 <= none <= 34
    same = {name: sum(torch.equal(images[0, -1], image) for images in drawn) for name, image in plain.items()}
    assert 20 <= same["depth"] <= 80  # half of 90 are smoothed; the last frame is never bent
    assert 20 <= same["normals"] <= 80
    assert torch.equal(geometry_of(clip, TINY, generator=generator(5)), drawn[5])


def test_both_modalities_of_an_average_are_bent_in_the_same_way():
    settings = replace(TINY, geometry=replace(TINY.geometry, modality="average"))
    clip = made(0, frames=5)
    alike = replace(clip, normals=clip.normals * 0.0, depth=clip.depth * float("inf"))  # both black
    for seed in range(8):
        images = geometry_of(alike, settings, generator=generator(seed))
        assert images.shape[0] == 2
        assert torch.equal(images[0], images[1])


def test_captions_fall_silent():
    clips = [made(number, frames=2) for number in range(3)] * 100
    told = captions_of(clips, silent=0.1, generator=generator())
    assert 15 <= told.count("") <= 48
    assert captions_of(clips[:3], silent=0.0, generator=generator()) == ("clip 0", "clip 1", "clip 2")
    assert set(captions_of(clips, silent=1.0, generator=generator())) == {""}


def test_batches_follow_from_seed_and_number(tmp_path):
    config = config_for("ae", [clips_run(tmp_path / "clips", frames=5)])
    renderer = build(TINY, seed=0)
    one, same = Batches(config, renderer)(7), Batches(config, renderer)(7)
    assert torch.equal(one.clip.rgb, same.clip.rgb)
    assert torch.equal(one.clip.geometry, same.clip.geometry)
    assert one.captions == same.captions
    other = Batches(replace(config, seed=1), renderer)(7)
    assert not torch.equal(one.clip.geometry, other.clip.geometry)


@pytest.mark.parametrize(("history", "dense"), [("reprojected", 0), ("both", 2), ("attention", 4)])
def test_a_rollout_is_told_what_a_session_is(history, dense):
    """Block after block of its own frames: the same frames, and the same carried on."""
    network, geometry = replace(TINY.network, history=history), replace(NOISELESS.geometry, dense=dense)
    settings = replace(NOISELESS, network=network, geometry=geometry)
    renderer, clip = build(settings, seed=0), made(0, frames=13)
    clip = replace(clip, motion=np.full_like(clip.motion, 0.3), taps=np.full_like(clip.taps, 15))
    with torch.no_grad():
        renderer.network.extra_in.weight.normal_()
        latents = latents_of(
            [clip],
            settings,
            renderer.codec,
            generator=generator(),
            augment=False,
            extra=Dense(settings) if dense else None,
        )
        shown = (
            None
            if history == "attention"
            else Shown(renderer.codec, [clip.carry], block_frames=settings.block_frames)
        )
        rollout = roll_out(
            renderer.network,
            settings,
            latents,
            renderer.prefix(""),
            steps=4,
            seeds=[3],
            window=settings.past,
            shown=shown,
        )
        frames, _ = renderer.codec.decode(torch.cat([latents.rgb[:, :1], rollout.clean], 1))
    session = Session(renderer, seed=3)
    conditions = [clip.condition(t) for t in range(len(clip))]
    session.start(clip.frames[0], conditions[0])
    for block in range(3):
        own = conditions[1 + 4 * block : 5 + 4 * block]
        if shown is not None:
            told, here = (
                block_channels(renderer.codec, session._past(own)),
                slice(1 + 2 * block, 3 + 2 * block),
            )
            torch.testing.assert_close(rollout.carried[:, here], told, rtol=0, atol=1e-5)
        wanted = to_frames(frames[0, 1 + 4 * block : 5 + 4 * block])
        assert np.abs(session.advance(own).astype(int) - wanted).max() <= 1


def test_exact_history_of_a_clip_is_what_a_stream_would_be_told():
    """To the first block as in a session; where history is spoiled, that of later blocks is another."""
    settings = replace(NOISELESS, network=replace(TINY.network, history="both"))
    renderer, clip = build(settings, seed=0), made(0)
    clip = replace(clip, motion=np.full_like(clip.motion, 0.3), taps=np.full_like(clip.taps, 15))
    extra = extra_for(renderer, block_frames=settings.block_frames)
    options = {"augment": False, "extra": extra}
    plain = latents_of([clip], settings, renderer.codec, generator=generator(), spoil=False, **options)
    assert plain.extra.shape == (1, 5, settings.extra, *settings.latent_size)
    session = Session(renderer)
    conditions = [clip.condition(t) for t in range(len(clip))]
    session.start(clip.frames[0], conditions[0])
    told = block_channels(renderer.codec, session._past(conditions[1 : 1 + settings.block_frames]))
    torch.testing.assert_close(plain.extra[:, 1 : 1 + settings.block], told, rtol=0, atol=1e-5)
    assert plain.extra[:, 1:, -1].max() > 0.5
    spoiled = latents_of([clip], settings, renderer.codec, generator=generator(), **options)
    other = (spoiled.extra != plain.extra)[0].flatten(1).any(1)
    assert other.tolist() == [False, False, False, True, True]
    assert torch.equal(spoiled.extra[:, :, -1], plain.extra[:, :, -1])  # what is known stays known


def test_one_side_of_history_is_hidden_in_a_share_of_clips():
    """Another for each block; what is hidden there is filled from around it, and said not to be known."""
    settings = replace(NOISELESS, network=replace(TINY.network, history="reprojected"))
    renderer, clip = build(settings, seed=0), made(0)
    clip = replace(clip, motion=np.zeros_like(clip.motion), taps=np.full_like(clip.taps, 15))
    plain, hidden = (
        latents_of(
            [clip],
            settings,
            renderer.codec,
            generator=generator(),
            augment=False,
            extra=extra_for(renderer, block_frames=settings.block_frames, forget=forget),
        ).extra[0]
        for forget in (0.0, 1.0)
    )
    assert (plain[1:, -1] == 1.0).all()
    first, second = hidden[1 : 1 + settings.block, -1], hidden[1 + settings.block :, -1]
    for block in (first, second):
        assert block.min() < block.max()
        assert (block == block[0]).all()
    assert not torch.equal(first, second)
    assert not torch.equal(hidden[1:, :-1], plain[1:, :-1])


def test_sides_lie_beyond_a_line_of_any_direction_and_have_any_share():
    hidden = sides(400, (12, 20), generator=generator())
    assert hidden.shape == (400, 12, 20)
    shares = hidden.mean((1, 2))
    assert np.abs(np.quantile(shares, [0.1, 0.5, 0.9]) - [0.03, 0.5, 0.97]).max() < 0.06
    for corner in (np.s_[0, 0], np.s_[0, -1], np.s_[-1, 0], np.s_[-1, -1]):
        assert hidden[:, *corner].mean() == pytest.approx(0.5, abs=0.1)
    steps = np.diff(hidden.astype(int), axis=2)
    assert (np.abs(steps).sum(2) <= 1).all()  # along a row it begins or ends once
