"""Acceptance tests 11 to 15, 34 and 35: streams against whole clips, bounded memory, eviction, positions,
order."""

import time
from dataclasses import replace

import pytest
import torch
from memory import resident

from garten.renderer.blocks import Clip, causal_chunks, velocities
from garten.renderer.flow import clean, noised
from garten.renderer.noise import batch_normal
from garten.renderer.packed import packed_velocities
from garten.renderer.presets import TINY
from garten.renderer.rotary import rotate
from garten.renderer.stream import Given, Stream, commit_together, denoise_together
from garten.renderer.window import Window
from renderer.small import clip, long, network, prefix

ENDS = TINY.endpoints[:2]


def streamed(net, settings, data, text, *, seeds=(5,), window=None, ends=ENDS):
    """All blocks of a clip, streamed: [B, F, C, h, w]."""
    stream = Stream(net, settings, text, seeds=seeds, window=window, endpoints=ends)
    stream.start(data.rgb[:, :1], data.geometry[:, :1])
    done = []
    for geometry in torch.split(data.geometry[:, 1:], settings.block, 1):
        done.append(stream.denoise(geometry).clean)
        stream.commit()
    return torch.cat(done, 1)


@torch.no_grad()
def offline(net, settings, data, text, *, seeds=(5,), window=None, ends=ENDS, through=velocities, order=1):
    """The same without a cache: each step of a block is a pass over the whole clip so far."""
    block, made = settings.block, []
    for j in range((data.geometry.shape[1] - 1) // block):
        upto = 1 + (j + 1) * block
        x0 = None
        for step, level in enumerate(ends):
            eps = batch_normal((block, *data.rgb.shape[2:]), seeds, "block", j, step)
            s = torch.full((len(seeds),), level)
            own = eps if x0 is None else noised(x0, eps, s)
            latents = torch.cat([*made, own], 1)
            part = Clip(data.rgb[:, :1], data.geometry[:, :upto])
            by_block = torch.full((len(seeds), j + 1), level)
            chunks = causal_chunks(part, latents, by_block, block=block, history=latents, window=window)
            v = through(net, chunks, text)[:, -block:]
            x0 = clean(own, v, s)
        made.append(x0)
    return torch.cat(made, 1)


@pytest.mark.parametrize("samples", [1, 2])
def test_11_stream_equals_offline(samples):
    """A stream makes what whole clips make, to the bit; and what one dense mask makes, to 1e-5."""
    settings, seeds = long(), (5, 6)[:samples]
    net, data, text = network(), clip(blocks=4, samples=samples), prefix(samples=samples)
    stream = streamed(net, settings, data, text, seeds=seeds)
    assert torch.equal(stream, offline(net, settings, data, text, seeds=seeds))
    dense = offline(net, settings, data, text, seeds=seeds, through=packed_velocities)
    torch.testing.assert_close(stream, dense, rtol=0, atol=1e-5)
    assert not torch.equal(stream, dense)


def test_11_order_and_reuse_change_nothing():
    """The order of chunks in a list, and a stream made anew, give the same bits."""
    net, data, text = network(), clip(blocks=3), prefix()
    noisy = torch.randn_like(data.rgb[:, 1:])
    chunks = causal_chunks(data, noisy, torch.full((1, 3), 0.5), block=TINY.block)
    order = [0, 2, 1, 4, 3, 5]  # P before Q
    moved = [replace(chunks[i], sees=tuple(order.index(k) for k in chunks[i].sees)) for i in order]
    assert torch.equal(velocities(net, chunks, text), velocities(net, moved, text))
    assert torch.equal(streamed(net, long(), data, text), streamed(net, long(), data, text))


@pytest.fixture(scope="module")
def long_stream():
    """Of a small stream after each of 2,000 blocks: bytes of cache, frames, bytes of process, CPU seconds."""
    torch.set_num_threads(1)
    return list(zip(*two_thousand_blocks(), strict=True))


def two_thousand_blocks():
    """Yield that block by block."""
    settings = replace(
        TINY,
        block=1,
        width=32,
        height=16,
        window=Window(1, 2),
        trained_frames=4,
        endpoints=(1.0,),
        geometry=replace(TINY.geometry, pool=1),
        network=replace(TINY.network, layers=1),
    )
    data = clip(settings, blocks=1)
    stream = Stream(network(settings), settings, prefix(settings), seeds=[0], window=settings.window)
    stream.start(data.rgb[:, :1], data.geometry[:, :1])
    for _ in range(2000):
        start = time.process_time()
        stream.denoise(data.geometry[:, 1:])
        stream.commit()
        spent = time.process_time() - start
        yield stream.cache.bytes, len(stream.cache.frames), resident(), spent


def test_12_bounded_memory(long_stream):
    """Two thousand blocks: the cache keeps its size, and the process stays as large as it was."""
    sizes, frames, process, _ = long_stream
    assert len(set(sizes)) == 1
    assert set(frames[3:]) == {3}
    assert process[-1] - process[200] < 5e6


@pytest.mark.slow
def test_12_time_of_a_block_does_not_grow(long_stream):
    """A block late in the stream takes the CPU time of an early one."""
    *_, spent = long_stream
    early, late = (sorted(spent[first : first + 200])[100] for first in (200, 1800))
    assert late < 1.1 * early


@pytest.mark.parametrize(
    ("window", "kept"),
    [
        (Window(3, 4), [0, 1, 2, 9, 10, 11, 12]),
        (Window(1, 4), [0, 9, 10, 11, 12]),
        (Window(0, 4), [9, 10, 11, 12]),
        (Window(0, 14), list(range(13))),
    ],
)
def test_13_eviction(window, kept):
    """The first and the last frames stay, whole; a windowed stream is the windowed clip, to the bit."""
    settings = replace(long(), placement="absolute")
    net, data, text = network(), clip(blocks=6), prefix()
    stream = Stream(net, settings, text, seeds=[5], window=window, endpoints=ENDS)
    stream.start(data.rgb[:, :1], data.geometry[:, :1])
    done = []
    for geometry in torch.split(data.geometry[:, 1:], settings.block, 1):
        done.append(stream.denoise(geometry).clean)
        stream.commit()
    assert stream.cache.frames == kept
    whole = offline(net, settings, data, text, window=window)
    assert torch.equal(torch.cat(done, 1), whole)
    if len(kept) < 13:
        assert not torch.equal(whole, offline(net, settings, data, text))


def test_13_rgb_and_geometry_go_together():
    """What lies in the buffer after an eviction is the keys of the frames that stayed, token for token."""
    settings = replace(long(), placement="absolute")
    net, data, text = network(), clip(blocks=4), prefix()
    caches = []
    for window in (Window(3, 2), None):
        stream = Stream(net, settings, text, seeds=[5], window=window, endpoints=ENDS)
        stream.start(data.rgb[:, :1], data.geometry[:, :1])
        for geometry in torch.split(data.geometry[:, 1:], settings.block, 1):
            stream.denoise(geometry)
            stream.commit()
        caches.append(stream.cache)
    short, whole = caches
    assert short.frames == [0, 1, 2, 7, 8]
    tokens = net.frame_tokens

    def of_frame(cache, layer, frame):
        start = text.tokens + cache.frames.index(frame) * tokens
        return cache.keys[layer][:, start : start + tokens]

    for frame in (0, 1, 2):
        assert torch.equal(of_frame(short, 0, frame), of_frame(whole, 0, frame))
    # Values of the first layer depend on the frame alone; those of frame 8 were made from other pasts.
    assert not torch.equal(of_frame(short, 0, 8), of_frame(whole, 0, 8))
    assert of_frame(short, 0, 8).shape == (1, tokens, 3, 16)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.bfloat16, 5e-3)])
