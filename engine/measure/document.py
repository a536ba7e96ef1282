"""Many repeats of one program as one document (``docs/measurement.md``)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

FORMAT = "stepgraph-measurement"
VERSION = 1
RESOLVED = 10
"""A figure is good for comparisons if its median is at least so many times the clock's resolution."""


def loops_to_mark(surveys: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    """The loops in which the engine worked, by number."""
    found = (run["repeat"]["worked"] for run in surveys if run["repeat"] is not None)
    return tuple(sorted({number for worked in found for number in worked}))


def document(surveys: Sequence[dict[str, Any]], runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The measurement. ``surveys`` and ``runs`` (at least one) are what :func:`engine.measure.reading.read` gave."""
    told = [run["repeat"] for run in runs if run["repeat"] is not None]
    first = runs[0]
    timer = first["machine"]["timer_ns"]

    def figure(groups: Sequence[Sequence[int]]) -> dict[str, Any] | None:
        return _figure(groups, timer)

    totals = [one["total"] for one in told]
    eager = [run["repeat"]["eager"] for run in surveys if run["repeat"] is not None]
    eager = [time for time in eager if time is not None]
    compiled = [one["compiled"] for one in told]
    usual = round(median(eager)) if eager else 0
    overheads = [max(total - usual - time, 0) for total, time in zip(totals, compiled, strict=True)]
    # Eager ops are timed in the surveys, compiled plans in the repeats: the spread is that of whichever there are.
    kernels = [usual + time for time in compiled] if any(compiled) else eager
    loops = _loops(told)
    sessions = _runs(told)
    target = next((one["target"] for one in told if one["target"] is not None), None)
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": first["program"],
        "machine": {**first["machine"], "mark_ns": round(median(one["mark_ns"] for one in told)) if told else 0},
        "target": None if target is None else {key: target[key] for key in ("line", "what", "name")},
        "repeats": len(told),
        "end": next((run["end"] for run in runs if run["end"]["kind"] != "ok"), runs[-1]["end"]),
        "total": figure(_single(totals)),
        "kernel": figure(_single(kernels)) if eager else None,
        "overhead": figure(_single(overheads)) if eager else None,
        "parts": {
            **{part: figure(_known(one[part] for one in told)) for part in ("build", "optimise", "compile")},
            **_run_parts(sessions, figure),
            "iteration": figure([passes[1:] for passes in loops[0]["each"]]) if loops else None,
            "target": None if target is None else figure([_rest(one["target"]) for one in told]),
        },
        "runs": [
            {
                **{key: run["each"][0][key] for key in ("fetches", "feeds", "count")},
                "calls": _by_index([one["calls"] for one in run["each"]]),
            }
            for run in sessions
        ],
        "loops": [
            {**{key: loop[key] for key in ("line", "end_line", "count")}, "passes": _by_index(loop["each"])}
            for loop in loops
        ],
        "notes": _notes(runs, told, target),
    }


def _figure(groups: Sequence[Sequence[int]], timer: int) -> dict[str, Any] | None:
    """Median and quartiles of all times of all repeats; None if there are none.

    >>> _figure([[10], [30], [20]], 1)
    {'median': 20, 'low': 15, 'high': 25, 'count': 3, 'samples': [10, 30, 20], 'resolved': True}
    """
    every = sorted(time for group in groups for time in group)
    if not every:
        return None
    low, middle, high = quantiles(every, n=4, method="inclusive") if len(every) > 1 else every * 3
    return {
        "median": round(middle), "low": round(low), "high": round(high), "count": len(every),
        "samples": [round(median(group)) for group in groups if group], "resolved": middle >= RESOLVED * timer,
    }  # fmt: skip


def _single(times: Sequence[int]) -> list[list[int]]:
    return [[time] for time in times]


def _known(times: Any) -> list[list[int]]:
    return [[time] for time in times if time is not None]


def _rest(target: dict[str, Any] | None) -> list[int]:
    """Its times without the first, unless that is all there is."""
    times: list[int] = target["times"] if target is not None else []
    return times[1:] or times


def _loops(told: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The loops with ``each`` repeat's passes, first the one whose passes are iterations: of those that take at least
    half as long as the longest, the one with the most passes (the batches, not the epochs)."""
    found: dict[int, dict[str, Any]] = {}
    for one in told:
        for loop in one["loops"]:
            known = found.setdefault(loop["number"], {**loop, "each": [], "totals": []})
            known["each"].append(loop["passes"])
            known["totals"].append(loop["total"])
    longest = max((median(loop["totals"]) for loop in found.values()), default=0)
    return sorted(
        found.values(),
        key=lambda loop: (2 * median(loop["totals"]) < longest, -loop["count"], -median(loop["totals"])),
    )


def _runs(told: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The combinations of fetches and feeds with ``each`` repeat's runs, the longest in all first."""
    found: dict[Any, dict[str, Any]] = {}
    for one in told:
        seen: dict[Any, int] = {}
        for run in one["runs"]:
            names = (tuple(run["fetches"]), tuple(run["feeds"]))
            seen[names] = seen.get(names, 0) + 1
            found.setdefault((*names, seen[names]), {"each": []})["each"].append(run)
    return sorted(found.values(), key=lambda run: -median(one["total"] for one in run["each"]))


def _run_parts(sessions: Sequence[dict[str, Any]], figure: Any) -> dict[str, Any]:
    if not sessions:
        return {"first_run": None, "steady_run": None}
    first, steady = [], []
    for run in sessions[0]["each"]:
        prepared = dict(run["prepared"])
        if run["calls"]:
            first.append([max(run["calls"][0] - prepared.get(0, 0), 0)])
        if prepared:
            steady.append(run["calls"][max(prepared) + 1 :])
    return {"first_run": figure(first), "steady_run": figure(steady)}


def _by_index(each: Sequence[Sequence[int]]) -> list[int]:
    """Medians over the repeats, in order, as far as most of them go.

    >>> _by_index([[1, 5], [3, 7], [2]])
    [2, 6]
    """
    length = round(median(len(one) for one in each)) if each else 0
    columns = ([one[index] for one in each if index < len(one)] for index in range(length))
    return [round(median(column)) for column in columns if column]


def _notes(runs: Sequence[dict[str, Any]], told: Sequence[dict[str, Any]], target: dict[str, Any] | None) -> list[str]:
    notes = sorted({one["note"] for one in told if one["note"]})
    missing = len(runs) - len(told)
    if missing:
        notes.append(f"{missing} of {len(runs)} runs were cut off before they could tell their times.")
    if any(len(run["calls"]) < run["count"] for one in told for run in one["runs"]):
        notes.append("Of what ran more than 1,000 times in one run, the first 1,000 times count.")
    return notes
