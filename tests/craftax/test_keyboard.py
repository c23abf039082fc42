import pytest

from garten.craftax.classic.tables import Action as ClassicAction
from garten.craftax.full.tables import Action
from garten.craftax.keyboard import ARROWS, LEAVE, NEW, bindings, groups


@pytest.mark.parametrize("actions", [Action, ClassicAction])
def test_every_action_has_one_key_and_every_key_one_action(actions):
    shown = [key for keys in groups(len(actions)).values() for key in keys]
    assert sorted(key.action for key in shown) == list(range(len(actions)))
    assert len({key.key for key in shown}) == len(shown)
    assert bindings(len(actions)) == {key.key: key.action for key in shown}
    assert [(action.name, int(action)) for action in ClassicAction] == [
        (action.name, int(action)) for action in list(Action)[: len(ClassicAction)]
    ]


def test_keys_can_be_typed_and_leaving_is_no_action():
    keys = bindings(len(Action))
    assert all(len(key) == 1 and key.isascii() and key.isprintable() for key in keys)
    assert LEAVE not in keys
    assert LEAVE != NEW
    assert [keys[key].name for key in (ARROWS[letter] for letter in "ABCD")] == [
        "UP",
        "DOWN",
        "RIGHT",
        "LEFT",
    ]
