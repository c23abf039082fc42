"""Craftax for programs: `make` an environment of many lanes, `reset` it, `step` it.

    env = garten.craftax.make("Craftax", num_envs=1024)
    observation = env.reset(seed=0)
    observation, reward, terminated, truncated = env.step(actions)

All arrays are buffers of the engine: they keep their place, each step writes them anew, and torch can share
them. On the CPU they come as NumPy arrays, elsewhere as Warp arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from garten import devices
from garten.craftax import host_keys
from garten.craftax.canvas import TILES
from garten.craftax.classic.engine import ClassicEngine
from garten.craftax.columns import Columns
from garten.craftax.full.engine import FullEngine
from garten.craftax.host_keys import Keys, Stream

Array = npt.NDArray[Any]
Observe = Literal["codes", "symbolic", "pixels", "text"]
RuleSet = Literal["1.6.1", "fixed"]

_PLANS: dict[Observe, tuple[str, ...]] = {
    "codes": ("codes",),
    "symbolic": ("codes", "symbolic"),
    "pixels": ("codes", "pixels"),
    "text": ("codes",),
}

_RULE_SETS: dict[str, tuple[Mapping[str, Any], ...]] = {"1.6.1": ({},), "fixed": ({"fixed": True},)}


class Codes(NamedTuple):
    """The native observation.

    Attributes:
        cells: uint8 [lanes, rows, columns, bytes]: what is on each tile in view; the game's ``observe.codes``
            says how.
        numbers: float32 [lanes, numbers]: the body.
    """

    cells: Any
    numbers: Any


class Step(NamedTuple):
    """What a step returns.

    Attributes:
        observation: as chosen by `obs`; of the new world where the episode is over, unless lanes are left so.
        reward: float32 [lanes].
        terminated: bool [lanes]: the player died, or won.
        truncated: bool [lanes]: the time was up.
    """

    observation: Any
    reward: Any
    terminated: Any
    truncated: Any


class Env:
    """Many lanes of one game.

    Attributes:
        num_envs: how many lanes.
        num_actions: actions are 0 to one less than this.
        obs: what is observed.
        engine: the arrays behind it, for reading, editing and sharing.
    """

    def __init__(
        self,
        engine: ClassicEngine | FullEngine,
        *,
        obs: Observe,
        auto_reset: bool,
        keep_final: bool,
    ) -> None:
        """Put a face on an engine; `make` says what the rest means."""
        self.engine = engine
        self.num_envs = engine.lanes
        self.num_actions = len(engine.actions)
        self.obs: Observe = obs
        self._auto_reset = auto_reset
        self._keep_final = keep_final
        self._on_cpu = bool(devices.init_warp().get_device(engine.device).is_cpu)
        self._has_world = np.zeros(self.num_envs, bool)

    def set(self, *, lanes: Array | None = None, **settings: Any) -> None:
        """Change settings of the lanes. What concerns new worlds shows when a lane gets its next one.

        Args:
            lanes: bool [num_envs], whose settings change; all by default.
            settings: each one value for all lanes, or an array with one for each lane of the environment.

        Raises:
            ValueError: there is no such setting, rule table, program or row of angles, or a value is wrong;
                nothing is changed then.
        """
        chosen = self._chosen(lanes)
        checked = self.engine.settings.check(settings, rows=self.num_envs)
        given = {name: values[chosen] for name, values in checked.items()}
        self._check_rows(given)
        self.engine.settings.write(given, rows=chosen)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        keys: Array | None = None,
        lanes: Array | None = None,
    ) -> Any:
        """Give lanes new worlds.

        Args:
            seed: lane i gets the i-th key of ``jax.random.split(PRNGKey(seed), num_envs)`` and makes of it
                the world that the original's reset makes. Or one seed a lane, each as if alone.
            keys: or the worlds' keys themselves, uint32 [num_envs, 2]. With neither, lanes draw from the keys
                that they carry, as steps without keys do.
            lanes: bool [num_envs], whose turn it is; all by default.

        Returns:
            The observation of all lanes.

        Raises:
            ValueError: both seed and keys are given, or neither before the first reset, or an array has the
                wrong shape or type.
        """
        carried = self.engine.exchange.array("own_keys").numpy()
        world_keys, own_keys = self._reset_keys(seed, keys, carried)
        chosen = self._chosen(lanes)
        if not (self._has_world | chosen).all():
            raise ValueError("Some lanes have no world yet; reset all of them first.")
        self._write("chosen", chosen)
        self._write("keys", world_keys)
        self._write("own_keys", np.where(chosen[:, None], own_keys, carried))
        self.engine.run(*self.engine.reset_plan, *_PLANS[self.obs])
        self._has_world[:] = True
        return self.observation

    def _reset_keys(
        self, seed: int | Sequence[int] | None, keys: Array | None, carried: Keys
    ) -> tuple[Keys, Keys]:
        """The keys of the lanes' new worlds, and those that the lanes then carry."""
        stream = self.engine.stream
        if seed is not None and keys is not None:
            raise ValueError("A reset takes a seed or keys, not both; leave one out.")
        if seed is not None:
            return self.engine.lane_keys(self._seeded(seed))
        if keys is not None:
            world_keys = self._checked("keys", keys, np.uint32, (self.num_envs, 2))
            return world_keys, host_keys.apart(world_keys)
        if not self._has_world.all():
            raise ValueError("The first reset needs a seed or keys; give one of them.")
        halves = host_keys.split(carried, stream=stream)
        return self.engine.lane_keys(halves[:, 1])[0], halves[:, 0]

    def _seeded(self, seed: int | Sequence[int]) -> Keys:
        """The key of each lane's reset."""
        stream = self.engine.stream
        if isinstance(seed, (int, np.integer)):
            return host_keys.split(host_keys.key_of(int(seed)), self.num_envs, stream=stream)
        if not all(isinstance(each, (int, np.integer)) for each in np.atleast_1d(np.asarray(seed))):
            raise ValueError(f"The seed is {seed!r:.80}; give an integer, or one for each lane.")
        if len(seed) != self.num_envs:
            raise ValueError(f"There are {len(seed)} seeds; give one, or {self.num_envs}, one a lane.")
        return np.concatenate(
            [host_keys.split(host_keys.key_of(int(each)), 1, stream=stream) for each in seed]
        )

    def step(self, actions: Any, *, keys: Array | None = None) -> Step:
        """Take one action in every lane.

        Args:
            actions: integers [num_envs], 0 to `num_actions` - 1.
            keys: random keys, uint32 [num_envs, 2], used as the original uses the key of its step; drawn from
                those that the lanes carry by default.

        Raises:
            ValueError: an array has the wrong shape or type, or an action is out of range.
            RuntimeError: there was no reset yet.
        """
        if not self._has_world.all():
            raise RuntimeError("The lanes have no worlds yet; call reset first.")
        self._write_actions(actions)
        if keys is not None:
            self._write("keys", self._checked("keys", keys, np.uint32, (self.num_envs, 2)))
        plan = self.engine.before_step if keys is not None else ("own_keys", *self.engine.before_step)
        if self._auto_reset:
            final = ("final_codes",) if self._keep_final else ()
            plan = (*plan, "step_first_half", *final, *self.engine.reset_over_plan)
        else:
            plan = (*plan, "step")
        self.engine.run(*plan, *_PLANS[self.obs])
        return Step(
            self.observation, self.buffer("rewards"), self.buffer("terminated"), self.buffer("truncated")
        )

    def observe(self) -> Any:
        """Look anew, after lanes were edited, and return the observation of all lanes."""
        self.engine.run(*_PLANS[self.obs])
        return self.observation

    @property
    def observation(self) -> Any:
        """The observation of all lanes, as chosen by `obs`."""
        if self.obs == "symbolic":
            return self._face(self.engine.symbolic)
        if self.obs == "pixels":
            return self._face(self.engine.pixels)
        if self.obs == "text":
            return tuple(self.text(lane) for lane in range(self.num_envs))
        return Codes(self._face(self.engine.cells), self._face(self.engine.numbers))

    def text(self, lane: int) -> str:
        """What the player of a lane perceives, in words, as last observed.

        Raises:
            IndexError: there is no such lane.
        """
        return self.engine.text(lane)

    def picture(self, lane: int) -> Array:
        """What the player of a lane sees, as last observed: uint8 [height, width, 3], a copy.

        Raises:
            RuntimeError: the engine has no room for pictures yet; see its `use_pixels`.
        """
        if self.engine.pixels is None:
            raise RuntimeError("There are no pictures; call engine.use_pixels first.")
        if self.obs != "pixels":
            self.engine.run("pixels")
        return np.array(self.engine.pixels[lane : lane + 1].numpy()[0])

    def buffer(self, name: str) -> Any:
        """A buffer of the exchange, for example ``final_return``; see `EXCHANGE`."""
        return self._face(self.engine.exchange.array(name))

    def state(self, lane: int) -> dict[str, Array]:
        """A copy of a lane's state, by field name; see `STATE`."""
        self.engine.complete(lane)
        return self.engine.state.row(lane)

    def new_state(self) -> dict[str, Array]:
        """A state to build on by hand: the player in the middle of open ground, nobody and nothing about."""
        return self.engine.state.defaults()

    def set_state(self, lane: int, state: Mapping[str, Any]) -> None:
        """Write some or all of a lane's state; other lanes are not touched. The next step observes it.

        A lane that had no world yet is one of `new_state` otherwise.

        Raises:
            ValueError: an unknown field, or a value of the wrong shape or out of bounds; nothing is written
                then.
        """
        self.engine.complete(lane)
        self.engine.state.put(lane, state)
        self._has_world[lane] = True

    def save(self, lanes: Array | None = None) -> dict[str, Array]:
        """All that lanes are: their states, settings, keys and books, so that play can go on bit for bit.

        Args:
            lanes: bool [num_envs], which; all by default.

        Returns:
            Arrays by name (``state.blocks``, ``settings.goal``, ``exchange.own_keys`` ...), [chosen lanes,
            ...], copies. Rule tables, programs and noise angles are not among them.
        """
        chosen = self._chosen(lanes)
        return {
            f"{part}.{name}": values
            for part, columns in self._parts().items()
            for name, values in columns.take(chosen).items()
        }

    def load(self, saved: Mapping[str, Array], *, lanes: Array | None = None) -> None:
        """Go on from what `save` returned; `observe` shows it.

        Args:
            saved: arrays by name, of as many lanes as are chosen.
            lanes: bool [num_envs], which lanes take them, in order; all by default.

        Raises:
            ValueError: an array is missing, unknown or wrong, or names a rule table, program or row of angles
                that does not exist here; nothing is written then.
        """
        chosen = self._chosen(lanes)
        parts = self._parts()
        names = {f"{part}.{field.name}" for part, columns in parts.items() for field in columns.fields}
        if names != saved.keys():
            odd = ", ".join(sorted(names ^ saved.keys()))
            raise ValueError(f"What was saved does not fit this game ({odd}); save it from the same one.")
        count = int(chosen.sum())
        checked = {
            part: columns.check(
                {field.name: saved[f"{part}.{field.name}"] for field in columns.fields}, rows=count
            )
            for part, columns in parts.items()
        }
        self._check_rows(checked["settings"])
        for part, columns in parts.items():
            columns.write(checked[part], rows=chosen)
        self._has_world |= chosen

    def _parts(self) -> dict[str, Columns]:
        engine = self.engine
        return {"state": engine.state, "settings": engine.settings, "exchange": engine.exchange}

    def _check_rows(self, settings: Mapping[str, Array]) -> None:
        """Refuse settings that name rows of tables that do not exist."""
        for name, rows in self.engine.tables.items():
            if name in settings and settings[name].size and settings[name].max() >= rows:
                raise ValueError(f"{name} names row {settings[name].max()} of {rows}; give rows that exist.")

    def _chosen(self, lanes: Array | None) -> Array:
        if lanes is None:
            return np.ones(self.num_envs, bool)
        # A copy: what is given may be one of the engine's own buffers, `terminated` above all.
        return self._checked("lanes", lanes, np.bool_, (self.num_envs,)).copy()

    def _face(self, array: Any) -> Any:
        return array.numpy() if self._on_cpu else array

    def _write(self, name: str, values: Array) -> None:
        target = self.engine.exchange.array(name)
        if self._on_cpu:
            target.numpy()[...] = values
        else:
            target.assign(np.ascontiguousarray(values))

    def _write_actions(self, actions: Any) -> None:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            found = f"{given.dtype} of shape {given.shape}"
            raise ValueError(f"The actions are {found}; give {self.num_envs} integers.")
        if given.min() < 0 or given.max() >= self.num_actions:
            found = f"{given.min()} to {given.max()}"
            raise ValueError(f"The actions go from {found}; give actions from 0 to {self.num_actions - 1}.")
        self._write("actions", given)

    def _checked(self, name: str, value: Any, kind: type, shape: tuple[int, ...]) -> Array:
        given = np.asarray(value)
        if given.shape != shape or given.dtype != kind:
            found = f"{given.dtype} of shape {given.shape}"
            raise ValueError(f"{name} is {found}; give {np.dtype(kind)} of shape {shape}.")
        return given


