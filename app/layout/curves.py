"""The rule by which edges are drawn, the same as the player's: see "How an edge is drawn" in ``docs/layout.md``."""

from __future__ import annotations

from collections.abc import Sequence

Box = tuple[float, float, float, float]
"""x, y (top left), width, height."""
Place = tuple[float, float]

_NORMALS = {"l": (-1, 0), "r": (1, 0), "t": (0, -1), "b": (0, 1)}


def anchor(box: Box, side: str) -> Place:
    """The middle of a side.

    >>> anchor((0, 0, 88, 58), "r")
    (88.0, 29.0)
    """
    dx, dy = _NORMALS[side]
    return box[0] + box[2] * (1 + dx) / 2, box[1] + box[3] * (1 + dy) / 2


def points(
    source: Box, target: Box, sides: str, via: Sequence[Sequence[float]] = (), *, samples: int = 24
) -> list[Place]:
    """An edge as a polyline: exact where it is straight, sampled where it is a cubic.

    Without ``via`` it is straight if its ends are level, else a cubic whose control points lie on the normals of the
    two sides, half the distance away along that normal (at least 10, at most 46). With ``via`` it runs straight from
    corner to corner (the player rounds the corners on the inside, by at most 8).

    >>> points((0, 0, 88, 58), (104, 0, 88, 58), "rl")
    [(88.0, 29.0), (104.0, 29.0)]
    """
    start, end = anchor(source, sides[0]), anchor(target, sides[1])
    if via:
        return [start, *((float(x), float(y)) for x, y in via), end]
    across, along = abs(end[0] - start[0]), abs(end[1] - start[1])
    if across <= 0.5 or along <= 0.5:
        return [start, end]
    (ax, ay), (bx, by) = (_control(p, side, across, along) for p, side in ((start, sides[0]), (end, sides[1])))
    found = []
    for i in range(samples + 1):
        t = i / samples
        u = 1 - t
        a, b, c, d = u**3, 3 * u * u * t, 3 * u * t * t, t**3
        found.append((a * start[0] + b * ax + c * bx + d * end[0], a * start[1] + b * ay + c * by + d * end[1]))
    return found


def _control(place: Place, side: str, across: float, along: float) -> Place:
    dx, dy = _NORMALS[side]
    reach = max(10.0, min(46.0, 0.5 * (across if dx else along)))
    return place[0] + dx * reach, place[1] + dy * reach
