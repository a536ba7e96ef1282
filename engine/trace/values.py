"""From the raw values of a journal to the summaries of a trace, each content once.

A summary tells type and size, how many elements are NaN, infinite or zero, the range and mean of the finite ones, and
shows the elements themselves: all of them up to 256, else block means (``grid``) and the first few (``head``). Where
all values together show more than ``BUDGET`` numbers, those of folded passes become short (``[type, min, max, mean,
nan, inf, zeros]``, or ``[type, element]``); if that is not enough, those at the beginning and at the end of the run are
shown in full, and those between are short.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.reader import Reader
from engine.recording.values import GRID, HEAD, KINDS, SUMMARY, grid_of
from engine.trace.containers import Containers
from engine.trace.numbers import as_json, flat_json, shortest
from engine.trace.strings import clean

SHOWN = 256
BUDGET = 120_000
"""Numbers shown by all values of a trace together; values of no more than ``ALWAYS`` elements do not count."""
ALWAYS = 16
UNUSUAL = 100
"""Values that hold NaN or infinity are shown in full, up to so many."""
HIDDEN = -1
"""The cost of what is not shown whatever the budget is."""
ITEM_LIMIT = 1 << 26
Summary = dict[str, Any] | list[Any]
Record = tuple[int, int, bytes]
"""Type, form and payload of a value, as the journal holds them."""


class Values:
    """The list ``values`` of a trace under construction."""

    def __init__(self, reader: Reader, types: list[dict[str, Any]]) -> None:
        self._reader = reader
        self._types = types
        self.list: list[Summary] = []
        self._unusual = 0
        self.folded = False
        """Whether values of folded passes had to be made short."""
        self._containers = Containers()
        self._python: dict[tuple[str, str, bytes | None], int] = {}

    def python(self, kind: str, text: str, parts: int = -1, number: int = -1) -> int:
        """The index of a Python value's summary.

        ``parts`` is where the journal tells of what is inside, ``number`` that of the object.
        """
        key = (kind, text, self._reader.bytes_at(parts) if parts >= 0 else None)
        index = self._python.get(key)
        if index is None:
            index = self._python[key] = len(self.list)
            more = {} if parts < 0 else parts_of(self._reader.json_at(parts))
            whole = self._containers.value(index, kind, text, **more, number=number) if more else None
            self.list.append(whole or {"python": kind, "text": text})
        return index

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The objects inside of containers and instances."""
        return self._containers.parts

    def arrays(self, offsets: Iterable[int], whole: Collection[int] | None = None) -> dict[int, int]:
        """The index of the summary for each offset of the heap; offsets without a readable value are left out.

        ``whole`` are the offsets that are named outside folded passes (default: all).
        """
        contents: dict[Record, list[int]] = {}
        for offset in sorted(set(offsets)):
            record = self._reader.value_at(offset)
            if record is not None:
                contents.setdefault(record, []).append(offset)
        costs = [self._cost(record) for record in contents]
        if whole is not None and sum(costs) > BUDGET:
            inside = [whole.isdisjoint(places) for places in contents.values()]  # type: ignore[attr-defined]
            self.folded = any(inside)
            costs = [HIDDEN if folded else cost for cost, folded in zip(costs, inside, strict=True)]
        shown = _within_budget(costs)
        by_type: dict[tuple[int, int], list[tuple[Record, bool]]] = {}
        for record, in_full in zip(contents, shown, strict=True):
            by_type.setdefault(record[:2], []).append((record, in_full))
        summaries: dict[Record, Summary] = {}
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

    def _summarise(self, type_id: int, form: int, payloads: list[tuple[bytes, bool]]) -> list[Summary | None]:
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
            found = [_from_summary(base, payload, dtype) for payload, _ in payloads]
            return [
                one if one is None or in_full or self._odd(one) else short(type_id, one)
                for one, (_, in_full) in zip(found, payloads, strict=True)
            ]
        good = [index for index, (payload, _) in enumerate(payloads) if len(payload) == size * dtype.itemsize]
        result: list[Summary | None] = [None] * len(payloads)
        if good and size <= ITEM_LIMIT:
            block = np.frombuffer(b"".join(payloads[index][0] for index in good), dtype=dtype).reshape(len(good), size)
            finite: Any = np.isfinite(block).all(axis=1) if dtype.kind in "fc" else np.ones(len(good), dtype=bool)
            whole = [
                payloads[index][1] or not (sound or self._spent())
                for index, sound in zip(good, finite.tolist(), strict=True)
            ]
            places = np.array(whole, dtype=bool)
            for keep in (True, False):
                rows = [index for index, one in zip(good, whole, strict=True) if one is keep]
                if not rows:
                    continue
                part = block[places == keep]
                made = _from_raw(base, part, tuple(shape)) if keep else _short_from_raw(type_id, part)
                for index, summary in zip(rows, made, strict=True):
                    result[index] = summary
        return result

    def _spent(self) -> bool:
        """Whether enough values with NaN or infinity are shown whatever the budget is; books one more."""
        self._unusual += 1
        return self._unusual > UNUSUAL

    def _odd(self, summary: dict[str, Any]) -> bool:
        return bool(summary["nan"] or summary["inf"]) and not self._spent()


