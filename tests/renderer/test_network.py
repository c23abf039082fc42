"""Acceptance tests 7 and 8, the presets, and what chunks and positions promise."""

from dataclasses import replace

import pytest
import torch

from garten.renderer.blocks import velocities
from garten.renderer.layers import attend
from garten.renderer.network import Chunk, Network
from garten.renderer.presets import PRESETS, TINY, preset
from garten.renderer.renderer import build
from garten.renderer.rotary import Rotary, rotate, token_places
from garten.renderer.settings import check
from garten.renderer.subset import adapted_parts
from garten.renderer.window import Window
from renderer.small import clip, network, prefix


def reference(latents, geometry, **options):
    return Chunk(latents[:, :1], geometry[:, :1], torch.zeros(1, 1), **options)


def test_07_zero_init():
    """Marks begin at zero: then geometry is just more image, and a reference no different from a clean
    frame."""
    torch.manual_seed(0)
    net = Network(TINY)
    data = clip()
    assert not net.is_geometry.any()
    assert not net.is_reference.any()
    plain = net.embed(reference(data.rgb, data.geometry))[0]
    assert torch.equal(net.embed(reference(data.rgb, data.geometry, reference=True))[0], plain)
    by_hand = torch.cat([net.tokens_in(net._patches(x[:, :1])) for x in (data.rgb, data.geometry)], 2)
    assert torch.equal(plain, by_hand.flatten(1, 2))
    # Geometry equal to the RGB average of its place: its tokens are the mean of the RGB tokens there.
    flat = torch.zeros_like(data.rgb) + torch.randn(4, 1, 1)
    tokens = net.embed(reference(flat, flat[..., : data.geometry.shape[-2], : data.geometry.shape[-1]]))[0]
    torch.testing.assert_close(tokens[:, -1:], tokens[:, :-2].mean(1, keepdim=True), rtol=0, atol=1e-6)


def test_07_conditioning_adds_no_shapes():
    """Beside two vectors, the network is that of plain frames: the same matrices embed both."""
    net = Network(TINY)
    added = {"is_geometry", "is_reference"}
    shapes = {name: tuple(part.shape) for name, part in net.state_dict().items()}
    assert {shapes.pop(name) for name in added} == {(TINY.network.width,)}
    assert [name for name in shapes if "geometry" in name or "reference" in name] == []
    assert shapes["tokens_in.weight"] == (48, 4 * 2 * 2)


def test_08_mean_projection():
    """The mean of projections is the projection of the mean; the centres of both grids are in one place."""
    net = network()
    a, b = torch.randn(2, 1, 1, 4, 2, 4)
    project = net.tokens_in
    both = project(net._patches((a + b) / 2)), (project(net._patches(a)) + project(net._patches(b))) / 2
    torch.testing.assert_close(*both, rtol=0, atol=1e-6)
    for rows, columns, like in ((4, 7, (15, 26)), (2, 4, (2, 4)), (1, 2, (2, 4))):
        places = token_places(rows, columns, like)
        centre = torch.tensor([(like[0] - 1) / 2, (like[1] - 1) / 2], dtype=torch.float64)
        torch.testing.assert_close(places.mean(0), centre, rtol=0, atol=1e-12)
    assert token_places(1, 2, (2, 4)).tolist() == [[0.5, 0.5], [0.5, 2.5]]
    assert token_places(2, 2, (2, 2)).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_products_of_rotated_vectors_depend_on_distances():
    rotary = Rotary((4, 2, 2), 100.0)
    assert sorted(rotary.axes().tolist()) == [0, 0, 0, 0, 1, 1, 2, 2]
    assert Rotary((24, 20, 20), 5e6).axes().bincount().tolist() == [24, 20, 20]
    q, k = torch.randn(2, 1, 1, 1, 16, dtype=torch.float64)

    def product(at, to):
        turned = [rotate(x, rotary.phases(torch.tensor([[place]]))) for x, place in ((q, at), (k, to))]
        return float((turned[0] * turned[1]).sum())

    first = product((1.0, 2.0, 3.0), (4.0, 0.5, 3.0))
    assert product((11.0, 7.0, 1.0), (14.0, 5.5, 1.0)) == pytest.approx(first, abs=1e-5)
    assert product((11.0, 7.0, 1.0), (13.0, 5.5, 1.0)) != pytest.approx(first, abs=1e-3)


