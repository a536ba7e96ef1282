"""Whether a claim about speed holds on the machine that has just measured it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.lessons.model import Measure

PARTS = ("total", "kernel", "overhead", "build", "optimise", "compile", "first_run", "steady_run", "iteration")
"""Figures of a measurement (``docs/measurement.md``)."""

NEEDS = {
    "build": ("run", 1),
    "optimise": ("compiled", 1),
    "compile": ("compiled", 1),
    "first_run": ("run", 1),
    "steady_run": ("run", 3),
    "iteration": ("loop", 2),
}
"""What must be in a program's recording for a figure to be there: rows of a table, at least so many."""

_WORDS = {
    "total": "the whole program",
    "kernel": "time in kernels",
    "overhead": "framework and Python",
    "build": "building the graph",
    "optimise": "optimising it",
    "compile": "compiling a plan",
    "first_run": "the first run",
    "steady_run": "a steady run",
    "iteration": "a pass of the loop",
}


@dataclass(frozen=True)
class Verdict:
    """``rows``: [program, what, median ns, low, high] of every figure the claim speaks of."""

    verdict: Literal["holds", "fails", "undecided"]
    words: str
    rows: tuple[tuple[str, str, float, float, float], ...]


class MeasurementError(ValueError):
    """A document that is no measurement of the program: says why."""


def wanted(measure: Measure) -> list[tuple[str, str]]:
    """(program, part) of each figure that the claim speaks of."""
    return sorted({(f"{node.value.id}.py", node.attr) for node in ast.walk(measure.holds.tree)
                   if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)})  # fmt: skip


def judge(measure: Measure, measured: Mapping[str, Mapping[str, Any]]) -> Verdict:
    """Judge the claim with ``program name -> measurement document``.

    The claim holds if it does at the medians, and still does with every figure anywhere in its middle half; if the
    answer changes within the spread, or a time is too short for the clock, it is undecided.
    Raises :class:`MeasurementError`.
    """
    names = [f"{program.removesuffix('.py')}.{part}" for program, part in wanted(measure)]
    figures = {name: _figure(name, measured) for name in names}
    medians = {name: figure["median"] for name, figure in figures.items()}
    verdicts = {bool(measure.holds.value(medians))}
    for mask in range(1 << len(names)):
        corner = {name: figures[name]["high" if mask >> place & 1 else "low"] for place, name in enumerate(names)}
        verdicts.add(bool(measure.holds.value(corner)))
    rows = tuple(
        (name.partition(".")[0], _WORDS[name.partition(".")[2]], float(f["median"]), float(f["low"]), float(f["high"]))
        for name, f in figures.items()
    )
    coarse = [name for name, figure in figures.items() if not figure["resolved"]]
    if coarse:
        return Verdict("undecided", "Not decided here: a time is too short for this machine's clock.", rows)
    if len(verdicts) > 1:
        return Verdict(
            "undecided", "Not decided here: the spreads overlap. Measure again, or with nothing else running.", rows
        )
    if True in verdicts:
        return Verdict("holds", "It holds here.", rows)
    return Verdict("fails", "It does not hold here.", rows)


def _figure(name: str, measured: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    program, _, part = name.partition(".")
    document = measured.get(f"{program}.py")
    if document is None:
        raise MeasurementError(f"{program}.py has not been measured")
    if document.get("format") != "stepgraph-measurement" or not isinstance(document.get("parts"), dict):
        raise MeasurementError(f"what came for {program}.py is no measurement")
    found = document.get(part) if part in ("total", "kernel", "overhead") else document["parts"].get(part)
    figure: dict[str, Any] = {"resolved": isinstance(found, dict) and found.get("resolved") is not False}
    for key in ("median", "low", "high"):
        number = found.get(key) if isinstance(found, dict) else None
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise MeasurementError(f"in {program}.py nothing could be measured that is {_WORDS[part]}")
        figure[key] = number
    return figure
