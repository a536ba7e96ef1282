"""How far a phone must pull the picture apart when it turns it a quarter: centres change places, boxes keep their
size."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from app.layout.curves import Place

if TYPE_CHECKING:
    from app.layout.picture import Picture

ROOM, NAME, CLEAR = 12, 18, 6
"""Between boxes side by side; above a box, for the student's name; between a box and a lane that passes it."""
MARGIN = 16


def turned(picture: Picture) -> dict[str, float]:
    """Factors and offsets of the rule ``x' = x * y + dx``, ``y' = y * x + dy`` for centres, waypoints, doors and
    wall, and the size of the turned picture. The factors are the smallest at which nothing touches."""
    boxes, lanes = picture.boxes, [corner for via in (*picture.via, *picture.exit_via) for corner in via]
    down, across = 0.0, 0.0
    rows: dict[int, list[int]] = defaultdict(list)
    columns: dict[int, list[int]] = defaultdict(list)
    for item, (column, row) in picture.cells.items():
        rows[row].append(item)
        columns[column].append(item)
    # Rows become columns: boxes that stood above one another stand side by side.
    for items in columns.values():
        down = max(down, _apart(sorted((picture.y.centres[picture.cells[i][1]], boxes[i][2] / 2) for i in items), ROOM))
    for items in rows.values():
        across = max(
            across, _apart(sorted((picture.x.centres[picture.cells[i][0]], boxes[i][3] / 2) for i in items), NAME)
        )
    widest = [max(boxes[i][2] for i in rows[row]) / 2 for row in range(len(picture.rows))]
    tallest = [max(boxes[i][3] for i in columns[column]) / 2 for column in range(len(picture.columns))]
    walls: list[Place] = []
    if picture.wall is not None:
        left, top, width, height = picture.wall
        walls = [(left, top), (left + width, top + height)]
    down = max(down, _clear([y for _, y in lanes + walls], picture.y.centres, widest))
    across = max(across, _clear([x for x, _ in lanes + walls], picture.x.centres, tallest))
    down, across = (round(factor + 0.0005, 3) or 1.0 for factor in (down, across))
    if not boxes:
        return {"x": down, "y": across, "dx": 0, "dy": 0, "width": picture.y.length, "height": picture.x.length}
    x = [down * (box[1] + box[3] / 2) for box in boxes]
    y = [across * (box[0] + box[2] / 2) for box in boxes]
    lows = [
        min(a - box[2] / 2 for a, box in zip(x, boxes, strict=True)),
        min(b - box[3] / 2 for b, box in zip(y, boxes, strict=True)) - NAME,
    ]
    highs = [
        max(a + box[2] / 2 for a, box in zip(x, boxes, strict=True)),
        max(b + box[3] / 2 for b, box in zip(y, boxes, strict=True)),
    ]
    for across_place, down_place in lanes + walls:
        lows = [min(lows[0], down * down_place), min(lows[1], across * across_place)]
        highs = [max(highs[0], down * down_place), max(highs[1], across * across_place)]
    return {
        "x": down,
        "y": across,
        "dx": round(MARGIN - lows[0], 1),
        "dy": round(MARGIN - lows[1], 1),
        "width": round(highs[0] - lows[0] + 2 * MARGIN, 1),
        "height": round(highs[1] - lows[1] + 2 * MARGIN, 1),
    }


def _apart(line: list[tuple[float, float]], room: float) -> float:
    """The factor at which neighbours in a line, (centre, half size) each, are ``room`` apart."""
    factor = 0.0
    for (a, half_a), (b, half_b) in pairwise(line):
        if b > a:
            factor = max(factor, (half_a + half_b + room) / (b - a))
    return factor


def _clear(lanes: list[float], centres: list[float], halves: list[float]) -> float:
    """The factor at which lanes between lines stay clear of the boxes in the lines on both sides."""
    factor, line = 0.0, 0
    for lane in sorted(set(lanes)):
        while line < len(centres) and centres[line] < lane:
            line += 1
        for side in (line - 1, line):
            if 0 <= side < len(centres) and abs(lane - centres[side]) > 1:
                factor = max(factor, (halves[side] + CLEAR) / abs(lane - centres[side]))
    return factor
