"""Queues of 1.x and what fills them. Nothing runs beside a program here: a queue is filled when something is taken."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, errors
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor, default_session
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run, action, source, state_of

RUNNERS = "queue_runners"


class QueueBase:
    """Elements wait here in each session; ``dequeue`` takes the one that :meth:`_place` says."""

    _label = "FIFOQueueV2"

    def __init__(
        self, capacity: int, dtypes_: Any, shapes: Any = None, names: Any = None, name: str = "fifo_queue"
    ) -> None:
        kinds = list(dtypes_) if isinstance(dtypes_, list | tuple) else [dtypes_]
        self._kinds = [dtypes.as_dtype(kind) for kind in kinds]
        sizes = [None] * len(kinds) if shapes is None else shapes
        one = len(kinds) == 1 and shapes is not None and not _nested(shapes)
        self._shapes = [TensorShape(shape) for shape in ([shapes] if one else sizes)]
        self._capacity = capacity
        self._names = names
        self._graph = get_default_graph()
        self.name = self._graph.unique_name(name)

    @property
    def names(self) -> Any:
        """What the parts of an element are called, if anything."""
        return self._names

    @property
    def shapes(self) -> list[TensorShape]:
        return self._shapes

    @property
    def dtypes(self) -> list[dtypes.DType]:
        return self._kinds

    def _state(self, session: Any) -> tuple[deque[list[Any]], dict[str, bool]]:
        return state_of(session).setdefault(self, (deque(), {"closed": False}))  # type: ignore[no-any-return]

    def _place(self, waiting: deque[list[Any]]) -> int:
        return 0

    # -- in ----------------------------------------------------------------------------------------------------------
    def enqueue(self, vals: Any, name: str | None = None) -> Operation:
        """An op that adds one element."""
        return self._adding(vals, name or f"{self.name}_enqueue", "QueueEnqueueV2", many=False)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Operation:
        """An op that adds an element for each row."""
        return self._adding(vals, name or f"{self.name}_EnqueueMany", "QueueEnqueueManyV2", many=True)

    def _adding(self, vals: Any, name: str, label: str, *, many: bool) -> Operation:
        parts = list(vals) if isinstance(vals, list | tuple) and len(vals) == len(self._kinds) else [vals]
        tensors = [convert(part, kind) for part, kind in zip(parts, self._kinds, strict=True)]

        def add(run: Run) -> None:
            waiting, state = self._state(run.session)
            values = run.session._run([tensor._node for tensor in tensors], dict(run.feeds))
            rows = [list(row) for row in zip(*values, strict=True)] if many else [list(values)]
            if state["closed"]:
                raise run.failure(errors.CancelledError, f"FIFOQueue '{self.name}' is closed.")
            if self._capacity > 0 and len(waiting) + len(rows) > self._capacity:
                raise run.failure(
                    errors.DeadlineExceededError,
                    f"queue '{self.name}' is full ({self._capacity}): TensorFlow would wait here until something is "
                    "taken from it",
                )
            waiting.extend(rows)

        return action(self._graph, label, name, add)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An op after which nothing more comes."""

        def shut(run: Run) -> None:
            self._state(run.session)[1]["closed"] = True

        return action(self._graph, "QueueCloseV2", name or f"{self.name}_Close", shut)

    # -- out ---------------------------------------------------------------------------------------------------------
    def dequeue(self, name: str | None = None) -> Any:
        """The tensors of the next element."""
        specs = list(zip(self._kinds, self._shapes, strict=True))
        title = name or f"{self.name}_Dequeue"
        op = source(self._graph, "QueueDequeueV2", title, specs, lambda run: self._take(run, 1)[0])
        return op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """The tensors of the next ``n`` elements, stacked."""
        known = None if isinstance(n, Tensor) else int(n)
        specs = [(kind, TensorShape([known]).concatenate(s)) for kind, s in zip(self._kinds, self._shapes, strict=True)]

        def take(run: Run) -> list[Any]:
            return stacked(self._take(run, int(run.value(n))))

        op = source(self._graph, "QueueDequeueManyV2", name or f"{self.name}_DequeueMany", specs, take)
        return op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)

    def size(self, name: str | None = None) -> Tensor:
        """How many elements wait."""
        specs = [(dtypes.as_dtype("int32"), TensorShape([]))]
        title = name or f"{self.name}_Size"
        op = source(self._graph, "QueueSizeV2", title, specs, lambda run: [np.int32(len(self._state(run.session)[0]))])
        return op.outputs[0]

    def _take(self, run: Run, count: int) -> list[list[Any]]:
        waiting, state = self._state(run.session)
        while len(waiting) < count and not state["closed"] and self._filled(run):
            continue
        if len(waiting) < count:
            if state["closed"]:
                raise run.failure(
                    errors.OutOfRangeError,
                    f"{self._label.removesuffix('V2')} '_0_{self.name}' is closed and has insufficient elements "
                    f"(requested {count}, current size {len(waiting)})",
                )
            raise run.failure(
                errors.DeadlineExceededError,
                f"queue '{self.name}' has {len(waiting)} of the {count} elements that are asked for, and nothing fills "
                "it: TensorFlow would wait here for ever",
            )
        found = []
        for _ in range(count):
            place = self._place(waiting)
            found.append(waiting[place])
            del waiting[place]
        return found

    def _filled(self, run: Run) -> bool:
        """Let the runners of this queue that were started add something; whether there are any."""
        started = state_of(run.session).get(RUNNERS, ())
        mine = [runner for runner in started if runner.queue is self]
        for runner in mine:
            try:
                for op in runner.enqueue_ops:
                    run.session._run([op._node], {})
            except errors.OutOfRangeError:
                self._state(run.session)[1]["closed"] = True
        return bool(mine)


