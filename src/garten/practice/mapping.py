"""An egocentric map: where things were last seen, kept by dead reckoning in the player's own frame.

The frame's origin is where the player stood at first, x the way it faced then, y to its left. The unit of
length is one *stride*, the way of one forward action: a player can count strides, but has no metres. The
distance of a thing follows from how tall it appears, once the `Lens` knows how tall things of its colour are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from garten.practice.percepts import Region

UNKNOWN_SIZE = 0.5
"""Strides; the size taken for a colour that was never measured."""

_DRIFT = 0.05  # strides squared by which a remembered place grows unsure each second
_FIRST_SPREAD = 4.0  # strides squared; how unsure a place is before its first sighting
_LOST_AFTER = 2  # looks at an empty place after which a thing is struck off
_NEAR = 6.0  # strides within which a place is known well enough to tell whether a thing moved
_CROWD = 12  # things of one colour remembered at most


@dataclass(frozen=True)
class Lens:
    """What a player knows of its own eye and stride; all of it found by looking and moving."""

    width: int  # pixels
    height: int  # pixels
    focal: float  # pixels; columns from the middle of the frame divided by it give the tangent of the bearing
    turn: float  # radians, counter-clockwise, that one left-turn action turns
    sizes: Mapping[int, float] = field(default_factory=dict)  # by colour index: apparent height, strides
    measured: bool = True  # False: focal and turn are guesses

    @property
    def half_view(self) -> float:
        """Half the horizontal angle of view, radians."""
        return math.atan(0.5 * self.width / self.focal)

    def sized(self, width: int, height: int) -> Lens:
        """The same eye with frames of another size."""
        return replace(self, width=width, height=height, focal=self.focal * width / self.width)

    def bearing(self, column: float) -> float:
        """Radians to the left of straight ahead."""
        return math.atan((0.5 * self.width - column) / self.focal)

    def distance(self, region: Region) -> float:
        """Strides along the ground to a region, by how tall it appears."""
        size = self.sizes.get(region.color, UNKNOWN_SIZE)
        return size * self.focal / region.tall / math.cos(self.bearing(region.column))


@dataclass(frozen=True)
class Sighting:
    """A region placed in space."""

    region: Region
    bearing: float  # radians, left of straight ahead
    distance: float  # strides


@dataclass
class Track:
    """A thing that was seen, and where."""

    color: int
    x: float  # strides
    y: float  # strides
    seen: float  # seconds since the start when it was last in sight
    spread: float  # strides squared; how unsure its place is
    looks: int = 1  # times it was in sight
    missed: int = 0  # looks in a row at its place that did not find it


@dataclass
class EgoMap:
    """The player's pose and the things around it."""

    lens: Lens
    x: float = 0.0  # strides
    y: float = 0.0  # strides
    heading: float = 0.0  # radians, counter-clockwise
    tracks: list[Track] = field(default_factory=list)
    counts: dict[int, tuple[int, int]] = field(
        default_factory=dict
    )  # by colour: near things seen again, found moved
    bumps: list[tuple[float, float]] = field(default_factory=list)  # places that could not be walked through

    # --- own motion --------------------------------------------------------------------------------

    def walk(self, strides: float) -> None:
        """Move straight ahead, or back if negative."""
        self.x += strides * math.cos(self.heading)
        self.y += strides * math.sin(self.heading)

    def turn(self, angle: float) -> None:
        """Turn on the spot by radians counter-clockwise."""
        self.heading = math.remainder(self.heading + angle, math.tau)

    def bump(self, ahead: float) -> None:
        """Remember that the place `ahead` strides on (negative: behind) cannot be walked through."""
        self.bumps.append(self.ahead(ahead))
        del self.bumps[:-_CROWD]

    def ahead(self, strides: float, *, turned: float = 0.0) -> tuple[float, float]:
        """The place that many strides away in the direction of the heading plus `turned` radians."""
        angle = self.heading + turned
        return self.x + strides * math.cos(angle), self.y + strides * math.sin(angle)

    # --- reading -----------------------------------------------------------------------------------

    def bearing_to(self, x: float, y: float) -> float:
        """Radians from straight ahead to a place, counter-clockwise, in [-pi, pi]."""
        return math.remainder(math.atan2(y - self.y, x - self.x) - self.heading, math.tau)

    def distance_to(self, x: float, y: float) -> float:
        """Strides to a place."""
        return math.hypot(x - self.x, y - self.y)

    def things(self, color: int) -> list[Track]:
        """What is known of one colour, in the order of discovery."""
        return [track for track in self.tracks if track.color == color]

    # --- looking -----------------------------------------------------------------------------------

    def see(self, regions: Iterable[Region], *, now: float) -> list[Sighting]:
        """Take in the regions of one frame, seen `now` (seconds since the start), from the present pose."""
        sightings = [Sighting(one, self.lens.bearing(one.column), self.lens.distance(one)) for one in regions]
        for color in sorted({track.color for track in self.tracks} | {one.region.color for one in sightings}):
            own = [one for one in sightings if one.region.color == color]
            known = [track for track in self.tracks if track.color == color and self._in_view(track)]
            left_tracks, left_sightings = self._match(known, own, now=now)
            for track in left_tracks:
                if not self._screened(track, sightings):
                    track.missed += 1
            for one in left_sightings:
                self._found(one, now=now)
        self.tracks = [track for track in self.tracks if track.missed < _LOST_AFTER]
        return sightings

    def _in_view(self, track: Track) -> bool:
        bearing = self.bearing_to(track.x, track.y)
        return abs(bearing) < self.lens.half_view - 0.05

    def _match(
        self, tracks: Sequence[Track], sightings: Sequence[Sighting], *, now: float
    ) -> tuple[list[Track], list[Sighting]]:
        """Pair known things with sightings of their colour, best pairs first; what is left of both."""
        pairs = []
        for i, track in enumerate(tracks):
            bearing = self.bearing_to(track.x, track.y)
            distance = max(self.distance_to(track.x, track.y), 0.1)
            for j, one in enumerate(sightings):
                aside = abs(bearing - one.bearing) * min(distance, one.distance)
                ratio = abs(math.log(distance / one.distance))
                if aside < 1.5 + 0.1 * distance and ratio < 0.8:
                    pairs.append((aside / 1.5 + ratio, i, j))
        free_tracks, free_sightings = dict(enumerate(tracks)), dict(enumerate(sightings))
        for _, i, j in sorted(pairs):
            if i in free_tracks and j in free_sightings:
                self._update(free_tracks.pop(i), free_sightings.pop(j), now=now)
        return list(free_tracks.values()), list(free_sightings.values())

    def _update(self, track: Track, one: Sighting, *, now: float) -> None:
        """Move a thing towards where it is seen now, the more the less sure its place was."""
        spread = track.spread + _DRIFT * (now - track.seen)
        x, y = self.ahead(one.distance, turned=one.bearing)
        angle = self.heading + one.bearing
        off_x, off_y = x - track.x, y - track.y
        along = off_x * math.cos(angle) + off_y * math.sin(angle)
        aside = off_y * math.cos(angle) - off_x * math.sin(angle)
        depth_noise, side_noise = _noise(one)
        gain_along, gain_aside = spread / (spread + depth_noise), spread / (spread + side_noise)
        if one.distance < _NEAR and not one.region.cut:
            again, moved = self.counts.get(track.color, (0, 0))
            has_moved = abs(aside) > 0.4 + 0.06 * one.distance or abs(along) > 0.4 + 0.15 * one.distance
            self.counts[track.color] = again + 1, moved + has_moved
        track.x += gain_along * along * math.cos(angle) - gain_aside * aside * math.sin(angle)
        track.y += gain_along * along * math.sin(angle) + gain_aside * aside * math.cos(angle)
        # What moves is found aside of its place: then the old place is worth little.
        track.spread = (1.0 - gain_along) * spread + 0.5 * aside * aside
        track.seen, track.missed = now, 0
        track.looks += 1

    def _found(self, one: Sighting, *, now: float) -> None:
        """Remember a new thing; the one unseen for longest makes room in a crowd."""
        own = self.things(one.region.color)
        if len(own) >= _CROWD:
            self.tracks.remove(min(own, key=lambda track: track.seen))
        x, y = self.ahead(one.distance, turned=one.bearing)
        spread = min(_FIRST_SPREAD, _noise(one)[0])
        self.tracks.append(Track(one.region.color, x, y, now, spread))

    def _screened(self, track: Track, sightings: Sequence[Sighting]) -> bool:
        """Whether something nearer stands before a thing's place."""
        column = 0.5 * self.lens.width - self.lens.focal * math.tan(self.bearing_to(track.x, track.y))
        distance = self.distance_to(track.x, track.y)
        return any(
            one.distance < distance and one.region.left - 1 <= column <= one.region.right + 1
            for one in sightings
        )


