"""Run the published renderer's weights in our code, on a GPU.

    python scripts/public_renderer.py --tower DIR --wan Wan2.2_VAE.pth --wan-config config.json

DIR holds the safetensors of the renderer, or of Cosmos3-Nano's generation tower; config.json is the one of
the Diffusers form of the autoencoder, for `latents_mean` and `latents_std`. Prints frames a second, decoding
included, without the first block, and writes a film of them. Captions are silent: the tower of text is not
ours.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from garten.renderer.data.recipe import Recipe, plan
from garten.renderer.data.shoot import shoot
from garten.renderer.network import Network
from garten.renderer.presets import PAPER
from garten.renderer.public import network_weights, taehv_weights, wan_weights
from garten.renderer.renderer import Renderer
from garten.renderer.session import Session
from garten.renderer.taehv import Served, TinyDecoder
from garten.renderer.wan import Wan, WanSettings
from garten.sight import video

SETTINGS = replace(PAPER, captions=replace(PAPER.captions, tokens=0))


class Public(Renderer):
    """A renderer of the published sizes, made of parts that are there already."""

    def __init__(self, network: Network, codec: Wan | Served) -> None:
        """A renderer without captions."""
        torch.nn.Module.__init__(self)
        self.settings, self.network, self.codec, self.captions = SETTINGS, network, codec, None


def network_from(folder: Path) -> Network:
    """The network, on the GPU in bfloat16, with weights of all safetensors of a folder."""
    theirs: dict[str, Tensor] = {}
    for file in sorted(folder.glob("*.safetensors")):
        theirs |= load_file(file)
    with torch.device("cuda"):
        network = Network(SETTINGS).bfloat16()
    network.load_state_dict(network_weights(theirs, network))
    return network


def codec_from(wan_file: Path, config: Mapping[str, list[float]], taehv_file: Path | None) -> Wan | Served:
    """The autoencoder, with the small decoder in place of its own if there is a file of it."""
    wan = Wan(WanSettings())
    mean, size = (torch.tensor(config[name]) for name in ("latents_mean", "latents_std"))
    theirs = torch.load(wan_file, map_location="cpu", weights_only=True)
    wan.load_state_dict(wan_weights(theirs, wan, mean=mean, size=size))
    if taehv_file is None:
        return wan
    decoder = TinyDecoder()
    theirs = torch.load(taehv_file, map_location="cpu", weights_only=True)
    decoder.load_state_dict(taehv_weights(theirs, decoder))
    return Served(wan, decoder)


def main() -> None:
    """Stream blocks of a world and film them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("tower", "wan", "wan-config"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--taehv", type=Path)
    parser.add_argument("--world", default="herding")
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("public.mp4"))
    asked = parser.parse_args()
    if not torch.cuda.is_available():
        parser.error("a network of seven billion weights needs a GPU; run this where there is one.")
    config = json.loads(asked.wan_config.read_text())
    renderer = Public(network_from(asked.tower), codec_from(asked.wan, config, asked.taehv)).cuda().eval()
    frames = 1 + asked.blocks * SETTINGS.block_frames
    clip = shoot(plan(Recipe((asked.world,), frames=frames, size=(SETTINGS.width, SETTINGS.height)), 0))
    session = Session(renderer, depth_scale=clip.about.depth_scale)
    seen = iter([clip.condition(t) for t in range(frames)])
    made, times = [session.start(clip.frames[0], next(seen))[None]], []
    while block := list(islice(seen, SETTINGS.block_frames)):
        start = time.perf_counter()
        made.append(session.advance(block))
        times.append(time.perf_counter() - start)
    if len(times) > 1:
        print(f"{SETTINGS.block_frames * (len(times) - 1) / sum(times[1:]):.1f} frames/s")
    print(video.write(asked.out, np.concatenate(made), fps=SETTINGS.frame_rate))


if __name__ == "__main__":
    main()
