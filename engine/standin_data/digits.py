"""Digits of 28 x 28 pixels, drawn with strokes: each as a few lines and arcs, turned, stretched and moved at random.

A pixel is as bright as it is near to a stroke. The distances to a glyph's strokes are worked out once for a few
variants of each digit; an image then looks them up through its own affine map, so ten thousand take a second.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIZE = 28
_GRID, _REACH = 48, 0.30
_VARIANTS = 12
_FIRST = {"train": (5, 0, 4, 1, 9), "test": (7, 2, 1, 0, 4)}
"""How the labels of the real sets begin."""
_SEED = {"train": 11, "test": 23}

Points = list[tuple[float, float]]


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Points:
    """Points on an ellipse; angles in degrees, clockwise from the right (y grows downwards)."""
    steps = max(2, int(abs(end - start) / 20))
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def _strokes(digit: int, form: int) -> list[Points]:
    """The strokes of a digit in the unit square; ``form`` picks one of two ways to write it."""
    other = form % 2 == 1
    match digit:
        case 0:
            return [_arc(0.5, 0.5, 0.24 if other else 0.3, 0.4, 0, 360)]
        case 1:
            return [[(0.35, 0.25), (0.52, 0.1), (0.52, 0.9)]] if other else [[(0.5, 0.1), (0.5, 0.9)]]
        case 2:
            return [[*_arc(0.5, 0.32, 0.25, 0.22, -170, 40), (0.25, 0.88), (0.78, 0.88)]]
        case 3:
            return [_arc(0.47, 0.3, 0.24, 0.2, -150, 90), _arc(0.47, 0.69, 0.27, 0.21, -90, 150)]
        case 4:
            top = (0.3, 0.12) if other else (0.58, 0.1)
            return [[top, (0.22, 0.58), (0.8, 0.58)], [(0.62, 0.1 if not other else 0.3), (0.62, 0.92)]]
        case 5:
            return [
                [(0.75, 0.12), (0.33, 0.12), (0.29, 0.45)],
                [(0.29, 0.45), *_arc(0.47, 0.64, 0.27, 0.24, -110, 150)],
            ]
        case 6:
            return [[(0.66, 0.1), (0.38, 0.38), (0.27, 0.64)], _arc(0.5, 0.68, 0.24, 0.22, 0, 360)]
        case 7:
            bar = [[(0.36, 0.5), (0.66, 0.5)]] if other else []
            return [[(0.22, 0.13), (0.78, 0.13), (0.42, 0.9)], *bar]
        case 8:
            return [_arc(0.5, 0.3, 0.2, 0.19, 0, 360), _arc(0.5, 0.7, 0.25, 0.21, 0, 360)]
        case _:
            tail = [(0.72, 0.35), (0.6, 0.9)] if other else [(0.72, 0.32), (0.7, 0.9)]
            return [_arc(0.5, 0.32, 0.23, 0.21, 0, 360), tail]


@cache
def _fields() -> NDArray[Any]:
    """Distances to the strokes: digit x variant x row x column, over [-0.25, 1.25]."""
    random = np.random.RandomState(7)
    axis = np.linspace(-0.25, 1.25, _GRID)
    y, x = np.meshgrid(axis, axis, indexing="ij")
    found = np.full((10, _VARIANTS, _GRID, _GRID), np.inf)
    for digit in range(10):
        for variant in range(_VARIANTS):
            for stroke in _strokes(digit, variant):
                points = np.array(stroke)
                bend = random.uniform(-0.05, 0.05, (2, 2))
                points = points + bend[0] + bend[1] * np.sin(3 * points[:, ::-1])
                for (ax, ay), (bx, by) in pairwise(points):
                    dx, dy = bx - ax, by - ay
                    along = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
                    apart = np.hypot(x - ax - along * dx, y - ay - along * dy)
                    np.minimum(found[digit, variant], apart, out=found[digit, variant])
    return np.asarray(np.minimum(found, _REACH), np.float32)


def digits(part: str, count: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The first ``count`` images (``count`` x 28 x 28, 0 to 255) and labels of ``part``, "train" or "test".

    :raises ValueError: there is no such part.
    """
    if part not in _SEED:
        raise ValueError(f"there is no part {part!r} of the digits: use 'train' or 'test'")
    random = np.random.RandomState(_SEED[part])
    images = np.empty((count, SIZE, SIZE), np.uint8)
    labels = np.empty(count, np.uint8)
    first = _FIRST[part]
    for start in range(0, count, 500):
        # Whole blocks are drawn, so that the first images do not depend on the count.
        which = random.randint(0, 10, 500).astype(np.uint8)
        if start == 0:
            which[: len(first)] = first
        block = _drawn(which, random)
        size = min(500, count - start)
        images[start : start + size], labels[start : start + size] = block[:size], which[:size]
    return images, labels


def _drawn(which: NDArray[np.uint8], random: np.random.RandomState) -> NDArray[np.uint8]:
    rows = len(which)
    variant = random.randint(0, _VARIANTS, rows)
    angle, shear = random.normal(0, 0.2, rows), random.normal(0, 0.2, rows)
    wide, high = random.uniform(0.8, 1.3, rows), random.uniform(0.85, 1.2, rows)
    shift = random.normal(0, 0.045, (rows, 2))
    thick, bright = random.uniform(0.045, 0.085, rows), random.uniform(0.85, 1.0, rows)
    axis = (np.arange(SIZE) + 0.5) / SIZE
    # The digit fills the middle 20 pixels of 28, as in the real set.
    y, x = np.meshgrid((axis - 0.5) * SIZE / 20, (axis - 0.5) * SIZE / 20, indexing="ij")
    x, y = x.astype(np.float32), y.astype(np.float32)
    cos, sin, shear, wide, high, thick, bright, left, up = (
        values.astype(np.float32)[:, None, None]
        for values in (np.cos(angle), np.sin(angle), shear, wide, high, thick, bright, *shift.T)
    )
    across = (cos * x + sin * y) * wide + left
    down = (-sin * x + cos * y) * high + up
    across = across + shear * down
    place = [np.clip((p + 0.5 + 0.25) / 1.5 * (_GRID - 1), 0, _GRID - 1.01) for p in (down, across)]
    low = [p.astype(int) for p in place]
    part = [p - q for p, q in zip(place, low, strict=True)]
    fields = _fields()
    digit, form = which[:, None, None], variant[:, None, None]
    apart = sum(
        (part[0] if i else 1 - part[0]) * (part[1] if j else 1 - part[1]) * fields[digit, form, low[0] + i, low[1] + j]
        for i in (0, 1)
        for j in (0, 1)
    )
    ink = np.clip((thick - apart) / 0.045 + 0.5, 0, 1) * bright
    found: NDArray[np.uint8] = (ink * 255).astype(np.uint8)
    return found
