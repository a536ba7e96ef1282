"""Sums and means of the rows that have the same number: ``tf.segment_sum`` and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import apply
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.strict_gathering import check_rows
from engine.errors import BoundsError, ShapeError
from engine.ops.registry import op
from engine.tensor_type import TensorType

_REDUCES: dict[str, Any] = {"category": "reduction", "symbol": "sum"}
_UNSORTED = frozenset({"places", "count"})


def _unsorted(a: Any, places: Any, count: Any) -> Any:
    if a.shape[: places.ndim] != places.shape:
        sizes = [",".join(map(str, shape)) for shape in (a.shape, places.shape)]
        raise ShapeError(f"data.shape = [{sizes[0]}] does not start with segment_ids.shape = [{sizes[1]}]")
    counted = places >= 0  # rows with a negative number are in no segment
    check_rows(np.where(counted, places, 0), int(count), "segment_ids", "out of range")
    found = np.zeros((int(count), *a.shape[places.ndim :]), a.dtype)
    np.add.at(found, places[counted], a[counted])
    return found


def _back(g: Any, places: Any, count: Any) -> Any:
    """The transpose of :func:`_unsorted`."""
    found = g.take(places, 0, mode="clip") if len(g) else np.zeros((*places.shape, *g.shape[1:]), g.dtype)
    found[places < 0] = 0
    return found


def _unsorted_type(a: TensorType, places: TensorType, count: TensorType) -> TensorType:
    known = a.shape is not None and places.shape is not None
    return TensorType(a.dtype, (None, *a.shape[len(places.shape) :]) if known else None)  # type: ignore[arg-type,index]


def _check_order(a: Any, places: Any) -> None:
    """:raises BoundsError: the numbers do not go up from 0 or more, one for each row of ``a``."""
    if places.shape != a.shape[:1]:
        raise ShapeError("segment_ids should be the same size as dimension 0 of input.")
    steps = np.diff(places)
    steps = steps[steps != 0]
    if places.size and places[-1] < 0:
        raise BoundsError("segment ids must be >= 0")
    if places.size and places[0] < 0 and steps[0] > 0:
        said = f"Segment id {places[0]} out of range [0, {places[-1] + 1})"
        raise BoundsError(f"{said}, possibly because 'segment_ids' input is not sorted.")
    if (steps < 0).any():
        raise BoundsError("segment ids are not increasing")


def _sum(a: Any, places: Any) -> Any:
    _check_order(a, places)
    return _unsorted(a, places, places[-1] + 1 if places.size else 0)


def _shares(a: Any, places: Any) -> Any:
    """One over the number of rows of its segment, for each row of ``a``."""
    rows = np.bincount(places)[places] if places.size else places
    return np.broadcast_to((1 / rows).reshape(-1, *(1,) * (a.ndim - 1)), a.shape).astype(a.dtype)


def _mean(a: Any, places: Any) -> Any:
    found = _sum(a, places)
    rows = np.maximum(np.bincount(places, minlength=len(found)), 1)
    return (found / rows.reshape(-1, *(1,) * (a.ndim - 1))).astype(a.dtype)


def _sorted_type(a: TensorType, places: TensorType) -> TensorType:
    return TensorType(a.dtype, None if a.shape is None else (None, *a.shape[1:]))


op("tf_unsorted_segments", "a places count", _unsorted, _unsorted_type,
   {"a": lambda F, g, places, count: F.tf_unsorted_segments_back(g, places, count)},
   unpromoted=_UNSORTED, **_REDUCES)  # fmt: skip
op("tf_unsorted_segments_back", "g places count", _back,
   lambda g, places, count: TensorType(
       g.dtype, None if g.shape is None or places.shape is None else (*places.shape, *g.shape[1:])
   ),
   {"g": lambda F, h, places, count: F.tf_unsorted_segments(h, places, count)},
   unpromoted=_UNSORTED, category="gradient", symbol="nabla")  # fmt: skip
op("tf_segment_sum", "a places", _sum, _sorted_type, {"a": lambda F, g, places: F.take(g, places, 0)},
   unpromoted=frozenset({"places"}), **_REDUCES)  # fmt: skip
op("tf_segment_shares", "a places", _shares, lambda a, places: a, None,
   unpromoted=frozenset({"places"}), category="gradient", symbol="nabla")  # fmt: skip
op("tf_segment_mean", "a places", _mean, _sorted_type,
   {"a": lambda F, g, a, places: F.mul(F.take(g, places, 0), F.tf_segment_shares(a, places))},
   unpromoted=frozenset({"places"}), **_REDUCES)  # fmt: skip


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sums of the rows that have the same number; ``num_segments`` of them."""
    inputs = [("data", data), ("segment_ids", segment_ids), ("num_segments", num_segments)]
    return apply("tf_unsorted_segments", "UnsortedSegmentSum", name, inputs, same_type=False)


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sums of the rows that have the same number; numbers go up."""
    inputs = [("data", data), ("segment_ids", segment_ids)]
    return apply("tf_segment_sum", "SegmentSum", name, inputs, same_type=False)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The means of the rows that have the same number; numbers go up."""
    inputs = [("data", data), ("segment_ids", segment_ids)]
    return apply("tf_segment_mean", "SegmentMean", name, inputs, same_type=False)
