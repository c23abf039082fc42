"""Random keys: known answers of JAX, and kernels against the host."""

import numpy as np
import pytest

from garten import devices
from garten.craftax import host_keys, keys

wp = devices.init_warp()

# Of jax.random, for PRNGKey(42): split(key, 3), uniform(key, (5,)), randint(k, (), 0, n) for six split keys.
SPLIT = [[1832780943, 270669613], [64467757, 2916123636], [2465931498, 255383827]]
UNIFORM = [
    0.48870956897735596,
    0.6797971725463867,
    0.6162714958190918,
    0.5610160827636719,
    0.4506446123123169,
]
RANDINT = {4: [0, 1, 1, 2, 1, 3], 9: [4, 2, 7, 7, 4, 2], 1000: [724, 85, 417, 526, 789, 963]}


@wp.kernel
def _halves(keys_in: wp.array(dtype=wp.vec2ui), out: wp.array2d(dtype=wp.vec2ui)):
    i = wp.tid()
    out[i, 0] = keys.left(keys_in[i])
    out[i, 1] = keys.right(keys_in[i])


@wp.kernel
def _uniforms(key: wp.vec2ui, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = keys.uniform_at(key, i)


@wp.kernel
def _randints(keys_in: wp.array(dtype=wp.vec2ui), span: int, out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = keys.randint(keys_in[i], span)


def test_the_cipher_gives_its_published_answer():
    block = host_keys.threefry(np.zeros(2, np.uint32), np.zeros(1, np.uint32))
    assert block.tolist() == [[0x6B200159, 0x99BA4EFE]]


def test_the_host_draws_what_jax_draws():
    key = host_keys.key_of(42)
    assert host_keys.split(key, 3).tolist() == SPLIT
    assert host_keys.uniform(key, 5).tolist() == UNIFORM


def test_splitting_many_keys_at_once():
    many = host_keys.split(host_keys.key_of(1), 4)
    assert host_keys.split(many, 3).tolist() == [host_keys.split(key, 3).tolist() for key in many]


def test_kernels_split_like_the_host():
    many = host_keys.split(host_keys.key_of(3), 100)
    out = wp.zeros((100, 2), dtype=wp.vec2ui)
    wp.launch(_halves, dim=100, inputs=[wp.array(many, dtype=wp.vec2ui), out])
    assert np.array_equal(out.numpy(), host_keys.split(many))


def test_kernels_draw_what_jax_draws():
    out = wp.zeros(5, dtype=float)
    wp.launch(_uniforms, dim=5, inputs=[wp.vec2ui(*host_keys.key_of(42).tolist()), out])
    assert out.numpy().tolist() == UNIFORM


@pytest.mark.parametrize("span", RANDINT)
def test_kernels_draw_integers_as_jax_does(span):
    many = host_keys.split(host_keys.key_of(42), 6)
    out = wp.zeros(6, dtype=int)
    wp.launch(_randints, dim=6, inputs=[wp.array(many, dtype=wp.vec2ui), span, out])
    assert out.numpy().tolist() == RANDINT[span]


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_must_fit(seed):
    with pytest.raises(ValueError, match="give one from 0"):
        host_keys.key_of(seed)
