"""Everything that decides what a renderer is: one tree of frozen settings.

`garten.renderer.presets` has the renderers by name. Sizes of images are width x height.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from garten.renderer.window import Window

Modality = Literal["depth", "normals", "average"]
"""What of the geometry is encoded: one of the two, or both and the mean of their latents."""

History = Literal["attention", "reprojected", "both"]
"""How a block knows what was shown before: by attention to it, as published; by the last frame, which exact
motion carries into the block's views; or by both. See `garten.renderer.history`."""

Placement = Literal["absolute", "contiguous", "top"]
"""Where remembered frames stand in time once some in between are gone: where they were; each next to the one
before; or so that the present block has the last positions of training."""


@dataclass(frozen=True)
class CodecSettings:
    """The autoencoder between frames and latents."""

    channels: int = 16
    """Of a latent."""
    widths: tuple[int, ...] = (48, 32, 16)
    """Channels of the convolutions at each resolution, the coarsest first; one more halves each side
    again."""
    step: int = 2
    """Frames of a latent frame, a power of two; the first latent frame has one."""

    @property
    def scale(self) -> int:
        """Pixels along the side of a latent."""
        return 1 << len(self.widths)


@dataclass(frozen=True)
class GeometrySettings:
    """How depth and normals become tokens."""

    pool: int = 2
    """Pixels along the side of a square that is averaged before encoding."""
    noise: float = 0.4
    """Share of noise in the encoded geometry, in training and after; 0 is none at all. [paper]"""
    modality: Modality = "depth"
    """What is fed at inference."""
    dense: int = 0
    """Pixels along the side of the squares of geometry that lie over the RGB latents as they are, beside what
    is encoded, see `garten.renderer.dense`; 0 is the published network, without any."""


@dataclass(frozen=True)
class NetworkSettings:
    """The transformer."""

    width: int = 192
    layers: int = 6
    heads: int = 4
    kv_heads: int = 4
    """Heads of keys and values, which groups of query heads share."""
    head: int = 48
    """Numbers of a head, even."""
    hidden: int = 512
    """Width inside the gated network of a layer."""
    patch: int = 2
    """Latents along the side of the square that is one token."""
    theta: float = 100.0
    """Slowest wavelength of the rotary positions, in units of 2 pi."""
    sections: tuple[int, int, int] = (10, 7, 7)
    """Pairs of a head's numbers that turn with time, row and column; together half the head."""
    extra: int = 0
    """Channels of further conditions that lie over the RGB latents: ids, motion, hints of material, ..; 0 is
    the published network."""
    history: History = "attention"
    """How a block knows what was shown before; the reference is seen in any case."""
    level_scale: float = 1000.0
    """What noise levels are multiplied by before they become sinusoids."""
    time_offset: float = 0.0
    """Temporal coordinate of the reference frame."""
    time_scale: float = 1.0
    """Temporal coordinates from one latent frame to the next."""


@dataclass(frozen=True)
class CaptionSettings:
    """The small encoder of text and style that comes with a renderer."""

    words: int = 512
    """Rows of the table that words are hashed into."""
    tokens: int = 8
    """Words of a caption that are read, the style among them; a renderer without text has 0."""
    width: int = 64
    layers: int = 2


