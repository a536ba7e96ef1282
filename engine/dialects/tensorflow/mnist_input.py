"""``tensorflow.examples.tutorials.mnist.input_data``: the digits that tutorials of 1.x start with (a stand-in)."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dialects.tensorflow import dtypes
from engine.standin_data import announce, digits

TRAIN, VALIDATION, TEST = 5500, 500, 1000
"""A tenth of the real numbers, so that a tutorial's epochs end while one watches."""

Datasets = namedtuple("Datasets", ("train", "validation", "test"))


def dense_to_one_hot(labels_dense: NDArray[Any], num_classes: int) -> NDArray[np.float64]:
    """A row with a single 1 for each label."""
    found = np.zeros((len(labels_dense), num_classes))
    found[np.arange(len(labels_dense)), labels_dense] = 1
    return found


class DataSet:
    """Images and labels that are handed out in batches, in a new order in every epoch."""

    def __init__(
        self, images: Any, labels: Any, fake_data: bool = False, one_hot: bool = False, dtype: Any = "float32",
        reshape: bool = True, seed: Any = None,
    ) -> None:  # fmt: skip
        kind = dtypes.as_dtype(dtype).base_dtype
        if kind.name not in ("uint8", "float32"):
            raise TypeError(f"Invalid image dtype {kind!r}, expected uint8 or float32")
        if len(images) != len(labels):
            raise AssertionError(f"images.shape: {images.shape} labels.shape: {labels.shape}")
        pixels = images.reshape(len(images), -1) if reshape else images.reshape(*images.shape[:3], 1)
        self._images = pixels if kind.name == "uint8" else pixels.astype(np.float32) * np.float32(1 / 255)
        self._labels = labels
        self._index = self._epochs = 0

    @property
    def images(self) -> Any:
        return self._images

    @property
    def labels(self) -> Any:
        return self._labels

    @property
    def num_examples(self) -> int:
        return len(self._images)

    @property
    def epochs_completed(self) -> int:
        return self._epochs

    def _shuffle(self) -> None:
        order = np.arange(self.num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """The next ``batch_size`` images and labels; what an epoch has left comes first in the next one's batch."""
        start = self._index
        if self._epochs == 0 and start == 0 and shuffle:
            self._shuffle()
        end = start + batch_size
        if end <= self.num_examples:
            self._index = end
            return self._images[start:end], self._labels[start:end]
        self._epochs += 1
        rest = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index = batch_size - (self.num_examples - start)
        new = self._images[: self._index], self._labels[: self._index]
        return np.concatenate((rest[0], new[0])), np.concatenate((rest[1], new[1]))


def read_data_sets(
    train_dir: Any = None, fake_data: bool = False, one_hot: bool = False, dtype: Any = "float32", reshape: bool = True,
    validation_size: int = VALIDATION, seed: Any = None, source_url: Any = None,
) -> Datasets:  # fmt: skip
    """Digits to train with, to choose with, to test with."""
    announce("mnist.input_data", f"{TRAIN + VALIDATION} + {TEST} digits drawn with strokes")
    images, labels = digits("train", TRAIN + VALIDATION)
    tests, answers = digits("test", TEST)
    if not 0 <= validation_size <= len(images):
        raise ValueError(f"Validation size should be between 0 and {len(images)}. Received: {validation_size}.")
    if one_hot:
        labels, answers = dense_to_one_hot(labels, 10), dense_to_one_hot(answers, 10)  # type: ignore[assignment]
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    # A program made for the real set keeps 5000 apart: that would be nearly all there is.
    kept = min(validation_size, VALIDATION) if validation_size == 5000 else validation_size
    return Datasets(
        train=DataSet(images[kept:], labels[kept:], **options),
        validation=DataSet(images[:kept], labels[:kept], **options),
        test=DataSet(tests, answers, **options),
    )


def load_mnist(train_dir: Any = "MNIST-data") -> Datasets:
    return read_data_sets(train_dir)


def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Datasets:
    """``tf.contrib.learn.datasets.load_dataset``.

    :raises ValueError: a set that is not here.
    """
    if name != "mnist":
        raise ValueError(f"there is no data set {name!r} in this teaching engine, which has 'mnist'")
    return load_mnist()


INPUT_DATA = {
    "read_data_sets": read_data_sets, "DataSet": DataSet, "Datasets": Datasets, "dense_to_one_hot": dense_to_one_hot,
}  # fmt: skip
