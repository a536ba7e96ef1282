"""A claim about speed: judged at the medians and anywhere within the spread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.lessons.expressions import parse
from app.lessons.model import Measure, Place
from app.lessons.verdicts import PARTS, MeasurementError, judge

HERE = Place(Path("lesson.md"), 1)
KNOWN = {f"{name}.{part}": 0 for name in ("a", "b") for part in PARTS}


def claim(holds: str) -> Measure:
    return Measure(HERE, ("a.py", "b.py"), "A is faster.", parse(holds, KNOWN), "table")


def measured(low: float, median: float, high: float, **more: Any) -> dict[str, Any]:
    figure = {"median": median, "low": low, "high": high, "resolved": True, **more}
    return {"format": "stepgraph-measurement", "total": figure, "parts": {"iteration": figure, "build": None}}


@pytest.mark.parametrize(
    ("a", "b", "holds", "verdict"),
    [
        ((9, 10, 11), (19, 20, 21), "a.total < b.total", "holds"),
        ((19, 20, 21), (9, 10, 11), "a.total < b.total", "fails"),
        # The medians say yes, the spreads leave it open.
        ((9, 10, 30), (19, 20, 21), "a.total < b.total", "undecided"),
        ((9, 10, 11), (5, 20, 21), "a.iteration < b.iteration", "undecided"),
        ((19, 20, 21), (19, 20, 21), "a.total < b.total", "undecided"),
        # At every corner, not only where all are low or all are high.
        ((9, 10, 12), (11, 13, 14), "a.total < b.total", "undecided"),
        ((9, 10, 11), (19, 20, 21), "a.total * 3 < b.total", "fails"),
        ((9, 10, 11), (19, 20, 21), "a.total < b.total and b.iteration < 30", "holds"),
    ],
)
def test_a_claim_is_judged_within_the_spread(
    a: tuple[float, float, float], b: tuple[float, float, float], holds: str, verdict: str
) -> None:
    found = judge(claim(holds), {"a.py": measured(*a), "b.py": measured(*b)})
    assert found.verdict == verdict
    assert next(row[2:] for row in found.rows if row[0] == "a") == (a[1], a[0], a[2])


def test_what_the_clock_cannot_tell_decides_nothing() -> None:
    coarse = measured(9, 10, 11, resolved=False)
    found = judge(claim("a.total < b.total"), {"a.py": coarse, "b.py": measured(19, 20, 21)})
    assert (found.verdict, found.words) == (
        "undecided",
        "Not decided here: a time is too short for this machine's clock.",
    )


@pytest.mark.parametrize(
    ("documents", "says"),
    [
        ({"a.py": measured(1, 2, 3)}, "b.py has not been measured"),
        ({"a.py": measured(1, 2, 3), "b.py": {"format": "stepgraph-trace"}}, "what came for b.py is no measurement"),
        ({"a.py": measured(1, 2, 3), "b.py": measured(1, True, 3)}, "in b.py nothing could be measured that is the"),
        ({"a.py": measured(1, 2, 3), "b.py": measured(1, float("nan"), 3) | {"total": None}}, "in b.py nothing"),
    ],
)
def test_what_is_no_measurement_is_refused(documents: dict[str, Any], says: str) -> None:
    with pytest.raises(MeasurementError, match=says):
        judge(claim("a.total < b.total"), documents)