def test_14_rope_relocation(dtype, tolerance):
    """Keys that were turned to new positions, many times, are those projected there in the first place."""
    rotary = network().rotary
    key = torch.nn.functional.normalize(torch.randn(1, 6, 2, 16), dim=-1)
    places = torch.randint(0, 4, (1, 6, 3)).double()
    places[..., 0] = 30
    there = places.clone()
    there[..., 0] = 30 - 4
    moved = rotate(rotate(key.to(dtype), rotary.phases(places)), rotary.shift(-4))
    fresh = rotate(key.to(dtype), rotary.phases(there))
    assert float((moved - fresh).abs().max()) <= tolerance
    far = replace_time(places, 15_000.0), replace_time(there, 15_000.0)
    moved = rotate(rotate(key.to(dtype), rotary.phases(far[0])), rotary.shift(-4))
    assert float((moved - rotate(key.to(dtype), rotary.phases(far[1]))).abs().max()) <= tolerance


def replace_time(places, offset):
    later = places.clone()
    later[..., 0] += offset
    return later


@pytest.mark.parametrize("placement", ["top", "contiguous"])
def test_14_positions_stay_within_training(placement):
    """However long the stream, the block stands at positions that training had, and the sink stays put."""
    settings = replace(TINY, placement=placement)
    net, text = network(), prefix()
    stream = Stream(net, settings, text, seeds=[0], window=settings.window, endpoints=ENDS[:1])
    data = clip(blocks=1)
    stream.start(data.rgb[:, :1], data.geometry[:, :1])
    sink = None
    for index in range(12):
        place = stream.cache.position(settings.block)[0].tolist()
        assert place[-1] <= settings.trained_frames - 1
        if index >= 4:
            assert place == [7, 8]
        stream.denoise(data.geometry[:, 1:])
        stream.commit()
        if index == 0:
            sink = sink_of(stream.cache, text)
    assert torch.equal(sink, sink_of(stream.cache, text))
    assert stream.cache.frames == [0, 1, 2, 21, 22, 23, 24]


