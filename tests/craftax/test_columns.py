"""Structures of arrays: defaults, checks, rows."""

import numpy as np
import pytest

from garten.craftax.columns import Columns, Field, Place, digest, struct_type

FIELDS = (
    Field("count", int, "a count", default=3, low=0, high=9),
    Field("share", float, "a share", (2,), (0.25, 0.5)),
    Field("alive", bool, "whether", (3,)),
    Field("place", Place, "where", (2,), 7, low=0, high=63),
    Field("tile", np.uint8, "a block", default=2),
    Field("spot", Place, "where on each floor", (5, 2), 1, spread=True),
)
Row = struct_type("Row", FIELDS, module=__name__)


@pytest.fixture
def columns() -> Columns:
    return Columns(Row, FIELDS, rows=4)


def test_rows_start_with_the_defaults(columns):
    row = columns.row(3)
    assert {name: value.tolist() for name, value in row.items()} == {
        "count": 3,
        "share": [0.25, 0.5],
        "alive": [False] * 3,
        "place": [[7, 7], [7, 7]],
        "tile": 2,
        "spot": [[[1, 1], [1, 1]]] * 5,
    }
    assert [field.dtype for field in FIELDS] == [np.int32, np.float32, np.bool_, np.int32, np.uint8, np.int32]
    assert columns.bytes_per_row == 4 + 8 + 3 + 16 + 1 + 80


def test_a_row_is_written_alone(columns):
    columns.put(1, {"count": 5, "place": [[1, 2], [3, 4]]})
    assert columns.read("count").tolist() == [3, 5, 3, 3]
    assert columns.row(1)["place"].tolist() == [[1, 2], [3, 4]]
    assert columns.row(1)["share"].tolist() == [0.25, 0.5]


def test_views_share_memory(columns):
    columns.read("count")[2] = 8
    assert columns.row(2)["count"] == 8


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": 10}, "within 0 to 9"),
        ({"count": 2.5}, "give int32"),
        ({"count": [1, 2]}, "give it shape"),
        ({"share": [0.1, float("nan")]}, "finite"),
        ({"place": [[0, 0], [0, 64]]}, "within 0 to 63"),
        ({"tile": 300}, "give uint8"),
        ({"colour": 1}, "no field 'colour'; the closest is count"),
    ],
)
def test_wrong_values_are_refused_and_nothing_is_written(columns, values, message):
    before = columns.row(0)
    with pytest.raises(ValueError, match=message):
        columns.put(0, {"alive": [True, True, True]} | values)
    after = columns.row(0)
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_there_is_no_row_beyond_the_last(columns):
    with pytest.raises(IndexError, match="rows are 0 to 3"):
        columns.row(4)


def test_a_digest_tells_rows_apart_but_not_by_floats(columns):
    columns.put(1, {"share": [0.0, 0.0]})
    columns.put(2, {"alive": [False, True, False]})
    sums = [digest(FIELDS, columns.row(index)) for index in range(4)]
    assert sums[0] == sums[1] == sums[3] != sums[2]


def test_spread_fields_read_and_write_like_others(columns):
    values = np.arange(20).reshape(5, 2, 2)
    columns.put(2, {"spot": values})
    assert np.array_equal(columns.row(2)["spot"], values)
    assert (columns.row(1)["spot"] == 1).all()
    view = columns.read("spot")
    assert view.shape == (4, 5, 2, 2)
    assert view[:, 0].base is not None
    assert view.strides[0] < view.strides[1]
    view[3, 4] = 9
    assert columns.row(3)["spot"].tolist() == [[[1, 1], [1, 1]]] * 4 + [[[9, 9], [9, 9]]]
