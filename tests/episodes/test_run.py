"""Playing an episode: pure, multi-role, cut by the limit, ended by errors, drawn only when read."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from garten.episodes.run import play
from garten.errors import ModelError, ProgramError, WorldError
from garten.records import Action, Submission
from garten.runs.codec import dump, from_json
from garten.worlds.find import load

ROOT = Path(__file__).parents[2]
Toy = load(ROOT / "tests" / "worlds" / "toy.py")
Lantern = load(ROOT / "examples" / "worlds" / "lantern")
PUSH, SHOVE = Action("push"), Action("shove")
SIZE = (8, 5)


class Flat:
    """A look that shows where the first shape is, and counts how often it is asked."""

    name = "flat"

    def __init__(self):
        self.drawn = 0

    def frame(self, moment, camera, *, role, width, height):
        self.drawn += 1
        shade = int(abs(moment.scene.positions[0, 0]) * 100) % 256
        return np.full((height, width, 3), shade, np.uint8)


class Telling(Toy):
    """Counts what its roles do, for reports."""

    def strategies(self):
        return {"rolled": self.ticks}


class Script:
    """An agent that plays a list of actions, then rests; it keeps the observations it got."""

    def __init__(self, *actions, read=False):
        self.actions = list(actions)
        self.read = read
        self.seen = []
        self.lefts = []
        self.last = None

    def act(self, observation, *, time_left):
        self.seen.append(observation)
        self.lefts.append(time_left)
        if self.read:
            assert observation.frame.dtype == np.uint8
        action = self.actions.pop(0) if self.actions else None
        if isinstance(action, Exception):
            raise action
        return action

    def finish(self, observation):
        assert self.last is None
        self.last = observation


def run(zed, amy, **options):
    options = {"seed": 4, "look": Flat(), "size": SIZE, "name": "g"} | options
    return play(Toy(), {"zed": zed, "amy": amy}, **options)


def wander(rng):
    return Script(
        *(rng.choice([PUSH, SHOVE, Action("drive", {"speed": float(rng.uniform(-1, 1))})]) for _ in range(9))
    )


def test_same_inputs_give_the_same_record():
    def once():
        rng = np.random.default_rng(0)
        return dump(run(wander(rng), wander(rng)))

    assert once() == once()


def test_reading_frames_changes_nothing_and_frames_are_drawn_only_when_read():
    looks = Flat(), Flat()
    quiet, curious = Script(PUSH, SHOVE), Script(PUSH, SHOVE, read=True)
    assert run(quiet, Script(), look=looks[0]) == run(curious, Script(), look=looks[1])
    assert (looks[0].drawn, looks[1].drawn) == (0, 3)
    frame = quiet.seen[0].frame
    assert looks[0].drawn == 1
    assert frame is quiet.seen[0].frame
    assert frame.shape == (5, 8, 3)


def test_a_frame_shows_the_moment_it_belongs_to_however_late_it_is_read():
    late, prompt = (Script(*[Action("drive", {"speed": 1.0})] * 5, read=read) for read in (False, True))
    run(late, Script())
    run(prompt, Script())
    frames = [observation.frame for observation in late.seen]
    assert all(np.array_equal(a, b.frame) for a, b in zip(frames, prompt.seen, strict=True))
    assert len({frame[0, 0, 0] for frame in frames}) == len(frames)


def test_roles_with_actions_of_different_lengths_are_asked_when_they_are_free():
    zed, amy = Script(SHOVE, PUSH), Script(PUSH, PUSH, PUSH)
    episode = run(zed, amy)
    spans = [(one.role, one.start, one.end, one.observation) for one in episode.taken]
    assert spans == [
        ("amy", 0, 3, "g-amy-001"),
        ("zed", 0, 5, "g-zed-001"),
        ("amy", 3, 6, "g-amy-002"),
        ("zed", 5, 8, "g-zed-002"),
        ("amy", 6, 9, "g-amy-003"),
    ]
    assert [one.id for one in zed.seen] == ["g-zed-000", "g-zed-001", "g-zed-002"]
    assert [one.time for one in zed.seen] == pytest.approx([0.0, 0.5, 0.8])
    assert zed.lefts == pytest.approx([2.0, 1.5, 1.2])
    assert (zed.last.id, zed.last.time) == ("g-zed-003", pytest.approx(2.0))
    assert (episode.ticks, episode.truncated, episode.terminated) == (20, True, False)


def test_the_time_limit_cuts_the_last_action_and_each_role_sees_the_end():
    zed, amy = Script(*[SHOVE] * 9), Script(*[PUSH] * 9)
    episode = run(zed, amy)
    last = [one for one in episode.taken if one.end == 20]
    assert [(one.role, one.start) for one in last] == [("zed", 15), ("amy", 18)]
    assert [zed.last.id, amy.last.id] == [one.observation for one in last]
    assert zed.seen[-1].time != zed.last.time


def test_feedback_reaches_the_agent_and_the_record():
    zed = Script(Action("drive", {"speed": -1.0}), PUSH)
    episode = run(zed, Script())
    assert [one.feedback for one in zed.seen] == ["", "You roll back.", ""]
    assert [one.feedback for one in episode.taken] == ["You roll back.", ""]


def test_a_budget_makes_a_role_rest():
    zed, amy = Script(*[PUSH] * 9), Script(*[SHOVE] * 9)
    episode = run(zed, amy, budget=2)
    assert [one.role for one in episode.taken] == ["zed", "amy", "zed", "amy"]
    assert len(zed.seen) == len(amy.seen) == 2
    assert episode.ticks == 20


def test_the_score_is_that_of_the_end():
    zed = Script(*[Action("drive", {"speed": 1.0, "gear": 3})] * 9)
    episode = run(zed, Script())
    assert episode.terminated
    assert episode.score.value == 100.0
    assert (episode.world, episode.version, episode.seed, episode.look, episode.size) == (
        "toy",
        3,
        4,
        "flat",
        SIZE,
    )


@pytest.mark.parametrize("kind", [WorldError, ModelError, ProgramError])
def test_an_agent_that_fails_ends_the_episode_as_an_error_without_a_score(kind):
    zed, amy = Script(SHOVE, PUSH), Script(PUSH, kind("the endpoint is gone; start it."))
    episode = run(zed, amy)
    assert episode.error == "the endpoint is gone; start it."
    assert episode.score is None
    assert (episode.terminated, episode.truncated) == (False, False)
    assert [(one.role, one.start, one.end) for one in episode.taken] == [("amy", 0, 3), ("zed", 0, 3)]
    assert zed.last is None


def test_an_action_the_world_refuses_ends_the_episode_and_is_not_on_the_record():
    episode = run(Script(PUSH, Action("fly")), Script(PUSH, PUSH))
    assert episode.error.startswith("There is no action 'fly'")
    assert [(one.role, one.action.name) for one in episode.taken] == [("zed", "push"), ("amy", "push")]


def test_an_error_at_the_very_end_leaves_no_score():
    class Broken(Script):
        def finish(self, observation):
            raise ModelError("no reply; try again.")

    episode = run(Broken(), Script())
    assert (episode.error, episode.score, episode.truncated) == ("no reply; try again.", None, True)


def test_mistakes_of_the_programmer_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run(Script(ZeroDivisionError()), Script())
    with pytest.raises(ValueError, match="one agent to each of the roles"):
        play(Toy(), {"zed": Script()}, seed=0, look=Flat(), size=SIZE)


def test_submissions_and_notes_are_collected():
    program = Submission("zed", "push()", 0, 1, "", "")

    class Noted(Script):
        submissions = (program,)
        notes = {"skill": "seek"}  # noqa: RUF012

    episode = run(Noted(PUSH), Script())
    assert episode.submissions == (program,)
    assert episode.notes == {"zed": {"skill": "seek"}}
    assert from_json(type(episode), json.loads(dump(episode))) == episode


def test_ids_carry_no_seed_and_no_score():
    ids = set()
    for seed in (98765, 123456):
        walker = Script(*[Action("walk")] * 9)
        episode = play(Lantern(), {"walker": walker}, seed=seed, look=Flat(), size=SIZE)
        ids.add(tuple(one.observation for one in episode.taken))
        assert walker.seen[0].id == "walker-000"
        assert str(seed) not in str(walker.seen)
    assert len(ids) == 1


def test_the_record_is_the_same_in_a_fresh_process():
    script = (
        "import numpy, sys; sys.path.insert(0, sys.argv[1]); import test_run as t\n"
        "rng = numpy.random.default_rng(3)\n"
        "sys.stdout.buffer.write(t.dump(t.run(t.wander(rng), t.wander(rng))))"
    )
    command = [sys.executable, "-c", script, str(Path(__file__).parent)]
    shown = subprocess.run(command, capture_output=True, check=True).stdout
    rng = np.random.default_rng(3)
    assert shown == dump(run(wander(rng), wander(rng)))


def test_what_a_world_counts_for_reports_is_on_the_record():
    episode = play(Telling(), {"zed": Script(), "amy": Script()}, seed=0, look=Flat(), size=SIZE)
    assert episode.strategies == {"rolled": 20}
    assert from_json(type(episode), json.loads(dump(episode))) == episode
