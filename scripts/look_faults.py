"""Which frame faults cost points? One player, the same layouts, frames with one fault each.

    python scripts/look_faults.py results/herding-0 results/herding-1 --games 4
    python scripts/look_faults.py results/herding-0 --renderer renderer.safetensors --only neural fresh

Each run is a finished one of ``garten practice``. Fresh players with all of its playbooks play its held-out
layouts once for each kind of frame; nothing else differs, and nobody learns. Prints a Markdown table: mean
scores, and differences to the true frames, those of the look that was practised under, over pairs of equal
layouts with their standard error.

A player knows things by the colours it has found. So ``photo`` beside ``raw`` tells what other colours cost,
``colour`` what the renderer's do, and ``lightness`` what all else does that the renderer changes. A player
without points under the true frames has none to lose.
"""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from garten.devices import torch_threads
from garten.episodes.looks import look
from garten.episodes.views import AnyLook, view_of
from garten.errors import RunError, without_traceback
from garten.practice.games import Job, play_game
from garten.practice.playbook import read_playbook
from garten.practice.players import load_player
from garten.practice.rounds import HELD_OUT, asked_of, task_for
from garten.records import Brief, Frame, Moment, Playbook, RollingLook, Shot, View
from garten.renderer.history import carried_on, filled, past_images
from garten.renderer.look import Neural
from garten.renderer.pictures import to_pixels
from garten.renderer.quality.evaluate import through_codec
from garten.renderer.renderer import Renderer
from garten.renderer.texels import Texels
from garten.runs.folder import RunFolder
from garten.scene import Floats
from garten.seeds import derive
from garten.sight.carry import Tracked, tracked
from garten.sight.looks import see
from garten.worlds.find import load

BLOCK = 8
"""Frames of a block of the renderer, after each of which the long memory is written."""

LATE = BLOCK / 15
"""Seconds."""

TRUE = "true"
"""The frames without a fault."""

SHOWS = {
    TRUE: "those that were practised under",
    "late": "true frames of half a second ago, a block of the renderer",
    "smeared": "true colours carried on; what comes into view has those of its surroundings",
    "photo": "what the renderer imitates",
    "codec": "true frames, each through the renderer's codec",
    "codec-colour": "true lightness, colour through the codec",
    "codec-lightness": "lightness through the codec, true colour",
    "colour": "true lightness, the renderer's colour",
    "lightness": "the renderer's lightness, true colour",
    "fresh": "the renderer's frames, begun anew every few seconds",
    "neural": "the renderer's frames",
}
"""Kinds of frames, and what they show."""


