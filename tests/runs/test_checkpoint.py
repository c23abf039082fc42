import numpy as np
import pytest

from garten.errors import RunError
from garten.runs.checkpoint import Checkpoint, latest_checkpoint, load_checkpoint, save_checkpoint
from garten.runs.folder import RunFolder
from support import python

ARRAYS = {
    "weights": np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4),
    "turned": np.arange(6, dtype=np.int64).reshape(2, 3).T,
    "steps": np.array(7),
    "none": np.zeros((0, 3), np.uint8),
    "mask": np.array([True, False]),
}


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(tmp_path / "run", {}, seeds=[1], kind="train")


def store(folder, number):
    random = np.random.default_rng(number)
    random.random(3)
    state = {"random": random.bit_generator.state, "steps": number}
    save_checkpoint(folder, Checkpoint(number, ARRAYS, state, {"rate": 1e-4}))
    return folder.path / "checkpoints" / f"{number:09d}.safetensors"


def test_everything_comes_back(folder):
    store(folder, 5)
    checkpoint = load_checkpoint(folder, 5)
    assert checkpoint.number == 5
    assert checkpoint.config == {"rate": 1e-4}
    assert set(checkpoint.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        found = checkpoint.arrays[name]
        assert (found.dtype, found.shape) == (array.dtype, array.shape), name
        np.testing.assert_array_equal(found, array)


def test_a_random_state_goes_on_where_it_was(folder):
    store(folder, 5)
    random = np.random.default_rng(5)
    random.random(3)
    again = np.random.default_rng()
    again.bit_generator.state = load_checkpoint(folder, 5).state["random"]
    assert again.random(4).tolist() == random.random(4).tolist()


def test_the_same_bytes_in_every_process(folder, tmp_path):
    code = """
import sys, numpy as np
from garten.runs.checkpoint import Checkpoint, save_checkpoint
from garten.runs.folder import RunFolder
folder = RunFolder.create(sys.argv[1], {}, seeds=[1], kind="train")
arrays = {name: np.arange(5) for name in "abcdefgh"}
save_checkpoint(folder, Checkpoint(1, arrays, {"b": 1, "a": {"c", "d"}}, {"y": 1, "x": 2}))
"""
    contents = set()
    for name in ("one", "two", "three"):
        assert python(code, tmp_path / name).returncode == 0
        contents.add((tmp_path / name / "checkpoints" / "000000001.safetensors").read_bytes())
    assert len(contents) == 1


def test_the_latest_is_found_by_listing(folder):
    assert latest_checkpoint(folder) is None
    for number in (9, 10, 2):
        store(folder, number)
    (folder.path / "checkpoints" / "best.safetensors").write_bytes(b"")
    assert latest_checkpoint(folder).number == 10


def flip(content, place):
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:100],
        lambda content: flip(content, len(content) - 5),
        lambda content: content.replace(b'\\"steps\\":10', b'\\"steps\\":11'),
        lambda content: content.replace(b"0.0001", b"0.0002"),
        lambda content: content.replace(b"garten", b"nettrag"[:6]),
    ],
)
def test_a_damaged_one_is_skipped_with_a_warning(folder, caplog, damage):
    store(folder, 9)
    place = store(folder, 10)
    whole = place.read_bytes()
    place.write_bytes(damage(whole))
    assert place.read_bytes() != whole
    assert latest_checkpoint(folder).number == 9
    assert "000000010.safetensors is damaged; delete it and go on from an earlier one." in caplog.text
    with pytest.raises(RunError, match="is damaged"):
        load_checkpoint(folder, 10)


def test_a_missing_one_is_told(folder):
    with pytest.raises(RunError, match=r"000000003\.safetensors could not be read"):
        load_checkpoint(folder, 3)


def test_one_of_the_same_number_is_replaced(folder):
    store(folder, 1)
    save_checkpoint(folder, Checkpoint(1, {"x": np.ones(1)}, {}, {}))
    assert set(load_checkpoint(folder, 1).arrays) == {"x"}
