import os

import pytest

from garten import devices, doctor
from garten.doctor import diagnose
from garten.llm.endpoint import BASE_URL, KEYS, MODEL
from support import python, read_only


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in (BASE_URL, MODEL, *KEYS):
        monkeypatch.delenv(name, raising=False)


def find(name):
    (found,) = [finding for finding in diagnose() if finding.name == name]
    return found


def install(monkeypatch, **installed):
    """Pretend that these distributions are installed (None: are not), the others as they are."""
    found = {name.replace("_", "-"): number for name, number in installed.items()}
    real = doctor._installed
    monkeypatch.setattr(doctor, "_installed", lambda name: found[name] if name in found else real(name))


def test_every_problem_has_a_remedy_and_every_finding_is_one_line():
    findings = diagnose()
    assert len({finding.name for finding in findings}) == len(findings)
    for finding in findings:
        assert finding.detail
        assert "\n" not in finding.detail + finding.remedy
        assert finding.ok is not False or finding.remedy
        assert not finding.remedy or finding.remedy.endswith(".")


def test_this_installation_is_found():
    assert find("python").ok
    assert find("garten").ok
    assert "pytest" in find("extra dev").detail
    assert find("cores").detail.startswith(str(devices.cores()))


def test_an_old_python(monkeypatch):
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (9, 0))
    assert find("python").ok is False
    assert find("python").remedy == "Install Python 9.0 or newer."


def test_a_missing_dependency_is_a_problem_and_a_missing_extra_is_not(monkeypatch):
    install(monkeypatch, numpy=None, openai=None)
    assert find("garten").ok is False
    assert "without numpy" in find("garten").detail
    assert find("extra llm").ok is None
    assert find("extra llm").detail == "not installed (openai missing)"
    assert "pip install -e '.[llm]'" in find("extra llm").remedy


@pytest.mark.parametrize(
    ("core", "full", "ok"),
    [("4.0.1", None, True), ("4.0.1", "3.3.0", False), (None, "3.3.0", False), (None, None, False)],
)
def test_mujoco_beside_mujoco_core(monkeypatch, core, full, ok):
    install(monkeypatch, mujoco_core=core, mujoco=full)
    finding = find("mujoco")
    assert finding.ok is ok
    assert ok or finding.remedy.endswith("pip install 'mujoco-core>=4.0.1,<5'.")
    assert full is None or finding.remedy.startswith("pip uninstall mujoco mujoco-core, then")


def test_cuda(monkeypatch):
    monkeypatch.setattr(devices, "cuda", lambda: "NVIDIA H100")
    assert (find("cuda").ok, find("cuda").detail) == (True, "NVIDIA H100")
    monkeypatch.setattr(devices, "cuda", lambda: None)
    assert find("cuda").ok is None

    def broken():
        raise RuntimeError("driver too old")

    monkeypatch.setattr(devices, "cuda", broken)
    assert find("cuda").ok is False
    assert "driver too old" in find("cuda").detail


def test_the_kernel_cache(monkeypatch, tmp_path):
    cache = tmp_path / "a" / "cache"
    monkeypatch.setenv("GARTEN_CACHE", str(cache))
    assert find("kernel cache").ok
    assert "0.0 MB" in find("kernel cache").detail
    assert not cache.exists()
    cache.mkdir(parents=True)
    (cache / "kernel.o").write_bytes(bytes(2_500_000))
    assert find("kernel cache").detail == f"{cache}, 2.5 MB"
    with read_only(tmp_path):
        assert find("kernel cache").ok is False
        assert "GARTEN_CACHE" in find("kernel cache").remedy
    monkeypatch.setenv("GARTEN_CACHE", str(cache / "kernel.o"))
    assert find("kernel cache").ok is False


def test_endpoint_settings(monkeypatch):
    assert find("endpoint").ok is None
    monkeypatch.setenv(MODEL, "small")
    assert find("endpoint").ok is False
    assert find("endpoint").remedy.startswith(f"Set {BASE_URL}")
    monkeypatch.setenv(BASE_URL, "http://localhost:8080/v1?token=secret-one")
    assert find("endpoint").detail == "small at http://localhost:8080/v1, no key"
    monkeypatch.setenv(KEYS[-1], "secret-two")
    assert find("endpoint").detail == f"small at http://localhost:8080/v1, key from {KEYS[-1]}"
    monkeypatch.setenv(BASE_URL, "http://me:secret-three@localhost/v1")
    assert find("endpoint").ok is False
    assert "secret" not in str(diagnose())


def test_nothing_is_printed_and_only_the_kernel_cache_is_written(tmp_path):
    environment = {**os.environ, "GARTEN_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    code = "from garten.doctor import diagnose; diagnose()"
    done = python(code, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}
