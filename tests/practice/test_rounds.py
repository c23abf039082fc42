"""Rounds: who inherits what, what is told when, what survives an interruption."""

import dataclasses
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from garten.errors import ProgramError, RunError, WorldError
from garten.practice import games, rounds
from garten.practice.playbook import fingerprint, read_playbook
from garten.practice.results import RoundResult
from garten.practice.rounds import Asked, practise
from garten.records import Episode
from garten.runs.codec import from_json, to_json
from garten.runs.resume import RunWriter, begin
from practice.scripted import Scripted
from support import same_run

TOY = str(Path(__file__).parents[1] / "worlds" / "toy.py")
ASKED = Asked(world=TOY, player="scripted", rounds=3, players=2, games=3, held_out=2, size=(32, 18))


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    Scripted.clear()
    for module in (games, rounds):
        monkeypatch.setattr(module, "load_player", lambda kind: Scripted)
    yield
    Scripted.clear()


def run(path: Path, asked: Asked = ASKED, *, resume: bool = False) -> tuple[RoundResult, ...]:
    with begin(path, to_json(asked), seeds=[asked.seed], kind="practice", resume=resume) as writer:
        return practise(asked, writer, workers=1)


def learning(team: str, name: str) -> list:
    briefs = [brief for brief in Scripted.briefs if brief.name == name]
    return [brief for brief in briefs if next(iter(brief.tasks.values())).team == team]


def test_each_round_inherits_every_lesson_of_its_own_team_and_of_no_other(tmp_path: Path) -> None:
    run(tmp_path / "run")
    for number, brief in enumerate(learning("z", "p1"), start=1):
        lessons = brief.playbook.lessons
        assert brief.round == number
        assert [(lesson.round, lesson.author) for lesson in lessons] == [
            (earlier, author) for earlier in range(1, number) for author in ("p1", "p2")
        ]
        assert {lesson.role for lesson in lessons} <= {"z"}
        assert len(brief.playbook.notes) == 2 * (number - 1)


def test_every_player_of_a_round_is_fresh_and_has_a_seed_of_its_own(tmp_path: Path) -> None:
    run(tmp_path / "run")
    seeds = [brief.seed for brief in Scripted.briefs]
    assert len(Scripted.briefs) == 3 * 2 * (2 + 1)  # rounds x teams x (players and the held-out one)
    assert len(set(seeds)) == len(seeds)


def test_players_improve_here_because_they_inherit(tmp_path: Path) -> None:
    results = run(tmp_path / "run")
    means = [sum(game.score for game in result.held_out) for result in results]
    assert means[0] < means[1] < means[2]


def test_held_out_layouts_are_the_same_in_every_round_and_never_learned_from(tmp_path: Path) -> None:
    results = run(tmp_path / "run")
    held_out = {tuple(game.seed for game in result.held_out) for result in results}
    learned = {game.seed for result in results for game in result.games}
    assert len(held_out) == 1
    assert not learned & set(held_out.pop())
    assert not any("held" in review.game for review in Scripted.reviews)


def test_players_of_a_round_share_its_layouts_and_rounds_do_not(tmp_path: Path) -> None:
    results = run(tmp_path / "run")
    layouts = []
    for result in results:
        by_player = [[game.seed for game in result.games if game.player == name] for name in ("p1", "p2")]
        assert by_player[0] == by_player[1]
        layouts += by_player[0]
    assert len(set(layouts)) == 3 * 3


def test_a_review_shows_a_team_its_own_side_and_the_score(tmp_path: Path) -> None:
    run(tmp_path / "run")
    for review in Scripted.reviews:
        roles = {taken.role for taken in review.episode.taken}
        assert roles == {item.role for item in review.episode.submissions} == set(review.episode.notes)
        assert len(roles) == 1
        assert review.episode.score is not None
    assert {next(iter(review.episode.notes)) for review in Scripted.reviews} == {"zed", "amy"}


def test_a_review_shows_the_frames_a_player_saw_and_no_others(tmp_path: Path) -> None:
    run(tmp_path / "run")
    review = Scripted.reviews[0]
    own = review.episode.taken[0]
    other = "amy" if own.role == "zed" else "zed"
    assert review.frame(own.observation).shape == (18, 32, 3)
    with pytest.raises(ProgramError, match="not of this player's own"):
        review.frame(own.observation.replace(own.role, other))
    with pytest.raises(WorldError, match="no observation"):
        review.frame(f"{review.game}-{own.role}-999")


def test_playbooks_are_frozen_with_the_hashes_of_their_files(tmp_path: Path) -> None:
    run(tmp_path / "run")
    for number in (1, 2, 3):
        folder = tmp_path / "run" / "rounds" / f"{number:02d}"
        manifest = json.loads((folder / "manifest.json").read_text())
        assert manifest["sha256"] == fingerprint(folder / "playbooks")
        assert len(read_playbook(folder / "playbooks" / "z").lessons) == 2


def _edit(lesson: Path) -> None:
    lesson.joinpath("SKILL.md").write_text("A better idea.\n")


