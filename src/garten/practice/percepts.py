"""What can be read off a frame without knowing the world: a palette, and regions of its colours.

A `Palette` is found from a few frames: groups of like chroma, light and shaded sides together, and which of
them are backdrop (sky and ground). `Palette.regions` then cuts a frame into connected regions of the colours
that are not backdrop, each with its extent in pixels. What a pixel means in space is told by `mapping`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from garten.records import Frame

Color = tuple[int, int, int]
"""sRGB, 0 to 255."""

NOTHING = 255
"""The label of a pixel whose colour is in no group of the palette."""

_BITS = 6  # bits a channel is cut down to before a pixel is looked up
_COARSE = 3  # bits a channel is cut down by to gather pixels of about one shade when a palette is found
_SHADE = 0.1  # weight of log lightness against chroma: shading must count less than colour
_RADIUS = 0.035  # two pixels nearer than this in colour space are of one shade
_SAME = 0.03  # colours of two palettes nearer than this in chroma are one
_REACH = 0.1  # a pixel farther than this from every shade of the palette belongs to none
_KIN = 0.05  # shades that touch and are nearer than this in chroma may be two sides of one thing ...
_SHADOW = 0.55  # ... unless their log lightness differs more than light and shadow do
_CONTACT = 0.4  # share of a shade's outline that must lie on its kin for the two to be one colour
_RARE = 10  # pixels in all frames together below which a shade is noise
_BACKDROP = 0.12  # share of all pixels from which a colour counts as sky or ground
_OWN = 0.6  # share of a colour's pixels that never change from which it counts as part of the viewer
_MOST = 48  # shades a palette holds at most
_GAP = 3  # rows of something else inside a region that do not divide it
_SMALLEST = 4  # pixels of the smallest region worth reporting

_NAMES: tuple[tuple[str, float], ...] = (
    ("red", 0.0), ("orange", 28.0), ("yellow", 55.0), ("green", 115.0), ("cyan", 180.0),
    ("blue", 222.0), ("purple", 275.0), ("pink", 325.0), ("red", 360.0),
)  # fmt: skip
"""Colour words by hue in degrees."""


@dataclass(frozen=True)
class Region:
    """One connected patch of one colour; edges in pixels, right and bottom exclusive."""

    color: int  # index into `Palette.colors`
    left: int
    right: int
    top: int
    bottom: int
    area: int  # pixels
    column: float  # mean column of its pixels, pixel centres at half integers
    cut: bool  # runs out of the frame at the left, right or bottom edge
    hidden: bool  # its lower edge rests on another thing rather than on the backdrop

    @property
    def tall(self) -> int:
        """Pixels from its top to its bottom."""
        return self.bottom - self.top


@dataclass(frozen=True)
class Palette:
    """The colours of a place, as a player found them."""

    shades: tuple[tuple[Color, ...], ...]  # by colour: its commonest shade, then other lights and shadows
    backdrop: tuple[int, ...]  # indices of sky and ground colours

    @cached_property
    def colors(self) -> tuple[Color, ...]:
        """The commonest shade of every colour."""
        return tuple(shades[0] for shades in self.shades)

    @cached_property
    def things(self) -> tuple[int, ...]:
        """Indices of the colours that are not backdrop."""
        return tuple(index for index in range(len(self.colors)) if index not in self.backdrop)

    @cached_property
    def _table(self) -> NDArray[np.int16]:
        """The label of every colour met so far, [2**(3 * _BITS)]; -1 where none was asked for yet."""
        return np.full(1 << 3 * _BITS, -1, np.int16)

    def labels(self, frame: Frame) -> NDArray[np.uint8]:
        """The colour index of every pixel, [H, W], or `NOTHING`."""
        cut = (frame >> (8 - _BITS)).astype(np.int32)
        codes = (cut[..., 0] << 2 * _BITS) | (cut[..., 1] << _BITS) | cut[..., 2]
        found: NDArray[np.int16] = self._table[codes]
        if (found < 0).any():
            new = np.unique(codes[found < 0])
            mask = (1 << _BITS) - 1
            parts = np.stack([new >> 2 * _BITS, (new >> _BITS) & mask, new & mask], -1)
            self._table[new] = self._nearest_shade((parts + 0.5) * (1 << (8 - _BITS)))
            found = self._table[codes]
        return found.astype(np.uint8)

    def _nearest_shade(self, colors: NDArray[np.float64]) -> NDArray[np.int16]:
        """The index of the colour whose shade is nearest to each of these, or `NOTHING`; [N]."""
        flat = np.array([color for group in self.shades for color in group], np.float64).reshape(-1, 3)
        if not len(flat):
            return np.full(len(colors), NOTHING, np.int16)
        owner = np.array([index for index, group in enumerate(self.shades) for _ in group])
        distance = _distances(_features(colors), _features(flat))
        nearest: NDArray[np.int64] = owner[distance.argmin(1)]
        nearest[distance.min(1) > _REACH] = NOTHING
        return nearest.astype(np.int16)

    def regions(self, frame: Frame) -> list[Region]:
        """The regions of things in a frame, largest first."""
        return regions_of(self.labels(frame), self.things)

    def nearest(self, color: Sequence[float], *, backdrop: bool = False) -> int | None:
        """The index of the colour most like this sRGB colour (0 to 255), if one is like it at all.

        Only things' colours count, unless the `backdrop` is asked for too.
        """
        among = range(len(self.colors)) if backdrop else self.things
        if not among:
            return None
        own = _features(np.array([self.colors[index] for index in among], np.float64))
        distance = _distances(_features(np.array([color], np.float64)), own)[0]
        best = int(distance.argmin())
        return among[best] if distance[best] <= _REACH else None

    def to_data(self) -> dict[str, Any]:
        """The palette in JSON types."""
        return {
            "shades": [[list(color) for color in shades] for shades in self.shades],
            "backdrop": list(self.backdrop),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Palette:
        """The inverse of `to_data`.

        Raises:
            ValueError, TypeError, KeyError: the data is malformed.
        """
        shades = tuple(tuple(_color(color) for color in group) for group in data["shades"])
        backdrop = tuple(int(index) for index in data["backdrop"])
        if sum(map(len, shades)) > _MOST or not all(shades):
            raise ValueError("A palette has too many shades, or a colour without any.")
        if any(not 0 <= index < len(shades) for index in backdrop):
            raise ValueError("A palette names a backdrop colour it does not have.")
        return Palette(shades, backdrop)


def find_palette(frames: Sequence[Frame]) -> Palette:
    """The palette of a place from frames that show it in several directions."""
    colors = _leading_colors(np.stack(frames).reshape(-1, 3))
    rough = Palette(tuple((color,) for color in colors), ())
    labels = np.stack([rough.labels(frame) for frame in frames])
    group = _join_kin(colors, labels)
    steady = (labels == labels[0]).all(0) if len(frames) > 2 else np.zeros(labels.shape[1:], bool)
    heads = [index for index, head in enumerate(group) if index == head]
    members = [[index for index, head in enumerate(group) if head == own] for own in heads]
    shares = [np.isin(labels, rows) for rows in members]
    return Palette(
        shades=tuple(tuple(colors[row] for row in rows) for rows in members),
        backdrop=tuple(
            index
            for index, own in enumerate(shares)
            if own.mean() >= _BACKDROP or own[:, steady].sum() >= _OWN * own.sum()
        ),
    )


def join_palettes(palettes: Sequence[Palette]) -> tuple[Palette, list[list[int]]]:
    """One palette with the colours of all, the first leading, and where each one's colours went in it.

    Once it is full, a colour goes to the one it is most like.
    """
    shades, backdrop = list(palettes[0].shades), list(palettes[0].backdrop)
    places: list[list[int]] = []
    for palette in palettes:
        own: list[int] = []
        for index, group in enumerate(palette.shades):
            apart = [_apart(group, known) for known in shades]
            place = int(np.argmin(apart)) if apart else 0
            room = _MOST - sum(map(len, shades))
            if not apart or (apart[place] > _SAME and len(group) <= room):
                place = len(shades)
                shades.append(group)
                backdrop += [place] if index in palette.backdrop else []
            own.append(place)
        places.append(own)
    return Palette(tuple(shades), tuple(backdrop)), places


@lru_cache(maxsize=1 << 12)
def _apart(group: tuple[Color, ...], other: tuple[Color, ...]) -> float:
    """How far two colours are apart in chroma, at their nearest shades that light and shadow may explain."""
    a, b = (_features(np.array(shades, np.float64)) for shades in (group, other))
    chroma = _distances(a[:, :2], b[:, :2])
    shaded = np.abs(a[:, None, 2] - b[None, :, 2]) < _SHADE * _SHADOW
    return float(np.where(shaded, chroma, np.inf).min())


def regions_of(labels: NDArray[np.uint8], colors: Sequence[int]) -> list[Region]:
    """The connected regions of these colours in a label image [H, W], largest first."""
    height, width = labels.shape
    thing = np.isin(labels, np.array(colors, np.float64))
    found: list[Region] = []
    for color in colors:
        mask = labels == color
        if not mask.any():
            continue
        bridged = mask.copy()
        for gap in range(1, _GAP + 1):  # a rail before a thing does not make it two
            bridged[gap:] |= mask[:-gap]
        parts, _ = ndimage.label(bridged, structure=np.ones((3, 3)))
        parts[~mask] = 0
        areas = np.bincount(parts.ravel())
        for part, box in enumerate(ndimage.find_objects(parts), start=1):
            assert box is not None  # every part has a pixel of the colour: the one it was bridged from
            area = int(areas[part])
            if area < _SMALLEST:
                continue
            rows, columns = box
            inside = parts[box] == part
            below = thing[rows.stop, columns] & inside[-1] if rows.stop < height else np.zeros(1, bool)
            found.append(
                Region(
                    color=color,
                    left=columns.start,
                    right=columns.stop,
                    top=rows.start,
                    bottom=rows.stop,
                    area=area,
                    column=columns.start + 0.5 + float(inside.sum(0) @ np.arange(inside.shape[1])) / area,
                    cut=columns.start == 0 or columns.stop == width or rows.stop == height,
                    hidden=bool(below.any()),
                )
            )
    return sorted(found, key=lambda region: (-region.area, region.color, region.left, region.top))


def color_word(color: Sequence[float]) -> str:
    """A plain word for an sRGB colour (0 to 255)."""
    red, green, blue = (float(value) / 255.0 for value in color)
    high, low = max(red, green, blue), min(red, green, blue)
    if high < 0.18:
        return "black"
    if high - low < 0.16 * high + 0.02:
        return "white" if high > 0.6 else "grey"
    hue = math.degrees(math.atan2(math.sqrt(3.0) * (green - blue), 2.0 * red - green - blue)) % 360.0
    name = min(_NAMES, key=lambda item: abs(item[1] - hue))[0]
    return "brown" if name in ("orange", "red", "yellow") and high < 0.6 and high - low < 0.6 * high else name


def describe(frame: Frame, palette: Palette) -> list[str]:
    """One plain sentence a region, for readers who cannot see frames."""
    height, width = frame.shape[:2]
    return [
        f"{color_word(palette.colors[one.color])}: {100 * one.column / width:.0f}% from the left, "
        f"bottom edge {100 * one.bottom / height:.0f}% down, {one.right - one.left} wide and "
        f"{one.bottom - one.top} high of {width}x{height} pixels{', cut by the edge' if one.cut else ''}"
        for one in palette.regions(frame)
    ]


# --- colour space ------------------------------------------------------------------------------


def _features(colors: NDArray[Any]) -> NDArray[np.float64]:
    """Two chroma axes that shading leaves nearly alone, and log lightness with a small weight; [N, 3]."""
    red, green, blue = np.moveaxis(colors.astype(np.float64) / 255.0, -1, 0)
    total = red + green + blue + 0.15  # the constant keeps dark pixels, whose chroma is noise, together
    return np.stack([(red - green) / total, (0.5 * (red + green) - blue) / total, _SHADE * np.log(total)], -1)


def _distances(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances between the rows of `a` and of `b`, [A, B]."""
    return np.asarray(np.linalg.norm(a[:, None] - b[None], axis=-1))