def main() -> None:
    """Play all games, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folders of finished runs")
    parser.add_argument("--games", type=int, default=2, help="held-out layouts of each run (default: 2)")
    parser.add_argument("--renderer", type=Path, help="its file (default: the one that comes along)")
    parser.add_argument("--fresh", type=float, default=2.0, help="seconds between true frames (default: 2)")
    parser.add_argument("--only", nargs="+", choices=[*SHOWS][1:], default=[*SHOWS][1:], help="faults")
    options = parser.parse_args()
    if options.games < 1 or options.fresh <= 0:
        parser.error("--games must be at least 1, --fresh above 0")

    jobs = [job for run in options.runs for job in held_out(RunFolder.open(run), options.games)]
    if len({job.look for job in jobs}) > 1:
        parser.error("the runs must have practised under one look; give those of another by themselves")
    looks = faulty(look(jobs[0].look), Neural(options.renderer), every=options.fresh)
    scores = {name: [played(job, looks[name]) for job in jobs] for name in [TRUE, *options.only]}
    print(table(scores))


def held_out(run: RunFolder, games: int) -> list[Job]:
    """Games of fresh players that inherit all of a finished run, on the layouts it held out and further ones.

    Raises:
        RunError: it is no run of practice, or it isn't finished.
    """
    asked, playbooks = asked_of(run), inherited(run)
    spec = load(asked.world).spec
    briefs, plans = dict[str, Brief](), dict[str, Mapping[str, Any]]()
    for team in spec.teams:
        roles = [role.name for role in spec.roles if role.team == team]
        briefs[team] = Brief(
            name=HELD_OUT,
            round=asked.rounds,
            tasks={role: task_for(spec, role, size=asked.size) for role in roles},
            playbook=playbooks[team],
            games=asked.held_out,
            layouts=asked.held_out,
            seed=derive(asked.seed, "player", asked.rounds, team, HELD_OUT),
            settings=dict(asked.settings),
            folder=str(run.path),
        )
        plans[team] = load_player(asked.player)(briefs[team]).best()
    seats = {role.name: (briefs[role.team], plans[role.team]) for role in spec.roles}
    return [
        Job(
            game=f"r{asked.rounds:02d}-{HELD_OUT}-g{index:02d}",
            world=asked.world,
            player=asked.player,
            seats=seats,
            seed=derive(asked.seed, "held-out", index),
            look=asked.look,
            size=asked.size,
            folder=str(run.path),
        )
        for index in range(games)
    ]


def inherited(run: RunFolder) -> Mapping[str, Playbook]:
    """By team, everything written in a finished run.

    Raises:
        RunError: it isn't finished.
    """
    asked = asked_of(run)
    if not run.exists(f"rounds/{asked.rounds:02d}/round.json"):
        raise RunError(f"{run.path} isn't finished; go on with garten practice --resume.")
    books = dict[str, Playbook]()
    for team in load(asked.world).spec.teams:
        rounds = [
            read_playbook(run.file(f"rounds/{number:02d}/playbooks/{team}"))
            for number in range(1, asked.rounds + 1)
        ]
        books[team] = Playbook(
            tuple(lesson for book in rounds for lesson in book.lessons),
            tuple(note for book in rounds for note in book.notes),
        )
    return books


def played(job: Job, shown: AnyLook) -> float:
    """The score of a game under some frames; one without a score counts as 0."""
    score = play_game(job, shown=shown).score
    return score.value if score else 0.0


def table(scores: Mapping[str, Sequence[float]]) -> str:
    """Mean scores by kind of frame, and differences to the true frames over pairs of equal layouts."""
    lines = [f"| frames | score | less {TRUE} |", "| --- | --- | --- |"]
    for name, own in scores.items():
        pairs = [one - true for one, true in zip(own, scores[TRUE], strict=True)]
        error = f"{stdev(pairs) / len(pairs) ** 0.5:.1f}" if len(pairs) > 1 else "?"
        cost = "" if name == TRUE else f"{fmean(pairs):+.1f} ± {error}"
        lines.append(f"| {name}: {SHOWS[name]} | {fmean(own):.1f} | {cost} |")
    return "\n".join(lines)


def faulty(true: AnyLook, neural: Neural, *, every: float) -> Mapping[str, AnyLook]:
    """The looks by name; `every` is the time in seconds between the true frames of ``fresh``."""

    def again(frame: Frame) -> Frame:
        return coded(frame, neural.load())

    return {
        TRUE: true,
        "late": Late(true),
        "smeared": Smeared(true),
        "photo": look("photo"),
        "codec": Mapped("codec", true, again),
        "codec-colour": Mapped("codec-colour", true, lambda frame: mixed(frame, again(frame))),
        "codec-lightness": Mapped("codec-lightness", true, lambda frame: mixed(again(frame), frame)),
        "colour": Mixed("colour", lightness=true, color=neural),
        "lightness": Mixed("lightness", lightness=neural, color=true),
        "fresh": Fresh(neural, every),
        "neural": neural,
    }


def coded(frame: Frame, renderer: Renderer) -> Frame:
    """A frame [H, W, 3] as the codec gives it back as the first of a clip: blurred, and nothing else."""
    (high, wide, _), scale = frame.shape, renderer.codec.scale
    padded = np.pad(frame, [(0, -high % scale), (0, -wide % scale), (0, 0)], mode="edge")
    with torch_threads(1):
        return through_codec(renderer, padded[None])[0, :high, :wide]


@dataclass
class Mapped:
    """A look whose frames go through a function."""

    name: str
    look: AnyLook
    change: Callable[[Frame], Frame]

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
        """The view of a camera."""
        return Made([view_of(self.look, shot, role=role, size=size, seed=seed)], self.change)


@dataclass
class Mixed:
    """The lightness of one look with the colour of another."""

    name: str
    lightness: AnyLook
    color: AnyLook

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
        """The view of a camera."""
        looks = (self.lightness, self.color)
        return Made([view_of(one, shot, role=role, size=size, seed=seed) for one in looks], mixed)


@dataclass
class Made:
    """One camera's view, made of the frames of some views of it."""

    views: Sequence[View]
    make: Callable[..., Frame]

    def follow(self, moment: Moment) -> None:
        """Go on to the next moment."""
        for view in self.views:
            view.follow(moment)

    def frame(self, moment: Moment) -> Frame:
        """The frame at a moment that it has come to."""
        return self.make(*[view.frame(moment) for view in self.views])

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """Each `every` of the frames."""
        return filmed(self, moments, every)


def mixed(lightness: Frame, color: Frame) -> Frame:
    """The luma of one frame with the chroma of another, as in JPEG; both [H, W, 3]."""
    luma, *_ = Image.fromarray(lightness).convert("YCbCr").split()
    _, *chroma = Image.fromarray(color).convert("YCbCr").split()
    return np.asarray(Image.merge("YCbCr", (luma, *chroma)).convert("RGB"))


