"""What the buffers of a plan save: bytes with a buffer for every value, and with buffers used again."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from engine.passes.draft import Step
from engine.tensor_type import TensorType


@dataclass(frozen=True)
class Memory:
    """Bytes of what the ops of one plan compute; feeds, constants and variables are not in it.

    ``peak_before``: every one of the ``values`` (those inside fused steps, too) in memory of its own for the whole run.
    ``peak_after``: what the plan does: its ``buffers``, and the arrays that each run makes anew (fetched values, and
    results of kernels that cannot write into a buffer). ``unknown`` values have a size that only a run knows; they are
    in neither figure.
    """

    values: int
    buffers: int
    peak_before: int
    peak_after: int
    unknown: int

    def sentence(self) -> str:
        """What the memory plan did, in words.

        >>> Memory(5, 2, 5000, 2000, 0).sentence()
        '5 values share 2 buffers: 2,000 bytes instead of 5,000'
        >>> Memory(5, 2, 5000, 6000, 0).sentence()
        '5 values, 2 buffers: nothing is saved, 6,000 bytes instead of 5,000, but no run has to ask for them'
        """
        if self.peak_after >= self.peak_before:
            figures = f"{self.peak_after:,} bytes instead of {self.peak_before:,}"
            return (
                f"{self.values} value{'s' * (self.values != 1)}, {self.buffers} buffer{'s' * (self.buffers != 1)}: "
                f"nothing is saved, {figures}, but no run has to ask for them"
            )
        own = f"{self.values} value{'s' * (self.values != 1)}"
        shared = f"{self.buffers} buffer{'s' * (self.buffers != 1)}"
        return f"{own} share {shared}: {self.peak_after:,} bytes instead of {self.peak_before:,}"


class Ledger:
    """Counts values while a plan is written down."""

    def __init__(self) -> None:
        self._values = 0
        self._before = 0
        self._fresh = 0
        self._unknown = 0

    def value(self, step: Step, *, fresh: bool) -> None:
        """``step`` is computed; ``fresh``: into an array that every run makes."""
        size = bytes_of(step.type)
        count = max(len(step.parts), 1)
        self._values += count
        if size is None:
            self._unknown += count
            return
        self._before += count * size
        self._fresh += size if fresh else 0

    def total(self, buffers: int, owned: int) -> Memory:
        """The figures, for a plan with so many buffers of ``owned`` bytes together."""
        return Memory(self._values, buffers, self._before, owned + self._fresh, self._unknown)


def bytes_of(kind: TensorType | None) -> int | None:
    """The bytes of a value; ``None`` if its shape is not known."""
    if kind is None or kind.shape is None or None in kind.shape:
        return None
    return prod(kind.shape) * kind.dtype.itemsize  # type: ignore[arg-type]
