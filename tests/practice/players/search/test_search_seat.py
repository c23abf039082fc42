"""A seat in a painted place: it surveys, looks, and writes programs that run."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pytest
from tests.practice.painter import BLUE, HEIGHT, RED, WHITE, WIDTH, Post, paint

from garten.practice.percepts import color_word
from garten.practice.players.search.knowledge import Knowledge, merge
from garten.practice.players.search.seat import SearchSeat
from garten.records import ActionSpec, Argument, Frame, Observation, Reply, Task

ACTIONS = tuple(
    ActionSpec(name, 1.0, "") for name in ("wait", "forward", "backward", "turn_left", "turn_right")
)
POSTS = [
    Post(6, 1, RED, 1.4),
    Post(4, 5, BLUE),
    Post(-2, 7, WHITE, 1.2),
    Post(-7, -1, BLUE),
    Post(3, -6, WHITE),
]


def task(*names: str) -> Task:
    actions = tuple(ActionSpec(name, 1.0, "") for name in names) or ACTIONS
    return Task("toy", "A red post.", "left", "pair", ("right",), actions, 60.0, (WIDTH, HEIGHT))


@dataclass
class Place:
    """Runs a seat's programs on painted posts: one stride forward, 30 degrees a turn."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    time: float = 0.0
    frames: int = 0
    taken: list[str] = field(default_factory=list)

    def observe(self) -> Observation:
        x, y, heading = self.x, self.y, self.heading

        def draw() -> Frame:
            self.frames += 1
            return paint(POSTS, x, y, heading)

        return Observation("o", "left", self.time, "", draw)

    def act(self, call: str) -> Observation:
        step = {"forward()": 1.0, "backward()": -1.0}.get(call, 0.0)
        self.heading += math.radians({"turn_left()": 30.0, "turn_right()": -30.0}.get(call, 0.0))
        self.x, self.y = self.x + step * math.cos(self.heading), self.y + step * math.sin(self.heading)
        self.time += 1.0
        self.taken.append(call)
        return self.observe()

    def play(self, seat: SearchSeat, seconds: float = 60.0) -> None:
        reply = Reply((self.observe(),), "", "", seconds, False)
        while not reply.over:
            source = seat.program(reply)
            assert source is not None
            assert source.startswith("# ")
            calls: list[str] = []
            names = {name: partial(calls.append, f"{name}()") for name in self._names}
            exec(compile(ast.parse(source), "program", "exec"), dict(names))
            assert calls
            seen = tuple(self.act(call) for call in calls[: math.ceil(seconds - self.time)])
            over = self.time >= seconds
            reply = Reply(seen, "", "", seconds - self.time, over)
        assert seat.program(reply) is None

    _names: tuple[str, ...] = tuple(spec.name for spec in ACTIONS)


@pytest.fixture(scope="module")
def surveyed() -> Knowledge:
    seat, place = SearchSeat(task(), Knowledge(), []), Place()
    place.play(seat)
    return Knowledge.from_data(seat.notes())


def test_a_survey_finds_palette_lens_and_sizes(surveyed: Knowledge) -> None:
    assert surveyed.palette is not None
    assert {color_word(surveyed.palette.colors[index]) for index in surveyed.palette.things} == {
        "red", "white", "blue",
    }  # fmt: skip
    assert surveyed.lens is not None
    assert math.degrees(surveyed.lens.turn) == pytest.approx(30.0)
    red = surveyed.palette.nearest(RED)
    assert red is not None
    assert surveyed.sizes[red].strides == pytest.approx(1.4, rel=0.2)


def test_with_it_a_seat_gets_where_its_skill_leads(surveyed: Knowledge) -> None:
    seat, place = SearchSeat(task(), surveyed, [{"do": "go_to", "a": list(RED), "at": 1.0}]), Place()
    place.play(seat, 30.0)
    assert math.dist((place.x, place.y), (6, 1)) < 2.2
    assert place.frames < len(place.taken)  # frames inside a program stay undrawn


def test_steps_follow_each_other_and_go_round_when_the_last_one_ends(surveyed: Knowledge) -> None:
    steps = [
        {"do": "act", "action": "wait", "until": {"seconds": 3.0}},
        {"do": "act", "action": "forward", "until": {"seconds": 3.0}},
    ]
    place = Place()
    place.play(SearchSeat(task(), surveyed, steps), 12.0)
    assert place.taken == (["wait()"] * 3 + ["forward()"] * 3) * 2


