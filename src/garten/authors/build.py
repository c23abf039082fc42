"""Authors by name, as command line and curricula ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from garten.authors.rules import RulesAuthor
from garten.domain import Answered, Author, Domain

AuthorName = Literal["rules", "llm"]


def make_author(
    name: AuthorName,
    domain: Domain,
    *,
    folder: Path,
    settings: Mapping[str, Any] | None = None,
    answered: Answered | None = None,
) -> Author:
    """An author of a domain's levels.

    Args:
        name: which.
        domain: whose levels; used by one thread at a time.
        folder: for what a language model was asked and answered.
        settings: of the language-model author, by name; see `garten.authors.settings`.
        answered: told each answer when it is there, in any thread, while none uses the domain.

    Raises:
        ModelError: a setting is wrong, no endpoint is set, or the extra ``llm`` is not installed.
    """
    if name == "rules":
        return RulesAuthor(domain, answered=answered)
    # These load what only a language model needs.
    from garten.authors.llm import LlmAuthor
    from garten.authors.settings import AuthorSettings
    from garten.llm.client import require_sdk

    require_sdk()
    return LlmAuthor(domain, AuthorSettings.of(settings or {}), folder, answered=answered)
