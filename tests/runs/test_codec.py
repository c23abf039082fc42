import json
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garten import records
from garten.records import (
    Action,
    ActionSpec,
    Appearance,
    Argument,
    Constant,
    Episode,
    Score,
    Submission,
    Taken,
    WorldSpec,
)
from garten.runs.codec import dump, dump_line, from_json, timeless, to_json
from garten.worlds.find import load
from support import python

EPISODE = Episode(
    world="herding",
    version=1,
    seed=3,
    look="raw",
    size=(160, 90),
    taken=(Taken("left", Action("turn", {"by": 0.5}), 0, 20, "", "r01-g00-left-001"),),
    submissions=(Submission("left", "forward()\n\ud800", 0, 1, "", "line 1: no"),),
    ticks=20,
    terminated=False,
    truncated=True,
    score=Score(12.5, 41.0, {"penned": 0.25}),
    state_hash="ab" * 32,
    notes={"left": {"seen": [1, [2.5, None]], "ok": True}},
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_an_episode_survives_the_disk():
    assert from_json(Episode, json.loads(dump(EPISODE))) == EPISODE


def test_reading_and_writing_again_changes_no_byte():
    # A whole number in a field of floats must not come back as 1.0 in one place and 1 in another.
    episode = Episode(**{**EPISODE.__dict__, "score": Score(1, 2)})
    once = json.loads(dump(episode))
    assert dump(once) == dump(episode)
    assert dump(from_json(Episode, once)) == dump(from_json(Episode, json.loads(dump(once))))


@pytest.mark.parametrize("name", ["herding", "one-lane-bridge"])
def test_the_spec_of_a_world_survives_with_units_and_reasons(name):
    spec = load(name).spec
    back = from_json(WorldSpec, json.loads(dump(spec)))
    assert back == spec
    reasons = [{key: (item.unit, item.reason) for key, item in one.constants.items()} for one in (spec, back)]
    assert reasons[0] == reasons[1] != {}


def test_optional_fields_may_be_missing_or_null():
    assert from_json(Appearance, {"style": "s", "text": "t"}) == Appearance("s", "t", None)
    appearance = Appearance("s", "t", Path("a/b.png"))
    assert from_json(Appearance, to_json(appearance)) == appearance
    assert from_json(Argument, to_json(Argument("x", "float", -1, 1, None, "h"))).default is None


def test_every_record_with_plain_fields_has_type_hints_that_resolve():
    # A record whose annotations cannot be resolved at run time could be written but never read.
    unreadable = {"Moment", "Observation", "Reply"}  # they hold scenes and functions, and are not stored
    for name, kind in vars(records).items():
        if is_dataclass(kind) and kind.__module__ == records.__name__ and name not in unreadable:
            with pytest.raises(ValueError, match="wanted one of its fields"):
                from_json(kind, {"no such field": 0})
            assert fields(kind)


@given(JSON)
def test_json_values_pass_unchanged(value):
    assert json.loads(dump(value)) == value
    assert dump(json.loads(dump(value))) == dump(value)
    assert dump_line(value).count(b"\n") == 1


def test_canonical_form():
    assert dump({"b": (1, 2.0), "a": frozenset({"y", "x"})}) == (
        b'{\n "a": [\n  "x",\n  "y"\n ],\n "b": [\n  1,\n  2.0\n ]\n}\n'
    )
    assert dump_line({"b": np.float32(0.5), "a": "é\ud800\n"}) == b'{"a":"\\u00e9\\ud800\\n","b":0.5}\n'


def test_the_same_bytes_in_every_process():
    code = (
        "import sys; from garten.runs.codec import dump;"
        "sys.stdout.write(dump({'s': {'a', 'b', 'c', 'd', 'e'}}).hex())"
    )
    assert len({python(code).stdout for _ in range(2)}) == 1


@pytest.mark.parametrize("value", [np.zeros(2), object(), {1: "a"}, b"bytes", {"f": [lambda: 0]}])
def test_what_has_no_json_form_is_refused(value):
    with pytest.raises(TypeError):
        to_json(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_outside_json_are_refused(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump([value])


def changed(**changes):
    return {**to_json(EPISODE), **changes}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed(seed="3"), r"Episode\.seed: wanted a whole number, got '3'"),
        (changed(seed=True), r"Episode\.seed: wanted a whole number, got True"),
        (changed(terminated=0), r"Episode\.terminated: wanted true or false"),
        (changed(size=[160]), r"Episode\.size: wanted 2 items"),
        (changed(taken=[{}]), r"Episode\.taken\[0\]\.role: wanted a value, got 'nothing'"),
        (changed(score={"value": 1.0, "measure": "x"}), r"Episode\.score\.measure: wanted a number"),
        (changed(extra=1), r"Episode: wanted one of its fields"),
        ([], r"Episode: wanted an object"),
    ],
)
def test_data_that_does_not_fit_is_refused_with_its_place(data, message):
    with pytest.raises(ValueError, match=message):
        from_json(Episode, data)


def test_literals_and_unions_are_checked():
    with pytest.raises(ValueError, match=r"Argument\.kind: wanted one of \('float', 'int'\), got 'text'"):
        from_json(Argument, {**to_json(Argument("x", "int", 0, 1, 0, "")), "kind": "text"})


def test_frozensets_and_constants_come_back_as_such():
    @dataclass(frozen=True)
    class Held:
        buttons: frozenset[str]
        speed: Constant
        specs: list[ActionSpec] = field(default_factory=list)

    held = Held(frozenset({"a", "b"}), Constant(1.5, "m/s", "walking pace"), [ActionSpec("wait", 1.0, "")])
    back = from_json(Held, json.loads(dump(held)))
    assert back == held
    assert (back.speed.unit, back.speed.reason) == ("m/s", "walking pace")


def test_timeless_drops_clock_and_host_at_any_depth():
    value = {"time": 1, "a": [{"wall_seconds": 2, "host": {"pid": 3}, "timer": 4}], "wall": 5}
    assert timeless(value) == {"a": [{"timer": 4}], "wall": 5}
