"""Craftax as a domain: what authors of levels and curricula see of it; see `garten.domain`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property

from garten.craftax.env import Env
from garten.craftax.settings import DIALS
from garten.craftax.tutorial import tutorial
from garten.domain import Dial, Finding, Reading, Verdict
from garten.errors import LevelError
from garten.levels import level as contract
from garten.levels import reference
from garten.levels.check import check_read, make_env
from garten.levels.find import PREFIX, names, source_of
from garten.levels.level import Level, read_level, refuse_long
from garten.levels.published import is_published, translate
from garten.levels.tree import NEEDS, in_order
from garten.sandbox import Sandbox

STARTS = 8
"""Starts of a level that a check looks at; fewer than `garten check` has, for training waits for many."""

_BARE = "_goal"  # ends the names of seed levels that are a goal in the plain game
_REMEMBERED = 256  # levels kept ready after they were read


class CraftaxDomain:
    """Craftax; a `garten.domain.Domain`.

    Levels in the published form of a class are written anew before anything else: the source that is read,
    checked and kept is the one written anew. One object may be used by one thread at a time.
    """

    def __init__(self, sandbox: Sandbox, *, starts: int = STARTS, seed: int = 0) -> None:
        """Read levels in this sandbox (with `garten.levels.level.LIMITS` for example).

        Args:
            sandbox: where levels run.
            starts: of a level that a check looks at.
            seed: of those starts.
        """
        self._sandbox, self._starts, self._seed = sandbox, starts, seed
        self._known: OrderedDict[str, Level] = OrderedDict()

    name = "Craftax"

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """See `Domain.goals`."""
        return tuple(each.name for each in in_order())

    @cached_property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """See `Domain.needs`."""
        return {each.name: tuple(other.name for other in first) for each, first in NEEDS.items()}

    @cached_property
    def dials(self) -> Mapping[str, Dial]:
        """See `Domain.dials`."""
        return {
            dial.name: Dial(
                name=dial.name,
                default=float(dial.default),
                low=float(dial.low or 0.0),
                high=float(dial.high),
                whole=dial.kind is int,
                meaning=dial.meaning,
            )
            for dial in DIALS
        }

    @cached_property
    def knowledge(self) -> Mapping[str, str]:
        """See `Domain.knowledge`: the contract of a level, methods, dials, names, and how to play."""
        tables = {topic: write() for topic, write in reference.PARTS.items()}
        return {"contract": contract.__doc__ or "", **tables, "rules": tutorial(self.name)}

    @cached_property
    def seeds(self) -> Mapping[str, str]:
        """See `Domain.seeds`."""
        return {name: source_of(PREFIX + name) for name in names() if not name.endswith(_BARE)}

    @cached_property
    def bare_seeds(self) -> Mapping[str, str]:
        """See `Domain.bare_seeds`."""
        return {
            name.removesuffix(_BARE): source_of(PREFIX + name) for name in names() if name.endswith(_BARE)
        }

    def level(self, source: str) -> Level:
        """A level, ready for lanes; those read last are remembered.

        Raises:
            LevelError: as `read` does.
        """
        if source not in self._known:
            refuse_long(source)
            plain = translate(source) if is_published(source) else source
            self._known[source] = read_level(plain, self._sandbox)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(source)
        return self._known[source]

    def read(self, source: str) -> Reading:
        """See `Domain.read`."""
        return _reading(self.level(source))

    def check(self, source: str) -> Verdict:
        """See `Domain.check`: what `garten check` checks."""
        try:
            level = self.level(source)
        except LevelError as error:
            return Verdict(None, (Finding("contract", False, str(error)),))
        results = check_read(level, self._env, seed=self._seed)
        findings = (Finding(result.name, result.passed, result.detail) for result in results)
        return Verdict(_reading(level), (Finding("contract", True, ""), *findings))

    def bare(self, reading: Reading) -> str:
        """See `Domain.bare`."""
        return (
            f"objective = {reading.objective!r}\n"
            'description = "The plain game."\n'
            f"relevant_achievements = {list(reading.goal)!r}\n"
        )

    @cached_property
    def _env(self) -> Env:
        return make_env(self._starts)


def _reading(level: Level) -> Reading:
    return Reading(
        source=level.source,
        digest=level.digest,
        objective=level.objective,
        description=level.description,
        goal=tuple(each.name for each in level.goal),
        completed=tuple(each.name for each in level.initial),
        dials=dict(level.dials),
    )
