"""Plans: the usual loops around a compiled block, of training, of judging, of using it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.optimizers import AdamOptimizer
from engine.dialects.tensorflow.reductions import reduce_mean, reduce_sum
from engine.dialects.tensorflow.session import Session
from engine.dialects.tensorflow.train import get_or_create_global_step
from engine.dialects.tensorflow.variables import global_variables_initializer
from engine.dialects.tensorflow_fold.compiler import Compiler


def group_by_batches(iterable: Iterable[Any], batch_size: int, truncate: bool = False) -> Iterator[list[Any]]:
    """Lists of ``batch_size`` items; the last one may be shorter (``truncate``: it is left out)."""
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    items = iter(iterable)
    while batch := list(islice(items, batch_size)):
        if len(batch) == batch_size or not truncate:
            yield batch


batches = group_by_batches


def epochs(items: Iterable[Any], n: int | None = None, shuffle: bool = True, prng: Any = None) -> Iterator[list[Any]]:
    """The items ``n`` times (``None``: for ever), in a new order each time."""
    known = list(items)
    random = prng or np.random.RandomState()
    number = 0
    while n is None or number < n:
        order = list(range(len(known)))
        if shuffle and number:
            random.shuffle(order)
        yield [known[place] for place in order]
        number += 1


class Plan:
    """What plans share: a compiler, examples, numbers by name."""

    mode: str | None = None

    @staticmethod
    def create(mode: str) -> Plan:
        """A plan by its mode: ``"train"``, ``"eval"`` or ``"infer"``."""
        kinds: dict[str, type[Plan]] = {"train": TrainPlan, "eval": EvalPlan, "infer": InferencePlan}
        if mode not in kinds:
            raise ValueError(f"unrecognized mode: {mode}")
        return kinds[mode]()

    def __init__(self) -> None:
        self.compiler: Compiler | None = None
        self.examples: Any = None
        self.dev_examples: Any = None
        self.batch_size = 32
        self.epochs: int | None = None
        self.losses: dict[str, Any] = {}
        self.metrics: dict[str, Any] = {}
        self.outputs: dict[str, Any] = {}
        self.train_feeds: dict[Any, Any] = {}
        self.optimizer_params: dict[str, Any] = {}
        self.report_loss: Any = None
        self.print_function: Any = print
        self.prng_seed = 42

    def assert_runnable(self) -> None:
        """:raises ValueError: something is missing."""
        if self.compiler is None:
            raise ValueError("compiler is required")
        if self.examples is None:
            raise ValueError("examples is required")

    def loss_total(self) -> Any:
        """The sum of all losses, each averaged over the examples."""
        if not self.losses:
            raise ValueError("At least one loss is required.")
        found = [reduce_mean(convert(loss)) for loss in self.losses.values()]
        return found[0] if len(found) == 1 else math_ops.add_n(found)

    def run(self, session: Any = None) -> None:
        """Do it."""
        self.assert_runnable()
        if session is not None:
            self._run(session)
            return
        with Session() as own:
            own.run(global_variables_initializer())
            self._run(own)

    def _run(self, session: Any) -> None:
        raise NotImplementedError

    def _feeds(self, batch: list[Any]) -> dict[Any, Any]:
        assert self.compiler is not None
        return self.compiler.build_feed_dict(batch)

    def _say(self, text: str) -> None:
        self.print_function(text)


class TrainPlan(Plan):
    """Minimises the losses over epochs of batches."""

    mode = "train"

    def __init__(self) -> None:
        super().__init__()
        self.train_op: Any = None
        self.global_step = get_or_create_global_step()

    def build_optimizer(self) -> Any:
        """What minimises: Adam, unless a subclass says otherwise."""
        return AdamOptimizer(**self.optimizer_params)

    def finalize_stats(self) -> None:
        """Build what is still missing."""
        if self.train_op is None:
            self._total = self.loss_total()
            self.train_op = self.build_optimizer().minimize(self._total, global_step=self.global_step)

    def run(self, session: Any = None) -> None:
        self.assert_runnable()
        self.finalize_stats()
        super().run(session)

    def _run(self, session: Any) -> None:
        random = np.random.RandomState(self.prng_seed)
        for number, items in enumerate(epochs(self.examples, self.epochs or 1, prng=random), 1):
            seen = total = 0.0
            for batch in group_by_batches(items, self.batch_size):
                _, loss = session.run([self.train_op, self._total], {**self._feeds(batch), **self.train_feeds})
                seen, total = seen + 1, total + float(loss)
            line = f"epoch:{number:5d} train[loss: {total / max(seen, 1):.3e}]"
            if self.dev_examples is not None:
                line += f" dev[{_judged(self, session, self.dev_examples)}]"
            self._say(line)


class EvalPlan(Plan):
    """Says the losses and metrics over the examples."""

    mode = "eval"

    def _run(self, session: Any) -> None:
        self._say(f"eval[{_judged(self, session, self.examples)}]")


class InferencePlan(Plan):
    """Gives the outputs for the examples to ``results_fn``, with what ``key_fn`` says of each."""

    mode = "infer"

    def __init__(self) -> None:
        super().__init__()
        self.key_fn: Any = None
        self.results_fn: Any = None
        self.outputs: Any = None

    def assert_runnable(self) -> None:
        super().assert_runnable()
        if self.outputs is None:
            raise ValueError("outputs is required")

    def _run(self, session: Any) -> None:
        found = []
        for batch in group_by_batches(self.examples, self.batch_size):
            rows = session.run(self.outputs, self._feeds(batch))
            columns = rows if isinstance(rows, list | tuple) else [rows]
            found += list(zip(map(self.key_fn or (lambda x: x), batch), zip(*columns, strict=True), strict=True))
        if self.results_fn is not None:
            self.results_fn(found)
        else:
            for key, values in found:
                self._say(f"{key} {values}")


def _judged(plan: Plan, session: Any, examples: Iterable[Any]) -> str:
    """The means of losses and metrics over ``examples``, as text."""
    wanted = {**{f"loss/{k}" if len(plan.losses) > 1 else "loss": v for k, v in plan.losses.items()}, **plan.metrics}
    sums = dict.fromkeys(wanted, 0.0)
    count = 0
    tensors = [reduce_sum(convert(value)) for value in wanted.values()]
    for batch in group_by_batches(examples, plan.batch_size):
        values = session.run(tensors, plan._feeds(batch))
        count += len(batch)
        for name, value in zip(wanted, values, strict=True):
            sums[name] += float(value)
    return " ".join(f"{name}: {value / max(count, 1):.3e}" for name, value in sums.items())
