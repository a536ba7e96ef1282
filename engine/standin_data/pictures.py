"""Small pictures in place of FashionMNIST's clothes and CIFAR's photographs: filled outlines, bent, scaled and moved at
random. Ten kinds each, told apart by their form (and, in colour, not by their colour alone)."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Outline = list[tuple[float, float]]

_FINE = 64
"""Outlines are filled on a grid of so many points a side, over [-0.25, 1.25]."""
CLOTHES: list[list[Outline]] = [
    [[(0.1, 0.2), (0.38, 0.12), (0.62, 0.12), (0.9, 0.2), (0.86, 0.42), (0.72, 0.4), (0.72, 0.9), (0.28, 0.9),
      (0.28, 0.4), (0.14, 0.42)]],
    [[(0.32, 0.08), (0.68, 0.08), (0.74, 0.94), (0.56, 0.94), (0.5, 0.36), (0.44, 0.94), (0.26, 0.94)]],
    [[(0.34, 0.1), (0.66, 0.1), (0.95, 0.6), (0.84, 0.7), (0.7, 0.44), (0.7, 0.9), (0.3, 0.9), (0.3, 0.44),
      (0.16, 0.7), (0.05, 0.6)]],
    [[(0.4, 0.06), (0.6, 0.06), (0.6, 0.4), (0.8, 0.95), (0.2, 0.95), (0.4, 0.4)]],
    [[(0.3, 0.06), (0.47, 0.1), (0.47, 0.95), (0.24, 0.95), (0.22, 0.8), (0.08, 0.8)],
     [(0.7, 0.06), (0.53, 0.1), (0.53, 0.95), (0.76, 0.95), (0.78, 0.8), (0.92, 0.8)]],
    [[(0.05, 0.72), (0.4, 0.7), (0.92, 0.4), (0.95, 0.72), (0.88, 0.72), (0.86, 0.58), (0.45, 0.8), (0.05, 0.8)]],
    [[(0.14, 0.18), (0.42, 0.12), (0.5, 0.3), (0.58, 0.12), (0.86, 0.18), (0.94, 0.62), (0.82, 0.64), (0.74, 0.4),
      (0.7, 0.66), (0.3, 0.66), (0.26, 0.4), (0.18, 0.64), (0.06, 0.62)]],
    [[(0.05, 0.6), (0.35, 0.5), (0.5, 0.36), (0.62, 0.44), (0.9, 0.42), (0.95, 0.72), (0.05, 0.72)]],
    [[(0.1, 0.4), (0.9, 0.4), (0.9, 0.92), (0.1, 0.92)], [(0.3, 0.4), (0.36, 0.14), (0.64, 0.14), (0.7, 0.4),
      (0.62, 0.4), (0.58, 0.22), (0.42, 0.22), (0.38, 0.4)]],
    [[(0.36, 0.08), (0.66, 0.08), (0.68, 0.6), (0.94, 0.74), (0.94, 0.92), (0.3, 0.92)]],
]  # fmt: skip
THINGS: list[list[Outline]] = [
    [[(0.05, 0.5), (0.45, 0.44), (0.62, 0.1), (0.72, 0.1), (0.64, 0.44), (0.88, 0.42), (0.96, 0.26), (0.96, 0.66),
      (0.64, 0.56), (0.72, 0.9), (0.62, 0.9), (0.45, 0.56)]],
    [[(0.05, 0.62), (0.2, 0.56), (0.32, 0.36), (0.7, 0.36), (0.82, 0.56), (0.95, 0.6), (0.95, 0.76), (0.05, 0.76)]],
    [[(0.05, 0.46), (0.24, 0.38), (0.4, 0.42), (0.7, 0.5), (0.95, 0.4), (0.78, 0.66), (0.45, 0.72), (0.22, 0.56)]],
    [[(0.2, 0.12), (0.34, 0.3), (0.66, 0.3), (0.8, 0.12), (0.84, 0.6), (0.5, 0.92), (0.16, 0.6)]],
    [[(0.14, 0.1), (0.3, 0.3), (0.34, 0.06), (0.42, 0.36), (0.92, 0.44), (0.88, 0.94), (0.8, 0.94), (0.78, 0.66),
      (0.5, 0.66), (0.46, 0.94), (0.38, 0.94), (0.34, 0.5), (0.16, 0.44)]],
    [[(0.08, 0.2), (0.3, 0.14), (0.7, 0.14), (0.92, 0.2), (0.84, 0.56), (0.74, 0.4), (0.66, 0.84), (0.34, 0.84),
      (0.26, 0.4), (0.16, 0.56)]],
    [[(0.1, 0.8), (0.2, 0.5), (0.34, 0.34), (0.44, 0.22), (0.6, 0.22), (0.7, 0.36), (0.8, 0.5), (0.95, 0.8),
      (0.7, 0.72), (0.5, 0.84), (0.3, 0.72)]],
    [[(0.06, 0.2), (0.2, 0.12), (0.3, 0.34), (0.9, 0.36), (0.96, 0.6), (0.88, 0.56), (0.86, 0.95), (0.78, 0.95),
      (0.74, 0.6), (0.36, 0.6), (0.32, 0.95), (0.24, 0.95), (0.2, 0.4), (0.08, 0.32)]],
    [[(0.04, 0.6), (0.96, 0.6), (0.82, 0.84), (0.2, 0.84)], [(0.46, 0.1), (0.52, 0.1), (0.86, 0.54), (0.46, 0.54)]],
    [[(0.04, 0.3), (0.62, 0.3), (0.62, 0.78), (0.04, 0.78)], [(0.66, 0.44), (0.84, 0.44), (0.96, 0.6), (0.96, 0.78),
      (0.66, 0.78)]],
]  # fmt: skip
_SEED = {"train": 31, "test": 47}


@cache
def _filled(kind: str) -> NDArray[np.float32]:
    """How much of each point of the grid the outlines cover: kind x row x column."""
    axis = np.linspace(-0.25, 1.25, _FINE)
    y, x = np.meshgrid(axis, axis, indexing="ij")
    found = np.zeros((10, _FINE, _FINE), np.float32)
    for number, outlines in enumerate(CLOTHES if kind == "clothes" else THINGS):
        for outline in outlines:
            inside = np.zeros((_FINE, _FINE), bool)
            for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
                crosses = (ay > y) != (by > y)
                at = ax + (y - ay) * (bx - ax) / ((by - ay) or 1e-9)
                inside ^= crosses & (x < at)
            found[number] = np.maximum(found[number], inside)
    return found


def _covers(kind: str, size: int, which: NDArray[Any], random: np.random.RandomState) -> NDArray[np.float32]:
    """Each thing through an affine map of its own: images x ``size`` x ``size``, 0 to 1."""
    rows = len(which)
    angle, shear = random.normal(0, 0.1, rows), random.normal(0, 0.1, rows)
    wide, high = random.uniform(0.9, 1.25, rows), random.uniform(0.9, 1.25, rows)
    shift = random.normal(0, 0.04, (rows, 2))
    axis = (np.arange(size) + 0.5) / size - 0.5
    y, x = np.meshgrid(axis, axis, indexing="ij")
    cos, sin, shear, wide, high, left, up = (
        values[:, None, None] for values in (np.cos(angle), np.sin(angle), shear, wide, high, *shift.T)
    )
    across, down = (cos * x + sin * y) * wide + 0.5 + left, (-sin * x + cos * y) * high + 0.5 + up
    across = across + shear * (down - 0.5)
    place = [np.clip((p + 0.25) / 1.5 * (_FINE - 1), 0, _FINE - 1.01) for p in (down, across)]
    low = [p.astype(int) for p in place]
    part = [p - q for p, q in zip(place, low, strict=True)]
    field, kinds = _filled(kind), which.astype(int)[:, None, None]
    covered = sum(
        (part[0] if i else 1 - part[0]) * (part[1] if j else 1 - part[1]) * field[kinds, low[0] + i, low[1] + j]
        for i in (0, 1)
        for j in (0, 1)
    )
    return np.asarray(covered, np.float32)


def _labels(part: str, count: int, random: np.random.RandomState) -> NDArray[np.uint8]:
    return random.randint(0, 10, count).astype(np.uint8)


def _random(part: str, kind: str) -> np.random.RandomState:
    if part not in _SEED:
        raise ValueError(f"there is no part {part!r} of these pictures: use 'train' or 'test'")
    return np.random.RandomState(_SEED[part] + (0 if kind == "clothes" else 1))


def clothes(part: str, count: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Ten kinds of clothes (``count`` x 28 x 28, 0 to 255) and their labels, of ``part`` "train" or "test".

    >>> images, labels = clothes("test", 5)
    >>> images.shape, images.dtype.name, labels.shape
    ((5, 28, 28), 'uint8', (5,))

    :raises ValueError: there is no such part.
    """
    random = _random(part, "clothes")
    which = _labels(part, count, random)
    covered = _covers("clothes", 28, which, random)
    shade = random.uniform(0.45, 1.0, (count, 1, 1))
    weave = 1 - 0.25 * random.rand(count, 28, 28)
    return (covered * shade * weave * 255).astype(np.uint8), which


def things(part: str, count: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Ten kinds of things in colour (``count`` x 32 x 32 x 3, 0 to 255) and their labels, before a background.

    :raises ValueError: there is no such part.
    """
    random = _random(part, "things")
    which = _labels(part, count, random)
    covered = _covers("things", 32, which, random)[..., None]
    back, front = random.uniform(0.35, 1.0, (count, 1, 1, 3)), random.uniform(0.0, 0.6, (count, 1, 1, 3))
    # Things have colours that they often have, as in the real set.
    usual = np.array([[math.cos(2.4 * k + c) * 0.25 + 0.3 for c in (0, 2.1, 4.2)] for k in range(10)])
    front = 0.5 * front + 0.5 * usual[which][:, None, None, :]
    light = np.linspace(1.0, 0.8, 32)[None, :, None, None]
    mixed = (back * light * (1 - covered) + front * covered) * (1 - 0.12 * random.rand(count, 32, 32, 1))
    return (np.clip(mixed, 0, 1) * 255).astype(np.uint8), which


__all__ = ["clothes", "things"]
