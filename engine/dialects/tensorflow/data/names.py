"""What ``tf.data`` exports."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import input_pipelines
from engine.dialects.tensorflow.data.dataset import INFINITE, UNKNOWN, Dataset, Options
from engine.dialects.tensorflow.data.iterating import Optional, OwnedIterator
from engine.dialects.tensorflow.data.tracing import DatasetSpec

AUTOTUNE = -1


def text_lines(
    filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None,
    name: str | None = None,
) -> Dataset:  # fmt: skip
    """The lines of text files."""
    from engine.dialects.tensorflow.data.dataset import _array

    found = input_pipelines.TextLineDataset(_array(filenames))
    return Dataset._new(found._structure, found._specs, found._start, "TextLineDatasetV2", UNKNOWN)


class TextLineDataset(Dataset):
    """``tf.data.TextLineDataset``."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return text_lines(*args, **kwargs)


NAMES: dict[str, dict[str, Any]] = {
    "data": {
        "Dataset": Dataset, "Options": Options, "Iterator": OwnedIterator, "AUTOTUNE": AUTOTUNE,
        "INFINITE_CARDINALITY": INFINITE, "UNKNOWN_CARDINALITY": UNKNOWN, "TextLineDataset": TextLineDataset,
        "DatasetSpec": DatasetSpec,
    },
    "data.experimental": {
        "AUTOTUNE": AUTOTUNE, "INFINITE_CARDINALITY": INFINITE, "UNKNOWN_CARDINALITY": UNKNOWN,
        "cardinality": lambda dataset: dataset.cardinality(), "Optional": Optional,
        "get_single_element": lambda dataset: dataset.get_single_element(),
        "unbatch": lambda: lambda dataset: dataset.unbatch(),
        "take_while": lambda predicate: lambda dataset: dataset.take_while(predicate),
        "scan": lambda state, function: lambda dataset: dataset.scan(state, function),
        "unique": lambda: lambda dataset: dataset.unique(),
        "ignore_errors": lambda log_warning=False: lambda dataset: dataset.ignore_errors(),
    },
}  # fmt: skip