def middle(tracks: Sequence[Track]) -> tuple[float, float]:
    """The mean place of some things."""
    return sum(t.x for t in tracks) / len(tracks), sum(t.y for t in tracks) / len(tracks)


def surest(tracks: Sequence[Track], *, within: float) -> list[Track]:
    """The thing whose place is known best, and those within some strides of it."""
    best = min(tracks, key=lambda t: t.spread / t.looks)
    return [t for t in tracks if math.dist((t.x, t.y), (best.x, best.y)) <= within]


def _noise(one: Sighting) -> tuple[float, float]:
    """How unsure a sighting is along and across the line of sight, strides squared."""
    rough = 0.12 + 0.7 / one.region.tall + (0.2 if one.region.cut else 0.0)
    return (one.distance * rough) ** 2 + 0.01, (one.distance * 0.03) ** 2 + 0.01


def lens_from_data(data: Mapping[str, Any]) -> Lens:
    """A lens without sizes from JSON types.

    Raises:
        ValueError, TypeError, KeyError: the data is malformed.
    """
    lens = Lens(int(data["width"]), int(data["height"]), float(data["focal"]), float(data["turn"]))
    if not (lens.width > 0 and lens.height > 0 and lens.focal > 0.0 and 0.0 < abs(lens.turn) < math.pi):
        raise ValueError("A lens has a size, focal length or turn that cannot be.")
    return lens