def test_grouped_heads_share_keys():
    q, k, v = torch.randn(1, 5, 4, 8), torch.randn(1, 7, 2, 8), torch.randn(1, 7, 2, 8)
    spread = (x.repeat_interleave(2, 2) for x in (k, v))
    torch.testing.assert_close(attend(q, k, v), attend(q, *spread))


def test_only_the_level_and_the_prefix_make_a_noisy_chunk_differ():
    """A noise level reaches RGB tokens only, a masked key of the prefix nothing at all."""
    net, data = network(), clip()
    clean = net.embed(reference(data.rgb, data.geometry))[0]
    noisy = net.embed(reference(data.rgb, data.geometry, level=torch.tensor([0.5])))[0]
    assert torch.equal(noisy[:, net.rgb_tokens :], clean[:, net.rgb_tokens :])
    assert not torch.equal(noisy[:, 0], clean[:, 0])
    text = prefix(tokens=4)
    seen = torch.tensor([[True, True, False, False]])
    changed = [part.clone() for part in (*text.keys, *text.values)]
    for part in changed:
        part[:, 2:] = 9.0
    chunks = [reference(data.rgb, data.geometry, level=torch.tensor([0.5]))]
    masked = [
        velocities(net, chunks, type(text)(tuple(parts[:2]), tuple(parts[2:]), seen))
        for parts in ((*text.keys, *text.values), changed)
    ]
    assert torch.equal(*masked)
    assert not torch.equal(masked[0], velocities(net, chunks, text))


@pytest.mark.parametrize("name", PRESETS)
def test_presets_fit_and_have_the_tokens_they_say(name):
    settings = preset(name)
    check(settings)
    with torch.device("meta"):
        net = Network(settings)
    tokens, millions = {
        "tiny": (10, 0.063),
        "xs": (75, 1.27),
        "s": (75, 2.7),
        "m": (75, 6.5),
        "paper": (418, 6970),
    }[name]
    assert net.frame_tokens == tokens
    assert sum(part.numel() for part in net.parameters()) / 1e6 == pytest.approx(millions, rel=0.03)


def test_unknown_presets_are_refused():
    with pytest.raises(ValueError, match="choose one of tiny, xs, s, m, paper"):
        preset("large")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 72}, "choose multiples of 16"),
        ({"geometry": replace(TINY.geometry, pool=3)}, "choose a divisor of both sides"),
        ({"codec": replace(TINY.codec, step=3)}, "choose a power of two up to 4"),
        ({"codec": replace(TINY.codec, step=8)}, "choose a power of two up to 4"),
        ({"network": replace(TINY.network, sections=(4, 2, 1))}, "make them 8"),
        ({"network": replace(TINY.network, kv_heads=2)}, "choose a divisor"),
        ({"window": Window(2, 4)}, "splits a block"),
        ({"trained_frames": 10}, "choose 1 and a multiple of 2"),
        ({"window": Window(3, 8)}, "make the window smaller"),
    ],
)
def test_settings_that_make_no_renderer_are_refused(change, message):
    check(TINY)
    with pytest.raises(ValueError, match=message):
        build(replace(TINY, **change), seed=0)


def test_captions_become_prefixes():
    """Words count in their order; unknown ones are no different; nothing comes from the rest of the batch."""
    made = build(TINY, seed=0)
    red, swapped = made.prefix("a red house"), made.prefix("a house red")
    assert red.tokens == TINY.captions.tokens
    assert red.keys[0].shape == (1, 4, 3, 16)
    assert not torch.equal(red.keys[0], swapped.keys[0])
    torch.testing.assert_close(made.captions(["", "A RED house!"]).values[1][1:], red.values[1])
    silent = build(replace(TINY, captions=replace(TINY.captions, tokens=0)), seed=0)
    assert silent.captions is None
    assert silent.prefix("a red house").tokens == 0


def test_what_learns_in_each_stage():
    """Stages 1 and 2 adapt attention and the marks of geometry and reference, stage 3 everything."""
    net = Network(TINY)
    for stage in ("bidirectional", "causal"):
        names = {
            name.removeprefix("layers.0.").removesuffix(".weight") for name, _ in adapted_parts(net, stage)
        }
        assert {name for name in names if not name.startswith("layers.1.")} == {
            *("queries_keys_values", "attention_out", "query_norm", "key_norm", "is_geometry", "is_reference")
        }
    assert len(list(adapted_parts(net, "adversarial"))) == len(list(net.parameters()))
