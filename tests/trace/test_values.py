"""Values: what a summary tells of them, whatever is in them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from engine.recording.journal import JournalSizes, anonymous
from engine.recording.reader import Reader
from engine.recording.recorder import Recorder
from engine.recording.rows import Kind
from engine.trace.numbers import shortest
from engine.trace.values import SHOWN, Values


def summarised(*arrays: Any) -> list[dict[str, Any]]:
    """The summaries of ``arrays``, by way of a journal."""
    journal = anonymous(JournalSizes(200, 4 << 20, 1000))
    recorder = Recorder(journal, "main.py", "")
    offsets = [recorder.value(array) for array in arrays]
    reader = Reader(journal.buffer)
    types = [reader.json_at(int(offset)) for offset in reader.of_kind(Kind.TYPE)["blob"]]
    values = Values(reader, types)
    index = values.arrays(offsets)
    return [json.loads(json.dumps(values.list[index[offset]], allow_nan=False)) for offset in offsets]


def test_numbers_of_a_small_array() -> None:
    (one,) = summarised(np.array([[0.1, -2.0], [0.0, 7.5]], np.float32))
    assert one == {
        "dtype": "float32", "shape": [2, 2], "size": 4, "bytes": 16, "min": -2.0, "max": 7.5, "mean": 1.4,
        "nan": 0, "inf": 0, "zeros": 1, "data": [0.1, -2, 0, 7.5],
    }  # fmt: skip


def test_not_finite() -> None:
    one, two = summarised(np.array([np.nan, np.inf, -np.inf, 3.0]), np.array([np.nan, np.inf], np.float32))
    assert (one["nan"], one["inf"], one["min"], one["max"], one["mean"]) == (1, 2, 3, 3, 3)
    assert one["data"] == ["nan", "inf", "-inf", 3]
    assert (two["min"], two["max"], two["mean"], two["nan"], two["inf"]) == (None, None, None, 1, 1)


def test_integers_booleans_and_complex_numbers() -> None:
    wide, truth, pair, unsigned = summarised(
        np.array([2**62, -5, 0]), np.array([True, False]), np.array([1 + 2j]), np.array([2**64 - 1], np.uint64)
    )
    assert wide["data"] == [str(2**62), -5, 0]
    assert (wide["max"], wide["min"], wide["zeros"]) == (str(2**62), -5, 1)
    assert (truth["data"], truth["min"], truth["max"], truth["mean"], truth["zeros"]) == ([True, False], 0, 1, 0.5, 1)
    assert pair["data"] == ["1+2j"]
    assert unsigned["data"] == [str(2**64 - 1)]


def test_empty_and_without_dimensions() -> None:
    empty, scalar = summarised(np.zeros((0, 3), np.float32), np.array(-0.0))
    assert (empty["shape"], empty["data"], empty["min"], empty["size"]) == ([0, 3], [], None, 0)
    assert scalar["shape"] == []
    assert math.copysign(1, scalar["data"][0]) == -1


def test_views_are_copied_as_they_look() -> None:
    base = np.arange(12.0).reshape(3, 4)
    turned, strided, spread = summarised(base.T, base[:, ::2], np.broadcast_to(np.float64(2), (2, 3)))
    assert turned["data"] == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
    assert strided["data"] == [0, 2, 4, 6, 8, 10]
    assert spread["data"] == [2] * 6


def test_the_same_content_is_kept_once() -> None:
    journal = anonymous(JournalSizes(200, 1 << 20, 1000))
    recorder = Recorder(journal, "main.py", "")
    offsets = [recorder.value(np.ones(3)), recorder.value(np.ones(3)), recorder.value(np.ones(3, np.float32))]
    reader = Reader(journal.buffer)
    values = Values(reader, [{"dtype": "float64", "shape": [3]}, {"dtype": "float32", "shape": [3]}])
    index = values.arrays(offsets)
    assert [index[offset] for offset in offsets] == [0, 0, 1]


@pytest.mark.parametrize("shape", [(17, 16), (40, 50), (300, 300), (3, 5, 40), (100_000,)])
def test_large_arrays_have_a_picture(shape: tuple[int, ...]) -> None:
    array = np.random.default_rng(0).normal(size=shape)
    array.flat[5] = 0.0
    (one,) = summarised(array)
    assert "data" not in one
    assert one["min"] == pytest.approx(array.min())
    assert one["max"] == pytest.approx(array.max())
    assert one["mean"] == pytest.approx(array.mean(), abs=1e-9)
    assert (one["zeros"], one["nan"], one["size"]) == (1, 0, array.size)
    assert one["head"] == pytest.approx(array.ravel()[:8])
    grid = one["grid"]
    assert grid["rows"] <= 24
    assert grid["columns"] <= 24
    assert len(grid["data"]) == grid["rows"] * grid["columns"]
    matrix = array.reshape(1, -1) if array.ndim == 1 else array.reshape(-1, shape[-1])
    corner = matrix[: max(matrix.shape[0] // 24, 1), : max(matrix.shape[1] // 24, 1)]
    assert grid["data"][0] == pytest.approx(corner.mean(), rel=1e-3, abs=1e-3)


def test_a_summary_at_once_tells_what_one_afterwards_does() -> None:
    array = np.random.default_rng(1).normal(size=(150, 120)).astype(np.float32)
    array[3, 4], array[5, 6] = np.nan, np.inf
    bounded = array[:, :100].copy()
    at_once, afterwards = summarised(array, bounded)
    assert (at_once["nan"], at_once["inf"], at_once["size"]) == (1, 1, 18000)
    assert at_once["min"] == float(shortest(np.nanmin(array).reshape(1))[0])
    assert afterwards["nan"] == 1


def test_a_full_heap_summarises_at_once() -> None:
    journal = anonymous(JournalSizes(200, 400_000, 1000))
    recorder = Recorder(journal, "main.py", "")
    array = np.arange(5_000.0)
    forms = []
    for _ in range(7):
        record = Reader(journal.buffer).value_at(offset) if (offset := recorder.value(array)) >= 0 else None
        assert record is not None
        forms.append(record[1])
    assert forms == [0, 0, 0, 0, 0, 0, 1]


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(
        dtype=st.sampled_from(["f4", "f8", "f2", "i1", "i4", "i8", "u8", "?", "c8"]),
        shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6),
    )
)
def test_any_array_has_a_summary(array: Any) -> None:
    (one,) = summarised(array)
    assert one["size"] == array.size
    assert one["zeros"] == array.size - np.count_nonzero(array)
    if array.size <= SHOWN and array.dtype.kind in "f":
        back = np.array([float(x) for x in one["data"]], dtype=array.dtype)
        np.testing.assert_array_equal(back, array.ravel())
    if array.dtype.kind in "iu":
        assert [int(x) for x in one["data"]] == array.ravel().tolist()


@settings(max_examples=200, deadline=None)
@given(hnp.arrays("f4", 5))
def test_shortest_digits_mean_the_same_number(array: Any) -> None:
    np.testing.assert_array_equal(shortest(array).astype(np.float32), array)