def sink_of(cache, text):
    return cache.keys[1][:, : text.tokens + 3 * cache.network.frame_tokens].clone()


def test_14_cached_keys_are_those_of_their_new_positions():
    """Behind the sink the buffer holds the frame's keys as if they had been projected where they stand
    now."""
    settings = TINY
    net, text, data = network(), prefix(), clip(blocks=8)
    kept = {}
    for placement in ("top", "absolute"):
        stream = Stream(
            net,
            replace(settings, placement=placement),
            text,
            seeds=[5],
            window=settings.window,
            endpoints=ENDS[:1],
        )
        stream.start(data.rgb[:, :1], data.geometry[:, :1])
        for geometry in torch.split(data.geometry[:, 1:], settings.block, 1):
            stream.denoise(geometry)
            # The same latents in both, so that keys of the first layer differ by their position only.
            done, block = stream.pending
            stream.pending = replace(done, clean=torch.ones_like(data.rgb[:, :2])), block
            stream.commit()
        kept[placement] = stream.cache
    top, still = kept["top"], kept["absolute"]
    assert top.frames == still.frames == [0, 1, 2, 13, 14, 15, 16]
    assert (top.shift, still.shift) == (10, 0)
    start = text.tokens + 3 * net.frame_tokens
    end = start + 4 * net.frame_tokens
    turned = rotate(still.keys[0][:, start:end], net.rotary.shift(-10.0))
    assert float((turned - top.keys[0][:, start:end]).abs().max()) <= 1e-6
    assert float((still.keys[0] - top.keys[0])[:, start:end].abs().max()) > 0.1


def test_15_denoise_is_pure():
    """Denoising twice gives the same and touches nothing that is remembered; a block is committed once."""
    net, data, text = network(), clip(blocks=2), prefix()
    stream = Stream(net, TINY, text, seeds=[5], window=TINY.window)
    geometry = data.geometry[:, 1:3]
    with pytest.raises(ValueError, match="start it first"):
        stream.denoise(geometry)
    stream.start(data.rgb[:, :1], data.geometry[:, :1])
    with pytest.raises(ValueError, match="has started"):
        stream.start(data.rgb[:, :1], data.geometry[:, :1])
    with pytest.raises(ValueError, match="denoise one first"):
        stream.commit()
    with pytest.raises(ValueError, match="whole one"):
        stream.denoise(geometry[:, :1])
    used = text.tokens + net.frame_tokens
    before = [part[:, :used].clone() for part in (*stream.cache.keys, *stream.cache.values)]
    first = stream.denoise(geometry)
    stream.denoise(data.geometry[:, 3:5])
    second = stream.denoise(geometry)
    assert torch.equal(first.clean, second.clean)
    after = [part[:, :used] for part in (*stream.cache.keys, *stream.cache.values)]
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))
    assert stream.cache.frames == [0]
    stream.commit()
    assert stream.cache.frames == [0, 1, 2]
    with pytest.raises(ValueError, match="denoise one first"):
        stream.commit()


def test_15_a_stream_without_window_ends_with_the_frames_of_training():
    net, data = network(), clip(blocks=1)
    stream = Stream(net, TINY, prefix(), seeds=[5], endpoints=ENDS[:1])
    stream.start(data.rgb[:, :1], data.geometry[:, :1])
    for _ in range(4):
        stream.denoise(data.geometry[:, 1:])
        stream.commit()
    with pytest.raises(ValueError, match="give it a window"):
        stream.denoise(data.geometry[:, 1:])