# --- finding a palette ---------------------------------------------------------------------------


def _leading_colors(pixels: NDArray[np.uint8]) -> list[Color]:
    """Colours that lead groups of like ones: again and again the one with most pixels around it."""
    cut = (pixels >> _COARSE).astype(np.int64)
    _, owner, counts = np.unique(cut @ (1 << 16, 1 << 8, 1), return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(owner, pixels[:, channel]) for channel in range(3)], -1) / counts[:, None]
    features = _features(means)
    near = _distances(features, features) < _RADIUS
    left = counts.astype(np.float64)
    leaders: list[Color] = []
    while len(leaders) < _MOST:
        mass = near @ left
        leader = int((mass + 1e-6 * left).argmax())
        if mass[leader] < _RARE:
            break
        leaders.append(_color(means[leader].round()))
        left[near[leader]] = 0.0
    return leaders


def _join_kin(colors: Sequence[Color], labels: NDArray[np.uint8]) -> list[int]:
    """For each colour the one it belongs to: light and shaded sides of one thing touch and share chroma."""
    side = NOTHING + 1
    touch = np.zeros(side * side)
    for one, other in ((labels[:, :, 1:], labels[:, :, :-1]), (labels[:, 1:], labels[:, :-1])):
        pair = one[one != other].astype(np.int64) * side + other[one != other]
        touch += np.bincount(pair, minlength=side * side)
    touch = touch.reshape(side, side) + touch.reshape(side, side).T
    features = _features(np.array(colors, np.float64).reshape(-1, 3))
    alike = _distances(features[:, :2], features[:, :2]) < _KIN
    alike &= np.abs(features[:, None, 2] - features[None, :, 2]) < _SHADE * _SHADOW
    group = np.arange(len(colors))
    for small in range(1, len(colors)):  # later shades are rarer: they join, never lead
        heads = sorted(set(group[:small].tolist()))
        contact = [
            touch[small, : len(colors)][group == head].sum() * alike[small][group == head].any()
            for head in heads
        ]
        best = int(np.argmax(contact))
        if contact[best] >= _CONTACT * max(touch[small].sum(), 1.0):
            group[small] = heads[best]
    return [int(head) for head in group]


def _color(values: Sequence[Any] | NDArray[Any]) -> Color:
    red, green, blue = (int(value) for value in values)
    if not all(0 <= value <= 255 for value in (red, green, blue)):
        raise ValueError(f"({red}, {green}, {blue}) is not an sRGB colour of 0 to 255.")
    return red, green, blue
