"""The language-model player against a real server: what it shows, reads and refuses."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chat_server import Fault, Request, completion, error, serve
from garten.errors import ModelError
from garten.llm.tape import spent
from garten.practice.players import kinds, load_player
from garten.practice.players.llm import LlmPlayer
from garten.practice.players.llm.eyes import choose
from garten.practice.players.llm.settings import Settings
from garten.records import (
    Action,
    ActionSpec,
    Brief,
    Episode,
    Frame,
    Lesson,
    Note,
    Observation,
    Plan,
    Playbook,
    Reply,
    Review,
    Score,
    Submission,
    Taken,
    Task,
)

KEY = "sk-very-secret-4711"
WALK = "```python\nwalk()\n```"
TASK = Task(
    world="meadow",
    text="Walk to the lantern.",
    role="walker",
    team="walkers",
    mates=(),
    actions=(ActionSpec("walk", 1.0, "walk ahead"), ActionSpec("turn", 1.0, "turn left")),
    time_limit=60.0,
    size=(32, 18),
)
LESSON = Lesson(
    name="yellow-is-warm",
    description="Go where it is yellow.",
    body="Turn until yellow is in the middle.",
    status="tested",
    world="meadow",
    role="walkers",
    round=1,
    author="p1",
    evidence=("r01-p1-g00",),
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GARTEN_LLM_BASE_URL", "GARTEN_LLM_MODEL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GARTEN_LLM_API_KEY", KEY)


def brief(folder: Path, url: str, *, playbook: Playbook | None = None, **settings: Any) -> Brief:
    return Brief(
        name="p1",
        round=2,
        tasks={"walker": TASK},
        playbook=playbook or Playbook(),
        games=3,
        layouts=2,
        seed=5,
        settings={"base_url": url, "model": "scripted", **settings},
        folder=str(folder / "p1"),
    )


def frame(shade: int) -> Frame:
    return np.full((18, 32, 3), shade, np.uint8)


def observation(number: int, feedback: str = "") -> Observation:
    return Observation(
        f"r02-p1-g00-walker-{number:03d}", "walker", float(number), feedback, lambda: frame(number)
    )


def reply(*numbers: int, over: bool = False, **texts: Any) -> Reply:
    seen = tuple(observation(number) for number in numbers)
    return Reply(seen, texts.get("printed", ""), texts.get("error", ""), 60.0 - max(numbers), over)


def seat(of: Brief, folder: Path) -> Any:
    return LlmPlayer.seat(of, "walker", {"aim": "Try it."}, seed=1, folder=str(folder / "g00"))


# --- playing -----------------------------------------------------------------------------------


def test_it_is_a_kind_of_player() -> None:
    assert "llm" in kinds()
    assert load_player("llm") is LlmPlayer


def test_a_game_is_a_conversation_with_frames_feedback_and_time(tmp_path: Path) -> None:
    told = dataclasses.replace(observation(0), feedback="Your lantern is the red one.")
    seen = (observation(1), dataclasses.replace(observation(2), feedback="A stone is in your way."))
    with serve([WALK]) as server:
        playing = seat(brief(tmp_path, server.url), tmp_path)
        assert playing.program(Reply((told,), "", "", 60.0, False)) == "walk()\n"
        assert playing.program(Reply(seen, "said this", "NameError: line 2", 58.0, False)) == "walk()\n"
        assert playing.program(reply(3, over=True)) is None
        first, second = server.requests
    for words in ("Walk to the lantern.", "`walk()`: 1 s", "first round", "Try it.", "Time left: 60.0 s"):
        assert words in first.text
    assert "You are told: Your lantern is the red one." in first.text
    assert [image[0, 0, 0] for image in first.images] == [0]
    for words in ("2 actions", "walker-002, at 2.0 s: A stone is in", "said this", "NameError", "58.0 s"):
        assert words in second.text
    assert [image[0, 0, 0] for image in second.images] == [0, 1, 2]
    assert all(image.shape == (18, 32, 3) for image in second.images)
    assert [message["role"] for message in second.body["messages"]] == ["system", "user", "assistant", "user"]
    assert playing.notes() == {"usage": {"prompt": 200, "completion": 40, "calls": 2, "estimated": 0}}


def test_a_long_program_is_shown_in_few_frames_with_the_last_one(tmp_path: Path) -> None:
    with serve([WALK]) as server:
        playing = seat(brief(tmp_path, server.url, frames=4), tmp_path)
        playing.program(reply(0))
        playing.program(reply(*range(1, 11)))
        shown = [int(image[0, 0, 0]) for image in server.requests[-1].images]
    assert shown == [0, 2, 5, 7, 10]
    assert "4 of the 10 frames follow" in server.requests[-1].text


@pytest.mark.parametrize("most", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 20])
def test_chosen_frames_are_in_order_without_repeats(most: int, count: int) -> None:
    chosen = choose(range(count), most)
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(most, count)
    assert not count or chosen[-1] == count - 1
    gaps = np.diff([-1, *chosen])
    assert not count or gaps.max() - gaps.min() <= 1


def test_an_inherited_playbook_is_in_the_prompt_as_a_claim(tmp_path: Path) -> None:
    note = Note("p2", 1, "walking", "stones", "the lantern moves?", "turn first")
    with serve([WALK]) as server:
        of = brief(tmp_path, server.url, playbook=Playbook((LESSON,), (note,)))
        seat(of, tmp_path).program(reply(0))
        text = server.requests[0].text
    for words in ("yellow-is-warm", "(tested, round 1, by p1)", "Turn until yellow", "the lantern moves?"):
        assert words in text
    assert "not the truth" in text


def test_an_answer_without_a_program_is_asked_for_once_more(tmp_path: Path) -> None:
    with serve(["I would walk.", WALK]) as server:
        playing = seat(brief(tmp_path, server.url), tmp_path)
        assert playing.program(reply(0)) == "walk()\n"
        assert "holds no complete block of Python" in server.requests[1].text
    with serve(["I would walk.", f"{WALK}\nor\n{WALK}", WALK]) as server:
        playing = seat(brief(tmp_path / "other", server.url), tmp_path / "other")
        with pytest.raises(ModelError, match="wrote no program: the answer holds 2 blocks"):
            playing.program(reply(0))
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    "fault", [Fault(body=b"<html>"), completion(""), completion("x", finish="length"), error(401, "who?")]
)
def test_no_failure_of_the_endpoint_becomes_a_move(tmp_path: Path, fault: Any) -> None:
    with serve([fault]) as server, pytest.raises(ModelError):
        seat(brief(tmp_path, server.url), tmp_path).program(reply(0))


def test_a_game_without_any_action_is_an_error(tmp_path: Path) -> None:
    with serve([WALK]) as server:
        playing = seat(brief(tmp_path, server.url), tmp_path)
        playing.program(reply(0))
        with pytest.raises(ModelError, match="took no action as walker"):
            playing.program(reply(0, over=True))
        acting = seat(brief(tmp_path / "b", server.url), tmp_path / "b")
        acting.program(reply(0))
        assert acting.program(reply(1, over=True)) is None


def test_a_seat_rests_after_its_last_program(tmp_path: Path) -> None:
    with serve([WALK]) as server:
        playing = seat(brief(tmp_path, server.url, programs=2), tmp_path)
        answers = [playing.program(reply(number)) for number in range(4)]
        assert answers == ["walk()\n", "walk()\n", None, None]
        assert "Programs left: 1." in server.requests[1].text


def test_a_game_goes_on_from_its_tape(tmp_path: Path) -> None:
    with serve(["```python\nwalk()\n```", "```python\nturn()\n```", WALK]) as server:
        of = brief(tmp_path, server.url)
        one = seat(of, tmp_path)
        played = [one.program(reply(0)), one.program(reply(1))]
        two = seat(of, tmp_path)
        assert [two.program(reply(0)), two.program(reply(1))] == played == ["walk()\n", "turn()\n"]
        assert len(server.requests) == 2
    back = seat(brief(tmp_path, "http://127.0.0.1:9/v1", playback=True), tmp_path)
    assert [back.program(reply(0)), back.program(reply(1))] == played
    with pytest.raises(ModelError, match="ends before call 3"):
        back.program(reply(2))


def test_the_budget_of_a_run_is_one_for_all_its_games(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with serve([WALK]) as server:
        of = brief(tmp_path, server.url, tokens=2200, reply_tokens=100)
        one = LlmPlayer.seat(of, "walker", {}, seed=1, folder=str(tmp_path / "a"))
        two = LlmPlayer.seat(of, "walker", {}, seed=1, folder=str(tmp_path / "b"))
        one.program(reply(0))

        def spend(playing: Any) -> None:
            for number in range(20):
                playing.program(reply(number))

        with pytest.raises(ModelError, match="token budget is used up"):
            spend(two)
        with pytest.raises(ModelError, match="token budget is used up"):
            spend(one)
        assert spent(tmp_path).tokens == 120 * len(server.requests) <= 2200


def test_a_model_without_eyes_is_refused_or_told_in_words(tmp_path: Path) -> None:
    with serve([error(400, "image input is not supported")]) as server, pytest.raises(ModelError) as caught:
        seat(brief(tmp_path, server.url), tmp_path).program(reply(0))
    assert "--text-frames" in str(caught.value)
    picture = frame(90)
    picture[:9] = (120, 180, 240)
    picture[6:12, 20:26] = (250, 200, 20)
    view = dataclasses.replace(observation(0), draw=lambda: picture)
    with serve([WALK]) as server:
        playing = seat(brief(tmp_path / "b", server.url, text_frames=True), tmp_path / "b")
        playing.program(Reply((view,), "", "", 60.0, False))
        (request,) = server.requests
    assert request.images == []
    assert "- yellow: 72% from the left" in request.text


def test_the_key_is_in_no_file(tmp_path: Path) -> None:
    with serve([f"{WALK}\n# {KEY}"]) as server:
        seat(brief(tmp_path, server.url), tmp_path).program(reply(0))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(KEY.encode() in path.read_bytes() for path in files)


# --- settings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"api_key": "x"}, "no setting 'api_key'"),
        ({"frames": "six"}, "of type int"),
        ({"frames": 0}, "more than 0"),
        ({"timeout": True}, "of type float"),
        ({"cost": 1.0}, "needs prices"),
        ({"model": ""}, "No model is set"),
        ({"base_url": ""}, "No model endpoint is set"),
    ],
)
def test_unusable_settings_are_refused_before_any_game(
    tmp_path: Path, settings: dict[str, Any], words: str
) -> None:
    of = brief(tmp_path, "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=words):
        LlmPlayer(dataclasses.replace(of, settings={**of.settings, **settings}))


def test_resolved_settings_hold_the_environments_endpoint_but_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARTEN_LLM_BASE_URL", "http://here/v1")
    monkeypatch.setenv("GARTEN_LLM_MODEL", "seer")
    resolved = Settings.of({"frames": 3}).resolved()
    assert (resolved["base_url"], resolved["model"], resolved["frames"]) == ("http://here/v1", "seer", 3)
    assert Settings.of(resolved).resolved() == resolved
    assert KEY not in json.dumps(resolved)


# --- a round -----------------------------------------------------------------------------------


def game(number: int, score: float | None = 40.0) -> Review:
    name = f"r02-p1-g{number:02d}"
    taken = tuple(
        Taken("walker", Action("walk"), 20 * i, 20 * i + 20, "", f"{name}-walker-{i + 1:03d}")
        for i in range(12)
    )
    episode = Episode(
        world="meadow",
        version=1,
        seed=9,
        look="raw",
        size=(32, 18),
        taken=taken,
        submissions=(Submission("walker", "for _ in range(12):\n    walk()", 0, 12, "", ""),),
        ticks=240,
        terminated=False,
        truncated=True,
        score=None if score is None else Score(score, 60.0, {"reached": score}),
        state_hash="",
        error="" if score is not None else "The model endpoint cannot be reached.",
    )
    return Review(name, Plan(number), episode, lambda name: frame(int(name[-3:])))


def write(folder: Path, text: Any, games: Sequence[Review]) -> tuple[Any, Request]:
    with serve([text]) as server:
        player = LlmPlayer(brief(folder, server.url, playbook=Playbook((LESSON,))))
        player.review(games)
        return player.write(), server.requests[0]


GOOD = """
Looking back:

