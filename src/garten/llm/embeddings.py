"""Texts as vectors, from an OpenAI-compatible embeddings endpoint."""

from __future__ import annotations

from collections.abc import Sequence

from garten.errors import ModelError
from garten.llm.client import require_sdk
from garten.llm.endpoint import Endpoint


class Embedder:
    """Asks one endpoint for vectors."""

    def __init__(self, endpoint: Endpoint, *, seconds: float = 60.0) -> None:
        """Ask `endpoint`, whose model embeds; a call takes `seconds` at most."""
        self._endpoint, self._seconds = endpoint, seconds

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, all of one length.

        Raises:
            ModelError: the endpoint failed, or did not answer with such vectors.
        """
        require_sdk()
        import openai

        endpoint = self._endpoint
        try:
            with openai.OpenAI(base_url=endpoint.base_url, api_key=endpoint.key or "none") as sdk:
                reply = sdk.embeddings.create(
                    model=endpoint.model, input=list(texts), timeout=self._seconds, encoding_format="float"
                )
            vectors = [[float(number) for number in entry.embedding] for entry in reply.data]
        except (openai.OpenAIError, TypeError, ValueError, AttributeError) as error:
            told = endpoint.hide(str(error))[:200]
            raise ModelError(
                f"The embeddings of {endpoint.base_url} failed ({told}); check that its model embeds."
            ) from None
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1 or not all(vectors):
            raise ModelError(
                f"{endpoint.base_url} gives not one vector for each text; check that its model embeds."
            )
        return vectors