def test_15_text_is_switched_on_purpose_only():
    """A prefix changed in place changes nothing; one of another length, or in the midst of a block, is
    refused."""
    net, data = network(), clip(blocks=2)
    geometry = data.geometry[:, 1:3]
    results = []
    for meddle in (False, True):
        text = prefix()
        stream = Stream(net, TINY, text, seeds=[5], window=TINY.window)
        stream.start(data.rgb[:, :1], data.geometry[:, :1])
        if meddle:
            for part in (*text.keys, *text.values):
                part.zero_()
        results.append(stream.denoise(geometry).clean)
    assert torch.equal(*results)
    with pytest.raises(ValueError, match="commit it before switching"):
        stream.switch(prefix(seed=9))
    stream.commit()
    with pytest.raises(ValueError, match="use the same encoder"):
        stream.switch(prefix(tokens=4))
    seen = [part[:, 3:].clone() for part in stream.cache.keys]
    stream.switch(prefix(seed=9))
    assert all(torch.equal(a, part[:, 3:]) for a, part in zip(seen, stream.cache.keys, strict=True))
    changed = stream.denoise(geometry).clean
    other = Stream(net, TINY, prefix(), seeds=[5], window=TINY.window)
    other.start(data.rgb[:, :1], data.geometry[:, :1])
    other.denoise(geometry)
    other.commit()
    assert not torch.equal(changed, other.denoise(geometry).clean)


def test_34_interactive():
    """A block can follow from the one before it: a later condition never reaches an earlier frame."""
    net, text, data = network(), prefix(), clip(blocks=4)
    other = data.geometry.clone()
    other[:, 5:] += 1
    one = streamed(net, TINY, data, text, window=TINY.window)
    two = streamed(net, TINY, Clip(data.rgb, other), text, window=TINY.window)
    assert torch.equal(one[:, :4], two[:, :4])
    assert bool((one[:, 4:] != two[:, 4:]).flatten(2).any(2).all())


def test_35_determinism_in_batches():
    """A sample's noise is its seed's alone; in a batch of its own it gives the same bits again."""
    net, data = network(), clip(blocks=2)
    assert torch.equal(batch_normal((3,), [4, 7], "a", 1)[1], batch_normal((3,), [7], "a", 1)[0])
    assert not torch.equal(batch_normal((3,), [7], "a", 1), batch_normal((3,), [7], "a", 2))
    alone = streamed(net, TINY, data, prefix(), seeds=(7,))
    assert torch.equal(alone, streamed(net, TINY, data, prefix(), seeds=(7,)))
    assert not torch.equal(alone, streamed(net, TINY, data, prefix(), seeds=(8,)))
    twice = Clip(torch.cat([data.rgb] * 2), torch.cat([data.geometry] * 2))
    text = prefix()
    both = type(text)(
        *(tuple(part.expand(2, -1, -1, -1) for part in parts) for parts in (text.keys, text.values))
    )
    pair = streamed(net, TINY, twice, both, seeds=(4, 7))
    torch.testing.assert_close(pair[1:], alone, rtol=0, atol=1e-5)


def test_streams_of_one_batch_are_isolated():
    """Streams of different age, style and length of past run together, each as by itself."""
    net = network()
    streams, data = [], [clip(blocks=5, seed=seed) for seed in (1, 2)]
    for index, item in enumerate(data):
        stream = Stream(net, TINY, prefix(seed=index), seeds=[index], window=TINY.window)
        stream.start(item.rgb[:, :1], item.geometry[:, :1])
        streams.append(stream)
    for _ in range(3):  # the second is three blocks older
        streams[1].denoise(data[1].geometry[:, 1:3])
        streams[1].commit()
    alone = []
    for index, (stream, item) in enumerate(zip(streams, data, strict=True)):
        twin = Stream(net, TINY, prefix(seed=index), seeds=[index], window=TINY.window)
        twin.start(item.rgb[:, :1], item.geometry[:, :1])
        for _ in range(stream.blocks):
            twin.denoise(item.geometry[:, 1:3])
            twin.commit()
        alone.append(twin.denoise(item.geometry[:, 3:5]).clean)
    together = denoise_together(streams, [Given(item.geometry[:, 3:5]) for item in data])
    for one, done in zip(alone, together, strict=True):
        torch.testing.assert_close(done.clean, one, rtol=0, atol=1e-5)
    disturbed = denoise_together(streams, [Given(data[0].geometry[:, 3:5]), Given(data[1].geometry[:, 1:3])])
    assert torch.equal(disturbed[0].clean, together[0].clean)
    assert not torch.equal(disturbed[1].clean, together[1].clean)
    commit_together(streams)
    assert [stream.blocks for stream in streams] == [1, 4]


@pytest.mark.parametrize("window", [Window(2, 4), Window(-1, 4), Window(3, 0), Window(3, 3)])
def test_windows_that_split_blocks_are_refused(window):
    with pytest.raises(ValueError, match=r"splits a block|whole blocks"):
        window.check(2)
