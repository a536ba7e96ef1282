"""``tf.RunOptions`` and ``tf.RunMetadata``: what each op of a run cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine import events
from engine.dialects.tensorflow.graph import Graph


class RunOptions:
    """What a run should note."""

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = 0, 1, 2, 3

    def __init__(self, trace_level: int = 0, timeout_in_ms: int = 0, **_more: Any) -> None:
        self.trace_level, self.timeout_in_ms = trace_level, timeout_in_ms


class NodeStats:
    """One op: when it began (microseconds since 1970 are not kept: since the run began) and how long it took."""

    def __init__(self, name: str, start: int, end: int) -> None:
        self.node_name = name
        self.all_start_micros = self.op_start_rel_micros = start // 1000
        self.all_end_rel_micros = self.op_end_rel_micros = (end - start) // 1000
        self.all_end_rel_nanos = end - start
        self.timeline_label = name

    def __repr__(self) -> str:
        return f'node_name: "{self.node_name}"\nall_end_rel_micros: {self.all_end_rel_micros}\n'


class DeviceStats:
    """All ops on one device."""

    device = "/job:localhost/replica:0/task:0/device:CPU:0"

    def __init__(self, nodes: list[NodeStats]) -> None:
        self.node_stats = nodes


class StepStats:
    """One run."""

    def __init__(self) -> None:
        self.dev_stats: list[DeviceStats] = []


class RunMetadata:
    """Filled by ``sess.run(..., options=..., run_metadata=metadata)``."""

    def __init__(self) -> None:
        self.step_stats = StepStats()
        self.partition_graphs: list[Any] = []


class _Watching:
    """Notes when ops ran, and tells whoever listened before."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.ran: list[tuple[int, int, int]] = []

    def op_ran(self, node: int, value: Any, start: int, end: int, **more: Any) -> None:
        self.ran.append((node, start, end))
        self._inner.op_ran(node, value, start, end, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@contextmanager
def measured(graph: Graph, options: Any, metadata: Any) -> Iterator[None]:
    """What runs inside is noted in ``metadata`` if the options say so; ops are known while a run is recorded."""
    if metadata is None or not getattr(options, "trace_level", 0):
        yield
        return
    inner, began = events.listener, events.clock()
    watching = None if inner is None else _Watching(inner)
    if watching is not None:
        events.listener = watching
    try:
        yield
    finally:
        events.listener = inner
        names = {node.traced: node.name for node in graph.core.nodes}
        ran = [] if watching is None else watching.ran
        stats = [NodeStats(names[node], start - began, end - began) for node, start, end in ran if node in names]
        if not stats:
            # Nothing tells single ops apart when nobody records: the whole run is one entry.
            stats = [NodeStats("_RUN", 0, events.clock() - began)]
        metadata.step_stats.dev_stats[:] = [DeviceStats(stats)]
