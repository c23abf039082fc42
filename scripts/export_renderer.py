"""Write the latest renderer of a training run as one file at half precision.

    python scripts/export_renderer.py runs/causal --steps 2

By default it becomes the renderer that comes along, which ``--look neural`` takes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from garten.errors import without_traceback
from garten.renderer.look import DEFAULT
from garten.renderer.training.exported import export_renderer


def main() -> None:
    """Export, and say where to and how large."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="folder of a run of training, or a renderer's file")
    parser.add_argument("--steps", type=int, help="of denoising, by default; as trained unless told")
    parser.add_argument("--out", type=Path, default=DEFAULT, help="file to write")
    asked = parser.parse_args()
    path = export_renderer(asked.run, asked.out, steps=asked.steps)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    with without_traceback():
        main()
