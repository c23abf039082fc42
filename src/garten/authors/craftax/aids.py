"""The aids of Craftax: what the player holds, can and knows, where it starts, what lies or lives nearby."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from garten.authors.kit import Aid
from garten.craftax.full.floors import plans
from garten.craftax.full.tables import (
    FLOORS,
    MELEE_CREATURES,
    PASSIVE_CREATURES,
    RANGED_CREATURES,
    Block,
)

FAR = 12
"""Steps beyond which things are no longer near the player: past the edge of its view either way."""

DROPPED = 16
"""Steps beyond which they do not help at all."""

MOST_NEAR = 8
"""Things of one kind that are put nearby."""

TOOLS = {"pickaxe": 4, "sword": 4, "bow": 1}
"""Items that have levels rather than counts, and the highest."""

TIERS = ("", "wooden", "stone", "iron", "diamond")
"""What tools of each level are made of."""

KINDS = {"passive": PASSIVE_CREATURES, "melee": MELEE_CREATURES, "ranged": RANGED_CREATURES}
"""Names of the creatures of each kind, by type."""

CAPACITY = {"passive": 3, "melee": 3, "ranged": 2}
"""Creatures of each kind that a floor holds."""


def grounds() -> tuple[tuple[str, ...], ...]:
    """For each floor the blocks of its open ground."""
    table = plans()
    found = []
    for floor in range(FLOORS):
        natural = bool(table["natural"][floor])
        names = ("ground", "coast") if natural else ()
        blocks = {Block(int(table[name][floor])).name for name in names} - {"WATER", "LAVA"}
        found.append(tuple(sorted(blocks | ({"PATH"} if floor == 0 or not natural else set()))))
    return tuple(found)


GROUNDS = grounds()


@dataclass(frozen=True)
class Held(Aid):
    """An item in the inventory: how many, or of a tool its level."""

    item: str
    count: int

    @property
    def key(self) -> str:
        """Which item."""
        return f"held {self.item}"

    def weaker(self) -> tuple[Aid, ...]:
        """A worse tool, half as many."""
        count = self.count - 1 if self.item in TOOLS else self.count // 2
        return (replace(self, count=count),) if count else ()

    def stronger(self) -> Aid | None:
        """A better tool, twice as many."""
        count = min(self.count + 1, TOOLS[self.item]) if self.item in TOOLS else min(2 * self.count, 9)
        return replace(self, count=count) if count > self.count else None

    def redrawn(self, rng: random.Random) -> Aid:
        """One more or less of what is counted."""
        if self.item in TOOLS or self.count < 2:
            return self
        return replace(self, count=self.count + rng.choice((-1, 1)))

    @property
    def words(self) -> str:
        """As the description names it."""
        if self.item == "bow":
            return "a bow"
        if self.item in TOOLS:
            return f"{'an' if self.count == 3 else 'a'} {TIERS[self.count]} {self.item}"
        return f"{self.count} {self.item}"


@dataclass(frozen=True)
class Worn(Aid):
    """Levels of the four pieces of armour, or counts of the six colours of potion."""

    item: str  # armour or potions
    counts: tuple[int, ...]

    @property
    def key(self) -> str:
        """Which of the two."""
        return f"held {self.item}"

    def weaker(self) -> tuple[Aid, ...]:
        """The best pieces a level lower; one colour less."""
        if self.item == "armour":
            most = max(self.counts)
            counts = tuple(min(count, most - 1) for count in self.counts)
        else:
            last = max(index for index, count in enumerate(self.counts) if count)
            counts = tuple(0 if index == last else count for index, count in enumerate(self.counts))
        return (replace(self, counts=counts),) if any(counts) else ()

    def stronger(self) -> Aid | None:
        """All pieces a level higher; two of every colour."""
        if self.item == "armour":
            counts = tuple(min(count + 1, 2) for count in self.counts)
        else:
            counts = tuple(max(count, 2) for count in self.counts)
        return replace(self, counts=counts) if counts != self.counts else None

    @property
    def words(self) -> str:
        """As the description names it."""
        if self.item == "potions":
            return f"potions of {sum(1 for count in self.counts if count)} colours"
        return f"armour of levels {', '.join(map(str, self.counts))}"


@dataclass(frozen=True)
class Attributes(Aid):
    """Dexterity, strength, intelligence."""

    levels: tuple[int, int, int]

    key = "attributes"

    def weaker(self) -> tuple[Aid, ...]:
        """Each a point less."""
        fewer = tuple(max(level - 1, 1) for level in self.levels)
        return (Attributes((fewer[0], fewer[1], fewer[2])),) if fewer != (1, 1, 1) else ()

    def stronger(self) -> Aid | None:
        """Each a point more."""
        more = tuple(min(level + 1, 5) for level in self.levels)
        return Attributes((more[0], more[1], more[2])) if more != self.levels else None


@dataclass(frozen=True)
class Spells(Aid):
    """Which spells are known."""

    fireball: bool
    iceball: bool

    key = "spells"

    def weaker(self) -> tuple[Aid, ...]:
        """A book in their place."""
        return (Held("books", 1),)


@dataclass(frozen=True)
class Enchanted(Aid):
    """Enchantments of sword and bow: 0 none, 1 fire, 2 ice."""

    sword: int
    bow: int

    key = "enchanted weapons"


@dataclass(frozen=True)
class Start(Aid):
    """The floor on which the player starts, past the first; a matter of the goal, so never more of it."""

    floor: int

    key = "start"

    def weaker(self) -> tuple[Aid, ...]:
        """A floor higher, its ladder down open."""
        above = self.floor - 1
        return (Start(above), Open(above, 8)) if above else ()


@dataclass(frozen=True)
class ByLadder(Aid):
    """The player starts so many steps at most from its floor's ladder down, 0 on it."""

    floor: int
    most: int

    key = "ladder"

    def weaker(self) -> tuple[Aid, ...]:
        """Twice as far, then where the floor begins."""
        return (replace(self, most=max(2 * self.most, 2)),) if self.most <= FAR else ()

    def stronger(self) -> Aid | None:
        """Half as far."""
        return replace(self, most=self.most // 2) if self.most else None

    def redrawn(self, rng: random.Random) -> Aid:
        """A step nearer or farther."""
        return replace(self, most=max(self.most + rng.choice((-1, 0, 1)), 0))


@dataclass(frozen=True)
class Open(Aid):
    """Monsters of a floor counted as killed; at 8 the ladder down is open."""

    floor: int
    count: int

    @property
    def key(self) -> str:
        """Of which floor."""
        return f"open {self.floor}"

    def weaker(self) -> tuple[Aid, ...]:
        """Two more are left to kill."""
        return (replace(self, count=self.count - 2),) if self.count > 2 else ()

    def stronger(self) -> Aid | None:
        """All counted as killed."""
        return replace(self, count=8) if self.count < 8 else None


@dataclass(frozen=True)
class Near(Aid):
    """Blocks near the player's start."""

    floor: int
    block: str
    least: int
    most: int
    count: int
    on: tuple[str, ...]

    @property
    def key(self) -> str:
        """Which block on which floor."""
        return f"block {self.block} {self.floor}"

    def weaker(self) -> tuple[Aid, ...]:
        """Fewer of them, then farther away, then none."""
        if self.count > 2:
            return (replace(self, count=(self.count + 1) // 2),)
        if self.most < FAR:
            return (replace(self, least=self.least + 3, most=self.most + 4),)
        if self.most < DROPPED:
            return (replace(self, least=self.least + 3, most=self.most + 4, count=1),)
        return ()

    def stronger(self) -> Aid | None:
        """Nearer, and more of them."""
        nearer = replace(
            self,
            least=max(self.least - 3, 1),
            most=max(self.most - 4, 4),
            count=min(self.count + 1, MOST_NEAR),
        )
        return nearer if nearer != self else None

    def redrawn(self, rng: random.Random) -> Aid:
        """As far on the whole, one more or less."""
        least = max(1, self.least + rng.choice((-1, 0, 1)))
        most = max(least + 1, self.most + rng.choice((-1, 0, 1)))
        return replace(
            self, least=least, most=most, count=max(1, min(self.count + rng.choice((-1, 0, 1)), MOST_NEAR))
        )

    def somewhere(self) -> Aid:
        """The same blocks anywhere on the floor."""
        return Scattered(self.floor, self.block, self.count, GROUNDS[self.floor])


@dataclass(frozen=True)
class Scattered(Aid):
    """Blocks anywhere on a floor."""

    floor: int
    block: str
    count: int
    on: tuple[str, ...]

    @property
    def key(self) -> str:
        """Which block on which floor."""
        return f"block {self.block} {self.floor}"

    def weaker(self) -> tuple[Aid, ...]:
        """Half as many."""
        return (replace(self, count=self.count // 2),) if self.count > 1 else ()

    def stronger(self) -> Aid | None:
        """Twice as many."""
        return replace(self, count=2 * self.count) if self.count < MOST_NEAR else None

    def redrawn(self, rng: random.Random) -> Aid:
        """One more or less."""
        return replace(self, count=max(1, self.count + rng.choice((-1, 1))))


@dataclass(frozen=True)
class Creatures(Aid):
    """Creatures near the player's start."""

    floor: int
    kind: str
    type: str
    count: int
    least: int
    most: int
    on: tuple[str, ...]

    @property
    def key(self) -> str:
        """Which creature on which floor."""
        return f"creature {self.type} {self.floor}"

    def weaker(self) -> tuple[Aid, ...]:
        """Farther away, then fewer, then those that come by themselves."""
        if self.most < FAR:
            return (replace(self, least=self.least + 3, most=self.most + 4),)
        return (replace(self, count=self.count - 1),) if self.count > 1 else ()

    def stronger(self) -> Aid | None:
        """Nearer, then one more."""
        if self.most > 6:
            return replace(self, least=max(self.least - 3, 2), most=max(self.most - 4, 6))
        return replace(self, count=self.count + 1) if self.count < CAPACITY[self.kind] else None

    def redrawn(self, rng: random.Random) -> Aid:
        """As far on the whole."""
        least = max(2, self.least + rng.choice((-1, 0, 1)))
        return replace(self, least=least, most=max(least + 3, self.most + rng.choice((-1, 0, 1))))
