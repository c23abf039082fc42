"""The whole player over rounds of a made-up world whose scores are known."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

import garten.practice.players.search as package
from garten.practice.mapping import Lens
from garten.practice.percepts import Palette, color_word
from garten.practice.playbook import validate
from garten.practice.players import load_player
from garten.practice.players.search import PLAYER
from garten.practice.players.search.calibration import Size
from garten.practice.players.search.grammar import key_of
from garten.practice.players.search.knowledge import Knowledge
from garten.records import (
    ActionSpec,
    Brief,
    Episode,
    Lesson,
    Playbook,
    Review,
    Score,
    Submission,
    Task,
    Writing,
)

GREY, GREEN, RED, WHITE, BLUE = (90, 90, 90), (30, 160, 40), (220, 20, 20), (240, 240, 230), (20, 50, 220)
KNOWN = Knowledge(
    palette=Palette(((GREY,), (GREEN,), (RED,), (WHITE,), (BLUE,)), (0,)),
    lens=Lens(160, 90, 80.0, 0.5, sizes={2: 1.5, 3: 0.4}),
    sizes={2: Size(1.5, 20), 3: Size(0.4, 30)},
    shifts={2: (40, 1), 3: (40, 20)},
)
ROLES = ("left", "right")
ACTIONS = tuple(ActionSpec(name, 1.0, "") for name in ("wait", "forward", "turn_left", "turn_right"))
TASKS = {
    role: Task("toy", "Bring the white ones home.", role, "pair", (), ACTIONS, 60.0, (160, 90))
    for role in ROLES
}

Rule = Callable[[Mapping[str, Any]], float]
"""What one role's last step is worth, 0 to 100."""


def herding_like(step: Mapping[str, Any]) -> float:
    if step["do"] != "push" or step["a"] != list(WHITE) or step["towards"] != list(RED):
        return 0.0
    return max(0.0, 90.0 - 25.0 * abs(step["stand_off"] - 3.0) - 20.0 * abs(step["offset"] - 0.3))


def brief(number: int, name: str, playbook: Playbook, *, seed: int, games: int = 16) -> Brief:
    return Brief(name, number, TASKS, playbook, games, games, seed * 1000 + number * 10 + int(name[1:]))


def review(game: str, plan: Any, rule: Rule, rng: random.Random) -> Review:
    steps = plan.data["steps"]
    worth = fmean(rule(steps[role][-1]) for role in ROLES) if steps else 0.0
    value = max(0.0, min(100.0, worth + rng.gauss(0.0, 20.0))) if worth else 0.0
    if not worth and rng.random() < 0.02:
        value = 95.0  # luck
    episode = Episode(
        world="toy",
        version=1,
        seed=0,
        look="raw",
        size=(160, 90),
        taken=(),
        submissions=(Submission("left", "forward()", 0, 1, "", ""),),
        ticks=10,
        terminated=False,
        truncated=True,
        score=Score(value, value, {}, min(1.0, worth / 100.0)),
        state_hash="0",
        notes={role: KNOWN.to_data() for role in ROLES},
    )
    return Review(game, plan, episode, lambda observation: np.zeros((90, 160, 3), np.uint8))


def play_round(player: Any, given: Brief, rule: Rule, rng: random.Random) -> Writing:
    left, count = given.games, 0
    while left:
        plans = list(player.propose(left))
        assert 1 <= len(plans) <= left
        assert all(0 <= plan.layout < given.layouts for plan in plans)
        games = [f"r{given.round:02d}-{given.name}-g{count + index:02d}" for index in range(len(plans))]
        player.review([review(game, plan, rule, rng) for game, plan in zip(games, plans, strict=True)])
        left, count = left - len(plans), count + len(plans)
    return player.write()


def practise(rule: Rule, *, seed: int, rounds: int = 4) -> tuple[Playbook, list[float]]:
    """All rounds, passing lessons on as JSON would; what the best candidate after each round is worth."""
    rng = random.Random(seed)
    playbook, worth = Playbook(), []
    for number in range(1, rounds + 1):
        lessons: list[Lesson] = []
        for name in ("p1", "p2"):
            given = brief(number, name, playbook, seed=seed)
            writing = play_round(PLAYER(given), given, rule, rng)
            for lesson in writing.lessons:
                validate(lesson, [f"r{number:02d}-{name}-g{index:02d}" for index in range(given.games)])
                lessons.append(replace(lesson, data=json.loads(json.dumps(lesson.data))))
            assert len({lesson.name for lesson in writing.lessons}) == len(writing.lessons)
        playbook = Playbook((*playbook.lessons, *lessons))
        best = PLAYER(brief(number + 1, "p9", playbook, seed=seed)).best()["steps"]
        worth.append(fmean(rule(best[role][-1]) for role in ROLES))
    return playbook, worth


