"""One direction of the grid: lines of given sizes, and gaps between them that are wide enough for their lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.layout import tracks

NAME, NOTE = 18, 16
"""Room above a box for the student's name of it, and below for a note."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Between two rows or columns, or before the first, after the last: ``before`` and ``after`` stay free of lanes."""

    before: float
    after: float
    least: float


@dataclass
class Axis:
    """The centre of each line, the middle of each gap, where it begins and ends."""

    centres: list[float]
    lanes: list[float]
    sizes: Sequence[float]
    length: float
    gaps: list[tuple[float, float]]

    def at(self, doubled: int, lane: int = 0) -> float:
        """The place of a doubled coordinate: a line's centre, or a lane in a gap."""
        if doubled % 2:
            return self.centres[doubled // 2]
        return self.lanes[doubled // 2] + lane * tracks.PITCH


def make_axis(sizes: Sequence[float], gaps: Sequence[Gap], pitch: float, lanes: Mapping[int, int]) -> Axis:
    """Lines of ``sizes`` with ``gaps`` around them (one more than lines), wide enough for the ``lanes`` in each gap.

    >>> make_axis([88, 88], [Gap(10, 10, 20)] * 3, 104, {}).centres
    [64.0, 172.0]
    """
    axis = Axis([], [], sizes, 0.0, [])
    for i, gap in enumerate(gaps):
        used = lanes.get(2 * i, 0)
        width = max(gap.least, gap.before + gap.after + tracks.PITCH * (used - 1 if used else 0))
        if 0 < i < len(sizes):
            width = max(width, pitch - (sizes[i - 1] + sizes[i]) / 2)
        middle = axis.length + gap.before + (width - gap.before - gap.after) / 2
        axis.lanes.append(middle - tracks.PITCH * (used - 1 if used else 0) / 2)
        axis.gaps.append((axis.length, axis.length + width))
        axis.length += width
        if i < len(sizes):
            axis.centres.append(axis.length + sizes[i] / 2)
            axis.length += sizes[i]
    return axis
