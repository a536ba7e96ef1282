"""``python -m benchmarks``: every comparison, or those named. The exit status is 1 if a measured floor was missed."""

from __future__ import annotations

import os
import sys

from benchmarks.environment import ONE_THREAD, pinned

os.environ.update(ONE_THREAD)  # before NumPy loads its BLAS

import argparse
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

from benchmarks.floors import exit_status, verdict
from benchmarks.report import RESULTS, table, write_json

ONE_CORE = ("small_network", "large_network", "one_op", "no_listener", "append", "compile", "batching", "recording")
COMPARISONS = (*ONE_CORE, "parallel")


def main(words: list[str] | None = None) -> int:
    """Measure, print, write, judge."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("comparison", nargs="*", choices=[*COMPARISONS, []], help="only these (default: all)")
    parser.add_argument("--json", type=Path, default=RESULTS / "latest.json", help="where the figures go")
    parser.add_argument("--rounds", type=int, default=0, help="rounds of every comparison (default: its own number)")
    options = parser.parse_args(words)
    results = []
    for name in options.comparison or COMPARISONS:
        with pinned() if name in ONE_CORE else nullcontext():
            result = import_module(f"benchmarks.comparisons.{name}").run(options.rounds)
        print(table(result), flush=True)
        print()
        results.append(result)
    write_json(results, options.json)
    floors = [floor for result in results for floor in result.floors]
    load, processors = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0, os.cpu_count() or 1
    if load > processors:
        print(f"This machine was busy (load {load:.0f} on {processors} processors): measure again when it is not.")
    print(verdict(floors))
    return exit_status(floors)


if __name__ == "__main__":
    sys.exit(main())
