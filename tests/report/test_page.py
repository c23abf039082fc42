"""The report of a real run: complete, true, self-contained, harmless whatever players wrote."""

import base64
import io
import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from garten.episodes.cameras import shot
from garten.episodes.reshoot import frame_of, replay
from garten.errors import RunError
from garten.practice.playbook import lesson_files, read_lesson
from garten.practice.results import RoundResult, Spread
from garten.records import Episode, Lesson
from garten.report import pictures
from garten.report.lineage import BUILDS_ON
from garten.report.page import write_report
from garten.runs.folder import RunFolder
from garten.runs.resume import begin
from garten.sight import video
from garten.sight.looks import look
from garten.worlds.find import load
from report.pages import Page
from support import LANTERN, python


@pytest.fixture
def run(practised, tmp_path):
    shutil.copytree(practised.path, tmp_path / "small")
    return RunFolder.open(tmp_path / "small")


@pytest.fixture(scope="module")
def page(practised):
    return Page(practised.path / "report.html")


def results(run):
    names = sorted(path.relative_to(run.path).as_posix() for path in run.path.glob("rounds/*/round.json"))
    return [run.read_record(RoundResult, name) for name in names]


def data(url):
    kind, content = re.fullmatch(r"data:([a-z0-9/]+);base64,(.*)", url).groups()
    return kind, base64.b64decode(content)


def an_episode(run):
    return run.read_record(Episode, "rounds/01/episodes/r01-p1-g00/episode.json")


def number(value):
    return "–" if value is None else f"{value:.1f}"


# --- complete and true -----------------------------------------------------------------------------


def test_the_table_has_the_scores_of_the_rounds(run, page):
    expected = []
    for result in results(run):
        games, held_out = Spread.of(result.games), Spread.of(result.held_out)
        figures = (games.best, games.mean, held_out.mean, held_out.sem)
        errors = games.errors + held_out.errors
        expected.append([str(result.round), str(games.count), *map(number, figures), str(errors)])
    assert page.rows(7) == expected
    assert len(expected) == 2


def test_charts_name_what_they_show(page):
    charts = page.all("svg")
    assert len(charts) == 2
    assert "score of 100" in charts[0].text
    measure = load(str(LANTERN)).spec.measure
    assert measure.name in charts[1].text
    assert f"{measure.unit}, {measure.better} is better" in charts[1].text


def test_clips_of_the_first_and_last_round_play(run, page, tmp_path):
    clips = page.all("video")
    captions = [tag.text for tag in page.all("figcaption") if "in the middle of the round" in tag.text]
    assert len(clips) == len(captions) == 2
    for clip, caption, result in zip(clips, captions, results(run), strict=True):
        kind, content = data(clip.attributes["src"])
        assert kind == "video/mp4"
        (tmp_path / "clip.mp4").write_bytes(content)
        frames = video.read(tmp_path / "clip.mp4")
        assert {frame.shape for frame in frames} == {(270, 720, 3)}
        game = re.search(r"game (\S+), ", caption)[1]
        stored = run.read_record(Episode, f"rounds/{result.round:02d}/episodes/{game}/episode.json")
        tick = load(str(LANTERN)).spec.tick
        assert len(frames) == pytest.approx(stored.ticks * tick / 0.5 + 1, abs=1)
        opening = next(iter(replay(stored, world=load(str(LANTERN))())))
        view = shot("chase-walker", opening)(opening)
        behind = look("raw").frame(opening, view, role="walker", width=480, height=270)
        assert np.abs(frames[0][:, :480].astype(int) - behind).mean() < 4.0  # H.264 loses a little


@pytest.mark.parametrize(("seconds", "speed"), [(20, 10), (150, 10), (151, 20), (300, 20), (301, 30)])
def test_clips_of_long_games_run_faster(run, seconds, speed):
    world = load(str(LANTERN))()
    episode = replace(an_episode(run), ticks=round(seconds / world.spec.tick))
    assert pictures.clip_speed(episode, world) == speed


def test_a_clip_has_a_bounded_number_of_frames_and_tells_how_far_it_is(run, tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "CLIP_FRAMES", 4)
    world, episode, told = load(str(LANTERN))(), an_episode(run), []
    pictures.clip(episode, world, tmp_path / "clip.mp4", watch=told.append)
    frames = video.length(tmp_path / "clip.mp4")[0]
    assert 3 <= frames <= 5
    assert len(told) == frames + 1
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)
    assert pictures.clip(episode, world, tmp_path / "clip.mp4") == (tmp_path / "clip.mp4").read_bytes()


