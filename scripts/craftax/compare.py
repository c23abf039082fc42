"""Compare a game with the original, live: worlds, single steps, whole episodes; and say what was exercised.

    python scripts/craftax/compare.py full [--parts worlds wild scripted settings episodes]

The game is ``classic`` or ``full``. Needs the packages of the `oracle` extra, 3 GB of memory and about ten
minutes. Prints one JSON object: how much was compared, every miss, and how often each thing that the rules
can do was seen to happen. Integers must be equal, floats within 1e-5, observations within 1e-6 (light 1e-5).

The parts: ``worlds`` of many keys; ``wild``, steps from states built by hand, by chance; ``scripted``, play
with a purpose from real worlds on every floor; ``settings``, steps from wild states with each lane's own
settings; ``episodes``, random actions from many keys, 2,000 steps each, a new world after each death.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections import Counter
from typing import Any

import jax
import numpy as np
from match import Match, keys_of

from garten.craftax import host_keys

LANES = 64
WILD_STEPS = 25
"""Steps from each wild state, before the next."""

PARTS = ("worlds", "wild", "scripted", "settings", "episodes")


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["classic", "full"])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--worlds", type=int, default=256, help="keys to make worlds of")
    parser.add_argument("--wild", type=int, default=110, help="rounds of 1,600 steps from wild states")
    parser.add_argument("--scripted", type=int, default=900, help="steps of 64 scripted players")
    parser.add_argument("--settings", type=int, default=10, help="rounds of 1,600 steps with own settings")
    parser.add_argument("--episodes", type=int, default=2000, help="random steps from each of 64 keys")
    given = parser.parse_args()
    comparison = Comparison(given.game)
    report = {"game": given.game, "jax": jax.__version__}
    for part in given.parts:
        sys.stderr.write(f"{part}…\n")
        report[part] = getattr(comparison, part)(getattr(given, part))
        sys.stderr.write(json.dumps(report[part]) + "\n")
    sys.stdout.write(json.dumps(report | comparison.coverage(), indent=1) + "\n")


class Comparison:
    """One game against the original, part by part."""

    def __init__(self, game: str) -> None:
        """Nothing is compared yet."""
        self.oracle: Any = importlib.import_module(f"{game}_oracle")
        self.made: Any = importlib.import_module(f"{game}_states")
        self.players: Any = importlib.import_module(f"{game}_players")
        self.watch: Any = importlib.import_module(f"{game}_events")
        self.seen: Counter[str] = Counter()

    def worlds(self, count: int) -> dict:
        """Worlds of as many keys."""
        match = Match(self.oracle, count)
        match.start_worlds(host_keys.split(host_keys.key_of(7), count))
        return {"compared": count, "misses": match.misses}

    def wild(self, rounds: int) -> dict:
        """Single steps from wild states; a miss is put right at once."""
        return self._wild(rounds, np.random.default_rng(3), params=False)

    def settings(self, rounds: int) -> dict:
        """The same, with settings drawn for each lane and round."""
        return self._wild(rounds, np.random.default_rng(4), params=True)

    def scripted(self, steps: int) -> dict:
        """Single steps of players with a purpose, who start well equipped on every floor of real worlds."""
        match = Match(self.oracle, LANES)
        rng = np.random.default_rng(6)
        starts = self._starts(rng)
        match.start(starts)
        for step, keys in enumerate(keys_of(6, steps, LANES)):
            fields = match.fields()
            actions = np.array(
                [self.players.scripted_action(rng, fields, lane) for lane in range(LANES)], np.int32
            )
            self._step(match, keys, actions, {"part": "scripted", "step": step})
            if match.over.any():
                fields, starts = match.fields(), self._equipped(rng, starts)
                for name, value in starts.items():
                    fields[name][match.over] = value[match.over]
                match.start(fields)
        return {"compared": steps * LANES, "misses": match.misses}

    def episodes(self, steps: int) -> dict:
        """Random play from many keys; nothing is put right, and each death is followed by a new world.

        As in the original's environments that reset themselves, the first half of a step's key is for the
        step and the second for the new world.
        """
        match = Match(self.oracle, LANES)
        match.start_worlds(host_keys.split(host_keys.key_of(9), LANES))
        rng = np.random.default_rng(5)
        parted: dict[int, int] = {}
        ended = 0
        for step in range(steps):
            halves = host_keys.split(host_keys.split(np.array([5, step], np.uint32), LANES))
            actions = rng.integers(0, self.oracle.ACTIONS, LANES).astype(np.int32)
            for lane in self._step(match, halves[:, 0], actions, {"part": "episodes", "step": step}):
                parted.setdefault(lane, step)
            over = np.flatnonzero(match.over)
            ended += len(over)
            if len(over):
                match.renew(over, host_keys.split(halves[:, 1])[:, 1])
        misses = [miss for miss in match.misses if miss.get("step", -1) == parted.get(miss["lane"], -1)]
        return {"compared": LANES, "steps": steps * LANES, "ended": ended, "misses": misses}

    def coverage(self) -> dict:
        """How often everything was seen to happen, and what never was."""
        never = [event for event in self.watch.POSSIBLE if not self.seen[event]]
        return {"seen": dict(sorted(self.seen.items())), "possible": len(self.watch.POSSIBLE), "never": never}

    def _wild(self, rounds: int, rng: np.random.Generator, *, params: bool) -> dict:
        match = Match(self.oracle, LANES)
        for number in range(rounds):
            fields, given = self.made.wild_states(rng, LANES), None
            if params:
                settings = self.made.wild_settings(rng, LANES)
                fields["timestep"] %= (
                    3 * settings["day_length"]
                )  # see `daylight`: later it rounds differently
                settings["max_timesteps"] = fields["timestep"] + rng.integers(1, 100, LANES).astype(np.int32)
                given = self.oracle.params_of(settings)
                for name, value in settings.items():
                    match.engine.settings.read(name)[:] = value
            match.start(fields)
            for step, keys in enumerate(keys_of(number, WILD_STEPS, LANES)):
                where = {"part": "settings" if params else "wild", "round": number, "step": step}
                actions = self.made.wild_actions(rng, LANES)
                if self._step(match, keys, actions, where, params=given):
                    match.repair()
        return {"compared": rounds * WILD_STEPS * LANES, "misses": match.misses}

    def _step(
        self, match: Match, keys: np.ndarray, actions: np.ndarray, where: dict, *, params: Any = None
    ) -> list[int]:
        """Step both, and note what happened."""
        before = self.oracle.fields_of(match.state)
        effects = match.effects(keys, actions)
        wrong = match.step(keys, actions, where=where, params=params)
        self.seen.update(self.watch.events(before, actions, effects, self.oracle.fields_of(match.state)))
        return wrong

    def _starts(self, rng: np.random.Generator) -> dict[str, np.ndarray]:
        keys = host_keys.split(host_keys.key_of(8), LANES)
        worlds = [self.oracle.fields_of(self.oracle.world(key)) for key in keys]
        return self._equipped(rng, {name: np.stack([world[name] for world in worlds]) for name in worlds[0]})

    def _equipped(self, rng: np.random.Generator, fields: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The worlds with other players in them."""
        for lane in range(LANES):
            for name, value in self.players.equipped(rng, fields, lane).items():
                fields[name][lane] = value
        return fields


if __name__ == "__main__":
    main()
