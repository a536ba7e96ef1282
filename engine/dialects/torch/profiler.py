"""``torch.profiler``: how long the calls of the dialect took, measured around each of them on this machine.

What is timed is this engine's call, with what a recorder costs in it; PyTorch's kernels under an op do not exist here
and have no rows. Schedules, stacks, memory and GPUs are refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ContextDecorator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.dialects.torch import overrides

_COLUMNS = ("Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls")
_SORTS = ("self_cpu_time_total", "cpu_time_total", "cpu_time", "count", "self_cpu_time")
_WIDTH, _GAP, _NAME = 12, "  ", 55


class ProfilerActivity(Enum):
    """What can be profiled; here only the CPU is there."""

    CPU = 0
    CUDA = 2


@dataclass
class Span:
    """One call: nanoseconds from ``start`` on, ``inner`` of them in calls inside."""

    name: str
    start: int
    total: int = 0
    inner: int = 0


@dataclass
class Averages:
    """All calls of one name; times are microseconds."""

    key: str
    count: int = 0
    cpu_time_total: float = 0.0
    self_cpu_time_total: float = 0.0

    @property
    def cpu_time(self) -> float:
        """The mean of a call."""
        return self.cpu_time_total / self.count


_running: list[profile] = []


class EventList(list[Averages]):
    """The rows of a profile."""

    @property
    def self_cpu_time_total(self) -> float:
        """The time of all calls, in microseconds."""
        return sum(row.self_cpu_time_total for row in self)

    def table(self, sort_by: str | None = None, row_limit: int = 100, **_: Any) -> str:
        """The rows as text, the largest first."""
        if sort_by is not None and sort_by not in _SORTS:
            raise AttributeError(f"the teaching engine sorts profiles by {', '.join(_SORTS)}, not by {sort_by!r}")
        rows = list(self) if sort_by is None else sorted(self, key=lambda row: -float(_value(row, sort_by)))
        width = max([4, *(min(len(row.key), _NAME) for row in rows)]) + 2
        rule = _GAP.join(["-" * width, *("-" * _WIDTH for _ in _COLUMNS)]) + _GAP
        whole = self.self_cpu_time_total or 1.0
        lines = [rule, _line(width, ["Name", *_COLUMNS]), rule]
        for row in rows if row_limit < 0 else rows[:row_limit]:
            shares = f"{row.self_cpu_time_total / whole:.2%}", f"{row.cpu_time_total / whole:.2%}"
            own, total, mean = map(_words, (row.self_cpu_time_total, row.cpu_time_total, row.cpu_time))
            lines.append(_line(width, [row.key[:_NAME], shares[0], own, shares[1], total, mean, str(row.count)]))
        return "\n".join([*lines, rule, f"Self CPU time total: {_words(self.self_cpu_time_total)}", ""])

    def __str__(self) -> str:
        return self.table()


def _value(row: Averages, name: str) -> Any:
    return getattr(row, "self_cpu_time_total" if name == "self_cpu_time" else name)


def _line(width: int, cells: list[str]) -> str:
    return _GAP.join([cells[0].rjust(width), *(cell.rjust(_WIDTH) for cell in cells[1:])]) + _GAP


def _words(microseconds: float) -> str:
    """
    >>> _words(12.5), _words(2500.0), _words(3e6)
    ('12.500us', '2.500ms', '3.000s')
    """
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


class profile:
    """Times each call of the dialect while it lasts.

    :raises NotImplementedError: it is asked for what this engine does not have.
    """

    __module__ = "torch.profiler.profiler"

    def __init__(
        self, *, activities: Any = None, schedule: Any = None, on_trace_ready: Callable[[Any], Any] | None = None,
        record_shapes: bool = False, profile_memory: bool = False, with_stack: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        asked = {"schedule": schedule, "profile_memory": profile_memory, "with_stack": with_stack}
        refused = [name for name, value in asked.items() if value]
        if refused:
            raise NotImplementedError(
                f"the teaching engine's profiler times calls and has no {', '.join(refused)}: leave it out"
            )
        self._ready = on_trace_ready
        self._spans: list[Span] = []
        self._open: list[Span] = []
        self._watching: AbstractContextManager[None] | None = None

    def __enter__(self) -> profile:
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to time."""
        _running.append(self)
        self._watching = overrides.overriding(self._timed)
        self._watching.__enter__()

    def stop(self) -> None:
        """Time no more."""
        if self._watching is not None:
            self._watching.__exit__(None, None, None)
            self._watching = None
            _running.remove(self)
            if self._ready is not None:
                self._ready(self)

    def step(self) -> None:
        """A step of a training loop; without a schedule nothing begins or ends with it."""

    def _timed(self, function: Any, args: Any, kwargs: Any) -> Any:
        name = overrides.NAMES[function].rpartition(".")[2]
        name = f"aten::{name.strip('_') if name.startswith('__') else name}"
        self.begin(name)
        try:
            return overrides.original(function)(*args, **kwargs)
        finally:
            self.end()

    def begin(self, name: str) -> None:
        """A call starts."""
        self._open.append(Span(name, time.perf_counter_ns()))

    def end(self) -> None:
        """The innermost call is over."""
        span = self._open.pop()
        span.total = time.perf_counter_ns() - span.start
        if self._open:
            self._open[-1].inner += span.total
        self._spans.append(span)

    def key_averages(self, group_by_input_shape: bool = False, **_: Any) -> EventList:
        """The calls by name."""
        found: dict[str, Averages] = {}
        for span in sorted(self._spans, key=lambda s: s.start):
            row = found.setdefault(span.name, Averages(span.name))
            row.count += 1
            row.cpu_time_total += span.total / 1e3
            row.self_cpu_time_total += (span.total - span.inner) / 1e3
        return EventList(found.values())

    def events(self) -> list[Span]:
        """Each call."""
        return list(self._spans)

    def table(self, sort_by: str | None = None, row_limit: int = 100, **_: Any) -> str:
        """See :meth:`EventList.table`."""
        return self.key_averages().table(sort_by, row_limit)

    @property
    def self_cpu_time_total(self) -> float:
        """The time of all calls, in microseconds."""
        return self.key_averages().self_cpu_time_total

    def export_chrome_trace(self, path: str) -> None:
        """The calls as a file that trace viewers open."""
        rows = [
            {"ph": "X", "cat": "cpu_op", "name": s.name, "pid": 0, "tid": 0, "ts": s.start / 1e3, "dur": s.total / 1e3}
            for s in self._spans
        ]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": rows}, file)

    def __str__(self) -> str:
        return str(self.key_averages())