def test_evidence_shows_the_very_frames_that_were_seen(run, page):
    shown = {
        tag.attributes["alt"].removeprefix("What was seen at "): data(tag.attributes["src"])
        for tag in page.all("img")
    }
    assert len(shown) >= 6
    world = load(str(LANTERN))()
    for name, (kind, content) in shown.items():
        game = name.rsplit("-walker-", 1)[0]
        episode = run.read_record(Episode, f"rounds/{game[1:3]}/episodes/{game}/episode.json")
        assert kind == "image/png"
        picture = np.asarray(Image.open(io.BytesIO(content)))
        assert np.array_equal(picture, frame_of(episode, name, name=game, world=world))


def test_every_lesson_and_note_is_there(run, page):
    headings = [tag.text for tag in page.all("summary")]
    for result in results(run):
        for path in result.lessons:
            lesson = read_lesson(run.file(path))
            assert any(
                all(part in heading for part in (lesson.status, lesson.name, lesson.author))
                for heading in headings
            )
            assert f"Evidence: {', '.join(lesson.evidence)}" in page.text
    assert sum(heading.startswith("note") for heading in headings) == 4


def test_who_inherited_what(run, page):
    first, second = ([path.split("/")[-2:] for path in result.lessons] for result in results(run))
    expected = []
    for number_, lessons, inherited in ((1, first, "nothing"), (2, second, f"{len(first)} of round 1")):
        for player in ("p1", "p2"):
            wrote = " ".join(name for author, name in lessons if author == player)
            expected.append([str(number_), f"{player} (walker)", inherited, wrote])
    assert page.rows(4) == expected
    anchors = {tag.attributes["id"] for tag in page.all("div") if "id" in tag.attributes}
    links = page.links
    assert len(links) == len(first) + len(second)
    assert {f"#{anchor}" for anchor in anchors} == set(links)


def rewrite(run, path, **changes):
    """Put another lesson in the place of one that was written."""
    lesson = read_lesson(run.file(path))
    changed = Lesson(**{**{name: getattr(lesson, name) for name in Lesson.__dataclass_fields__}, **changes})
    for file, text in lesson_files(changed).items():
        run.write_text(f"{path}/{file}", text)
    return changed


def test_a_lesson_that_says_what_it_builds_on_links_to_it(run):
    first, second = results(run)
    older, newer = first.lessons[-1], second.lessons[0]
    _, _, _, _, author, name = older.split("/")
    honest = {"round": 1, "author": author, "name": name}
    rewrite(run, newer, data={BUILDS_ON: [honest, {"round": 1, "author": "p9", "name": "none"}, "odd", None]})
    rewrite(run, older, data={BUILDS_ON: "odd"})
    page = Page(write_report(run))
    (told,) = [tag for tag in page.all("p") if tag.text.startswith("Builds on")]
    assert " ".join(told.text.split()) == f"Builds on {name} of round 1 by {author}."


# --- self-contained and harmless -------------------------------------------------------------------


