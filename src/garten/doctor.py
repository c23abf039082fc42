"""What this machine and installation have, and the remedy for what they lack."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from urllib.parse import urlsplit

from garten import __version__, devices
from garten.errors import ModelError
from garten.llm.endpoint import BASE_URL, KEYS, MODEL, Endpoint

OLDEST_PYTHON = (3, 11)

EXTRAS = {
    "learn": "train policies and the neural renderer",
    "llm": "let language models play and write",
    "studio": "watch and play in the browser",
    "oracle": "compare the grid engine with its reference",
    "dev": "run the tests",
}
"""The optional parts of the installation, and what each is there to do."""


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    name: str
    ok: bool | None  # None: neither good nor bad, for instance an optional part that is not there
    detail: str  # what was found, one line
    remedy: str = ""  # what to do about it, one line; "" where there is nothing to do


def diagnose() -> list[Finding]:
    """Look at everything; nothing is sent, no secret is in the findings, and only Warp's cache is written."""
    return [
        _python(),
        _packages(),
        *(_extra(name, purpose) for name, purpose in EXTRAS.items()),
        _mujoco(),
        _cores(),
        _cuda(),
        _kernel_cache(),
        _endpoint(),
    ]


def _python() -> Finding:
    detail = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    wanted = ".".join(map(str, OLDEST_PYTHON))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("python", False, detail, f"Install Python {wanted} or newer.")
    return Finding("python", True, detail)


def _packages() -> Finding:
    missing = [name for name in _required(None) if _installed(name) is None]
    if missing:
        remedy = "Install garten again: pip install --force-reinstall garten."
        return Finding("garten", False, f"{__version__}, without {', '.join(missing)}", remedy)
    return Finding("garten", True, __version__)


def _extra(extra: str, purpose: str) -> Finding:
    found = {name: _installed(name) for name in _required(extra)}
    missing = [name for name, installed in found.items() if installed is None]
    if missing:
        detail = f"not installed ({', '.join(missing)} missing)"
        return Finding(
            f"extra {extra}", None, detail, f"To {purpose}: pip install -e '.[{extra}]' in a checkout."
        )
    return Finding(f"extra {extra}", True, ", ".join(f"{name} {found[name]}" for name in found))


def _mujoco() -> Finding:
    """Both distributions install the folder ``mujoco``: with both there, files of two versions are mixed."""
    core, full = _installed("mujoco-core"), _installed("mujoco")
    install = "pip install 'mujoco-core>=4.0.1,<5'."
    remedy = f"pip uninstall mujoco mujoco-core, then {install}"
    if core and full:
        return Finding("mujoco", False, f"mujoco {full} beside mujoco-core {core}: files are mixed", remedy)
    if full:
        return Finding("mujoco", False, f"mujoco {full} in the place of mujoco-core", remedy)
    if core:
        return Finding("mujoco", True, f"mujoco-core {core}")
    return Finding("mujoco", False, "not installed, and worlds with physics need it", install)


def _cores() -> Finding:
    return Finding("cores", True, f"{devices.cores()} of {os.cpu_count()} may be used by this process")


def _cuda() -> Finding:
    try:
        name = devices.cuda()
    except Exception as error:  # Whatever is wrong with a driver or with Warp must not end the diagnosis.
        return Finding(
            "cuda", False, f"Warp does not start ({error})", "pip install --force-reinstall warp-lang."
        )
    if name is None:
        return Finding("cuda", None, "no CUDA device; everything runs on the CPU")
    return Finding("cuda", True, name)


def _kernel_cache() -> Finding:
    folder = devices.cache_folder()
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    effective = os.access in os.supports_effective_ids
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK, effective_ids=effective)):
        remedy = "Set GARTEN_CACHE to a folder that can be written."
        return Finding("kernel cache", False, f"{folder} cannot be written", remedy)
    return Finding("kernel cache", True, f"{folder}, {_size(folder) / 1e6:.1f} MB")


def _endpoint() -> Finding:
    key = next((name for name in KEYS if os.environ.get(name, "").strip()), None)
    if not any(os.environ.get(name, "").strip() for name in (BASE_URL, MODEL)):
        remedy = f"To use a language model: set {BASE_URL} and {MODEL}."
        return Finding("endpoint", None, "not set; the offline players need none", remedy)
    try:
        endpoint = Endpoint.configured()
    except ModelError as error:
        detail, _, remedy = str(error).partition("; ")
        return Finding("endpoint", False, detail, remedy[:1].upper() + remedy[1:])
    parts = urlsplit(endpoint.base_url)
    # Only these parts of the address: a query could hold a secret.
    address = f"{parts.scheme}://{parts.netloc}{parts.path}"
    return Finding(
        "endpoint", True, f"{endpoint.model} at {address}, {f'key from {key}' if key else 'no key'}"
    )


def _required(extra: str | None) -> Iterator[str]:
    """The distributions that garten itself, or one extra of it, depends on."""
    for requirement in requires("garten") or ():
        name, _, marker = requirement.partition(";")
        of = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", marker)
        if (of[1] if of else None) == extra:
            matched = re.match(r"[\w.-]+", name.strip())
            assert matched, requirement
            yield matched[0]


def _installed(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _size(folder: Path) -> int:
    """Bytes of all files below a folder; 0 if there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
