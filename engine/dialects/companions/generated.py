"""``sklearn.datasets.make_*``: points by the same rules, from the same stream of random numbers as scikit-learn's."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np


def check_random_state(seed: Any) -> np.random.RandomState:
    """A stream of random numbers for a seed; NumPy's own for None.

    :raises ValueError: it is none.
    """
    if seed is None or seed is np.random:
        found: np.random.RandomState = np.random.mtrand._rand
        return found
    if isinstance(seed, numbers.Integral):
        return np.random.RandomState(int(seed))
    if isinstance(seed, np.random.RandomState):
        return seed
    raise ValueError(f"{seed!r} cannot be used to seed a numpy.random.RandomState instance")


def shuffled(random: np.random.RandomState, *arrays: Any) -> list[Any]:
    """Rows in another order, the same for all."""
    order = np.arange(len(arrays[0]))
    random.shuffle(order)
    return [array[order] for array in arrays]


def _halves(n_samples: Any) -> tuple[int, int]:
    if isinstance(n_samples, numbers.Integral):
        return int(n_samples) // 2, int(n_samples) - int(n_samples) // 2
    return tuple(n_samples)


def make_moons(n_samples: Any = 100, *, shuffle: bool = True, noise: Any = None, random_state: Any = None) -> Any:
    """Two half circles that reach into each other."""
    outer, inner = _halves(n_samples)
    random = check_random_state(random_state)
    a, b = np.linspace(0, np.pi, outer), np.linspace(0, np.pi, inner)
    X = np.vstack([np.append(np.cos(a), 1 - np.cos(b)), np.append(np.sin(a), 1 - np.sin(b) - 0.5)]).T
    return _finished(X, outer, inner, random, shuffle, noise)


def make_circles(
    n_samples: Any = 100, *, shuffle: bool = True, noise: Any = None, random_state: Any = None, factor: float = 0.8
) -> Any:
    """A circle in a circle."""
    outer, inner = _halves(n_samples)
    random = check_random_state(random_state)
    a, b = (np.linspace(0, 2 * np.pi, count, endpoint=False) for count in (outer, inner))
    X = np.vstack([np.append(np.cos(a), np.cos(b) * factor), np.append(np.sin(a), np.sin(b) * factor)]).T
    return _finished(X, outer, inner, random, shuffle, noise)


def _finished(X: Any, outer: int, inner: int, random: Any, shuffle: bool, noise: Any) -> Any:
    y = np.hstack([np.zeros(outer, dtype=np.intp), np.ones(inner, dtype=np.intp)])
    if shuffle:
        X, y = shuffled(random, X, y)
    if noise is not None:
        X = X + random.normal(scale=noise, size=X.shape)
    return X, y


def make_blobs(
    n_samples: Any = 100, n_features: int = 2, *, centers: Any = None, cluster_std: Any = 1.0,
    center_box: Any = (-10.0, 10.0), shuffle: bool = True, random_state: Any = None, return_centers: bool = False,
) -> Any:  # fmt: skip
    """Round clouds of points."""
    random = check_random_state(random_state)
    counted = isinstance(n_samples, numbers.Integral)
    if centers is None:
        centers = 3 if counted else len(n_samples)
    if isinstance(centers, numbers.Integral):
        centers = random.uniform(center_box[0], center_box[1], size=(centers, n_features))
    centers = np.asarray(centers, float)
    n_features, kinds = centers.shape[1], len(centers)
    spread = np.full(kinds, cluster_std) if np.isscalar(cluster_std) else np.asarray(cluster_std)
    per = [n_samples // kinds + (i < n_samples % kinds) for i in range(kinds)] if counted else list(n_samples)
    parts = [random.normal(loc=c, scale=s, size=(n, n_features)) for c, s, n in zip(centers, spread, per, strict=True)]
    X, y = np.concatenate(parts), np.repeat(np.arange(kinds), per)
    if shuffle:
        X, y = shuffled(random, X, y)
    return (X, y, centers) if return_centers else (X, y)


def make_regression(
    n_samples: int = 100, n_features: int = 100, *, n_informative: int = 10, n_targets: int = 1, bias: float = 0.0,
    effective_rank: Any = None, tail_strength: float = 0.5, noise: float = 0.0, shuffle: bool = True,
    coef: bool = False, random_state: Any = None,
) -> Any:  # fmt: skip
    """Numbers that are a sum of some of the features."""
    if effective_rank is not None:
        raise NotImplementedError("make_regression has no effective_rank in this teaching engine: leave it out")
    n_informative = min(n_features, n_informative)
    random = check_random_state(random_state)
    X = random.standard_normal(size=(n_samples, n_features))
    truth = np.zeros((n_features, n_targets))
    truth[:n_informative] = 100 * random.uniform(size=(n_informative, n_targets))
    y = X @ truth + bias
    if noise > 0:
        y += random.normal(scale=noise, size=y.shape)
    if shuffle:
        X, y = shuffled(random, X, y)
        order = np.arange(n_features)
        random.shuffle(order)
        X, truth = X[:, order], truth[order]
    y = np.squeeze(y)
    return (X, y, np.squeeze(truth)) if coef else (X, y)


def make_classification(
    n_samples: int = 100, n_features: int = 20, *, n_informative: int = 2, n_redundant: int = 2, n_repeated: int = 0,
    n_classes: int = 2, n_clusters_per_class: int = 2, weights: Any = None, flip_y: float = 0.01,
    class_sep: float = 1.0, hypercube: bool = True, shift: Any = 0.0, scale: Any = 1.0, shuffle: bool = True,
    random_state: Any = None, return_X_y: bool = True,
) -> Any:  # fmt: skip
    """Clouds at the corners of a cube, with features that say nothing mixed in."""
    random = check_random_state(random_state)
    if n_informative + n_redundant + n_repeated > n_features:
        raise ValueError(
            "Number of informative, redundant and repeated features must sum to less than the number of total features"
        )
    if n_informative < np.log2(n_classes * n_clusters_per_class):
        raise ValueError(
            f"n_classes({n_classes}) * n_clusters_per_class({n_clusters_per_class}) must be smaller or equal 2**"
            f"n_informative({n_informative})={2**n_informative}"
        )
    shares = list(weights) if weights is not None else [1.0 / n_classes] * n_classes
    if len(shares) == n_classes - 1:
        shares.append(1.0 - sum(shares))
    useless = n_features - n_informative - n_redundant - n_repeated
    clusters = n_classes * n_clusters_per_class
    per = [int(n_samples * shares[k % n_classes] / n_clusters_per_class) for k in range(clusters)]
    for i in range(n_samples - sum(per)):
        per[i % clusters] += 1
    X, y = np.zeros((n_samples, n_features)), np.zeros(n_samples, dtype=int)
    corners = _corners(clusters, n_informative, random).astype(float, copy=False)
    corners *= 2 * class_sep
    corners -= class_sep
    if not hypercube:
        corners *= random.uniform(size=(clusters, 1))
        corners *= random.uniform(size=(1, n_informative))
    X[:, :n_informative] = random.standard_normal(size=(n_samples, n_informative))
    stop = 0
    for k, corner in enumerate(corners):
        start, stop = stop, stop + per[k]
        y[start:stop] = k % n_classes
        cloud = X[start:stop, :n_informative]
        A = 2 * random.uniform(size=(n_informative, n_informative)) - 1
        cloud[...] = cloud @ A
        cloud += corner
    if n_redundant > 0:
        B = 2 * random.uniform(size=(n_informative, n_redundant)) - 1
        X[:, n_informative : n_informative + n_redundant] = X[:, :n_informative] @ B
    if n_repeated > 0:
        known = n_informative + n_redundant
        chosen = ((known - 1) * random.uniform(size=n_repeated) + 0.5).astype(np.intp)
        X[:, known : known + n_repeated] = X[:, chosen]
    if useless > 0:
        X[:, -useless:] = random.standard_normal(size=(n_samples, useless))
    if flip_y >= 0.0:
        flipped = random.uniform(size=n_samples) < flip_y
        y[flipped] = random.randint(n_classes, size=flipped.sum())
    X += (2 * random.uniform(size=n_features) - 1) * class_sep if shift is None else shift
    X *= 1 + 100 * random.uniform(size=n_features) if scale is None else scale
    if shuffle:
        X, y = shuffled(random, X, y)
        order = np.arange(n_features)
        random.shuffle(order)
        X = X[:, order]
    return X, y


def _corners(count: int, dimensions: int, random: np.random.RandomState) -> Any:
    """``count`` different corners of a cube."""
    if dimensions > 30:
        return np.hstack([random.randint(2, size=(count, dimensions - 30)), _corners(count, 30, random)])
    chosen = _without_replacement(2**dimensions, count, random).astype(">u4", copy=False)
    return np.unpackbits(chosen.view(">u1")).reshape((-1, 32))[:, -dimensions:]


def _without_replacement(population: int, count: int, random: np.random.RandomState) -> Any:
    """The same choice as scikit-learn's, which changes its way with the share that is chosen."""
    share = count / population
    if share < 0.01:
        seen: set[int] = set()
        found = []
        for _ in range(count):
            j = random.randint(population)
            while j in seen:
                j = random.randint(population)
            seen.add(j)
            found.append(j)
        return np.array(found)
    if share <= 0.99:
        return random.permutation(population)[:count]
    kept = list(range(count))
    for i in range(count, population):
        j = random.randint(0, i + 1)
        if j < count:
            kept[j] = i
    return np.array(kept)


MAKERS = "make_moons make_circles make_blobs make_regression make_classification"
