"""The page of a run of practice: curves, clips, lessons with their evidence, who inherited what.

Lessons are players' text, rendered without raw HTML or images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from garten.episodes.reshoot import observations
from garten.practice.playbook import read_lesson, read_note
from garten.practice.results import Game, RoundResult, Spread
from garten.practice.rounds import asked_of
from garten.records import Episode, Lesson, Note, Observation, WorldSpec
from garten.report.charts import measure_by_round, published_as_score, scores_by_round
from garten.report.html import data_url, render
from garten.report.lineage import Origin, heirs, parents
from garten.report.pictures import clip, clip_speed, evidence_frames
from garten.runs.folder import RunFolder
from garten.worlds.find import load
from garten.worlds.world import World

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@dataclass(frozen=True)
class LessonView:
    """One lesson as the page shows it."""

    origin: Origin
    lesson: Lesson
    body: Markup
    frames: list[tuple[str, str]]  # observation id, PNG as a data URL
    parents: list[Origin]  # lessons it says it builds on


@dataclass(frozen=True)
class Film:
    """A clip of a game."""

    url: str  # MP4 as a data URL
    caption: str


@dataclass(frozen=True)
class RoundView:
    """One round as the page shows it."""

    result: RoundResult
    games: Spread
    held_out: Spread
    lessons: list[LessonView]
    notes: list[Note]
    strategies: dict[str, int]  # by name: in how many of its games it was seen
    film: Film | None = None


def practice_page(run: RunFolder, *, watch: Callable[[float], None] = lambda share: None) -> str:
    """The page as HTML.

    Args:
        run: of practice.
        watch: is told now and then what share of the clips, which take most of the time, is filmed.

    Raises:
        RunError: it is no run of practice, or is damaged.
        RenderError: a clip could not be made.
    """
    asked = asked_of(run)
    world = load(asked.world)()
    spec = world.spec
    results = _results(run)
    lessons = [Origin.of(path) for result in results for path in result.lessons]
    views = [_round_view(run, result, world=world, known=lessons) for result in results]
    films = _films(run, results, world=world, watch=watch)
    return render(
        "practice.html.j2",
        name=run.path.name,
        asked=asked,
        spec=spec,
        manifest=run.manifest,
        rounds=[replace(view, film=films.get(view.result.round)) for view in views],
        heirs=heirs(results, run.path),
        charts=_charts(results, spec),
        published=spec.published,
    )


def _results(run: RunFolder) -> list[RoundResult]:
    paths = sorted(run.path.glob("rounds/*/round.json"))
    return [run.read_record(RoundResult, path.relative_to(run.path).as_posix()) for path in paths]


def _charts(results: list[RoundResult], spec: WorldSpec) -> list[Markup]:
    """The charts as SVG; what `garten.report.charts` draws is safe to put in the page as it is."""
    drawn = [scores_by_round(results, spec)] if results else []
    if results and not published_as_score(spec):
        drawn.append(measure_by_round(results, spec))
    return [Markup(chart) for chart in drawn]


def _round_view(run: RunFolder, result: RoundResult, *, world: World[Any], known: list[Origin]) -> RoundView:
    folder = f"rounds/{result.round:02d}"
    seen = _Seen(run, result, world)
    first = {role.team: role.name for role in reversed(world.spec.roles)}
    lessons = []
    for path in result.lessons:
        origin, lesson = Origin.of(path), read_lesson(run.file(path))
        frames = evidence_frames(lesson.evidence, seen, role=first[origin.team])
        shown = [(name, data_url("image/png", picture)) for name, picture in frames]
        body = Markup(_markdown.render(lesson.body))
        lessons.append(LessonView(origin, lesson, body, shown, parents(lesson, known)))
    return RoundView(
        result=result,
        games=Spread.of(result.games),
        held_out=Spread.of(result.held_out),
        lessons=lessons,
        notes=[read_note(path) for path in sorted(run.file(folder).glob("playbooks/*/*/NOTE.md"))],
        strategies=_strategies(run, result),
    )


def _strategies(run: RunFolder, result: RoundResult) -> dict[str, int]:
    """In how many games of a round, held-out ones included, each strategy of its world was seen."""
    games = [game for game in (*result.games, *result.held_out) if game.score is not None]
    counted = [_episode(run, result, game.id).strategies for game in games]
    return {name: sum(one[name] > 0 for one in counted) for name in (counted[0] if counted else ())}


def _films(
    run: RunFolder, results: list[RoundResult], *, world: World[Any], watch: Callable[[float], None]
) -> dict[int, Film]:
    """A film of the first and of the last round, by round, where there is a game to show."""
    featured = {result.round: result for result in (*results[:1], *results[-1:])}
    shown = [(result, game) for result in featured.values() if (game := _middle(result))]
    films = {}
    for number, (result, game) in enumerate(shown):
        watched = _part(watch, number, len(shown))
        films[result.round] = _film(run, result, game, world=world, watch=watched)
    return films


def _part(watch: Callable[[float], None], number: int, of: int) -> Callable[[float], None]:
    """What is told the share of one part of several, and tells that of the whole."""
    return lambda share: watch((number + share) / of)


def _film(
    run: RunFolder, result: RoundResult, game: Game, *, world: World[Any], watch: Callable[[float], None]
) -> Film:
    episode = _episode(run, result, game.id)
    speed = clip_speed(episode, world)
    path = run.file(f"rounds/{result.round:02d}/{game.id}-x{speed}.mp4")
    caption = (
        f"Round {result.round}, game {game.id}, {speed} times as fast: score {game.score:.1f}, "
        "in the middle of the round's held-out games."
    )
    return Film(data_url("video/mp4", clip(episode, world, path, watch=watch)), caption)


class _Seen(Mapping[str, Mapping[str, Observation]]):
    """What was seen in the games of one round, by game id; each is played again when first asked for."""

    def __init__(self, run: RunFolder, result: RoundResult, world: World[Any]) -> None:
        self._run, self._result, self._world = run, result, world
        self._seen: dict[str, Mapping[str, Observation]] = {}

    def __getitem__(self, game: str) -> Mapping[str, Observation]:
        if game not in self._seen:
            episode = _episode(self._run, self._result, game)
            self._seen[game] = observations(episode, name=game, world=self._world)
        return self._seen[game]

    def __iter__(self) -> Iterator[str]:
        return (game.id for game in (*self._result.games, *self._result.held_out))

    def __len__(self) -> int:
        return len(self._result.games) + len(self._result.held_out)


def _episode(run: RunFolder, result: RoundResult, game: str) -> Episode:
    return run.read_record(Episode, f"rounds/{result.round:02d}/episodes/{game}/episode.json")


def _middle(result: RoundResult) -> Game | None:
    """The game in the middle of the round's held-out scores: what to expect, not the luckiest."""
    scored = [game for game in (result.held_out or result.games) if game.score is not None]
    scored.sort(key=lambda game: (game.score, game.id))
    return scored[len(scored) // 2] if scored else None