def test_it_is_found_by_its_kind() -> None:
    assert load_player("search") is PLAYER


def test_over_rounds_it_finds_the_good_skill_and_not_a_lucky_one() -> None:
    """Lucky candidates are worth 0 here, a good skill with poor numbers 20 to 40, the best 90."""
    last = [practise(herding_like, seed=seed, rounds=3)[1][-1] for seed in range(2)]
    assert min(last) > 40.0
    assert fmean(last) > 55.0


def test_the_same_brief_and_reviews_give_the_same_lessons() -> None:
    first, again = (practise(herding_like, seed=3, rounds=2)[0] for _ in range(2))
    assert first == again


def test_players_of_one_round_explore_differently() -> None:
    tried = []
    for name in ("p1", "p2"):
        given = brief(1, name, Playbook(), seed=0)
        writing = play_round(PLAYER(given), given, lambda step: 0.0, random.Random(0))
        entries = [entry for one in writing.lessons for entry in one.data.get("candidates", ())]
        tried.append({key_of(entry["roles"]) for entry in entries})
    assert all(tried)
    assert len(tried[0] & tried[1]) <= 2


def test_malformed_lessons_are_doubted_and_ignored() -> None:
    good, _ = practise(herding_like, seed=1, rounds=1)
    broken = [
        {"kind": "search-skill"},
        {"kind": "search-skill", "candidates": [{"roles": {"left": 3}, "games": []}]},
        {"kind": "search-failed", "candidates": [{"roles": {}, "games": [1]}]},
        {"kind": "search-surroundings", "knowledge": {"palette": {"shades": [], "backdrop": [7]}}},
        {"kind": "search-surroundings", "knowledge": None},
        {"kind": ["search-skill"]},
    ]
    lessons = tuple(
        replace(good.lessons[0], name=f"broken-{index}", data=data) for index, data in enumerate(broken)
    )
    given = brief(2, "p1", Playbook((*good.lessons, *lessons)), seed=1)
    writing = play_round(PLAYER(given), given, herding_like, random.Random(0))
    for index in range(5):
        assert f"broken-{index}" in writing.note.doubts
    assert writing.lessons


def test_notes_of_a_seat_that_cannot_be_read_are_doubted() -> None:
    given = brief(1, "p1", Playbook(), seed=0, games=3)
    player = PLAYER(given)
    plans = player.propose(3)
    game = review("r01-p1-g00", plans[0], herding_like, random.Random(0))
    player.review([replace(game, episode=replace(game.episode, notes={"left": {"palette": 3}}))])
    assert player.propose(2)
    assert "r01-p1-g00" in player.write().note.doubts


def test_a_game_that_ended_in_an_error_is_no_evidence() -> None:
    given = brief(1, "p1", Playbook(), seed=0)
    player = PLAYER(given)
    survey = player.propose(12)
    player.review([review("r01-p1-g00", survey[0], herding_like, random.Random(0))])
    plan = player.propose(11)[0]
    game = review("r01-p1-g01", plan, herding_like, random.Random(0))
    player.review([replace(game, episode=replace(game.episode, score=None, error="broke"))])
    assert "r01-p1-g01" in player.write().note.doubts


def test_best_without_lessons_is_a_survey_and_seats_are_made_from_plans() -> None:
    given = brief(1, "p1", Playbook(), seed=0)
    data = json.loads(json.dumps(PLAYER(given).best()))
    assert data["steps"] == {}
    seat = PLAYER.seat(given, "left", data, seed=1, folder="")
    assert Knowledge.from_data(seat.notes()) == Knowledge()


def test_lessons_read_well() -> None:
    playbook, _ = practise(herding_like, seed=0, rounds=1)
    skills = [one for one in playbook.lessons if one.data["kind"] == "search-skill"]
    assert skills
    for lesson in skills:
        assert "white" in lesson.body or "white" not in lesson.name
        assert "| game | layout | score | progress |" in lesson.body
        assert lesson.evidence
    surroundings = [one for one in playbook.lessons if one.data["kind"] == "search-surroundings"]
    assert f"| {color_word(RED)} (220, 20, 20) | 1.50 | no (" in surroundings[0].body
    assert "| white (240, 240, 230) | 0.40 | yes (" in surroundings[0].body


@pytest.mark.parametrize("word", ["sheep", "dog", "herd", "bridge", "car", "pen", "gate", "garten.worlds"])
def test_the_source_names_no_world(word: str) -> None:
    root = Path(package.__file__).parent
    files = [*root.glob("*.py"), root.parents[1] / "percepts.py", root.parents[1] / "mapping.py"]
    for file in files:
        assert not re.search(rf"\b{word}s?\b", file.read_text(encoding="utf-8").lower()), file.name
