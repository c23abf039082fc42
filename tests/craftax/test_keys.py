"""Random keys: known answers of JAX, and kernels against the host."""

from typing import Any, get_args

import numpy as np
import pytest

from garten import devices
from garten.craftax import host_keys, keys, streams
from garten.craftax.host_keys import Stream

wp = devices.init_warp()

STREAMS = get_args(Stream)

# Of jax.random, for PRNGKey(42), by stream.
SPLIT = {
    "partitionable": [[1832780943, 270669613], [64467757, 2916123636], [2465931498, 255383827]],
    "original": [[3134548294, 3733159049], [3746501087, 894150801], [801545058, 2363201431]],
}
"""split(key, 3)"""

UNIFORM = {
    "partitionable": [0.48870957, 0.6797972, 0.6162715, 0.5610161, 0.4506446],
    "original": [0.7298188, 0.8691938, 0.19643795, 0.20818567, 0.18662417],
}
"""uniform(key, (5,)), an odd number of words, to the digits of float32"""

RANDINT = {
    "partitionable": {4: [0, 1, 1, 2, 1, 3], 9: [4, 2, 7, 7, 4, 2], 1000: [724, 85, 417, 526, 789, 963]},
    "original": {4: [3, 3, 3, 2, 0, 0], 9: [6, 7, 7, 8, 2, 8], 1000: [195, 607, 615, 202, 984, 516]},
}
"""randint(k, (), 0, span) for six split keys"""

RANDINTS = {"partitionable": [0, 6, 0], "original": [5, 7, 7]}
"""randint(key, (3,), 0, 9)"""

APART = [2398536845, 3890976714]
"""fold_in(key, 2**32 - 1), in either stream"""


@wp.kernel
def _children(
    stream: keys.Key, count: int, keys_in: wp.array(dtype=wp.vec2ui), out: wp.array2d(dtype=wp.vec2ui)
):
    i, j = wp.tid()
    out[i, j] = keys.words(keys.child(keys.of_stream(keys_in[i], stream), j, count))


@wp.kernel
def _halves(stream: keys.Key, keys_in: wp.array(dtype=wp.vec2ui), out: wp.array2d(dtype=wp.vec2ui)):
    i = wp.tid()
    key = keys.of_stream(keys_in[i], stream)
    out[i, 0] = keys.words(keys.left(key))
    out[i, 1] = keys.words(keys.right(key))


@wp.kernel
def _uniforms(stream: keys.Key, keys_in: wp.array(dtype=wp.vec2ui), count: int, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = keys.uniform_at(keys.of_stream(keys_in[0], stream), i, count)


@wp.kernel
def _randints(stream: keys.Key, keys_in: wp.array(dtype=wp.vec2ui), span: int, out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = keys.randint(keys.of_stream(keys_in[i], stream), span)


@wp.kernel
def _randint_array(stream: keys.Key, keys_in: wp.array(dtype=wp.vec2ui), span: int, out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = keys.randint_at(keys.of_stream(keys_in[0], stream), i, 3, span)


def run(kernel: Any, stream: Stream, dim: Any, *arguments: Any) -> Any:
    """Launch a kernel of this module; the last argument, which it returns, is what it writes."""
    wp.launch(streams.compiled_for(kernel, stream), dim=dim, inputs=[streams.some_key(stream), *arguments])
    return arguments[-1].numpy()


def on_device(words: np.ndarray) -> Any:
    return wp.array(words.reshape(-1, 2), dtype=wp.vec2ui)


def test_the_cipher_gives_its_published_answer():
    block = host_keys.threefry(np.zeros(2, np.uint32), np.zeros(1, np.uint32))
    assert block.tolist() == [[0x6B200159, 0x99BA4EFE]]


@pytest.mark.parametrize("stream", STREAMS)
def test_the_host_draws_what_jax_draws(stream):
    key = host_keys.key_of(42)
    assert host_keys.split(key, 3, stream=stream).tolist() == SPLIT[stream]
    assert np.array_equal(host_keys.uniform(key, 5, stream=stream), np.float32(UNIFORM[stream]))
    assert host_keys.apart(key).tolist() == APART


@pytest.mark.parametrize("stream", STREAMS)
def test_splitting_many_keys_at_once(stream):
    many = host_keys.split(host_keys.key_of(1), 4)
    each = [host_keys.split(key, 3, stream=stream).tolist() for key in many]
    assert host_keys.split(many, 3, stream=stream).tolist() == each


@pytest.mark.parametrize("stream", STREAMS)
def test_kernels_split_like_the_host(stream):
    many = host_keys.split(host_keys.key_of(3), 100)
    halves = run(_halves, stream, 100, on_device(many), wp.zeros((100, 2), dtype=wp.vec2ui))
    assert np.array_equal(halves, host_keys.split(many, stream=stream))
    for count in (3, 7):
        out = wp.zeros((100, count), dtype=wp.vec2ui)
        wp.launch(
            streams.compiled_for(_children, stream),
            dim=(100, count),
            inputs=[streams.some_key(stream), count, on_device(many), out],
        )
        assert np.array_equal(out.numpy(), host_keys.split(many, count, stream=stream))


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("count", [1, 5, 6, 2304])
def test_kernels_draw_like_the_host(stream, count):
    key = host_keys.key_of(42)
    drawn = run(_uniforms, stream, count, on_device(key), count, wp.zeros(count, dtype=float))
    assert np.array_equal(drawn, host_keys.uniform(key, count, stream=stream))


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("span", [4, 9, 1000])
def test_kernels_draw_integers_as_jax_does(stream, span):
    many = host_keys.split(host_keys.key_of(42), 6, stream=stream)
    drawn = run(_randints, stream, 6, on_device(many), span, wp.zeros(6, dtype=int))
    assert drawn.tolist() == RANDINT[stream][span]


@pytest.mark.parametrize("stream", STREAMS)
def test_kernels_draw_arrays_of_integers_as_jax_does(stream):
    drawn = run(_randint_array, stream, 3, on_device(host_keys.key_of(42)), 9, wp.zeros(3, dtype=int))
    assert drawn.tolist() == RANDINTS[stream]


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_must_fit(seed):
    with pytest.raises(ValueError, match="give one from 0"):
        host_keys.key_of(seed)
