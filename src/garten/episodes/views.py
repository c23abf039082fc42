"""Views: what one camera sees of one episode as it goes on, in any look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from garten.records import Frame, Look, Moment, RollingLook, Shot, View

AnyLook = Look | RollingLook
"""A look that makes each frame by itself, or one that goes on from what it has shown."""


def view_of(look: AnyLook, shot: Shot, *, role: str, size: tuple[int, int], seed: int) -> View:
    """The view of a camera in a look; for the arguments see `RollingLook.view`."""
    if isinstance(look, RollingLook):
        return look.view(shot, role=role, size=size, seed=seed)
    return Still(look, shot, role, size)


def eyes(role: str) -> Shot:
    """The camera of a role."""
    return lambda moment: moment.cameras[role]


def rolls(look: AnyLook) -> bool:
    """Whether views in this look must be told of every moment."""
    return isinstance(look, RollingLook)


@dataclass(frozen=True)
class Still:
    """A view in a look that makes each frame by itself."""

    look: Look
    shot: Shot
    role: str
    size: tuple[int, int]  # width x height

    def follow(self, moment: Moment) -> None:
        """Nothing: frames do not depend on what was before."""

    def frame(self, moment: Moment) -> Frame:
        """The frame at any moment."""
        width, height = self.size
        return self.look.frame(moment, self.shot(moment), role=self.role, width=width, height=height)

    def film(self, moments: Iterable[Moment], *, every: int = 1) -> Iterator[Frame]:
        """The frames of these moments, or of each `every` of them the first."""
        return (self.frame(moment) for number, moment in enumerate(moments) if number % every == 0)
