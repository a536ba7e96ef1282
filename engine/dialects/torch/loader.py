"""``torch.utils.data``: batches of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.dialects.torch import joining
from engine.dialects.torch.data import IterableDataset, unwatched
from engine.dialects.torch.from_data import from_numpy, tensor
from engine.dialects.torch.sampling_order import BatchSampler, RandomSampler, SequentialSampler, seed_number
from engine.dialects.torch.streams import Generator
from engine.dialects.torch.tensor import Tensor


def default_collate(batch: Sequence[Any]) -> Any:
    """Put items of a batch together."""
    first = batch[0]
    if isinstance(first, Tensor):
        with unwatched(*batch):
            return joining.stack(list(batch), 0)
    if isinstance(first, np.ndarray):
        with unwatched():
            return joining.stack([from_numpy(b) for b in batch], 0)
    if isinstance(first, float | np.floating):
        return tensor([float(b) for b in batch], dtype=None if not isinstance(first, float) else _double())
    if isinstance(first, int | np.integer):
        return tensor([int(b) for b in batch])
    if isinstance(first, str | bytes):
        return batch
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


def default_convert(data: Any) -> Any:
    """An item as tensors, where no batch is made of it."""
    if isinstance(data, np.ndarray):
        return from_numpy(data)
    if isinstance(data, dict):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple | list):
        return [default_convert(value) for value in data]
    return data


def get_worker_info() -> None:
    """Nothing: batches are loaded in the program's own process."""


class _SingleProcessDataLoaderIter:
    """One pass over a loader's batches."""

    __module__ = "torch.utils.data.dataloader"

    def __init__(self, batches: Iterator[Any], loader: Any) -> None:
        self._batches, self._loader = batches, loader

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._batches)

    def __len__(self) -> int:
        return len(self._loader)


class DataLoader:
    """Batches of a dataset, shuffled if asked. Loads in this process, whatever ``num_workers`` says."""

    __module__ = "torch.utils.data.dataloader"

    def __init__(
        self, dataset: Any, batch_size: int | None = 1, shuffle: bool | None = None, sampler: Any = None,
        batch_sampler: Any = None, num_workers: int = 0, collate_fn: Any = None, pin_memory: bool = False,
        drop_last: bool = False, timeout: float = 0, worker_init_fn: Any = None, multiprocessing_context: Any = None,
        generator: Generator | None = None, *, prefetch_factor: int | None = None, persistent_workers: bool = False,
        pin_memory_device: str = "", in_order: bool = True,
    ) -> None:  # fmt: skip
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        self.dataset, self.generator, self.num_workers = dataset, generator, num_workers
        self.pin_memory, self.timeout, self.worker_init_fn = pin_memory, timeout, worker_init_fn
        self._stream = isinstance(dataset, IterableDataset)
        if self._stream:
            if shuffle:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}"
                )
            if sampler is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified sampler option, but got sampler={sampler}"
                )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None and not self._stream:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.sampler, self.batch_sampler = (
            batch_size, drop_last, sampler, batch_sampler,
        )  # fmt: skip
        self.collate_fn = collate_fn or (default_collate if batch_sampler is not None else default_convert)

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __iter__(self) -> Iterator[Any]:
        seed_number(self.generator)  # the framework draws a seed for its workers, whether there are any or not
        return _SingleProcessDataLoaderIter(self._batches(), self)

    def _batches(self) -> Iterator[Any]:
        if self._stream:
            yield from self._from_stream()
        elif self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(self.dataset[index])
        else:
            for indices in self.batch_sampler:
                yield self.collate_fn(self._items(indices))

    def _items(self, indices: Any) -> Any:
        whole = getattr(self.dataset, "__getitems__", None)
        return whole(indices) if whole else [self.dataset[i] for i in indices]

    def _from_stream(self) -> Iterator[Any]:
        batch: list[Any] = []
        for item in self.dataset:
            if self.batch_size is None:
                yield self.collate_fn(item)
                continue
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        if self._stream:
            count, size = len(self.dataset), self.batch_size or 1
            return count // size if self.drop_last else -(-count // size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
