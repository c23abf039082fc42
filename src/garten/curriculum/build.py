"""From the settings of a run to the source of its levels."""

from __future__ import annotations

from garten.curriculum.accel import Edit, EditedReplay
from garten.curriculum.dr import DomainRandomisation
from garten.curriculum.edits import Swaps, turn_noise
from garten.curriculum.plr import LevelReplay
from garten.curriculum.sfl import LearnableLevels
from garten.curriculum.worlds import Worlds, WorldSeed
from garten.errors import RunError
from garten.training.agents import agent_of
from garten.training.config import Config
from garten.training.curricula import ACCELSettings, DRSettings, PLRSettings
from garten.training.sources import FreshWorlds, LevelSource


def build(config: Config) -> LevelSource:
    """What chooses the worlds that the lanes of a run play.

    Raises:
        RunError: the game lacks what the curriculum needs.
    """
    chosen, worlds, seed = config.curriculum, Worlds(), config.seed
    if chosen is None:
        return FreshWorlds()
    if isinstance(chosen, DRSettings):
        return DomainRandomisation(worlds, rollouts=chosen.rollouts, seed=seed)
    if isinstance(chosen, PLRSettings):
        return LevelReplay(
            worlds,
            rollouts=chosen.rollouts,
            replay=chosen.replay,
            learn_new=chosen.learn_new,
            score=chosen.score,
            buffer=chosen.buffer,
            seed=seed,
        )
    if isinstance(chosen, ACCELSettings):
        return EditedReplay(
            Worlds(noise=chosen.mutation == "noise"),
            edit=_edit(chosen, config),
            rollouts=chosen.rollouts,
            replay=chosen.replay,
            score=chosen.score,
            buffer=chosen.buffer,
            seed=seed,
        )
    return LearnableLevels(
        worlds,
        chosen,
        agent_of=lambda policy: agent_of(policy, config, name="the run", steps=0),
        seed=seed,
    )


def _edit(chosen: ACCELSettings, config: Config) -> Edit[WorldSeed]:
    if chosen.mutation == "noise":
        return turn_noise
    if config.game != "Craftax":
        raise RunError(f"{config.game} has no swaps of tiles; set curriculum.mutation=noise.")
    return Swaps(count=chosen.edits, restricted=chosen.mutation == "swap_restricted")
