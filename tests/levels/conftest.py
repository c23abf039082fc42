from collections.abc import Callable, Iterator

import pytest

from garten.levels.level import LIMITS, Level, read_level
from garten.sandbox import Sandbox

HEAD = """
objective = "Collect coal."
description = "Coal."
relevant_achievements = ["COLLECT_COAL"]
"""


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(LIMITS) as sandbox:
        yield sandbox


@pytest.fixture
def read(sandbox: Sandbox) -> Callable[[str], Level]:
    """Reads a level of this body, its constants given."""
    return lambda body: read_level(HEAD + body, sandbox)


@pytest.fixture
def built(read: Callable[[str], Level]) -> Callable[..., Level]:
    """Reads a level whose `generate_world` consists of these lines."""
    return lambda *lines: read("def generate_world(builder):\n" + "\n".join(f"    {line}" for line in lines))
