from collections.abc import Iterator

import pytest

from garten.levels.domain import CraftaxDomain
from garten.levels.level import LIMITS
from garten.sandbox import Sandbox


@pytest.fixture(scope="session")
def domain() -> Iterator[CraftaxDomain]:
    with Sandbox(LIMITS) as sandbox:
        yield CraftaxDomain(sandbox)
