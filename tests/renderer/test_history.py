"""History by exact motion: what is carried, what is remembered, and what a network is told of both."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from garten.errors import RenderError
from garten.records import Moment
from garten.renderer.blocks import Clip as LatentClip
from garten.renderer.blocks import causal_chunks, velocities
from garten.renderer.forcing import forcing_loss
from garten.renderer.geometry import colored, encoded, pooled, stretched, with_noise
from garten.renderer.history import carried, clip_channels, filled
from garten.renderer.pictures import to_images
from garten.renderer.prefix import blank
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.saved import load_renderer, save_renderer
from garten.renderer.session import Session
from garten.renderer.stream import Stream
from garten.renderer.texels import LARGER, Texels
from garten.renderer.view import NeuralView
from garten.scene import Camera, Kind, SceneBuilder
from garten.sight.anchors import Anchors
from garten.sight.carry import Carry, tracked
from garten.sight.looks import Photo, see
from renderer.oracle import Means, oracle
from renderer.small import clip as noise_clip
from renderer.small import network, prefix

W, H = TINY.width, TINY.height
BLOCK = TINY.block_frames
PHOTO = Photo()
BALL = 2
HISTORIES = ("attention", "reprojected", "both")


def stage():
    """Ground, a wall of boxes ahead, and a striped ball behind the camera."""
    builder = SceneBuilder()
    builder.add(Kind.PLANE, material=builder.material((0.4, 0.6, 0.3)))
    builder.add(
        Kind.BOX, (0.2, 6.0, 3.0), position=(7.0, 0.0, 1.0), material=builder.material((0.6, 0.5, 0.4))
    )
    builder.add(Kind.SPHERE, (0.9,), position=(-4.0, 0.0, 1.0), material=builder.material((0.9, 0.15, 0.1)))
    return builder.build()


STAGE = stage()


def at(heading, *, time=0.0, ball=(-4.0, 0.0, 1.0), back=0.0):
    """A moment, with the ball somewhere, and the camera that looks there."""
    positions = STAGE.positions.copy()
    positions[BALL] = ball
    camera = Camera.at((back, 0.0, 1.2), heading)
    return Moment(time, STAGE.moved(positions, STAGE.rotations), {"me": camera}), camera


def photo(shot):
    return PHOTO.frame(*shot, role="me", width=W, height=H)


def seen(shot):
    return see(*shot, role="me", width=W, height=H)


def follow(shots):
    """Conditions of all but the first shot."""
    return [tracked(*before, *now, seen=seen(before), here=seen(now)) for before, now in pairwise(shots)]


def still(shot):
    return tracked(*shot, *shot, seen=seen(shot), here=seen(shot))


def psnr(one, other):
    return float(10.0 * np.log10(255.0**2 / max(np.mean((one.astype(float) - other) ** 2), 1e-9)))


# --- what is carried ---------------------------------------------------------------------------------


def test_frames_are_carried_through_a_block_and_holes_stay_holes():
    shots = [at(0.04 * n) for n in range(BLOCK + 1)]
    told = carried(photo(shots[0]), [condition.carry for condition in follow(shots)])
    shares = told.known.mean((1, 2))
    assert (np.diff(shares) < 0).all()  # the camera turns, so that ever more was never seen
    for image, known, shot in zip(told.images, told.known, shots[1:], strict=True):
        assert psnr(image[known], photo(shot)[known]) > 27
        assert not image[~known].any()


def test_what_nobody_knows_is_filled_from_around():
    images, known = torch.zeros(1, 3, 6, 10), torch.ones(1, 1, 6, 10)
    images[:, 0] = torch.linspace(0, 1, 10)
    known[..., 4:7] = 0
    spoiled = torch.where(known > 0, images, 9.0)
    done = filled(spoiled, known)
    assert torch.equal(done[..., :4], images[..., :4])
    assert (done - images).abs().max() < 0.25
    assert not filled(images, torch.zeros_like(known)).any()


def test_clips_are_told_the_frame_before_each_block_and_nothing_else():
    """As a stream would be: what a block itself shows, or showed two blocks ago, plays no part."""
    torch.manual_seed(0)
    codec = build(TINY, seed=0).codec
    frames = np.random.default_rng(0).integers(0, 256, (1 + 3 * BLOCK, H, W, 3), np.uint8)
    nothing_moves = Carry(np.zeros((H, W, 2), np.float32), np.full((H, W), 15, np.uint8))
    told = clip_channels(codec, frames, lambda t: nothing_moves, block_frames=BLOCK)
    channels = TINY.codec.channels
    assert told.shape == (1 + 3 * TINY.block, channels + 1, *TINY.latent_size)
    assert not told[0].any()
    assert (told[1:, channels] == 1).all()
    other = frames.copy()
    other[BLOCK - 1] = other[BLOCK + 1] = 0
    assert torch.equal(clip_channels(codec, other, lambda t: nothing_moves, block_frames=BLOCK), told)
    other[BLOCK] = 0
    changed = clip_channels(codec, other, lambda t: nothing_moves, block_frames=BLOCK) != told
    blocks = changed[1:].flatten(1).any(1).view(3, TINY.block).any(1)
    assert blocks.tolist() == [False, True, False]
    holes = Carry(np.full((H, W, 2), np.nan, np.float32), np.zeros((H, W), np.uint8))
    assert not clip_channels(codec, frames, lambda t: holes, block_frames=BLOCK)[:, channels].any()


# --- sessions ----------------------------------------------------------------------------------------


def test_a_session_shows_surfaces_as_they_were():
    """With a network that adds nothing: three blocks of a camera that walks, against the truth."""
    shots = [at(0.0, back=0.06 * n) for n in range(3 * BLOCK + 1)]
    session = Session(oracle())
    assert np.array_equal(session.start(photo(shots[0]), still(shots[0])), photo(shots[0]))
    conditions = follow(shots)
    for first in range(0, 3 * BLOCK, BLOCK):
        block = conditions[first : first + BLOCK]
        early = session.peek(block[:2])
        made = session.advance(block)
        assert np.array_equal(early, made[:2])
    assert psnr(made[-1], photo(shots[-1])) > 27
    assert psnr(photo(shots[0]), photo(shots[-1])) < 24


def test_conditions_must_be_tracked_and_those_of_attention_need_not():
    shot = at(0.0)
    session = Session(oracle())
    session.start(photo(shot), seen(shot))
    with pytest.raises(RenderError, match="carries its last frame along; give conditions that are tracked"):
        session.advance([seen(shot)] * BLOCK)


AWAY = 150
"""Blocks of a minute at ten frames a second."""


def revisit(session, *, remembers):
    """Look round at the ball, look away for a minute, in which it rolls aside, and look again.

    Returns:
        PSNR of the ball as it is shown then, and the frames that the ball was seen in.
    """

    def told(shots):
        done = follow(shots)
        return done if remembers else [replace(one, anchors=None) for one in done]

    opening = at(0.0)
    session.start(photo(opening), still(opening))
    turns = np.linspace(0.0, np.pi, 3 * BLOCK + 1)
    there = [at(turn) for turn in turns]
    back = [at(np.pi - turn) for turn in turns]
    for way in (there, back):
        conditions = told(way)
        for first in range(0, len(conditions), BLOCK):
            session.advance(conditions[first : first + BLOCK])
            if way is there and first + BLOCK == len(conditions):
                # What the oracle cannot know it makes up: here the truth stands in for a good network.
                session._remember(photo(there[-1]), conditions[-1], np.ones((H, W), np.float32))
    away = told([back[-1], at(0.0, ball=(-4.0, 1.0, 1.0))])[0]
    session.advance([away, *[away.held()] * (BLOCK - 1)])
    for _ in range(AWAY):
        session.advance([away.held()] * BLOCK)
    again = [at(turn, ball=(-4.0, 1.0, 1.0)) for turn in turns]
    conditions = told(again)
    for first in range(0, len(conditions), BLOCK):
        made = session.advance(conditions[first : first + BLOCK])
    ball = seen(again[-1]).ids == BALL
    return psnr(made[-1][ball], photo(again[-1])[ball])


def test_a_thing_that_comes_back_after_a_minute_has_its_own_look():
    """The long memory against none; and the window of attention holds no frame in which the thing was."""
    with_memory = revisit(Session(oracle()), remembers=True)
    without = revisit(Session(oracle()), remembers=False)
    assert with_memory > 20
    assert with_memory > without + 6
    frames = 1 + 2 * TINY.block * (AWAY + 12)
    window = TINY.window
    remembered = {*range(window.sink), *range(frames - window.recent, frames)}
    looked = range(1 + 2 * TINY.block, 1 + 5 * TINY.block)  # latent frames with the ball in sight
    assert not remembered & set(looked)


def test_two_views_of_a_world_agree_on_a_colour_that_one_of_them_saw_first():
    """One role faces the ball at the opening, the other turns to it later; each has a session of its own."""
    moments = []
    for n in range(3 * BLOCK + 1):
        turned = at(np.pi * n / (3 * BLOCK), time=0.1 * n)[1]
        facing = Camera.at((-1.0, 2.0, 1.2), -2.5)
        moments.append(Moment(0.1 * n, STAGE, {"turns": turned, "faces": facing}))
    colors = {}
    for role in ("turns", "faces"):
        view = NeuralView(
            oracle(), lambda moment, role=role: moment.cameras[role], role=role, size=(W, H), seed=0
        )
        for moment in moments:
            view.follow(moment)
        ball = see(moments[-1], moments[-1].cameras[role], role=role, width=W, height=H).ids == BALL
        assert ball.sum() > 30
        colors[role] = view.frame(moments[-1])[ball].mean(0)
    assert np.abs(colors["turns"] - colors["faces"]).max() < 30
    red, green, blue = colors["turns"]
    assert red > 2 * green
    assert red > 2 * blue


@pytest.mark.parametrize("history", HISTORIES[1:])
def test_views_of_such_renderers_depend_on_moments_alone(history, tmp_path):
    settings = replace(TINY, network=replace(TINY.network, history=history))
    renderer = build(settings, seed=0)
    with torch.no_grad():
        renderer.network.extra_in.weight.normal_(std=0.3)
        for last in (renderer.codec.encoder.leave, renderer.codec.decoder.leave):
            last.weight.mul_(20)
    renderer = load_renderer(save_renderer(renderer, tmp_path / "r.safetensors"))
    assert renderer.settings == settings
    moments = [at(0.05 * n, time=0.1 * n)[0] for n in range(BLOCK + 3)]

    def view():
        made = NeuralView(renderer, lambda moment: moment.cameras["me"], role="me", size=(W, H), seed=0)
        for moment in moments:
            made.follow(moment)
        return made

    straight = [view().frame(moment) for moment in moments[-2:]]
    one = view()
    frames = [one.frame(moment) for moment in moments]
    fork = one.fork(moments[BLOCK])
    fork.follow(moments[-2])
    assert np.array_equal(fork.frame(moments[-2]), straight[0])
    assert all(np.array_equal(*pair) for pair in zip(straight, frames[-2:], strict=True))


# --- networks ----------------------------------------------------------------------------------------


def test_reprojected_blocks_see_the_reference_and_no_other_history():
    settings = replace(TINY, network=replace(TINY.network, history="reprojected"))
    data = noise_clip(settings, blocks=3)
    level = torch.full((1, 3), 0.5)
    chunks = causal_chunks(data, data.rgb[:, 1:], level, block=TINY.block, window=settings.clip_past)
    assert [chunk.sees for chunk in chunks] == [(), (0,), (0,), (0,)]
    assert all(chunk.level is not None for chunk in chunks[1:])
    both = replace(settings, network=replace(settings.network, history="both"))
    assert (both.clip_past, both.past) == (None, TINY.window)
    assert settings.extra == both.extra == TINY.codec.channels + 1
    assert TINY.extra == 0


@pytest.mark.parametrize("history", HISTORIES)
def test_a_stream_is_a_clip_in_parts_whatever_its_history(history):
    """To the bit: each block of a stream is the block of a clip with the same history."""
    settings = replace(TINY, network=replace(TINY.network, history=history))
    net = network(settings)
    torch.manual_seed(5)
    data = noise_clip(settings, blocks=3)
    if settings.extra:
        torch.nn.init.normal_(net.extra_in.weight)
        data = replace(data, extra=torch.randn(1, 7, settings.extra, *settings.latent_size))
    text, part = prefix(settings), settings.block
    level = settings.endpoints[0]
    stream = Stream(net, settings, text, seeds=[3], window=settings.past, endpoints=[level])
    give = lambda x, frames: None if x is None else x[:, frames]  # noqa: E731
    stream.start(data.rgb[:, :1], data.geometry[:, :1], give(data.extra, slice(0, 1)))
    done = []
    for first in range(1, 7, part):
        own = slice(first, first + part)
        done.append(stream.denoise(data.geometry[:, own], give(data.extra, own)))
        stream.commit()
    noisy = torch.cat([block.noisy for block in done], 1)
    shown = torch.cat([block.clean for block in done], 1)
    chunks = causal_chunks(
        data, noisy, torch.full((1, 3), level), block=part, history=shown, window=settings.past
    )
    with torch.no_grad():
        whole = noisy - level * velocities(net, chunks, text)
    assert torch.equal(whole, shown)


# --- the long memory ---------------------------------------------------------------------------------


def anchors(distance=1.0, thing=0, shift=0.0):
    """A flat thing before the camera, `shift` metres aside."""
    pitch = 0.02 * distance
    x, y = np.meshgrid(np.arange(W) * pitch + shift, np.arange(H) * pitch)
    places = np.stack([x, y, np.zeros_like(x)], -1).astype(np.float32)
    return Anchors(np.full((H, W), thing, np.int32), places, np.full((H, W), pitch, np.float32))


def smooth(where):
    """Colours that follow from places."""
    x, y, _ = np.moveaxis(where.places, -1, 0)
    return np.stack([127 + 100 * np.sin(x), 127 + 100 * np.cos(y), np.full_like(x, 60.0)], -1).astype(
        np.uint8
    )


@pytest.mark.parametrize("distance", [1.0, 0.2, 4.0])
def test_texels_are_found_again_from_near_and_far(distance):
    memory = Texels()
    memory.write(smooth(anchors()), anchors())
    again = anchors(distance)
    image, truth, known = memory.read(again, np.ones((H, W), np.bool_))
    inside = (again.places[..., 0] < W * 0.02 - 0.2) & (again.places[..., 1] < H * 0.02 - 0.2)
    assert known[inside].all()
    assert np.abs(image - smooth(again))[inside & known].max() < 25
    assert (truth == known).all()
    assert not memory.read(anchors(thing=1), np.ones((H, W), np.bool_))[2].any()
    assert not memory.read(anchors(2.0 ** (LARGER + 3)), np.ones((H, W), np.bool_))[2].any()


def test_texels_keep_the_last_look_within_their_room_and_forks_apart():
    memory, everywhere = Texels(room=3000), np.ones((H, W), np.bool_)
    red, blue = (np.full((H, W, 3), color, np.uint8) for color in ((200, 0, 0), (0, 0, 200)))
    memory.write(red, anchors())
    fork = memory.fork()
    memory.write(blue, anchors())
    assert (memory.read(anchors(), everywhere)[0] == blue).all()
    assert (fork.read(anchors(), everywhere)[0] == red).all()
    memory.write(red, anchors(thing=5))
    assert len(memory) <= 3000
    assert memory.read(anchors(thing=5), everywhere)[2].all()  # what was seen last stays
    wanted = np.zeros((H, W), np.bool_)
    wanted[3, 4] = True
    assert (memory.read(anchors(thing=5), wanted)[2] == wanted).all()


def test_texels_keep_the_truest_look():
    """What was made up later does not take the place of what a true frame showed; a new true frame does."""
    memory, everywhere = Texels(), np.ones((H, W), np.bool_)
    red, blue = (np.full((H, W, 3), color, np.uint8) for color in ((200, 0, 0), (0, 0, 200)))
    half = np.full((H, W), 0.5, np.float32)
    memory.write(red, anchors(), truth=half)
    for truth, color in ((0.4 * half, red), (half, blue), (1.5 * half, red), (0 * half, red)):
        memory.write(blue if color is blue else red, anchors(), truth=truth)
        assert (memory.read(anchors(), everywhere)[0] == color).all()
    memory.write(blue, anchors(), truth=half)
    colors, truth, _ = memory.read(anchors(), everywhere)
    assert (colors == red).all()
    np.testing.assert_allclose(truth, 0.75)
    memory.write(blue, anchors())
    assert (memory.read(anchors(), everywhere)[0] == blue).all()


# --- learning ----------------------------------------------------------------------------------------


def lesson(codec, seed):
    """A clip of two blocks in latents, its colours drawn, its camera turning: with exact history."""
    rng = np.random.default_rng(seed)
    start, speed, back = (
        rng.uniform(0, 6.28),
        rng.uniform(0.03, 0.09) * rng.choice([-1, 1]),
        rng.uniform(-2, 2),
    )
    look = Photo(palette=int(rng.integers(1 << 30)))
    shots = [at(start + speed * n, back=back) for n in range(2 * BLOCK + 1)]
    frames = np.stack([look.frame(*shot, role="me", width=W, height=H) for shot in shots])
    conditions = [still(shots[0]), *follow(shots)]
    rgb, _ = codec.encode(to_images([frames], torch.device("cpu")))
    images = (stretched(pooled(x, TINY), TINY)[None] for x in colored(conditions))
    geometry = with_noise(encoded(codec, *images, TINY)[0], TINY.geometry.noise, [seed])
    extra = clip_channels(codec, frames, lambda t: conditions[t].carry, block_frames=BLOCK)
    return rgb, geometry, extra[None]


@pytest.mark.slow
def test_exact_history_is_learned_from_sooner_than_attention():
    """300 steps of each form on the same 96 clips; then how far two steps come from the truth in others."""
    codec = Means(TINY.codec)
    known, kept = (
        [torch.cat(parts) for parts in zip(*(lesson(codec, n) for n in numbers), strict=True)]
        for numbers in (range(96), range(1000, 1024))
    )
    errors = {}
    for history in HISTORIES:
        settings = replace(TINY, network=replace(TINY.network, history=history))
        net, draw = network(settings), torch.Generator().manual_seed(1)
        learn = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.0)
        like = torch.zeros(1, 1, settings.network.kv_heads, settings.network.head)
        for _ in range(300):
            rows = torch.randint(96, (16,), generator=draw)
            rgb, geometry, extra = (part[rows] for part in known)
            clip = LatentClip(rgb, geometry, extra if settings.extra else None)
            text = blank(settings.network.layers, like, 16)
            past = settings.clip_past
            loss = forcing_loss(net, clip, text, block=TINY.block, generator=draw, window=past)
            learn.zero_grad()
            loss.backward()
            learn.step()
        rgb, geometry, extra = kept
        text = blank(settings.network.layers, like, 24)
        ends = settings.endpoints[:2]
        stream = Stream(net, settings, text, seeds=range(24), window=settings.past, endpoints=ends)
        stream.start(rgb[:, :1], geometry[:, :1])
        own = slice(1, 1 + TINY.block)
        made = stream.denoise(geometry[:, own], extra[:, own] if settings.extra else None).clean
        errors[history] = float((made - rgb[:, own]).square().mean())
    copied = float((rgb[:, own] - rgb[:, :1]).square().mean())
    print(f"\nerror of the first block {errors}, of a copied reference {copied}")  # noqa: T201 (the figures)
    for history in HISTORIES[1:]:
        assert errors[history] < min(0.4 * errors["attention"], 0.7 * copied)
