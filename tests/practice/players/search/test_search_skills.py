"""Skills lead where they say, seen on maps made by hand, and become valid programs."""

from __future__ import annotations

import ast
import math

import pytest

from garten.practice.mapping import EgoMap, Lens, Track
from garten.practice.percepts import Palette
from garten.practice.players.search.motor import Motor, Move, read_motor
from garten.practice.players.search.skills import Sense, next_moves, until_met, walk_to
from garten.records import ActionSpec

RED, WHITE = (220, 20, 20), (240, 240, 230)
PALETTE = Palette(((RED,), (WHITE,)), ())
MOTOR = read_motor(
    [ActionSpec(n, 1.0, "") for n in ("wait", "forward", "backward", "turn_left", "turn_right", "sing")]
)
PUSH = {
    "do": "push", "a": list(WHITE), "towards": list(RED), "how": "at", "mark": "middle",
    "beyond": 0.0, "stand_off": 3.0, "press": 1.0, "offset": 0.0,
}  # fmt: skip


def sense_of(*things: tuple[int, float, float], motor: Motor = MOTOR) -> Sense:
    here = EgoMap(Lens(160, 90, 80.0, math.radians(30.0)))
    here.tracks = [Track(color, x, y, seen=0.0, spread=0.1, looks=5) for color, x, y in things]
    return Sense(here, PALETTE, motor)


def follow_moves(sense: Sense, moves: list[Move]) -> None:
    for move in moves:
        if move.turn:
            sense.map.turn(move.turn * sense.map.lens.turn)
        if move.walk:
            sense.map.walk(move.walk)
        sense.now += move.seconds


def play(skill: dict[str, object], sense: Sense, programs: int) -> list[tuple[float, float]]:
    """The places a skill goes through when nothing else moves and everything stays in mind."""
    path = []
    for _ in range(programs):
        moves = next_moves(skill, sense)
        assert moves
        ast.parse("\n".join(move.call for move in moves))
        follow_moves(sense, moves)
        for track in sense.map.tracks:
            track.seen = sense.now
        path.append((sense.map.x, sense.map.y))
    return path


@pytest.mark.parametrize("place", [(8.0, 3.0), (-6.0, 5.0), (0.0, -7.0)])
def test_go_to_gets_there_and_stays(place: tuple[float, float]) -> None:
    path = play({"do": "go_to", "a": list(RED), "at": 1.0}, sense_of((0, *place)), 15)
    assert math.dist(path[-1], place) < 2.2
    assert path[-1] == pytest.approx(path[-2])


def test_avoid_walks_away_until_far_enough() -> None:
    path = play({"do": "avoid", "a": list(RED), "at": 4.0}, sense_of((0, 1.5, 0.5)), 12)
    assert math.dist(path[-1], (1.5, 0.5)) > 3.9


def test_follow_keeps_its_distance_from_both_sides() -> None:
    skill = {"do": "follow", "a": list(RED), "at": 3.0}
    assert math.dist(play(skill, sense_of((0, 9.0, 0.0)), 12)[-1], (9.0, 0.0)) == pytest.approx(3.0, abs=1.2)
    assert math.dist(play(skill, sense_of((0, 1.0, 0.0)), 12)[-1], (1.0, 0.0)) >= 1.8


def test_between_stands_between() -> None:
    skill = {"do": "between", "a": list(RED), "b": list(WHITE)}
    path = play(skill, sense_of((0, 6.0, 6.0), (1, 6.0, -6.0)), 15)
    assert math.dist(path[-1], (6.0, 0.0)) < 1.5


def test_push_goes_round_and_ends_behind() -> None:
    """The thing stands between player and goal's far side: the way behind it leads round it."""
    thing, goal = (6.0, 0.0), (0.0, 0.0)
    sense = sense_of((1, *thing), (0, *goal))
    sense.map.x, sense.map.y = 1.0, 1.0
    path = play(PUSH, sense, 20)
    assert min(math.dist(place, thing) for place in path[:-8]) > 1.4
    x, y = path[-1]
    assert x > 6.0
    assert abs(math.atan2(y, x - 6.0)) < 0.7


def test_push_holds_still_once_all_have_arrived() -> None:
    sense = sense_of((1, 6.3, 0.0), (0, 6.0, 0.0))
    assert math.dist(play(PUSH, sense, 8)[-1], (0.0, 0.0)) < 0.1


def test_push_through_a_gap_aims_at_its_front_first() -> None:
    skill = {**PUSH, "how": "through", "beyond": 2.0}
    sense = sense_of((0, 10.0, 1.0), (0, 10.0, -1.0), (1, 8.0, 6.0))
    path = play(skill, sense, 20)
    assert path[-1][1] > 6.0  # aside of the gap: it is pushed before the gap, not at a post


def test_what_is_unknown_is_searched_for_all_round() -> None:
    sense = sense_of()
    turned = 0
    for _ in range(8):
        moves = next_moves({"do": "go_to", "a": list(RED), "at": 1.0}, sense)
        turned += sum(abs(move.turn) for move in moves)
        follow_moves(sense, moves)
    assert turned >= 12
    assert sense.map.x or sense.map.y


def test_a_closed_way_is_walked_round() -> None:
    sense = sense_of()
    sense.map.bump(1.0)
    moves = walk_to(sense, (6.0, 0.0))
    assert moves[0].turn != 0


def test_plain_actions_and_motors_that_lack_everything() -> None:
    sense = sense_of()
    assert next_moves({"do": "act", "action": "sing"}, sense) == [MOTOR.named("sing")]
    bare = read_motor([ActionSpec("sing", 1.0, "")])
    for skill in (PUSH, {"do": "look_round"}, {"do": "go_to", "a": list(RED), "at": 1.0}):
        moves = next_moves(skill, sense_of((0, 3.0, 0.0), (1, 5.0, 1.0), motor=bare))
        assert moves == [Move("sing()", 1.0)]


def test_conditions() -> None:
    sense = sense_of((0, 1.0, 0.0))
    sense.now = 5.0
    assert until_met({"seconds": 5.0}, sense, since=0.0)
    assert not until_met({"seconds": 6.0}, sense, since=0.0)
    assert until_met({"near": list(RED)}, sense, since=5.0)
    assert not until_met({"near": list(WHITE)}, sense, since=5.0)
    assert until_met({"lost": list(RED)}, sense, since=0.0)
    sense.map.tracks[0].seen = 5.0
    assert until_met({"sees": list(RED)}, sense, since=0.0)
