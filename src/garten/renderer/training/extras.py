"""Further conditions of training clips: what lies over the RGB latents beside geometry."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from garten.errors import RunError
from garten.renderer.data.clip import Clip
from garten.renderer.renderer import Renderer


class Extra(Protocol):
    """Makes the further conditions of a clip."""

    def __call__(self, clip: Clip, rgb: Tensor) -> Tensor:
        """Conditions [F, E, h, w] for the F latent frames of a clip.

        Args:
            clip: with its frames, ids and exact motion.
            rgb: its latents [F, C, h, w].
        """
        ...


def extra_for(renderer: Renderer, *, block_frames: int) -> Extra | None:
    """What makes the further conditions that a renderer takes; None if it takes none.

    Args:
        renderer: with its codec.
        block_frames: frames of a block; of a clip all but the first, where whole clips are generated at once.

    Raises:
        RunError: nothing here makes as many channels.
    """
    channels = renderer.settings.network.extra
    if channels == 0:
        return None
    raise RunError(f"Nothing makes {channels} channels of further conditions; set renderer.network.extra=0.")
