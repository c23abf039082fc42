"""What the terminal shows of a session: the view, the keys beside it, the player below it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from garten.cli import _blocks
from garten.craftax import glyphs, keyboard
from garten.craftax.play import Game
from garten.craftax.session import Session
from garten.records import Frame

_SIDE = 35
"""Least width of the keys, columns."""

_BOTTOM = 6
"""Least height of what stands below the view, lines."""

_NEWS = 2
"""Lines for what happened, so that the lines below keep their place."""

_LEAST = 2
"""Least height of a tile, lines; its width is twice as many columns."""

_BODY = 5
"""How many of the stats, at most, are of the body; they sink, the others are earned."""

_LOW = 3
"""What the body has up to this is shown as an alarm."""

_BOLD, _ALARM = "1", "1;31"


class Word(NamedTuple):
    """A piece of text that stays on one line, and its ANSI style, "" for none."""

    text: str
    style: str = ""


Phrase = Sequence[Word]
"""Words that stay together, one space apart."""


def draw(session: Session, size: tuple[int, int], *, colours: int) -> list[str]:
    """The screen, a line each.

    Args:
        session: what is played.
        size: of the terminal, columns and lines.
        colours: how many it has: 2**24, 256, or 0 for a view in letters.
    """
    game, (width, height) = session.game, size
    rows, columns = game.view
    scale = min((height - _BOTTOM) // rows, (width - _SIDE - 1) // (2 * columns))
    if scale < _LEAST:
        least = f"{2 * _LEAST * columns + _SIDE + 1} x {_LEAST * rows + _BOTTOM}"
        return [f"{width} x {height} is too small; make this window {least} or larger."[:width]]
    if colours:
        view = _blocks.lines(_points(game, scale), colours=colours)
    else:
        scale = _LEAST
        view = glyphs.lines(game.tiles, game.facing[0])
    keys = wrapped(_keys(session), width - 2 * scale * columns - 1)
    keys += [""] * (len(view) - len(keys))
    above = [f"{left} {right}" for left, right in zip(view, keys, strict=False)]
    return [*above, *_below(session, width, colours > 0)][:height]


def wrapped(paragraphs: Iterable[Iterable[Phrase]], width: int) -> list[str]:
    """Paragraphs as lines: phrases two spaces apart, lines after a paragraph's first indented by two."""
    lines = []
    for phrases in paragraphs:
        line, room, lead = "", width, ""
        for phrase in phrases:
            length = len(lead) + sum(len(word.text) for word in phrase) + len(phrase) - 1
            if line and length > room:
                lines.append(line)
                line, room = "", width
            line += lead + " ".join(
                f"\x1b[{style}m{text}\x1b[0m" if style else text for text, style in phrase
            )
            room -= length
            lead = "  "
        lines.append(line)
    return lines


def _points(game: Game, scale: int) -> Frame:
    """The view with two by two points a cell, which are twice as high as wide, as cells are."""
    scene = game.scene(tile=4 * scale)
    height, width, channels = scene.shape
    return np.asarray(scene.reshape(height // 2, 2, width, channels).mean(1).round(), np.uint8)


def _keys(session: Session) -> list[list[Phrase]]:
    """The keys, a paragraph for each group."""
    paragraphs: list[list[Phrase]] = []
    for title, keys in keyboard.groups(session.game.num_actions).items():
        named = [(key.key.replace(" ", "space"), key.label) for key in keys]
        paragraphs.append([[Word(title)], *([Word(key, _BOLD), Word(label)] for key, label in named)])
    leave = [Word(keyboard.LEAVE, _BOLD), Word("leave")]
    return [*paragraphs, [[Word("game")], leave, [Word("seed"), Word(str(session.game.seed))]]]


def _below(session: Session, width: int, alarming: bool) -> list[str]:
    """The lines about the player and the game."""
    game = session.game
    body = [_stat(name, count, alarming) for name, count in list(game.stats.items())[:_BODY]]
    trained = [_count(name, count) for name, count in list(game.stats.items())[_BODY:]]
    tally = [_count("step", len(game.actions)), _count("return", f"{game.total:.1f}")]
    place = [[Word(game.place, _BOLD)]] if game.place else []
    news = textwrap.wrap("  ".join([_now(session), *game.news]), width, subsequent_indent="  ")
    achieved = _count("achieved", f"{len(game.achieved)} of {game.num_achievements}")
    return [
        *wrapped([[*body, *tally]], width),
        *(wrapped([[*trained, *place]], width) if trained else []),
        *news,
        *[""] * (_NEWS - len(news)),
        *wrapped([[[Word("has")], *_named(game.held or ["nothing"])]], width),
        *wrapped([[achieved, *_named(reversed(game.achieved))]], width),
    ]


def _now(session: Session) -> str:
    """The question that is open, or how things stand."""
    game = session.game
    if game.over:
        return f"{game.ending}. Press {keyboard.NEW} for a new game, {keyboard.LEAVE} to leave."
    if session.asking:
        return f"Leave this game? {keyboard.LEAVE} again leaves, any other key of the game goes on."
    if game.asleep:
        return "Asleep: any action lets a step pass."
    return f"facing {game.facing[1]}"


def _stat(name: str, count: int, alarming: bool) -> Phrase:
    return [Word(name), Word(str(count), _ALARM if alarming and count <= _LOW else _BOLD)]


def _count(name: str, count: int | str) -> Phrase:
    return [Word(name), Word(str(count), _BOLD)]


def _named(names: Iterable[str]) -> list[Phrase]:
    return [[Word(name)] for name in names]
