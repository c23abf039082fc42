"""What all commands share: help, errors in one sentence, exit statuses."""

import subprocess
from pathlib import Path

import click
import pytest

from garten import __version__
from garten.cli import _options
from garten.cli import garten as group
from garten.errors import GartenError
from support import command as words
from support import garten, one_sentence, python

COMMANDS = group.list_commands(click.Context(group))


def command(name):
    found = group.get_command(click.Context(group), name)
    assert found is not None
    return found


def test_there_are_the_commands_of_the_documentation():
    assert COMMANDS == [
        "check",
        "craftax",
        "doctor",
        "dream",
        "evaluate",
        "levels",
        "play",
        "practice",
        "render",
        "report",
        "reshoot",
        "train",
        "worlds",
    ]


def below(name):
    """A command and those below it: the words that call each, and itself."""
    waiting = [([name], command(name))]
    for path, found in waiting:
        yield path, found
        waiting += [([*path, sub], item) for sub, item in getattr(found, "commands", {}).items()]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_explained(cli, name):
    for path, found in below(name):
        ended = cli(*path, "--help")
        assert (ended.code, ended.err) == (0, "")
        assert ended.out.startswith(f"Usage: garten {' '.join(path)} ")
        for option in found.params:
            if isinstance(option, click.Option):
                assert option.help, f"{name} {option.opts[0]}"
                assert option.help[-1] in ".]", f"{name} {option.opts[0]}"


def test_every_option_has_its_place_in_the_help_once():
    for name in COMMANDS:
        options = [word for item in command(name).params for word in item.opts]
        assert len(options) == len(set(options))


def test_the_version_is_the_package_version(cli):
    assert cli("--version").out == f"garten, version {__version__}\n"


def test_without_a_command_it_helps(cli):
    ended = cli()
    assert ended.code == 2
    assert "Commands:" in ended.err + ended.out


@pytest.mark.parametrize(
    "words", [["nosuch"], ["worlds", "--nosuch"], ["practice"], ["check", "herding", "extra"]]
)
def test_wrong_usage_is_told_with_status_2(cli, words):
    ended = cli(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Usage: garten")
    assert "Error: " in ended.err


def test_as_a_module_it_is_the_same_command():
    done = garten("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"garten, version {__version__}\n", "")


@pytest.mark.parametrize("words", [["--debug", "worlds", "nosuch"], ["worlds", "nosuch", "--debug"]])
def test_debug_shows_the_traceback_wherever_it_stands(cli, words):
    with pytest.raises(GartenError, match="no world 'nosuch'"):
        cli(*words)
    ended = cli(*(word for word in words if word != "--debug"))
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)


def test_an_unforeseen_error_is_one_sentence_too(cli, monkeypatch):
    monkeypatch.setattr("garten.cli.worlds.catalogue", lambda: 1 / 0)
    ended = cli("worlds")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "Error: ZeroDivisionError: division by zero; --debug shows where it comes from.\n"
    with pytest.raises(ZeroDivisionError):
        cli("worlds", "--debug")


def test_an_interrupt_is_status_130(cli, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("garten.cli.worlds.catalogue", interrupt)
    ended = cli("worlds")
    assert (ended.code, ended.out, ended.err.strip()) == (130, "", "Stopped.")


def test_a_full_disk_behind_standard_output_is_one_sentence():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(words("worlds"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert one_sentence(done.stderr)


def test_help_loads_no_heavy_library():
    heavy = {"warp", "mujoco", "torch", "openai", "av", "matplotlib", "scipy", "gymnasium"}
    code = f"""
import sys
from garten.cli import main
sys.argv[1:] = ["--help"]
try:
    main()
finally:
    print(*sorted({heavy!r} & sys.modules.keys()), file=sys.stderr)
"""
    done = python(code)
    assert (done.returncode, done.stderr) == (0, "\n")


@pytest.mark.parametrize(
    ("text", "size"), [("160x90", (160, 90)), ("1x1", (1, 1)), ("4096x4096", (4096, 4096))]
)
def test_a_size_is_width_x_height(text, size):
    assert _options.Size().convert(text, None, None) == size
    assert _options.Size().convert(size, None, None) == size


WRONG = ["", "160", "160x", "x90", "0x90", "160x-90", "4097x1", "160 x 90", "1.5x2", "²x3", "axb", "1x2x3"]


@pytest.mark.parametrize("text", WRONG)
def test_other_sizes_are_refused(text):
    with pytest.raises(click.BadParameter):
        _options.Size().convert(text, None, None)
