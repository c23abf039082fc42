"""What the rules in `garten.craftax.rules` rely on: both games number what both have alike."""

import pytest

from garten.craftax.classic import tables as classic
from garten.craftax.full import tables as full


@pytest.mark.parametrize("name", ["Block", "Achievement", "Action", "Item"])
def test_the_games_number_alike_what_both_have(name):
    ours, theirs = getattr(full, name).__members__, getattr(classic, name).__members__
    shared = set(ours) & set(theirs)
    assert {key: ours[key].value for key in shared} == {key: theirs[key].value for key in shared}
    assert len(shared) >= 6
