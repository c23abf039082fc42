"""What came of a round and of a run of practice, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from garten.records import Episode


@dataclass(frozen=True)
class Game:
    """One finished game, as the record of its round lists it."""

    id: str
    seed: int
    player: str  # id of the player whose plans it carried out
    held_out: bool
    score: float | None  # None where the game ended in an error
    measure: float | None
    progress: float | None
    error: str

    @staticmethod
    def of(game: str, player: str, episode: Episode, *, held_out: bool = False) -> Game:
        """The line for one episode."""
        score = episode.score
        return Game(
            id=game,
            seed=episode.seed,
            player=player,
            held_out=held_out,
            score=score.value if score else None,
            measure=score.measure if score else None,
            progress=score.progress if score else None,
            error=episode.error,
        )


@dataclass(frozen=True)
class RoundResult:
    """One round: the games its players learned from, and the held-out games they never saw."""

    round: int
    games: tuple[Game, ...]
    held_out: tuple[Game, ...]
    lessons: tuple[str, ...]  # paths of the lessons written, below the run folder
    rejected: tuple[str, ...]  # why lessons were refused


@dataclass(frozen=True)
class Spread:
    """Scores of some games in short; None where there are too few."""

    count: int
    mean: float | None
    sem: float | None  # standard error of the mean
    best: float | None
    errors: int  # games without a score

    @staticmethod
    def of(games: Sequence[Game]) -> Spread:
        """The spread of these games' scores."""
        scores = [game.score for game in games if game.score is not None]
        return Spread(
            count=len(scores),
            mean=fmean(scores) if scores else None,
            sem=stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else None,
            best=max(scores, default=None),
            errors=len(games) - len(scores),
        )
