"""Public autoencoders: shapes at full size, streams and whole clips, and single steps against plain ones."""

import pytest
import torch
from torch.nn import functional

from garten.errors import RenderError
from garten.renderer.public import taehv_weights, wan_weights
from garten.renderer.taehv import Memory, Served, TinyDecoder
from garten.renderer.wan import Causal, Norm, Past, Wan, WanSettings, copies, means

SMALL = WanSettings(channels=4, encoder=8, decoder=8, widths=(1, 2, 2, 2))


def residual(at, given, made):
    """The shapes of one of their blocks."""
    return {
        f"{at}.residual.0.gamma": (given, 1, 1, 1),
        f"{at}.residual.2.weight": (made, given, 3, 3, 3),
        f"{at}.residual.2.bias": (made,),
        f"{at}.residual.3.gamma": (made, 1, 1, 1),
        f"{at}.residual.6.weight": (made, made, 3, 3, 3),
        f"{at}.residual.6.bias": (made,),
    } | (
        {f"{at}.shortcut.weight": (made, given, 1, 1, 1), f"{at}.shortcut.bias": (made,)}
        if given != made
        else {}
    )


def half(name, many, widths, latent, image, *, blocks, times):
    """The shapes of their encoder or decoder; `widths` in its order, `times` by level."""
    middle = widths[-1] if name == "encoder" else widths[0]
    shapes = {
        **residual(f"{name}.middle.0", middle, middle),
        f"{name}.middle.1.norm.gamma": (middle, 1, 1),
        f"{name}.middle.1.to_qkv.weight": (3 * middle, middle, 1, 1),
        f"{name}.middle.1.to_qkv.bias": (3 * middle,),
        f"{name}.middle.1.proj.weight": (middle, middle, 1, 1),
        f"{name}.middle.1.proj.bias": (middle,),
        **residual(f"{name}.middle.2", middle, middle),
        f"{name}.conv1.weight": (widths[0], image if name == "encoder" else latent, 3, 3, 3),
        f"{name}.conv1.bias": (widths[0],),
        f"{name}.head.0.gamma": (widths[-1], 1, 1, 1),
        f"{name}.head.2.weight": (latent if name == "encoder" else image, widths[-1], 3, 3, 3),
        f"{name}.head.2.bias": (latent if name == "encoder" else image,),
    }
    for level, made in enumerate(widths[1:]):
        at = f"{name}.{many}.{level}.{many}"
        for block in range(blocks):
            shapes |= residual(f"{at}.{block}", made if block else widths[level], made)
        if level < len(widths) - 2:
            shapes |= {
                f"{at}.{blocks}.resample.1.weight": (made, made, 3, 3),
                f"{at}.{blocks}.resample.1.bias": (made,),
            }
            if times[level]:
                out = 2 * made if name == "decoder" else made
                shapes |= {
                    f"{at}.{blocks}.time_conv.weight": (out, made, 3, 1, 1),
                    f"{at}.{blocks}.time_conv.bias": (out,),
                }
    return shapes


def published_wan():
    """All shapes of the released autoencoder: widths of 160 and 256 by 1, 2, 4, 4; 48 channels."""
    return {
        **half(
            "encoder", "downsamples", (160, 160, 320, 640, 640), 96, 12, blocks=2, times=(False, True, True)
        ),
        **half(
            "decoder", "upsamples", (1024, 1024, 1024, 512, 256), 48, 12, blocks=3, times=(True, True, False)
        ),
        "conv1.weight": (96, 96, 1, 1, 1),
        "conv1.bias": (96,),
        "conv2.weight": (48, 48, 1, 1, 1),
        "conv2.bias": (48,),
    }


def published_taehv():
    """All shapes of the released small decoder, place by place in its list; its first doubling makes two."""
    shapes = {"decoder.1.weight": (256, 48, 3, 3), "decoder.1.bias": (256,)}
    for first, width, finer, times in ((3, 256, 128, 2), (9, 128, 64, 2), (15, 64, 64, 2)):
        for block in range(first, first + 3):
            for place in (0, 2, 4):
                given = 2 * width if place == 0 else width
                shapes[f"decoder.{block}.conv.{place}.weight"] = (width, given, 3, 3)
                shapes[f"decoder.{block}.conv.{place}.bias"] = (width,)
        shapes[f"decoder.{first + 4}.conv.weight"] = (times * width, width, 1, 1)
        shapes[f"decoder.{first + 5}.weight"] = (finer, width, 3, 3)
    return shapes | {"decoder.22.weight": (12, 64, 3, 3), "decoder.22.bias": (12,)}


def drawn(shapes):
    return {name: torch.empty(shape) for name, shape in shapes.items()}


def test_the_published_sizes_fit():
    """Every weight of theirs has its place in ours, and every one of ours is theirs."""
    with torch.device("meta"):
        wan, tiny = Wan(WanSettings()), TinyDecoder()
        theirs = drawn(published_wan())
        made = wan_weights(theirs, wan, mean=torch.empty(48), size=torch.empty(48))
        assert {name: part.shape for name, part in made.items()} == {
            name: part.shape for name, part in wan.state_dict().items()
        }
        assert len(made) == len(theirs) + 2
        small = taehv_weights(drawn(published_taehv()), tiny)
        assert len(small) == len(published_taehv())
    assert sum(part.numel() for part in wan.parameters()) == pytest.approx(704.7e6, rel=0.001)
    assert (wan.step, wan.scale, tiny.step) == (4, 16, 4)


