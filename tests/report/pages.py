"""Reading a page as a browser does, as far as tests need it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

LOADING = {"src", "href", "data", "poster", "srcset", "action", "background", "xlink:href", "cite", "ping"}
"""Attributes that may make a browser fetch something."""


@dataclass
class Tag:
    name: str
    attributes: dict[str, str]
    text: str = ""  # directly inside and in the tags inside


@dataclass
class Page(HTMLParser):
    """All tags of a page in the order in which they open, each with its text."""

    path: Path
    tags: list[Tag] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[Tag] = []
        self.source = self.path.read_text(encoding="utf-8")
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Tag(tag, {name: value or "" for name, value in attrs})
        self.tags.append(made)
        self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().name != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            tag.text += data

    def all(self, name: str) -> list[Tag]:
        return [tag for tag in self.tags if tag.name == name]

    @property
    def text(self) -> str:
        return " ".join(self.all("html")[0].text.split())

    def rows(self, columns: int) -> list[list[str]]:
        """The cells of every table, row by row, of those rows that have so many."""
        found: list[list[str]] = []
        for tag in self.tags:
            if tag.name == "tr":
                found.append([])
            elif tag.name == "td":
                found[-1].append(" ".join(tag.text.split()))
        return [row for row in found if len(row) == columns]

    @property
    def loaded(self) -> list[str]:
        """Everything a browser fetches to show the page."""
        tags = [tag for tag in self.tags if tag.name != "a"]
        return [value for tag in tags for name, value in tag.attributes.items() if name in LOADING]

    @property
    def links(self) -> list[str]:
        """Where a click leads."""
        return [tag.attributes["href"] for tag in self.all("a")]
