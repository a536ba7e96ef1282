"""``torch.utils.benchmark``: how long a statement takes. The times are this engine's, on this machine."""

from __future__ import annotations

import statistics
import timeit
from typing import Any

_UNITS = ((1e-9, "ns"), (1e-6, "us"), (1e-3, "ms"), (1.0, "s"))


def _unit(seconds: float) -> tuple[float, str]:
    """The unit that suits a time: its seconds, its name."""
    return next((unit for unit in reversed(_UNITS) if seconds >= unit[0]), _UNITS[0])


class Measurement:
    """What a :class:`Timer` found. All times are seconds of one run of the statement."""

    __module__ = "torch.utils.benchmark.utils.common"

    def __init__(self, number_per_run: int, raw_times: list[float], stmt: str, description: str | None) -> None:
        self.number_per_run, self.raw_times = number_per_run, raw_times
        self.stmt, self.description = stmt, description
        self.times = [t / number_per_run for t in raw_times]

    @property
    def mean(self) -> float:
        return statistics.mean(self.times)

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def iqr(self) -> float:
        if len(self.times) < 2:
            return 0.0
        low, _, high = statistics.quantiles(self.times, n=4, method="inclusive")
        return high - low

    def __repr__(self) -> str:
        scale, unit = _unit(self.median)
        runs = len(self.times)
        head = f"<{self.__module__}.Measurement object at {hex(id(self))}>\n{self.stmt}\n"
        what = "Median" if runs > 1 else ""
        spread = f"\n  IQR:    {self.iqr / scale:.2f} {unit}" if runs > 1 else ""
        times = f"{runs} measurement{'s' if runs > 1 else ''}, {self.number_per_run} runs per measurement, 1 thread"
        label = f"  {what}: " if what else "  "
        return f"{head}{label}{self.median / scale:.2f} {unit}{spread}\n  {times}"


class Timer:
    """Runs a statement many times.

    :param globals: the names that the statement sees.
    """

    __module__ = "torch.utils.benchmark.utils.timer"

    def __init__(
        self, stmt: str = "pass", setup: str = "pass", global_setup: str = "", timer: Any = timeit.default_timer,
        globals: Any = None, label: str | None = None, sub_label: str | None = None, description: str | None = None,
        env: str | None = None, num_threads: int = 1, language: Any = None,
    ) -> None:  # fmt: skip
        self._timer = timeit.Timer(stmt, setup, timer, globals)
        self._stmt = label or stmt
        self._description = description

    def timeit(self, number: int = 1_000_000) -> Measurement:
        """The time of ``number`` runs, after a few that warm up."""
        self._timer.timeit(max(number // 100, 1))
        return Measurement(number, [self._timer.timeit(number)], self._stmt, self._description)

    def blocked_autorange(self, callback: Any = None, min_run_time: float = 0.2) -> Measurement:
        """As many blocks of runs as fit into ``min_run_time`` seconds."""
        number, took = self._timer.autorange()
        times = [took]
        while sum(times) < min_run_time:
            times.append(self._timer.timeit(number))
        return Measurement(number, times, self._stmt, self._description)

    def adaptive_autorange(
        self, threshold: float = 0.1, *, min_run_time: float = 0.01, max_run_time: float = 10.0, callback: Any = None
    ) -> Measurement:
        """As :meth:`blocked_autorange`."""
        return self.blocked_autorange(callback, min_run_time)
