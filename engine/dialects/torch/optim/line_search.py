"""A step length that satisfies the strong Wolfe conditions (J. Nocedal and S. Wright, Numerical Optimization, 3.5).

Slopes are scalars of the parameters' dtype and losses Python numbers, as in PyTorch, so that lengths agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

ENOUGH, FLATTER, MOST = 1e-4, 0.9, 25
"""How much the loss must fall, how much flatter it must become, and how often it may be asked."""


@dataclass(frozen=True, slots=True)
class Point:
    """What was found at one step ``length``: the loss, its gradient, and its slope along the direction."""

    length: Any
    loss: float
    gradient: Any
    slope: Any


def cubic_minimum(a: Point, b: Point, bounds: tuple[Any, Any] | None = None) -> Any:
    """Where the cubic through two points with their slopes is smallest, kept within ``bounds`` (or between them)."""
    low, high = bounds or (min(a.length, b.length), max(a.length, b.length))
    middle = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.length - b.length)
    square = middle**2 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2.0
    root = np.sqrt(square)
    left, right = (a, b) if a.length <= b.length else (b, a)
    found = right.length - (right.length - left.length) * (
        (right.slope + root - middle) / (right.slope - left.slope + 2 * root)
    )
    return min(max(found, low), high)


def strong_wolfe(
    ask: Callable[[Any], Point], start: Point, length: Any, largest: Any, tolerance: float
) -> tuple[Point, int]:
    """The point to go to, and how often ``ask`` was called. ``largest`` is the largest part of the direction."""

    def too_high(point: Point) -> bool:
        return bool(point.loss > start.loss + ENOUGH * point.length * start.slope)

    def is_flat(point: Point) -> bool:
        return bool(abs(point.slope) <= -FLATTER * start.slope)

    point, before, asked, rounds = ask(length), start, 1, 0
    bracket: list[Point] = []
    while rounds < MOST:
        if too_high(point) or (rounds > 1 and point.loss >= before.loss):
            bracket = [before, point]
            break
        if is_flat(point):
            return point, asked
        if point.slope >= 0:
            bracket = [before, point]
            break
        bounds = point.length + 0.01 * (point.length - before.length), point.length * 10
        before, point = point, ask(cubic_minimum(before, point, bounds))
        asked += 1
        rounds += 1
    bracket = bracket or [start, point]

    stuck = False
    while rounds < MOST:
        best, other = sorted((0, 1), key=lambda i: bracket[i].loss)
        low, high = sorted(p.length for p in bracket)
        if (high - low) * largest < tolerance:
            break
        length = cubic_minimum(bracket[0], bracket[1])
        margin = 0.1 * (high - low)
        if min(high - length, length - low) < margin:
            if stuck or length >= high or length <= low:
                length = high - margin if abs(length - high) < abs(length - low) else low + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        point = ask(length)
        asked += 1
        rounds += 1
        if too_high(point) or point.loss >= bracket[best].loss:
            bracket[other] = point
            continue
        if is_flat(point):
            return point, asked
        if point.slope * (bracket[other].length - bracket[best].length) >= 0:
            bracket[other] = bracket[best]
        bracket[best] = point
    return min(bracket, key=lambda p: p.loss), asked