def parts_of(raw: Any) -> dict[str, Any]:
    """``items`` and ``inside`` of a Python value from what the journal says; what does not fit is left out."""

    def items(found: Any) -> list[list[Any]]:
        kept = found[:64] if isinstance(found, list) else []
        sound = [one for one in kept if isinstance(one, list) and [type(part) for part in one] == [str, str, int]]
        return [
            [clean(label[:200]), clean(text[:200]), number] for label, text, number in sound if -1 <= number < 1 << 31
        ]

    if not isinstance(raw, dict):
        return {}
    inside = raw.get("inside")
    return {
        "items": items(raw.get("items")),
        "inside": [
            {"object": one["object"], "python": clean(one["python"][:200]), "items": items(one.get("items"))}
            for one in (inside[:64] if isinstance(inside, list) else [])
            if isinstance(one, dict) and type(one.get("object")) is int and isinstance(one.get("python"), str)
            and 0 <= one["object"] < 1 << 31
        ],
    }  # fmt: skip


def _within_budget(costs: list[int]) -> list[bool]:
    """Which values are shown in full: all, or as many from the beginning and from the end as the budget allows.

    >>> _within_budget([BUDGET // 2, 1, 0, BUDGET // 2])
    [True, False, True, True]
    """
    if sum(cost for cost in costs if cost != HIDDEN) <= BUDGET:
        return [cost != HIDDEN for cost in costs]
    shown = [cost == 0 for cost in costs]
    for order in (range(len(costs)), range(len(costs) - 1, -1, -1)):
        left = BUDGET // 2
        for index in order:
            if costs[index] == HIDDEN:
                continue
            left -= costs[index]
            if left < 0:
                break
            shown[index] = True
    return shown


def short(type_id: int, summary: dict[str, Any]) -> Summary:
    """A summary as it stands in a trace where there are too many to show them."""
    if summary["size"] == 1 and summary.get("data"):
        return [type_id, summary["data"][0]]
    numbers = [float(f"{x:.6g}") if type(x) is float else x for x in (summary["min"], summary["max"], summary["mean"])]
    return [type_id, *numbers, summary["nan"], summary["inf"], summary["zeros"]]


def _short_from_raw(type_id: int, block: NDArray[Any]) -> list[Summary]:
    size = block.shape[1]
    if size == 1:
        return [[type_id, element] for element in flat_json(block[:, 0])]
    return [short(type_id, {"size": size, **one}) for one in _statistics(block)]


def _statistics(block: NDArray[Any]) -> list[dict[str, Any]]:
    """``min max mean nan inf zeros`` of each row."""
    count, size = block.shape
    if not size:
        return [{"min": None, "max": None, "mean": None, "nan": 0, "inf": 0, "zeros": 0} for _ in range(count)]
    kind = block.dtype.kind
    numbers = np.abs(block) if kind == "c" else block
    zeros = (size - np.count_nonzero(block, axis=1)).tolist()
    with np.errstate(all="ignore"):
        if kind in "fc":
            finite = np.isfinite(numbers)
            present = finite.sum(axis=1)
            lowest = highest = summed = numbers
            nan = [0] * count
            if present.min(initial=size) < size:
                nan = np.isnan(numbers).sum(axis=1).tolist()
                lowest, highest = np.where(finite, numbers, np.inf), np.where(finite, numbers, -np.inf)
                summed = np.where(finite, numbers, 0)
            low, high = lowest.min(axis=1), highest.max(axis=1)
            mean = summed.sum(axis=1, dtype=np.float64) / present
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
    return [
        {
            "min": low_list[index] if counts[index] else None,
            "max": high_list[index] if counts[index] else None,
            "mean": mean_list[index] if counts[index] else None,
            "nan": nan[index],
            "inf": size - counts[index] - nan[index],
            "zeros": zeros[index],
        }
        for index in range(count)
    ]


def _from_raw(base: dict[str, Any], block: NDArray[Any], shape: tuple[int, ...]) -> list[dict[str, Any]]:
    """The summaries of the rows of ``block``, values of one type, computed for all of them at once."""
    size = block.shape[1]
    summaries = [{**base, **one} for one in _statistics(block)]
    if size <= SHOWN:
        flat = flat_json(block)
        for index, summary in enumerate(summaries):
            summary["data"] = flat[index * size : (index + 1) * size]
        return summaries
    heads = flat_json(block[:, :HEAD])
    for index, summary in enumerate(summaries):
        summary["grid"] = _grid(grid_of(block[index].reshape(shape)))
        summary["head"] = heads[index * HEAD : (index + 1) * HEAD]
    return summaries


def _numbers(values: NDArray[Any]) -> list[Any]:
    return [as_json(x) for x in shortest(values).tolist()]


def _grid(grid: NDArray[Any]) -> dict[str, Any]:
    # Means of blocks are for colours: four digits are enough.
    data = [float(f"{x:.4g}") if math.isfinite(x) else None for x in grid.ravel().tolist()]
    return {"rows": grid.shape[0], "columns": grid.shape[1], "data": data}


def _from_summary(base: dict[str, Any], payload: bytes, dtype: np.dtype[Any]) -> dict[str, Any] | None:
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
    return {
        **base,
        "min": low if some else None,
        "max": high if some else None,
        "mean": mean if some else None,
        "nan": nan,
        "inf": infinite,
        "zeros": zeros,
        "grid": _grid(numbers[head:].reshape(rows, columns)),
        "head": first,
    }
