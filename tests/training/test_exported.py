"""An agent as one file: half the size, the same agent but for half precision."""

import json
import struct

import pytest
import torch

from garten.errors import RunError
from garten.runs.folder import RunFolder
from garten.training.exported import DEFAULT, export_agent, load_exported
from garten.training.stored import load_agent


def test_a_file_holds_the_agent(trained, tmp_path):
    run = RunFolder.open(trained)
    agent = load_agent(run, steps=1024)
    loaded = load_exported(export_agent(run, tmp_path / "agent.safetensors", steps=1024))
    kept = (loaded.name, loaded.game, loaded.tile, loaded.told_goal, loaded.trained_steps)
    assert kept == ("small", "Craftax-Classic", 0, False, 1024)
    weights, expected = loaded.policy.state_dict(), agent.policy.state_dict()
    assert list(weights) == list(expected)
    for name, part in expected.items():
        assert weights[name].dtype == part.dtype
        torch.testing.assert_close(weights[name], part, rtol=2**-11, atol=2**-24)
    exact = sum(part.numel() for part in expected.values()) * 2
    assert exact < (tmp_path / "agent.safetensors").stat().st_size < exact + 8192


def test_equal_agents_are_equal_files(trained, tmp_path):
    run = RunFolder.open(trained)
    one, other = (export_agent(run, tmp_path / name).read_bytes() for name in ("one", "other"))
    assert one == other


@pytest.mark.parametrize("damage", ["missing", "text", "no settings", "another network"])
def test_what_is_no_agent_is_refused_in_one_sentence(trained, tmp_path, damage):
    path = export_agent(RunFolder.open(trained), tmp_path / "agent.safetensors")
    content = path.read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    head = json.loads(content[8 : 8 + size])
    if damage == "missing":
        path.unlink()
    elif damage == "text":
        path.write_text("nothing")
    else:
        about = json.loads(head["__metadata__"]["garten"])
        if damage == "no settings":
            del about["config"]
        else:
            about["config"]["network"]["width"] = 17
        head["__metadata__"]["garten"] = json.dumps(about)
        written = json.dumps(head).encode()
        path.write_bytes(struct.pack("<Q", len(written)) + written + content[8 + size :])
    with pytest.raises(RunError, match=r"agent\.safetensors.*\.$"):
        load_exported(path)


def test_the_shipped_agent():
    assert DEFAULT.stat().st_size < 5_000_000
    assert load_exported().trained_steps >= 1_000_000
