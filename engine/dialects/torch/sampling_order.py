"""In which order a loader asks for items: ``torch.utils.data`` samplers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.dialects.torch.from_data import tensor
from engine.dialects.torch.sampling import multinomial, randint, randperm
from engine.dialects.torch.streams import Generator, default_generator


def seed_number(stream: Generator | None = None) -> int:
    """A 63-bit number of a stream."""
    return int((stream or default_generator).raw64(1)[0]) & ((1 << 63) - 1)


class Sampler:
    """Gives indices, one after another."""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, data_source: Any = None) -> None:
        """Subclasses need not call this."""

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler):
    """0, 1, 2 …"""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """All indices in an order of chance, or indices drawn with replacement."""

    __module__ = "torch.utils.data.sampler"

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:  # fmt: skip
        if num_samples is not None and num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        if not self.num_samples:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        """How many indices a pass gives."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        size = len(self.data_source)
        stream = self.generator
        if stream is None:  # a stream of its own, seeded by one number of the default one
            stream = Generator().manual_seed(seed_number())
        if self.replacement:
            whole, rest = divmod(self.num_samples, 32)
            for count in [32] * whole + [rest]:
                yield from randint(0, size, (count,), generator=stream).tolist()
            return
        for _ in range(self.num_samples // size):
            yield from randperm(size, generator=stream).tolist()
        yield from randperm(size, generator=stream).tolist()[: self.num_samples % size]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Some indices in an order of chance."""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for place in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn with the probabilities that their weights say."""

    __module__ = "torch.utils.data.sampler"

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        values = weights.tolist() if hasattr(weights, "tolist") else list(weights)
        self.weights = tensor(values).double()
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        drawn = multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of indices."""

    __module__ = "torch.utils.data.sampler"

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        batch: list[Any] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
