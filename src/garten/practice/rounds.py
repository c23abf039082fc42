"""Practice: fresh players play, review and write; the next round's players inherit what they wrote.

A round goes: brief the players -> play games side by side -> review them (the score is told only now) ->
write lessons -> freeze the playbooks -> play held-out games, scored and never shown. All of it is a
deterministic program over `RunWriter.once`, so a run that is killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from garten.episodes.looks import prepare
from garten.episodes.reshoot import frame_among, observations
from garten.errors import ProgramError, RunError
from garten.practice.games import Job, Pool
from garten.practice.playbook import fingerprint, lesson_files, note_file, read_playbook, validate
from garten.practice.players import load_player
from garten.practice.results import Game, RoundResult
from garten.records import (
    Brief,
    Episode,
    Frame,
    Lesson,
    Note,
    Observation,
    Plan,
    Playbook,
    Player,
    Review,
    Task,
    WorldSpec,
)
from garten.runs.codec import from_json
from garten.runs.events import Event
from garten.runs.folder import RunFolder
from garten.runs.resume import RunWriter
from garten.seeds import derive
from garten.worlds.find import load

HELD_OUT = "held-out"
"""Id of the fresh players that play held-out games."""


@dataclass(frozen=True)
class Asked:
    """What a run of practice is asked to do; saved with the run and entered again when it is resumed."""

    world: str  # name or path
    player: str = "search"  # kind of player
    rounds: int = 4
    players: int = 2  # per team and round
    games: int = 4  # per player and round
    held_out: int = 10  # games per round on layouts the players never see
    seed: int = 0
    look: str = "raw"
    size: tuple[int, int] = (160, 90)  # width x height of the frames
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the kind of player, JSON types


KIND = "practice"
"""The kind of a run that `practise` writes."""


def asked_of(run: RunFolder) -> Asked:
    """What a run of practice was asked to do.

    Raises:
        RunError: it is a run of another kind, or its settings are damaged.
    """
    return run.asked(Asked, kind=KIND, by="garten practice")


def practise(
    asked: Asked, run: RunWriter, *, workers: int, watch: Callable[[Event], None] = lambda event: None
) -> tuple[RoundResult, ...]:
    """Run all rounds and return their results; rounds already in the run are read back.

    Args:
        asked: what to do.
        run: where it is written; what it holds already is not done again.
        workers: games played side by side; it changes no result.
        watch: is told every event: ``round``, ``game``, ``lesson`` and ``round-done``.

    Raises:
        GartenError: the world or player does not exist, all games of a batch ended in errors, or the run
            cannot be written.
    """
    spec = load(asked.world).spec
    prepare(asked.look)  # a cold compile is announced and done here, once, instead of unseen in every worker
    with Pool(workers) as pool:
        rounds = (_Round(asked, spec, run, pool, watch, number) for number in range(1, asked.rounds + 1))
        return tuple(current.play() for current in rounds)


def task_for(spec: WorldSpec, role: str, *, size: tuple[int, int]) -> Task:
    """What a player knows about one role before its first action; frames have `size`, width x height."""
    team = next(item.team for item in spec.roles if item.name == role)
    return Task(
        world=spec.name,
        text=spec.task,
        role=role,
        team=team,
        mates=tuple(item.name for item in spec.roles if item.team == team and item.name != role),
        actions=spec.actions,
        time_limit=spec.time_limit,
        size=size,
    )


@dataclass
class _Round:
    """One round under way."""

    asked: Asked
    spec: WorldSpec
    run: RunWriter
    pool: Pool
    watch: Callable[[Event], None]
    number: int

    def play(self) -> RoundResult:
        """Play the round; what the run holds of it already is read back."""
        self._tell("round", {"round": self.number, "of": self.asked.rounds, "games": self._games_planned})
        inherited = {team: self._inherited(team) for team in self.spec.teams}
        players = {
            (team, name): self._player(team, name, inherited[team], games=self.asked.games)
            for team in self.spec.teams
            for name in self.names
        }
        games = self._learn(players)
        lessons, rejected = self._write(players, games)
        self._freeze()
        held_out = self._held_out()
        result = RoundResult(self.number, tuple(games), tuple(held_out), tuple(lessons), tuple(rejected))
        self.run.once(f"{self.folder}/round.json", lambda: result)
        self._tell("round-done", {"round": self.number})
        return result

    def _tell(self, kind: str, data: Mapping[str, Any]) -> None:
        self.watch(self.run.event(kind, data))

    # --- players ---------------------------------------------------------------------------------

    @property
    def folder(self) -> str:
        return f"rounds/{self.number:02d}"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"p{index}" for index in range(1, self.asked.players + 1))

    @property
    def _games_planned(self) -> int:
        return self.asked.players * self.asked.games + self.asked.held_out

    def _inherited(self, team: str, *, through: int | None = None) -> Playbook:
        """Everything the team wrote in the rounds before this one, or in those up to `through`."""
        last = self.number - 1 if through is None else through
        earlier = [
            read_playbook(self.run.folder.file(f"rounds/{number:02d}/playbooks/{team}"))
            for number in range(1, last + 1)
        ]
        lessons = tuple(lesson for playbook in earlier for lesson in playbook.lessons)
        return Playbook(lessons, tuple(note for playbook in earlier for note in playbook.notes))

    def _player(self, team: str, name: str, playbook: Playbook, *, games: int) -> _Seated:
        """A fresh player and the brief it starts from."""
        roles = [role.name for role in self.spec.roles if role.team == team]
        folder = self.run.folder.file(f"{self.folder}/players/{team}-{name}")
        brief = Brief(
            name=name,
            round=self.number,
            tasks={role: task_for(self.spec, role, size=self.asked.size) for role in roles},
            playbook=playbook,
            games=games,
            layouts=games,
            seed=derive(self.asked.seed, "player", self.number, team, name),
            settings=dict(self.asked.settings),
            folder=str(folder),
        )
        return _Seated(brief, load_player(self.asked.player)(brief))

    # --- play and review -------------------------------------------------------------------------

    def _learn(self, players: Mapping[tuple[str, str], _Seated]) -> list[Game]:
        """Play every player's games in batches, each reviewed before the next is planned."""
        games: list[Game] = []
        left = dict.fromkeys(self.names, self.asked.games)
        while any(left.values()):
            batch: list[_Planned] = []
            for name in (name for name in self.names if left[name]):
                first = self.asked.games - left[name]
                proposed = self._propose(players, name, left[name])
                left[name] -= len(proposed)
                batch += [
                    self._planned(f"r{self.number:02d}-{name}-g{index:02d}", name, players, plans)
                    for index, plans in enumerate(proposed, start=first)
                ]
            episodes = self._play(batch)
            games += [_line(item, episodes) for item in batch]
            for (team, name), seated in players.items():
                reviews = [self._review(team, item, episodes) for item in batch if item.player == name]
                if reviews:
                    seated.player.review(reviews)
        return games

    def _propose(
        self, players: Mapping[tuple[str, str], _Seated], name: str, left: int
    ) -> list[dict[str, Plan]]:
        """The next games of the players called `name`, each with one plan for each team."""
        proposals = {team: players[team, name].player.propose(left)[:left] for team in self.spec.teams}
        count = min(len(plans) for plans in proposals.values())
        assert count > 0, "a player must propose at least one game"
        return [{team: plans[index] for team, plans in proposals.items()} for index in range(count)]

    def _planned(
        self,
        game: str,
        name: str,
        players: Mapping[tuple[str, str], _Seated],
        plans: Mapping[str, Plan],
        *,
        seed: int | None = None,
    ) -> _Planned:
        """One game ready to be played; where teams differ about the layout, the first one decides."""
        layout = plans[self.spec.teams[0]].layout
        job = Job(
            game=game,
            world=self.asked.world,
            player=self.asked.player,
            seats={
                role.name: (players[role.team, name].brief, plans[role.team].data) for role in self.spec.roles
            },
            seed=derive(self.asked.seed, "layout", self.number, layout) if seed is None else seed,
            look=self.asked.look,
            size=self.asked.size,
            folder=str(self.run.folder.file(f"{self.folder}/episodes/{game}")),
        )
        return _Planned(game, name, plans, job)

    def _play(self, batch: Sequence[_Planned]) -> dict[str, Episode]:
        """Play a batch; every game is stored as it ends, and told about in the order of `batch`."""
        paths = {f"{self.folder}/episodes/{item.game}/episode.json": item for item in batch}
        episodes: dict[str, Episode] = {}
        jobs = {path: item.job for path, item in paths.items()}
        for path, _ in self.run.each(jobs, partial(self._compute_games, size=len(batch))):
            item = paths[path]
            episodes[item.game] = self.run.folder.read_record(Episode, path)
            self._tell("game", {"round": self.number, "game": _line(item, episodes)})
        return episodes

    def _compute_games(self, missing: dict[str, Job], *, size: int) -> Iterator[tuple[str, Episode]]:
        """Play the missing games of a batch of `size` games.

        Games without a score are stored last. If no game of the batch has one, none is stored and the run
        stops, for nothing could be learned; resuming plays them again.
        """
        paths = {job.game: path for path, job in missing.items()}
        failed: list[tuple[str, Episode]] = []
        for job, episode in self.pool.play(list(missing.values())):
            if episode.score is None:
                failed.append((paths[job.game], episode))
            else:
                yield paths[job.game], episode
        if len(failed) == len(missing) == size:
            reason = failed[0][1].error.rstrip(".")
            for path, episode in failed:
                self.run.folder.write_json(path.replace("episode.json", "failed.json"), episode)
            raise ProgramError(
                f"Every game of a batch in round {self.number} ended in an error, the first in: "
                f"{reason}; mend that and go on with --resume."
            )
        yield from failed

    def _review(self, team: str, item: _Planned, episodes: Mapping[str, Episode]) -> Review:
        """A finished game as one team may see it."""
        game, episode = item.game, episodes[item.game]
        roles = {role.name for role in self.spec.roles if role.team == team}

        @cache
        def seen() -> Mapping[str, Observation]:
            return observations(episode, name=game, world=load(self.asked.world)())

        def frame(observation: str) -> Frame:
            if not any(observation.startswith(f"{game}-{role}-") for role in roles):
                raise ProgramError(
                    f"Frame '{observation}' is not of this player's own game; ask for one of its own."
                )
            return frame_among(seen(), observation)

        own = replace(
            episode,
            taken=tuple(item for item in episode.taken if item.role in roles),
            submissions=tuple(item for item in episode.submissions if item.role in roles),
            notes={role: note for role, note in episode.notes.items() if role in roles},
            snapshot="",  # holds the world, which no player may see
            strategies={},  # for reports only
            score=episode.score and episode.score.of(team),
        )
        return Review(game, item.plans[team], own, frame)

    # --- write and freeze ------------------------------------------------------------------------

    def _write(
        self, players: Mapping[tuple[str, str], _Seated], games: Sequence[Game]
    ) -> tuple[list[str], list[str]]:
        """Have every player write; the paths of the lessons kept, and why the others were not."""
        actions = [action.name for action in self.spec.actions]
        kept: list[str] = []
        rejected: list[str] = []
        for (team, name), seated in players.items():
            stored = f"{self.folder}/players/{team}-{name}/writing.json"
            self.run.once(stored, seated.player.write)
            writing = self.run.folder.read_record(_Written, stored)
            folder = f"{self.folder}/playbooks/{team}/{name}"
            known = [game.id for game in games if game.player == name]
            known += [item for lesson in seated.brief.playbook.lessons for item in lesson.evidence]
            self._put(f"{folder}/NOTE.md", note_file(writing.note))
            for item in writing.lessons:
                try:
                    lesson = from_json(Lesson, item)
                    path = f"{folder}/{lesson.name}"
                    self._require_new(lesson, path, kept)
                    validate(lesson, known, actions=actions)
                except (ProgramError, ValueError) as error:
                    rejected.append(f"{name}: {error}")
                    continue
                kept.append(path)
                for file, text in lesson_files(lesson).items():
                    self._put(f"{path}/{file}", text)
                self._tell(
                    "lesson",
                    {
                        "round": self.number,
                        "team": team,
                        "player": name,
                        "name": lesson.name,
                        "status": lesson.status,
                        "description": lesson.description,
                        "path": path,
                    },
                )
        return kept, rejected

    @staticmethod
    def _require_new(lesson: Lesson, path: str, kept: Iterable[str]) -> None:
        if path in kept:
            raise ProgramError(
                f"Lesson '{lesson.name}' was written twice; give each lesson a name of its own."
            )

    @property
    def _seal(self) -> str:
        return f"{self.folder}/manifest.json"

    def _put(self, file: str, text: str) -> None:
        """Write a file of a playbook; once the playbooks are frozen, leave it for `_freeze` to compare."""
        if not self.run.folder.exists(self._seal):
            self.run.folder.write_text(file, text)

    def _freeze(self) -> None:
        """Seal the round's playbooks by the hashes of their files; refuse any that changed since."""
        root = self.run.folder.file(f"{self.folder}/playbooks")
        found = fingerprint(root)
        self.run.once(self._seal, lambda: _Frozen(found))
        frozen = dict(self.run.folder.read_record(_Frozen, self._seal).sha256)
        changed = sorted(path for path in frozen | found if frozen.get(path) != found.get(path))
        if changed:
            raise RunError(
                f"{root / changed[0]} is not what was frozen; restore the playbooks of round {self.number}, "
                "or practise under another --name."
            )

    # --- held-out games --------------------------------------------------------------------------

    def _held_out(self) -> list[Game]:
        """Games by fresh players with all playbooks so far, on layouts that are the same in every round."""
        if not self.asked.held_out:
            return []
        players = {
            (team, HELD_OUT): self._player(
                team, HELD_OUT, self._inherited(team, through=self.number), games=self.asked.held_out
            )
            for team in self.spec.teams
        }
        best = {team: players[team, HELD_OUT].player.best() for team in self.spec.teams}
        batch = [
            self._planned(
                f"r{self.number:02d}-held-out-g{index:02d}",
                HELD_OUT,
                players,
                {team: Plan(index, data) for team, data in best.items()},
                seed=derive(self.asked.seed, "held-out", index),
            )
            for index in range(self.asked.held_out)
        ]
        episodes = self._play(batch)
        return [_line(item, episodes) for item in batch]


@dataclass(frozen=True)
class _Seated:
    """A player and the brief it was made from."""

    brief: Brief
    player: Player


@dataclass(frozen=True)
class _Written:
    """A player's `Writing` as it is stored: each lesson is judged by itself."""

    lessons: tuple[Any, ...]
    note: Note


@dataclass(frozen=True)
class _Frozen:
    """The file that seals a round's playbooks."""

    sha256: Mapping[str, str]  # of each file, by its path among the playbooks


@dataclass(frozen=True)
class _Planned:
    """One game about to be played."""

    game: str
    player: str
    plans: Mapping[str, Plan]  # by team
    job: Job


def _line(item: _Planned, episodes: Mapping[str, Episode]) -> Game:
    return Game.of(item.game, item.player, episodes[item.game], held_out=item.player == HELD_OUT)
