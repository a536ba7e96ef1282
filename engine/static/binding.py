"""Names for what a generated function needs to know."""

from __future__ import annotations

import numpy as np


class Names:
    """Names for objects in the generated function.

    >>> names = Names()
    >>> one, other = [1], [2]
    >>> names("n", one), names("n", other), names("n", one)
    ('n', 'n_2', 'n')
    """

    def __init__(self) -> None:
        self.objects: dict[str, object] = {}
        self._by_id: dict[tuple[str, int], str] = {}
        self._counts: dict[str, int] = {}
        """How far each name is counted, so that a long plan does not count from the beginning every time."""

    def __call__(self, name: str, value: object) -> str:
        """A name for ``value``: ``name`` itself if it is free."""
        known = self._by_id.get((name, id(value)))
        if known is not None:
            return known
        text, count = name, self._counts.get(name, 1)
        while text in self.objects:
            count += 1
            text = f"{name}_{count}"
        self._counts[name] = count
        self.objects[text] = value
        self._by_id[name, id(value)] = text
        return text

    def is_contiguous(self, text: str) -> bool:
        """Whether ``text`` is the name of an array that is the same in every run, and lies in memory row by row."""
        array = self.objects.get(text)
        return isinstance(array, np.ndarray) and array.flags.c_contiguous

    def turned(self, text: str) -> str:
        """The transpose of the matrix that ``text`` stands for: one view for all runs where the array is the same in
        every run."""
        array = self.objects.get(text)
        return self(f"{text}_T", array.T) if isinstance(array, np.ndarray) else f"{text}.T"
