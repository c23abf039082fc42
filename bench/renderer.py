"""The renderer's machinery: streaming, exact replay beside one call, exact penalties beside double backward.

    python bench/renderer.py [--json]

All on one thread, in CPU time, with random weights, whose values change no cost. Streaming is the renderer
that comes along, or the preset `s` where none does, with two denoising steps and a full window, frames to
frames; `share_*` are the parts of a block's time. Memory of a long stream is that of the process, at `tiny`.
Replay is that of three blocks of `s` with its gradient, its memory counted tensor by tensor. Penalties are
those of a clip of 1,875 tokens.

Where a GPU is at hand: frames a second of a full stream by the clock, frames to frames, four denoising steps,
the network in bfloat16, for `m` and for `paper` (832x480; published on an H100: 36.5), as the GPU suits, with
recorded blocks alone (`_graphs`) and with neither those nor fused kernels (`_plain`); and milliseconds of
denoising and remembering a block (published for `paper`: 414.4).
"""

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from shared.measure import report
from shared.memory import Peak, resident

from garten.renderer.blocks import Clip, causal_chunks
from garten.renderer.discriminator import Eye, Head, tapped_layers
from garten.renderer.flow import clean
from garten.renderer.history import block_channels
from garten.renderer.look import DEFAULT
from garten.renderer.network import Network
from garten.renderer.packed import packed_velocities
from garten.renderer.penalty import exact_penalty
from garten.renderer.prefix import Prefix, blank
from garten.renderer.presets import preset
from garten.renderer.renderer import Renderer, build
from garten.renderer.replay import Rollout, replay, roll_out
from garten.renderer.saved import about_renderer
from garten.renderer.serving.calls import Recorded
from garten.renderer.serving.choice import PLAIN, Serving
from garten.renderer.serving.cuda import Graphs
from garten.renderer.session import Session, draw_together, shown_together
from garten.renderer.settings import RendererSettings
from garten.renderer.tangent import attend_plainly
from garten.sight.carry import Carry, Tracked

BLOCKS = 24
"""Of the stream that is timed, beyond those that fill the window."""

LONG = 2000
"""Blocks of the stream whose memory is watched, from the 200th on."""


def spent(work: Callable[[], object], *, repeats: int = 3) -> float:
    """CPU seconds of a run: the median."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def served() -> RendererSettings:
    """The settings of the renderer that comes along, or of `s`."""
    return about_renderer(DEFAULT)[0] if DEFAULT.is_file() else preset("s")


def views(settings: RendererSettings, count: int) -> list[Tracked]:
    """Geometry of frames: slopes in which nothing moves, the cost of which is that of any."""
    height, width = settings.height, settings.width
    ramp = np.linspace(1.0, 30.0, height * width, dtype=np.float32).reshape(height, width)
    up = np.broadcast_to(np.float32((0.0, 0.0, 1.0)), (height, width, 3)).copy()
    ids = np.zeros((height, width), np.int32)
    still = Carry(np.zeros((height, width, 2), np.float32), np.full((height, width), 15, np.uint8))
    return [Tracked(ramp + frame, up, ids, (1.0, 1.0, 1.0, 1.0), still) for frame in range(count)]


def begun(
    renderer: Renderer, *, steps: int | None = 2, serving: Serving | None = None
) -> tuple[Session, list[Tracked]]:
    """A session that has its reference, and a block for it."""
    settings = renderer.settings
    session = Session(renderer, caption="a red house", steps=steps, serving=serving)
    block = views(settings, settings.block_frames)
    session.start(np.zeros((settings.height, settings.width, 3), np.uint8), block[0])
    return session, block


def streaming(settings: RendererSettings) -> dict[str, float]:
    """Frames a CPU second of a full stream, latency of blocks, time to the first ones, bytes of the cache."""
    build(settings, seed=0)  # so that nothing is done for the first time
    start = time.process_time()
    session, block = begun(build(settings, seed=0).eval())
    session.advance(block)
    first = time.process_time() - start
    for _ in range(settings.window.capacity // settings.block):
        session.advance(block)
    times = [spent(lambda: session.advance(block), repeats=1) for _ in range(BLOCKS)]
    return {
        "stream_fps_cpu": settings.block_frames / statistics.median(times),
        "p95_block_over_duration": sorted(times)[int(0.95 * BLOCKS)] / settings.block_seconds,
        "first_frame_s": first,
        "cache_bytes": session.stream.cache.bytes,
        **shares(session, block),
    }


@torch.no_grad()
def shares(session: Session, block: list[Tracked]) -> dict[str, float]:
    """The parts of a block's time: conditions to latents, denoising, remembering, decoding, showing."""
    assert session._coded is not None
    coded, codec = session._coded, session.renderer.codec

    def conditions() -> tuple[torch.Tensor, torch.Tensor | None]:
        past = session._past(block)
        further = session._further(block, block_channels(codec, past) if past else None)
        return session._geometry(block, coded.geometry)[0], further

    latents, further = conditions()
    drawn = draw_together([session], [block])
    done = session.stream.denoise(latents, further)
    times = {
        "share_encode": spent(conditions),
        "share_denoise": spent(lambda: session.stream.denoise(latents, further)),
        "share_remember": spent(session.stream.commit, repeats=1),
        "share_decode": spent(lambda: codec.decode(done.clean, coded.frames)),
        "share_show": spent(lambda: shown_together([session], drawn)),
    }
    return {name: seconds / sum(times.values()) for name, seconds in times.items()}