class FIFOQueue(QueueBase):
    """First in, first out."""

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: Any = None,
        name: str = "fifo_queue",
    ) -> None:  # fmt: skip
        super().__init__(capacity, dtypes, shapes, names, name)


class RandomShuffleQueue(QueueBase):
    """Whichever: drawn by a seeded stream of numbers."""

    _label = "RandomShuffleQueueV2"

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None, names: Any = None,
        seed: Any = None, shared_name: Any = None, name: str = "random_shuffle_queue",
    ) -> None:  # fmt: skip
        super().__init__(capacity, dtypes, shapes, names, name)
        self._draw = np.random.default_rng(seed)

    def _place(self, waiting: deque[list[Any]]) -> int:
        return int(self._draw.integers(len(waiting)))


class QueueRunner:
    """Says which ops fill a queue."""

    def __init__(self, queue: Any = None, enqueue_ops: Any = None, *_more: Any, **_options: Any) -> None:
        self.queue = queue
        self.enqueue_ops = list(enqueue_ops or ())
        self.name = getattr(queue, "name", "")

    def create_threads(self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False) -> list[Any]:
        """Let ``sess`` fill the queue from now on, whenever something is taken from it."""
        state_of(sess).setdefault(RUNNERS, []).append(self)
        return [Runner(coord)]


class Runner:
    """Stands for a thread that fills a queue."""

    def __init__(self, coord: Any) -> None:
        self._coord = coord
        self.daemon = True

    def start(self) -> None:
        return None

    def join(self, timeout: Any = None) -> None:
        return None

    def is_alive(self) -> bool:
        return self._coord is not None and not self._coord.should_stop()


def add_queue_runner(qr: QueueRunner, collection: str = RUNNERS) -> None:
    get_default_graph().add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None, coord: Any = None, daemon: bool = True, start: bool = True, collection: str = RUNNERS
) -> list[Any]:
    """Let the session fill the graph's queues; they are filled one after the other, when something is taken.

    :raises ValueError: there is no session.
    """
    session = sess or default_session()
    if session is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
            "explicit session to tf.start_queue_runners(sess=sess)"
        )
    found = session.graph.get_collection(collection)
    state_of(session).setdefault(RUNNERS, [])
    return [thread for runner in found for thread in runner.create_threads(session, coord, daemon, start)]


class Coordinator:
    """Tells threads when to stop."""

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        self._stopped = False
        self._error: BaseException | None = None
        self._clean: tuple[Any, ...] = tuple(clean_stop_exception_types or (errors.OutOfRangeError,))
        self.joined = False

    def should_stop(self) -> bool:
        return self._stopped

    def request_stop(self, ex: Any = None) -> None:
        if isinstance(ex, tuple):
            ex = ex[1]
        if ex is not None and not isinstance(ex, self._clean) and self._error is None and not self._stopped:
            self._error = ex
        self._stopped = True

    def clear_stop(self) -> None:
        self._stopped, self._error = False, None

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        if not self._stopped and timeout:
            time.sleep(timeout)
        return self._stopped

    def register_thread(self, thread: Any) -> None:
        return None

    def join(self, threads: Any = None, stop_grace_period_secs: float = 120, ignore_live_threads: bool = False) -> None:
        """Raises what was given to :meth:`request_stop`."""
        self.joined = True
        if self._error is not None:
            raise self._error

    def stop_on_exception(self) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def block() -> Any:
            try:
                yield
            except Exception as error:
                self.request_stop(error)

        return block()


def stacked(rows: Sequence[list[Any]]) -> list[Any]:
    """Rows as one array for each column."""
    return [np.stack([np.asarray(x) for x in column]) for column in zip(*rows, strict=True)]


def _nested(shapes: Any) -> bool:
    return (
        isinstance(shapes, list | tuple)
        and bool(shapes)
        and all(isinstance(s, list | tuple | TensorShape) for s in shapes)
    )