def make(
    name: str,
    *,
    num_envs: int = 1,
    obs: Observe = "codes",
    tile: int | None = None,
    device: str = "cpu",
    threads: int = 1,
    stream: Stream = "partitionable",
    auto_reset: bool = True,
    keep_final: bool = False,
    settings: Mapping[str, Any] | None = None,
    rules: RuleSet | Sequence[Mapping[str, Any]] = "1.6.1",
) -> Env:
    """Make an environment of many lanes.

    Args:
        name: "Craftax" or "Craftax-Classic".
        num_envs: how many lanes.
        obs: "codes" (compact, the default), "symbolic" (the original's numbers), "pixels" (pictures), or
            "text" (a string of many lines for each lane).
        tile: pixels along the side of a picture's tile; by default 10 in Craftax, for pictures of 130 x 110
            (rows first), and 7 in Craftax-Classic, for 63 x 63.
        device: a Warp device name, "cpu" by default.
        threads: CPU threads to share the lanes; results do not depend on it.
        stream: which random stream of JAX to draw from: "partitionable", its default since 0.5, or
            "original", the one before, which results published in 2024 carry.
        auto_reset: whether a lane whose episode is over gets a new world in the same step (the default).
        keep_final: whether to keep the codes of each episode's end, in ``engine.final_cells`` and
            ``engine.final_numbers``.
        settings: of the lanes, by name; see `SETTINGS` in the game's ``rulebook``.
        rules: "1.6.1" (the original's, oddities and all), "fixed" (what looks like an oversight in them put
            right; the game's page in the docs says what), or one mapping for each rule table, of the numbers
            that differ from 1.6.1; see `RULES` there.

    Raises:
        ValueError: there is no such environment, an option is wrong, or so many lanes find no room in memory.
    """
    if name not in TILES:
        raise ValueError(f"There is no environment {name!r}; choose Craftax or Craftax-Classic.")
    if obs not in _PLANS:
        raise ValueError(f"{name} has no observation {obs!r}; choose one of {', '.join(_PLANS)}.")
    kind: type[ClassicEngine | FullEngine] = ClassicEngine if name == "Craftax-Classic" else FullEngine
    tables = _rule_tables(rules)

    def engine_of(lanes: int) -> ClassicEngine | FullEngine:
        engine = kind(lanes, device=device, threads=threads, tables=len(tables), stream=stream)
        if obs == "pixels":
            engine.use_pixels(TILES[name] if tile is None else tile)
        return engine

    _check_room(num_envs, engine_of(1))
    engine = engine_of(num_envs)
    for table, changes in enumerate(tables):
        engine.rules.put(table, changes)
    env = Env(engine, obs=obs, auto_reset=auto_reset, keep_final=keep_final)
    env.set(**(settings or {}))
    return env


def _check_room(lanes: int, one: ClassicEngine | FullEngine) -> None:
    """Refuse more lanes than find room in memory, going by what one takes."""
    free = devices.free_memory(one.device)
    if free is None or lanes * one.bytes_per_lane <= free:
        return
    most, giga = free // one.bytes_per_lane, 1e9
    raise ValueError(
        f"{lanes:,} lanes need {lanes * one.bytes_per_lane / giga:.1f} GB of memory, and "
        f"{free / giga:.1f} GB are free; make at most {most:,}."
    )


def _rule_tables(rules: RuleSet | Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """What each rule table changes.

    Raises:
        ValueError: there are no rules of that name, or they are no list of mappings.
    """
    if isinstance(rules, str):
        if rules not in _RULE_SETS:
            raise ValueError(
                f"There are no rules {rules!r}; choose 1.6.1 or fixed, or give a table of your own."
            )
        return _RULE_SETS[rules]
    tables: list[Any] = list(rules)
    if not tables or not all(isinstance(table, Mapping) for table in tables):
        raise ValueError(f"{rules!r:.80} are no rules; give a list of one mapping for each rule table.")
    return tables
