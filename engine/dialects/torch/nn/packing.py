"""``nn.utils.rnn``: sequences of different lengths in one batch."""

from __future__ import annotations

from collections import namedtuple
from itertools import pairwise
from typing import Any

import numpy as np

from engine.dialects.torch import creation, indexing, joining, shaping
from engine.dialects.torch.tensor import Tensor

_Packed = namedtuple("_Packed", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])


class PackedSequence(_Packed):
    """All steps of all sequences, step by step, without padding."""

    __module__ = "torch.nn.utils.rnn"
    __slots__ = ()

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = Tensor(np.argsort(sorted_indices._array))
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    is_cuda = False


def _lengths(lengths: Any) -> list[int]:
    return [int(n) for n in (lengths._array if isinstance(lengths, Tensor) else lengths)]


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack a padded batch; sequences must be sorted by length unless ``enforce_sorted=False``."""
    sizes = _lengths(lengths)
    batch = input._array.shape[0 if batch_first else 1]
    if len(sizes) != batch and (enforce_sorted or len(sizes) > batch):  # sorting takes the first ones of a longer batch
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={batch})"
        )
    order = None
    if enforce_sorted:
        if any(a < b for a, b in pairwise(sizes)):
            raise RuntimeError(
                "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
                "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement "
                "if you do not need ONNX exportability."
            )
    else:
        order = Tensor(np.argsort(-np.array(sizes), kind="stable"))
        input = indexing.index_select(input, 0 if batch_first else 1, order)
        sizes = [sizes[i] for i in order._array]
    if sizes and min(sizes) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    steps = shaping.transpose(input, 0, 1) if batch_first else input
    counts = [sum(n > t for n in sizes) for t in range(max(sizes))]
    parts = [joining.narrow(joining.select(steps, 0, t), 0, 0, count) for t, count in enumerate(counts)]
    return PackedSequence(joining.cat(parts, 0), Tensor(np.array(counts, np.int64)), order)


def pad_packed_sequence(
    sequence: Any, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """The padded batch and the lengths of a packed one."""
    counts = sequence.batch_sizes.tolist()
    steps = total_length or len(counts)
    pieces = list(joining.split(sequence.data, counts, 0))
    width = counts[0]
    rows = []
    for t in range(steps):
        rest = pieces[t]._array.shape[1:] if t < len(pieces) else pieces[0]._array.shape[1:]
        missing = width - (counts[t] if t < len(counts) else 0)
        filler = creation.full((missing, *rest), padding_value, dtype=sequence.data.dtype)
        rows.append(filler if t >= len(pieces) else joining.cat([pieces[t], filler], 0) if missing else pieces[t])
    out = joining.stack(rows)
    if batch_first:
        out = shaping.transpose(out, 0, 1)
    lengths = Tensor(np.array([sum(count > i for count in counts) for i in range(width)], np.int64))
    if sequence.unsorted_indices is not None:
        back = sequence.unsorted_indices
        out = indexing.index_select(out, 0 if batch_first else 1, back)
        lengths = Tensor(lengths._array[back._array])
    return out, lengths


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Sequences of different lengths in one tensor."""
    longest = max(len(s) for s in sequences)
    rows = []
    for s in sequences:
        missing = longest - len(s)
        if missing:
            filler = creation.full((missing, *s.shape[1:]), padding_value, dtype=s.dtype)
            s = joining.cat([s, filler] if padding_side == "right" else [filler, s], 0)
        rows.append(s)
    return joining.stack(rows, 0 if batch_first else 1)


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Pack a list of sequences."""
    lengths = [len(s) for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpad_sequence(padded: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """The sequences of a padded batch."""
    rows = padded if batch_first else shaping.transpose(padded, 0, 1)
    return [rows[i, :n] for i, n in enumerate(_lengths(lengths))]


def unpack_sequence(packed_sequences: Any) -> list[Any]:
    """The sequences of a packed batch."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
