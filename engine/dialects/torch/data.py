"""``torch.utils.data``: datasets."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.sampling import randperm
from engine.dialects.torch.streams import Generator
from engine.dialects.torch.tensor import Tensor


class Dataset:
    """Something with ``__getitem__`` and ``__len__``."""

    __module__ = "torch.utils.data.dataset"

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __add__(self, other: Any) -> Any:
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Something with ``__iter__``."""

    __module__ = "torch.utils.data.dataset"


@contextmanager
def unwatched(*given: Any) -> Iterator[None]:
    """A block in which data are picked and put together: no step of the program, unless gradients go through it."""
    if events.listener is None or any(isinstance(one, Tensor) and one.requires_grad for one in given):
        yield
        return
    listener, events.listener = events.listener, None
    try:
        yield
    finally:
        events.listener = listener


class TensorDataset(Dataset):
    """Rows of tensors."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, *tensors: Tensor) -> None:
        if any(len(t) != len(tensors[0]) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> Any:
        with unwatched(*self.tensors):
            return tuple(t[index] for t in self.tensors)  # type: ignore[index]

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """Datasets one after another."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = list(accumulate(len(d) for d in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        place = bisect_right(self.cumulative_sizes, index)
        return self.datasets[place][index - (self.cumulative_sizes[place - 1] if place else 0)]


class Subset(Dataset):
    """Some items of a dataset."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[one] for one in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float], generator: Generator | None = None) -> list[Subset]:
    """Split a dataset at random into parts of these lengths (or fractions)."""
    counts = list(lengths)
    if math.isclose(sum(counts), 1) and sum(counts) <= 1:
        counts = [math.floor(len(dataset) * part) for part in counts]
        for place in range(len(dataset) - int(sum(counts))):
            counts[place % len(counts)] += 1
    if sum(counts) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = randperm(int(sum(counts)), generator=generator).tolist()
    ends = np.cumsum([0, *counts]).astype(int).tolist()
    return [Subset(dataset, order[a:b]) for a, b in pairwise(ends)]


class ChainDataset(IterableDataset):
    """Streams one after another."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            yield from dataset


class StackDataset(Dataset):
    """Datasets side by side: an item is a tuple (or dictionary) of an item of each."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, *arguments: Any, **named: Any) -> None:
        parts = list(arguments or named.values())
        if any(len(p) != len(parts[0]) for p in parts):
            raise ValueError("Size mismatch between datasets")
        self.datasets: Any = named or arguments

    def __getitem__(self, index: int) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self) -> int:
        first = next(iter(self.datasets.values())) if isinstance(self.datasets, dict) else self.datasets[0]
        return len(first)