def _delete(lesson: Path) -> None:
    lesson.joinpath("SKILL.md").unlink()


def _add(lesson: Path) -> None:
    shutil.copytree(lesson, lesson.with_name("stranger"))


def _link(lesson: Path) -> None:
    lesson.with_name("stranger").symlink_to(lesson)


def _edit_note(lesson: Path) -> None:
    lesson.with_name("NOTE.md").write_text("A better note.\n")


@pytest.mark.parametrize("change", [_edit, _delete, _add, _link, _edit_note])
def test_a_frozen_playbook_that_was_changed_is_refused_and_left_as_it_is(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    run(tmp_path / "run")
    playbook = tmp_path / "run" / "rounds" / "01" / "playbooks" / "z" / "p1"
    change(playbook / "drive-1")
    changed = fingerprint(playbook)
    with pytest.raises(RunError, match="not what was frozen; restore the playbooks of round 1"):
        run(tmp_path / "run", resume=True)
    assert fingerprint(playbook) == changed


@pytest.mark.parametrize("content", ["{}", "[]", "null", "[" * 100_000])
@pytest.mark.parametrize(
    "file", ["manifest.json", "players/z-p1/writing.json", "episodes/r01-p1-g00/episode.json"]
)
def test_a_file_of_a_run_that_makes_no_sense_is_named(tmp_path: Path, file: str, content: str) -> None:
    run(tmp_path / "run")
    path = tmp_path / "run" / "rounds" / "01" / file
    path.write_text(content)
    with pytest.raises(RunError, match=f"{re.escape(str(path))} is damaged; delete it"):
        run(tmp_path / "run", resume=True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "../../../escape"}, "lower-case words"),
        ({"evidence": ("r09-p1-g00",)}, "cites"),
        ({"code": "def drive(speed): pass"}, "redefines drive"),
        ({"status": "Tested"}, "status"),
    ],
)
def test_a_malformed_lesson_is_refused_and_the_round_goes_on(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    Scripted.lessons = change
    results = run(tmp_path / "run")
    assert len(results) == 3
    assert all(not result.lessons and len(result.rejected) == 4 for result in results)
    assert all(reason in text for result in results for text in result.rejected)
    assert not (tmp_path / "escape").exists()
    assert not list(tmp_path.rglob("SKILL.md"))


def test_one_failed_game_is_on_record_without_a_score_and_the_round_goes_on(tmp_path: Path) -> None:
    Scripted.fails = {"r01-p1-g00"}
    results = run(tmp_path / "run")
    failed = [game for game in results[0].games if game.error]
    assert [(game.id, game.score) for game in failed] == [("r01-p1-g00", None)]
    assert "endpoint is down" in failed[0].error
    assert len(results) == 3


def test_when_every_game_fails_the_run_stops_and_resuming_plays_them_again(tmp_path: Path) -> None:
    Scripted.fails = {"g00", "g01", "g02"}
    with pytest.raises(ProgramError, match=r"Every game of a batch .* endpoint is down.*--resume"):
        run(tmp_path / "run")
    assert not list((tmp_path / "run").rglob("episode.json"))
    assert list((tmp_path / "run").rglob("failed.json"))
    Scripted.clear()
    again = run(tmp_path / "run", resume=True)
    Scripted.clear()
    assert again == run(tmp_path / "whole")


def test_a_game_in_which_nobody_moves_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scripted, "best", lambda self: {"rests": True})
    with pytest.raises(ProgramError, match="No player made a move"):
        run(tmp_path / "run")


def test_the_same_seed_gives_the_same_run_and_another_seed_another(tmp_path: Path) -> None:
    run(tmp_path / "one")
    run(tmp_path / "two")
    assert same_run(tmp_path / "one", tmp_path / "two") == []
    run(tmp_path / "other", dataclasses.replace(ASKED, seed=1))
    assert same_run(tmp_path / "one", tmp_path / "other")


class InterruptedRunError(Exception):
    pass


def test_interrupted_anywhere_and_resumed_a_run_is_the_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = dataclasses.replace(ASKED, rounds=2, games=2, held_out=1)
    whole = run(tmp_path / "whole", small)
    store = RunWriter._store
    left = 0

    def interrupt(self: RunWriter, relative: str, value: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise InterruptedRunError
        store(self, relative, value)

    monkeypatch.setattr(RunWriter, "_store", interrupt)
    interruptions = 0
    while True:
        left = 1  # one more file each time
        try:
            resumed = run(tmp_path / "run", small, resume=True)
            break
        except InterruptedRunError:
            interruptions += 1
    assert interruptions >= 15
    assert resumed == whole
    assert same_run(tmp_path / "whole", tmp_path / "run") == []


def test_episodes_on_disk_are_whole_records(tmp_path: Path) -> None:
    run(tmp_path / "run")
    path = tmp_path / "run" / "rounds" / "01" / "episodes" / "r01-p1-g00" / "episode.json"
    episode = from_json(Episode, json.loads(path.read_text()))
    assert episode.score is not None
    assert {taken.role for taken in episode.taken} == {"zed", "amy"}