def growth(settings: RendererSettings) -> float:
    """By how many megabytes the process grows from block 200 to block 2,000 of a stream."""
    session, block = begun(build(settings, seed=0).eval())
    sizes = []
    for _ in range(LONG):
        session.advance(block)
        sizes.append(resident())
    return (sizes[-1] - sizes[LONG // 10]) / 1e6


def clip_of(settings: RendererSettings, blocks: int) -> Clip:
    """Latents of noise."""
    frames, channels = 1 + blocks * settings.block, settings.codec.channels
    rgb = torch.randn(1, frames, channels, *settings.latent_size)
    return Clip(rgb, torch.randn(1, frames, channels, *settings.geometry_size))


def silence(settings: RendererSettings) -> Prefix:
    """A prefix of no tokens."""
    shape = settings.network
    return blank(shape.layers, torch.zeros(1, 1, shape.kv_heads, shape.head))


def replaying(settings: RendererSettings) -> dict[str, float]:
    """How far replay and one call are from the rollout in bfloat16, and what they cost in float32.

    Both recompute nothing and keep all that goes back needs, so that the ratio is of like and like.
    """
    data, text = clip_of(settings, 3), silence(settings)
    level = torch.full((1, 3), settings.endpoints[1])
    errors = {}
    network = Network(settings)

    def one_call(rollout: Rollout, net: Network, text: Prefix) -> torch.Tensor:
        chunks = causal_chunks(data, rollout.noisy, level, block=settings.block, history=rollout.clean)
        v = packed_velocities(net, chunks, text)
        return clean(rollout.noisy, v, level.repeat_interleave(settings.block, 1))

    rollout = roll_out(network, settings, data, text, steps=2, seeds=[0])
    work = {
        "replay": lambda: replay(network, settings, data, text, rollout, recompute=False).sum().backward(),
        "one_call": lambda: one_call(rollout, network, text).sum().backward(),
    }
    time_of = {name: spent(run) for name, run in work.items()}
    memory_of = {name: peak(run) for name, run in work.items()}
    network, text = network.bfloat16(), text.to(dtype=torch.bfloat16)
    rollout = roll_out(network, settings, data, text, steps=2, seeds=[0])
    with torch.no_grad():
        made = {
            "replay": replay(network, settings, data, text, rollout, recompute=False),
            "one_call": one_call(rollout, network, text),
        }
    for name, frames in made.items():
        errors[f"{name}_rel_l2"] = float((frames - rollout.clean).norm() / rollout.clean.norm())
    return {
        **errors,
        "replay_over_one_call_time": time_of["replay"] / time_of["one_call"],
        "replay_over_one_call_memory": memory_of["replay"] / memory_of["one_call"],
    }


def peak(work: Callable[[], object]) -> int:
    """Bytes of tensors at the peak of a run."""
    with Peak() as memory:
        work()
    return memory.most


def penalties(settings: RendererSettings) -> float:
    """CPU time of an exact penalty and its gradient over that of double backward, at 1,875 tokens."""
    settings = replace(settings, trained_frames=25)
    network = Network(settings).requires_grad_(False)
    data = clip_of(settings, 6)
    frames = data.rgb[:, 1:]
    eye = Eye(network, data, silence(settings), torch.tensor([0.5]), torch.randn_like(frames))
    shape = settings.network
    head = Head(shape.width, taps=len(tapped_layers(shape.layers)), heads=shape.heads)

    def exact() -> None:
        exact_penalty(network, eye.features, head, frames).sum().backward()

    def twice() -> None:
        leaf = frames.clone().requires_grad_()
        logit = head(eye.features(leaf, attend_plainly)).sum()
        (g,) = torch.autograd.grad(logit, leaf, create_graph=True)
        g.square().sum().backward()

    return spent(exact) / spent(twice)


def on_gpu(name: str) -> dict[str, float]:
    """A full stream of a preset, served in three ways: frames a second, milliseconds of the transformer."""
    with torch.device("cuda"):
        renderer = Renderer(preset(name)).eval()
    renderer.network.bfloat16()
    metrics = {}
    for ending, serving in {"": None, "_graphs": Serving(calls=Recorded(Graphs())), "_plain": PLAIN}.items():
        whole, transformer = block_seconds(renderer, serving)
        metrics[f"stream_fps_gpu_{name}{ending}"] = renderer.settings.block_frames / whole
        metrics[f"transformer_ms_gpu_{name}{ending}"] = 1000 * transformer
    return metrics


def block_seconds(renderer: Renderer, serving: Serving | None) -> tuple[float, float]:
    """Seconds of a block of a full stream, and those of denoising and remembering alone."""
    session, block = begun(renderer, steps=None, serving=serving)
    for _ in range(renderer.settings.window.capacity // renderer.settings.block + 3):
        session.advance(block)  # until the window is full, and the block's work has been recorded
    assert session._coded is not None
    stream, (geometry, _) = session.stream, session._geometry(block, session._coded.geometry)
    return (
        seconds(lambda: session.advance(block)),
        seconds(lambda: (stream.denoise(geometry), stream.commit())),
    )


def seconds(work: Callable[[], object], *, count: int = BLOCKS) -> float:
    """Seconds of a run by the clock, the GPU's work among them: the mean."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / count


def main() -> None:
    """Measure and print."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    metrics = {**streaming(served()), **replaying(preset("s"))}
    metrics["rss_growth_2000_blocks_mb"] = growth(preset("tiny"))
    metrics["r1r2_over_double_backward_1875"] = penalties(preset("s"))
    if torch.cuda.is_available():
        metrics |= {**on_gpu("m"), **on_gpu("paper")}
    else:
        print("There is no GPU here; what is measured on one is left out.", file=sys.stderr)
    report("renderer", metrics)


if __name__ == "__main__":
    main()
