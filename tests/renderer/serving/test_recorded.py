"""Recorded blocks against blocks as they stand, on a CPU: a tape of operations stands in for a CUDA graph."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from garten.renderer.prefix import Prefix
from garten.renderer.presets import TINY
from garten.renderer.renderer import build
from garten.renderer.serving.calls import Recorded, at_once
from garten.renderer.serving.choice import PLAIN, Serving, suited
from garten.renderer.session import Session, advance_together
from garten.renderer.stream import Given, Stream, commit_together, denoise_together
from garten.renderer.window import Window
from garten.sight.carry import Carry, Tracked
from renderer.serving.tape import Taped, memory
from renderer.small import clip, network, prefix
from renderer.test_session import conditions, picture

ENDS = TINY.endpoints[:2]
BLOCKS = 9  # three fill the window of `tiny`


def padded(seed=2):
    """A prefix of a language model that pads: not all of its keys count."""
    text = prefix(seed=seed)
    return Prefix(text.keys, text.values, torch.tensor([[True, seed % 2 == 0, True]]))


def begun(net, settings, text, *, seed=5, window=None, serving=PLAIN):
    window = window or settings.window
    stream = Stream(net, settings, text, seeds=[seed], window=window, endpoints=ENDS, serving=serving)
    data = clip(settings, blocks=BLOCKS, seed=seed)
    extra = torch.full((1, 1, settings.extra, *settings.latent_size), 0.5) if settings.extra else None
    stream.start(data.rgb[:, :1], data.geometry[:, :1], extra)
    return stream, [
        Given(part, None if extra is None else torch.full((1, settings.block, *extra.shape[2:]), 0.1 * index))
        for index, part in enumerate(torch.split(data.geometry[:, 1:], settings.block, 1))
    ]


def same_memory(one, two):
    used = one._used
    pairs = [*zip(one.keys, two.keys, strict=True), *zip(one.values, two.values, strict=True)]
    return two._used == used and all(torch.equal(a[:, :used], b[:, :used]) for a, b in pairs)


WITH_EXTRA = replace(TINY, network=replace(TINY.network, extra=2))


@pytest.mark.parametrize(
    ("settings", "window"),
    [
        (TINY, None),
        (TINY, Window(0, 4)),
        (replace(TINY, placement="contiguous"), None),
        (replace(TINY, placement="absolute"), None),  # positions go on and on
        (WITH_EXTRA, None),
    ],
)
def test_recorded_blocks_are_those_of_the_plain_stream(settings, window):
    """To the bit, long beyond the window, looked at twice, with other text in between; memory too."""
    net, taped = network(settings), Taped()
    streams = [
        begun(net, settings, padded(), window=window, serving=serving)
        for serving in (PLAIN, Serving(calls=Recorded(taped)))
    ]
    for index in range(BLOCKS):
        made = []
        for stream, given in streams:
            if index == 7:
                stream.switch(padded(seed=3))
            first = stream.denoise(given[index].geometry, given[index].extra)
            made.append(stream.denoise(given[index].geometry, given[index].extra))
            assert torch.equal(first.clean, made[-1].clean)
            stream.commit()
        assert torch.equal(made[0].clean, made[1].clean)
        assert torch.equal(made[0].noisy, made[1].noisy)
        assert same_memory(streams[0][0].cache, streams[1][0].cache)
    kinds = [len(tape.outputs) for tape in taped.tapes]  # two latents of a block, nothing of remembering
    assert kinds.count(0) == 1
    assert kinds.count(2) == 3 + (window is None)  # the second look at each filling block, then one for all


def test_a_recording_touches_what_stays_where_it_is():
    """Inputs, weights and the cache; nothing that Python made on the way."""
    net, taped = network(), Taped()
    stream, given = begun(net, TINY, padded(), serving=Serving(calls=Recorded(taped)))
    for block in given:
        stream.denoise(block.geometry)
        stream.commit()
    cache = stream.cache
    assert len(taped.tapes) == 2
    known = {memory(x) for x in (*net.parameters(), *cache.keys, *cache.values, cache.prefix_seen)}
    for tape in taped.tapes:
        inputs = {place for place, x in tape.met.items() if place not in known}
        # Geometry, cosines and sines, and two drawings of noise; or the clean block, and two that turn keys.
        assert len(inputs) == 5 + (not tape.outputs)


class OnDevice(TorchDispatchMode):
    """Refuses whatever reads from the CPU or waits for the device; `meta` stands for a GPU."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        touched = [x for x in tree_leaves((args, kwargs, result)) if isinstance(x, torch.Tensor)]
        assert all(x.device.type == "meta" for x in touched), function
        return result


