"""The recipes by stage."""

from __future__ import annotations

from garten.renderer.training.adversarial import Adversarial
from garten.renderer.training.autoencoding import Autoencoding
from garten.renderer.training.config import Config
from garten.renderer.training.forced import Forced
from garten.renderer.training.origin import first_renderer
from garten.renderer.training.recipe import Recipe
from garten.renderer.training.resolving import Resolving
from garten.runs.team import ALONE, Team


def recipe_for(config: Config, *, device: str = "cpu", team: Team = ALONE) -> Recipe:
    """The recipe of a run's stage, its renderer at the start of the run.

    Raises:
        RunError: the clips or the renderers that the settings name are not there or do not fit.
        RenderError: a clip or a renderer cannot be read.
    """
    renderer = first_renderer(config).to(device)
    if config.stage == "ae":
        return Autoencoding(config, renderer, team)
    if config.stage == "adversarial":
        return Adversarial(config, renderer, team)
    if config.stage == "resolve":
        return Resolving(config, renderer, team)
    return Forced(config, renderer, team)
