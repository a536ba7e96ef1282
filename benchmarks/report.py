"""What a comparison found: rows of a table and floors, printed and written as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.environment import CHECKOUT
from benchmarks.floors import Floor

RESULTS = CHECKOUT / "benchmarks" / "results"


@dataclass(frozen=True)
class Row:
    """One measured case: ``seconds`` is the median, ``ratio`` its relation to the comparison's yardstick."""

    case: str
    seconds: float | None
    ratio: float | None = None
    note: str = ""


@dataclass
class Result:
    """One comparison."""

    title: str
    yardstick: str = ""
    rows: list[Row] = field(default_factory=list)
    floors: list[Floor] = field(default_factory=list)


def duration(seconds: float | None) -> str:
    """A time in the unit that suits it.

    >>> duration(12.3e-6), duration(0.00345), duration(None)
    ('12.3 us', '3.45 ms', '-')
    """
    if seconds is None:
        return "-"
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if abs(seconds) * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def table(result: Result) -> str:
    """A comparison as text."""
    lines = [result.title, "-" * len(result.title)]
    width = max((len(row.case) for row in result.rows), default=0)
    for row in result.rows:
        ratio = "" if row.ratio is None else f"{row.ratio:7.3f} x {result.yardstick}"
        lines.append(f"  {row.case.ljust(width)}  {duration(row.seconds):>9}  {ratio}  {row.note}".rstrip())
    marks = {True: "holds ", False: "MISSED", None: "-     "}
    lines += [f"  {marks[floor.holds]} {floor.text}" for floor in result.floors]
    return "\n".join(lines)


def write_json(results: Sequence[Result], path: Path) -> None:
    """Everything measured, with the machine that it was measured on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    machine: dict[str, Any] = {
        "python": platform.python_version(), "numpy": np.__version__, "machine": platform.machine(),
        "processors": os.cpu_count(), "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
    }  # fmt: skip
    found = [{**asdict(r), "floors": [{**asdict(f), "holds": f.holds} for f in r.floors]} for r in results]
    path.write_text(json.dumps({"machine": machine, "comparisons": found}, indent=1) + "\n")
