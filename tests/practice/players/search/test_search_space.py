"""The space of candidates, what is believed about them, and the choice between lucky and good."""

from __future__ import annotations

import json
import random

import pytest

from garten.practice.players.search.belief import Belief, hopeful, trusted
from garten.practice.players.search.evidence import Evidence, Outcome
from garten.practice.players.search.grammar import Candidate, Space, key_of, read_candidate

RED, WHITE, BLUE = (220, 20, 20), (240, 240, 230), (20, 50, 220)
ROLES = ("left", "right")
COLORS = {RED: 1.0, WHITE: 1.0, BLUE: 1.0}
SPACE = Space(ROLES, COLORS, {WHITE: 4.0, RED: 1.0, BLUE: 1.0}, ("wait",), steers=True)


def push(stand_off: float = 3.0, a: tuple[int, int, int] = WHITE) -> Candidate:
    step = {
        "do": "push", "a": list(a), "towards": list(RED), "how": "at", "mark": "middle",
        "beyond": 1.0, "stand_off": stand_off, "press": 1.5, "offset": 0.3,
    }  # fmt: skip
    return {role: [dict(step)] for role in ROLES}


def go_to(color: tuple[int, int, int]) -> Candidate:
    return {role: [{"do": "go_to", "a": list(color), "at": 1.0}] for role in ROLES}


def outcome(game: str, score: float, layout: int = 0, progress: float = 0.0) -> Outcome:
    return Outcome(game, 1, layout, score, progress)


def test_drawn_and_varied_candidates_are_valid_and_differ() -> None:
    rng = random.Random(0)
    keys = set()
    for _ in range(300):
        candidate = SPACE.draw(rng)
        child = SPACE.vary(candidate, rng)
        for one in (candidate, child):
            assert read_candidate(json.loads(json.dumps(one)), ROLES) == one
            keys.add(key_of(one))
    assert len(keys) > 300


def test_without_walking_only_plain_actions_are_drawn() -> None:
    space = Space(("you",), {}, {}, ("offer", "wait"), steers=False)
    rng = random.Random(1)
    for _ in range(50):
        candidate = space.vary(space.draw(rng), rng)
        assert {step["do"] for step in candidate["you"]} <= {"act"}
    nothing = Space(("you",), {}, {}, (), steers=False).draw(rng)
    assert nothing["you"][0]["do"] == "look_round"


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"left": [], "right": []},
        {"left": [{"do": "fly"}], "right": [{"do": "look_round"}]},
        {"left": [{"do": "go_to"}], "right": [{"do": "look_round"}]},
        {"left": [{"do": "go_to", "a": [1, 2], "at": 1.0}], "right": [{"do": "look_round"}]},
        {"left": [{"do": "go_to", "a": [1, 2, 3], "at": True}], "right": [{"do": "look_round"}]},
        {"left": [{"do": "go_to", "a": [1, 2, 3], "at": 99.0}], "right": [{"do": "look_round"}]},
        {"left": [{"do": "look_round", "until": {"moon": 1}}], "right": [{"do": "look_round"}]},
        {"left": [{"do": ["go_to"]}], "right": [{"do": "look_round"}]},
    ],
)
def test_data_that_is_no_candidate_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"step|role|steps|skill|colour|parameter|condition"):
        read_candidate(data, ROLES)


def test_several_good_games_are_trusted_above_one_lucky_one() -> None:
    evidence = Evidence()
    evidence.add(go_to(BLUE), [outcome("g0", 90.0)])
    evidence.add(go_to(RED), [outcome("g1", 0.0)])
    evidence.add(push(), [outcome(f"g{n}", 70.0, layout=n) for n in range(2, 7)])
    best = trusted(Belief(evidence.played), evidence.records, caution=0.5)[0]
    assert best.candidate == push()


def test_games_of_a_family_tell_about_all_its_members() -> None:
    evidence = Evidence()
    evidence.add(push(2.0), [outcome(f"a{n}", 80.0, layout=n) for n in range(3)])
    mean, spread = Belief(evidence.played).expect([push(2.5), go_to(BLUE)])
    assert mean[0] > 40.0 > mean[1]
    assert spread[0] < spread[1]


def test_hard_layouts_do_not_count_against_a_candidate() -> None:
    evidence = Evidence()
    evidence.add(push(2.0), [outcome("a", 90.0, layout=0), outcome("b", 20.0, layout=1)])
    evidence.add(push(5.0), [outcome("c", 40.0, layout=1)])
    mean, _ = Belief(evidence.played).expect([push(2.0), push(5.0)])
    alone = Evidence()
    alone.add(push(5.0), [outcome("c", 40.0, layout=1)])
    assert mean[1] > Belief(alone.played).expect([push(5.0)])[0][0]


def test_unlike_candidates_are_chosen_before_like_ones() -> None:
    evidence = Evidence()
    evidence.add(go_to(RED), [outcome("a", 0.0)])
    chosen = hopeful(Belief(evidence.played), [push(2.0), push(2.5), go_to(BLUE)], 2, boldness=1.0)
    assert go_to(BLUE) in chosen


def test_status_needs_games_and_refutes_what_never_scored() -> None:
    evidence = Evidence()
    evidence.add(go_to(RED), [outcome("a", 0.0), outcome("b", 0.0, layout=1)])
    evidence.add(go_to(BLUE), [outcome("c", 90.0)])
    evidence.add(push(), [outcome(f"d{n}", 85.0, layout=n) for n in range(4)])
    status = {record.candidate["left"][0]["do"]: evidence.status(record) for record in evidence.played[:0]}
    for record in evidence.played:
        status[key_of(record.candidate)] = evidence.status(record)
    assert status[key_of(go_to(RED))] == "refuted"
    assert status[key_of(go_to(BLUE))] == "claim"
    assert status[key_of(push())] == "tested"


def test_a_game_counts_once_however_often_it_is_told() -> None:
    evidence = Evidence()
    for _ in range(3):
        evidence.add(push(), [outcome("a", 50.0)])
    assert len(evidence.records[key_of(push())].outcomes) == 1
