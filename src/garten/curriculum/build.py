"""From the settings of a run to the source of its levels."""

from __future__ import annotations

from contextlib import ExitStack

from garten.authors.build import make_author
from garten.craftax.env import Env
from garten.curriculum.accel import Edit, EditedReplay
from garten.curriculum.craftax import CraftaxStage, craftax_trials
from garten.curriculum.dicode import DreamingInCode
from garten.curriculum.dr import DomainRandomisation
from garten.curriculum.edits import Swaps, turn_noise
from garten.curriculum.files import LevelFiles, given_sources, read_levels
from garten.curriculum.periods import L, Levels
from garten.curriculum.plr import LevelReplay
from garten.curriculum.sfl import LearnableLevels
from garten.curriculum.workshop import Workshop
from garten.curriculum.worlds import Worlds, WorldSeed
from garten.domain import Author
from garten.levels.domain import CraftaxDomain
from garten.levels.level import LIMITS
from garten.runs.resume import RunWriter
from garten.sandbox import Sandbox
from garten.training.agents import agent_of
from garten.training.config import Config
from garten.training.curricula import (
    ACCELSettings,
    DiCodeSettings,
    DRSettings,
    PLRSettings,
    SFLSettings,
)
from garten.training.sources import FreshWorlds, LevelSource

TAPES = "tapes"
"""Folder of a run for what a language model was asked and answered."""


def build(config: Config, run: RunWriter | None = None) -> LevelSource[Env]:
    """What chooses the worlds that the lanes of a run play; close it when training is over.

    Args:
        config: of the run.
        run: that is being written; Dreaming in Code keeps its levels there, others need none.

    Raises:
        RunError: there is no folder of levels as asked for.
        LevelError: a level file cannot be read.
        ValueError: Dreaming in Code is asked for, and no run is given.
    """
    chosen = config.curriculum
    if chosen is None:
        return FreshWorlds()
    if isinstance(chosen, DiCodeSettings):
        if run is None:
            raise ValueError("Dreaming in Code keeps its levels in a run; give one.")
        return dreaming(config, run)
    if isinstance(chosen, ACCELSettings):
        return EditedReplay(
            Worlds(noise=chosen.mutation == "noise"),
            edit=_edit(chosen),
            rollouts=chosen.rollouts,
            replay=chosen.replay,
            score=chosen.score,
            buffer=chosen.buffer,
            seed=config.seed,
        )
    if config.levels is None:
        return _choosing(Worlds(), chosen, config)
    levels = read_levels(given_sources(config.levels.folder, run))
    return _choosing(LevelFiles(levels, bonus=config.levels.bonus), chosen, config)


def require_levels(config: Config) -> None:
    """Refuse, before a run is begun, level files that it could not read.

    Raises:
        RunError: there is no folder of levels as asked for.
        LevelError: a level file cannot be read.
    """
    if config.levels is not None:
        read_levels(given_sources(config.levels.folder, None))


def _choosing(
    levels: Levels[L], chosen: DRSettings | PLRSettings | SFLSettings, config: Config
) -> LevelSource[Env]:
    """Curricula that choose from any kind of level."""
    if isinstance(chosen, DRSettings):
        return DomainRandomisation(levels, rollouts=chosen.rollouts, seed=config.seed)
    if isinstance(chosen, PLRSettings):
        return LevelReplay(
            levels,
            rollouts=chosen.rollouts,
            replay=chosen.replay,
            learn_new=chosen.learn_new,
            score=chosen.score,
            buffer=chosen.buffer,
            seed=config.seed,
        )
    return LearnableLevels(
        levels,
        chosen,
        agent_of=lambda policy: agent_of(policy, config, name="the run", steps=0),
        seed=config.seed,
    )


def _edit(chosen: ACCELSettings) -> Edit[WorldSeed]:
    if chosen.mutation == "noise":
        return turn_noise
    return Swaps(count=chosen.edits, restricted=chosen.mutation == "swap_restricted")


def dreaming(config: Config, run: RunWriter, *, author: Author | None = None) -> DreamingInCode[Env]:
    """Dreaming in Code for a run in Craftax; close it when training is over.

    Args:
        config: of the run, with settings of Dreaming in Code.
        run: that is being written.
        author: of new levels; by default the one that the settings name.

    Raises:
        RunError: there is no folder of levels as asked for.
        LevelError: a seed cannot be read.
        ModelError: a language model is asked for, and none can be reached.
    """
    settings = config.curriculum
    assert isinstance(settings, DiCodeSettings)
    with ExitStack() as held:
        domain, beside = (CraftaxDomain(held.enter_context(Sandbox(LIMITS))) for _ in range(2))
        if author is None:
            tapes = run.folder.file(TAPES)
            author = make_author(settings.author, beside, folder=tapes, settings=settings.llm)
        trials = craftax_trials(config, beside)
        workshop = Workshop(author, beside, trials, goals_only=settings.goals_only)
        seeds = domain.bare_seeds if settings.simple_seeds or settings.goals_only else domain.seeds
        if config.levels is not None:
            seeds = given_sources(config.levels.folder, run)
        return DreamingInCode(
            settings,
            config,
            run,
            seeds=seeds,
            domain=domain,
            stage=CraftaxStage(domain),
            workshop=workshop,
            held=held.pop_all(),
        )
