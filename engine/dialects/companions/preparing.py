"""The parts of ``sklearn`` that come before and after a network: splitting, scaling, scores."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from engine.dialects.companions.generated import check_random_state


def train_test_split(
    *arrays: Any, test_size: Any = None, train_size: Any = None, random_state: Any = None, shuffle: bool = True,
    stratify: Any = None,
) -> list[Any]:  # fmt: skip
    """Rows for training and rows for testing, of each array."""
    if not arrays:
        raise ValueError("At least one array required as input")
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")
    n = lengths[0]
    if test_size is None and train_size is None:
        test_size = 0.25
    tests = _count("test_size", test_size, n, math.ceil)
    trains = _count("train_size", train_size, n, math.floor)
    tests = n - trains if tests is None else tests  # type: ignore[operator]
    trains = n - tests if trains is None else trains
    if trains + tests > n:
        raise ValueError(
            f"The sum of train_size and test_size = {trains + tests}, should be smaller than the number of samples "
            f"{n}. Reduce test_size and/or train_size."
        )
    if trains == 0:
        raise ValueError(
            f"With n_samples={n}, test_size={test_size} and train_size={train_size}, the resulting train set will be "
            "empty. Adjust any of the aforementioned parameters."
        )
    if not shuffle:
        train, test = np.arange(trains), np.arange(trains, trains + tests)
    elif stratify is not None:
        train, test = _by_class(np.asarray(stratify), trains, tests, check_random_state(random_state))
    else:
        order = check_random_state(random_state).permutation(n)
        test, train = order[:tests], order[tests : tests + trains]
    return [_rows(array, part) for array in arrays for part in (train, test)]


def _count(name: str, size: Any, n: int, whole: Any) -> int | None:
    if size is None:
        return None
    if isinstance(size, numbers.Integral):
        return int(size)
    if not 0 < size < 1:
        raise ValueError(
            f"The '{name}' parameter of train_test_split must be a float in the range (0.0, 1.0), an int in the range "
            f"[1, inf) or None. Got {size} instead."
        )
    return int(whole(size * n))


def _rows(array: Any, index: Any) -> Any:
    if isinstance(array, list | tuple):
        return [array[i] for i in index]
    if hasattr(array, "iloc"):
        return array.iloc[index]
    return array[index]


def _by_class(labels: Any, trains: int, tests: int, random: np.random.RandomState) -> tuple[Any, Any]:
    _, classes = np.unique(labels, return_inverse=True)
    counts = np.bincount(classes)
    if counts.min() < 2:
        raise ValueError(
            "The least populated classes in y have only 1 member, which is too few. The minimum number of groups for "
            "any class cannot be less than 2."
        )
    members = np.split(np.argsort(classes, kind="mergesort"), np.cumsum(counts)[:-1])
    per_train = _modes(counts, trains, random)
    per_test = _modes(counts - per_train, tests, random)
    train: list[int] = []
    test: list[int] = []
    for k, rows in enumerate(members):
        order = rows.take(random.permutation(counts[k]), mode="clip")
        train.extend(order[: per_train[k]])
        test.extend(order[per_train[k] : per_train[k] + per_test[k]])
    return random.permutation(train), random.permutation(test)


def _modes(counts: Any, draws: int, random: np.random.RandomState) -> Any:
    """How many of each class are most likely among ``draws``."""
    exact = counts / counts.sum() * draws
    floored = np.floor(exact)
    lacking = int(draws - floored.sum())
    if lacking > 0:
        rest = exact - floored
        for value in np.sort(np.unique(rest))[::-1]:
            (places,) = np.where(rest == value)
            add = min(len(places), lacking)
            places = random.choice(places, size=add, replace=False)
            floored[places] += 1
            lacking -= add
            if lacking == 0:
                break
    return floored.astype(int)


class KFold:
    """Rows in ``n_splits`` parts, each the test once."""

    def __init__(self, n_splits: int = 5, *, shuffle: bool = False, random_state: Any = None) -> None:
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def get_n_splits(self, *_: Any) -> int:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
        """(train, test) indices for each part."""
        n = len(X)
        order = np.arange(n)
        if self.shuffle:
            check_random_state(self.random_state).shuffle(order)
        sizes = np.full(self.n_splits, n // self.n_splits)
        sizes[: n % self.n_splits] += 1
        for start, size in zip(np.cumsum(sizes) - sizes, sizes, strict=True):
            test = np.zeros(n, bool)
            test[order[start : start + size]] = True
            yield np.flatnonzero(~test), np.flatnonzero(test)


class Fitted:
    """Something that learns from data and then changes it."""

    def fit(self, X: Any, y: Any = None) -> Any:
        raise NotImplementedError

    def transform(self, X: Any) -> Any:
        raise NotImplementedError

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn from ``X``, and give it changed."""
        return self.fit(X, y).transform(X)

    def _table(self, X: Any) -> Any:
        array = np.asarray(X)
        array = array.astype(np.float64) if array.dtype.kind != "f" else array
        if array.ndim != 2:
            raise ValueError(
                f"Expected 2D array, got {array.ndim}D array instead:\narray={array}.\nReshape your data either using "
                "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a "
                "single sample."
            )
        return array

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class StandardScaler(Fitted):
    """Each feature with mean 0 and deviation 1."""

    def __init__(self, *, copy: bool = True, with_mean: bool = True, with_std: bool = True) -> None:
        self.with_mean, self.with_std = with_mean, with_std

    def fit(self, X: Any, y: Any = None) -> StandardScaler:
        array = self._table(X)
        self.mean_, self.var_ = array.mean(0), array.var(0)
        self.scale_ = np.where(self.var_ == 0, 1.0, np.sqrt(self.var_))
        self.n_features_in_, self.n_samples_seen_ = array.shape[1], len(array)
        return self

    def transform(self, X: Any) -> Any:
        array = self._table(X)
        array = array - self.mean_ if self.with_mean else array
        return array / self.scale_ if self.with_std else array

    def inverse_transform(self, X: Any) -> Any:
        array = np.asarray(X)
        array = array * self.scale_ if self.with_std else array
        return array + self.mean_ if self.with_mean else array


