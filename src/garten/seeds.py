"""Seeds for everything random in a run, derived from the one seed the run records."""

import hashlib


def derive(seed: int, *path: str | int) -> int:
    """A seed in [0, 2**31) for one use, named by `path`; different paths give unrelated seeds.

    >>> derive(0, "layout", 1, 0) == derive(0, "layout", 1, 0) != derive(0, "layout", 1, 1)
    True
    """
    text = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1