def test_each_weight_goes_to_its_own_place():
    """Weights that are numbered arrive each once."""
    theirs = {name: torch.full(shape, float(n)) for n, (name, shape) in enumerate(published_taehv().items())}
    made = taehv_weights(theirs, TinyDecoder())
    numbers = [float(part.flatten()[0]) for part in made.values()]
    assert sorted(numbers) == [float(n) for n in range(len(theirs))]
    place = list(theirs).index("decoder.10.conv.2.weight")
    assert float(made["levels.1.1.second.weight"].flatten()[0]) == place
    with pytest.raises(RenderError, match=r"no weight decoder\.22\.bias; give all files"):
        taehv_weights(
            {name: part for name, part in theirs.items() if name != "decoder.22.bias"}, TinyDecoder()
        )


def test_larger_models_are_refused():
    theirs = {name: torch.zeros(shape) for name, shape in published_taehv().items()}
    theirs |= {"decoder.23.weight": torch.zeros(1), "encoder.0.weight": torch.zeros(1)}
    with pytest.raises(
        RenderError, match=r"^There is no place for the weight decoder\.23\.weight; give the model"
    ):
        taehv_weights(theirs, TinyDecoder())


def small_wan():
    torch.manual_seed(0)
    made = Wan(SMALL)
    made.mean.normal_()
    made.size.uniform_(0.5, 2)
    with torch.no_grad():
        for name, part in made.named_parameters():
            if name.endswith("norm.weight"):
                part.uniform_(0.5, 1.5)
    return made.eval()


def cut(parts, code, axis=1):
    state, done = None, []
    for part in parts:
        made, state = code(part, state)
        done.append(made)
    return torch.cat(done, axis)


@torch.no_grad()
def test_streams_of_wan_are_whole_clips():
    """Both ways; the first latent frame is one frame, each further one four; none knows what comes."""
    wan, frames = small_wan(), torch.randn(2, 13, 3, 32, 48)
    latents, _ = wan.encode(frames)
    assert latents.shape == (2, 4, 4, 2, 3)
    pieces = cut(torch.split(frames, [1, 4, 8], 1), wan.encode)
    torch.testing.assert_close(pieces, latents, rtol=0, atol=1e-5)
    shown, _ = wan.decode(latents)
    assert shown.shape == frames.shape
    pieces = cut(torch.split(latents, [1, 2, 1], 1), wan.decode)
    torch.testing.assert_close(pieces, shown, rtol=0, atol=1e-5)
    later = latents.clone()
    later[:, 2:] += 1
    assert torch.equal(wan.decode(later)[0][:, :5], shown[:, :5])
    assert not torch.equal(wan.decode(later)[0][:, 5:], shown[:, 5:])
    with pytest.raises(ValueError, match="give 1 and a multiple of 4"):
        wan.encode(frames[:, :4])


@torch.no_grad()
def test_steps_of_wan_are_those_that_are_published():
    x = torch.randn(1, 6, 3, 4, 4)
    norm = Norm(6)
    norm.weight.uniform_(0.5, 1.5)
    wanted = x / x.square().mean(1, keepdim=True).sqrt() * norm.weight.view(1, 6, 1, 1, 1)
    torch.testing.assert_close(norm(x), wanted)
    layer = Causal(6, 5)
    padded = functional.pad(x, (1, 1, 1, 1, 2, 0))
    wanted = functional.conv3d(padded, layer.weight, layer.bias)
    torch.testing.assert_close(layer.through(x, Past(None)), wanted)
    # Black stands before the first frame: it is halved, its neighbours in space are averaged with it.
    mean = means(x, 6, time=2, space=2)
    assert mean.shape == (1, 6, 2, 2, 2)
    torch.testing.assert_close(mean[0, 1, 0, 0, 1], x[0, 1, 0, :2, 2:].sum() / 8)
    torch.testing.assert_close(mean[0, 1, 1, 0, 1], x[0, 1, 1:, :2, 2:].mean())
    fewer = means(x, 3, time=1, space=1)  # channels in pairs
    torch.testing.assert_close(fewer, (x[:, 0::2] + x[:, 1::2]) / 2)
    copied = copies(x, 6, time=2)
    assert copied.shape == (1, 6, 6, 8, 8)
    assert torch.equal(copied, x.repeat_interleave(2, 2).repeat_interleave(2, 3).repeat_interleave(2, 4))
    cells = copies(torch.randn(1, 8, 1, 1, 1), 1, time=2)  # each of eight channels is a cell of its own
    assert len(cells.unique()) == 8


@torch.no_grad()
def test_the_small_decoder_streams():
    torch.manual_seed(0)
    decoder, latents = TinyDecoder(channels=4, widths=(12, 8, 6, 6)), 4 * torch.randn(2, 4, 4, 2, 3)
    whole, _ = decoder.decode(latents)
    assert whole.shape == (2, 13, 3, 32, 48)
    pieces = cut(torch.split(latents, [1, 2, 1], 1), decoder.decode)
    torch.testing.assert_close(pieces, whole, rtol=0, atol=1e-5)
    assert float(whole.min()) >= -1
    block, x = Memory(4), torch.randn(1, 2, 4, 3, 3)
    y = torch.cat([x[:, 1], x[:, 0]], 1)
    for layer in (block.first, block.second):
        y = torch.relu(functional.conv2d(y, layer.weight, layer.bias, padding=1))
    y = torch.relu(x[:, 1] + functional.conv2d(y, block.third.weight, block.third.bias, padding=1))
    torch.testing.assert_close(block(x, None)[0][:, 1], y)


@torch.no_grad()
def test_served_together_they_are_a_codec():
    wan = small_wan()
    frames = torch.randn(1, 5, 3, 32, 48)
    latents, _ = wan.encode(frames)
    served = Served(wan, TinyDecoder(channels=4, widths=(12, 8, 6, 6)))
    assert torch.equal(served.encode(frames)[0], latents)
    assert served.decode(latents)[0].shape == frames.shape
    assert served.mean is wan.mean
