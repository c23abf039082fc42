"""A small run with everything a real one has, which can be made to kill itself at any line of its own.

As a script: ``program.py FOLDER SEED KILLS`` plays the run again and again in FOLDER, killing and resuming it
at moments drawn from SEED, until it was killed KILLS times; it writes how often it was killed and finished.
"""

import json
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import garten.runs
from garten.runs.checkpoint import Checkpoint, save_checkpoint
from garten.runs.resume import RunWriter, begin

ROUNDS, GAMES = 3, 4
WATCHED = (str(Path(garten.runs.__file__).parent), __file__)


def run_program(path: Path) -> None:
    """Play rounds of games; what each computes depends on everything before it."""
    with begin(path, {"rounds": ROUNDS}, seeds=[7], kind="test", resume=True) as run:
        total = 0
        for number in range(1, ROUNDS + 1):
            total = _round(run, number, total)
            arrays = {"weights": np.full((3, 2), total, np.float32), "bias": np.arange(number)}
            save_checkpoint(run.folder, Checkpoint(number, arrays, {"total": total}, {"rounds": ROUNDS}))
        run.once("totals.json", lambda: {"total": total})
        run.event("end", {"total": total, "wall_seconds": os.getpid()})


def _round(run: RunWriter, number: int, total: int) -> int:
    folder = f"rounds/{number:02d}"

    def play(missing: dict[str, int]) -> Iterable[tuple[str, object]]:
        for place, game in reversed(missing.items()):  # they finish out of order
            run.folder.write_bytes(place.replace("episode.json", "frames.bin"), bytes([game]) * 5000)
            yield place, {"game": game, "score": total * 3 + game, "time": os.getpid()}

    games = {f"{folder}/episodes/g{game}/episode.json": game for game in range(GAMES)}
    for place, episode in run.each(games, play):
        total += episode["score"]
        run.event("episode", {"path": place, "round": number, "score": episode["score"]})
    note = run.once(f"{folder}/note.json", lambda: {"total": total, "text": "é" * number})
    run.event("round", {"round": number, **note})
    return total


def die_at(line: int, *, torn: bool) -> None:
    """Have this process kill itself at the `line`-th line it runs of WATCHED files, or in the next write."""
    count, write = 0, os.write

    def half(descriptor: int, content: bytes) -> int:
        write(descriptor, content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def trace(frame: object, event: str, _: object) -> object:
        nonlocal count
        if not frame.f_code.co_filename.startswith(WATCHED):
            return None
        count += event == "line"
        if count >= line and torn:
            os.write = half
        elif count >= line:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)


def main(folder: Path, seed: int, kills: int) -> None:
    """Play runs until enough of them were killed."""
    random = np.random.default_rng(seed)
    killed, finished = 0, 0
    while killed < kills:
        # About 10000 lines make the whole run, 6000 read it again when everything is stored.
        line, torn = int(random.integers(1, 10000)), bool(random.random() < 0.3)
        child = os.fork()
        if child == 0:
            die_at(line, torn=torn)
            run_program(folder / f"run{finished}")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert status in (0, signal.SIGKILL), status
        killed += status == signal.SIGKILL
        finished += status == 0
    run_program(folder / f"run{finished}")
    sys.stdout.write(json.dumps({"killed": killed, "finished": finished + 1}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
