"""Settings of every test: a kernel cache inside the checkout, no network beyond this machine, no endpoint."""

import os
import socket
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]

os.environ["GARTEN_CACHE"] = str(CHECKOUT / ".cache" / "garten")
for name in ("GARTEN_LLM_BASE_URL", "GARTEN_LLM_MODEL", "GARTEN_LLM_API_KEY", "OPENAI_API_KEY"):
    os.environ.pop(name, None)

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