class autograd_profile(profile):
    """``torch.autograd.profiler.profile``, the older way to the same."""

    __module__ = "torch.autograd.profiler"
    __qualname__ = "profile"

    def __init__(self, enabled: bool = True, *, use_cuda: bool = False, **options: Any) -> None:
        super().__init__(**{k: v for k, v in options.items() if k in ("record_shapes", "profile_memory", "with_stack")})
        self._enabled = enabled

    def start(self) -> None:
        if self._enabled:
            super().start()


class record_function(ContextDecorator):
    """A stretch of the program with a name in the profile."""

    __module__ = "torch.autograd.profiler"

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name

    def __enter__(self) -> record_function:
        self._profiles = list(_running)
        for one in self._profiles:
            one.begin(self.name)
        return self

    def __exit__(self, *_: Any) -> None:
        for one in self._profiles:
            one.end()


def _refused(name: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(
            f"the teaching engine's profiler has no {name}: use profile() around a few steps, and key_averages()"
        )

    return refuse


schedule, tensorboard_trace_handler = _refused("schedule"), _refused("tensorboard_trace_handler")
MODULES: dict[str, dict[str, Any]] = {
    "torch.profiler": {
        "profile": profile, "record_function": record_function, "ProfilerActivity": ProfilerActivity,
        "schedule": schedule, "tensorboard_trace_handler": tensorboard_trace_handler,
    },
    "torch.autograd.profiler": {"profile": autograd_profile, "record_function": record_function},
}  # fmt: skip
"""What each module holds, by its full name."""
