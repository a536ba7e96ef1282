"""Datasets of 1.x: which elements, in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.dataset_parts import Row
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run, Spec

Epoch = Callable[[], Iterator[Row]]
Start = Callable[[Run], Epoch]
"""Given a run (in which tensors have values): what begins a pass over the elements."""


class Selecting:
    """A structure, what is known of its leaves, and what starts it; and the methods that only choose elements."""

    def __init__(self, structure: Any, specs: Sequence[Spec], start: Start) -> None:
        self._structure = structure
        self._specs = list(specs)
        self._start = start

    def take(self, count: Any) -> Any:
        """The first ``count`` elements."""
        return self._sliced(lambda number: (0, None if number < 0 else number), count)

    def skip(self, count: Any) -> Any:
        """All but the first ``count`` elements."""
        return self._sliced(lambda number: (number, None), count)

    def _sliced(self, bounds: Callable[[int], tuple[int, int | None]], count: Any) -> Any:
        def start(run: Run) -> Epoch:
            epoch, (low, high) = self._start(run), bounds(int(run.value(count)))
            return lambda: islice(epoch(), low, high)

        return type(self)(self._structure, self._specs, start)

    def concatenate(self, dataset: Any) -> Any:
        """These elements, then those of ``dataset``."""

        def start(run: Run) -> Epoch:
            first, second = self._start(run), dataset._start(run)

            def both() -> Iterator[Row]:
                yield from first()
                yield from second()

            return both

        return type(self)(self._structure, self._specs, start)

    def prefetch(self, buffer_size: Any = None) -> Any:
        """The same elements: nothing runs beside a program here."""
        return type(self)(self._structure, self._specs, self._start)

    cache = prefetch

    def enumerate(self, start: Any = 0) -> Any:
        """(number, element) pairs."""

        def begin(run: Run) -> Epoch:
            epoch, first = self._start(run), int(run.value(start))
            return lambda: ([np.int64(n), *row] for n, row in zip(count(first), epoch(), strict=False))

        specs = [(dtypes.as_dtype("int64"), TensorShape([])), *self._specs]
        return type(self)((0, self._structure), specs, begin)