def on_device(name, work, *inputs):
    with OnDevice():
        return work(*inputs)


def test_recorded_work_stays_on_the_device():
    """A graph holds no copy from the CPU, and nothing that waits: numbers of `meta` tensors do not exist."""
    text = Prefix(*(tuple(x.to("meta") for x in parts) for parts in (prefix().keys, prefix().values)))
    net, data = network().to("meta"), clip(blocks=BLOCKS)
    stream = Stream(
        net, TINY, text, seeds=[5], window=TINY.window, endpoints=ENDS, serving=Serving(calls=on_device)
    )
    stream.start(data.rgb[:, :1].to("meta"), data.geometry[:, :1].to("meta"))
    for geometry in torch.split(data.geometry[:, 1:].to("meta"), TINY.block, 1):
        assert stream.denoise(geometry).clean.shape == (1, 2, 4, 4, 8)
        stream.commit()
    assert stream.cache.frames == [0, 1, 2, 15, 16, 17, 18]


def test_recorded_batches_and_forks():
    """Streams of different ages in one batch, and one that leaves it halfway for a way of its own."""
    net, taped = network(), Taped()
    made = []
    for serving in (PLAIN, Serving(calls=Recorded(taped))):
        pairs = [begun(net, TINY, prefix(seed=s), seed=s, serving=serving) for s in (1, 2)]
        streams = [stream for stream, _ in pairs]
        streams[1].denoise(pairs[1][1][0].geometry)
        streams[1].commit()
        results = []
        for index in range(1, BLOCKS):
            blocks = [given[index] for _, given in pairs]
            results += [done.clean for done in denoise_together(streams, blocks)]
            commit_together(streams)
        fork = streams[0].fork()
        for stream in (fork, streams[0], fork, streams[0], fork):
            results.append(stream.denoise(pairs[0][1][stream.blocks % 3].geometry).clean)
            stream.commit()
        made.append(results)
    assert all(torch.equal(a, b) for a, b in zip(*made, strict=True))
    assert len(taped.tapes) == 2 + 2 + 2  # of the batch, of the fork, of its origin by itself
    with pytest.raises(ValueError, match="the way they are served"):
        denoise_together([streams[0], begun(net, TINY, prefix())[0]], [blocks[0], blocks[0]])


@pytest.mark.parametrize("history", ["attention", "reprojected"])
def test_recorded_sessions_show_the_same_frames(history):
    settings = replace(TINY, network=replace(TINY.network, history=history))
    renderer = build(settings, seed=0).eval()
    taped, shown = Taped(), []
    for serving in (None, Serving(calls=Recorded(taped))):
        session = Session(renderer, caption="a red house", seed=3, serving=serving)
        session.start(picture(), views(1)[0])
        frames = []
        for seed in range(6):
            given = views(4, seed=seed)
            frames += [session.peek(given[:2]), advance_together([session], [given])[0]]
        shown.append(np.concatenate(frames))
    assert np.array_equal(*shown)
    assert len(taped.tapes) >= 1


def views(count, *, seed=0):
    """Geometry of frames in which nothing moves, tracked."""
    still = Carry(
        np.zeros((TINY.height, TINY.width, 2), np.float32), np.full(picture().shape[:2], 15, np.uint8)
    )
    return [Tracked(c.depth, c.normals, c.ids, c.intrinsics, still) for c in conditions(count, seed=seed)]


def test_what_is_recorded_and_when():
    """First as it stands, then recorded, then repeated; other shapes are other work; old ones go."""
    taped, ran = Taped(), []
    calls = Recorded(taped, most=2)
    total = torch.zeros(3)

    def work(x, y):
        ran.append(None)
        total.add_(x)
        return (x * 2 if y is None else x * y,)

    kept = [calls("a", work, torch.full((3,), float(n)), None)[0] for n in range(5)]
    assert [float(x[0]) for x in kept] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert (len(ran), len(taped.tapes), total.tolist()) == (2, 1, [10.0] * 3)
    for _ in range(2):
        assert calls("a", work, torch.ones(3), torch.ones(3))[0].tolist() == [1.0] * 3
        assert at_once("a", work, torch.ones(3), None)[0].tolist() == [2.0] * 3
    assert len(taped.tapes) == 2
    for name in "bbbaa":  # "a" without y went when "b" came
        calls(name, work, torch.ones(3), None)
    assert len(taped.tapes) == 4


def test_on_a_cpu_nothing_changes():
    assert suited(network()) is PLAIN
