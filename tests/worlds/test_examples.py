"""The example worlds: a tutorial that is its world word for word, and an engine that draws for itself."""

import re
from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from garten.episodes.run import play
from garten.errors import RenderError
from garten.records import Action
from garten.scene import NO_ID
from garten.sight.looks import look
from garten.worlds.check import CHECKS
from garten.worlds.find import load

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "worlds"
TUTORIAL = (ROOT / "docs" / "worlds" / "write-your-own.md").read_text(encoding="utf-8")
CONTENTS = (ROOT / "docs" / "worlds" / "README.md").read_text(encoding="utf-8")


def blocks(text, opening):
    """The contents of all code blocks of a page that open with exactly this line."""
    return re.findall(rf"^```{re.escape(opening)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


# --- write-your-own.md and README.md ---------------------------------------------------------------


def test_the_tutorial_is_the_example_word_for_word():
    code = "".join(blocks(TUTORIAL, 'python title="lantern/__init__.py"'))
    (task,) = blocks(TUTORIAL, 'markdown title="lantern/task.md"')
    file = (EXAMPLES / "lantern" / "__init__.py").read_text(encoding="utf-8")
    assert re.sub(r"\n+", "\n", code) == re.sub(r"\n+", "\n", file)
    assert task == (EXAMPLES / "lantern" / "task.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["write-your-own.md", "README.md"])
def test_the_code_on_the_pages_runs(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = "\n".join(blocks((ROOT / "docs" / "worlds" / page).read_text(encoding="utf-8"), "python"))
    assert code
    try:
        exec(compile(code, page, "exec"), {"__name__": "page"})
    finally:
        gymnasium.registry.pop("garten/lantern-v1", None)  # the tutorial registers it


def test_the_contents_page_explains_every_check_and_links_what_exists():
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", CONTENTS, re.MULTILINE))
    for one in CHECKS:
        assert rows[one.__name__.replace("_", "-")] == one.__doc__
    for page in (CONTENTS, TUTORIAL):
        for target in re.findall(r"\]\(([^)#:]+)\)", page):
            assert (ROOT / "docs" / "worlds" / target).exists(), target


# --- a world that draws itself ---------------------------------------------------------------------


@pytest.fixture
def drop():
    world = load(EXAMPLES / "mjcf_drop")()
    world.reset(3)
    return world


def test_its_depth_and_normals_are_those_of_single_ray_queries(drop):
    """`mj_ray` is asked ray by ray, with unit directions made here from the camera's field of view."""
    width, height = 24, 16
    drawn = drop.moment().drawing("hand", width, height)
    data = mujoco.MjData(drop.model)
    mujoco.mj_setState(drop.model, data, drop.state.physics, int(mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_forward(drop.model, data)
    turn, origin = data.cam_xmat[0].reshape(3, 3), data.cam_xpos[0]
    slope = np.tan(0.5 * np.radians(60.0))
    hits = 0
    for row in range(height):
        for column in range(width):
            x = slope * (column + 0.5 - 0.5 * width) / (0.5 * height)
            y = slope * (0.5 * height - row - 0.5) / (0.5 * height)
            ray = np.array([x, y, -1.0])
            shape, normal = np.zeros(1, np.int32), np.zeros(3)
            unit = turn @ ray / np.linalg.norm(ray)
            far = mujoco.mj_ray(drop.model, data, origin, unit, None, True, -1, shape, normal)
            if far < 0:
                assert drawn.ids[row, column] == NO_ID
                assert np.isinf(drawn.depth[row, column])
                continue
            hits += 1
            assert drawn.ids[row, column] == shape[0]
            assert drawn.depth[row, column] == pytest.approx(far / np.linalg.norm(ray), rel=1e-5)
            in_camera = turn.T @ normal
            facing = -in_camera if in_camera @ ray > 0 else in_camera
            assert drawn.normals[row, column] == pytest.approx(facing, abs=1e-5)
    assert hits > 100


def test_a_drawing_shows_its_own_moment_after_the_world_has_moved_on_and_been_reset(drop):
    moment = drop.moment()
    before = moment.drawing("hand", 16, 9).depth.copy()
    drop.act({"hand": Action("move", {"right": 1.0, "ahead": -1.0})})
    drop.reset(4)
    assert np.array_equal(moment.drawing("hand", 16, 9).depth, before)
    assert not np.array_equal(drop.moment().drawing("hand", 16, 9).depth, before)


@pytest.mark.parametrize("name", ["raw", "depth", "normals"])
def test_every_look_takes_what_it_draws(drop, name):
    moment = drop.moment()
    frame = look(name).frame(moment, moment.cameras["hand"], role="hand", width=48, height=27)
    assert frame.shape == (27, 48, 3)
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 5
    with pytest.raises(RenderError, match="draws only what its roles see"):
        look(name).frame(moment, moment.cameras["hand"], role="overview", width=48, height=27)


def test_the_ball_falls_into_the_basket_below_the_carriage(drop):
    class Hand:
        """Travels above the basket, waits, lets go; knows where it is, as no player does."""

        def __init__(self):
            way = drop.basket / 0.8  # metres to shares of full speed, over two actions
            move = Action("move", {"right": float(way[0]), "ahead": float(way[1])})
            self.plan = [move, move, Action("wait"), Action("drop")]

        def act(self, observation, *, time_left):
            return self.plan.pop(0) if self.plan else None

    episode = play(drop, {"hand": Hand()}, seed=3, look=look("raw"), size=(16, 9))
    assert episode.terminated
    assert episode.taken[-1].feedback == "The ball falls."
    assert episode.score.parts == {"inside": 1.0}
    assert episode.score.value > 95
