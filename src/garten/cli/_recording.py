"""Recording a session to video: its keys are kept in a file while it lasts, and filmed at the end.

The keys say all, for equal seeds and keys give equal sessions. So playing waits for no encoder, a video can
have any size, and a session that is killed can be filmed afterwards.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from garten.cli._progress import passing_bar
from garten.craftax.play import Game
from garten.craftax.session import Session, film
from garten.errors import RunError
from garten.records import Frame
from garten.runs.storage import explained
from garten.sight import video

FPS = 8
"""Steps a second in a video."""


class Recording:
    """The video of a session.

    Attributes:
        path: of the video.
        keys: of the file that holds the keys until the video is written.
    """

    def __init__(self, path: Path) -> None:
        """Plan a video.

        Raises:
            RenderError: no video can have this name.
        """
        video.format_of(path)
        self.path = path
        self.keys = path.with_name(f"{path.name}.keys")

    @contextmanager
    def kept(self, words: list[str]) -> Iterator[Callable[[str], None]]:
        """What writes a key to the file of keys, at once; the file's first line is the command to film them.

        Args:
            words: the command, but for its keys.

        Raises:
            RunError: the file cannot be written, or is there already.
        """
        if self.keys.exists():
            raise RunError(
                f"{self.keys} holds the keys of a session that was cut short; film it by the command in its "
                "first line, or delete it."
            )
        with explained(self.keys), self.keys.open("x", encoding="utf-8") as file:
            file.write(f'{shlex.join(words)} --keys "$(sed 1d {shlex.quote(str(self.keys))})"\n')
            file.flush()

            def keep(key: str) -> None:
                file.write(key)
                file.flush()

            yield keep

    def write(self, session: Session, game: Game) -> None:
        """Film the session and forget its keys.

        Args:
            session: what was played.
            game: one like those of the session, to play them once more with pictures of the video's size.

        Raises:
            RunError: the file cannot be written.
        """
        steps = sum(1 + len(played.actions) for played in session.played)
        with passing_bar() as progress:

            def watched() -> Iterator[Frame]:
                yield from progress.track(film(game, session.played), total=steps, description="filming")

            video.write(self.path, watched(), fps=FPS)
        with explained(self.keys):
            self.keys.unlink(missing_ok=True)
