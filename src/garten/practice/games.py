"""One game of practice, as a job that any process can play, and the pool of processes that plays many."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from garten.episodes.looks import look
from garten.episodes.run import play
from garten.episodes.views import AnyLook
from garten.errors import RunError
from garten.practice.players import load_player
from garten.practice.program import ProgramAgent
from garten.records import Brief, Episode
from garten.sandbox import Sandbox
from garten.seeds import derive
from garten.worlds.find import load


@dataclass(frozen=True)
class Job:
    """Everything a process needs to play one game."""

    game: str  # id, e.g. "r02-p1-g05"
    world: str  # name or path
    player: str  # kind of player
    seats: Mapping[str, tuple[Brief, Mapping[str, Any]]]  # by role: the player's brief and its plan's data
    seed: int  # of the world
    look: str
    size: tuple[int, int]  # width x height of the frames
    folder: str  # what must survive a kill may be kept here


def play_game(job: Job, *, shown: AnyLook | None = None) -> Episode:
    """Play one game from its job alone; the same job gives the same episode.

    A game in which no player made a move is an error and has no score: it would say something about the world
    and nothing about its players.

    Args:
        job: the game.
        shown: makes the frames; None for the look that the job names.
    """
    agents = {role: _agent(job, role, brief, plan) for role, (brief, plan) in job.seats.items()}
    world = load(job.world)()
    frames = look(job.look) if shown is None else shown
    episode = play(world, agents, seed=job.seed, look=frames, size=job.size, name=job.game)
    if not episode.taken and not episode.error:
        return replace(episode, score=None, error="No player made a move.")
    return episode


def _agent(job: Job, role: str, brief: Brief, plan: Mapping[str, Any]) -> ProgramAgent:
    """One role's agent: a seat of the job's kind of player behind a sandbox."""
    seed = derive(brief.seed, job.game, role)
    seat = load_player(job.player).seat(brief, role, plan, seed=seed, folder=job.folder)
    lessons = [lesson for lesson in brief.playbook.lessons if lesson.code]
    # Authors may choose one name; where functions share one, the later lesson's counts.
    library = {f"{one.name} (round {one.round}, {one.author})": one.code for one in lessons}
    return ProgramAgent(seat, brief.tasks[role], _sandbox(), seed=seed, library=library)


class Pool:
    """Processes that play games side by side; use as a context manager.

    With one worker the games are played in the calling process. More of them hold one end of a leash, a pipe
    whose other end is here, and leave when it is let go of: at the end of the context, where games under way
    are given up, and when this process is killed.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Pool:
        if self._workers > 1:
            _quieten_tracker()
            context = get_context("spawn")
            end, self._leash = context.Pipe(duplex=False)
            self._executor = ProcessPoolExecutor(
                self._workers, mp_context=context, initializer=_start_worker, initargs=(end,)
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._leash.close()
            self._executor.shutdown(cancel_futures=True)

    def play(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Episode]]:
        """Play the jobs and yield each as it finishes, in any order.

        Raises:
            RunError: a process was killed, or could not be started.
        """
        if self._executor is None:
            yield from ((job, play_game(job)) for job in jobs)
            return
        try:
            with _interrupts_held():  # the first job starts the processes
                futures = {self._executor.submit(play_game, job): job for job in jobs}
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            raise RunError(
                "A process that plays games was killed, perhaps for want of memory; go on with --resume and "
                "fewer --workers."
            ) from error


@cache
def _sandbox() -> Sandbox:
    """The sandbox of this process."""
    return Sandbox()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the context ends, and processes that start in it never hear of any.

    A terminal sends it to all of them at once, but what to stop is this process's decision.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _quieten_tracker() -> None:
    """Start the process that cleans up semaphores, told not to warn of those a killed process has left."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, "ignore:resource_tracker"]))
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def _start_worker(leash: Connection) -> None:
    """Leave when the leash is let go of, whatever is being played; see `Pool`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the sandbox's own processes, which inherit it

    def follow() -> None:
        wait([leash])
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
