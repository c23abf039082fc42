"""What one camera sees of one episode, through a renderer: a session fed with the moments of a world.

The frame of a moment depends on the moments up to it alone, whenever it is asked for and whether or not
others were. It is that of an observer at that instant (see `garten.renderer.session`): the blocks before it
are complete, its own is known as far as it has come.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from garten.devices import torch_threads
from garten.errors import RenderError
from garten.records import Frame, Moment, Shot
from garten.renderer.framing import Framing
from garten.renderer.renderer import Renderer
from garten.renderer.session import Session
from garten.renderer.texels import Texels
from garten.scene import Condition
from garten.sight.anchors import anchors_of
from garten.sight.captions import caption
from garten.sight.looks import Photo


class NeuralView:
    """One camera's view, drawn as far as it is asked for; going back in time begins at the opening again."""

    def __init__(
        self, renderer: Renderer, shot: Shot, *, role: str, size: tuple[int, int], seed: int
    ) -> None:
        """A view that waits for the opening moment.

        Args:
            renderer: shared by any number of views.
            shot: where the camera is at each moment.
            role: whose camera it is.
            size: width x height of the frames.
            seed: of all noise.
        """
        settings = renderer.settings
        self._renderer, self._shot, self._role, self._seed = renderer, shot, role, seed
        self._framing = Framing(size, (settings.width, settings.height))
        self._block = settings.block_frames
        self._carries = settings.network.history != "attention"
        self._moments: list[Moment] = []
        self._session: Session | None = None
        self._blocks = 0  # that the session has made
        self._opening: Frame | None = None
        self._latest: Sequence[Frame] = ()  # the frames of the last of them

    def follow(self, moment: Moment) -> None:
        """Go on to the next moment of the world's frame clock; the first is the opening.

        Raises:
            RenderError: it does not come after the last one.
        """
        if self._moments and moment.time <= self._moments[-1].time:
            raise RenderError(
                f"A view that has come to {self._moments[-1].time:g} s cannot go on to {moment.time:g} s; "
                "fork it at an earlier moment, or begin a new one."
            )
        self._moments.append(moment)

    def frame(self, moment: Moment) -> Frame:
        """The frame at a moment that it has come to, or at one between the last of those and the next.

        Raises:
            RenderError: the moment is before the opening.
        """
        count = bisect_right(self._moments, moment.time, key=lambda known: known.time)
        if count == 0:
            raise RenderError("The view has not come to this moment; let it follow the episode first.")
        between = [] if self._moments[count - 1].time == moment.time else [moment]
        with torch_threads(1):
            return self._framing.cut(self._frame(count - 1 + len(between), between))

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """Follow a whole episode and yield its frames, or of each `every` of them the first.

        Here blocks are known as a whole, so that a frame can differ from what was seen at its instant.
        """
        for number, moment in enumerate(moments):
            self.follow(moment)
            if number % self._block == 0:
                yield from self._filmed(number, every)
        left = (len(self._moments) - 1) % self._block
        if left:
            yield from self._filmed(len(self._moments) - 1, every)

    def fork(self, moment: Moment) -> NeuralView:
        """A view of its own that goes on from a moment, as this one did or otherwise."""
        forked = NeuralView(
            self._renderer, self._shot, role=self._role, size=self._framing.asked, seed=self._seed
        )
        forked._moments = [known for known in self._moments if known.time <= moment.time]
        if self._session is not None and self._blocks * self._block < len(forked._moments):
            forked._session, forked._blocks = self._session.fork(), self._blocks
            forked._opening, forked._latest = self._opening, self._latest
        return forked

    def _filmed(self, last: int, every: int) -> Iterator[Frame]:
        """The frames of the block that frame `last` ends, as far as it has come; frame 0 is the opening."""
        with torch_threads(1):
            if last == 0:
                frames: Sequence[Frame] = [self._frame(0, [])]
            elif last % self._block == 0:
                self._at(last // self._block)
                frames = self._latest
            else:
                frames = self._peek(last // self._block, last, [])
        first = last - len(frames) + 1
        yield from (
            self._framing.cut(frame) for number, frame in enumerate(frames, first) if number % every == 0
        )

    def _frame(self, number: int, between: Sequence[Moment]) -> Frame:
        """Frame `number` of the clock, or the one `between` the clock's that stands in its place."""
        if number == 0:
            return self._begin()[1] if self._opening is None else self._opening
        blocks, place = divmod(number - 1, self._block)
        if place == self._block - 1 and not between:
            self._at(blocks + 1)
            return self._latest[-1]
        return self._peek(blocks, number, between)[-1]

    def _peek(self, blocks: int, last: int, between: Sequence[Moment]) -> Sequence[Frame]:
        """The frames after so many blocks up to frame `last`, in an unfinished block."""
        clock = self._moments[blocks * self._block + 1 : last + 1 - len(between)]
        return list(self._at(blocks).peek(self._conditions(blocks, [*clock, *between])))

    def _at(self, blocks: int) -> Session:
        """The session after so many blocks."""
        session = self._session
        if session is None or self._blocks > blocks:
            session, _ = self._begin()
        while self._blocks < blocks:
            first = self._blocks * self._block + 1
            block = self._moments[first : first + self._block]
            self._latest = list(session.advance(self._conditions(self._blocks, block)))
            self._blocks += 1
        return session

    def _begin(self) -> tuple[Session, Frame]:
        """Begin at the opening: in the `photo` look, with the world's own light and colours."""
        moment, look = self._moments[0], Photo()
        seen = self._framing.tracked(moment, moment, self._shot, self._role)
        session = Session(
            self._renderer,
            caption=caption(moment.scene, look.coat(moment.scene), seen.ids),
            seed=self._seed,
            texels=self._known(moment, look),
        )
        reference = self._framing.photo(look, moment, self._shot(moment), self._role)
        self._opening = session.start(reference, seen)
        self._session, self._blocks = session, 0
        return session, self._opening

    def _conditions(self, blocks: int, moments: Sequence[Moment]) -> Sequence[Condition]:
        """The geometry of moments that follow after so many blocks."""
        if not self._carries:
            return [self._framing.condition(moment, self._shot(moment), self._role) for moment in moments]
        pairs = pairwise([self._moments[blocks * self._block], *moments])
        return [self._framing.tracked(then, now, self._shot, self._role) for then, now in pairs]

    def _known(self, moment: Moment, look: Photo) -> Texels:
        """The look of all that any role sees at the opening, so that their views agree on it."""
        texels = Texels()
        for role, camera in moment.cameras.items() if self._carries else ():
            seen = self._framing.condition(moment, camera, role)
            anchors = anchors_of(seen, moment.scene, self._framing.widened(camera))
            texels.write(self._framing.photo(look, moment, camera, role), anchors)
        return texels
