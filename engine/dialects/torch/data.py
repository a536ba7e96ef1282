"""``torch.utils.data``: datasets and loaders."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.dialects.torch import shaping
from engine.dialects.torch.creation import from_numpy, tensor
from engine.dialects.torch.sampling import randperm
from engine.dialects.torch.streams import Generator, default_generator
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


class TensorDataset(Dataset):
    """Rows of tensors."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, *tensors: Tensor) -> None:
        if any(len(t) != len(tensors[0]) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> Any:
        return tuple(t[index] for t in self.tensors)  # type: ignore[index]

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """Datasets one after another."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)

    def __len__(self) -> int:
        return sum(len(d) for d in self.datasets)

    def __getitem__(self, index: int) -> Any:
        for dataset in self.datasets:
            if index < len(dataset):
                return dataset[index]
            index -= len(dataset)
        raise IndexError("index out of range")


class Subset(Dataset):
    """Some items of a dataset."""

    __module__ = "torch.utils.data.dataset"

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: int) -> Any:
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


def default_collate(batch: Sequence[Any]) -> Any:
    """Put items of a batch together."""
    first = batch[0]
    if isinstance(first, Tensor):
        return shaping.stack(list(batch), 0)
    if isinstance(first, np.ndarray):
        return shaping.stack([from_numpy(b) for b in batch], 0)
    if isinstance(first, float | np.floating):
        return tensor([float(b) for b in batch], dtype=None if not isinstance(first, float) else _double())
    if isinstance(first, int | np.integer):
        return tensor([int(b) for b in batch])
    if isinstance(first, str):
        return list(batch)
    if isinstance(first, dict):
        return {key: default_collate([b[key] for b in batch]) for key in first}
    if isinstance(first, tuple | list):
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
    )


def _double() -> Any:
    from engine.dialects.torch.types import BY_NAME

    return BY_NAME["float64"]


class DataLoader:
    """Batches of a dataset, shuffled if asked. Loads in this process, whatever ``num_workers`` says."""

    __module__ = "torch.utils.data.dataloader"

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool = False,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Any = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        generator: Generator | None = None,
        **_: Any,
    ) -> None:
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.dataset, self.batch_size, self.shuffle, self.drop_last = dataset, batch_size, shuffle, drop_last
        self.sampler, self.batch_sampler, self.generator = sampler, batch_sampler, generator
        self.num_workers, self.collate_fn = num_workers, collate_fn or default_collate

    def _order(self) -> Iterator[int]:
        if self.sampler is not None:
            return iter(self.sampler)
        size = len(self.dataset)
        if not self.shuffle:
            return iter(range(size))
        if self.generator is None:  # a stream of its own, seeded by one number of the default one
            stream = Generator()
            stream.manual_seed(_seed_number())
        else:
            stream = self.generator
        return iter(stream.permutation(size).tolist())

    def __iter__(self) -> Iterator[Any]:
        base = _seed_number() if self.generator is None else int(self.generator.raw64(1)[0])
        del base  # drawn (and given to workers) by the framework too
        return self._batches()

    def _batches(self) -> Iterator[Any]:
        if isinstance(self.dataset, IterableDataset):
            items: Any = iter(self.dataset)
        elif self.batch_sampler is not None:
            for indices in self.batch_sampler:
                yield self.collate_fn([self.dataset[i] for i in indices])
            return
        else:
            items = (self.dataset[i] for i in self._order())
        if self.batch_size is None:
            yield from items
            return
        batch: list[Any] = []
        for item in items:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        count = len(self.dataset if self.sampler is None else self.sampler)
        size = self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)


def _seed_number() -> int:
    """A 63-bit number of the default stream."""
    return int(default_generator.raw64(1)[0]) & ((1 << 63) - 1)
