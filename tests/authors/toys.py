"""A domain without an engine: three achievements, two dials, and code that is read by its constants alone."""

import ast
import hashlib
from collections.abc import Mapping
from typing import Any

from garten.domain import Dial, Finding, Reading, Verdict
from garten.errors import LevelError


class ToyDomain:
    """A `garten.domain.Domain` of which no kit exists."""

    name = "Toy"
    goals = ("walk", "hop", "fly")
    needs: Mapping[str, tuple[str, ...]] = {"walk": (), "hop": ("walk",), "fly": ("hop",)}
    dials: Mapping[str, Dial] = {
        "gravity": Dial("gravity", 1.0, 0.1, 2.0, False, "times the weight of all things"),
        "steps": Dial("steps", 100, 10, 1000, True, "steps of an episode"),
    }
    knowledge: Mapping[str, str] = {"contract": "Constants.", "rules": "Walk, hop, fly.", "dials": "gravity"}

    @property
    def seeds(self) -> Mapping[str, str]:
        return {"first": self.code(("walk",), {"gravity": 0.25})}

    bare_seeds: Mapping[str, str] = {}

    def code(self, goal: tuple[str, ...], dials: Mapping[str, float] | None = None) -> str:
        told = ", ".join(f"{name}={value}" for name, value in (dials or {}).items())
        return (
            f"objective = 'Move.'\ndescription = 'A field.'\nrelevant_achievements = {list(goal)}\n"
            f"def get_task_params():\n    return TaskParams({told})\n"
        )

    def read(self, source: str) -> Reading:
        try:
            tree = ast.parse(source)
            values: dict[str, Any] = {}
            exec(compile(tree, "toy", "exec"), {"TaskParams": dict}, values)
        except Exception as error:
            raise LevelError(f"The level failed ({error}); correct it.") from None
        if not {*values.get("relevant_achievements", [])} <= {*self.goals}:
            raise LevelError("The goal is unknown; choose another.")
        dials = {name: dial.default for name, dial in self.dials.items()}
        return Reading(
            source=source,
            digest=hashlib.sha256(source.encode()).hexdigest(),
            objective=values["objective"],
            description=values["description"],
            goal=tuple(values["relevant_achievements"]),
            completed=(),
            dials=dials | values.get("get_task_params", dict)(),
        )

    def check(self, source: str) -> Verdict:
        try:
            return Verdict(self.read(source), (Finding("contract", True, ""),))
        except LevelError as error:
            return Verdict(None, (Finding("contract", False, str(error)),))

    def bare(self, reading: Reading) -> str:
        return self.code(reading.goal)
