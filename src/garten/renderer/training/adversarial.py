"""Stage 3, Adversarial Forcing: a causal student learns on its own rollouts, in turns with its critics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial

import torch
from torch import Tensor

from garten.renderer.blocks import Clip
from garten.renderer.clock import Clock, rollout_windows
from garten.renderer.discriminator import Eye, Head, tapped_layers
from garten.renderer.distill import Pull, Shared, draw_shared, fake_loss, judge_step, pull_of, student_loss
from garten.renderer.history import Shown
from garten.renderer.prefix import Prefix
from garten.renderer.renderer import Renderer
from garten.renderer.replay import Rollout, replay, roll_out
from garten.renderer.training import figures
from garten.renderer.training.batches import Batches, generator_for
from garten.renderer.training.config import Config
from garten.renderer.training.dealt import gathered, meeting
from garten.renderer.training.extras import extra_for
from garten.renderer.training.inputs import Batch
from garten.renderer.training.origin import teacher_for
from garten.renderer.training.pupil import Pupil
from garten.renderer.training.recipe import Groups, learned_weights
from garten.renderer.window import Window
from garten.runs.team import ALONE, Team
from garten.seeds import derive

SHARE_EVERY = 20
"""Turns of the student between looks at how much of its gradient arrives through history: a second replay."""


@dataclass(frozen=True)
class _Rolled:
    """A rollout, what it was made for, and what the turn draws for its critics."""

    batch: Batch  # further conditions of its clip are the teacher's
    window: Window
    prefix: Prefix
    seen: Prefix  # by the teacher and the fake score
    rollout: Rollout
    shared: Shared


class Adversarial:
    """Lets a student learn from a frozen teacher, a fake score and a judge."""

    def __init__(self, config: Config, renderer: Renderer, team: Team = ALONE) -> None:
        """Prepare to teach a causal renderer.

        Raises:
            RunError: the clips or the teacher are not there or do not fit.
            RenderError: there are no clips that are long enough, or the teacher cannot be read.
        """
        self.renderer, self._config, self._team = renderer, config, team
        settings, distill = config.learning, config.distill
        self._teacher = teacher_for(config).to(renderer.codec.mean.device)
        # A teacher may be told the reference, carried through the whole clip; a student what it has shown.
        told = extra_for(self._teacher, block_frames=config.whole_frames)
        self._batches = Batches(config, renderer, team, extra=told)
        warm_up = distill.warm_up if distill.adversarial else 0
        self._clock = Clock(derive(config.seed, "clock"), fakes=distill.fakes, warm_up=warm_up)
        turns = Counter(self._clock.turn(step) for step in range(config.steps))
        self._fake_network = deepcopy(self._teacher.network).requires_grad_(True)
        deal = config.learning.deal
        self._student_meeting = meeting(renderer.network, deal=deal, team=team)
        self._fake_meeting = meeting(self._fake_network, deal=deal, team=team)
        self._student = Pupil(learned_weights(renderer, config), settings, steps=turns["student"], team=team)
        self._fake = Pupil(
            dict(self._fake_network.named_parameters()),
            settings,
            steps=turns["fake"],
            rate=distill.fake_rate,
            setting="distill.fake_rate",
            average=False,
            team=team,
        )
        self._head = self._new_head() if distill.adversarial else None
        self._judge = self._head and Pupil(
            dict(self._head.named_parameters()),
            settings,
            steps=turns["judge"] + turns["fake"],
            rate=distill.judge_rate,
            setting="distill.judge_rate",
            average=False,
            team=team,
        )

    def _new_head(self) -> Head:
        width, layers = self._teacher.network.tokens_in.out_features, len(self._teacher.network.layers)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(derive(self._config.seed, "judge"))
            head = Head(width, taps=len(tapped_layers(layers)), heads=self._config.distill.heads)
        return head.to(self.renderer.codec.mean.device)

    def learn(self, step: int) -> dict[str, float]:
        """See `Recipe.learn`."""
        turn = self._clock.turn(step)
        rolled = (self._roll(step, number) for number in self._batches.numbers(step))
        try:
            if turn == "student":
                return self._teach_student(rolled)
            return self._teach_critics(rolled, fake=turn == "fake")
        finally:
            self._student_meeting.over()
            self._fake_meeting.over()

    def _roll(self, step: int, number: int) -> _Rolled:
        """The rollout of one batch; steps and window are those of the turn, for all its batches."""
        settings, batch = self._config.renderer, self._batches(number)
        window = self._clock.window(step, rollout_windows(settings.past))
        generator = generator_for(self._config.seed, "rollout", number)
        seeds = torch.randint(2**62, (len(batch.captions),), generator=generator).tolist()
        with torch.no_grad():
            prefix = self.renderer.prefixes(batch.captions)
            seen = self._teacher.prefixes(batch.captions)
        rollout = self._student_meeting(
            lambda: roll_out(
                self.renderer.network,
                settings,
                self._given(batch),
                prefix,
                steps=self._clock.steps(step, len(settings.endpoints)),
                seeds=seeds,
                window=window,
                shown=self._shown(batch),
            )
        )
        return _Rolled(batch, window, prefix, seen, rollout, draw_shared(rollout.clean, generator=generator))

    def _given(self, batch: Batch) -> Clip:
        """What the student is given of clips: it is told what it shows itself, not what the teacher is."""
        own, extra = self._config.renderer.dense, batch.clip.extra
        return replace(batch.clip, extra=extra[:, :, :own] if own and extra is not None else None)

    def _shown(self, batch: Batch) -> Shown | None:
        settings = self._config.renderer
        if settings.network.history == "attention":
            return None
        return Shown(self.renderer.codec, batch.carries, block_frames=settings.block_frames)

    def _replay(self, rolled: _Rolled, *, history: bool) -> Tensor:
        return self._student_meeting(
            lambda: replay(
                self.renderer.network,
                self._config.renderer,
                self._given(rolled.batch),
                rolled.prefix,
                rolled.rollout,
                window=rolled.window,
                recompute=self._config.learning.recompute,
                history=history,
            )
        )

    def _teach_student(self, rolled: Iterator[_Rolled]) -> dict[str, float]:
        distill, parts = self._config.distill, self._config.data.accumulate
        self._student.clear()
        told, total = figures.Means(self._team), 0.0
        for one in rolled:
            x = self._replay(one, history=distill.history)
            pull = self._pull(one, x)
            loss = student_loss(x, pull, adversarial=distill.adversarial) / parts
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
            told.add(figures.of_pull(pull, adversarial=distill.adversarial))
            told.add({"replay_error": float((x.detach() - one.rollout.clean).abs().max())})
        if distill.history and parts == 1 and self._student.done % SHARE_EVERY == 0:
            told.add({"history_share": self._history_share(one, pull)})
        total = self._team.sum(total)
        learned = self._student.step(total, of="student's loss")
        return {"student_loss": total, **told(), **_named("student", learned)}

    def _pull(self, rolled: _Rolled, x: Tensor) -> Pull:
        guidance, silent = self._config.distill.guidance, None
        if guidance != 1.0:
            with torch.no_grad():
                silent = self._teacher.prefixes([""] * len(x))
        return self._fake_meeting(
            lambda: pull_of(
                x,
                rolled.batch.clip,
                rolled.seen,
                rolled.shared,
                teacher=self._teacher.network,
                fake=self._fake_network,
                head=self._head,
                silent=silent,
                guidance=guidance,
            )
        )

    def _history_share(self, rolled: _Rolled, pull: Pull) -> float:
        """How much of the student's gradient, which is there, is missing where history is taken as given."""
        weights = [part for part in self._student.weights.values() if part.grad is not None]
        x = self._replay(rolled, history=False)
        loss = student_loss(x, pull, adversarial=self._config.distill.adversarial)
        without = torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)
        return figures.share_beyond([part.grad for part in weights if part.grad is not None], without)

    def _teach_critics(self, rolled: Iterator[_Rolled], *, fake: bool) -> dict[str, float]:
        parts, told = self._config.data.accumulate, figures.Means(self._team)
        self._fake.clear()
        if self._judge:
            self._judge.clear()
        for one in rolled:
            if fake:
                loss = self._fake_meeting(partial(self._fake_loss, one))
                (loss / parts).backward()  # type: ignore[no-untyped-call]
                told.add({"fake_loss": float(loss.detach())})
            if self._head is not None:
                eye = Eye(self._teacher.network, one.batch.clip, one.seen, one.shared.level, one.shared.eps)
                judged = judge_step(one.rollout.clean, eye, self._head, gamma=self._config.distill.gamma)
                (judged.loss / parts).backward()  # type: ignore[no-untyped-call]
                told.add(figures.of_judge(judged))
        means = told()
        if fake:
            learned = self._fake.step(means["fake_loss"], of="fake score's loss")
            means |= _named("fake", learned)
        if self._judge:
            means |= _named("judge", self._judge.step(means["judge_loss"], of="judge's loss"))
        return means

    def _fake_loss(self, rolled: _Rolled) -> Tensor:
        clean, clip = rolled.rollout.clean, rolled.batch.clip
        return fake_loss(self._fake_network, clean, clip, rolled.seen, rolled.shared)

    @contextmanager
    def finished(self) -> Iterator[Renderer]:
        """See `Recipe.finished`."""
        with self._student.averaged():
            yield gathered(self.renderer)

    def groups(self) -> dict[str, Mapping[str, Tensor]]:
        """See `Recipe.groups`."""
        groups: dict[str, Mapping[str, Tensor]] = {"renderer": self.renderer.state_dict()}
        groups |= {"fake": self._fake_network.state_dict()}
        groups |= {**self._student.groups("student"), **self._fake.groups("fake")}
        if self._head is not None and self._judge:
            groups |= {"judge": self._head.state_dict(), **self._judge.groups("judge")}
        return groups

    def restore(self, groups: Groups) -> None:
        """See `Recipe.restore`."""
        self.renderer.load_state_dict(groups["renderer"])
        self._fake_network.load_state_dict(groups["fake"])
        self._student.restore("student", groups)
        self._fake.restore("fake", groups)
        if self._head is not None and self._judge:
            self._head.load_state_dict(groups["judge"])
            self._judge.restore("judge", groups)


def _named(who: str, told: Mapping[str, float]) -> dict[str, float]:
    return {f"{who}_{name}": value for name, value in told.items()}
