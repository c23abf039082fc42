"""An expert at the dog's company that reads its mood, to show that the world can be played well.

It invites until the dog stands near, then does what the dog likes most among what it will still enjoy to the
end, and gives it room when there is no such thing.
"""

from __future__ import annotations

from garten.records import Action
from garten.worlds.companion_dog import CompanionDog
from garten.worlds.companion_dog import constants as c
from garten.worlds.companion_dog.individual import ACTIVITIES, INVITING
from garten.worlds.companion_dog.temper import Mode

LEAST = 0.25  # appetite below which giving room is the better use of the time


def action(world: CompanionDog) -> Action:
    """The next action."""
    mood, dog = world.mood, world.dog
    if mood.mode is Mode.RESTING or mood.mode is Mode.REFUSING:
        return Action("withdraw")
    near = world.stance.gap <= c.ARM - 0.1
    choices = []
    for index, name in enumerate(ACTIVITIES):
        load = mood.load + dog.efforts[index] * c.STROKE / dog.patience
        overdone = mood.overdone[index] + c.STROKE / dog.enough[index]
        fits = load < 1.0 and overdone < 1.0
        if fits and (near or name in INVITING):
            choices.append((mood.appetite(dog, index), name))
    best, name = max(choices, default=(0.0, ""))
    return Action(name if best >= LEAST else "withdraw")


def play(world: CompanionDog) -> None:
    """Play from the present state to the end."""
    while not world.over:
        world.act({"person": action(world)})