<lesson>
---
name: Walk far
description: "Walking on: it pays off"
status: Tested
evidence: [r02-p1-g00, r02-p1-g01-walker-012]
---
Walk twelve times:

```python
def far(count):
    for _ in range(count):
        walk()
```

Then look:

```python
walk()
```
</lesson>

<note>
---
tried: walking straight on
observed: |
  it reached the stone in r02-p1-g00: twice
  # and once not
doubts: whether 'stones' move
test_next: - turning
---
</note>
"""


def test_every_layout_gets_a_game_and_all_are_played_at_once(tmp_path: Path) -> None:
    player = LlmPlayer(brief(tmp_path, "http://127.0.0.1:9/v1"))
    assert [plan.layout for plan in player.propose(3)] == [0, 1, 0]
    assert [plan.layout for plan in player.propose(1)] == [1]
    assert player.best()["aim"] != player.propose(1)[0].data["aim"]


def test_a_review_shows_programs_frames_and_now_the_score(tmp_path: Path) -> None:
    _, request = write(tmp_path, GOOD, [game(0), game(1, score=None)])
    for words in (
        "Score 40.0 of 100 (reached 40.0)",
        "for _ in range(12)",
        "cannot be reached",
        "time limit",
    ):
        assert words in request.text
    assert len(request.images) == 24
    _, request = write(tmp_path / "more", GOOD, [game(number) for number in range(8)])
    assert len(request.images) == 32


def test_lessons_and_note_are_read(tmp_path: Path) -> None:
    writing, _ = write(tmp_path, GOOD, [game(0), game(1)])
    (lesson,) = writing.lessons
    assert (lesson.name, lesson.status, lesson.round, lesson.author) == ("walk-far", "tested", 2, "p1")
    assert (lesson.world, lesson.role) == ("meadow", "walkers")
    assert lesson.description == "Walking on: it pays off"
    assert lesson.evidence == ("r02-p1-g00", "r02-p1-g01-walker-012")
    assert lesson.code.startswith("def far(count):")
    assert lesson.code.count("walk()") == 1
    assert "Then look:" in lesson.body
    assert writing.note == Note(
        author="p1",
        round=2,
        tried="walking straight on",
        observed="it reached the stone in r02-p1-g00: twice\nand once not",
        doubts="whether 'stones' move",
        test_next="- turning",
    )


def lesson(**changes: str) -> str:
    front = {"name": "a-b", "description": "d", "status": "claim", "evidence": "r02-p1-g00", **changes}
    body = front.pop("body", "text")
    return "<lesson>\n---\n" + "".join(f"{k}: {v}\n" for k, v in front.items()) + f"---\n{body}\n</lesson>"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "../../escape"}, "needs a name of lower-case words"),
        ({"name": ""}, "needs a name"),
        ({"description": ""}, "needs a description"),
        ({"status": "proven"}, "has status 'proven'"),
        ({"status": "tested", "evidence": "none"}, "without evidence"),
        ({"evidence": "r02-p2-g00"}, "cites 'r02-p2-g00'"),
        ({"body": ""}, "needs a body"),
        ({"body": "```python\ndef walk():\n    pass\n```"}, "redefines walk"),
    ],
)
def test_a_malformed_lesson_is_refused_with_the_reason_and_the_others_stay(
    tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    text = lesson(**changes) + lesson(name="good") + "<note>\ndoubts: few\n</note>"
    writing, _ = write(tmp_path, text, [game(0)])
    assert [kept.name for kept in writing.lessons] == ["good"]
    assert writing.note.doubts.startswith("few\nRefused: ")
    assert reason in writing.note.doubts


def test_repeated_and_surplus_lessons_are_refused(tmp_path: Path) -> None:
    text = "".join(lesson(name=f"lesson-{letter}") for letter in "aabcdefg")
    writing, _ = write(tmp_path, text, [game(0)])
    assert [kept.name for kept in writing.lessons] == [f"lesson-{letter}" for letter in "abcde"]
    assert "'lesson-a' was written twice" in writing.note.doubts
    assert "'lesson-f' is one too many" in writing.note.doubts
    assert "The model wrote no note." in writing.note.doubts


def test_an_inherited_lesson_may_be_refuted_with_its_own_evidence(tmp_path: Path) -> None:
    text = lesson(name=LESSON.name, status="refuted", evidence="r01-p1-g00, r02-p1-g00-walker-003")
    writing, _ = write(tmp_path, text, [game(0)])
    assert [(kept.name, kept.status) for kept in writing.lessons] == [(LESSON.name, "refuted")]


@pytest.mark.parametrize("text", ["", "no tags at all", "<lesson></lesson><note></note>", "<lesson>---"])
def test_whatever_the_model_writes_the_round_goes_on(tmp_path: Path, text: str) -> None:
    writing, _ = write(tmp_path, text, [game(0)])
    assert writing.lessons == ()
    assert all(getattr(writing.note, name).strip() for name in ("tried", "observed", "doubts", "test_next"))


def test_a_review_that_cannot_be_had_now_can_be_had_later(tmp_path: Path) -> None:
    with serve([error(401, "expired"), GOOD]) as server:
        player = LlmPlayer(brief(tmp_path, server.url))
        player.review([game(0), game(1)])
        with pytest.raises(ModelError, match="answers 401"):
            player.write()
        assert len(player.write().lessons) == 1