def test_the_same_replies_give_the_same_programs_and_notes(surveyed: Knowledge) -> None:
    runs = []
    for _ in range(2):
        seat, place = SearchSeat(task(), surveyed, [{"do": "follow", "a": list(BLUE), "at": 2.0}]), Place()
        place.play(seat, 20.0)
        runs.append((place.taken, dict(seat.notes())))
    assert runs[0] == runs[1]


def test_a_world_without_walking_is_surveyed_and_played() -> None:
    place = Place(_names=("sing", "pause"))
    seat = SearchSeat(task("sing", "pause"), Knowledge(), [])
    place.play(seat, 10.0)
    assert len(place.taken) == 10
    assert Knowledge.from_data(seat.notes()).lens is None


def test_knowledge_of_several_games_merges_by_colour(surveyed: Knowledge) -> None:
    both = merge([surveyed, surveyed])
    assert both.palette == surveyed.palette
    assert {color: size.strides for color, size in both.sizes.items()} == {
        color: size.strides for color, size in surveyed.sizes.items()
    }
    assert merge([Knowledge()]) == Knowledge()


def test_without_steps_a_seat_looks_round_and_waits(surveyed: Knowledge) -> None:
    place = Place()
    place.play(SearchSeat(task(), surveyed, []), 15.0)
    assert place.taken == ["turn_left()"] * 12 + ["wait()"] * 3


def test_frames_of_noise_do_not_break_a_seat() -> None:
    rng = np.random.default_rng(0)
    seat = SearchSeat(task(), Knowledge(), [])
    frame = rng.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    seen = tuple(Observation("o", "left", float(t), "", lambda: frame) for t in range(13))
    assert seat.program(Reply(seen[:1], "", "", 60.0, False))
    assert seat.program(Reply(seen[1:], "", "", 48.0, False))


def test_what_is_said_is_one_line_and_was_said_at_least_once() -> None:
    known = Knowledge(told={"Two\nlines.": 2}).to_data()
    assert Knowledge.from_data(known).told == {"Two lines.": 2}
    with pytest.raises(ValueError, match="less than once"):
        Knowledge.from_data({**known, "told": {"Never.": 0}})


def test_an_action_with_numbers_is_varied_until_it_is_known_what_they_move() -> None:
    """A red block stands where the number says; the blue ground and the seat's own white edge stay."""

    def draw(share: float) -> Frame:
        frame = np.full((HEIGHT, WIDTH, 3), BLUE, np.uint8)
        frame[:, :8] = WHITE
        left = round(WIDTH * (0.3 + 0.4 * share))
        frame[HEIGHT // 2 : HEIGHT // 2 + 12, left - 6 : left + 6] = RED
        return frame

    aim = Argument("aim", "float", -1.0, 1.0, None, "")
    shoot = ActionSpec("shoot", 2.0, "", (), (aim,))
    one = Task("toy", "", "left", "pair", (), (shoot,), 60.0, (WIDTH, HEIGHT))
    seat = SearchSeat(one, Knowledge(), [])
    reply = Reply((Observation("o", "left", 0.0, "", partial(draw, 0.5)),), "", "", 60.0, False)
    calls = 0
    while (program := seat.program(reply)) is not None:
        calls += 1
        aimed = float(program.splitlines()[1].partition("=")[2].rstrip(")"))
        share = 0.5 * (aimed + 1.0)
        seen = Observation("o", "left", 2.0 * calls, "Shot.", partial(draw, share))
        reply = Reply((seen,), "", "", 60.0 - 2.0 * calls, False)
    assert calls == 20
    known = Knowledge.from_data(seat.notes())
    assert known.told == {"Shot.": 20}
    assert known.palette is not None
    moved = {known.palette.colors[effect.color] for effect in known.effects}
    assert len(moved) == 1
    assert color_word(moved.pop()) == "red"
    for effect in known.effects:
        assert effect.slope == pytest.approx(0.4, rel=0.1)
        assert effect.carry == pytest.approx(0.0, abs=0.2)