@dataclass
class Fresh:
    """A look that begins anew from a true frame every few seconds, before it has drifted far."""

    look: RollingLook
    every: float  # s
    name: str = "fresh"

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
        """The view of a camera."""
        return FreshView(lambda: self.look.view(shot, role=role, size=size, seed=seed), self.every)


class FreshView:
    """One camera's view, begun anew every few seconds."""

    def __init__(self, begin: Callable[[], View], every: float) -> None:
        self._begin, self._every = begin, every
        self._starts: list[float] = []  # s
        self._views: list[View] = []

    def follow(self, moment: Moment) -> None:
        """Go on to the next moment."""
        if not self._starts or moment.time >= self._starts[-1] + self._every - 1e-9:
            self._starts.append(moment.time)
            self._views.append(self._begin())
        self._views[-1].follow(moment)

    def frame(self, moment: Moment) -> Frame:
        """The frame at a moment that it has come to."""
        return self._views[bisect_right(self._starts, moment.time) - 1].frame(moment)

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """Each `every` of the frames."""
        return filmed(self, moments, every)


@dataclass
class Late:
    """A look whose frames are those of a while ago."""

    look: AnyLook
    name: str = "late"

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
        """The view of a camera."""
        return LateView(view_of(self.look, shot, role=role, size=size, seed=seed))


class LateView:
    """One camera's view, a while ago; at first the opening."""

    def __init__(self, view: View) -> None:
        self._view, self._moments = view, list[Moment]()

    def follow(self, moment: Moment) -> None:
        """Go on to the next moment."""
        self._view.follow(moment)
        self._moments.append(moment)

    def frame(self, moment: Moment) -> Frame:
        """The last frame that is old enough at a moment that it has come to."""
        old = bisect_right(self._moments, moment.time - LATE + 1e-9, key=lambda known: known.time)
        return self._view.frame(self._moments[max(old - 1, 0)])

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """Each `every` of the frames."""
        return filmed(self, moments, every)


@dataclass
class Smeared:
    """A look in which exact motion and the long memory are all there is: a renderer that draws nothing."""

    look: AnyLook
    name: str = "smeared"

    def view(self, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
        """The view of a camera."""
        return SmearedView(view_of(self.look, shot, role=role, size=size, seed=seed), shot, role, size)


class SmearedView:
    """One camera's view, in which what comes into sight has the colours of its surroundings."""

    def __init__(self, view: View, shot: Shot, role: str, size: tuple[int, int]) -> None:
        self._view, self._shot, self._role, self._size = view, shot, role, size
        self._texels, self._count = Texels(), 0
        self._before: tuple[Moment, Floats] | None = None

    def follow(self, moment: Moment) -> None:
        """Draw the frame of the next moment, which those after it go on from."""
        seen = self._seen(moment)
        if self._before is None:
            self._view.follow(moment)
            image, known = self._view.frame(moment).astype(np.float32), np.ones(self._size[::-1], bool)
        else:
            image, known = self._drawn(seen)
        if seen.anchors is not None and self._count % BLOCK == 0:
            self._texels.write(np.round(image).astype(np.uint8), seen.anchors, truth=known.astype(np.float32))
        self._before, self._count = (moment, image), self._count + 1

    def frame(self, moment: Moment) -> Frame:
        """The frame at a moment that it has come to, or a little later."""
        assert self._before is not None, "views follow the opening first"
        last, image = self._before
        if moment.time != last.time:
            image, _ = self._drawn(self._seen(moment))
        return np.asarray(np.round(image).astype(np.uint8))

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """Each `every` of the frames."""
        return filmed(self, moments, every)

    def _drawn(self, seen: Tracked) -> tuple[Floats, NDArray[np.bool_]]:
        """What is brought to a later moment, holes filled from around them, and where there were none."""
        assert self._before is not None, "views follow the opening first"
        brought = carried_on(self._before[1], [seen], self._texels)
        whole = filled(*past_images([brought], torch.device("cpu")))
        return to_pixels(whole[0])[0], brought.known[0]

    def _seen(self, moment: Moment) -> Tracked:
        """The geometry of a moment, told how it follows from the last one."""
        last = moment if self._before is None else self._before[0]
        (width, height), cameras = self._size, [self._shot(one) for one in (last, moment)]
        then, here = (
            see(one, camera, role=self._role, width=width, height=height)
            for one, camera in zip((last, moment), cameras, strict=True)
        )
        return tracked(last, cameras[0], moment, cameras[1], seen=then, here=here)


def filmed(view: View, moments: Iterable[Moment], every: int) -> Iterator[Frame]:
    """Follow all moments; the frames of each `every` of them the first."""
    for number, moment in enumerate(moments):
        view.follow(moment)
        if number % every == 0:
            yield view.frame(moment)


if __name__ == "__main__":
    with without_traceback():
        main()
