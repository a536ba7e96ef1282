"""From the raw values of a journal to the summaries of a trace, each content once.

A summary tells type and size, how many elements are NaN, infinite or zero, the range and mean of the finite ones, and
shows the elements themselves: all of them up to 256, else block means (``grid``) and the first few (``head``). Where
all values together show more than ``BUDGET`` numbers, those at the beginning and at the end of the run are shown in
full, and those between keep their statistics and their head.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.reader import Reader
from engine.recording.values import GRID, HEAD, KINDS, SUMMARY, grid_of
from engine.trace.numbers import as_json, flat_json, shortest

SHOWN = 256
BUDGET = 120_000
"""Numbers shown by all values of a trace together; values of no more than ``ALWAYS`` elements do not count."""
ALWAYS = 16
ITEM_LIMIT = 1 << 26
Record = tuple[int, int, bytes]
"""Type, form and payload of a value, as the journal holds them."""


class Values:
    """The list ``values`` of a trace under construction."""

    def __init__(self, reader: Reader, types: list[dict[str, Any]]) -> None:
        self._reader = reader
        self._types = types
        self.list: list[dict[str, Any]] = []
        self._python: dict[tuple[str, str], int] = {}

    def python(self, kind: str, text: str) -> int:
        """The index of a Python value's summary."""
        key = (kind, text)
        index = self._python.get(key)
        if index is None:
            index = self._python[key] = len(self.list)
            self.list.append({"python": kind, "text": text})
        return index

    def arrays(self, offsets: Iterable[int]) -> dict[int, int]:
        """The index of the summary for each offset of the heap; offsets without a readable value are left out."""
        contents: dict[Record, list[int]] = {}
        for offset in sorted(set(offsets)):
            record = self._reader.value_at(offset)
            if record is not None:
                contents.setdefault(record, []).append(offset)
        shown = _within_budget([self._cost(record) for record in contents])
        by_type: dict[tuple[int, int], list[tuple[Record, bool]]] = {}
        for record, whole in zip(contents, shown, strict=True):
            by_type.setdefault(record[:2], []).append((record, whole))
        summaries: dict[Record, dict[str, Any]] = {}
        for (type_id, form), records in by_type.items():
            made = self._summarise(type_id, form, [(record[2], whole) for record, whole in records])
            summaries.update((record, one) for (record, _), one in zip(records, made, strict=True) if one is not None)
        index: dict[int, int] = {}
        for record, places in contents.items():
            if record in summaries:
                index.update(dict.fromkeys(places, len(self.list)))
                self.list.append(summaries[record])
        return index

    def _cost(self, record: Record) -> int:
        """How many numbers a value shows."""
        known = self._types[record[0]] if record[0] < len(self._types) else None
        if record[1] or known is None or not known["shape"]:
            return GRID * GRID if record[1] else 0
        size = math.prod(n or 0 for n in known["shape"])
        return 0 if size <= ALWAYS else size if size <= SHOWN else min(size, GRID * GRID)

    def _summarise(self, type_id: int, form: int, payloads: list[tuple[bytes, bool]]) -> list[dict[str, Any] | None]:
        known = self._types[type_id] if 0 <= type_id < len(self._types) else None
        shape = known["shape"] if known is not None else None
        if known is None or shape is None or any(n is None or n < 0 for n in shape):
            return [None] * len(payloads)
        try:
            dtype = np.dtype(known["dtype"])
        except TypeError:
            return [None] * len(payloads)
        size = math.prod(shape)
        if dtype.kind not in KINDS or size > (1 << 62):
            return [None] * len(payloads)
        base = {"dtype": known["dtype"], "shape": shape, "size": size, "bytes": size * dtype.itemsize}
        if form == 1:
            return [_from_summary(base, payload, dtype, whole) for payload, whole in payloads]
        good = [index for index, (payload, _) in enumerate(payloads) if len(payload) == size * dtype.itemsize]
        result: list[dict[str, Any] | None] = [None] * len(payloads)
        if good and size <= ITEM_LIMIT:
            block = np.frombuffer(b"".join(payloads[index][0] for index in good), dtype=dtype).reshape(len(good), size)
            whole = [payloads[index][1] for index in good]
            for index, summary in zip(good, _from_raw(base, block, tuple(shape), whole), strict=True):
                result[index] = summary
        return result


def _within_budget(costs: list[int]) -> list[bool]:
    """Which values are shown in full: all, or as many from the beginning and from the end as the budget allows.

    >>> _within_budget([BUDGET // 2, 1, 0, BUDGET // 2])
    [True, False, True, True]
    """
    if sum(costs) <= BUDGET:
        return [True] * len(costs)
    shown = [cost == 0 for cost in costs]
    for order in (range(len(costs)), range(len(costs) - 1, -1, -1)):
        left = BUDGET // 2
        for index in order:
            left -= costs[index]
            if left < 0:
                break
            shown[index] = True
    return shown


