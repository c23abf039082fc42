"""Settings of every test: a kernel cache inside the checkout, no network beyond this machine, no endpoint."""

import os
import signal
import socket
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import LANTERN, garten

CHECKOUT = Path(__file__).parents[1]

os.environ["GARTEN_CACHE"] = str(CHECKOUT / ".cache" / "garten")
for name in ("GARTEN_LLM_BASE_URL", "GARTEN_LLM_MODEL", "GARTEN_LLM_API_KEY", "OPENAI_API_KEY"):
    os.environ.pop(name, None)

# Side by side, processes that each compute with all cores would wait for each other most of the time.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# Shells let what they run in the background ignore Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

_connect = socket.socket.connect


def _connect_here_only(self: socket.socket, address: object) -> None:
    if self.family in (socket.AF_INET, socket.AF_INET6):
        assert isinstance(address, tuple)
        host = str(address[0])
        if host not in ("localhost", "::1") and not host.startswith("127."):
            raise AssertionError(f"a test tried to reach {host}; tests stay on this machine")
    _connect(self, address)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to other machines."""
    monkeypatch.setattr(socket.socket, "connect", _connect_here_only)


@dataclass(frozen=True)
class Practised:
    """A small run of practice, made once for all tests, and what the command printed."""

    path: Path
    out: str
    err: str


@pytest.fixture(scope="session")
def practised(tmp_path_factory: pytest.TempPathFactory) -> Practised:
    """Two rounds of the search player in the example world; tests copy the run before they change it."""
    place = tmp_path_factory.mktemp("practised")
    counts = ("--rounds", 2, "--players", 2, "--games", 3, "--held-out", 2)
    done = garten("practice", LANTERN, *counts, "--size", "96x54", "--name", "small", "--json", cwd=place)
    assert done.returncode == 0, done.stderr
    return Practised(place / "runs" / "small", done.stdout, done.stderr)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of training, made once for all tests, which copy it before they change it."""
    place = tmp_path_factory.mktemp("trained")
    small = {
        "network": '{"kind": "mlp", "width": 16, "hidden": [16]}',
        "rollout.lanes": 8,
        "rollout.steps": 32,
        "ppo.minibatches": 2,
        "checkpoints": 2,
        "evaluations": 2,
    }
    changes = [word for name, value in small.items() for word in ("--set", f"{name}={value}")]
    words = ("--game", "craftax-classic", "--steps", 2048, "--name", "small", *changes)
    done = garten("train", "craftax", *words, cwd=place)
    assert done.returncode == 0, done.stderr
    return place / "runs" / "small"