@dataclass(frozen=True)
class RendererSettings:
    """A renderer."""

    width: int = 160
    """Of a frame, pixels."""
    height: int = 96
    """Of a frame, pixels."""
    frame_rate: float = 15.0
    """Frames a second."""
    block: int = 4
    """Latent frames that are generated at once."""
    window: Window = field(default_factory=lambda: Window(sink=5, recent=8))
    """What is remembered while streaming."""
    trained_frames: int = 17
    """Latent frames of the longest clips in training, the reference among them."""
    placement: Placement = "top"
    endpoints: tuple[float, ...] = (1600 / 1601, 15 / 16, 5 / 6, 5 / 8)
    """Noise levels of the denoising steps; the last step ends without noise. [code]"""
    codec: CodecSettings = CodecSettings()
    geometry: GeometrySettings = GeometrySettings()
    network: NetworkSettings = NetworkSettings()
    captions: CaptionSettings = CaptionSettings()
    resolve: int = 0
    """Channels of the network that blends carried frames into decoded ones, see `garten.renderer.resolve`; 0
    shows decoded ones as they are, which is the published form."""

    @property
    def latent_size(self) -> tuple[int, int]:
        """Rows and columns of a frame's latents."""
        return self.height // self.codec.scale, self.width // self.codec.scale

    @property
    def geometry_size(self) -> tuple[int, int]:
        """Rows and columns of the geometry's latents, pooled and stretched."""
        token = self.codec.scale * self.network.patch
        rows, columns = (-(-side // self.geometry.pool // token) for side in (self.height, self.width))
        return rows * self.network.patch, columns * self.network.patch

    @property
    def dense(self) -> int:
        """Channels of geometry over a latent: four numbers for each square and frame."""
        pool = self.geometry.dense
        return 4 * self.codec.step * (self.codec.scale // pool) ** 2 if pool else 0

    @property
    def extra(self) -> int:
        """Channels of all further conditions: of geometry, of any kind, of history (latents, share known)."""
        own = 0 if self.network.history == "attention" else self.codec.channels + 1
        return self.dense + self.network.extra + own

    @property
    def past(self) -> Window:
        """What blocks attend to while streaming."""
        return Window(sink=1, recent=0) if self.network.history == "reprojected" else self.window

    @property
    def clip_past(self) -> Window | None:
        """What of a clip in training; None for all of it."""
        return self.past if self.network.history == "reprojected" else None

    @property
    def block_frames(self) -> int:
        """Frames of a block."""
        return self.block * self.codec.step

    @property
    def block_seconds(self) -> float:
        """What a block shows, seconds."""
        return self.block_frames / self.frame_rate


def check(settings: RendererSettings) -> None:
    """Refuse settings that make no renderer.

    Raises:
        ValueError: the first thing that does not fit, and what would.
    """
    codec, network, window = settings.codec, settings.network, settings.window
    token = codec.scale * network.patch
    if settings.width % token or settings.height % token:
        raise ValueError(
            f"Frames of {settings.width}x{settings.height} cannot be cut into tokens of {token} pixels; "
            f"choose multiples of {token}."
        )
    if settings.width % settings.geometry.pool or settings.height % settings.geometry.pool:
        raise ValueError(
            f"Frames cannot be pooled by {settings.geometry.pool}; choose a divisor of both sides."
        )
    if settings.geometry.dense < 0 or (settings.geometry.dense and codec.scale % settings.geometry.dense):
        raise ValueError(
            f"Squares of {settings.geometry.dense} pixels do not fill a latent of {codec.scale}; set "
            "geometry.dense to a divisor, or to 0."
        )
    if codec.step < 1 or codec.step & (codec.step - 1) or codec.step > 2 ** (len(codec.widths) - 1):
        raise ValueError(
            f"A latent frame cannot have {codec.step} frames; choose a power of two up to "
            f"{2 ** (len(codec.widths) - 1)}."
        )
    if sum(network.sections) * 2 != network.head:
        raise ValueError(
            f"Rotary sections of {sum(network.sections)} pairs do not fill heads of {network.head} numbers; "
            f"make them {network.head // 2}."
        )
    if settings.resolve and network.history == "attention":
        raise ValueError(
            "Without carried frames there is nothing to resolve; set network.history to reprojected or both, "
            "or resolve to 0."
        )
    if network.heads % network.kv_heads:
        raise ValueError(f"{network.heads} heads cannot share {network.kv_heads}; choose a divisor.")
    window.check(settings.block)
    if settings.trained_frames % settings.block != 1 % settings.block:
        raise ValueError(
            f"Clips of {settings.trained_frames} latent frames are no reference and whole blocks; "
            f"choose 1 and a multiple of {settings.block}."
        )
    if settings.placement != "absolute" and window.capacity + settings.block > settings.trained_frames:
        raise ValueError(
            f"{window.capacity} remembered frames and a block do not fit the {settings.trained_frames} of "
            "training; make the window smaller."
        )
