"""The progress line of ``fit``, ``evaluate`` and ``predict``; ``keras.utils.Progbar``."""

from __future__ import annotations

import math
import sys
import time
from typing import Any

import numpy as np


class Progbar:
    """``3/10 ━━━━━━ 0s 2ms/step - loss: 0.5`` with colours and backspaces, as Keras writes it."""

    def __init__(
        self, target: Any, width: int = 20, verbose: int = 1, interval: float = 0.05, stateful_metrics: Any = None,
        stateless_metrics: Any = None, unit_name: str = "step",
    ) -> None:  # fmt: skip
        self.target, self.width, self.verbose, self.interval, self.unit_name = (
            target,
            width,
            verbose,
            interval,
            unit_name,
        )
        self._averaged = None if stateless_metrics is None else set(stateless_metrics)
        self._as_they_are = set(stateful_metrics or ())
        self._seen = 0
        self._values: dict[str, list[Any]] = {}
        self._start = time.time()
        self._last = 0.0
        self._after_first: float | None = None
        self._shown_width = 0

    def update(self, current: int, values: Any = None, finalize: bool | None = None) -> None:
        """Show that ``current`` steps are done."""
        if finalize is None:
            finalize = self.target is not None and current >= self.target
        for name, value in values or ():
            averaged = name in self._averaged if self._averaged is not None else name not in self._as_they_are
            if averaged and not finalize:
                weight = max(current - self._seen, 1)
                entry = self._values.setdefault(name, [0.0, 0])
                entry[0] += value * weight
                entry[1] += weight
            else:
                self._values[name] = [value, 1]
        self._seen = current
        now = time.time()
        each = self._step_time(current, now)
        if self.verbose == 1:
            if now - self._last < self.interval and not finalize:
                return
            self._show_bar(current, now, each, finalize)
        elif self.verbose == 2 and finalize and self.target:
            digits = int(math.log10(self.target)) + 1
            line = f"{current:{digits}d}/{self.target} - {now - self._start:.0f}s -{self._per_unit(each)}"
            sys.stdout.write(line + self._metrics(signed=False) + "\n")
            sys.stdout.flush()
        self._last = now

    def add(self, n: int, values: Any = None) -> None:
        self.update(self._seen + n, values)

    def _show_bar(self, current: int, now: float, each: float, finalize: bool) -> None:
        message = "\b" * self._shown_width + "\r"
        hidden = 0
        if self.target:
            digits = int(math.log10(self.target)) + 1
            bar = f"\x1b[1m{current:{digits}d}/{self.target}\x1b[0m "
            done = int(self.width * current / self.target)
            hidden = 8 + (9 if done > 0 else 0) + 9
            if done > 0:
                bar += f"\33[32m{'━' * done}\x1b[0m"
            bar += f"\33[37m{'━' * (self.width - done)}\x1b[0m"
        else:
            bar = f"{current:7d}/Unknown"
        left = each * (self.target - current) if self.target and not finalize else None
        info = f" \x1b[1m{_clock(left) if left is not None else f'{now - self._start:.0f}s'}\x1b[0m"
        hidden += 8
        info += self._per_unit(each) + self._metrics(signed=True)
        width = len(bar) + len(info) - hidden
        message += bar + info + " " * max(self._shown_width - width, 0)
        sys.stdout.write(message + ("\n" if finalize else ""))
        sys.stdout.flush()
        self._shown_width = width

    def _metrics(self, signed: bool) -> str:
        text = ""
        for name, (value, count) in self._values.items():
            number = value if isinstance(value, float) else float(np.mean(value))
            mean = number / max(1, count)
            large = abs(mean) > 1e-3 if signed else mean > 1e-3
            text += f" - {name}: {mean:.4f}" if large else f" - {name}: {mean:.4e}"
        return text

    def _per_unit(self, each: float) -> str:
        if each >= 1 or each == 0:
            return f" {each:.0f}s/{self.unit_name}"
        if each >= 1e-3:
            return f" {each * 1e3:.0f}ms/{self.unit_name}"
        return f" {each * 1e6:.0f}us/{self.unit_name}"

    def _step_time(self, current: int, now: float) -> float:
        """The time of a step; the first, which prepares, is left out once there are others."""
        if not current:
            return 0
        if self._after_first is not None and current > 1:
            found = (now - self._after_first) / (current - 1)
        else:
            found = (now - self._start) / current
        if current == 1:
            self._after_first = now
        return found


def _clock(seconds: float) -> str:
    if seconds > 3600:
        return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}:{int(seconds % 60):02d}"
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}" if seconds > 60 else f"{int(seconds)}s"
