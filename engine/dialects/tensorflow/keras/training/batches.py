"""Data as batches: arrays in the order that the program's seed gives, datasets, generators."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager import random_ops
from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.philox import _shuffled


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """Inputs, labels and weights of what a dataset gives.

    :raises ValueError: there are more than three parts.
    """
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if 1 <= len(data) <= 3:
        return (*data, None, None)[:3]
    raise ValueError(
        "Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, found: " + str(data)
    )


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    if y is None:
        return x if not isinstance(x, tuple | list) else (x,)
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def as_arrays(data: Any) -> Any:
    """Arrays (float64 becomes the default float) in a structure."""

    def array(value: Any) -> Any:
        if value is None:
            return None
        found = value._array if isinstance(value, Valued) else np.asarray(value)
        if found.dtype == object:
            found = np.asarray(found.tolist(), dtype=object)
        if found.dtype.kind == "f" and str(found.dtype) != state.floatx():
            found = found.astype(state.floatx())
        return found[:, None] if found.ndim == 1 else found

    if isinstance(data, list) and data and not any(hasattr(x, "shape") or isinstance(x, dict) for x in data):
        raise ValueError("Unrecognized data type: x=" + f"{data} (of type {type(data)})")
    return nest.map_leaves(array, data)


def train_validation_split(arrays: Any, share: float) -> tuple[Any, Any]:
    """The first part and the last ``share`` of all arrays.

    :raises ValueError: one part would be empty.
    """
    leaves = [x for x in nest.flatten(arrays) if x is not None]
    unsplittable = [type(x) for x in leaves if not hasattr(x, "shape")]
    if unsplittable:
        raise ValueError(
            "Argument `validation_split` is only supported for tensors or NumPy arrays.Found incompatible type in the "
            f"input: {unsplittable}"
        )
    size = int(leaves[0].shape[0])
    at = math.floor(size * (1.0 - share))
    if at == 0 or at == size:
        raise ValueError(
            f"Training data contains {size} samples, which is not sufficient to split it into a validation and "
            f"training set as specified by `validation_split={share}`. Either provide more data, or a different value "
            "for the `validation_split` argument."
        )

    def part(start: Any, end: Any) -> Any:
        return nest.map_leaves(lambda x: None if x is None else x[start:end], arrays)

    return part(None, at), part(at, None)


class Batches:
    """What an epoch goes through; ``size``: how many batches, if that is known."""

    size: int | None = None
    anew = False

    def epoch(self) -> Iterator[Any]:
        raise NotImplementedError


class ArrayBatches(Batches):
    """Batches of arrays, shuffled anew in each epoch."""

    def __init__(
        self, x: Any, y: Any = None, sample_weight: Any = None, batch_size: Any = None, shuffle: Any = False,
        class_weight: Any = None, steps: Any = None,
    ) -> None:  # fmt: skip
        x, y, weights = as_arrays(x), as_arrays(y), _flat_weights(sample_weight)
        if class_weight is not None and y is not None:
            if nest.is_nested(y):
                raise ValueError("`class_weight` is only supported for Models with a single output.")
            if weights is not None:
                raise ValueError("You cannot `class_weight` and `sample_weight` at the same time.")
            weights = class_weights(y, class_weight)
        self.parts = (x, y, weights)
        leaves = [a for a in nest.flatten(self.parts) if a is not None]
        sizes = {int(a.shape[0]) for a in leaves}
        if len(sizes) > 1:
            message = "Data cardinality is ambiguous. Make sure all arrays contain the same number of samples."
            for label, part in zip(("x", "y", "sample_weight"), self.parts, strict=True):
                found = [str(a.shape[0]) for a in nest.flatten(part) if a is not None]
                if found:
                    message += f"'{label}' sizes: {', '.join(found)}\n"
            raise ValueError(message)
        self.count = sizes.pop() if sizes else 0
        self.batch = int(batch_size or 32)
        self.shuffle = shuffle
        self.size = -(-self.count // self.batch)
        self.steps = steps

    def epoch(self) -> Iterator[Any]:
        order = np.arange(self.count)
        if self.shuffle is True:
            order = shuffled(order)
        batches = [order[at : at + self.batch] for at in range(0, self.count, self.batch)]
        if self.shuffle == "batch":
            batches = [batches[i] for i in shuffled(np.arange(len(batches)))]
        for rows in batches:
            x, y, weights = nest.map_leaves(lambda a, r=rows: None if a is None else wrap(a[r]), self.parts)
            yield pack_x_y_sample_weight(x, y, weights)


def shuffled(order: Any) -> Any:
    """An order as the shuffling inside a dataset gives it: with a seed the same in each epoch."""
    whole = random_ops._seeds.whole
    return _shuffled(order, random_ops._new(whole, None if whole is None else 0))


def _flat_weights(weights: Any) -> Any:
    return None if weights is None else nest.map_leaves(
        lambda w: None if w is None else np.asarray(w._array if isinstance(w, Valued) else w, state.floatx()), weights
    ) if nest.is_nested(weights) and any(hasattr(w, "shape") for w in nest.flatten(weights)) else np.asarray(
        weights._array if isinstance(weights, Valued) else weights, state.floatx()
    )  # fmt: skip


def class_weights(y: Any, weights: dict[int, float]) -> Any:
    """A weight for each example by its class."""
    labels = np.asarray(y)
    if labels.ndim > 1:
        labels = labels.argmax(-1) if labels.shape[-1] != 1 else labels[..., 0]
    return np.array([weights.get(int(label), 1.0) for label in np.round(labels).astype(int)], state.floatx())


class DatasetBatches(Batches):
    """Batches that a dataset, a generator or a ``PyDataset`` gives."""

    def __init__(self, source: Any, steps: Any = None, class_weight: Any = None) -> None:
        self.source, self.weights, self.steps = source, class_weight, steps
        self._running: Iterator[Any] | None = None
        self.anew = False
        """Whether each epoch of ``steps`` batches begins at the beginning, as checks do."""
        self._endless = not hasattr(source, "__len__") and not hasattr(source, "cardinality")
        if hasattr(source, "__getitem__") and hasattr(source, "__len__"):
            self.size = len(source)
        elif hasattr(source, "cardinality"):
            found = int(source.cardinality())
            self.size = found if found >= 0 else None

    def _items(self) -> Iterator[Any]:
        if hasattr(self.source, "__getitem__") and hasattr(self.source, "__len__"):
            yield from (self.source[i] for i in range(len(self.source)))
            if hasattr(self.source, "on_epoch_end"):
                self.source.on_epoch_end()
        else:
            yield from iter(self.source)
            if hasattr(self.source, "element_spec"):
                # Keras makes one more iterator after each epoch; a shuffling dataset goes on to its next order.
                next(iter(self.source), None)

    def epoch(self) -> Iterator[Any]:
        if self.steps is None and not self._endless:
            items = self._items()
        else:
            if self._running is None or (self.anew and not self._endless):
                self._running = self._items()
            items = self._running
        for item in items:
            x, y, weight = unpack_x_y_sample_weight(item)
            if self.weights is not None and y is not None:
                weight = class_weights(np.asarray(y), self.weights)
            yield pack_x_y_sample_weight(_tensors(x), _tensors(y), _tensors(weight))


def _tensors(data: Any) -> Any:
    def tensor(x: Any) -> Any:
        if x is None or isinstance(x, Valued):
            return x
        array = np.asarray(x)
        return wrap(array.astype(state.floatx()) if array.dtype == np.float64 else array)

    return nest.map_leaves(tensor, data)


def batches_of(
    x: Any, y: Any = None, sample_weight: Any = None, batch_size: Any = None, steps: Any = None, shuffle: Any = False,
    class_weight: Any = None,
) -> Batches:  # fmt: skip
    """Batches of whatever ``fit`` was given.

    :raises ValueError: it is something else.
    """
    arrays = all(a is None or hasattr(a, "shape") for a in nest.flatten(x)) and x is not None
    if arrays:
        return ArrayBatches(x, y, sample_weight, batch_size, shuffle, class_weight, steps)
    if (
        hasattr(x, "element_spec")
        or hasattr(x, "__next__")
        or (hasattr(x, "__getitem__") and hasattr(x, "num_batches"))
        or (hasattr(x, "__iter__") and not isinstance(x, list | tuple | dict | str))
        or (hasattr(x, "__getitem__") and hasattr(x, "__len__") and not isinstance(x, list | tuple | dict | str))
    ):
        if y is not None:
            raise ValueError(
                "When providing `x` as a tf.data.Dataset, `y` should not be passed. Instead, the targets should be "
                "included as part of the tf.data.Dataset."
            )
        return DatasetBatches(x, steps, class_weight)
    raise ValueError(f"Unrecognized data type: x={x} (of type {type(x)})")


def ran_out(epochs: Any = None) -> None:
    """What is said when a dataset gives fewer batches than were asked for."""
    warnings.warn(
        "Your input ran out of data; interrupting training. Make sure that your dataset or generator can generate at "
        "least `steps_per_epoch * epochs` batches. You may need to use the `.repeat()` function when building your "
        "dataset.",
        stacklevel=4,
    )