def test_it_is_one_file_that_loads_nothing(page):
    assert all(item.startswith(("data:", "#")) for item in page.loaded)
    assert all(link.startswith(("#", "http://", "https://")) for link in page.links)
    (policy,) = [
        tag.attributes["content"]
        for tag in page.all("meta")
        if tag.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'; ")
    assert not {tag.name for tag in page.tags} & {
        "script",
        "iframe",
        "link",
        "object",
        "embed",
        "base",
        "form",
    }
    assert "@import" not in page.source
    assert not re.search(r"url\((?!#)", page.source)
    assert not [name for tag in page.tags for name in tag.attributes if name.startswith("on")]


HOSTILE = """
# Look <script>alert(1)</script> here

<img src=http://example.org/x.png onerror=alert(2)> ![seen](http://example.org/y.png)

[click](javascript:alert(3)) [more](data:text/html;base64,AAAA) [vb](vbscript:x) <javascript:alert(4)>

</div></details><iframe src="http://example.org"></iframe> {{ 7 * 7 }} {% raw %}

```python"><script>alert(5)</script>
"<b>" & '
```

| a | b |
| --- | --- |
| 1 | <u>2</u> |
"""


def test_whatever_players_write_stays_text(run):
    result = results(run)[0]
    code = "# </code></pre><script>alert(6)</script>\n"
    rewrite(run, result.lessons[0], body=HOSTILE, description="<script>alert(7)</script>", code=code)
    rewrite(run, result.lessons[1], evidence=("<script>alert(8)</script>",))
    note = next(run.path.glob("rounds/01/playbooks/*/*/NOTE.md"))
    note.write_text(re.sub(r"## Tried\n.*", "## Tried\n<script>alert(9)</script>", note.read_text()))
    rejected = ["p1: <script>alert(10)</script>"]
    stored = run.read_json("rounds/01/round.json")
    run.write_json("rounds/01/round.json", {**stored, "rejected": rejected})
    page = Page(write_report(run))
    test_it_is_one_file_that_loads_nothing(page)
    assert not {tag.name for tag in page.tags} & {"b", "u", "iframe"}
    for number_ in (1, 4, 6, 7, 8, 9, 10):
        assert f"alert({number_})" in page.text
    assert "{{ 7 * 7 }} {% raw %}" in page.text
    assert ["1", "<u>2</u>"] in page.rows(2)
    assert len(page.rows(4)) == 4  # the page around the lesson is whole


def test_plain_links_of_players_remain_links(run):
    path = results(run)[0].lessons[0]
    rewrite(run, path, body="See [a page](https://example.org/a?b=1&c=2).")
    links = Page(write_report(run)).links
    assert [link for link in links if not link.startswith("#")] == ["https://example.org/a?b=1&c=2"]


# --- strategies ------------------------------------------------------------------------------------


def test_strategies_are_counted_by_games_and_only_where_a_world_names_them(run, page):
    assert "What was done" not in page.text
    (run.path / "rounds/02/round.json").unlink()
    games = [*results(run)[0].games, *results(run)[0].held_out]
    for number_, game in enumerate(games):
        path = f"rounds/01/episodes/{game.id}/episode.json"
        found = {"ran away": 3 * (number_ == 0), "hid <u>well</u>": number_}
        run.write_json(path, {**run.read_json(path), "strategies": found})
    told = Page(write_report(run))
    assert "What was done" in told.text
    assert not told.all("u")
    assert ["1", *sorted(["1", str(len(games) - 1)])] in [[row[0], *sorted(row[1:])] for row in told.rows(3)]


# --- runs under way, other runs, the same bytes ----------------------------------------------------


def test_a_run_without_a_finished_round_gets_a_page(run):
    shutil.rmtree(run.path / "rounds")
    page = Page(write_report(run))
    assert "No round is finished yet." in page.text
    assert not page.all("video")
    assert not page.all("table")


def test_a_run_in_its_second_round_gets_a_page_of_the_first(run):
    (run.path / "rounds/02/round.json").unlink()
    page = Page(write_report(run))
    assert [row[0] for row in page.rows(7)] == ["1"]
    assert len(page.all("video")) == 1


def test_a_round_of_failed_games_gets_a_page(run):
    stored = run.read_json("rounds/01/round.json")
    for game in (*stored["games"], *stored["held_out"]):
        game.update(score=None, measure=None, progress=None, error="The endpoint is down.")
    run.write_json("rounds/01/round.json", stored)
    page = Page(write_report(run))
    assert page.rows(7)[0] == ["1", "0", "–", "–", "–", "–", "8"]
    assert len(page.all("video")) == 1


def test_the_same_run_gives_the_same_bytes_in_any_process(run, practised):
    for clip in run.path.glob("rounds/*/*.mp4"):
        clip.unlink()
    (run.path / "report.html").unlink()
    code = "import sys; from garten.cli import main; main()"
    done = python(code, "report", run.path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{run.path / 'report.html'}\n", "")
    assert (run.path / "report.html").read_bytes() == (practised.path / "report.html").read_bytes()


def test_a_run_of_another_kind_is_refused(tmp_path):
    with begin(tmp_path / "other", {}, seeds=[0], kind="training"):
        pass
    with pytest.raises(
        RunError, match="is of kind 'training'; give one made by garten practice or garten train"
    ):
        write_report(RunFolder.open(tmp_path / "other"))


def test_a_report_of_damaged_files_names_them(run):
    path = results(run)[0].lessons[0]
    (run.path / path / "SKILL.md").write_text("nothing")
    with pytest.raises(Exception, match=r"SKILL\.md does not begin with front matter"):
        write_report(run)
    episode = next(run.path.glob("rounds/01/episodes/*/episode.json"))
    episode.write_text(json.dumps({"a": 1}))
    with pytest.raises(RunError, match=r"episode\.json is damaged"):
        run.read_record(Episode, episode.relative_to(run.path).as_posix())
