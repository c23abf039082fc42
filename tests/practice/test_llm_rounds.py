"""A scripted vision endpoint practises in rounds: what it wrote in one round makes it better in the next.

The endpoint decodes the pictures it is sent. It knows how to walk up to something yellow, but does so only
where its prompt holds the lesson that it wrote itself after round 1; without it, it walks straight on.
"""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from chat_server import PATIENCE, ChatServer, Reply, Request, error, serve
from garten.episodes.reshoot import frame_of
from garten.errors import GartenError
from garten.llm.tape import spent
from garten.practice.playbook import read_playbook
from garten.practice.results import RoundResult
from garten.practice.rounds import Asked, practise
from garten.records import Episode, Frame
from garten.runs.codec import from_json, to_json
from garten.runs.resume import begin
from garten.worlds.find import load
from support import same_run

LANTERN = str(Path(__file__).parents[2] / "examples" / "worlds" / "lantern")
KEY = "sk-very-secret-4711"
SECRET = "The way to the light begins with looking for it."
LESSON = f"""<lesson>
---
name: walk-to-the-light
description: Find the yellow light and walk up to it.
status: claim
evidence: GAME
---
{SECRET}

```python
def stride(count):
    for _ in range(count):
        walk()
```
</lesson>
<note>
---
tried: walking straight on
observed: nothing came of it in GAME
doubts: whether the light can be seen from everywhere
test_next: turning to the light first
---
</note>"""


def vision(request: Request) -> Reply:
    """The endpoint's mind."""
    if "<lesson>" in request.text:
        found = re.search(r"^# Game (\S+)", request.text, re.MULTILINE)
        assert found
        return LESSON.replace("GAME", found[1])
    if SECRET not in request.text:
        return "```python\nfor _ in range(8):\n    walk()\n```"
    return f"I see.\n```python\n{approach(request.images[-1], request.body['messages'])}\n```"


def approach(frame: Frame, said: list[Any]) -> str:
    """A program that turns to the yellow light, or looks elsewhere; it uses the lesson's function."""
    red, green, blue = (frame[..., channel].astype(int) for channel in range(3))
    yellow = (red > 150) & (green > 110) & (blue < 0.5 * green) & (red > green)
    if "A stone is in your way" in json.dumps(said[-1]) and "step aside" not in said[-2]["content"]:
        return f"# step aside\nturn(left={1 if len(said) % 8 < 4 else -1})\nstride(2)"
    if not yellow.any():
        return "turn(left=1)"
    _, width = yellow.shape
    column = np.nonzero(yellow)[1].mean() + 0.5
    bearing = math.degrees(math.atan((0.5 * width - column) / (0.5 * width)))  # 90 degrees across
    return f"turn(left={bearing / 90.0:.4f})\nstride(3)"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARTEN_LLM_API_KEY", KEY)


def asked(server: ChatServer, **changes: Any) -> Asked:
    options: dict[str, Any] = {
        "world": LANTERN,
        "player": "llm",
        "rounds": 2,
        "players": 1,
        "games": 3,
        "held_out": 1,
        "size": (96, 54),
        "settings": {"base_url": server.url, "model": "scripted", "programs": 24},
    }
    return Asked(**{**options, **changes})


def run(path: Path, what: Asked, *, resume: bool = False) -> tuple[RoundResult, ...]:
    with begin(path, to_json(what), seeds=[what.seed], kind="practice", resume=resume) as writer:
        return practise(what, writer, workers=1)


def test_a_model_plays_better_with_the_lesson_it_wrote(tmp_path: Path) -> None:
    with serve(vision) as server:
        first, second = run(tmp_path / "run", asked(server))
        requests = server.requests
    scores = [fmean(game.score for game in result.games) for result in (first, second)]
    assert scores[0] < 40.0
    assert scores[1] > 50.0
    assert first.held_out[0].score > 80.0  # held-out players inherit the round's own lesson
    playing = [request for request in requests if "<lesson>" not in request.text]
    assert any(SECRET in request.text for request in playing)
    (lesson,) = read_playbook(tmp_path / "run" / "rounds" / "01" / "playbooks" / "walker").lessons
    assert (lesson.evidence, lesson.code[:11]) == (("r01-p1-g00",), "def stride(")
    opening = frame_of_run(tmp_path / "run", "r01-p1-g00", "r01-p1-g00-walker-000")
    assert np.array_equal(playing[0].images[0], opening)
    assert opening.shape == (54, 96, 3)
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert spent(tmp_path / "run").calls == len(requests)


def frame_of_run(run_folder: Path, game: str, observation: str) -> Frame:
    stored = json.loads((run_folder / "rounds" / "01" / "episodes" / game / "episode.json").read_text())
    return frame_of(from_json(Episode, stored), observation, name=game, world=load(LANTERN)())


def test_failed_games_are_errors_without_a_score_and_the_rest_goes_on(tmp_path: Path) -> None:
    def script(request: Request) -> Reply:
        first_game = "This is game 1 of 3" in request.text
        return error(400, "context too long") if first_game and len(request.images) > 1 else vision(request)

    with serve(script) as server:
        (result,) = run(tmp_path / "run", asked(server, rounds=1))
    failed, *others = result.games
    assert failed.score is None
    assert "answers 400 (context too long)" in failed.error
    assert all(game.score is not None for game in others)


def test_a_dead_endpoint_stops_the_run_in_one_sentence(tmp_path: Path) -> None:
    with serve([error(401, "unknown key")]) as server, pytest.raises(GartenError) as caught:
        run(tmp_path / "run", asked(server))
    assert "answers 401 (unknown key); check the key in GARTEN_LLM_API_KEY" in str(caught.value)
    assert "--resume" in str(caught.value)


PRACTISE = """
import sys
from pathlib import Path
from garten.practice.rounds import Asked, practise
from garten.runs.codec import from_json
from garten.runs.resume import begin
import json
if __name__ == "__main__":
    what = json.loads(sys.argv[2])
    with begin(Path(sys.argv[1]), what, seeds=[0], kind="practice", resume=True) as writer:
        practise(from_json(Asked, what), writer, workers=1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("killed_at", [1, 7, 14, 26, 30])
def test_a_killed_run_ends_as_an_uninterrupted_one(tmp_path: Path, killed_at: int) -> None:
    asked_so_far, alive = threading.Event(), threading.Event()

    def script(request: Request) -> Reply:
        if len(server.requests) == killed_at and not alive.is_set():
            asked_so_far.set()
            alive.wait(PATIENCE)
        return vision(request)

    with serve(script) as server:
        what = asked(server)
        command = [sys.executable, "-c", PRACTISE, str(tmp_path / "run"), json.dumps(to_json(what))]
        with begin(tmp_path / "run", to_json(what), seeds=[0], kind="practice"):
            pass
        with subprocess.Popen(command) as process:
            assert asked_so_far.wait(60.0)
            process.send_signal(signal.SIGKILL)
        alive.set()
        subprocess.run(command, check=True)
        once = len(server.requests)
        run(tmp_path / "whole", what)
        assert len(server.requests) - once == once - 1  # only the call in flight was made twice
    assert same_run(tmp_path / "run", tmp_path / "whole") == []
