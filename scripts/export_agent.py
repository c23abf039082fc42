"""Write the agent of a training run as one file at half precision.

    python scripts/export_agent.py runs/craftax-gru

By default it becomes the agent that ships with the package, which ``--agent default`` plays.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from garten.errors import without_traceback
from garten.runs.folder import RunFolder
from garten.training.exported import DEFAULT, export_agent


def main() -> None:
    """Export, and say where to and how large."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="folder of a run of training")
    parser.add_argument("--checkpoint", type=int, help="steps of training; the latest kept by default")
    parser.add_argument("--out", type=Path, default=DEFAULT, help="file to write")
    asked = parser.parse_args()
    path = export_agent(RunFolder.open(asked.run), asked.out, steps=asked.checkpoint)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    with without_traceback():
        main()
