"""The pages say what is so: their code runs, their commands exist, their links lead somewhere."""

import re
import shlex
from dataclasses import fields
from pathlib import Path

import click
import pytest

from garten.cli import garten as group
from garten.practice.players.llm.settings import Settings
from garten.worlds.find import names
from support import garten, python

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

FOREIGN = {"--no-deps"}
"""Options on the pages that are those of other programs."""

CHEAP = {"worlds", "doctor", "check"}
"""Commands that are run as the pages show them; the others are parsed."""


def blocks(text):
    """(what the opening line says, contents) of the page's code blocks."""
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def prose(text):
    """The page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def commands(text):
    """The words after ``garten`` of all commands on a page: (words, whether it is a line to be typed)."""
    for opening, block in blocks(text):
        if not opening.startswith("python"):
            for line in re.findall(r"^(?:[A-Z_]+=\S* )*garten (.*)$", block, re.MULTILINE):
                yield shlex.split(line, comments=True), True
    for code in re.findall(r"`(garten [^`]+)`", prose(text)):
        yield shlex.split(code)[1:], False


def typed(text):
    return [words for words, complete in commands(text) if complete]


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links(page):
    """(target, anchor) of the page's relative links and images."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page.read_text(encoding="utf-8")))
    return [target.partition("#")[::2] for target in found if "://" not in target]


@pytest.fixture
def checkout(tmp_path):
    """A folder in which the examples can be used and nothing of the checkout can be changed by accident."""
    for name in ("examples", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


PYTHON = [page for page in PAGES if any(opening == "python" for opening, _ in blocks(page.read_text()))]


@pytest.mark.parametrize("page", PYTHON, ids=[page.relative_to(ROOT).as_posix() for page in PYTHON])
def test_the_code_on_the_pages_runs(page, checkout):
    """All of a page's Python, in order, in a fresh process; blocks with a title are files of an example."""
    code = "\n".join(block for opening, block in blocks(page.read_text()) if opening == "python")
    done = python(code, cwd=checkout)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_commands_on_the_pages_exist(page):
    for words, complete in commands(page.read_text(encoding="utf-8")):
        if words[0].startswith("-"):
            assert words == ["--help"], words
            continue
        command = group.get_command(click.Context(group), words[0])
        assert command is not None, f"there is no garten {words[0]}"
        try:
            command.make_context(f"garten {words[0]}", words[1:])
        except click.MissingParameter:
            assert not complete, f"garten {' '.join(words)} lacks an argument"
        except click.UsageError as error:
            pytest.fail(f"garten {' '.join(words)}: {error.format_message()}")


RUN = [words for page in PAGES for words in typed(page.read_text(encoding="utf-8")) if words[0] in CHEAP]


@pytest.mark.parametrize("words", RUN, ids=" ".join)
def test_cheap_commands_run_as_they_are_shown(words, checkout):
    done = garten(*words, cwd=checkout)
    assert done.stderr == ""
    assert done.stdout
    if words != ["doctor"]:  # it may find a problem on this machine
        assert done.returncode == 0


def options(command):
    """All options of a command and of the commands below it."""
    own = {option for item in command.params for option in item.opts}
    return own.union(*map(options, getattr(command, "commands", {}).values()))


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_options_that_pages_name_exist(page):
    known = {"--help", "--debug", "--version"} | FOREIGN
    for name in group.list_commands(click.Context(group)):
        known |= options(group.get_command(click.Context(group), name))
    named = set(re.findall(r"`(--[a-z-]+)", page.read_text(encoding="utf-8")))
    assert named <= known


def test_the_model_settings_on_their_page_are_those_there_are():
    text = (ROOT / "docs" / "players" / "llm.md").read_text(encoding="utf-8")
    table = text.split("## Settings")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?`) \| .+ \| (.+) \|$", table, re.MULTILINE)
    told = {name: default for names, default in rows for name in re.findall(r"`(\w+)`", names)}
    assert list(told) == [field.name for field in fields(Settings)]
    for field in fields(Settings):
        if field.default != "":  # those come from the environment
            words = {"None": "none", "False": "off"}.get(str(field.default)) or f"{field.default:g}"
            assert told[field.name] == words, field.name


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page):
    for target, anchor in links(page):
        place = (page.parent / target).resolve() if target else page
        assert place.exists(), f"{target} is not there"
        assert place.is_relative_to(ROOT), f"{target} leads out of the checkout"
        if anchor:
            assert anchor in anchors(place), f"{target} has no heading #{anchor}"


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [PAGES[0]]
    while waiting:
        page = waiting.pop()
        if page.suffix == ".md" and page.exists() and page not in reached:
            reached.add(page)
            waiting += [(page.parent / target).resolve() for target, _ in links(page) if target]
    assert [name for page, name in zip(PAGES, NAMES, strict=True) if page not in reached] == []


def test_the_make_targets_of_the_readme_exist():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    shown = [
        line.split()[1]
        for _, block in blocks(PAGES[0].read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.startswith("make ")
    ]
    assert shown
    assert set(shown) <= set(targets)


def test_scores_in_the_table_of_worlds_are_those_of_their_pages():
    table = (ROOT / "docs" / "worlds" / "README.md").read_text()
    rows = re.findall(r"^\| \[[\w-]+\]\(([\w-]+\.md)\).* \| ([\d.]+) \| ([\d.]+) \|$", table, re.MULTILINE)
    assert [name.removesuffix(".md") for name, _, _ in rows] == sorted(names())
    for name, *scores in rows:
        page = (ROOT / "docs" / "worlds" / name).read_text()
        told = page.partition("## How well it can be played\n")[2].partition("\n## ")[0]
        missing = {float(score) for score in scores} - set(map(float, re.findall(r"\d+(?:\.\d+)?", told)))
        assert not missing, f"{name} does not tell of {missing}"
