"""``tqdm``: the bar is one line of standard error when the loop is over."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any


class tqdm:
    """An iterable with a bar. In a recording it is drawn once, when it closes."""

    monitor_interval = 0

    def __init__(
        self, iterable: Any = None, desc: Any = None, total: Any = None, leave: Any = True, file: Any = None,
        ncols: Any = None, mininterval: float = 0.1, maxinterval: float = 10.0, miniters: Any = None, ascii: Any = None,
        disable: Any = False, unit: str = "it", unit_scale: Any = False, dynamic_ncols: Any = False,
        smoothing: float = 0.3, bar_format: Any = None, initial: int = 0, position: Any = None, postfix: Any = None,
        **_: Any,
    ) -> None:  # fmt: skip
        if total is None and iterable is not None and hasattr(iterable, "__len__"):
            total = len(iterable)
        self.iterable, self.desc, self.total, self.leave = iterable, desc or "", total, leave
        self.n: float = initial
        self.unit, self.disable, self.fp = unit, bool(disable), file
        self.postfix: Any = ""
        self._closed = False
        self._start = time.monotonic()
        if isinstance(postfix, dict):
            self.set_postfix(postfix)

    def __iter__(self) -> Iterator[Any]:
        try:
            for value in self.iterable:
                yield value
                self.n += 1
        finally:
            self.close()

    def __len__(self) -> int:
        return self.total if self.iterable is None or not hasattr(self.iterable, "__len__") else len(self.iterable)

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(self, n: float = 1) -> None:
        """So many more are done."""
        self.n += n

    def set_description(self, desc: Any = None, refresh: bool = True) -> None:
        self.desc = f"{desc}: " if desc else ""

    set_description_str = set_description

    def set_postfix(self, ordered_dict: Any = None, refresh: bool = True, **named: Any) -> None:
        parts = {**(ordered_dict or {}), **named}
        self.postfix = ", ".join(f"{name}={_short(value)}" for name, value in parts.items())

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None:
        self.postfix = str(s)

    def refresh(self, *_: Any, **__: Any) -> None:
        """Nothing: the bar is drawn when it closes."""

    clear = display = unpause = refresh

    def reset(self, total: Any = None) -> None:
        self.n = 0
        self.total = self.total if total is None else total

    def close(self) -> None:
        """Draw the bar."""
        if self._closed or self.disable:
            return
        self._closed = True
        if self.leave is not False:
            print(self, file=self.fp or sys.stderr)

    def __str__(self) -> str:
        desc = self.desc if not self.desc or self.desc.endswith(": ") else f"{self.desc}: "
        passed = max(time.monotonic() - self._start, 1e-9)
        rate = f"{self.n / passed:5.2f}{self.unit}/s"
        after = f", {self.postfix}" if self.postfix else ""
        if not self.total:
            return f"{desc}{self.n}{self.unit} [{_clock(passed)}, {rate}{after}]"
        share = min(self.n / self.total, 1)
        bar = ("█" * int(share * 10)).ljust(10)
        return f"{desc}{share:4.0%}|{bar}| {self.n}/{self.total} [{_clock(passed)}<{_clock(0)}, {rate}{after}]"

    @classmethod
    def write(cls, s: str, file: Any = None, end: str = "\n", nolock: bool = False) -> None:
        """Print beside a bar."""
        (file or sys.stdout).write(f"{s}{end}")

    @classmethod
    def pandas(cls, *_: Any, **__: Any) -> None:
        """Nothing: there is no bar for these."""


def _short(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = f"{value:.3g}"
        return text if len(text) < len(str(value)) else str(value)
    return str(value).strip()


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


def trange(*args: Any, **options: Any) -> tqdm:
    """``tqdm(range(...))``."""
    return tqdm(range(*args), **options)
