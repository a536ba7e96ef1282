"""Tables in place of the small classical ones: numbers drawn around means and spreads of our own choosing, in the shape
of the real set. A rule that can be learned is in each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = tuple[NDArray[np.float64], NDArray[Any]]

_FLOWERS = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]])
_FLOWER_SPREAD = np.array([[0.35, 0.37, 0.17, 0.1], [0.51, 0.31, 0.46, 0.2], [0.63, 0.32, 0.55, 0.27]])


def flowers() -> Table:
    """150 flowers of three kinds with four lengths each (the shape of iris): one kind stands apart, two touch.

    >>> lengths, kinds = flowers()
    >>> lengths.shape, np.bincount(kinds).tolist()
    ((150, 4), [50, 50, 50])
    """
    random = np.random.RandomState(3)
    size = random.normal(0, 1, (3, 50, 1))
    own = random.normal(0, 1, (3, 50, 4))
    lengths = _FLOWERS[:, None] + _FLOWER_SPREAD[:, None] * (0.7 * size + 0.7 * own)
    table: Any = np.round(np.maximum(lengths, 0.1), 1).reshape(150, 4)
    return table, np.repeat(np.arange(3), 50)


def classes(rows: list[int], features: int, seed: int, apart: float = 1.6) -> Table:
    """Rows of several classes, each around a centre of its own; a feature may be correlated with others.

    >>> classes([59, 71, 48], 13, 1)[0].shape
    (178, 13)
    """
    random = np.random.RandomState(seed)
    scale = np.exp(random.normal(0, 1.2, features))
    mixing = np.eye(features) + random.normal(0, 0.25, (features, features))
    parts = [random.normal(0, 1, (n, features)) + apart * random.normal(0, 1, features) for n in rows]
    target = np.repeat(np.arange(len(rows)), rows)
    order = np.arange(len(target)) if len(rows) == 3 else random.permutation(len(target))
    table = np.round(scale * (5 + np.concatenate(parts) @ mixing), 3)
    return np.abs(table[order]), target[order]


def numbers(rows: int, features: int, seed: int, centre: float, spread: float) -> Table:
    """Rows with a number that depends on them: a sum of the features, a bend in one, some noise.

    >>> numbers(442, 10, 2, 152.0, 77.0)[1].shape
    (442,)
    """
    random = np.random.RandomState(seed)
    table = random.normal(0, 1, (rows, features))
    weights = random.normal(0, 1, features)
    found = table @ weights + 0.5 * table[:, 0] ** 2 + random.normal(0, 0.5, rows)
    found = (found - found.mean()) / found.std()
    return np.round(table, 4), np.round(np.maximum(centre + spread * found, 0), 3)


__all__ = ["classes", "flowers", "numbers"]
