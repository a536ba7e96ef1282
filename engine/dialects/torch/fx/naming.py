"""Names of nodes: unique in their graph, and never those of Python's own things."""

from __future__ import annotations

import builtins
import keyword
import math
import re
from typing import Any

_TAKEN: dict[str, Any] = {
    **dict.fromkeys(keyword.kwlist, object()),
    **vars(builtins),
    "inf": math.inf,
    "nan": math.nan,
    "NoneType": type(None),
    **dict.fromkeys(("torch", "device", "fx_pytree", "pytree"), object()),
}
_ILLEGAL = re.compile("[^0-9a-zA-Z_]+")
_PARTS = re.compile(r"^([a-zA-Z_][0-9a-zA-Z_]*?)(?:_(\d+))?$")
_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")


def snake_case(name: str) -> str:
    """
    >>> snake_case("seq.BatchNorm")
    'seq.batch_norm'
    """
    return _CAPITAL.sub(r"_\1", name).lower()


class Namespace:
    """Names that are given out.

    >>> names = Namespace()
    >>> [names.create_name(name) for name in ("sum", "relu", "relu", "seq.0", "x_3", "x_3")]
    ['sum_1', 'relu', 'relu_1', 'seq_0', 'x_3', 'x_4']
    """

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._counts: dict[str, int] = {}

    def create_name(self, candidate: str, obj: Any = None) -> str:
        """A name like ``candidate`` that nobody has; a builtin's only for that builtin itself (``obj``)."""
        parts = _PARTS.match(candidate)
        if parts is None:
            candidate = _ILLEGAL.sub("_", candidate) or "_unnamed"
            candidate = f"_{candidate}" if candidate[0].isdigit() else candidate
            parts = _PARTS.match(candidate)
            assert parts is not None
        base, suffix = parts.group(1, 2)
        if suffix is None or candidate in self._used:
            number = self._counts.get(base, 0)
            if candidate in _TAKEN and _TAKEN[candidate] is not obj:
                number += 1
                candidate = f"{base}_{number}"
        else:
            number = int(suffix)
        while candidate in self._used:
            number += 1
            candidate = f"{base}_{number}"
        self._used.add(candidate)
        self._counts[base] = number
        return candidate
