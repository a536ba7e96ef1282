"""Texts and lists of a trace, each once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.trace.columns import Ints


def clean(text: str) -> str:
    """``text`` without lone surrogates, which JSON readers refuse.

    >>> clean("a\\ud800")
    'a?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def sound(value: Any, depth: int = 0) -> Any:
    """A JSON value that every reader takes: no lone surrogates, no number beyond what JSON holds, not nested deeply.

    >>> sound({"a": [1e999, 10**30, "x"]})
    {'a': ['inf', '1000000000000000000000000000000', 'x']}
    """
    if value is None or type(value) is bool:
        return value
    if type(value) is int:
        return value if abs(value) <= 1 << 53 else str(value)[:100]
    if type(value) is float:
        return value if math.isfinite(value) else str(value)
    if type(value) is str:
        return clean(value[:2000])
    if depth < 6 and type(value) is list:
        return [sound(item, depth + 1) for item in value]
    if depth < 6 and type(value) is dict:
        return {clean(key[:200]): sound(item, depth + 1) for key, item in value.items()}
    return "…"


class Strings:
    """The list ``strings``; only texts that something names get in. Lone surrogates are replaced.

    >>> strings = Strings([])
    >>> strings.add("run"), strings.add("run"), strings.list
    (0, 0, ['run'])
    """

    def __init__(self, journal: list[str]) -> None:
        self._journal = journal
        self._index: dict[str, int] = {}
        self._known: dict[int, int] = {}
        self.list: list[str] = []

    def add(self, text: str) -> int:
        """The index of ``text``."""
        index = self._index.get(text)
        if index is None:
            index = self._index[text] = len(self.list)
            self.list.append(clean(text))
        return index

    def column(self, numbers: Ints) -> Ints:
        """The indexes for a column of string numbers of the journal."""
        distinct, places = np.unique(np.asarray(numbers, dtype=np.int64), return_inverse=True)
        mapped = [self._of(number) for number in distinct.tolist()]
        return np.array(mapped, dtype=np.int64)[places] if len(mapped) else np.zeros(0, dtype=np.int64)

    def _of(self, number: int) -> int:
        if not 0 <= number < len(self._journal):
            return -1
        return self.add(self._journal[number])


class Lists:
    """The list ``lists`` of lists of integers, each once."""

    def __init__(self) -> None:
        self._index: dict[tuple[int, ...], int] = {}
        self.list: list[list[int]] = []

    def add(self, numbers: list[int]) -> int:
        """The index of a list."""
        key = tuple(numbers)
        index = self._index.get(key)
        if index is None:
            index = self._index[key] = len(self.list)
            self.list.append(numbers)
        return index