class MinMaxScaler(Fitted):
    """Each feature between two numbers."""

    def __init__(self, feature_range: Any = (0, 1), *, copy: bool = True, clip: bool = False) -> None:
        self.feature_range = feature_range

    def fit(self, X: Any, y: Any = None) -> MinMaxScaler:
        array = self._table(X)
        low, high = self.feature_range
        self.data_min_, self.data_max_ = array.min(0), array.max(0)
        self.data_range_ = self.data_max_ - self.data_min_
        self.scale_ = (high - low) / np.where(self.data_range_ == 0, 1.0, self.data_range_)
        self.min_ = low - self.data_min_ * self.scale_
        return self

    def transform(self, X: Any) -> Any:
        return self._table(X) * self.scale_ + self.min_

    def inverse_transform(self, X: Any) -> Any:
        return (np.asarray(X) - self.min_) / self.scale_


class LabelEncoder:
    """Labels as numbers from 0."""

    def fit(self, y: Any) -> LabelEncoder:
        self.classes_ = np.unique(np.asarray(y))
        return self

    def transform(self, y: Any) -> Any:
        array = np.asarray(y)
        strange = np.setdiff1d(array, self.classes_)
        if len(strange):
            raise ValueError(f"y contains previously unseen labels: {strange.tolist()!s}")
        return np.searchsorted(self.classes_, array)

    def fit_transform(self, y: Any) -> Any:
        return self.fit(y).transform(y)

    def inverse_transform(self, y: Any) -> Any:
        return self.classes_[np.asarray(y)]


class OneHotEncoder(Fitted):
    """A column for each kind. There are no sparse matrices here: say ``sparse_output=False``."""

    def __init__(self, *, sparse_output: bool = True, sparse: Any = None, **_: Any) -> None:
        self.sparse_output = sparse_output if sparse is None else sparse

    def fit(self, X: Any, y: Any = None) -> OneHotEncoder:
        self.categories_ = [np.unique(column) for column in np.asarray(X).T]
        return self

    def transform(self, X: Any) -> Any:
        if self.sparse_output:
            raise NotImplementedError(
                "sparse matrices are not in this teaching engine: OneHotEncoder(sparse_output=False)"
            )
        columns = zip(np.asarray(X).T, self.categories_, strict=True)
        return np.hstack([(column[:, None] == kinds[None, :]).astype(np.float64) for column, kinds in columns])


def accuracy_score(y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None) -> float:
    """The share that is right."""
    right = np.asarray(y_true) == np.asarray(y_pred)
    right = right.all(1) if right.ndim > 1 else right
    return float(np.average(right, weights=sample_weight)) if normalize else float(right.sum())


def confusion_matrix(y_true: Any, y_pred: Any, *, labels: Any = None, **_: Any) -> Any:
    """How often each kind (row) was taken for each (column)."""
    true, guess = np.asarray(y_true), np.asarray(y_pred)
    kinds = np.unique(np.concatenate([true, guess])) if labels is None else np.asarray(labels)
    found = np.zeros((len(kinds), len(kinds)), dtype=int)
    place = {kind: number for number, kind in enumerate(kinds.tolist())}
    for a, b in zip(true.tolist(), guess.tolist(), strict=True):
        if a in place and b in place:
            found[place[a], place[b]] += 1
    return found


def mean_squared_error(y_true: Any, y_pred: Any, **_: Any) -> float:
    return float(np.mean((np.asarray(y_true) - np.asarray(y_pred)) ** 2))


def mean_absolute_error(y_true: Any, y_pred: Any, **_: Any) -> float:
    return float(np.mean(np.abs(np.asarray(y_true) - np.asarray(y_pred))))


def r2_score(y_true: Any, y_pred: Any, **_: Any) -> float:
    true = np.asarray(y_true, float)
    return float(1 - ((true - np.asarray(y_pred)) ** 2).sum() / ((true - true.mean(0)) ** 2).sum())


def shuffle(*arrays: Any, random_state: Any = None, n_samples: Any = None) -> Any:
    """Rows in another order, the same for all arrays."""
    order = np.arange(len(arrays[0]))
    check_random_state(random_state).shuffle(order)
    found = [_rows(array, order[:n_samples]) for array in arrays]
    return found[0] if len(found) == 1 else found


SPLITTING = "train_test_split KFold"
SCALING = "StandardScaler MinMaxScaler LabelEncoder OneHotEncoder"
SCORES = "accuracy_score confusion_matrix mean_squared_error mean_absolute_error r2_score"