def _from_raw(
    base: dict[str, Any], block: NDArray[Any], shape: tuple[int, ...], whole: list[bool]
) -> list[dict[str, Any]]:
    """The summaries of the rows of ``block``, values of one type, computed for all of them at once."""
    count, size = block.shape
    if not size:
        empty: dict[str, Any] = {"min": None, "max": None, "mean": None, "nan": 0, "inf": 0, "zeros": 0, "data": []}
        return [{**base, **empty} for _ in range(count)]
    kind = block.dtype.kind
    numbers = np.abs(block) if kind == "c" else block
    zeros = (size - np.count_nonzero(block, axis=1)).tolist()
    with np.errstate(all="ignore"):
        if kind in "fc":
            finite = np.isfinite(numbers)
            present = finite.sum(axis=1)
            nan = np.isnan(numbers).sum(axis=1).tolist()
            low = np.where(finite, numbers, np.inf).min(axis=1)
            high = np.where(finite, numbers, -np.inf).max(axis=1)
            mean = np.where(finite, numbers, 0).sum(axis=1, dtype=np.float64) / present
            low_list = _numbers(low.astype(numbers.dtype))
            high_list = _numbers(high.astype(numbers.dtype))
            mean_list = _numbers(mean.astype(numbers.dtype))
            counts = present.tolist()
        else:
            nan = [0] * count
            counts = [size] * count
            low_list, high_list = flat_json(block.min(axis=1)), flat_json(block.max(axis=1))
            mean_list = [as_json(round(x, 12)) for x in block.mean(axis=1, dtype=np.float64).tolist()]
            if kind == "b":
                low_list, high_list = [int(x) for x in low_list], [int(x) for x in high_list]
    shown = np.array(whole, dtype=bool)
    data = iter(_rows(flat_json(block[shown]), size) if size <= SHOWN else [])
    heads = iter(_rows(flat_json(block[:, :HEAD] if size > SHOWN else block[~shown, :HEAD]), min(size, HEAD)))
    summaries = []
    for index in range(count):
        some = counts[index] > 0
        summary = {
            **base,
            "min": low_list[index] if some else None,
            "max": high_list[index] if some else None,
            "mean": mean_list[index] if some else None,
            "nan": nan[index],
            "inf": size - counts[index] - nan[index],
            "zeros": zeros[index],
        }
        if size <= SHOWN and whole[index]:
            summary["data"] = next(data)
        else:
            if whole[index]:
                summary["grid"] = _grid(grid_of(block[index].reshape(shape)))
            summary["head"] = next(heads)
        summaries.append(summary)
    return summaries


def _numbers(values: NDArray[Any]) -> list[Any]:
    return [as_json(x) for x in shortest(values).tolist()]


def _rows(flat: list[Any], size: int) -> list[list[Any]]:
    return [flat[start : start + size] for start in range(0, len(flat), size)]


def _grid(grid: NDArray[Any]) -> dict[str, Any]:
    # Means of blocks are for colours: four digits are enough.
    data = [float(f"{x:.4g}") if math.isfinite(x) else None for x in grid.ravel().tolist()]
    return {"rows": grid.shape[0], "columns": grid.shape[1], "data": data}


def _from_summary(base: dict[str, Any], payload: bytes, dtype: np.dtype[Any], whole: bool) -> dict[str, Any] | None:
    if len(payload) < SUMMARY.size:
        return None
    low, high, mean, finite, nan, infinite, zeros, rows, columns, head = SUMMARY.unpack_from(payload)
    if rows > GRID or columns > GRID or head > HEAD or len(payload) != SUMMARY.size + 8 * (rows * columns + head):
        return None
    if max(finite, nan, infinite, zeros) > base["size"]:
        return None
    numbers = np.frombuffer(payload, dtype=np.float64, offset=SUMMARY.size)
    narrow = dtype if dtype.kind == "f" else np.dtype(np.float64)
    with np.errstate(all="ignore"):
        low, high, mean = _numbers(np.array([low, high, mean]).astype(narrow))
        first = flat_json(numbers[:head].astype(narrow))
    some = finite > 0
    picture = {"grid": _grid(numbers[head:].reshape(rows, columns))} if whole else {}
    return {
        **base,
        "min": low if some else None,
        "max": high if some else None,
        "mean": mean if some else None,
        "nan": nan,
        "inf": infinite,
        "zeros": zeros,
        **picture,
        "head": first,
    }
